// SPDX-License-Identifier: Apache-2.0

// Products of few entries under a mask that lists positions, one after the other in one context:
// masks shorter and much longer than what is reached, true and false values, with and without an
// accumulator and replace. Against the reference.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <tropic/tropic.hpp>

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

}  // namespace
}  // namespace tropic::testing
