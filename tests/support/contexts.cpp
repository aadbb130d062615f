// SPDX-License-Identifier: Apache-2.0
#include "support/contexts.hpp"

#include <tropic/error.hpp>

namespace tropic::testing {

const std::vector<std::string>& context_names() {
  static const std::vector<std::string> names{"reference", "cpu_1",       "cpu_2",
                                              "cpu_3",     "fake_device", "opencl_0"};
  return names;
}

found_context make_context(const std::string& name) {
  context_options options;
  options.threads = name == "cpu_1" ? 1 : name == "cpu_3" ? 3 : 2;
  try {
    if (name == "reference") return {std::make_unique<context>(context::reference(options)), ""};
    if (name == "fake_device")
      return {std::make_unique<context>(context::fake_device(options)), ""};
    if (name == "opencl_0") return {std::make_unique<context>(context::opencl(0, options)), ""};
    return {std::make_unique<context>(context::cpu(options)), ""};
  } catch (const device_error& e) {
    return {nullptr, e.what()};
  }
}

}  // namespace tropic::testing
