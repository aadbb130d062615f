// SPDX-License-Identifier: Apache-2.0
#pragma once

// The contexts that backend tests are instantiated for.

#include <memory>
#include <string>
#include <vector>

#include <tropic/context.hpp>

namespace tropic::testing {

/// Names, fit for a test's name: the backends, and the CPU with one, two and three threads.
const std::vector<std::string>& context_names();

/// The context of that name, or nothing and the reason, where this machine does not have it.
struct found_context {
  std::unique_ptr<context> where;
  std::string reason;
};
/// Whether the context is an OpenCL one on PoCL, which compiles slowly.
bool is_on_pocl(const context&);

/// The kernels of a context's products, those of devices with tiles so small that some hundred
/// entries cross every boundary, and in all their variants.
std::vector<std::string> kernels_under_test(const context&);

/// The threads of `options` are those that the name says.
found_context make_context(const std::string& name, context_options options = {});

}  // namespace tropic::testing
