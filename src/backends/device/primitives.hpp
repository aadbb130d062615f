// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parallel primitives on arrays of 32-bit words, of which the operations are made: prefix sums, a
// radix sort, gathering, counting. `operation` is what errors of a launch are attributed to.

#include <span>
#include <string_view>
#include <vector>

#include "backends/device/device_context.hpp"

namespace tropic::detail {

inline constexpr std::size_t word_bytes = sizeof(std::uint32_t);

/// Replaces n sums by the sums of those before them; `total`: of all. 64 bits each.
void scan(device_context&, std::uint64_t n, const buffer_pointer& sums,
          const buffer_pointer& total);

/// Exclusive prefix sums: n + 1 words, and the total in 64 bits.
struct prefix_sums {
  buffer_pointer before, total;
  /// Waits for the device.
  index_t all() const {
    return static_cast<index_t>(*static_cast<const std::uint64_t*>(total->host()));
  }
};
/// Of n counts of `bytes` each: 1 or 4.
prefix_sums sums_before(device_context&, std::uint64_t n, const buffer_pointer& counts,
                        std::size_t bytes);

struct sorted_keys {
  buffer_pointer keys, order;  // ascending, and the position that each had; equal keys keep theirs
};
/// Sorts n > 0 keys below `bound`.
sorted_keys sort_keys(device_context&, std::string_view operation, std::uint64_t n,
                      const buffer_pointer& keys, index_t bound);
/// The programs that sort_keys needs.
std::vector<program_request> sort_requests(const device_traits&);
/// Compiles them, so that a timed sort does not include it.
void compile_sort(device_context&);

/// Word k of the result is words[order[k]], for n words.
buffer_pointer gathered(device_context&, std::string_view operation, const buffer_pointer& words,
                        const buffer_pointer& order, std::uint64_t n);
/// A list of positions below 2^32 as words, on the host until the device reads it.
buffer_pointer uploaded(device_context&, std::span<const index_t> list);
buffer_pointer uploaded(device_context&, std::span<const std::uint32_t> list);

/// Bit k % 32 of word k / 32 is set if byte order[k] of `flags` is not 0, or byte k without an
/// order, for n of them; memory for `room` bits, at least n.
buffer_pointer packed_flags(device_context&, std::string_view operation,
                            const buffer_pointer& flags, std::uint64_t n,
                            const buffer_pointer& order, std::uint64_t room);

/// How many of `size` bytes are not 0. `counters`: count_bytes to count in; null: allocated.
entry_count count_present(device_context&, std::string_view operation,
                          const buffer_pointer& present, index_t size,
                          buffer_pointer counters = nullptr);
inline constexpr std::size_t count_bytes = 2 * sizeof(std::uint32_t);
/// Compiles what count_present needs.
const compiled_program* count_program(device_context&);

}  // namespace tropic::detail
