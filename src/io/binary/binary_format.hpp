// SPDX-License-Identifier: Apache-2.0
#pragma once

// The layout of a `.tropic` file, version 1: this header, then four arrays, each at a multiple of
// 64 bytes so that a mapping of the file is usable in place.
//
//   offsets     rows + 1 numbers; 32-bit while entries < 2^31, then 64-bit
//   columns     entries numbers of 32 bits, strictly ascending in each row
//   values      entries values (pairs if complex), or one if pattern
//   vertex ids  rows numbers of 64 bits, strictly ascending; absent without the flag
//
// Numbers have the byte order of the machine that wrote them, which `endianness` identifies.

#include <array>
#include <cstdint>
#include <tropic/semirings/types.hpp>
#include <type_traits>

namespace tropic::io::detail {

struct binary_header {
  // The first byte is not text and the last one is a newline, so that transfers that change either
  // are detected.
  static constexpr std::array<unsigned char, 8> expected_magic{0x89, 'T', 'R', 'O',
                                                               'P',  'I', 'C', '\n'};
  static constexpr std::uint32_t current_version = 1;
  static constexpr std::uint32_t native = 0x01020304;
  static constexpr std::uint64_t alignment = 64;

  static constexpr std::uint32_t complex_flag = 1;
  static constexpr std::uint32_t pattern_flag = 2;
  static constexpr std::uint32_t symmetric_flag = 4;
  static constexpr std::uint32_t wide_offsets_flag = 8;
  static constexpr std::uint32_t vertex_ids_flag = 16;
  static constexpr std::uint32_t all_flags = 31;

  std::array<unsigned char, 8> magic = expected_magic;
  std::uint32_t version = current_version;
  std::uint32_t endianness = native;
  std::uint32_t type = 0;  ///< type_code
  std::uint32_t flags = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;
  std::int64_t first_vertex_id = 0;
  std::uint64_t offsets_at = 0;
  std::uint64_t columns_at = 0;
  std::uint64_t values_at = 0;
  std::uint64_t vertex_ids_at = 0;
  std::uint64_t file_size = 0;
  std::array<std::uint64_t, 3> reserved{};
  std::uint64_t checksum = 0;  ///< of the bytes before it, see own_checksum()

  std::uint64_t own_checksum() const;
  /// Sets the four positions and the size from the other fields.
  void place();

  bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
  bool symmetric_but_not_square() const { return has(symmetric_flag) && rows != columns; }
  std::uint64_t offset_size() const { return has(wide_offsets_flag) ? 8 : 4; }
  std::uint64_t value_size() const {
    return describe(static_cast<type_code>(type)).size * (has(complex_flag) ? 2 : 1);
  }
};
static_assert(sizeof(binary_header) == 128 && std::is_trivially_copyable_v<binary_header>);

}  // namespace tropic::io::detail
