// SPDX-License-Identifier: Apache-2.0

// Every operation but the products, of every context, against the reference: every pair of levels
// of all factors; the whole product operation x mask x accumulator x replace x output; random
// cases; large ones, which the CPU cuts into parts. A failure prints the line that replays it:
//   TROPIC_REPLAY=elementwise:... tropic_backends_tests --gtest_filter='*Elementwise*Replay*'

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "backends/elementwise_cases.hpp"
#include "support/contexts.hpp"

namespace tropic::testing {
namespace {

using factor = elementwise_factor;

constexpr std::pair<index_t, index_t> shapes[] = {{0, 0},  {0, 4},   {5, 0},   {1, 1},  {9, 7},
                                                  {31, 3}, {32, 32}, {64, 65}, {3, 63}, {65, 1}};

std::string replay_line(const elementwise_case& one) {
  std::ostringstream line;
  line << "TROPIC_REPLAY=elementwise";
  for (const int level : one.at) line << ":" << level;
  line << ":" << one.rows << ":" << one.columns << ":" << one.seed << ":" << one.density;
  return line.str();
}

class Elementwise : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    found_context found = make_context(GetParam());
    if (!found.where) GTEST_SKIP() << GetParam() << ": " << found.reason;
    where_ = std::move(found.where);
    reference_ = make_context("reference").where;
  }
  bool check(const elementwise_case& one) {
    const std::string found = elementwise_difference(*where_, *reference_, one);
    if (found.empty()) return true;
    ADD_FAILURE() << GetParam() << ", operation " << one.at[factor::operation] << ", type "
                  << one.at[factor::type] << ": " << found << replay_line(one);
    return ++failures_ < 5;
  }
  void check_shapes(const std::vector<levels>& cases) {
    for (std::size_t n = 0; n < cases.size(); ++n)
      for (std::size_t s = 0; s < std::size(shapes); ++s)
        if (!check({cases[n], shapes[s].first, shapes[s].second, n * 64 + s + 1})) return;
  }

  std::unique_ptr<context> where_, reference_;
  int failures_ = 0;
};

TEST_P(Elementwise, AgreesForEveryPairOfLevels) {
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
  check_shapes(crossed_cases());
}

TEST_P(Elementwise, AgreesOnRandomCases) {
  dice random(base_seed());
  for (int n = 0; n < 500; ++n) {
    elementwise_case one{random.pick(elementwise_factor_sizes()), random.roll(90), random.roll(90),
                         random.next()};
    one.density = random.chance(0.3) ? 0.02 : 0.3;
    if (random.chance(0.3)) one.columns = one.rows;
    if (!check(one)) return;
  }
}

// Long enough that the CPU cuts them into parts.
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

TEST_P(Elementwise, Replay) {
  std::istringstream line(replay());
  std::string word;
  std::vector<std::string> words;
  while (std::getline(line, word, ':')) words.push_back(word);
  if (words.empty() || words[0] != "elementwise")
    GTEST_SKIP() << "no TROPIC_REPLAY=elementwise:...";
  ASSERT_EQ(words.size(), 1 + factor::count + 4);
  elementwise_case one;
  for (std::size_t f = 0; f < factor::count; ++f) one.at.push_back(std::stoi(words[1 + f]));
  const std::size_t rest = 1 + factor::count;
  one.rows = std::stol(words[rest]);
  one.columns = std::stol(words[rest + 1]);
  one.seed = std::stoull(words[rest + 2]);
  one.density = std::stod(words[rest + 3]);
  check(one);
}

INSTANTIATE_TEST_SUITE_P(Contexts, Elementwise, ::testing::ValuesIn(context_names()),
                         [](const auto& info) { return info.param; });

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
