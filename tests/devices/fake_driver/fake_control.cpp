// SPDX-License-Identifier: Apache-2.0

// How tests control the fake driver.

#include "fake_driver.hpp"

#include <cstdlib>

#include "fake_state.hpp"

using namespace tropic::testing;

extern "C" {

extern const tropic::testing::fake_control tropic_fake_control;
const tropic::testing::fake_control tropic_fake_control = {
    .reset =
        [](std::size_t memory) {
          fake_state& s = state();
          const std::lock_guard lock(s.mutex);
          for (const auto& [at, block] : s.blocks) std::free(reinterpret_cast<void*>(at));
          for (fake_stream* stream : s.streams) delete stream;
          for (fake_event* event : s.events) delete event;
          for (fake_module* module : s.modules) delete module;
          s.blocks.clear();
          s.streams.clear();
          s.events.clear();
          s.modules.clear();
          s.kernels.clear();
          s.failures.clear();
          s.calls.clear();
          for (int d = 0; d < devices; ++d) s.used[d] = 0, s.contexts[d] = {d};
          s.pending_failure = success;
          s.misuses = 0;
          s.capability = 90;
          s.memory = memory;
          current = nullptr;
        },
    .fail =
        [](const char* function, int nth, int status) {
          const std::lock_guard lock(state().mutex);
          state().failures[function] = {nth, status};
        },
    .fail_kernels =
        [](int status) {
          const std::lock_guard lock(state().mutex);
          state().pending_failure = status;
        },
    .define_kernel =
        [](const char* name, std::vector<std::size_t> sizes, void (*function)(void**)) {
          const std::lock_guard lock(state().mutex);
          state().kernels[name] = {std::move(sizes), function};
        },
    .set_capability = [](int capability) { state().capability = capability; },
    .calls =
        [](const char* function) {
          const std::lock_guard lock(state().mutex);
          return state().calls[function];
        },
    .used =
        [](int device) {
          const std::lock_guard lock(state().mutex);
          return state().used[device];
        },
    .alive =
        [] {
          fake_state& s = state();
          const std::lock_guard lock(s.mutex);
          std::size_t count =
              s.blocks.size() + s.streams.size() + s.events.size() + s.modules.size();
          for (const fake_context& c : s.contexts) count += static_cast<std::size_t>(c.retained);
          return count;
        },
    .misuses =
        [] {
          const std::lock_guard lock(state().mutex);
          return state().misuses;
        },
};

}  // extern "C"
