// SPDX-License-Identifier: Apache-2.0

// mxm of the reference backend against SuiteSparse:GraphBLAS: every semiring that both have, over
// every number type, with all masks, accumulator, replace and transposes. Values are small, so that
// nothing saturates, where the two differ by design.

#include <gtest/gtest.h>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/builtins.hpp>

#include "backends/graphblas/operators.hpp"
#include "support/compare.hpp"

namespace tropic::testing::peer {
namespace {

void compare_one(const semiring_description& semiring, GrB_Semiring peer_semiring, int transposes,
                 const rules& r, dice& random) {
  const bool a_transposed = transposes & 1, b_transposed = transposes & 2;
  const index_t rows = 1 + random.roll(9), inner = 1 + random.roll(9), columns = 1 + random.roll(9);
  const host_matrix a = random_matrix(semiring.a(), a_transposed ? inner : rows,
                                      a_transposed ? rows : inner, 0.35, flavour::small, random);
  const host_matrix b = random_matrix(semiring.x(), b_transposed ? columns : inner,
                                      b_transposed ? inner : columns, 0.35, flavour::small, random);
  const host_matrix c = random_matrix(semiring.z(), rows, columns, 0.3, flavour::small, random);
  const host_matrix mask =
      random_matrix(describe<std::int8_t>(), rows, columns, 0.6, flavour::small, random);

  matrix_base ours = make(where(), c, false, false);
  const matrix_base our_mask = make(where(), mask, false, false);
  output_options<matrix_base> options;
  if (r.has_mask()) options.mask = {&our_mask, r.structural(), r.complemented()};
  const operator_description accumulator = with_builtin_type(
      semiring.z().code, []<class T>() { return describe_operator<T, T, T>(minus{}); });
  if (r.accumulate) options.accumulator = &accumulator;
  options.replace = r.replace;
  detail::mxm(ours, semiring,
              {.matrix = make(where(), a, false, false), .transposed = a_transposed},
              {.matrix = make(where(), b, false, false), .transposed = b_transposed}, options);

  const peer_matrix theirs = to_peer(c), peer_a = to_peer(a), peer_b = to_peer(b),
                    peer_mask = to_peer(mask);
  const GrB_BinaryOp peer_accumulator = !r.accumulate ? nullptr
                                        : semiring.z().code == type_code::boolean
                                            ? GrB_MINUS_BOOL
                                            : objects_of(semiring.z().code).minus;
  TROPIC_GRB(GrB_mxm(theirs, r.has_mask() ? peer_mask.get() : nullptr, peer_accumulator,
                     peer_semiring, peer_a, peer_b, descriptor(r, a_transposed, b_transposed)));
  ASSERT_EQ(difference(from_peer(semiring.z(), theirs.get()), read(ours)), "")
      << "transposes " << transposes << ", mask " << r.mask << ", accumulator " << r.accumulate
      << ", replace " << r.replace;
}

void compare(std::string_view name, type_code code, GrB_Semiring peer_semiring, dice& random) {
  SCOPED_TRACE(std::string(name) + " over " + std::string(describe(code).name));
  const semiring_description semiring = *builtin_semiring(name, code);
  for (int transposes = 0; transposes < 4; ++transposes)
    for (int mask = 0; mask < 5; ++mask)
      for (const bool accumulate : {false, true})
        for (const bool replace : {false, true})
          compare_one(semiring, peer_semiring, transposes, {mask, accumulate, replace}, random);
}

TEST(GraphBlas, AgreesOnMxmOverAllNumberTypes) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : number_types)
    for (const pairing& p : pairings(code))
      compare(p.ours, code, semiring_of(p.add, p.multiply), random);
}

TEST(GraphBlas, AgreesOnLogicalMxm) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  compare("or_and", type_code::boolean, GrB_LOR_LAND_SEMIRING_BOOL, random);
  compare("and_or", type_code::boolean, GrB_LAND_LOR_SEMIRING_BOOL, random);
  compare("xor_and", type_code::boolean, GrB_LXOR_LAND_SEMIRING_BOOL, random);
  compare("any_pair", type_code::boolean, GxB_ANY_PAIR_BOOL, random);
}

TEST(GraphBlas, AgreesOnPositionalMxm) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : {type_code::fp64, type_code::int8, type_code::boolean}) {
    compare("min_firstj", code, GxB_MIN_FIRSTJ_INT64, random);
    compare("min_secondi", code, GxB_MIN_SECONDI_INT64, random);
  }
}

}  // namespace
}  // namespace tropic::testing::peer
