// SPDX-License-Identifier: Apache-2.0

// Products in which a sum may be left out if it is the add's neutral value: pulls on a device read
// absent entries of u as that value, where the semiring says that its products are neutral, too.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <tropic/algorithms/sssp.hpp>
#include <tropic/generators.hpp>
#include <tropic/read_matrix.hpp>
#include <tropic/tropic.hpp>

#include "backends/device/products/kernel_table.hpp"
#include "backends/products/listed_products.hpp"

namespace tropic::testing {
namespace listed_product_test {
namespace {

class FilledGaps : public listed_products {
 protected:
  template <class T>
  static matrix<T> typed(const context& on, const entries& e) {
    std::vector<T> values;
    for (const std::int64_t value : e.value) values.push_back(static_cast<T>(value & 127));
    return matrix<T>::from_entries(on, static_cast<index_t>(e.lengths.size()), columns, e.row,
                                   e.column, values, duplicates::error);
  }

  // A u, or u' A' by `vector_first`: the rows of A are those of the sums.
  template <class T, class S>
  vector<T> product(const S& semiring, const matrix<T>& a, const vector<T>& u, mask_of kind,
                    bool vector_first, bool neutral_is_none, std::string_view kernel) const {
    const semiring_description s = describe_semiring(semiring);
    const auto mask = mask_vector(where(), a.rows(), kind);
    detail::vector_rule rule;
    rule.mask = kind == mask_of::none ? nullptr : &mask.base();
    rule.structural = kind != mask_of::values;
    rule.complemented = kind == mask_of::complement || kind == mask_of::everything_but;
    vector<T> w(where(), a.rows());
    device()->multiply(w.base(),
                       {.semiring = s,
                        .matrix = a.base(),
                        .input = u.base(),
                        .transposed = vector_first,
                        .vector_first = vector_first,
                        .neutral_is_none = neutral_is_none},
                       rule, kernel);
    return w;
  }

  // Programs that PoCL compiles slowly: a quick run takes some kernels for the first semiring, and
  // one for the others.
  static bool is_tried(std::string_view kernel, bool is_first) {
    if (!is_quick_run() || kernel == "csr_vector") return true;
    return is_first && (kernel == "csr_segmented" || kernel == "csr_listed" ||
                        kernel == "csr_hubs" || kernel == "cmrs");
  }

