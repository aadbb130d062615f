// SPDX-License-Identifier: Apache-2.0
#pragma once

// The input of commands that multiply: FILE, a semiring by name or as text, and a fixed vector x.

#include <string>

#include <tropic/detail/containers.hpp>
#include <tropic/semirings/semiring.hpp>

#include "cli/input/load.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

struct semiring_options {
  std::string builtin = "plus_times";
  std::string add, identity, multiply;  // all three or none

  /// --semiring, or --add, --identity and --multiply.
  void add_to(command& target);
  /// Throws usage_error for options that are wrong for every matrix.
  void check(const program& p) const;
  semiring_description over(type_code type) const;
  std::string name() const;
};

struct product_input {
  detail::matrix_base matrix;
  double load_seconds = 0;
  semiring_description semiring;
  /// Full, x(k) = 1 + k mod 7: small integers, so that plus_times over floating-point types is
  /// exact in any order if the matrix has small integers as well.
  detail::vector_base x;
};

/// With `pattern` every value counts as 1.
product_input load_product(const program& p, const context& where, const std::string& file,
                           const semiring_options& wanted, bool pattern = false);

/// Copies the matrix to the device and begins the report of products with it.
report begin_report(const std::string& command, const context& where, const product_input& input,
                    const semiring_options& wanted);

}  // namespace tropic::cli
