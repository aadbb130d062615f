// SPDX-License-Identifier: Apache-2.0

// Removing entries of vectors: a sparse vector stays sparse.

#include <gtest/gtest.h>

#include <tropic/tropic.hpp>

#include "containers/context_state.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

class Removal : public OnContext {};

TEST_P(Removal, KeepsASparseVectorSparse) {
  vector<double> u(where(), index_t{1} << 24);
  u.set(5, 1);
  u.set(6, 2);
  const std::size_t bytes = u.bytes();
  u.remove(7);
  EXPECT_EQ(u.bytes(), bytes);
  u.remove(5);
  EXPECT_EQ(u.base().storage, vector_storage::sparse);
  EXPECT_LT(u.bytes(), bytes);
  EXPECT_EQ(u.nvals(), 1);
  EXPECT_EQ(u.get(6), 2);
  EXPECT_FALSE(u.get(5));
  u.remove(6);
  EXPECT_EQ(u.nvals(), 0);
  EXPECT_EQ(u.bytes(), 0u);
  u.set(1, 3);
  EXPECT_EQ(u.get(1), 3);
}

TEST_P(Removal, WorksAtTheLargestSize) {
  const index_t size = index_t{1} << 32;
  vector<double> u(where(), size);
  u.set(size - 1, 1);
  u.remove(0);
  u.remove(size - 1);
  EXPECT_EQ(u.nvals(), 0);
  EXPECT_THROW(u.remove(size), usage_error);
}

TEST_P(Removal, AgreesWithAMap) {
  for (const vector_storage storage :
       {vector_storage::sparse, vector_storage::bitmap, vector_storage::full})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      dice random(base_seed() + seed);
      host_vector expected =
          random_vector(describe<test_path>(), 60, storage == vector_storage::full ? 1 : 0.4,
                        flavour::small, random);
      vector<test_path> u(make(where(), expected, storage));
      const vector<test_path> copy = u;
      const host_vector held = expected;
      for (int n = 0; n < 150; ++n) {
        const index_t i = random.roll(60);
        if (random.chance(0.6)) {
          u.remove(i);
          expected.entries.erase(i);
        } else {
          const scalar_bytes value = random_value(describe<test_path>(), flavour::small, random);
          u.set(i, value.as<test_path>());
          expected.entries[i] = value;
        }
        if (n % 10 == 0) {
          ASSERT_EQ(difference(expected, read(u.base())), "") << seed << ", " << n;
        }
        ASSERT_EQ(u.nvals(), static_cast<index_t>(expected.entries.size()));
      }
      EXPECT_EQ(difference(held, read(copy.base())), "");
    }
}

TEST_P(Removal, ChangesNothingWhereMemoryRunsOut) {
  for (const vector_storage storage :
       {vector_storage::sparse, vector_storage::bitmap, vector_storage::full}) {
    bool succeeded = false;
    for (long n = 0; n < 50 && !succeeded; ++n) {
      dice random(9);
      host_vector expected =
          random_vector(describe<double>(), 40, storage == vector_storage::full ? 1 : 0.5,
                        flavour::small, random);
      vector<double> u(make(where(), expected, storage));
      const vector<double> copy = u;
      const index_t at = expected.entries.begin()->first;
      where().state()->account.fail_after(n);
      try {
        u.remove(at);
        succeeded = true;
        expected.entries.erase(at);
      } catch (const out_of_memory&) {
      }
      where().state()->account.fail_after(-1);
      ASSERT_EQ(difference(expected, read(u.base())), "") << n;
    }
    EXPECT_TRUE(succeeded);
  }
}

TROPIC_ON_EVERY_CONTEXT(Removal);

TEST(RemovalFromLentArrays, LeavesThemAlone) {
  const context where = context::cpu();
  const std::vector<std::uint32_t> indices{1, 4, 6};
  const std::vector<double> values{1, 2, 3};
  auto u = vector<double>::from_sparse(where, 10, array_view<std::uint32_t>{indices, nullptr},
                                       array_view<double>{values, nullptr});
  u.remove(4);
  EXPECT_EQ(u.nvals(), 2);
  EXPECT_EQ(u.get(6), 3);
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{1, 4, 6}));
  EXPECT_EQ(values, (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace tropic::testing
