// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inspects a matrix: has its backend count, and derives the features.

#include <memory>

#include <tropic/detail/containers.hpp>

#include "backends/inspected_pattern.hpp"

namespace tropic::detail {

/// Kept with the matrix; of many entries an eighth, of more a million.
std::shared_ptr<const inspected_pattern> inspect_matrix(const matrix_base&);
/// The same of every entry, for people: a part says little of where entries are.
std::shared_ptr<const inspected_pattern> inspect_all(const matrix_base&);
/// Of every entry, not kept.
inspected_pattern inspect_whole(const matrix_base&);

/// -sum p log2 p over sizes, of which a histogram says how many there are.
double entropy_of(const size_histogram&);
/// A summary of a histogram; `of` items.
length_summary summary_of(const size_histogram&);

}  // namespace tropic::detail
