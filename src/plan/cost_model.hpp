// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a product costs, as a sum: each kernel does so many of a few things, and each of them takes
// a device so many seconds. How many follows from the inspection; how long is measured on the
// device by products of made matrices (calibration.hpp). docs/plan.md has a worked example.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backends/kernel_info.hpp"
#include "plan/inspection.hpp"

namespace tropic::detail {

/// What is counted of a call.
enum class cost_term : std::size_t {
  call,             // 1: launches, allocations, the epilogue
  row,              // rows of the output
  row_start,        // of subgroups, on rows or a strip: a chain of dependent loads each; a CPU's
                    // push: steps of searches
  entry,            // entries read, with padding
  lane_step,        // steps of work-items, with those that wait for a longer row of their subgroup;
                    // a CPU's push: outputs
  cache_line,       // lines of the matrix' arrays that those steps of a subgroup read from
  reuse_miss_32,    // parts of x that 32 entries in a row do not share: what a subgroup asks for
  reuse_miss_4096,  // ... that 4,096 do not share
  miss_512k,        // parts of x that a cache of 512 KB does not hold
  miss_8m,          // ... of 8 MB
  miss_32m,         // ... of 32 MB
  critical_path,    // sums of the longest chain that wait for each other
  far_byte,         // bytes of the matrix beyond 32 MB: they come from memory each time
  parallel_region,  // a CPU: 1 where threads share the work, which have to be woken
  length_change,    // a CPU: rows of another length than the one before: a branch misprediction
};
inline constexpr std::size_t cost_terms = 15;
using term_values = std::array<double, cost_terms>;
std::string_view name_of(cost_term);

/// What the cost of a product depends on besides the matrix: bytes of each value that it reads or
/// writes, and how it sums.
struct product_traits {
  std::size_t a_bytes = 0;  // of a value; 0: not read, or one for all
  std::size_t x_bytes = 0;  // 0: not read
  std::size_t z_bytes = 0;
  bool stops_early = false;    // a row ends at its first hit
  bool adds_in_order = false;  // a device cannot push by atomics
  bool compares = false;       // its add is a minimum or maximum of floating numbers

  bool operator==(const product_traits&) const = default;
};

/// How often a call does each of them. `columns_are_hot`: those of the matrix by descending number
/// of entries.
term_values terms_of(const kernel_info&, const work_mapping&, const inspected_pattern&,
                     const product_traits&, bool columns_are_hot = false);
/// What a conversion does: terms call, row, entry, piece_miss and miss_8m alone.
term_values conversion_terms(const inspected_pattern&);

/// What putting a full vector of `size` values in another order does.
term_values gather_terms(index_t size, std::size_t value_bytes);

/// Seconds of each term, of a kernel and for values of up to 4 bytes or of more.
struct kernel_costs {
  term_values call{}, conversion{};
  double floor = 0;  // seconds that a call takes at least: the host's part, at whose side it runs
  double compares = 1;  // a CPU's sums: times as long where they are comparisons

  double seconds_of_call(const term_values& count, double factor = 1) const;
};
/// A product that was measured to find them.
struct cost_observation {
  std::string key;         // of its constants
  std::size_t matrix = 0;  // among calibration_matrices
  work_mapping mapping;
  double call = 0, conversion = 0;                      // seconds
  double call_predicted = 0, conversion_predicted = 0;  // by the constants
};

struct cost_constants {
  std::string device;                                   // identity
  std::string origin;                                   // for people: where they come from
  double seconds = 0;                                   // that measuring them took
  double noise = 0;                                     // of a time measured twice, relative
  double transfer_call = 0, transfer_byte = 0;          // to the device
  std::map<std::string, kernel_costs, std::less<>> of;  // "csr_vector/4"
  std::vector<cost_observation> observed;               // where they were measured just now

  static std::string key(std::string_view kernel, std::size_t z_bytes);
  /// What a kernel's constants are called for such a product: a push with sums in order is another
  /// kernel, rows that end at their first hit have others, and so have those of kernels that
  /// compare apart.
  static std::string name_of(const kernel_info&, const product_traits&);
  const kernel_costs* find(std::string_view kernel, std::size_t z_bytes) const;
};

double seconds_of(const term_values& each, const term_values& count);

/// Seconds of each term, none below zero, by which `counts` come nearest to the seconds that were
/// measured, in relative terms (least squares by coordinate descent).
term_values fitted(const std::vector<term_values>& counts, const std::vector<double>& seconds);
/// The same of calls, of which those near the floor tell no more than that they are.
kernel_costs fitted_calls(const std::vector<term_values>& counts,
                          const std::vector<double>& seconds, double floor);

}  // namespace tropic::detail
