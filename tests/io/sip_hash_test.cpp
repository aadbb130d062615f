// SPDX-License-Identifier: Apache-2.0

// The hash of names against published test vectors.

#include "io/tables/sip_hash.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace tropic::io::detail {
namespace {

// Key 00 01 ... 0f, input 00 01 ... of each length.
constexpr sip_key published_key{0x0706050403020100, 0x0f0e0d0c0b0a0908};

std::string input_of(std::size_t length) {
  std::string bytes;
  for (std::size_t k = 0; k < length; ++k) bytes += static_cast<char>(k);
  return bytes;
}

// J.-P. Aumasson, D. J. Bernstein: SipHash, a fast short-input PRF, appendix A, and the vectors of
// their reference implementation (vectors_sip64, read as little-endian numbers).
TEST(SipHash, Of24IsThePublishedOne) {
  constexpr std::array<std::uint64_t, 16> expected{
      0x726fdb47dd0e0e31, 0x74f839c593dc67fd, 0x0d6c8009d9a94f5a, 0x85676696d7fb7e2d,
      0xcf2794e0277187b7, 0x18765564cd99a68d, 0xcbc9466e58fee3ce, 0xab0200f58b01d137,
      0x93f5f5799a932462, 0x9e0082df0ba9e4b0, 0x7a5dbbc594ddb9f3, 0xf4b32f46226bada7,
      0x751e8fbc860ee5fb, 0x14ea5627c0843d90, 0xf723ca908e7af2ee, 0xa129ca6149be45e5};
  for (std::size_t length = 0; length < expected.size(); ++length)
    EXPECT_EQ((sip_hash<2, 4>(published_key, input_of(length))), expected[length]) << length;
}

// The vectors of Rust's core::hash::SipHasher13 (library/coretests/tests/hash/sip.rs).
TEST(SipHash, Of13IsThePublishedOne) {
  constexpr std::array<std::uint64_t, 16> expected{
      0xabac0158050fc4dc, 0xc9f49bf37d57ca93, 0x82cb9b024dc7d44d, 0x8bf80ab8e7ddf7fb,
      0xcf75576088d38328, 0xdef9d52f49533b67, 0xc50d2b50c59f22a7, 0xd3927d989bb11140,
      0x369095118d299a8e, 0x25a48eb36c063de4, 0x79de85ee92ff097f, 0x70c118c1f94dc352,
      0x78a384b157b4d9a2, 0x306f760c1229ffa7, 0x605aa111c0f95d34, 0xd320d86d2a519956};
  for (std::size_t length = 0; length < expected.size(); ++length)
    EXPECT_EQ((sip_hash<1, 3>(published_key, input_of(length))), expected[length]) << length;
}

TEST(SipHash, OfNamesHasOneKeyAProcessThatIsNotZero) {
  const sip_key first = sip_key_of_process(), second = sip_key_of_process();
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
  EXPECT_TRUE(first.low != 0 && first.high != 0 && first.low != first.high);
}

}  // namespace
}  // namespace tropic::io::detail
