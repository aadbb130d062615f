// SPDX-License-Identifier: Apache-2.0
#pragma once

// Device memory kept for reuse. Drivers take long to give and to take back memory, and algorithms
// ask for the same sizes in every iteration; so a block that is released is kept, by size, and
// given out again. That is safe at once, while work that uses it is still enqueued: the runtimes
// have one in-order queue, so what the next owner enqueues runs later.
//
// When the driver has nothing left, everything kept goes back to it and it is asked once more.
// Knows no device API: the runtimes pass their functions, tests pass their own. Thread-safe.

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

namespace tropic::detail {

/// Where a pool's memory comes from.
struct memory_source {
  /// Null where it does not fit; throws where something else is wrong.
  std::function<void*(std::size_t bytes)> allocate;
  /// Never throws.
  std::function<void(void* handle, std::size_t bytes)> release;
  /// For the message of out_of_memory.
  std::function<std::size_t()> free_bytes;
  /// Called before kept blocks are released: waits for the work that may still use them. May be
  /// empty, where the driver sees to that; never throws.
  std::function<void()> settle{};
};

class memory_pool {
 public:
  struct counts {
    std::size_t used = 0;     // bytes given out, in whole blocks
    std::size_t kept = 0;     // bytes waiting for reuse
    std::size_t taken = 0;    // blocks that the source gave
    std::size_t reused = 0;   // allocations served from kept blocks
    std::size_t trimmed = 0;  // times that everything kept went back for want of memory
  };

  /// `name` ("cuda:0 (NVIDIA H200)") is used in messages. No more than `keep_at_most` bytes are
  /// kept; with 0 every block goes straight back and has exactly the size that was asked for.
  memory_pool(memory_source source, std::string name, std::size_t keep_at_most);
  /// Releases the blocks that are kept. Blocks that callers still hold are not released.
  ~memory_pool();
  memory_pool(const memory_pool&) = delete;
  memory_pool& operator=(const memory_pool&) = delete;

  /// Throws out_of_memory with what is required and what is free; the pool is usable afterwards.
  void* allocate(std::size_t bytes);
  void deallocate(void* handle) noexcept;
  /// Gives everything kept back to the driver. Returns the bytes.
  std::size_t trim() noexcept;

  /// Calls again after everything kept has gone back, where `is_short` says that the status means
  /// a lack of memory: for calls of a driver that take memory themselves.
  template <class Call, class IsShort>
  auto with_room(Call call, IsShort is_short) {
    const auto status = call();
    return is_short(status) && trim() > 0 ? call() : status;
  }

  counts now() const;

  /// The size of the block for a request. Eight sizes an octave, so that at most an eighth is lost;
  /// large blocks are whole pages of 2 MiB, as drivers give them.
  static std::size_t block_size(std::size_t bytes);
  /// How much to keep of a device with so much memory: a quarter. Nothing with
  /// TROPIC_DEVICE_POOL=off, so that a memory checker sees the true bounds and lifetime of every
  /// array.
  static std::size_t worth_keeping(std::size_t device_memory);

 private:
  void* take_kept(std::size_t bytes, std::size_t block);
  std::size_t trim_locked() noexcept;

  memory_source source_;
  std::string name_;
  std::size_t keep_at_most_;
  mutable std::mutex mutex_;
  counts counts_;
  std::multimap<std::size_t, void*> kept_;
  std::unordered_map<void*, std::size_t> given_;  // the true size of every block given out
};

}  // namespace tropic::detail
