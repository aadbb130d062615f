// SPDX-License-Identifier: Apache-2.0

// mxv and vxm of the reference backend against SuiteSparse:GraphBLAS: every semiring that both
// have, over every number type, with all masks, accumulator, replace and orientations. Values are
// small, so that nothing saturates, where the two differ by design.

#include <gtest/gtest.h>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/builtins.hpp>

#include "backends/graphblas/support.hpp"
#include "support/compare.hpp"

namespace tropic::testing::peer {
namespace product_test {
namespace {

struct trial {
  host_matrix a;
  host_vector u, w, mask;
  bool transposed, vector_first;
};

trial make_trial(const type_description& type, const type_description& result, int orientation,
                 dice& random) {
  trial t;
  t.transposed = orientation & 1;
  t.vector_first = orientation & 2;
  const index_t rows = 1 + random.roll(14), columns = 1 + random.roll(14);
  t.a = random_matrix(type, rows, columns, 0.3, flavour::small, random);
  const bool rows_are_output = t.transposed == t.vector_first;
  t.u = random_vector(type, rows_are_output ? columns : rows, random.chance(0.3) ? 1 : 0.5,
                      flavour::small, random);
  const index_t outputs = rows_are_output ? rows : columns;
  t.w = random_vector(result, outputs, 0.4, flavour::small, random);
  t.mask = random_vector(describe<std::int8_t>(), outputs, 0.6, flavour::small, random);
  return t;
}

host_vector ours(const trial& t, const semiring_description& semiring, const rules& r) {
  static const context where = context::reference();
  detail::vector_base w = make(where, t.w, vector_storage::sparse);
  const detail::vector_base mask = make(where, t.mask, vector_storage::sparse);
  detail::output_options<detail::vector_base> options;
  if (r.has_mask()) options.mask = {&mask, r.structural(), r.complemented()};
  const operator_description accumulator = with_builtin_type(
      semiring.z().code, []<class T>() { return describe_operator<T, T, T>(minus{}); });
  if (r.accumulate) options.accumulator = &accumulator;
  options.replace = r.replace;
  detail::multiply(
      "product", w, semiring,
      {.matrix = make(where, t.a, false, false), .transposed = t.transposed},
      make(where, t.u, vector_storage::sparse),
      t.vector_first ? detail::factor_order::vector_first : detail::factor_order::matrix_first,
      options);
  return read(w);
}

host_vector theirs(const trial& t, GrB_Semiring semiring, const rules& r) {
  const peer_vector w = to_peer(t.w), u = to_peer(t.u), mask = to_peer(t.mask);
  const peer_matrix a = to_peer(t.a);
  const GrB_Vector m = r.has_mask() ? mask.get() : nullptr;
  const GrB_BinaryOp accumulator = !r.accumulate ? nullptr
                                   : t.w.type->code == type_code::boolean
                                       ? GrB_MINUS_BOOL
                                       : objects_of(t.w.type->code).minus;
  if (t.vector_first)
    TROPIC_GRB(GrB_vxm(w, m, accumulator, semiring, u, a, descriptor(r, false, t.transposed)));
  else
    TROPIC_GRB(GrB_mxv(w, m, accumulator, semiring, a, u, descriptor(r, t.transposed)));
  return from_peer(*t.w.type, w.get());
}

void compare(std::string_view name, type_code code, GrB_Semiring peer_semiring, dice& random) {
  const semiring_description semiring = *builtin_semiring(name, code);
  for (int orientation = 0; orientation < 4; ++orientation)
    for (int mask = 0; mask < 5; ++mask)
      for (const bool accumulate : {false, true})
        for (const bool replace : {false, true}) {
          const rules r{mask, accumulate, replace};
          const trial t = make_trial(describe(code), semiring.z(), orientation, random);
          ASSERT_EQ(difference(theirs(t, peer_semiring, r), ours(t, semiring, r)), "")
              << name << " over " << describe(code).name << ", orientation " << orientation
              << ", mask " << mask << ", accumulator " << accumulate << ", replace " << replace;
        }
}

TEST(GraphBlas, AgreesOnProductsOverAllNumberTypes) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : number_types)
    for (const pairing& p : pairings(code))
      compare(p.ours, code, semiring_of(p.add, p.multiply), random);
}

TEST(GraphBlas, AgreesOnLogicalProducts) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (int n = 0; n < 5; ++n) {
    compare("or_and", type_code::boolean, GrB_LOR_LAND_SEMIRING_BOOL, random);
    compare("and_or", type_code::boolean, GrB_LAND_LOR_SEMIRING_BOOL, random);
    compare("xor_and", type_code::boolean, GrB_LXOR_LAND_SEMIRING_BOOL, random);
    compare("any_pair", type_code::boolean, GxB_ANY_PAIR_BOOL, random);
  }
}

TEST(GraphBlas, AgreesOnPositionalProducts) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : {type_code::fp64, type_code::int8, type_code::boolean}) {
    compare("min_firstj", code, GxB_MIN_FIRSTJ_INT64, random);
    compare("min_secondi", code, GxB_MIN_SECONDI_INT64, random);
  }
}

}  // namespace
}  // namespace product_test

}  // namespace tropic::testing::peer
