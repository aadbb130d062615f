// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pull loop of products on the CPU: parts of equal weight in rows + entries (cf. merge-path,
// Merrill and Garland 2016), cut at rows; a row longer than a part is cut into pieces whose sums
// are combined in order. Parts, and therefore results, do not depend on the number of threads.

#include <cstddef>
#include <functional>

#include <tropic/detail/cpu/kernels.hpp>

#include "backends/product.hpp"

namespace tropic::detail::on_cpu {

struct pull_task {
  const cpu_kernel_table& kernels;
  const product& p;
  const product_arguments& arguments;
  const matrix_base& m;  // the matrix whose rows are output positions
  int threads;
};

/// Called by any thread when rows [begin, end) have their sums; once for every row.
using rows_done = std::function<void(std::size_t begin, std::size_t end)>;

/// Writes arguments.w and w_present; returns how many rows got an entry.
std::size_t pull(const pull_task& task, const rows_done& done = {});

}  // namespace tropic::detail::on_cpu
