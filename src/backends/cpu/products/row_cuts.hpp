// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/detail/cpu/kernel_arguments.hpp>

#include "containers/integers.hpp"

namespace tropic::detail {

/// The first row at which rows + entries reach `weight`.
inline std::size_t row_at(const product_arguments& arguments, std::size_t rows,
                          std::size_t weight) {
  return partition_point(0, rows,
                         [&](std::size_t row) { return row + arguments.offset(row) < weight; });
}

}  // namespace tropic::detail
