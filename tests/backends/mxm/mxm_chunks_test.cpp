// SPDX-License-Identifier: Apache-2.0

// Products of sparse matrices that devices compute in chunks of rows, between which they can be
// cancelled.

#include <gtest/gtest.h>

#include <algorithm>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "backends/mxm/mxm_on_device.hpp"
#include "support/cancelling.hpp"

namespace tropic::testing {
namespace mxm_chunks_test {
namespace {

// So that a product of a few dozen rows takes many chunks.
detail::mxm_limits limits_with_chunks() {
  detail::mxm_limits result = low_mxm_limits();
  result.block_rows = 3;
  result.chunk_rows = 7;
  result.chunk_products = 40;
  return result;
}

class MxmChunks : public Cancelling<MxmOnDevice> {};

TEST_P(MxmChunks, ResultsAreThoseOfOneChunk) {
  // A long row, rows without entries, and a last chunk that is short.
  entries a = scattered(50, 80, 400, 51);
  for (index_t k = 0; k < 80; ++k) a.add(20, k, 1.0 / static_cast<double>(k + 1));
  const entries b = scattered(80, 200, 900, 52);
  for (const std::uint64_t products : {std::uint64_t{1}, std::uint64_t{40}, std::uint64_t{4000}}) {
    limits() = limits_with_chunks();
    limits().chunk_products = products;
    let_run();
    ASSERT_EQ(differs(a, b, 57, 80, 200), "") << products << " products";
    EXPECT_GE(steps_.size(), 12u);
  }
  // Inner products, and rows, under a mask.
  const entries mask = scattered(57, 200, 3000, 53), b_transposed = scattered(200, 80, 900, 59);
  for (const char* kernel : {"inner", "rows"}) {
    limits() = limits_with_chunks();
    let_run();
    const auto masked = [&](const context& there, std::string_view name) {
      const matrix<double> of_a = a.in(there, 57, 80), of_b = b_transposed.in(there, 200, 80),
                           of_mask = mask.in(there, 57, 200);
      matrix<double> c(there, 57, 200);
      plan forced;
      forced.kernel = name;
      detail::output_options<detail::matrix_base> options;
      options.forced = &forced;
      options.mask = {&of_mask.base(), true, false};
      detail::mxm(c.base(), detail::describe_for_mxm(plus_times<double>{}), {.matrix = of_a.base()},
                  {.matrix = of_b.base(), .transposed = true}, options);
      return read(c.base());
    };
    ASSERT_EQ(difference(masked(host(), ""), masked(where(), kernel)), "") << kernel;
    EXPECT_GE(steps_.size(), 4u) << kernel;
  }
  // The sum alone.
  limits() = limits_with_chunks();
  const auto sum_on = [&](const context& there) {
    const matrix<double> of_a = a.in(there, 57, 80), of_b = b.in(there, 80, 200),
                         mask = scattered(57, 200, 3000, 53).in(there, 57, 200);
    return reduce_mxm(plus_monoid<double>{}, plus_pair<double, double>{}, of_a, of_b,
                      structure(mask));
  };
  EXPECT_EQ(sum_on(where()), sum_on(host()));
}

TEST_P(MxmChunks, AProductEndsBetweenAnyTwoOfThemAndTheOutputIsUnchanged) {
  limits() = limits_with_chunks();
  const matrix<double> a = scattered(50, 80, 500, 54).in(where(), 50, 80),
                       b = scattered(80, 200, 1500, 55).in(where(), 80, 200),
                       before = scattered(50, 200, 100, 56).in(where(), 50, 200);
  const host_matrix unchanged = read(before.base());
  matrix<double> c = before;
  let_run();
  mxm(c, plus_times<double>{}, a, b);
  const host_matrix expected = read(c.base());
  const std::size_t checkpoints = steps_.size();
  ASSERT_GE(checkpoints, 12u);
  EXPECT_EQ(std::ranges::count(steps_, "mxm"), static_cast<std::ptrdiff_t>(checkpoints));
  EXPECT_TRUE(std::ranges::is_sorted(fractions_));
  EXPECT_GE(fractions_.front(), 0);
  EXPECT_LT(fractions_.back(), 1);
  for (std::size_t n = 1; n <= checkpoints; ++n) {
    SCOPED_TRACE("checkpoint " + std::to_string(n));
    matrix<double> d = before;
    d.nvals();
    const std::size_t used = where().memory_used();
    let_run(n);
    EXPECT_THROW(mxm(d, plus_times<double>{}, a, b), cancelled);
    EXPECT_EQ(steps_.size(), n) << "it went on";
    EXPECT_EQ(where().memory_used(), used);
    let_run();
    ASSERT_EQ(difference(unchanged, read(d.base())), "");
    mxm(d, plus_times<double>{}, a, b);
    ASSERT_EQ(difference(expected, read(d.base())), "");
    EXPECT_EQ(steps_.size(), checkpoints);
  }
}

TEST_P(MxmChunks, OneChunkOfASmallProductIsNotReported) {
  limits() = detail::mxm_limits{};
  let_run();
  EXPECT_EQ(differs(scattered(50, 50, 400, 57), scattered(50, 50, 400, 58), 50, 50, 50), "");
  EXPECT_TRUE(steps_.empty());
}

INSTANTIATE_TEST_SUITE_P(Devices, MxmChunks, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mxm_chunks_test
}  // namespace tropic::testing
