// SPDX-License-Identifier: Apache-2.0
#pragma once

// The input of each algorithm, for its command and its benchmark.

#include <string>

#include "cli/input/load.hpp"

namespace tropic::cli {

/// The pattern.
inline load_options bfs_input(const std::string& file) {
  load_options options;
  options.file = file;
  options.ignore_values = true;
  return options;
}

/// Weights: int64 if the file has integers, or no values (all weights are 1); fp64 for real values.
inline load_options sssp_input(const std::string& file) {
  load_options options;
  options.file = file;
  options.weighted = true;
  options.refuse_nan = true;
  options.type = [](type_code found) {
    return is_floating(found) ? type_code::fp64 : type_code::int64;
  };
  return options;
}

/// The pattern, or nonnegative weights.
inline load_options pagerank_input(const std::string& file, bool weighted) {
  load_options options;
  options.file = file;
  options.ignore_values = !weighted;
  options.weighted = weighted;
  options.refuse_nan = options.refuse_negative = true;
  options.type = [](type_code) { return type_code::fp64; };
  return options;
}

}  // namespace tropic::cli
