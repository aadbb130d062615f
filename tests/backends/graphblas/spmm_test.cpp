// SPDX-License-Identifier: Apache-2.0

// mxm with a full operand and a full result, of the reference backend, against GrB_mxm with
// matrices in SuiteSparse:GraphBLAS's full and bitmap formats: every semiring that both have, over
// every number type, with all masks, accumulator, replace, and the transposed sparse matrix, on
// either side. Values are small, so that nothing saturates, where the two differ by design.

#include <gtest/gtest.h>

#include <tropic/semirings/builtins.hpp>

#include "backends/graphblas/operators.hpp"
#include "backends/mxm/spmm_cases.hpp"
#include "support/compare.hpp"

namespace tropic::testing::peer {
namespace spmm_test {
namespace {

peer_matrix to_peer_full(const host_matrix& from) {
  peer_matrix result = to_peer(from);
  TROPIC_GRB(GxB_Matrix_Option_set(result, GxB_SPARSITY_CONTROL, GxB_FULL | GxB_BITMAP));
  return result;
}

void compare_one(const semiring_description& semiring, GrB_Semiring peer_semiring, bool full_first,
                 bool transposed, const rules& r, dice& random) {
  const index_t rows = 1 + random.roll(9), inner = 1 + random.roll(9), columns = 1 + random.roll(9);
  const double of_full = random.chance(0.5) ? 1.0 : 0.6;
  const bool a_transposed = transposed && !full_first, b_transposed = transposed && full_first;
  const host_matrix a =
      random_matrix(semiring.a(), a_transposed ? inner : rows, a_transposed ? rows : inner,
                    full_first ? of_full : 0.35, flavour::small, random);
  const host_matrix b =
      random_matrix(semiring.x(), b_transposed ? columns : inner, b_transposed ? inner : columns,
                    full_first ? 0.35 : of_full, flavour::small, random);
  const host_matrix c = random_matrix(semiring.z(), rows, columns, 0.6, flavour::small, random);
  const host_matrix mask =
      random_matrix(describe<std::int8_t>(), rows, columns, 0.6, flavour::small, random);
  const bool sparse_mask = random.chance(0.5);

  full_base ours = make_full(where(), c, 1);
  const full_base our_mask = make_full(where(), mask, 1);
  const matrix_base our_sparse_mask = make(where(), mask, false, false);
  full_output output;
  if (r.has_mask() && sparse_mask)
    output.sparse_mask = {&our_sparse_mask, r.structural(), r.complemented(), nullptr};
  else if (r.has_mask())
    output.mask = {&our_mask, r.structural(), r.complemented(), nullptr};
  const operator_description accumulator = with_builtin_type(
      semiring.z().code, []<class T>() { return describe_operator<T, T, T>(minus{}); });
  if (r.accumulate) output.accumulator = &accumulator;
  output.replace = r.replace;
  const matrix_base sparse = make(where(), full_first ? b : a, false, false);
  const full_base full = make_full(where(), full_first ? a : b, of_full == 1.0 ? 3 : 1);
  const matrix_factor factor{.matrix = sparse, .transposed = transposed};
  if (full_first)
    detail::mxm(ours, semiring, full, factor, output);
  else
    detail::mxm(ours, semiring, factor, full, output);

  const peer_matrix theirs = to_peer_full(c), peer_a = full_first ? to_peer_full(a) : to_peer(a),
                    peer_b = full_first ? to_peer(b) : to_peer_full(b),
                    peer_mask = sparse_mask ? to_peer(mask) : to_peer_full(mask);
  const GrB_BinaryOp peer_accumulator = !r.accumulate ? nullptr
                                        : semiring.z().code == type_code::boolean
                                            ? GrB_MINUS_BOOL
                                            : objects_of(semiring.z().code).minus;
  TROPIC_GRB(GrB_mxm(theirs, r.has_mask() ? peer_mask.get() : nullptr, peer_accumulator,
                     peer_semiring, peer_a, peer_b, descriptor(r, a_transposed, b_transposed)));
  ASSERT_EQ(difference(from_peer(semiring.z(), theirs.get()), read_full(ours)), "")
      << "full first " << full_first << ", transposed " << transposed << ", mask " << r.mask
      << ", accumulator " << r.accumulate << ", replace " << r.replace;
}

void compare(std::string_view name, type_code code, GrB_Semiring peer_semiring, dice& random) {
  SCOPED_TRACE(std::string(name) + " over " + std::string(describe(code).name));
  const semiring_description semiring = *builtin_semiring(name, code);
  for (const bool full_first : {false, true})
    for (const bool transposed : {false, true})
      for (int mask = 0; mask < 5; ++mask)
        for (const bool accumulate : {false, true})
          for (const bool replace : {false, true})
            compare_one(semiring, peer_semiring, full_first, transposed,
                        {mask, accumulate, replace}, random);
}

TEST(GraphBlas, AgreesOnFullMxmOverAllNumberTypes) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : number_types)
    for (const pairing& p : pairings(code))
      compare(p.ours, code, semiring_of(p.add, p.multiply), random);
}

TEST(GraphBlas, AgreesOnLogicalFullMxm) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  compare("or_and", type_code::boolean, GrB_LOR_LAND_SEMIRING_BOOL, random);
  compare("and_or", type_code::boolean, GrB_LAND_LOR_SEMIRING_BOOL, random);
  compare("xor_and", type_code::boolean, GrB_LXOR_LAND_SEMIRING_BOOL, random);
  compare("any_pair", type_code::boolean, GxB_ANY_PAIR_BOOL, random);
}

TEST(GraphBlas, AgreesOnPositionalFullMxm) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : {type_code::fp64, type_code::int8, type_code::boolean}) {
    compare("min_firstj", code, GxB_MIN_FIRSTJ_INT64, random);
    compare("min_secondi", code, GxB_MIN_SECONDI_INT64, random);
  }
}

}  // namespace
}  // namespace spmm_test

}  // namespace tropic::testing::peer
