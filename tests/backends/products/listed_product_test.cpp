// SPDX-License-Identifier: Apache-2.0

// Products by csr_listed under all kinds of masks. Its choice: listed_choice_test.cpp.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/products/listed_products.hpp"

namespace tropic::testing {
namespace listed_product_test {
namespace {

class ListedProduct : public listed_products {};

TEST_P(ListedProduct, SumsRowsOfEveryLengthUnderEveryMask) {
  const entries e = with_rows_of(all_lengths());
  const context reference = context::reference();
  const auto a = make_matrix(where(), e), expected_a = make_matrix(reference, e);
  const auto check = [&](const auto& semiring, const char* name) {
    for (const index_t step : {1, 3, 4999}) {
      const auto u = every(where(), columns, 2 * (step > 1), step),
                 expected_u = every(reference, columns, 2 * (step > 1), step);
      vector<std::int64_t> whole(reference, a.rows());
      mxv(whole, semiring, expected_a, expected_u);
      for (const mask_of kind : all_masks) {
        std::string expected;
        for (const auto& one : whole.entries())
          if (wants(kind, one.index))
            expected += std::to_string(one.index) + ":" + std::to_string(one.value) + " ";
        for (const char* kernel : {"csr_listed", "csr_listed:piece=64", "csr_listed:piece=1"}) {
          const plan by{.kernel = kernel};
          vector<std::int64_t> w(where(), a.rows());
          multiply(w, semiring, a, u, kind, &by);
          EXPECT_EQ(text_of(w), expected) << name << ", " << kernel << ", mask "
                                          << static_cast<int>(kind) << ", u of 1 in " << step;
        }
      }
    }
  };
  check(plus_times<std::int64_t>{}, "plus_times");
  check(min_plus<std::int64_t>{}, "min_plus");
  check(min_secondi<std::int64_t, std::int64_t>{}, "min_secondi");
}

// One row with all entries, one entry in all, and no rows at all.
TEST_P(ListedProduct, TakesMatricesOfOneRowAndOfOneEntry) {
  const context reference = context::reference();
  for (const std::vector<index_t>& lengths :
       {std::vector<index_t>{5000}, {1}, {0, 0, 1, 0}, {0, 5000, 0}, {}}) {
    const entries e = with_rows_of(lengths);
    const auto a = make_matrix(where(), e), expected_a = make_matrix(reference, e);
    for (const index_t step : {1, 2}) {
      vector<std::int64_t> w(where(), a.rows()), expected(reference, a.rows());
      const plan by{.kernel = "csr_listed"};
      multiply(w, plus_times<std::int64_t>{}, a, every(where(), columns, 0, step), mask_of::none,
               &by);
      multiply(expected, plus_times<std::int64_t>{}, expected_a, every(reference, columns, 0, step),
               mask_of::none);
      EXPECT_EQ(text_of(w), text_of(expected)) << lengths.size() << " rows";
    }
  }
}

// One value for all entries, accumulators and entries of w that the mask keeps or replace deletes.
TEST_P(ListedProduct, WritesAsOtherKernelsDo) {
  const entries e = with_rows_of(all_lengths());
  const context reference = context::reference();
  const auto run = [&](const context& on, const plan* by) {
    auto a = make_matrix(on, e);
    apply(a, bind_second(second{}, std::int64_t{3}), a);
    const auto u = every(on, columns, 1, 2);
    const auto mask = mask_vector(on, a.rows(), mask_of::structure);
    std::string text;
    for (const bool replace : {false, true})
      for (const bool accumulates : {false, true}) {
        auto w = every(on, a.rows(), 0, 2);
        const plus_times<std::int64_t> semiring;
        if (accumulates)
          mxv(w, semiring, a, u,
              {.mask = structure(mask), .accumulate = plus{}, .replace = replace, .plan = by});
        else
          mxv(w, semiring, a, u,
              {.mask = complement(structure(mask)), .replace = replace, .plan = by});
        text += text_of(w) + "\n";
      }
    return text;
  };
  const plan by{.kernel = "csr_listed:piece=64"};
  EXPECT_EQ(run(where(), &by), run(reference, nullptr));
}

// The bits of a sum do not depend on the run, nor on what else the mask wants.
TEST_P(ListedProduct, SumsHaveTheSameBitsUnderEveryMask) {
  const entries e = with_rows_of(all_lengths());
  const auto whole = make_matrix(where(), e);
  matrix<double> a(where(), whole.rows(), columns);
  apply(a, bind_first(times{}, 0.1), whole);
  vector<double> u(where(), columns);
  for (index_t k = 0; k < columns; k += 2) u.set(k, 1.0 / static_cast<double>(k + 3));
  const plan by{.kernel = "csr_listed:piece=64"};
  const auto product = [&](mask_of kind) {
    vector<double> w(where(), a.rows());
    multiply(w, plus_times<double>{}, a, u, kind, &by);
    return w.dense(-1e300);
  };
  const std::vector<double> all = product(mask_of::none);
  for (int run = 0; run < 3; ++run)
    for (const mask_of kind : {mask_of::structure, mask_of::complement, mask_of::values}) {
      const std::vector<double> some = product(kind);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (some[i] == -1e300) continue;
        ASSERT_EQ(some[i], all[i]) << "row " << i;
      }
    }
}

// Lists of pieces of one entry each take more memory than there is; segmented sums do not need it.
TEST_P(ListedProduct, NeedsNoMemoryForItsLists) {
  std::string log;
  context_options options;
  options.memory_limit = std::size_t{5} << 19;
  options.log = [&](std::string_view line) { log.append(line).append("\n"); };
  const context on = *make_context(context_name(), options).where;
  const entries e = with_rows_of(all_lengths());
  const auto a = make_matrix(on, e);
  const auto u = every(on, columns, 0, 2);
  const plus_times<std::int64_t> semiring;
  const plan listed{.kernel = "csr_listed:piece=1"}, segmented{.kernel = "csr_segmented"};
  vector<std::int64_t> w(on, a.rows()), expected(on, a.rows());
  multiply(expected, semiring, a, u, mask_of::structure, &segmented);
  multiply(w, semiring, a, u, mask_of::structure, &listed);
  EXPECT_NE(log.find("csr_listed: no memory for its sums; csr_segmented runs instead"),
            std::string::npos)
      << log;
  EXPECT_EQ(text_of(w), text_of(expected));
}

INSTANTIATE_TEST_SUITE_P(Contexts, ListedProduct, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace listed_product_test
}  // namespace tropic::testing
