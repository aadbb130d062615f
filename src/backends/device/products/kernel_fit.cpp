// SPDX-License-Identifier: Apache-2.0
#include "backends/device/products/kernel_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/device/formats/format_cache.hpp"
#include "backends/device/formats/slices.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/kernel_limits.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/device/products/quick_costs.hpp"
#include "backends/inspected_pattern.hpp"
#include "text/numbers.hpp"

namespace tropic::detail {
namespace {

// No more than local memory holds, and than there are columns.
void limit_hubs(kernel_config& chosen, const device_traits& device, std::size_t vector_bytes,
                const matrix_base& m) {
  chosen.hubs = std::min(chosen.hubs, most_hubs(device, vector_bytes));
  const std::uint64_t all = divide_up(static_cast<std::uint64_t>(m.columns), chosen.hubs);
  chosen.hub_parts = static_cast<std::uint32_t>(std::min<std::uint64_t>(chosen.hub_parts, all));
}

// Of the entries, in the columns that the parts of csr_hubs hold.
double share_of_hubs(const inspected_pattern& m, const work_mapping& mapping) {
  const auto columns = static_cast<double>(mapping.hub_columns);
  return 1 - m.misses_of_cache(columns / static_cast<double>(pattern_counts::segment), true);
}

}  // namespace

// --- what rules a kernel out ---------------------------------------------------------------------

std::string why_no_dense_blocks(const matrix_base&, const inspected_pattern& m,
                                const work_mapping&) {
  if (m.summary.dense_share >= 0.5) return {};
  return fmt::format("{:.0f} % of the entries are in full segments of 8, blocks need 50 %",
                     100 * m.summary.dense_share);
}

std::string why_not_in_strips(const matrix_base& a, const inspected_pattern& m,
                              const work_mapping& mapping) {
  const strip_layout layout{.height = mapping.strip_rows,
                            .tile = mapping.slots > 0 ? mapping.subgroup_size : 0,
                            .slots = mapping.slots};
  if (std::string why = why_no_strips(a, layout); !why.empty()) return why;
  if (mapping.slots == 0) return {};
  if (const double words = expected_padding(m, mapping); words > 2)
    return fmt::format("padding would make {:.1f} words of an entry, the limit is 2", words);
  return {};
}

std::string why_no_hubs(const matrix_base& a, const inspected_pattern& m,
                        const work_mapping& mapping) {
  // Below, staging takes as long as the gathers that it saves (docs/performance.md).
  constexpr hub_limits limits;
  if (a.nnz < limits.least_entries)
    return fmt::format("there are {} entries, hubs need {}", a.nnz, limits.least_entries);
  const double share = share_of_hubs(m, mapping);
  if (share >= limits.least_share) return {};
  return fmt::format("{:.0f} % of the entries are in the {} fullest columns, hubs need {:.0f} %",
                     100 * share, grouped(static_cast<index_t>(mapping.hub_columns)),
                     100 * limits.least_share);
}

double factor_of_hubs(const inspected_pattern& m, const work_mapping& mapping) {
  return device_costs::hub_factor(share_of_hubs(m, mapping));
}

// With values, four bytes of a column are read where a distance takes two.
std::string why_no_bits(const matrix_base& a, const inspected_pattern&, const work_mapping&) {
  return a.iso ? "" : "the matrix has a value for each entry";
}

std::string why_not_planned(const matrix_base&, const inspected_pattern&, const work_mapping&) {
  return "it lists the rows that a mask wants, which plans do not know";
}

// --- kernels that cannot hold a matrix -----------------------------------------------------------

// Segmented sums number rows in 32 bits, from 1, and lists of rows count them.
const device_kernel* without_row_numbers(format_cache&, product_call& c, std::string&) {
  return c.m.rows == largest_dimension ? &kernels::csr_vector : nullptr;
}

const device_kernel* without_blocks(format_cache& formats, product_call& c, std::string& why) {
  if (c.chosen.block.rows == 0) c.chosen.block = formats.best_blocks(c.m);
  if (c.chosen.block.rows != 0) return nullptr;
  why = "no dense blocks that save bytes";
  return &kernels::csr_vector;
}

const device_kernel* without_strips(format_cache&, product_call& c, std::string& why) {
  why = why_no_strips(c.m, c.chosen.layout());
  return why.empty() ? nullptr : &kernels::csr_vector;
}

const device_kernel* without_padding(format_cache& formats, product_call& c, std::string& why) {
  if (const device_kernel* other = without_strips(formats, c, why)) return other;
  const double words = formats.overhead(c.m, c.chosen.layout());
  if (words <= c.chosen.overhead) return nullptr;
  why = fmt::format("padding would make {:.3g} words of an entry, the limit is {}", words,
                    c.chosen.overhead);
  return &kernels::cmrs;
}

// Converts the matrix to the slices of csr_hubs or csr_bits.
const device_kernel* without_slices(format_cache& formats, product_call& c, std::string& why) {
  // Where it is evicted, it has to be earned again.
  if (!formats.has_hubs(c.m, c.chosen.hubs_layout()))
    c.m.derived->device_pulls.store(0, std::memory_order_relaxed);
  try {
    c.kept = formats.hubs(c.m, c.chosen.hubs_layout());
    return nullptr;
  } catch (const out_of_memory&) {
    formats.forget_hubs(c.m, c.chosen.hubs_layout());
    why = "no memory for its format";
    return &kernels::csr_segmented;
  }
}

// Numbers of columns are not kept, and products of a row are not summed in the order of columns.
const device_kernel* without_hubs(format_cache& formats, product_call& c, std::string& why) {
  const semiring_description& s = c.p.semiring;
  const device_traits& device = formats.device().traits();
  if (s.multiply.syntax->positional() || s.exits_at_first_product || !are_few_entries({&c.m}) ||
      c.m.columns >= largest_dimension || group_of_hubs(device) < slice_rules::lanes)
    return &kernels::csr_vector;
  limit_hubs(c.chosen, device, c.uses_vector() ? c.u.type->size : 1, c.m);
  return without_slices(formats, c, why);
}

// Nor is the order of columns kept where a row ends at its first product.
const device_kernel* without_bits(format_cache& formats, product_call& c, std::string& why) {
  const semiring_description& s = c.p.semiring;
  if (!takes_bits(s, c.p.vector_first) && !s.multiply.syntax->positional())
    why = "values of u that are read are no booleans";
  if (!takes_bits(s, c.p.vector_first) ||
      (s.exits_at_first_product && (c.uses_vector() || c.uses_matrix())) ||
      !are_few_entries({&c.m}) ||
      bits_of_columns(static_cast<std::uint64_t>(c.m.columns)) >> 32 != 0 ||
      group_of_hubs(formats.device().traits()) < slice_rules::lanes)
    return &kernels::csr_vector;
  return without_slices(formats, c, why);
}

// --- products ------------------------------------------------------------------------------------

bool suits_hubs(const semiring_description& semiring, bool vector_first) {
  const operator_description& multiply = semiring.multiply;
  const bool uses_vector = vector_first ? multiply.uses_x() : multiply.uses_y();
  return uses_vector && !multiply.syntax->positional() && !exits_early(semiring);
}
bool suits_hubs(const product& p) {
  return suits_hubs(p.semiring, p.vector_first) &&
         (fills_gaps(p) || !device_costs::is_thin(p.input.nvals, p.input.size));
}

bool takes_bits(const semiring_description& semiring, bool vector_first) {
  const operator_description& multiply = semiring.multiply;
  const bool uses_vector = vector_first ? multiply.uses_x() : multiply.uses_y();
  const type_description& type = vector_first ? semiring.a() : semiring.x();
  return !multiply.syntax->positional() && (!uses_vector || type.code == type_code::boolean);
}
bool gains_by_bits(const product& p) {
  const operator_description& multiply = p.semiring.multiply;
  const bool uses_vector = p.vector_first ? multiply.uses_x() : multiply.uses_y();
  return p.matrix.iso && takes_bits(p.semiring, p.vector_first) && !exits_early(p.semiring) &&
         (uses_vector || p.input.nvals < p.input.size);
}

bool fills_gaps(const product& p) {
  const semiring_description& s = p.semiring;
  return p.neutral_is_none && s.add.has_identity && !exits_early(s) &&
         (p.vector_first ? s.annihilates_left : s.annihilates_right) &&
         s.z().code != type_code::record && p.input.type->code == s.z().code;
}

hub_layout usual_hub_layout(const device_traits& device, const product& p, const matrix_base& m) {
  if (gains_by_bits(p))
    return complete({.kernel = &kernels::csr_bits}, device, p.semiring.z().size, m).hubs_layout();
  kernel_config chosen = complete({.kernel = &kernels::csr_hubs}, device, p.semiring.z().size, m);
  const operator_description& multiply = p.semiring.multiply;
  const bool uses_vector = p.vector_first ? multiply.uses_x() : multiply.uses_y();
  limit_hubs(chosen, device, uses_vector ? p.input.type->size : 1, m);
  return chosen.hubs_layout();
}

}  // namespace tropic::detail
