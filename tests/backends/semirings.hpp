// SPDX-License-Identifier: Apache-2.0
#pragma once

// The semirings of the backend tests: every built-in one over every type, user-defined ones (mixed
// types, positions, a 16-byte record), and ones given as text, which run without compiled kernels.

#include <string>
#include <vector>

#include <tropic/semirings/semiring.hpp>

#include "support/host_data.hpp"

namespace tropic::testing {

struct test_semiring {
  std::string name;
  semiring_description description;
  flavour values = flavour::small;

  bool takes_any() const { return description.add.terminal_value == terminal::any_value; }
};

const std::vector<test_semiring>& all_semirings();

/// The six that are tested with all combinations of options.
const std::vector<test_semiring>& adversarial_semirings();

/// A non-commutative operator over one type: 1 compiled, 2 given as text.
operator_description accumulator_of(int level, const type_description& type);

}  // namespace tropic::testing
