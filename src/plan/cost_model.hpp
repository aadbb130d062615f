// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost of a product as a linear model: the sum over events of their number times their cost.
// The numbers follow from the inspection; the costs are measured on the device with products of
// synthetic matrices (calibration.hpp). docs/plan.md has a worked example.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backends/kernel_info.hpp"
#include "plan/inspection.hpp"

namespace tropic::detail {

/// The events that are counted for a call.
enum class cost_term : std::size_t {
  call,             // 1: launches, allocations, the epilogue
  row,              // rows of the output
  row_start,        // starts of subgroups on rows or strips, each a chain of dependent loads;
                    // a push on a CPU: steps of searches
  entry,            // entries read, with padding
  lane_step,        // steps of work-items, including waits for a longer row of the subgroup;
                    // a push on a CPU: outputs
  cache_line,       // cache lines of the matrix that a subgroup reads from in those steps
  reuse_miss_32,    // parts of x that 32 consecutive entries do not share: loads of a subgroup
  reuse_miss_4096,  // ... that 4,096 consecutive entries do not share
  miss_512k,        // parts of x beyond a cache of 512 KB
  miss_8m,          // ... of 8 MB
  miss_32m,         // ... of 32 MB
  critical_path,    // additions in the longest chain of dependent ones
  far_byte,         // bytes of the matrix beyond 32 MB, which come from memory in each call
  parallel_region,  // CPU: 1 if several threads share the work and have to be woken
  length_change,    // CPU: rows whose length differs from the row before: branch mispredictions
};
inline constexpr std::size_t cost_terms = 15;
using term_values = std::array<double, cost_terms>;
std::string_view name_of(cost_term);

/// The widths in bytes of what a product reads and writes beside columns and offsets.
struct product_traits {
  std::size_t a_bytes = 0;  // of a value; 0: not read, or one for all entries
  std::size_t x_bytes = 0;  // 0: not read
  std::size_t z_bytes = 0;
  bool exits_early = false;    // a row ends at its first match
  bool adds_in_order = false;  // a device cannot push by atomics
  bool compares = false;       // its add is a floating-point minimum or maximum
  bool x_is_boolean = false;

  bool operator==(const product_traits&) const = default;
};

/// The number of events of each kind in a call. `columns_are_hot`: columns are in descending order
/// of their number of entries.
term_values terms_of(const kernel_info&, const work_mapping&, const inspected_pattern&,
                     const product_traits&, bool columns_are_hot = false);
/// The events of a conversion: only call, row, entry, reuse_miss_4096 and miss_8m.
term_values conversion_terms(const inspected_pattern&);

/// The events of permuting a full vector of `size` values.
term_values gather_terms(index_t size, std::size_t value_bytes);

/// The cost of each event in seconds, for one kernel and values of up to 4 bytes or of more.
struct kernel_costs {
  term_values call{}, conversion{};
  double floor = 0;  // minimum seconds of a call: the host's part, which overlaps with the device's
  double compares = 1;  // CPU: factor for sums that are comparisons

  double seconds_of_call(const term_values& count, double factor = 1) const;
};
/// A product that was measured for the fit.
struct cost_observation {
  std::string key;         // of its constants
  std::size_t matrix = 0;  // among calibration_matrices
  work_mapping mapping;
  double call = 0, conversion = 0;                      // seconds
  double call_predicted = 0, conversion_predicted = 0;  // predicted by the constants
};

struct cost_constants {
  std::string device;                           // identity
  std::string origin;                           // for people: the origin of the constants
  double seconds = 0;                           // duration of the measurement
  double noise = 0;                             // relative difference of repeated measurements
  double transfer_call = 0, transfer_byte = 0;  // to the device
  std::map<std::string, kernel_costs, std::less<>> of;  // "csr_vector/4"
  std::vector<cost_observation> observed;               // only if they were measured just now

  static std::string key(std::string_view kernel, std::size_t z_bytes);
  /// The key of a kernel's constants for such a product. Separate constants exist for a push with
  /// ordered sums, for rows that end at their first match, and for sums that are comparisons if the
  /// kernel asks for it.
  static std::string name_of(const kernel_info&, const product_traits&);
  const kernel_costs* find(std::string_view kernel, std::size_t z_bytes) const;
};

double seconds_of(const term_values& seconds_per_count, const term_values& count);

/// The non-negative cost of each event for which the predictions from `counts` are closest to the
/// measured seconds, in relative terms (least squares by coordinate descent).
term_values fitted(const std::vector<term_values>& counts, const std::vector<double>& seconds);
/// The same for calls. Calls near the floor only limit the costs.
kernel_costs fitted_calls(const std::vector<term_values>& counts,
                          const std::vector<double>& seconds, double floor);

}  // namespace tropic::detail