  // Sums but for neutral ones are those of the definition. Where gaps are filled, every row with
  // entries that the mask wants has a sum.
  template <class T, class S>
  void check(const S& semiring, T neutral, bool fills, const char* name,
             bool is_first = false) const {
    SCOPED_TRACE(name);
    const entries e = with_rows_of(all_lengths());
    const matrix<T> a = typed<T>(where(), e);
    for (const index_t step : {2, 40}) {
      vector<T> u(where(), columns);
      for (index_t k = 1; k < columns; k += step) u.set(k, static_cast<T>(k % 97));
      const auto before = u.dense(T{});
      for (const auto* kernel : device()->products().kernels()) {
        if (kernel->unit == detail::work_unit::frontier || !is_tried(kernel->name, is_first))
          continue;
        for (const mask_of kind : {mask_of::none, mask_of::structure, mask_of::complement})
          for (const bool vector_first : {false, true}) {
            if (is_quick_run() && vector_first != is_first) continue;
            const auto exact = product(semiring, a, u, kind, vector_first, false, "csr_vector"),
                       found = product(semiring, a, u, kind, vector_first, true, kernel->name);
            EXPECT_EQ(found.dense(neutral), exact.dense(neutral)) << kernel->name;
            index_t with_entries = 0;
            for (std::size_t i = 0; i < e.lengths.size(); ++i)
              with_entries += e.lengths[i] > 0 && wants(kind, static_cast<index_t>(i));
            EXPECT_EQ(found.nvals(), fills ? with_entries : exact.nvals()) << kernel->name;
          }
      }
      EXPECT_EQ(u.dense(T{}), before);
      EXPECT_EQ(u.nvals(), (columns - 2) / step + 1);
    }
  }
};

TEST_P(FilledGaps, ChangeNeutralSumsAtMost) {
  check<std::int32_t>(min_plus<std::int32_t>{}, arithmetic::largest<std::int32_t>(), true,
                      "min_plus int32", true);
  check<std::int64_t>(min_plus<std::int64_t>{}, arithmetic::largest<std::int64_t>(), true,
                      "min_plus int64");
  check<float>(min_plus<float>{}, arithmetic::largest<float>(), true, "min_plus fp32");
  check<std::uint8_t>(min_plus<std::uint8_t>{}, arithmetic::largest<std::uint8_t>(), true,
                      "min_plus uint8");
  check<std::int16_t>(max_min<std::int16_t>{}, arithmetic::smallest<std::int16_t>(), true,
                      "max_min int16");
}

// A product of an absent entry would not be neutral, or no value is.
TEST_P(FilledGaps, OnlyWhereTheSemiringAllowsIt) {
  check<std::int32_t>(min_max<std::int32_t>{}, arithmetic::largest<std::int32_t>(), true,
                      "min_max int32");
  check<float>(plus_times<float>{}, 0, false, "plus_times fp32");
  check<std::int64_t>(plus_pair<std::int64_t>{}, -1, false, "plus_pair int64");
}

INSTANTIATE_TEST_SUITE_P(Contexts, FilledGaps, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

// A star, and a ring that is not reached: there w keeps its gaps, as every sum is an entry of it.
TEST_P(FilledGaps, LeaveGapsOfWAsTheyAre) {
  constexpr std::uint32_t half = 1000;
  std::vector<std::uint32_t> from, to;
  for (std::uint32_t v = 1; v < half; ++v) {
    for (const bool back : {false, true}) {
      from.push_back(back ? v : 0);
      to.push_back(back ? 0 : v);
    }
    from.push_back(half + v);
    to.push_back(half + v - 1);
  }
  const std::vector<std::int64_t> weight(from.size(), 5);
  const auto graph =
      matrix<std::int64_t>::from_entries(where(), 2 * half, 2 * half, from, to, weight);
  for (const bool is_full : {false, true}) {
    vector<std::int64_t> frontier(where(), 2 * half),
        w = is_full ? vector<std::int64_t>(where(), 2 * half, 7) : frontier;
    frontier.set(0, 0);
    w.set(0, 0);
    iterate_until(w, min_plus<std::int64_t>{}, frontier, graph, {.improves = less{}});
    EXPECT_EQ(w.nvals(), is_full ? 2 * half : half);
    EXPECT_EQ(w.dense(-1)[half - 1], 5);
    EXPECT_EQ(w.dense(-1)[half], is_full ? 7 : -1);
  }
}

// --- the choice ----------------------------------------------------------------------------------

detail::call_features pull_with_gaps() {
  detail::call_features f = masked_pull();
  f.can_push = true;
  f.input_nvals = 1 << 17;
  f.pulls = 1000;
  f.hub_share = 0.6;
  return f;
}

TEST(FilledGapsChoice, CostsWhatAFullVectorDoes) {
  detail::call_features full = pull_with_gaps(), filled = full;
  full.input_nvals = full.input_size;
  filled.fills_gaps = true;
  for (const detail::device_kernel* kernel : detail::device_kernels()) {
    const auto cost = kernel->info.quick_cost;
    if (cost == nullptr || kernel->info.unit == detail::work_unit::frontier) continue;
    EXPECT_EQ(cost(filled, 1), cost(full, 1)) << kernel->info.name;
    if (std::isinf(cost(full, 1))) continue;
    EXPECT_GT(cost(pull_with_gaps(), 1), cost(full, 1)) << kernel->info.name;
  }
}

// A push by atomic operations costs as much as its edges, where they are counted.
TEST(FilledGapsChoice, PushesFewerEdgesThanAPullReads) {
  detail::call_features f = pull_with_gaps();
  f.fills_gaps = f.counts_edges = true;
  const auto push = detail::kernels::push.info.quick_cost,
             segmented = detail::kernels::csr_segmented.info.quick_cost;
  f.input_edges = f.nnz / 16;
  EXPECT_LT(push(f, 1), segmented(f, 1));
  f.input_edges = f.nnz / 4 * 3;
  EXPECT_GT(push(f, 1), segmented(f, 1));
  f.counts_edges = false;
  EXPECT_EQ(push(f, 1), 0);
}

// Rounds of shortest paths whose frontiers have gaps, by hubs.
class FilledRounds : public FilledGaps {
 protected:
  void SetUp() override {
    FilledGaps::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    limits() = {.least_entries = 1000, .pulls_before = 1, .needs_shuffles = false};
  }
  void TearDown() override {
    if (!IsSkipped() && device() != nullptr) limits() = {};
  }
  detail::hub_limits& limits() const { return device()->products().limits_of_hubs(); }
};

TEST_P(FilledRounds, OfShortestPathsUseHubs) {
  const io::coordinates entries =
      kron(14, 16, 5, {.weighted = true, .type = builtin_code<std::int32_t>()});
  const auto graph = tropic::make_matrix<std::int32_t>(where(), entries),
             of_cpu = tropic::make_matrix<std::int32_t>(context::cpu(), entries);
  graph.base().derived->device_pulls = 1000;  // as many are expected, which pays for the format
  const auto found = sssp<std::int32_t>(graph, 3), expected = sssp<std::int32_t>(of_cpu, 3);
  EXPECT_EQ(found.distance.dense(-1), expected.distance.dense(-1));
  EXPECT_EQ(found.parent.dense(-1), expected.parent.dense(-1));
  EXPECT_TRUE(std::ranges::any_of(graph.base().derived->formats,
                                  [](const auto& one) { return one.first.starts_with("hubs:"); }));
}

INSTANTIATE_TEST_SUITE_P(Contexts, FilledRounds, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace listed_product_test
}  // namespace tropic::testing
