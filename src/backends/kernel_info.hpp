// SPDX-License-Identifier: Apache-2.0
#pragma once

// A kernel of `multiply` as plans, the cost model, calibration and reports see it: a row of its
// backend's table. What depends on a kernel is a field or a function of its row; names are compared
// only where a user's text is parsed (scripts/check-kernel-names).

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <tropic/semirings/types.hpp>

namespace tropic::detail {

struct matrix_base;
struct inspected_pattern;
struct call_features;

/// What a kernel gives to a work-item, or to several of them together.
enum class work_unit : std::uint8_t {
  row,       // of the output
  strip,     // of rows beside each other
  entry,     // of the matrix, wherever rows begin
  frontier,  // a row of the transpose where u has an entry: a push
};
std::string_view name_of(work_unit);

/// How a kernel divides a matrix among work-items, as far as costs depend on it
/// (src/plan/cost_model.hpp).
struct work_mapping {
  work_unit unit = work_unit::row;
  std::uint32_t subgroup_size = 0;  // work-items that wait for each other; 0: the CPU's
  std::uint32_t lanes = 1;          // of them, those of one row
  std::uint32_t strip_rows = 1;     // rows a strip
  std::uint32_t slots = 0;          // words of a row in a tile, of strips that are padded; 0: none
  std::uint32_t row_multiple = 1;   // entries of a row are padded to a multiple of it
  bool orders_columns = false;      // copies u to the order of columns by frequency in each call
  std::uint64_t hub_columns = 0;    // those of the most entries, whose values of u are staged
};

struct kernel_info;

/// The time of a call as that of another kernel of the table times a factor.
struct relative_cost {
  const kernel_info* to = nullptr;  // null: constants of its own
  double (*factor)(const inspected_pattern&, const work_mapping&) = nullptr;
};

struct kernel_info {
  std::string_view name;
  work_unit unit = work_unit::row;
  /// The sum of a row ends where a terminal value is met.
  bool exits_early = false;
  /// Takes another time where sums are comparisons: it has constants of its own for those.
  bool compares_apart = false;
  /// Of mxm: computes entries of a mask that is not complemented.
  bool needs_mask = false;
  /// Reads only the entries of rows that the mask wants, which it lists.
  bool lists_rows = false;
  /// Reads CSR entry by entry: columns by descending number of entries keep what is read of u
  /// together.
  bool suits_frequency_order = false;
  /// Reads u as if its columns were in the order of frequency, whatever their order is.
  bool has_frequency_order = false;
  /// Holds u as bits: suits products of booleans, and those that read only where u has entries.
  bool reads_bits = false;
  /// Microseconds of a call (or another unit, the same for all kernels of the backend) from what
  /// is known without an inspection; infinite: not now. Null: only an inspection chooses it.
  double (*quick_cost)(const call_features&, index_t expected_calls) = nullptr;
  /// For plans, if what calibration measures is too small to show what the kernel gains.
  relative_cost relative{};
  /// Why it cannot, or should not, run over a matrix; empty: it can. Null: it always can.
  std::string (*why_not)(const matrix_base&, const inspected_pattern&,
                         const work_mapping&) = nullptr;
};

/// Rows of a table: they live as long as the backend.
using kernel_table = std::span<const kernel_info* const>;

/// The row of that name; null where there is none.
const kernel_info* find_row(kernel_table, std::string_view name);
/// All names, in their order, with `separator` between them.
std::string names_of(kernel_table, std::string_view separator = " ");

}  // namespace tropic::detail
