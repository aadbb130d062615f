// SPDX-License-Identifier: Apache-2.0

// Single entries of matrices through the C ABI, compared with a map; data kept with a graph for
// algorithms; and that borrowed arrays are not written.

#include <map>

#include "interop/c/handles.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

class CChanges : public OnContext {};

TEST_P(CChanges, OfEveryTypeAgreeWithAMap) {
  const owned<tropic_context> c = handle_of(where());
  dice random(4);
  for (const type_description& type : builtin_types) {
    host_matrix expected = random_matrix(type, 9, 12, 0.3, flavour::edge, random);
    const auto m = handle_of(c, make(where(), expected, false, false));
    for (int n = 0; n < 60; ++n) {
      const index_t i = random.roll(9), j = random.roll(12);
      if (random.chance(0.6)) {
        const scalar_bytes value = random_value(type, flavour::edge, random);
        ASSERT_EQ(tropic_matrix_set(m.get(), i, j, c_type(type), value.data()), TROPIC_OK);
        expected.entries[{i, j}] = value;
      } else {
        ASSERT_EQ(tropic_matrix_remove(m.get(), i, j), TROPIC_OK);
        expected.entries.erase({i, j});
      }
      scalar_bytes found;
      int present = 2;
      ASSERT_EQ(tropic_matrix_get(m.get(), i, j, c_type(type), found.data(), &present), TROPIC_OK);
      ASSERT_EQ(present, expected.entries.contains({i, j}) ? 1 : 0);
      if (n % 9 == 0) {
        std::int64_t nnz = -1;
        ASSERT_EQ(tropic_matrix_shape(m.get(), nullptr, nullptr, &nnz), TROPIC_OK);
        ASSERT_EQ(nnz, static_cast<index_t>(expected.entries.size()));
      }
    }
    EXPECT_EQ(difference(expected, read(m->base())), "") << type.name;
  }
}

TEST_P(CChanges, AreSeenByAlgorithms) {
  const owned<tropic_context> c = handle_of(where());
  const double one = 1;
  const auto g = handle_of(c, detail::empty_matrix(where().state(), describe<double>(), 4, 4));
  const auto reached = [&] {
    tropic_vector* level = nullptr;
    EXPECT_EQ(tropic_bfs(g.get(), 0, &level, nullptr), TROPIC_OK);
    const owned<tropic_vector> freed(level);
    std::int64_t count = -1;
    EXPECT_EQ(tropic_vector_nvals(level, &count), TROPIC_OK);
    return count;
  };
  EXPECT_EQ(reached(), 1);
  ASSERT_EQ(tropic_matrix_set(g.get(), 0, 1, TROPIC_FP64, &one), TROPIC_OK);
  ASSERT_EQ(tropic_matrix_set(g.get(), 1, 2, TROPIC_FP64, &one), TROPIC_OK);
  EXPECT_EQ(reached(), 3);  // not from data kept before the change
  ASSERT_EQ(tropic_matrix_remove(g.get(), 1, 2), TROPIC_OK);
  EXPECT_EQ(reached(), 2);
}

TROPIC_ON_EVERY_CONTEXT(CChanges);

TEST(CChangesOfBorrowedArrays, LeaveThemAlone) {
  const owned<tropic_context> c = handle_of(context::cpu());
  const std::vector<std::uint32_t> offsets{0, 1, 2}, columns{0, 1};
  const std::vector<double> values{1, 2};
  tropic_csr csr = TROPIC_CSR_INIT;
  csr.rows = csr.columns = 2;
  csr.offset_type = csr.column_type = TROPIC_UINT32;
  csr.offsets = offsets.data();
  csr.column_indices = columns.data();
  csr.values = values.data();
  csr.flags = TROPIC_BORROW | TROPIC_SYMMETRIC;
  const auto m = made_by<tropic_matrix>(
      [&](tropic_matrix** result) { return tropic_matrix_from_csr(c.get(), &csr, result); });
  const double value = 9;
  ASSERT_EQ(tropic_matrix_set(m.get(), 0, 0, TROPIC_FP64, &value), TROPIC_OK);
  std::int64_t nnz = 0;
  ASSERT_EQ(tropic_matrix_shape(m.get(), nullptr, nullptr, &nnz), TROPIC_OK);
  EXPECT_EQ(values, (std::vector<double>{1, 2}));
  ASSERT_EQ(tropic_matrix_set(m.get(), 0, 1, TROPIC_FP64, &value), TROPIC_OK);
  ASSERT_EQ(tropic_matrix_shape(m.get(), nullptr, nullptr, &nnz), TROPIC_OK);
  EXPECT_EQ(nnz, 3);
  EXPECT_EQ(offsets, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(columns, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_FALSE(m->base().symmetric);
}

TEST(CChangesThatCannotBe, AreRefusedByName) {
  const owned<tropic_context> c = handle_of(context::cpu());
  const auto m = handle_of(c, detail::empty_matrix(c->of->state(), describe<double>(), 2, 2));
  const double value = 1;
  const float narrow = 1;
  EXPECT_EQ(tropic_matrix_set(nullptr, 0, 0, TROPIC_FP64, &value), TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(nullptr), "tropic_matrix_set: matrix is NULL");
  EXPECT_EQ(tropic_matrix_set(m.get(), 0, 0, TROPIC_FP64, nullptr), TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(nullptr), "tropic_matrix_set: value is NULL");
  EXPECT_EQ(tropic_matrix_set(m.get(), 0, 0, TROPIC_FP32, &narrow), TROPIC_USAGE);
  EXPECT_EQ(tropic_matrix_set(m.get(), 2, 0, TROPIC_FP64, &value), TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(nullptr), "matrix: position (2, 0), the matrix is 2x2");
  EXPECT_EQ(tropic_matrix_remove(nullptr, 0, 0), TROPIC_USAGE);
  EXPECT_STREQ(tropic_last_error(nullptr), "tropic_matrix_remove: matrix is NULL");
  EXPECT_EQ(tropic_matrix_remove(m.get(), 0, -1), TROPIC_USAGE);
}

}  // namespace
}  // namespace tropic::testing
