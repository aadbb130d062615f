// SPDX-License-Identifier: Apache-2.0

// Products of few entries under a mask that lists positions, one after the other in one context:
// masks shorter and much longer than what is reached, true and false values, with and without an
// accumulator and replace. Against the reference. And pushes that threads share.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/cpu/products/push_parts.hpp"
#include "support/cases.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

class MaskedPush : public AgainstReference {};

constexpr index_t n = 40'000;

struct listed {
  std::vector<std::uint32_t> at;
  std::vector<std::int64_t> values;
};

// About `count` positions within [begin, begin + width), ascending.
listed scattered(dice& random, int count, int begin, int width) {
  listed list;
  const double chance = static_cast<double>(count) / width;
  for (int i = begin; i < begin + width; ++i)
    if (random.chance(chance)) {
      list.at.push_back(static_cast<std::uint32_t>(i));
      list.values.push_back(random.roll(5) - 1);
    }
  return list;
}

TEST_P(MaskedPush, AgreesWithTheReference) {
  dice random(base_seed());
  // Three entries a row, near the diagonal.
  std::vector<std::uint32_t> row, column;
  std::vector<std::int64_t> value;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      row.push_back(static_cast<std::uint32_t>(i));
      column.push_back(static_cast<std::uint32_t>((i + 17 * k + random.roll(9)) % n));
      value.push_back(random.roll(9) - 4);
    }
  const auto run = [&](const context& on, const matrix<std::int64_t>& a, const listed& u,
                       const listed& mask, const listed& w, int way) {
    const auto as_vector = [&](const listed& from) {
      return vector<std::int64_t>::from_entries(on, n, from.at, from.values);
    };
    vector<std::int64_t> result = as_vector(w);
    const auto allowed = as_vector(mask);
    const auto from = as_vector(u);
    const bool replace = (way & 1) != 0;
    const plus_times<std::int64_t> semiring;
    if ((way & 2) != 0 && (way & 4) != 0)
      vxm(result, semiring, from, a,
          {.mask = structure(allowed), .accumulate = plus{}, .replace = replace});
    else if ((way & 2) != 0)
      vxm(result, semiring, from, a, {.mask = structure(allowed), .replace = replace});
    else if ((way & 4) != 0)
      vxm(result, semiring, from, a, {.mask = allowed, .accumulate = plus{}, .replace = replace});
    else
      vxm(result, semiring, from, a, {.mask = allowed, .replace = replace});
    const auto found = result.to_sparse();
    std::string text;
    for (std::size_t m = 0; m < found.indices.size(); ++m)
      text += std::to_string(found.indices[m]) + ":" + std::to_string(found.values[m]) + " ";
    return text;
  };
  const auto ours =
      matrix<std::int64_t>::from_entries(where(), n, n, row, column, value, duplicates::first);
  const auto theirs =
      matrix<std::int64_t>::from_entries(reference(), n, n, row, column, value, duplicates::first);
  for (const int entries : {3, 40, 400})
    for (const int positions : {2, 60, 900, 9000})
      for (int way = 0; way < 8; way += 1 + random.roll(2)) {
        const int begin = random.roll(n / 2), width = 2'000 + 9 * entries;
        const listed u = scattered(random, entries, begin, width);
        const listed mask = scattered(random, positions, positions > 2'000 ? 0 : begin,
                                      positions > 2'000 ? n : width);
        const listed w = scattered(random, 50, begin, width);
        ASSERT_EQ(run(where(), ours, u, mask, w, way), run(reference(), theirs, u, mask, w, way))
            << entries << " entries, " << positions << " positions, way " << way << seed_trace();
      }
}

TROPIC_ON_EVERY_CONTEXT(MaskedPush);

TEST(DividedPush, IsDividedWhereRowsAreLongEnough) {
  using detail::on_cpu::ranges_of_push;
  EXPECT_EQ(ranges_of_push(1'000'000, 3, 2), 1U);  // as on roads
  EXPECT_EQ(ranges_of_push(1'000'000, 3, 64), 1U);
  EXPECT_EQ(ranges_of_push(1'000'000, 16, 2), 1U);
  EXPECT_EQ(ranges_of_push(1'000'000, 16, 8), 8U);
  EXPECT_EQ(ranges_of_push(1'000'000, 30, 2), 2U);
  EXPECT_EQ(ranges_of_push(1'000'000, 1000, 2), 8U);
  EXPECT_EQ(ranges_of_push(1'000'000, 1000, 1), 1U);
  EXPECT_EQ(ranges_of_push(10, 1000, 2), 1U);  // few edges
  EXPECT_EQ(ranges_of_push(1, 1e6, 2), 8U);
}

// Rounded sums, whose bits would change with their order.
TEST(DividedPush, KeepsEveryBit) {
  constexpr int inputs = 5000, outputs = 3000;
  dice random(3);
  for (const int edges : {4, 30, 200}) {
    std::vector<std::uint32_t> row, column;
    std::vector<double> value, elements;
    for (int i = 0; i < inputs; ++i) {
      elements.push_back(random.roll(1000) / 7.0);
      for (int k = 0; k < edges; ++k) {
        row.push_back(static_cast<std::uint32_t>(i));
        // Twice as many in the first half.
        const int half = outputs / 2;
        column.push_back(static_cast<std::uint32_t>(random.roll(3) == 0 ? half + random.roll(half)
                                                                        : random.roll(half)));
        value.push_back(random.roll(1000) / 3.0);
      }
    }
    std::vector<double> expected;
    for (const int threads : {1, 2, 3}) {
      const context where = context::cpu({.threads = threads});
      const auto a = matrix<double>::from_entries(where, inputs, outputs, row, column, value,
                                                  duplicates::first);
      const auto u = vector<double>::from_array(where, elements);
      const plan push{.kernel = "push"};
      for (const bool keeps_transpose : {false, true}) {  // columns are cut by their lengths then
        if (keeps_transpose) {
          vector<double> x(where, outputs);
          const plan pull{.kernel = "pull"};
          vxm(x, plus_times<double>{}, u, a, {.plan = &pull});
        }
        vector<double> w(where, outputs);
        vxm(w, plus_times<double>{}, u, a, {.plan = &push});
        if (expected.empty()) expected = w.dense(-1);
        ASSERT_EQ(w.dense(-1), expected) << edges << " edges, " << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace tropic::testing
