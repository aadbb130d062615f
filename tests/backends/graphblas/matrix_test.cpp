// SPDX-License-Identifier: Apache-2.0

// The reference backend's matrix operations against SuiteSparse:GraphBLAS: ewise_add,
// ewise_multiply, apply, select, assign and transpose with all masks, accumulator and replace.

#include <gtest/gtest.h>

#include "backends/graphblas/operators.hpp"
#include "support/compare.hpp"

namespace tropic::testing::peer {
namespace {

// One trial of one operation: the data for both libraries.
struct matrix_trial {
  rules r;
  type_code code;
  host_matrix a, b, c, mask;
  std::vector<index_t> rows, columns;
  scalar_bytes value;
  const type_objects& peer() const { return objects_of(code); }
};

// The arguments of an operation of ours, and of theirs.
struct our_call {
  const matrix_trial& t;
  matrix_base& c;
  const matrix_base &a, &b;
  const output_options<matrix_base>& options;
};
struct their_call {
  const matrix_trial& t;
  GrB_Matrix c, mask;
  GrB_BinaryOp accumulator;
  GrB_Matrix a, b;
  GrB_Descriptor descriptor;
};

struct matrix_operation {
  const char* name;
  bool listed, turned;  // a has the lists' sizes; a is transposed
  void (*ours)(const our_call&);
  GrB_Info (*theirs)(const their_call&);
};
const std::vector<matrix_operation>& matrix_operations() {
  static const std::vector<matrix_operation> all{
      {"ewise_add", false, false,
       [](const our_call& c) {
         ewise("ewise_add", c.c, detail::ewise_positions::set_union, over(c.t.code, minus{}), c.a,
               c.b, c.options);
       },
       [](const their_call& c) {
         return GrB_Matrix_eWiseAdd_BinaryOp(c.c, c.mask, c.accumulator, c.t.peer().minus, c.a, c.b,
                                             c.descriptor);
       }},
      {"ewise_multiply", false, false,
       [](const our_call& c) {
         ewise("ewise_multiply", c.c, detail::ewise_positions::intersection,
               over(c.t.code, minus{}), c.a, c.b, c.options);
       },
       [](const their_call& c) {
         return GrB_Matrix_eWiseMult_BinaryOp(c.c, c.mask, c.accumulator, c.t.peer().minus, c.a,
                                              c.b, c.descriptor);
       }},
      {"ewise_multiply positions", false, false,
       [](const our_call& c) {
         ewise("ewise_multiply", c.c, detail::ewise_positions::intersection,
               over(c.t.code, column_index{}), c.a, c.b, c.options);
       },
       [](const their_call& c) {
         return GrB_Matrix_eWiseMult_BinaryOp(c.c, c.mask, c.accumulator, GxB_SECONDJ_INT64, c.a,
                                              c.b, c.descriptor);
       }},
      {"apply", false, false,
       [](const our_call& c) { apply(c.c, {over(c.t.code, negate{})}, c.a, c.options); },
       [](const their_call& c) {
         return GrB_Matrix_apply(c.c, c.mask, c.accumulator, c.t.peer().negate, c.a, c.descriptor);
       }},
      {"select the lower triangle", false, false,
       [](const our_call& c) {
         select(c.c, {into<bool>(c.t.code, lower_triangle{})}, c.a, c.options);
       },
       [](const their_call& c) {
         return GrB_Matrix_select_INT64(c.c, c.mask, c.accumulator, GrB_TRIL, c.a, 0, c.descriptor);
       }},
      {"select off the diagonal", false, false,
       [](const our_call& c) {
         select(c.c, {into<bool>(c.t.code, off_diagonal{})}, c.a, c.options);
       },
       [](const their_call& c) {
         return GrB_Matrix_select_INT64(c.c, c.mask, c.accumulator, GrB_OFFDIAG, c.a, 0,
                                        c.descriptor);
       }},
      {"assign", false, false,
       [](const our_call& c) { assign(c.c, c.a, nullptr, nullptr, c.options); },
       [](const their_call& c) {
         return GrB_Matrix_assign(c.c, c.mask, c.accumulator, c.a, GrB_ALL,
                                  static_cast<GrB_Index>(c.t.c.rows), GrB_ALL,
                                  static_cast<GrB_Index>(c.t.c.columns), c.descriptor);
       }},
      {"assign to lists", true, false,
       [](const our_call& c) {
         const std::span<const index_t> rows(c.t.rows), columns(c.t.columns);
         assign(c.c, c.a, &rows, &columns, c.options);
       },
       [](const their_call& c) {
         return GrB_Matrix_assign(c.c, c.mask, c.accumulator, c.a, peer_list(c.t.rows).data(),
                                  c.t.rows.size(), peer_list(c.t.columns).data(),
                                  c.t.columns.size(), c.descriptor);
       }},
      {"assign a value", false, false,
       [](const our_call& c) { assign(c.c, c.t.value.data(), nullptr, nullptr, c.options); },
       [](const their_call& c) {
         return GrB_Matrix_assign_Scalar(c.c, c.mask, c.accumulator,
                                         to_peer(describe(c.t.code), c.t.value), GrB_ALL,
                                         static_cast<GrB_Index>(c.t.c.rows), GrB_ALL,
                                         static_cast<GrB_Index>(c.t.c.columns), c.descriptor);
       }},
      {"assign a value to lists", false, false,
       [](const our_call& c) {
         const std::span<const index_t> rows(c.t.rows), columns(c.t.columns);
         assign(c.c, c.t.value.data(), &rows, &columns, c.options);
       },
       [](const their_call& c) {
         return GrB_Matrix_assign_Scalar(
             c.c, c.mask, c.accumulator, to_peer(describe(c.t.code), c.t.value),
             peer_list(c.t.rows).data(), c.t.rows.size(), peer_list(c.t.columns).data(),
             c.t.columns.size(), c.descriptor);
       }},
      {"transpose", false, true, [](const our_call& c) { transpose(c.c, c.a, c.options); },
       [](const their_call& c) {
         return GrB_transpose(c.c, c.mask, c.accumulator, c.a, c.descriptor);
       }},
  };
  return all;
}

void compare(const matrix_operation& op, matrix_trial t, dice& random) {
  const type_description& type = describe(t.code);
  index_t rows = 1 + random.roll(7), columns = 1 + random.roll(7);
  t.c = random_matrix(type, rows, columns, 0.4, flavour::small, random);
  t.mask = random_matrix(describe<float>(), rows, columns, 0.6, flavour::small, random);
  t.rows = shuffled_part(rows, random);
  t.columns = shuffled_part(columns, random);
  t.value = random_value(type, flavour::small, random);
  if (op.listed) {
    rows = static_cast<index_t>(t.rows.size());
    columns = static_cast<index_t>(t.columns.size());
  }
  if (op.turned) std::swap(rows, columns);
  t.a = random_matrix(type, rows, columns, 0.4, flavour::small, random);
  t.b = random_matrix(type, rows, columns, 0.4, flavour::small, random);

  matrix_base c = make(where(), t.c, false, false);
  const matrix_base mask = make(where(), t.mask, false, false);
  output_options<matrix_base> options;
  if (t.r.has_mask()) options.mask = {&mask, t.r.structural(), t.r.complemented()};
  const operator_description accumulator = over(t.code, minus{});
  if (t.r.accumulate) options.accumulator = &accumulator;
  options.replace = t.r.replace;
  op.ours({t, c, make(where(), t.a, false, false), make(where(), t.b, false, false), options});

  const peer_matrix peer_c = to_peer(t.c), peer_mask = to_peer(t.mask), a = to_peer(t.a),
                    b = to_peer(t.b);
  TROPIC_GRB(op.theirs({t, peer_c, t.r.has_mask() ? peer_mask.get() : nullptr,
                        t.r.accumulate ? t.peer().minus : nullptr, a, b, descriptor(t.r)}));
  ASSERT_EQ(difference(from_peer(type, peer_c.get()), read(c)), "")
      << op.name << " over " << type.name << ", mask " << t.r.mask << ", accumulator "
      << t.r.accumulate << ", replace " << t.r.replace;
}

TEST(GraphBlas, AgreesOnMatrixOperations) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const matrix_operation& op : matrix_operations())
    for_all_rules([&](type_code code, const rules& r) {
      matrix_trial t{};
      t.r = r;
      t.code = code;
      compare(op, t, random);
    });
}

}  // namespace
}  // namespace tropic::testing::peer
