// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory below the containers: a device's memory as an abstract resource, the account that holds a
// context to its limit, and `buffer`: one array with a host and a device copy that move lazily.

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tropic/semirings/export.hpp>

namespace tropic::detail {

/// The memory of a device. Handles are opaque: a CUdeviceptr, a cl_mem, a pointer.
class TROPIC_API memory_resource {
 public:
  virtual ~memory_resource() = default;
  /// Throws out_of_memory. Never called with 0 bytes.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* handle, std::size_t bytes) noexcept = 0;
  virtual void to_device(void* handle, const void* from, std::size_t bytes) = 0;
  virtual void to_host(void* to, const void* handle, std::size_t bytes) = 0;
  /// Throws usage_error where it can be known that `bytes` at `handle`, which somebody else
  /// allocated, are not memory of this device, aligned as that.
  virtual void require_own(const void* /*handle*/, std::size_t /*bytes*/,
                           std::size_t /*alignment*/) const {}
  /// Waits for all that was enqueued; errors of it are left to the next synchronisation.
  virtual void settle() noexcept {}
};

/// What a context's memory costs, against its limit. Host blocks of a megabyte and more are kept
/// for reuse, up to a gigabyte and to what the limit leaves: the algorithms ask for the same sizes
/// in every iteration.
class TROPIC_API memory_account {
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

  /// 64-byte aligned; uninitialised; counted. Throws out_of_memory, also where the machine cannot
  /// hold as much but its system would give the addresses.
  void* allocate_host(std::size_t bytes);
  void deallocate_host(void* block, std::size_t bytes) noexcept;

  /// Tests: the n-th allocation from now on fails; negative: none does.
  void fail_after(long allocations) { countdown_ = allocations; }
  /// Called under memory pressure: frees what can be rebuilt. Returns the bytes it freed.
  std::function<std::size_t()> evict;

 private:
  /// Bytes that may be kept, those in use taken from the limit.
  std::size_t room_to_keep() const noexcept;
  /// Frees kept blocks until they take no more than `most` bytes.
  void drop_kept(std::size_t most) noexcept;

  std::size_t limit_;
  std::atomic<std::size_t> used_{0};
  std::atomic<long> countdown_{-1};
  std::mutex mutex_;
  struct kept_block {
    void* block;
    std::size_t bytes;  // all that the block takes
  };
  std::vector<kept_block> kept_;
  std::size_t kept_bytes_ = 0;
};

struct context_state;

enum class access { read, overwrite, modify };
struct device_handle {
  void* handle;
};

/// An array with a host and, on devices, a device copy. Each copy knows whether it is valid;
/// asking for one moves the data if it must. Thread-safe for readers.
class TROPIC_API buffer {
 public:
  /// Neither copy is valid before the first write. Without bytes it may be of no context.
  buffer(std::shared_ptr<context_state> context, std::size_t bytes);
  /// Borrows `data`, read-only; `owner` is kept while the buffer lives.
  buffer(std::shared_ptr<context_state> context, const void* data, std::size_t bytes,
         std::shared_ptr<const void> owner);
  /// The same of memory of the context's device. Before `owner` is let go, the device has done all
  /// that was enqueued.
  buffer(std::shared_ptr<context_state> context, device_handle data, std::size_t bytes,
         std::shared_ptr<const void> owner);
  ~buffer();
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  std::size_t bytes() const { return bytes_; }
  bool is_borrowed() const { return owner_ != nullptr; }
  /// What keeps borrowed data alive; null where the data is the buffer's own.
  const std::shared_ptr<const void>& owner() const { return owner_; }

  const void* host() const { return host_at(access::read); }
  void* host_write(access how = access::overwrite) { return host_at(how); }
  const void* device() const { return device_at(access::read); }
  void* device_write(access how = access::overwrite) { return device_at(how); }

  bool host_valid() const { return host_valid_; }
  bool device_valid() const { return device_valid_; }

 private:
  void* host_at(access how) const;
  void* device_at(access how) const;

  std::shared_ptr<context_state> context_;
  std::size_t bytes_;
  std::shared_ptr<const void> owner_;
  bool is_lent_by_device_ = false;
  mutable std::mutex mutex_;
  mutable void* host_ = nullptr;
  mutable void* device_ = nullptr;  // unused where the device is the host
  mutable bool host_valid_ = false, device_valid_ = false;
};

using buffer_pointer = std::shared_ptr<buffer>;

}  // namespace tropic::detail
