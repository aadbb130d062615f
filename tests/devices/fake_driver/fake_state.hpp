// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of the fake driver: contexts, streams with their enqueued work, blocks, modules.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emulation.hpp"

namespace tropic::testing {

// Handles are the addresses of these.
struct fake_stream {
  int device;
  std::deque<std::function<void()>> work;
};
struct fake_event {
  int device;
  fake_stream* of = nullptr;        // that of the last record
  std::shared_ptr<bool> reached{};  // by its stream
};
struct fake_function {
  std::string name;
  int most_local_bytes = 48 << 10;                    // dynamic ones that a launch may ask for
  std::shared_ptr<const emulated_program> program{};  // null: a function of the test, if any
  emulated_program::call call = nullptr;
  std::vector<std::size_t> sizes{};
};
struct fake_module {
  std::string image;
  std::shared_ptr<const emulated_program> program;
  std::map<std::string, std::unique_ptr<fake_function>> functions;
};
struct fake_context {
  int device;
  int retained = 0;
  int broken = 0;  // status of every call in it
};

inline constexpr int devices = 2;
enum : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  invalid_handle = 400,
  not_found = 500,
  not_supported = 801
};

struct kernel_definition {
  std::vector<std::size_t> sizes;
  void (*run)(void**);
};

inline int number_in(const char* variable, int otherwise) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? otherwise : std::atoi(value);
}

struct fake_state {
  std::recursive_mutex mutex;
  // For programs that do not know that the driver is a fake; a test resets it.
  std::size_t memory = std::size_t{64} << 20;
  int capability = number_in("TROPIC_FAKE_CAPABILITY", 90);
  fake_context contexts[devices] = {{0}, {1}};
  std::map<std::uintptr_t, std::pair<int, std::size_t>> blocks;  // device, bytes
  std::size_t used[devices] = {};
  std::set<fake_stream*> streams;
  std::set<fake_event*> events;
  std::set<fake_module*> modules;
  std::map<std::string, kernel_definition> kernels;
  std::map<std::string, std::pair<int, int>>
      failures;  // function: number of calls until the failure, status
  std::map<std::string, long> calls;
  int pending_failure = success;
  int misuses = 0;
};
inline fake_state& state() {
  static fake_state* result = new fake_state;
  return *result;
}
inline thread_local fake_context* current = nullptr;

}  // namespace tropic::testing
