// SPDX-License-Identifier: Apache-2.0
#pragma once

// Workspaces of the push kernel: a value and a flag for every output position, and the list of
// touched ones. Flags are zero between uses, so that acquiring one costs nothing. Several threads
// may multiply in one context at once: each leases its own. Idle ones are freed when memory runs
// short.

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "backends/cpu/rounds/position_sorter.hpp"
#include "containers/context_state.hpp"

namespace tropic::detail {

struct workspace {
  context_state& context;
  std::size_t outputs = 0, value_bytes = 0;
  std::uint8_t* present = nullptr;
  std::byte* values = nullptr;
  std::uint32_t* touched = nullptr;
  on_cpu::position_sorter sorter;

  explicit workspace(context_state& c) : context(c), sorter(c) {}
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;
  ~workspace() { release(); }

  std::size_t bytes() const {
    return (present ? outputs : 0) + (touched ? 4 * outputs : 0) + value_bytes + sorter.bytes();
  }
  void ensure(std::size_t n, std::size_t bytes) {
    if (n > outputs) {
      const std::size_t keep_bytes = value_bytes / std::max<std::size_t>(outputs, 1);
      release();
      present = static_cast<std::uint8_t*>(context.account.allocate_host(n));
      std::memset(present, 0, n);
      outputs = n;
      touched = static_cast<std::uint32_t*>(context.account.allocate_host(4 * n));
      bytes = std::max(bytes, keep_bytes);
    }
    if (bytes * n > value_bytes) {
      context.account.deallocate_host(values, values ? value_bytes : 0);
      values = nullptr;
      value_bytes = 0;
      values = static_cast<std::byte*>(context.account.allocate_host(bytes * n));
      value_bytes = bytes * n;
    }
  }

 private:
  void release() noexcept {
    if (present) context.account.deallocate_host(present, outputs);
    if (touched) context.account.deallocate_host(touched, 4 * outputs);
    if (values) context.account.deallocate_host(values, value_bytes);
    present = nullptr;
    touched = nullptr;
    values = nullptr;
    outputs = value_bytes = 0;
  }
};

struct workspace_pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<workspace>> idle;

  /// Frees the idle ones; returns the number of bytes.
  std::size_t clear() {
    const std::lock_guard lock(mutex);
    std::size_t freed = 0;
    for (const auto& one : idle) freed += one->bytes();
    idle.clear();
    return freed;
  }
};

/// Leases an idle workspace, or creates one; returns it at the end of the scope.
class workspace_lease {
 public:
  workspace_lease(workspace_pool& pool, context_state& context, std::size_t outputs,
                  std::size_t bytes)
      : pool_(pool) {
    {
      const std::lock_guard lock(pool_.mutex);
      if (!pool_.idle.empty()) {
        leased_ = std::move(pool_.idle.back());
        pool_.idle.pop_back();
      }
    }
    if (leased_ == nullptr) leased_ = std::make_unique<workspace>(context);
    leased_->ensure(outputs, bytes);
  }
  ~workspace_lease() {
    // An exception ended the work.
    if (is_marked_) std::memset(leased_->present, 0, leased_->outputs);
    const std::lock_guard lock(pool_.mutex);
    try {
      pool_.idle.push_back(std::move(leased_));
    } catch (const std::bad_alloc&) {  // then it is freed
    }
  }
  workspace_lease(const workspace_lease&) = delete;
  workspace_lease& operator=(const workspace_lease&) = delete;
  workspace* operator->() const { return leased_.get(); }
  workspace& operator*() const { return *leased_; }

  /// Flags may be set from now on: the lease clears them all at its end ...
  void begin_marking() { is_marked_ = true; }
  /// ... unless the user has cleared those that it set.
  void all_cleared() { is_marked_ = false; }

 private:
  workspace_pool& pool_;
  bool is_marked_ = false;
  std::unique_ptr<workspace> leased_;
};

}  // namespace tropic::detail
