// SPDX-License-Identifier: Apache-2.0
#pragma once

// A list of the programs that CUDA contexts ask for, to be compiled ahead (`tropic precompile`).

#include "backends/device/program/program.hpp"

namespace tropic::detail {

/// Appends the program's line (request_text.hpp) to the file $TROPIC_PROGRAM_LIST, if that is set.
/// Programs without a line are left out; so is everything if the file cannot be written.
void record_program(const program_request&);

}  // namespace tropic::detail
