// SPDX-License-Identifier: Apache-2.0

// Products over formats at their limits: the largest number of columns of a word of a strip and one
// more, excessive padding, no dense blocks. Replacements are logged.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "containers/formats/blocks.hpp"
#include "containers/formats/cmrs.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using detail::cmrs_columns;

class StripsProduct : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    context_options options;
    options.log = [this](std::string_view line) { log_ += std::string(line) + "\n"; };
    try {
      where_ = std::make_unique<context>(GetParam() == "cuda_0" ? context::cuda(0, options)
                                                                : context::opencl(0, options));
    } catch (const device_error& e) {
      GTEST_SKIP() << e.what();
    }
    log_.clear();
  }
  const context& where() const { return *where_; }
  const std::string& log() const { return log_; }

  // Rows that have an entry at a true element of u; only the last element of u is true.
  std::vector<index_t> rows_at_the_end(index_t columns, const char* kernel) {
    const std::vector<std::uint32_t> rows{0, 3, 3, 9},
        at{0, 7, static_cast<std::uint32_t>(columns - 1), static_cast<std::uint32_t>(columns - 1)};
    const std::array<bool, 4> values{true, true, true, true};
    const auto a =
        matrix<bool>::from_entries(where(), 12, columns, rows, at, std::span<const bool>(values));
    vector<bool> u(where(), columns, false), w(where(), 12);
    u.set(columns - 1, true);
    const plan forced{.kernel = kernel};
    mxv(w, or_and<bool>{}, a, u, {.plan = &forced});
    EXPECT_EQ(w.nvals(), 3);
    std::vector<index_t> found;
    for (const auto& e : w.entries())
      if (e.value) found.push_back(e.index);
    return found;
  }

 private:
  std::unique_ptr<context> where_;
  std::string log_;
};

TEST_P(StripsProduct, AllTheColumnsThatAWordHolds) {
  for (const char* kernel : {"cmrs", "cmrs_padded:height=15,overhead=64"}) {
    EXPECT_EQ(rows_at_the_end(cmrs_columns, kernel), (std::vector<index_t>{3, 9})) << kernel;
    EXPECT_EQ(log(), "");
  }
}

TEST_P(StripsProduct, OneColumnMoreRunsAnotherKernelAndSaysSo) {
  EXPECT_EQ(rows_at_the_end(cmrs_columns + 1, "cmrs"), (std::vector<index_t>{3, 9}));
  EXPECT_EQ(log(),
            "cmrs: the matrix has 268435457 columns, a word has 28 bits for a column and 4 for a "
            "row; csr_vector runs instead\n");
}

TEST_P(StripsProduct, TooMuchPaddingRunsPlainStripsAndSaysSo) {
  // A single row of 64 entries: a tile holds two of them.
  std::vector<std::uint32_t> rows(64, 5), columns(64);
  for (std::uint32_t n = 0; n < 64; ++n) columns[n] = n;
  const std::vector<float> values(64, 2.f);
  const auto a =
      matrix<float>::from_entries(where(), 16, 64, rows, columns, std::span<const float>(values));
  const vector<float> u(where(), 64, 3.f);
  const auto product = [&](const char* kernel) {
    vector<float> w(where(), 16);
    const plan forced{.kernel = kernel};
    mxv(w, plus_times<float>{}, a, u, {.plan = &forced});
    EXPECT_EQ(w.nvals(), 1);
    EXPECT_EQ(w.get(5), 384.f);
  };
  product("cmrs_padded:slots=2");
  product("cmrs_padded:slots=2");
  EXPECT_TRUE(log().starts_with("cmrs_padded: padding would make ")) << log();
  EXPECT_TRUE(log().ends_with(" words of an entry, the limit is 2; cmrs runs instead\n")) << log();
  EXPECT_EQ(std::count(log().begin(), log().end(), '\n'), 1) << "said more than once";

  const auto& executor = *where().state()->executor;
  const auto plain = executor.format_of(a.base(), "cmrs");
  EXPECT_FALSE(plain.padding_overhead);
  EXPECT_GT(plain.conversion_seconds, 0);
  product("cmrs_padded:slots=2,overhead=64");
  const auto padded = executor.format_of(a.base(), "cmrs_padded");
  ASSERT_TRUE(padded.padding_overhead);
  EXPECT_GT(*padded.padding_overhead, 2);
  EXPECT_EQ(static_cast<double>(padded.format_bytes),
            *padded.padding_overhead * 64 * 8 + 2 * sizeof(std::uint32_t));
}

