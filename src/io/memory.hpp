// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks before allocating: an error that names the bytes instead of a killed process.

#include <atomic>
#include <cstddef>
#include <string>
#include <tropic/io.hpp>

#include "containers/memory/machine_memory.hpp"

namespace tropic::io::detail {

using tropic::detail::available_memory;

/// count * size, or the largest number on overflow.
std::size_t bytes_for(std::size_t count, std::size_t size);
std::size_t sum_of_bytes(std::size_t a, std::size_t b);

/// The memory that reading may use.
struct memory_room {
  std::size_t limit = 0;  ///< set by the caller; 0: the memory of the machine
  std::size_t used = 0;   ///< part of the limit that is in use

  memory_room() = default;
  memory_room(const read_options& options)
      : limit(options.memory_limit), used(options.memory_used) {}

  memory_room beside(std::size_t held) const {
    memory_room less = *this;
    less.used = sum_of_bytes(used, held);
    return less;
  }
  /// Throws out_of_memory unless `bytes` fit the limit, and those of them that are not `held` yet
  /// fit the machine.
  void require(std::size_t bytes, const std::string& what_for, std::size_t held = 0) const;
};

/// Bytes that several threads take from one limit, piece by piece.
class memory_tally {
 public:
  explicit memory_tally(const memory_room& room) : room_(room) {}
  memory_tally(const memory_tally&) = delete;
  memory_tally& operator=(const memory_tally&) = delete;

  /// To be called before allocating `bytes`. Throws out_of_memory, as memory_room::require does.
  void take(std::size_t bytes, const std::string& what_for);
  void give(std::size_t bytes) { taken_ -= bytes; }
  std::size_t taken() const { return taken_; }

 private:
  memory_room room_;
  std::atomic<std::size_t> taken_ = 0;
};

/// For generated data: throws out_of_memory unless count * size bytes are available on the machine.
void require_memory(std::size_t count, std::size_t size, const std::string& what_for);

/// The bytes of the vertices' numbers and names of `m`, and of all its arrays.
std::size_t bytes_of_vertices(const coordinates& m);
std::size_t bytes_held(const coordinates& m);

/// The last request of this thread: the allocation that fails is one of those.
std::size_t latest_requirement();

}  // namespace tropic::io::detail
