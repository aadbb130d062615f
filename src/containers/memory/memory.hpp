// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory below the containers: a device's memory as an abstract resource, and the account that
// holds a context to its limit.

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace tropic::detail {

/// The memory of a device. Handles are opaque: a CUdeviceptr, a cl_mem, a pointer.
class memory_resource {
 public:
  virtual ~memory_resource() = default;
  /// Throws out_of_memory. Never called with 0 bytes.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* handle, std::size_t bytes) noexcept = 0;
  virtual void to_device(void* handle, const void* from, std::size_t bytes) = 0;
  virtual void to_host(void* to, const void* handle, std::size_t bytes) = 0;
  /// For memory that the caller allocated: throws usage_error if it can be determined that the
  /// `bytes` at `handle` are not memory of this device with that alignment.
  virtual void require_own(const void* /*handle*/, std::size_t /*bytes*/,
                           std::size_t /*alignment*/) const {}
  /// Waits for all enqueued work; its errors are left to the next synchronisation.
  virtual void settle() noexcept {}
  /// Waits for the work that anyone has enqueued on the device, as far as its API can.
  virtual void settle_device() noexcept { settle(); }
  /// What is enqueued on `queue`, one of another library, from now on runs after all that is
  /// enqueued here. Waits where the device's API has no such order.
  virtual void precede(void* /*queue*/) { settle(); }
};

/// Counts the memory of a context against its limit. Host blocks of 256 KiB and more are kept for
/// reuse, up to 1 GiB and to what the limit leaves: algorithms request the same sizes in every
/// iteration.
class memory_account {
 public:
  explicit memory_account(std::size_t limit) : limit_(limit) {}
  ~memory_account();
  memory_account(const memory_account&) = delete;
  memory_account& operator=(const memory_account&) = delete;

  /// Counts `bytes`, or throws out_of_memory with required and free bytes.
  void acquire(std::size_t bytes);
  void release(std::size_t bytes) noexcept { used_ -= bytes; }
  std::size_t used() const { return used_; }
  std::size_t limit() const { return limit_; }

  /// The largest used() while a peak_watch lived; 0 if none did.
  std::size_t peak() const { return peak_; }

  /// 64-byte aligned; uninitialised; counted. Throws out_of_memory, also if the machine cannot hold
  /// that much although an overcommitting system would grant the addresses.
  void* allocate_host(std::size_t bytes);
  void deallocate_host(void* block, std::size_t bytes) noexcept;

  /// Tests: the n-th allocation from now on fails; negative: none does.
  void fail_after(long allocations) { countdown_ = allocations; }
  /// Called under memory pressure: frees what can be rebuilt. Returns the number of bytes freed.
  std::function<std::size_t()> evict;

 private:
  friend class peak_watch;
  void note_peak(std::size_t used) noexcept;
  /// Bytes that may be kept, those in use subtracted from the limit.
  std::size_t room_to_keep() const noexcept;
  /// Frees kept blocks until they take at most `limit` bytes.
  void drop_kept(std::size_t limit) noexcept;

  std::size_t limit_;
  std::atomic<std::size_t> used_{0}, peak_{0};
  std::atomic<int> watches_{0};
  std::atomic<long> countdown_{-1};
  std::mutex mutex_;
  struct kept_block {
    void* block;
    std::size_t bytes;  // size of the whole block
  };
  std::vector<kept_block> kept_;
  std::size_t kept_bytes_ = 0;
};

/// Extends an account's peak() to what is used while it lives.
class peak_watch {
 public:
  explicit peak_watch(memory_account& account) : account_(account) {
    ++account_.watches_;
    account_.note_peak(account_.used());
  }
  ~peak_watch() { --account_.watches_; }
  peak_watch(const peak_watch&) = delete;
  peak_watch& operator=(const peak_watch&) = delete;

 private:
  memory_account& account_;
};

}  // namespace tropic::detail
