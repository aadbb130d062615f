// SPDX-License-Identifier: Apache-2.0
#pragma once

// What each algorithm asks of the graph that it runs on, be it the algorithm's command or its
// benchmark.

#include <string>

#include "cli/input/load.hpp"

namespace tropic::cli {

/// A pattern.
inline load_options bfs_input(const std::string& file) {
  load_options wanted;
  wanted.file = file;
  wanted.ignore_values = true;
  return wanted;
}

/// Weights: int64 where the file holds integers or no values, which makes them 1; fp64 for real
/// ones.
inline load_options sssp_input(const std::string& file) {
  load_options wanted;
  wanted.file = file;
  wanted.weighted = true;
  wanted.refuse_nan = true;
  wanted.type = [](type_code found) {
    return is_floating(found) ? type_code::fp64 : type_code::int64;
  };
  return wanted;
}

/// A pattern, or weights that are not negative.
inline load_options pagerank_input(const std::string& file, bool weighted) {
  load_options wanted;
  wanted.file = file;
  wanted.ignore_values = !weighted;
  wanted.weighted = weighted;
  wanted.refuse_nan = wanted.refuse_negative = true;
  wanted.type = [](type_code) { return type_code::fp64; };
  return wanted;
}

}  // namespace tropic::cli
