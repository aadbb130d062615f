// SPDX-License-Identifier: Apache-2.0
#pragma once

// A context over a runtime that the test created, for example of a device with reduced memory.

#include <tropic/context.hpp>

#include "backends/device/backend.hpp"

namespace tropic::testing {

inline context context_on(const std::shared_ptr<detail::device_runtime>& runtime,
                          context_options options = {}) {
  const context result = context::cpu(std::move(options));
  detail::context_state& state = *result.state();
  state.device_memory = std::make_unique<detail::device_memory>(runtime);
  state.executor = std::make_shared<detail::device_backend>(state, runtime);
  return result;
}

}  // namespace tropic::testing
