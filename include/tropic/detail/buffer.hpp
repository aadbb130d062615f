// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arrays of containers: `buffer`, one array with a host and a device copy that are transferred when
// they are needed.

#include <cstddef>
#include <memory>

#include <tropic/semirings/export.hpp>

namespace tropic::detail {

struct context_state;  // src/containers/context_state.hpp
using context_pointer = std::shared_ptr<context_state>;

enum class access { read, overwrite, modify };
struct device_handle {
  void* handle;
};

/// An array with a host and, on devices, a device copy. Each copy knows whether it is valid;
/// accessing one transfers the data if necessary. Thread-safe for readers.
class TROPIC_API buffer {
 public:
  /// Neither copy is valid before the first write. A buffer of 0 bytes may have no context.
  buffer(context_pointer context, std::size_t bytes);
  /// Borrows `data`, read-only; `owner` is kept while the buffer lives.
  buffer(context_pointer context, const void* data, std::size_t bytes,
         std::shared_ptr<const void> owner);
  /// The same for memory of the context's device. `owner` is released only after the device has
  /// finished all enqueued work.
  buffer(context_pointer context, device_handle data, std::size_t bytes,
         std::shared_ptr<const void> owner);
  ~buffer();
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  std::size_t bytes() const { return bytes_; }
  bool is_borrowed() const { return owner_ != nullptr; }
  /// Keeps borrowed data alive; null where the buffer owns its data.
  const std::shared_ptr<const void>& owner() const { return owner_; }

  const void* host() const { return host_at(access::read); }
  void* host_write(access mode = access::overwrite) { return host_at(mode); }
  const void* device() const { return device_at(access::read); }
  void* device_write(access mode = access::overwrite) { return device_at(mode); }

  /// Makes every element of `size` bytes a copy of `value`. Without a device this takes no time:
  /// the first access writes them.
  void fill(const void* value, std::size_t size);
  /// The first element of `size` bytes if all others are the same bytes, else null; valid until the
  /// next write. Without a device: the host's copy. What is found is kept until then, except of
  /// borrowed data, which their owner may change.
  const void* equal_element(std::size_t size) const;

  bool host_valid() const;
  bool device_valid() const;

 private:
  struct copies;  // src/containers/memory/memory.cpp

  void* host_at(access mode) const;
  void write_pending() const;
  void* device_at(access mode) const;

  context_pointer context_;
  std::size_t bytes_;
  std::shared_ptr<const void> owner_;
  std::unique_ptr<copies> copies_;
};

using buffer_pointer = std::shared_ptr<buffer>;

TROPIC_API buffer_pointer make_buffer(const context_pointer& context, std::size_t bytes);

}  // namespace tropic::detail
