// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device program: tuning constants + dialect + prelude + kernel texts, ready for a compiler.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tropic/semirings/semiring.hpp>

#include "backends/kernels/prelude.hpp"

namespace tropic::detail {

/// What a product kernel is compiled for.
struct program_request {
  std::string_view kernel;                         // "csr_scalar": the file `csr_scalar.kernel`
  const semiring_description* semiring = nullptr;  // null: the kernel knows no values
  bool vector_first = false;                       // multiply(u, a)
  const operator_description* accumulator = nullptr;
  std::vector<std::pair<std::string_view, long>> constants{};  // T_GROUP_SIZE, ...
};

struct device_program {
  std::string text;
  std::string about;  // the user's expressions, for messages
  bool needs_fp64 = false;
  std::vector<std::uint32_t> layout;  // what the kernel t_layout must find; empty: there is none
};

/// Whether a product depends on the output position it goes to.
bool uses_output(const operator_description& multiply, bool vector_first);

/// Throws expression_error where the operators' types do not fit.
device_program make_program(dialect, const program_request&);

/// The words of t_parameters for one call, at least one.
std::vector<std::uint64_t> parameter_words_of(const program_request&);

/// A short key that is equal for requests with equal programs, without writing the text.
std::string request_key(const program_request&);

/// The message of a failed compilation: the user's expressions, then the compiler's log.
std::string compile_error(const device_program&, std::string_view device, std::string_view log);

}  // namespace tropic::detail
