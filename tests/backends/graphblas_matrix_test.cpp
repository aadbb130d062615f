// SPDX-License-Identifier: Apache-2.0

// The reference backend's matrix operations against SuiteSparse:GraphBLAS: ewise_add,
// ewise_multiply, apply, select, assign and transpose with all masks, accumulator and replace.

#include <gtest/gtest.h>

#include <functional>

#include "backends/graphblas_operators.hpp"
#include "support/compare.hpp"

namespace tropic::testing::peer {
namespace {

// One trial of one operation: our side and theirs, on the same data.
struct matrix_trial {
  rules r;
  type_code code;
  host_matrix a, b, c, mask;
  std::vector<index_t> rows, columns;
  scalar_bytes value;
  const type_objects& peer() const { return objects_of(code); }
};

#define UNUSED static_cast<void>(t), static_cast<void>(u), static_cast<void>(v)

struct matrix_operation {
  const char* name;
  bool listed, turned;  // a has the lists' sizes; a is transposed
  std::function<void(const matrix_trial&, matrix_base&, const matrix_base& a, const matrix_base& b,
                     const output_options<matrix_base>&)>
      ours;
  std::function<GrB_Info(const matrix_trial&, GrB_Matrix c, GrB_Matrix mask,
                         GrB_BinaryOp accumulator, GrB_Matrix a, GrB_Matrix b, GrB_Descriptor)>
      theirs;
};
#define OURS                                                                            \
  [](const matrix_trial& t, matrix_base& c, const matrix_base& u, const matrix_base& v, \
     const output_options<matrix_base>& o)
#define THEIRS                                                                          \
  [](const matrix_trial& t, GrB_Matrix c, GrB_Matrix m, GrB_BinaryOp acc, GrB_Matrix u, \
     GrB_Matrix v, GrB_Descriptor d) -> GrB_Info

const std::vector<matrix_operation>& matrix_operations() {
  static const std::vector<matrix_operation> all{{"ewise_add", false, false, OURS{UNUSED;
  ewise("ewise_add", c, true, over(t.code, minus{}), u, v, o);
}
, THEIRS {
  return GrB_Matrix_eWiseAdd_BinaryOp(c, m, acc, t.peer().minus, u, v, d);
}
}  // namespace
, {"ewise_multiply", false, false, OURS{UNUSED;
ewise("ewise_multiply", c, false, over(t.code, minus{}), u, v, o);
}  // namespace tropic::testing::peer
, THEIRS {
  return GrB_Matrix_eWiseMult_BinaryOp(c, m, acc, t.peer().minus, u, v, d);
}
}
, {"ewise_multiply positions", false, false, OURS{UNUSED;
ewise("ewise_multiply", c, false, over(t.code, column_index{}), u, v, o);
}
, THEIRS {
  UNUSED;
  return GrB_Matrix_eWiseMult_BinaryOp(c, m, acc, GxB_SECONDJ_INT64, u, v, d);
}
}
, {"apply", false, false, OURS{UNUSED;
apply(c, {over(t.code, negate{})}, u, o);
}
, THEIRS {
  UNUSED;
  return GrB_Matrix_apply(c, m, acc, t.peer().negate, u, d);
}
}
, {"select the lower triangle", false, false, OURS{UNUSED;
select(c, {into<bool>(t.code, lower_triangle{})}, u, o);
}
, THEIRS {
  UNUSED;
  return GrB_Matrix_select_INT64(c, m, acc, GrB_TRIL, u, 0, d);
}
}
, {"select off the diagonal", false, false, OURS{UNUSED;
select(c, {into<bool>(t.code, off_diagonal{})}, u, o);
}
, THEIRS {
  UNUSED;
  return GrB_Matrix_select_INT64(c, m, acc, GrB_OFFDIAG, u, 0, d);
}
}
, {"assign", false, false, OURS{UNUSED;
assign(c, u, nullptr, nullptr, o);
}
, THEIRS {
  UNUSED;
  return GrB_Matrix_assign(c, m, acc, u, GrB_ALL, static_cast<GrB_Index>(t.c.rows), GrB_ALL,
                           static_cast<GrB_Index>(t.c.columns), d);
}
}
, {"assign to lists", true, false, OURS{UNUSED;
const std::span<const index_t> rows(t.rows), columns(t.columns);
assign(c, u, &rows, &columns, o);
}
, THEIRS {
  UNUSED;
  return GrB_Matrix_assign(c, m, acc, u, peer_list(t.rows).data(), t.rows.size(),
                           peer_list(t.columns).data(), t.columns.size(), d);
}
}
, {"assign a value", false, false, OURS{UNUSED;
assign(c, t.value.data(), nullptr, nullptr, o);
}
, THEIRS {
  UNUSED;
  return GrB_Matrix_assign_Scalar(c, m, acc, to_peer(describe(t.code), t.value), GrB_ALL,
                                  static_cast<GrB_Index>(t.c.rows), GrB_ALL,
                                  static_cast<GrB_Index>(t.c.columns), d);
}
}
, {"assign a value to lists", false, false, OURS{UNUSED;
const std::span<const index_t> rows(t.rows), columns(t.columns);
assign(c, t.value.data(), &rows, &columns, o);
}
, THEIRS {
  UNUSED;
  return GrB_Matrix_assign_Scalar(c, m, acc, to_peer(describe(t.code), t.value),
                                  peer_list(t.rows).data(), t.rows.size(),
                                  peer_list(t.columns).data(), t.columns.size(), d);
}
}
, {"transpose", false, true, OURS{UNUSED;
transpose(c, u, o);
}
, THEIRS {
  UNUSED;
  return GrB_transpose(c, m, acc, u, d);
}
}
,
}
;
return all;
}
#undef OURS
#undef THEIRS
#undef UNUSED

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
  op.ours(t, c, make(where(), t.a, false, false), make(where(), t.b, false, false), options);

  const peer_matrix peer_c = to_peer(t.c), peer_mask = to_peer(t.mask), a = to_peer(t.a),
                    b = to_peer(t.b);
  TROPIC_GRB(op.theirs(t, peer_c, t.r.has_mask() ? peer_mask.get() : nullptr,
                       t.r.accumulate ? t.peer().minus : nullptr, a, b, descriptor(t.r)));
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
