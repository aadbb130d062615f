// SPDX-License-Identifier: Apache-2.0

// The reference backend's vector operations against SuiteSparse:GraphBLAS: ewise_add,
// ewise_multiply, apply, select, reduce and assign with all masks, accumulator and replace.

#include <gtest/gtest.h>

#include "backends/graphblas/operators.hpp"
#include "support/compare.hpp"

namespace tropic::testing::peer {
namespace vector_test {
namespace {

// One trial of one operation: the data for both libraries.
struct vector_trial {
  rules r;
  type_code code;
  host_vector u, v, w, mask;
  host_matrix a;
  std::vector<index_t> list;
  scalar_bytes value;
  const type_objects& peer() const { return objects_of(code); }
};

// The arguments of an operation of ours, and of theirs.
struct our_call {
  const vector_trial& t;
  vector_base& w;
  const vector_base &u, &v;
  const output_options<vector_base>& options;
};
struct their_call {
  const vector_trial& t;
  GrB_Vector w, mask;
  GrB_BinaryOp accumulator;
  GrB_Vector u, v;
  GrB_Descriptor descriptor;
};

struct vector_operation {
  const char* name;
  const type_description* result;  // null: the trial's type
  bool listed;                     // u has the list's size
  void (*ours)(const our_call&);
  GrB_Info (*theirs)(const their_call&);
};

const std::vector<vector_operation>& vector_operations() {
  static const std::vector<vector_operation> all{
      {"ewise_add", nullptr, false,
       [](const our_call& c) {
         ewise("ewise_add", c.w, detail::ewise_positions::set_union, over(c.t.code, minus{}), c.u,
               c.v, c.options);
       },
       [](const their_call& c) {
         return GrB_Vector_eWiseAdd_BinaryOp(c.w, c.mask, c.accumulator, c.t.peer().minus, c.u, c.v,
                                             c.descriptor);
       }},
      {"ewise_multiply", nullptr, false,
       [](const our_call& c) {
         ewise("ewise_multiply", c.w, detail::ewise_positions::intersection,
               over(c.t.code, minus{}), c.u, c.v, c.options);
       },
       [](const their_call& c) {
         return GrB_Vector_eWiseMult_BinaryOp(c.w, c.mask, c.accumulator, c.t.peer().minus, c.u,
                                              c.v, c.descriptor);
       }},
      {"ewise_multiply positions", nullptr, false,
       [](const our_call& c) {
         ewise("ewise_multiply", c.w, detail::ewise_positions::intersection,
               over(c.t.code, row_index{}), c.u, c.v, c.options);
       },
       [](const their_call& c) {
         return GrB_Vector_eWiseMult_BinaryOp(c.w, c.mask, c.accumulator, GxB_FIRSTI_INT64, c.u,
                                              c.v, c.descriptor);
       }},
      {"apply", nullptr, false,
       [](const our_call& c) { apply(c.w, {over(c.t.code, negate{})}, c.u, c.options); },
       [](const their_call& c) {
         return GrB_Vector_apply(c.w, c.mask, c.accumulator, c.t.peer().negate, c.u, c.descriptor);
       }},
      {"apply absolute", nullptr, false,
       [](const our_call& c) { apply(c.w, {over(c.t.code, absolute{})}, c.u, c.options); },
       [](const their_call& c) {
         return GrB_Vector_apply(c.w, c.mask, c.accumulator, c.t.peer().absolute, c.u,
                                 c.descriptor);
       }},
      {"apply first bound", nullptr, false,
       [](const our_call& c) {
         apply(c.w, bound(over(c.t.code, minus{}), true, c.t.value), c.u, c.options);
       },
       [](const their_call& c) {
         return GrB_Vector_apply_BinaryOp1st_Scalar(c.w, c.mask, c.accumulator, c.t.peer().minus,
                                                    to_peer(describe(c.t.code), c.t.value), c.u,
                                                    c.descriptor);
       }},
      {"apply second bound", nullptr, false,
       [](const our_call& c) {
         apply(c.w, bound(over(c.t.code, minus{}), false, c.t.value), c.u, c.options);
       },
       [](const their_call& c) {
         return GrB_Vector_apply_BinaryOp2nd_Scalar(c.w, c.mask, c.accumulator, c.t.peer().minus,
                                                    c.u, to_peer(describe(c.t.code), c.t.value),
                                                    c.descriptor);
       }},
      {"apply row index", &describe<std::int64_t>(), false,
       [](const our_call& c) {
         apply(c.w, {into<std::int64_t>(c.t.code, row_index{})}, c.u, c.options);
       },
       [](const their_call& c) {
         return GrB_Vector_apply_IndexOp_INT64(c.w, c.mask, c.accumulator, GrB_ROWINDEX_INT64, c.u,
                                               0, c.descriptor);
       }},
      {"select greater", nullptr, false,
       [](const our_call& c) {
         select(c.w, bound(into<bool>(c.t.code, greater{}), false, c.t.value), c.u, c.options);
       },
       [](const their_call& c) {
         return GrB_Vector_select_Scalar(c.w, c.mask, c.accumulator, c.t.peer().value_greater, c.u,
                                         to_peer(describe(c.t.code), c.t.value), c.descriptor);
       }},
      {"select nonzero", nullptr, false,
       [](const our_call& c) { select(c.w, {into<bool>(c.t.code, nonzero{})}, c.u, c.options); },
       [](const their_call& c) {
         return GrB_Vector_select_Scalar(c.w, c.mask, c.accumulator, c.t.peer().value_not_equal,
                                         c.u, to_peer(describe(c.t.code), scalar_bytes{}),
                                         c.descriptor);
       }},
      {"assign", nullptr, false, [](const our_call& c) { assign(c.w, c.u, nullptr, c.options); },
       [](const their_call& c) {
         return GrB_Vector_assign(c.w, c.mask, c.accumulator, c.u, GrB_ALL,
                                  static_cast<GrB_Index>(c.t.w.size), c.descriptor);
       }},
      {"assign to a list", nullptr, true,
       [](const our_call& c) {
         const std::span<const index_t> list(c.t.list);
         assign(c.w, c.u, &list, c.options);
       },
       [](const their_call& c) {
         return GrB_Vector_assign(c.w, c.mask, c.accumulator, c.u, peer_list(c.t.list).data(),
                                  c.t.list.size(), c.descriptor);
       }},
      {"assign a value", nullptr, false,
       [](const our_call& c) { assign(c.w, c.t.value.data(), nullptr, c.options); },
       [](const their_call& c) {
         return GrB_Vector_assign_Scalar(c.w, c.mask, c.accumulator,
                                         to_peer(describe(c.t.code), c.t.value), GrB_ALL,
                                         static_cast<GrB_Index>(c.t.w.size), c.descriptor);
       }},
      {"assign a value to a list", nullptr, false,
       [](const our_call& c) {
         const std::span<const index_t> list(c.t.list);
         assign(c.w, c.t.value.data(), &list, c.options);
       },
       [](const their_call& c) {
         return GrB_Vector_assign_Scalar(c.w, c.mask, c.accumulator,
                                         to_peer(describe(c.t.code), c.t.value),
                                         peer_list(c.t.list).data(), c.t.list.size(), c.descriptor);
       }},
      {"reduce rows", nullptr, false,
       [](const our_call& c) {
         const auto sum = with_builtin_type(
             c.t.code, []<class T>() { return describe_monoid<plus_monoid<T>>(); });
         reduce(c.w, sum, {.matrix = make(where(), c.t.a, false, false)}, c.options);
       },
       [](const their_call& c) {
         return GrB_Matrix_reduce_Monoid(c.w, c.mask, c.accumulator, c.t.peer().plus_monoid,
                                         to_peer(c.t.a), c.descriptor);
       }},
      {"reduce columns", nullptr, false,
       [](const our_call& c) {
         host_matrix turned{c.t.a.type, c.t.a.columns, c.t.a.rows, {}};
         for (const auto& [p, value] : c.t.a.entries)
           turned.entries.emplace(std::pair{p.second, p.first}, value);
         const auto least = with_builtin_type(
             c.t.code, []<class T>() { return describe_monoid<minimum_monoid<T>>(); });
         reduce(c.w, least, {.matrix = make(where(), turned, false, false), .transposed = true},
                c.options);
       },
       [](const their_call& c) {
         return GrB_Matrix_reduce_Monoid(c.w, c.mask, c.accumulator, c.t.peer().min_monoid,
                                         to_peer(c.t.a), c.descriptor);
       }},
  };
  return all;
}

void compare(const vector_operation& op, vector_trial t, dice& random) {
  const type_description& type = describe(t.code);
  const type_description& result = op.result ? *op.result : type;
  const index_t size = 1 + random.roll(12);
  t.list = shuffled_part(size, random);
  const index_t input = op.listed ? static_cast<index_t>(t.list.size()) : size;
  t.u = random_vector(type, input, random.chance(0.3) ? 1 : 0.5, flavour::small, random);
  t.v = random_vector(type, input, 0.5, flavour::small, random);
  t.w = random_vector(result, size, 0.5, flavour::small, random);
  t.mask = random_vector(describe<float>(), size, 0.6, flavour::small, random);
  t.a = random_matrix(type, size, 1 + random.roll(9), 0.3, flavour::small, random);
  t.value = random_value(type, flavour::small, random);

  vector_base w = make(where(), t.w, vector_storage::sparse);
  const vector_base mask = make(where(), t.mask, vector_storage::sparse);
  output_options<vector_base> options;
  if (t.r.has_mask()) options.mask = {&mask, t.r.structural(), t.r.complemented()};
  const operator_description accumulator = over(result.code, minus{});
  if (t.r.accumulate) options.accumulator = &accumulator;
  options.replace = t.r.replace;
  op.ours({t, w, make(where(), t.u, vector_storage::sparse),
           make(where(), t.v, vector_storage::sparse), options});

  const peer_vector peer_w = to_peer(t.w), peer_mask = to_peer(t.mask), u = to_peer(t.u),
                    v = to_peer(t.v);
  TROPIC_GRB(
      op.theirs({t, peer_w, t.r.has_mask() ? peer_mask.get() : nullptr,
                 t.r.accumulate ? objects_of(result.code).minus : nullptr, u, v, descriptor(t.r)}));
  ASSERT_EQ(difference(from_peer(result, peer_w.get()), read(w)), "")
      << op.name << " over " << type.name << ", mask " << t.r.mask << ", accumulator "
      << t.r.accumulate << ", replace " << t.r.replace;
}

TEST(GraphBlas, AgreesOnVectorOperations) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const vector_operation& op : vector_operations())
    for_all_rules([&](type_code code, const rules& r) {
      vector_trial t{};
      t.r = r;
      t.code = code;
      compare(op, t, random);
    });
}

TEST(GraphBlas, AgreesOnSumsOfEverything) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : number_types)
    for (int n = 0; n < 20; ++n) {
      const type_description& type = describe(code);
      const host_vector u = random_vector(type, random.roll(10), 0.4, flavour::small, random);
      const auto least =
          with_builtin_type(code, []<class T>() { return describe_monoid<minimum_monoid<T>>(); });
      scalar_bytes found;
      const bool any = reduce(found.data(), least, make(where(), u, vector_storage::sparse));
      GrB_Scalar sum = nullptr;
      TROPIC_GRB(GrB_Scalar_new(&sum, objects_of(code).type));
      const peer_scalar owner(sum);
      TROPIC_GRB(GrB_Vector_reduce_Monoid_Scalar(sum, nullptr, objects_of(code).min_monoid,
                                                 to_peer(u), nullptr));
      GrB_Index count = 0;
      TROPIC_GRB(GrB_Scalar_nvals(&count, sum));
      ASSERT_EQ(any, count == 1);
      if (!any) continue;
      double value = 0;
      TROPIC_GRB(GrB_Scalar_extractElement_FP64(&value, sum));
      EXPECT_EQ(
          with_builtin_type(code, [&]<class T>() { return static_cast<double>(found.as<T>()); }),
          value);
    }
}

}  // namespace
}  // namespace vector_test

}  // namespace tropic::testing::peer