// If the values of a matrix change, its strips are rebuilt.
TEST_P(StripsProduct, StripsFollowTheMatrix) {
  const std::vector<std::uint32_t> rows{0, 1}, columns{1, 0};
  vector<int> u(where(), 2, 1), w(where(), 2);
  const plan forced{.kernel = "cmrs"};
  std::array<int, 2> values{5, 7};
  auto a = matrix<int>::from_entries(where(), 2, 2, rows, columns, std::span<const int>(values));
  mxv(w, plus_times<int>{}, a, u, {.plan = &forced});
  EXPECT_EQ(w.dense(0), (std::vector<int>{5, 7}));
  EXPECT_EQ(std::ranges::count_if(a.base().derived->formats,
                                  [](const auto& one) { return one.first.starts_with("cmrs:"); }),
            1);
  apply(a, bind_first(plus{}, 10), a);
  mxv(w, plus_times<int>{}, a, u, {.plan = &forced});
  EXPECT_EQ(w.dense(0), (std::vector<int>{15, 17}));
}

// Two dense blocks and some other entries: inspection finds the blocks.
TEST_P(StripsProduct, BlocksAreFoundWhereTheyAre) {
  std::vector<std::uint32_t> rows, columns;
  std::vector<float> values;
  const auto add = [&](std::uint32_t i, std::uint32_t j) {
    rows.push_back(i);
    columns.push_back(j);
    values.push_back(static_cast<float>(i % 7 + j % 5));
  };
  for (std::uint32_t i = 0; i < 40; ++i) {
    const bool is_dense = i / 8 == 1 || i / 8 == 3;
    for (std::uint32_t j = 32; j < 48 && is_dense; ++j)
      if ((i + j) % 9 != 0) add(i, j);
    if (i % 3 != 0) add(i, i % 2 == 0 ? 3 : 90);
  }
  const auto a =
      matrix<float>::from_entries(where(), 40, 91, rows, columns, std::span<const float>(values));
  std::vector<float> x(91);
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = static_cast<float>(n % 11);
  const auto u = vector<float>::from_array(where(), {{x.data(), x.size()}, nullptr});
  const auto product = [&](const matrix<float>& m, const char* kernel) {
    vector<float> w(where(), 40);
    const plan forced{.kernel = kernel};
    mxv(w, plus_times<float>{}, m, u, {.plan = &forced});
    return w.dense(-1);
  };
  EXPECT_EQ(product(a, "csr_blocked"), product(a, "csr_vector"));
  EXPECT_EQ(log(), "");
  const auto& formats = a.base().derived->formats;
  ASSERT_EQ(formats.count("blocks:8x16"), 1u);
  EXPECT_EQ(formats.find("blocks:8x16")->second->parts[detail::in_blocks::first_columns]->bytes(),
            2 * sizeof(std::uint32_t));
  const auto facts = where().state()->executor->format_of(a.base(), "csr_blocked");
  EXPECT_GT(facts.conversion_seconds, 0);
  EXPECT_LT(facts.format_bytes, a.base().bytes());

  const std::vector<std::uint32_t> diagonal{0, 1, 2};
  const auto sparse = matrix<float>::from_entries(where(), 40, 91, diagonal, diagonal,
                                                  std::span<const float>(values).first(3));
  EXPECT_EQ(product(sparse, "csr_blocked"), product(sparse, "csr_vector"));
  EXPECT_EQ(log(), "csr_blocked: no dense blocks that save bytes; csr_vector runs instead\n");
}

INSTANTIATE_TEST_SUITE_P(Devices, StripsProduct, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tropic::testing
