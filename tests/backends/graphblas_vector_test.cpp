// SPDX-License-Identifier: Apache-2.0

// The reference backend's vector operations against SuiteSparse:GraphBLAS: ewise_add,
// ewise_multiply, apply, select, reduce and assign with all masks, accumulator and replace.

#include <gtest/gtest.h>

#include <functional>

#include "backends/graphblas_operators.hpp"
#include "support/compare.hpp"

namespace tropic::testing::peer {
namespace {

// One trial of one operation: our side and theirs, on the same data.
struct vector_trial {
  rules r;
  type_code code;
  host_vector u, v, w, mask;
  host_matrix a;
  std::vector<index_t> list;
  scalar_bytes value;
  const type_objects& peer() const { return objects_of(code); }
};

struct vector_operation {
  const char* name;
  const type_description* result;  // null: the trial's type
  bool listed;                     // u has the list's size
  std::function<void(const vector_trial&, vector_base&, const vector_base& u, const vector_base& v,
                     const output_options<vector_base>&)>
      ours;
  std::function<GrB_Info(const vector_trial&, GrB_Vector w, GrB_Vector mask,
                         GrB_BinaryOp accumulator, GrB_Vector u, GrB_Vector v, GrB_Descriptor)>
      theirs;
};

#define OURS                                                                            \
  [](const vector_trial& t, vector_base& w, const vector_base& u, const vector_base& v, \
     const output_options<vector_base>& o)
#define THEIRS                                                                          \
  [](const vector_trial& t, GrB_Vector w, GrB_Vector m, GrB_BinaryOp acc, GrB_Vector u, \
     GrB_Vector v, GrB_Descriptor d) -> GrB_Info
#define UNUSED static_cast<void>(t), static_cast<void>(u), static_cast<void>(v)

const std::vector<vector_operation>& vector_operations() {
  static const std::vector<vector_operation> all{{"ewise_add", nullptr, false, OURS{UNUSED;
  ewise("ewise_add", w, true, over(t.code, minus{}), u, v, o);
}
, THEIRS {
  return GrB_Vector_eWiseAdd_BinaryOp(w, m, acc, t.peer().minus, u, v, d);
}
}  // namespace
, {"ewise_multiply", nullptr, false, OURS{UNUSED;
ewise("ewise_multiply", w, false, over(t.code, minus{}), u, v, o);
}  // namespace tropic::testing::peer
, THEIRS {
  return GrB_Vector_eWiseMult_BinaryOp(w, m, acc, t.peer().minus, u, v, d);
}
}
, {"ewise_multiply positions", nullptr, false, OURS{UNUSED;
ewise("ewise_multiply", w, false, over(t.code, row_index{}), u, v, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_eWiseMult_BinaryOp(w, m, acc, GxB_FIRSTI_INT64, u, v, d);
}
}
, {"apply", nullptr, false, OURS{UNUSED;
apply(w, {over(t.code, negate{})}, u, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_apply(w, m, acc, t.peer().negate, u, d);
}
}
, {"apply absolute", nullptr, false, OURS{UNUSED;
apply(w, {over(t.code, absolute{})}, u, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_apply(w, m, acc, t.peer().absolute, u, d);
}
}
, {"apply first bound", nullptr, false, OURS{UNUSED;
apply(w, bound(over(t.code, minus{}), true, t.value), u, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_apply_BinaryOp1st_Scalar(w, m, acc, t.peer().minus,
                                             to_peer(describe(t.code), t.value), u, d);
}
}
, {"apply second bound", nullptr, false, OURS{UNUSED;
apply(w, bound(over(t.code, minus{}), false, t.value), u, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_apply_BinaryOp2nd_Scalar(w, m, acc, t.peer().minus, u,
                                             to_peer(describe(t.code), t.value), d);
}
}
, {"apply row index", &describe<std::int64_t>(), false, OURS{UNUSED;
apply(w, {into<std::int64_t>(t.code, row_index{})}, u, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_apply_IndexOp_INT64(w, m, acc, GrB_ROWINDEX_INT64, u, 0, d);
}
}
, {"select greater", nullptr, false, OURS{UNUSED;
select(w, bound(into<bool>(t.code, greater{}), false, t.value), u, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_select_Scalar(w, m, acc, t.peer().value_greater, u,
                                  to_peer(describe(t.code), t.value), d);
}
}
, {"select nonzero", nullptr, false, OURS{UNUSED;
select(w, {into<bool>(t.code, nonzero{})}, u, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_select_Scalar(w, m, acc, t.peer().value_not_equal, u,
                                  to_peer(describe(t.code), scalar_bytes{}), d);
}
}
, {"assign", nullptr, false, OURS{UNUSED;
assign(w, u, nullptr, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_assign(w, m, acc, u, GrB_ALL, static_cast<GrB_Index>(t.w.size), d);
}
}
, {"assign to a list", nullptr, true, OURS{UNUSED;
const std::span<const index_t> list(t.list);
assign(w, u, &list, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_assign(w, m, acc, u, peer_list(t.list).data(), t.list.size(), d);
}
}
, {"assign a value", nullptr, false, OURS{UNUSED;
assign(w, t.value.data(), nullptr, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_assign_Scalar(w, m, acc, to_peer(describe(t.code), t.value), GrB_ALL,
                                  static_cast<GrB_Index>(t.w.size), d);
}
}
, {"assign a value to a list", nullptr, false, OURS{UNUSED;
const std::span<const index_t> list(t.list);
assign(w, t.value.data(), &list, o);
}
, THEIRS {
  UNUSED;
  return GrB_Vector_assign_Scalar(w, m, acc, to_peer(describe(t.code), t.value),
                                  peer_list(t.list).data(), t.list.size(), d);
}
}
, {"reduce rows", nullptr, false, OURS{UNUSED;
const auto sum =
    with_builtin_type(t.code, []<class T>() { return describe_monoid<plus_monoid<T>>(); });
reduce(w, sum, make(where(), t.a, false, false), false, o);
}
, THEIRS {
  UNUSED;
  return GrB_Matrix_reduce_Monoid(w, m, acc, t.peer().plus_monoid, to_peer(t.a), d);
}
}
, {"reduce columns", nullptr, false, OURS{UNUSED;
host_matrix turned{t.a.type, t.a.columns, t.a.rows, {}};
for (const auto& [p, value] : t.a.entries)
  turned.entries.emplace(std::pair{p.second, p.first}, value);
const auto least =
    with_builtin_type(t.code, []<class T>() { return describe_monoid<minimum_monoid<T>>(); });
reduce(w, least, make(where(), turned, false, false), true, o);
}
, THEIRS {
  UNUSED;
  return GrB_Matrix_reduce_Monoid(w, m, acc, t.peer().min_monoid, to_peer(t.a), d);
}
}
,
}
;
return all;
}
#undef OURS
#undef THEIRS

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
  op.ours(t, w, make(where(), t.u, vector_storage::sparse),
          make(where(), t.v, vector_storage::sparse), options);

  const peer_vector peer_w = to_peer(t.w), peer_mask = to_peer(t.mask), u = to_peer(t.u),
                    v = to_peer(t.v);
  TROPIC_GRB(op.theirs(t, peer_w, t.r.has_mask() ? peer_mask.get() : nullptr,
                       t.r.accumulate ? objects_of(result.code).minus : nullptr, u, v,
                       descriptor(t.r)));
  ASSERT_EQ(difference(from_peer(result, peer_w.get()), read(w)), "")
      << op.name << " over " << type.name << ", mask " << t.r.mask << ", accumulator "
      << t.r.accumulate << ", replace " << t.r.replace;
}

#undef UNUSED

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
}  // namespace tropic::testing::peer
