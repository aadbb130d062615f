// SPDX-License-Identifier: Apache-2.0
#pragma once

// The contexts that backend tests are instantiated for.

#include <memory>
#include <string>
#include <vector>

#include <tropic/context.hpp>

namespace tropic::testing {

/// Names suitable for test names: the backends, and the CPU with one, two and three threads.
const std::vector<std::string>& context_names();

/// The context of that name, or, if this machine does not have it, null and the reason.
struct found_context {
  std::unique_ptr<context> where;
  std::string reason;
};
/// Whether the context is an OpenCL one on PoCL, which compiles slowly.
bool is_on_pocl(const context&);

/// The kernels of a context's products in all variants; those of devices with tiles so small that a
/// few hundred entries cross every boundary.
std::vector<std::string> kernels_under_test(const context&);

/// The name determines options.threads.
found_context make_context(const std::string& name, context_options options = {});

}  // namespace tropic::testing
