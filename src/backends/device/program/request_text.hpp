// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program_request as one line of text, and back, so that a list of programs can be kept in a file
// and compiled where no operation asks for them (precompiled_programs.hpp). A line is nested lists:
//
//   (program "csr_vector" (constants T_SHUFFLE 1) (semiring 0 (operator ...) (monoid ...) 0))
//
// Values of bound operands and of parameters are not part of a program, nor of a line.

#include <memory>
#include <string>
#include <string_view>

#include "backends/device/program/program.hpp"

namespace tropic::detail {

/// Empty for a kernel that has its own text, and for an add operator with parameters, whose values
/// are part of the program.
std::string line_of(const program_request&);

/// What a line describes, with all that it refers to.
class listed_request {
 public:
  /// Throws error, with the line, if it is none that line_of() writes.
  explicit listed_request(std::string_view line);
  ~listed_request();
  listed_request(listed_request&&) noexcept;

  const program_request& get() const;

 private:
  struct contents;
  std::unique_ptr<contents> contents_;
};

}  // namespace tropic::detail
