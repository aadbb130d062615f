// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inspects a matrix: has its backend count, and derives the features.

#include <memory>

#include "backends/backend.hpp"
#include "backends/inspection.hpp"

namespace tropic::detail {

/// Over a sample: a twelfth of the entries, at least 2^13 and at most 2^20. Kept with the matrix.
std::shared_ptr<const matrix_inspection> inspect_matrix(const matrix_base&);
/// The same over every entry, for people: a sample says little about where entries are.
std::shared_ptr<const matrix_inspection> inspect_all(const matrix_base&);
/// Over every entry; not kept.
matrix_inspection inspect_whole(const matrix_base&);

/// -sum p log2 p over sizes given by a histogram of them.
double entropy_of(const size_histogram&);
/// A summary of a histogram of `of` items.
length_summary summary_of(const size_histogram&);

}  // namespace tropic::detail
