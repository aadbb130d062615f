// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tropic/context.hpp>
#include <tropic/detail/buffer.hpp>
#include <tropic/detail/threads.hpp>
#include <tropic/error.hpp>

#include "containers/independent_run.hpp"
#include "containers/memory/memory.hpp"

namespace tropic::detail {

class backend;  // src/backends/backend.hpp
struct derived_copies;

/// What a context owns. Containers keep it alive.
struct context_state : std::enable_shared_from_this<context_state> {
  explicit context_state(context_options given, std::size_t limit)
      : options(std::move(given)), account(limit) {}

  std::string name;
  context_options options;
  int usual_threads = 1;
  int process = process_generation();  // of the process that created the context
  memory_account account;
  /// Null where the device is the host.
  std::unique_ptr<memory_resource> device_memory;
  std::shared_ptr<backend> executor;
  /// Conversions that may be dropped when memory runs short (src/containers/memory/eviction.cpp).
  std::mutex derived_mutex;
  std::vector<std::weak_ptr<derived_copies>> derived;

  /// Whether this process is a fork of the one that made the context. OpenMP's threads and those of
  /// drivers do not come along: a CPU goes on with one thread, a device cannot be used.
  bool is_forked() const { return process != process_generation(); }
  int threads() const { return is_forked() ? 1 : usual_threads; }

  void log(std::string_view message) const {
    if (!options.log) return;
    if (independent_run* run = this_independent_run())
      run->notices.emplace_back(message);
    else
      options.log(message);
  }
  bool is_cancelled() const {
    if (checks != nullptr && ++checks->seen == checks->cancel_at) options.cancel.cancel();
    return options.cancel.is_cancelled();
  }
  /// Tests: counts the checks of the cancel token, and sets it at one of them.
  struct counted_checks {
    std::atomic<std::size_t> seen{0};
    std::size_t cancel_at = 0;  // from 1; 0: never
  };
  counted_checks* checks = nullptr;
};

}  // namespace tropic::detail
