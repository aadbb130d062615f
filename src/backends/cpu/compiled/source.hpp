// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tropic/semirings/semiring.hpp>

namespace tropic::detail::on_cpu {

/// A C11 program of the product kernels of a semiring without parameters. It includes headers of C
/// only; products.kernel says what it exports.
std::string c_source(const semiring_description& semiring);

}  // namespace tropic::detail::on_cpu
