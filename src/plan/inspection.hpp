// SPDX-License-Identifier: Apache-2.0
#pragma once

// An inspected matrix: what was counted, and the features that follow from it.

#include <memory>

#include <tropic/features.hpp>

#include "backends/backend.hpp"

namespace tropic::detail {

struct matrix_inspection {
  matrix_statistics counts;
  matrix_features features;

  /// The share of entries that read a part of x which `segments` segments of 8 columns, the ones
  /// most often read, do not hold: what a cache of that size would miss at the least. Columns
  /// beside each other share segments; with `hot_columns` those read most often do.
  double misses_of_cache(double segments, bool hot_columns = false) const;
};

/// Kept with the matrix; of many entries an eighth, of more a million.
std::shared_ptr<const matrix_inspection> inspect_matrix(const matrix_base&);
/// The same of every entry, for people: a part says little of where entries are.
std::shared_ptr<const matrix_inspection> inspect_all(const matrix_base&);
/// Of every entry, not kept.
matrix_inspection inspect_whole(const matrix_base&);

/// -sum p log2 p over sizes, of which a histogram says how many there are.
double entropy_of(const size_histogram&);
/// A summary of a histogram; `of` items.
length_summary summary_of(const size_histogram&);

}  // namespace tropic::detail
