// SPDX-License-Identifier: Apache-2.0
#pragma once

// A context of a runtime that the test made: of a device with less than this machine's, say.

#include <tropic/context.hpp>

#include "backends/device/backend.hpp"

namespace tropic::testing {

inline context context_on(const std::shared_ptr<detail::device_runtime>& runtime,
                          context_options options = {}) {
  const context made = context::cpu(std::move(options));
  detail::context_state& state = *made.state();
  state.device_memory = std::make_unique<detail::device_memory>(runtime);
  state.executor = std::make_shared<detail::device_backend>(state, runtime);
  return made;
}

}  // namespace tropic::testing
