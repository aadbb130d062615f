// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files of this folder that devices compile, carried in the library (embed.cmake).

#include <string_view>

namespace tropic::detail {

/// The text of "csr_scalar.kernel", "dialect_opencl.h", ...; empty where there is no such file.
std::string_view kernel_text(std::string_view file);

}  // namespace tropic::detail
