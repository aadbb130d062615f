// SPDX-License-Identifier: Apache-2.0

// Products by csr_scalar, which loads several entries of a row together; and when csr_segmented is
// chosen for products that are repeated without a plan.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/product.hpp"
#include "backends/products/listed_products.hpp"
#include "plan/quick_choice.hpp"

namespace tropic::testing {
namespace short_rows_test {
namespace {

using namespace listed_product_test;

class ShortRows : public listed_products {
 protected:
  // The sums of rows of 0 to 9 entries and of a few longer ones, as text; `is_iso`: one value for
  // all entries.
  template <class T>
  static std::string sums(const context& on, bool is_iso, index_t step, const plan* by) {
    std::vector<index_t> lengths;
    for (index_t n = 0; n < 400; ++n) lengths.push_back(n % 97 == 3 ? 40 + n / 97 : n * 7 % 10);
    const entries e = with_rows_of(lengths);
    const auto rows = static_cast<index_t>(lengths.size());
    matrix<T> a(on, rows, columns);
    if (is_iso)
      a = matrix<T>::from_pattern(on, rows, columns, e.row, e.column, T{3});
    else
      apply(a, bind_second(plus{}, T{1}), make_matrix(on, e));
    const auto u = every<T>(on, columns, 0, step);
    std::string text;
    for (const bool is_masked : {false, true}) {
      vector<T> w(on, a.rows());
      const auto mask = every(on, a.rows(), 1, 3);
      if (is_masked)
        mxv(w, plus_times<T>{}, a, u, {.mask = structure(mask), .plan = by});
      else
        mxv(w, plus_times<T>{}, a, u, {.plan = by});
      text += text_of(w) + "\n";
    }
    return text;
  }
};

TEST_P(ShortRows, AreSummedWhole) {
  const plan by{.kernel = "csr_scalar"};
  const context reference = context::reference();
  for (const bool is_iso : {false, true})
    for (const index_t step : {1, 2}) {
      const std::string what =
          std::string(is_iso ? "one value" : "values") + ", u of 1 in " + std::to_string(step);
      EXPECT_TRUE(sums<std::int64_t>(where(), is_iso, step, &by) ==
                  sums<std::int64_t>(reference, is_iso, step, nullptr))
          << "int64, " << what;
      EXPECT_TRUE(sums<float>(where(), is_iso, step, &by) ==
                  sums<float>(reference, is_iso, step, nullptr))
          << "float, " << what;
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, ShortRows, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

class SegmentedChoice : public OnContext {};

// A graph with some long rows: csr_vector waits for them, and repeated calls pay for the rows of
// tiles.
TEST_P(SegmentedChoice, DoesNotDependOnPullsBefore) {
  const auto* executor = where().state()->executor.get();
  const detail::kernel_info *vector_row = executor->find_kernel("csr_vector"),
                            *segmented_row = executor->find_kernel("csr_segmented");
  ASSERT_NE(segmented_row, nullptr);
  detail::call_features f;
  f.on_device = true;
  f.output_size = f.input_size = f.input_nvals = 82'168;
  f.nnz = f.wanted_edges = f.input_edges = 948'464;
  f.longest_row = 1'500;
  f.row_width = 32;
  const double first = segmented_row->quick_cost(f, 1);
  EXPECT_LT(first, vector_row->quick_cost(f, 1));
  f.pulls = 1000;
  EXPECT_EQ(segmented_row->quick_cost(f, 1), first);
}

// cond-mat-2005, which an H200 multiplies faster by rows in fp32, and about as fast in fp64.
TEST_P(SegmentedChoice, WideValuesMakeLongRowsDearer) {
  const auto* executor = where().state()->executor.get();
  const detail::kernel_info *vector_row = executor->find_kernel("csr_vector"),
                            *segmented_row = executor->find_kernel("csr_segmented");
  detail::call_features f;
  f.on_device = true;
  f.output_size = f.input_size = f.input_nvals = 40'421;
  f.nnz = f.wanted_edges = f.input_edges = 351'382;
  f.longest_row = 278;
  f.row_width = 8;
  EXPECT_LT(vector_row->quick_cost(f, 1), segmented_row->quick_cost(f, 1));
  f.value_bytes = 8;
  EXPECT_GT(vector_row->quick_cost(f, 1), segmented_row->quick_cost(f, 1));
}

// Every product of a loop without a plan has the same bits.
TEST_P(SegmentedChoice, RepeatedProductsHaveTheSameBits) {
  const entries e = with_rows_of(all_lengths());
  const auto whole =
      matrix<std::int64_t>::from_entries(where(), static_cast<index_t>(e.lengths.size()), columns,
                                         e.row, e.column, std::span<const std::int64_t>(e.value));
  matrix<double> a(where(), whole.rows(), columns);
  apply(a, bind_first(times{}, 0.1), whole);
  const vector<double> u(where(), columns, 1.0 / 3);
  std::vector<double> first;
  for (int call = 0; call < 12; ++call) {
    vector<double> w(where(), a.rows());
    mxv(w, plus_times<double>{}, a, u);
    const std::vector<double> sums = w.dense(-1e300);
    if (call == 0) first = sums;
    ASSERT_TRUE(sums == first) << "call " << call;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SegmentedChoice, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace short_rows_test
}  // namespace tropic::testing
