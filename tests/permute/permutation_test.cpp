// SPDX-License-Identifier: Apache-2.0

// The permutation itself: both directions, inverses, composition, and invalid lists.

#include <gtest/gtest.h>

#include <algorithm>

#include <tropic/error.hpp>
#include <tropic/permutation.hpp>

#include "support/cases.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

using list = std::vector<std::uint32_t>;

list shuffled(std::size_t size, dice& random) {
  list result(size);
  for (std::size_t n = 0; n < size; ++n) result[n] = static_cast<std::uint32_t>(n);
  for (std::size_t n = size; n > 1; --n)
    std::swap(result[n - 1], result[static_cast<std::size_t>(random.roll(static_cast<int>(n)))]);
  return result;
}

std::string refusal_of(const list& positions) {
  return message_of<usage_error>([&] { permutation::from_old_positions(positions); });
}

TEST(Permutation, AndItsInverseRestoreTheOrder) {
  // Position 2 comes first, then position 0, then position 1.
  const permutation p = permutation::from_old_positions({2, 0, 1});
  EXPECT_EQ(p.size(), 3);
  EXPECT_EQ(p.old_position(0), 2);
  EXPECT_EQ(p.new_position(2), 0);
  EXPECT_EQ(p.new_position(0), 1);
  EXPECT_EQ(p.inverse().new_position(0), 2);
  EXPECT_EQ(permutation::from_new_positions({1, 2, 0}), p);
  EXPECT_FALSE(p.is_identity());
}

TEST(Permutation, WithItsInverseIsTheIdentityInEverySize) {
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  for (const std::size_t size : {0U, 1U, 2U, 3U, 64U, 1000U, 70000U}) {
    const permutation p = permutation::from_old_positions(shuffled(size, random));
    const permutation q = permutation::from_new_positions(shuffled(size, random));
    const auto identity = permutation::identity(static_cast<index_t>(size));
    EXPECT_TRUE(identity.is_identity());
    EXPECT_EQ(p.then(p.inverse()), identity);
    EXPECT_TRUE(p.inverse().then(p).is_identity());
    EXPECT_EQ(p.then(q).inverse(), q.inverse().then(p.inverse()));
    EXPECT_EQ(p.then(identity), p);
    EXPECT_EQ(identity.then(p), p);
    for (std::size_t n = 0; n < size; n += 1 + size / 50) {
      const auto at = static_cast<index_t>(n);
      EXPECT_EQ(p.old_position(p.new_position(at)), at);
      EXPECT_EQ(p.then(q).new_position(at), q.new_position(p.new_position(at)));
      EXPECT_EQ(p.new_positions()[p.old_positions()[n]], n);
    }
  }
}

TEST(Permutation, OfAWrongListIsRefusedByThePlace) {
  EXPECT_EQ(refusal_of({0, 3, 1}),
            "permutation: place 1 of the list has position 3, needed 0 to 2");
  EXPECT_EQ(refusal_of({0, 2, 1, 2}),
            "permutation: place 3 of the list has position 2, which an earlier one has already");
  EXPECT_EQ(refusal_of({0xffffffffU}),
            "permutation: place 0 of the list has position 4294967295, needed 0 to 0");
  EXPECT_THROW(permutation::from_new_positions({1, 1}), usage_error);
}

TEST(Permutation, RefusesPositionsAndSizesThatDoNotFit) {
  const permutation p = permutation::identity(3);
  EXPECT_THROW(p.new_position(3), usage_error);
  EXPECT_THROW(p.old_position(-1), usage_error);
  EXPECT_THROW(p.then(permutation::identity(4)), usage_error);
  EXPECT_THROW(permutation::identity(-1), usage_error);
  EXPECT_EQ(permutation().size(), 0);
}

}  // namespace
}  // namespace tropic::testing
