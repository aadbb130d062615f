// SPDX-License-Identifier: Apache-2.0

// Every operation except products, on every context, against the reference: every pair of levels of
// all factors; all combinations of operation x mask x accumulator x replace x output; random cases;
// large ones, which the CPU divides into parts. A failure prints the line that replays it:
//   TROPIC_REPLAY=elementwise:... tropic_backends_tests --gtest_filter='*Elementwise*Replay*'

#include <gtest/gtest.h>

#include <limits>

#include <tropic/tropic.hpp>

#include "backends/containers/elementwise_cases.hpp"
#include "support/on_contexts.hpp"
#include "support/quick_run.hpp"

namespace tropic::testing {
namespace {

using factor = elementwise_factor;

constexpr std::pair<index_t, index_t> shapes[] = {{0, 0},  {0, 4},   {5, 0},   {1, 1},  {9, 7},
                                                  {31, 3}, {32, 32}, {64, 65}, {3, 63}, {65, 1}};

class Elementwise : public AgainstReference {
 protected:
  bool check(const elementwise_case& one) {
    return agrees(
        "operation " + std::to_string(one.at[factor::operation]) + ", type " +
            std::to_string(one.at[factor::type]),
        elementwise_difference(where(), reference(), one),
        replay_line("elementwise", {one.at,
                                    {std::to_string(one.rows), std::to_string(one.columns),
                                     std::to_string(one.seed), std::to_string(one.density)}}));
  }
  // On PoCL most cases compile a program of their own, as most draw new types: there a random
  // sixteenth of the cases runs, selected by the seed, unless TROPIC_EVERY=1 asks for all.
  bool leaves_out(std::size_t n) const {
    return is_on_pocl(where()) && (every_nth() > 1 || is_quick_run()) &&
           dice(base_seed() + n).roll(16) != 0;
  }
  // Each case runs every `step`-th shape, from one that the seed selects.
  void check_shapes(const std::vector<levels>& cases, std::size_t step = 1) {
    for (std::size_t n = 0; n < cases.size(); n += stride_of_cases())
      for (std::size_t s = dice(base_seed() + n).next() % step;
           s < std::size(shapes) && !leaves_out(n); s += step)
        if (!check({cases[n], shapes[s].first, shapes[s].second, n * 64 + s + 1})) return;
  }
};

TEST_P(Elementwise, AgreesForEveryPairOfLevels) {
  const auto flags = compiled_quickly(where());
  check_shapes(every_pair(elementwise_factor_sizes()));
}

std::vector<levels> crossed_cases() {
  const std::vector<int> sizes = elementwise_factor_sizes();
  std::vector<int> crossed(sizes.begin(), sizes.begin() + factor::type);
  crossed[factor::accumulator] = 2;
  std::vector<levels> cases = every_combination(crossed);
  dice random(11);
  for (levels& one : cases)
    for (std::size_t f = factor::type; f < factor::count; ++f) one.push_back(random.roll(sizes[f]));
  return cases;
}

TEST_P(Elementwise, AgreesForTheWholeProductOfMaskAccumulatorReplaceAndOutput) {
  check_shapes(crossed_cases(), is_quick_run() ? 3 : 1);
}

TEST_P(Elementwise, AgreesOnRandomCases) {
  const auto flags = compiled_quickly(where());
  dice random(base_seed());
  for (int n = 0; n < 500; ++n) {
    elementwise_case one{random.pick(elementwise_factor_sizes()), random.roll(90), random.roll(90),
                         random.next()};
    one.density = random.chance(0.3) ? 0.02 : 0.3;
    if (random.chance(0.3)) one.columns = one.rows;
    if (!leaves_out(static_cast<std::size_t>(n)) && !check(one)) return;
  }
}

// Large enough for the CPU to divide them into parts.
TEST_P(Elementwise, AgreesOnLargeContainers) {
  dice random(3);
  for (int op = 0; op < static_cast<int>(operation::count); ++op)
    for (int mask = 0; mask < 5; mask += 2) {
      levels at = random.pick(elementwise_factor_sizes());
      at[factor::operation] = op;
      at[factor::mask] = mask;
      const bool is_matrix = op >= static_cast<int>(operation::matrix_union) ||
                             op == static_cast<int>(operation::reduce_rows) ||
                             op == static_cast<int>(operation::reduce_columns);
      elementwise_case one{at, is_matrix ? 700 : 20000, is_matrix ? 600 : 1, random.next(), 0.03};
      // Assigning one value to every position of a large matrix is too much for the reference.
      if (op == static_cast<int>(operation::matrix_assign_value) ||
          op == static_cast<int>(operation::matrix_assign_value_list))
        one.rows = 200, one.columns = 150;
      if (!check(one)) return;
    }
}

// Short lists, whose unions stay lists: every operation and accumulator merges them as such.
TEST_P(Elementwise, AgreesOnThinVectors) {
  dice random(4);
  for (int op = 0; op < static_cast<int>(operation::matrix_union); ++op)
    for (int mask = 0; mask < 5; ++mask) {
      levels at = random.pick(elementwise_factor_sizes());
      at[factor::operation] = op;
      at[factor::mask] = mask;
      at[factor::output] = at[factor::first] = at[factor::second] = at[factor::mask_storage] = 0;
      for (const index_t size : {9, 100, 9000})
        if (!check({at, size, 20, random.next(), size == 9 ? 0.1 : 0.04})) return;
    }
}

template <class T>
void check_truth(const context& where) {
  const std::vector<T> truths{T(0), T(-0.0), T(1), std::numeric_limits<T>::quiet_NaN(),
                              std::numeric_limits<T>::denorm_min()};
  const auto n = static_cast<index_t>(truths.size());
  const std::vector<index_t> every{0, 1, 2, 3, 4};
  const vector<index_t> u(where, n, 7);
  for (const vector_storage storage : {vector_storage::sparse, vector_storage::full}) {
    auto mask = vector<T>::from_entries(where, n, every, truths);
    detail::convert(mask.base(), storage);
    vector<index_t> w(where, n);
    assign(w, u, {.mask = mask});
    EXPECT_EQ(w.dense(-1), (std::vector<index_t>{-1, -1, 7, 7, 7}));
    assign(w, u, {.mask = complement(vector_mask(mask)), .replace = true});
    EXPECT_EQ(w.dense(-1), (std::vector<index_t>{7, 7, -1, -1, -1}));
  }
}

TEST_P(Elementwise, MinusZeroIsFalseInAMaskAndNaNIsTrue) {
  check_truth<float>(where());
  check_truth<double>(where());
}

TEST_P(Elementwise, Replay) {
  const auto found = replay_of("elementwise", factor::count, 4);
  if (!found) GTEST_SKIP() << "no TROPIC_REPLAY=elementwise:...";
  const std::vector<std::string>& other = found->others;
  check({found->at, std::stol(other[0]), std::stol(other[1]), std::stoull(other[2]),
         std::stod(other[3])});
}

TROPIC_ON_EVERY_CONTEXT(Elementwise);

TEST(ElementwiseCases, EveryPairOfLevelsOccurs) {
  const std::vector<int> sizes = elementwise_factor_sizes();
  ASSERT_EQ(sizes.size(), factor::count);
  const std::vector<levels> cases = every_pair(sizes);
  EXPECT_EQ(missing_pairs(sizes, cases), "");
  RecordProperty("cases", static_cast<int>(cases.size()));
}

TEST(ElementwiseCases, EveryCombinationOfTheCrossedFactorsOccurs) {
  EXPECT_EQ(crossed_cases().size(), static_cast<std::size_t>(operation::count) * 5 * 2 * 2 * 3);
}

}  // namespace
}  // namespace tropic::testing
