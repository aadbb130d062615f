// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inspects a matrix: has its backend count, and derives the features.

#include <memory>

#include <tropic/detail/containers.hpp>

#include "backends/inspected_pattern.hpp"

namespace tropic::detail {

/// Over a sample: a twelfth of the entries, at least 2^13 and at most 2^20. Kept with the matrix.
std::shared_ptr<const inspected_pattern> inspect_matrix(const matrix_base&);
/// The same over every entry, for people: a sample says little about where entries are.
std::shared_ptr<const inspected_pattern> inspect_all(const matrix_base&);
/// Over every entry; not kept.
inspected_pattern inspect_whole(const matrix_base&);

/// -sum p log2 p over sizes given by a histogram of them.
double entropy_of(const size_histogram&);
/// A summary of a histogram of `of` items.
length_summary summary_of(const size_histogram&);

}  // namespace tropic::detail
