// SPDX-License-Identifier: Apache-2.0

// mxv and vxm on every context against the reference, over bounded combinations of their options:
//   (a) every kernel x semiring x type, with every pair of levels of the other factors;
//   (b) six adversarial semirings: all of kernel x mask x accumulator x replace x input x offsets;
//   (c) random cases.
// Each runs every shape. A failure prints one line that replays it alone:
//   TROPIC_REPLAY=product:... tropic_backends_tests --gtest_filter='*Replay*'

#include <gtest/gtest.h>

#include <algorithm>

#include <tropic/detail/describe_semiring.hpp>
#include <tropic/mxm.hpp>
#include <tropic/semirings/builtins.hpp>

#include "backends/backend.hpp"
#include "backends/products/product_cases.hpp"
#include "support/on_contexts.hpp"
#include "support/quick_run.hpp"

namespace tropic::testing {
namespace product_test {
namespace {

using factor = product_factor;

constexpr int shards = 4;

template <class Fixture>
class ProductFixture : public BesideReference<Fixture> {
 protected:
  using BesideReference<Fixture>::where;

  int kernels() const { return static_cast<int>(kernels_under_test(where()).size()); }

  // Returns false after several failures.
  bool check(bool adversarial, const product_case& one) {
    const auto& semirings = adversarial ? adversarial_semirings() : all_semirings();
    return this->agrees(
        semirings[static_cast<std::size_t>(one.at[factor::semiring])].name,
        product_difference(where(), this->reference(), semirings, one),
        replay_line("product", {one.at,
                                {adversarial ? "adversarial" : "all", std::to_string(one.of.rows),
                                 std::to_string(one.of.columns), std::to_string(one.of.kind),
                                 std::to_string(one.seed)}}));
  }
};

// On every context.
using Product = ProductFixture<OnContext>;

// The combinations take minutes on some contexts. They are distributed over `shards` tests, which
// ctest runs in parallel: the parameter is a context and the number of the shard, from 1.
class ShardOfContext : public ContextFixture,
                       public ::testing::WithParamInterface<std::tuple<std::string, int>> {
 protected:
  std::string context_name() const override { return std::get<0>(GetParam()); }
};

class ShardedProduct : public ProductFixture<ShardOfContext> {
 protected:
  // Checks the cases of this shard. PoCL runs a quarter if they are thinned anyway. In a quick run
  // it runs a sixth of the shapes of each adversarial case, which the seed selects.
  void check_all(bool adversarial, const std::vector<levels>& cases) {
    const bool pocl = is_on_pocl(where());
    const std::size_t step = shards * every_nth() * (pocl && every_nth() > 1 ? 4 : 1);
    const std::size_t shapes = pocl && adversarial && is_quick_run() ? 6 : 1;
    const auto shard = static_cast<std::size_t>(std::get<1>(GetParam()) - 1);
    const std::size_t first = shard + first_of_every_nth() * shards;
    ASSERT_LT(first, cases.size());
    const std::size_t count = (cases.size() - first + step - 1) / step;
    for (std::size_t turn = 0; turn < count; ++turn) {
      // Each shard begins elsewhere: those that run at the same time find each other's programs.
      const std::size_t n = first + (turn + shard * count / shards) % count * step;
      for (std::size_t s = dice(base_seed() + n).next() % shapes; s < product_shapes().size();
           s += shapes)
        if (!check(adversarial, {cases[n], product_shapes()[s], n * 64 + s + 1})) return;
    }
  }
};

std::vector<int> all_sizes(int kernels) {
  return product_factor_sizes(static_cast<int>(all_semirings().size()), kernels);
}

// All combinations of the first factors; the levels of the others are random.
std::vector<levels> adversarial_cases(int kernels) {
  const std::vector<int> sizes =
      product_factor_sizes(static_cast<int>(adversarial_semirings().size()), kernels);
  std::vector<int> crossed(sizes.begin(), sizes.begin() + factor::orientation);
  crossed[factor::accumulator] = 2;
  std::vector<levels> cases = every_combination(crossed);
  dice random(7);
  for (levels& one : cases)
    for (std::size_t f = factor::orientation; f < factor::count; ++f)
      one.push_back(random.roll(sizes[f]));
  return cases;
}

// PoCL compiles some 4,000 programs for these. In a quick run it takes each semiring once, with one
// of the kernels.
TEST_P(ShardedProduct, AgreesForEverySemiringAndType) {
  const auto flags = compiled_quickly(where());
  const std::vector<levels> cases = every_pair(all_sizes(kernels()));
  const bool samples = is_on_pocl(where()) && is_quick_run();
  check_all(false, samples ? one_of_each(cases, factor::semiring, factor::kernel) : cases);
}

TEST_P(ShardedProduct, AgreesForAdversarialSemirings) {
  const auto flags = compiled_quickly(where());
  check_all(true, adversarial_cases(kernels()));
}

INSTANTIATE_TEST_SUITE_P(Contexts, ShardedProduct,
                         ::testing::Combine(::testing::ValuesIn(context_names()),
                                            ::testing::Range(1, shards + 1)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_shard_" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST_P(Product, AgreesOnRandomCases) {
  const auto flags = compiled_quickly(where());
  dice random(base_seed());
  const std::vector<int> sizes = all_sizes(kernels());
  // On PoCL nearly each one is a new program.
  const int cases = !is_on_pocl(where()) ? 300 : is_quick_run() ? 25 : 75;
  for (int n = 0; n < cases; ++n) {
    product_case one{random.pick(sizes), {}, random.next()};
    one.of = {random.roll(150), random.roll(150), static_cast<shape::pattern>(random.roll(5))};
    if (random.chance(0.4)) one.of.columns = one.of.rows;
    if (!check(false, one)) return;
  }
}

TEST_P(Product, Replay) {
  const auto found = replay_of("product", factor::count, 5);
  if (!found) GTEST_SKIP() << "no TROPIC_REPLAY=product:...";
  const auto& [set, rows, columns, kind, seed] = std::tie(
      found->others[0], found->others[1], found->others[2], found->others[3], found->others[4]);
  check(set == "adversarial",
        {found->at,
         {std::stol(rows), std::stol(columns), static_cast<shape::pattern>(std::stoi(kind))},
         std::stoull(seed)});
}

TROPIC_ON_EVERY_CONTEXT(Product);

// The generator lists all pairs.
TEST(ProductCases, EveryPairOfLevelsOccurs) {
  for (const int kernels : {1, 2, 4}) {
    const std::vector<int> sizes = all_sizes(kernels);
    ASSERT_EQ(sizes.size(), factor::count);
    const std::vector<levels> cases = every_pair(sizes);
    EXPECT_EQ(missing_pairs(sizes, cases), "");
    EXPECT_LT(cases.size(), every_pair({sizes[0], 5}).size() * 2);  // and not many more than needed
    RecordProperty("cases_with_" + std::to_string(kernels) + "_kernels",
                   static_cast<int>(cases.size()));
  }
}

TEST(ProductCases, MissingPairsAreNoticed) {
  std::vector<levels> cases = every_pair({3, 2, 4});
  EXPECT_EQ(missing_pairs({3, 2, 4}, cases), "");
  const levels gone = cases.back();
  std::erase_if(cases, [&](const levels& one) { return one[0] == gone[0] && one[2] == gone[2]; });
  EXPECT_NE(missing_pairs({3, 2, 4}, cases), "");
}

TEST(ProductCases, EveryCombinationOfTheAdversarialFactorsOccurs) {
  const std::vector<levels> cases = adversarial_cases(2);
  std::vector<std::string> seen;
  for (const levels& one : cases) {
    std::string key;
    for (std::size_t f = 0; f < factor::orientation; ++f) key += std::to_string(one[f]) + ":";
    seen.push_back(key);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_EQ(cases.size(), 6u * 3 * 5 * 2 * 2 * 3 * 2);
}

TEST(ProductCases, AQuickRunOnPoclHasEverySemiringAndKernel) {
  const std::vector<int> sizes = all_sizes(12);
  const std::vector<levels> cases =
      one_of_each(every_pair(sizes), factor::semiring, factor::kernel);
  std::vector<int> semirings(static_cast<std::size_t>(sizes[factor::semiring]));
  std::vector<std::size_t> kernels(static_cast<std::size_t>(sizes[factor::kernel]));
  for (const levels& one : cases) {
    ++semirings[static_cast<std::size_t>(one[factor::semiring])];
    ++kernels[static_cast<std::size_t>(one[factor::kernel])];
  }
  EXPECT_EQ(semirings, std::vector<int>(semirings.size(), 1));
  for (const std::size_t count : kernels) EXPECT_GE(count, semirings.size() / kernels.size());
}

TEST(ProductCases, EverySemiringIsListedOverEachOfItsTypes) {
  // Numeric ones over ten number types, the others over booleans too, and thirteen of our own.
#define TROPIC_TEST_ONE(name) +1u
  constexpr std::size_t numeric = 0 TROPIC_FOR_EACH_NUMERIC_SEMIRING(TROPIC_TEST_ONE),
                        others = 0 TROPIC_FOR_EACH_BOOLEAN_SEMIRING(TROPIC_TEST_ONE)
                            TROPIC_FOR_EACH_POSITIONAL_SEMIRING(TROPIC_TEST_ONE);
#undef TROPIC_TEST_ONE
  EXPECT_EQ(builtin_semiring_names().size(), numeric + others);
  EXPECT_EQ(all_semirings().size(), numeric * 10 + others * 11 + 13);
}

// Without kernels the evaluator gives the same results, more slowly.
TEST(ProductCases, SemiringsThatAreNoTextHaveEveryKernel) {
  for (const test_semiring& s : all_semirings()) {
    const semiring_description& d = s.description;
    const bool compiled = !s.name.starts_with("text_");
    EXPECT_EQ(d.cpu_kernels[0] != nullptr, compiled) << s.name;
    EXPECT_EQ(d.cpu_kernels[1] != nullptr, compiled) << s.name;
    EXPECT_EQ(d.cpu_round_kernels != nullptr, compiled) << s.name;
    EXPECT_EQ(d.cpu_mxm_kernels != nullptr, compiled) << s.name;
    EXPECT_EQ(d.cpu_spmm_kernels != nullptr, compiled) << s.name;
  }
}

TEST(ProductCases, AnOperationInstantiatesItsOwnKernels) {
  using custom = semiring<plus_monoid<std::int64_t>, times, std::int8_t, std::uint16_t>;
  using kernels = detail::cpu_kernels<custom>;
  const semiring_description mxv = detail::describe_for_mxv(custom{}),
                             vxm = detail::describe_for_vxm(custom{}),
                             rounds = detail::describe_for_rounds(custom{}),
                             mxm = detail::describe_for_mxm(custom{});
  EXPECT_EQ(mxv.cpu_kernels[0], &kernels::of_mxv);
  EXPECT_EQ(mxv.cpu_kernels[1], nullptr);
  EXPECT_EQ(vxm.cpu_kernels[0], nullptr);
  EXPECT_EQ(vxm.cpu_kernels[1], &kernels::of_vxm);
  EXPECT_EQ(vxm.cpu_round_kernels, nullptr);
  EXPECT_EQ(rounds.cpu_kernels[1], &kernels::of_vxm);
  EXPECT_EQ(rounds.cpu_round_kernels, &kernels::of_rounds);
  EXPECT_EQ(mxm.cpu_kernels[0], nullptr);
  EXPECT_EQ(mxm.cpu_kernels[1], nullptr);
}

}  // namespace
}  // namespace product_test
}  // namespace tropic::testing
