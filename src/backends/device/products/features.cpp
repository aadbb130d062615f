// SPDX-License-Identifier: Apache-2.0

// What plans ask: the features of a call, how a kernel distributes a matrix, and what its format
// takes.

#include <algorithm>
#include <vector>

#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/kept_transpose.hpp"

namespace tropic::detail {
namespace {

// A tile is dirty if an empty row lies between two of its entries.
double share_of_dirty_tiles(const matrix_base& m, std::uint64_t tile) {
  const auto nnz = static_cast<std::uint64_t>(m.nnz);
  if (nnz == 0) return 0;
  std::uint64_t dirty = 0, last = ~std::uint64_t{0};
  auto offset = static_cast<std::uint64_t>(offset_at(m, 0));
  for (index_t row = 0; row < m.rows; ++row) {
    const auto next = static_cast<std::uint64_t>(offset_at(m, row + 1));
    if (next == offset && offset % tile != 0 && offset < nnz && offset / tile != last) {
      last = offset / tile;
      ++dirty;
    }
    offset = next;
  }
  return static_cast<double>(dirty) / static_cast<double>((nnz + tile - 1) / tile);
}

}  // namespace

call_features product_runner::features(const product& p, const vector_rule& rule) {
  call_features f;
  f.on_device = true;
  f.output_size = p.output_size();
  f.input_size = p.input.size;
  f.nnz = p.matrix.nnz;
  f.longest_row = p.matrix.longest_row;
  f.input_nvals = p.input.nvals;
  f.exits_early = exits_early(p.semiring);
  f.compares = sums_compare(p.semiring);
  f.can_push = can_push(device_.traits(), p.semiring);
  f.fills_gaps = fills_gaps(p);
  f.row_width = row_width(p.matrix, device_.traits().subgroup_size);
  f.value_bytes = p.semiring.z().size;
  const bool has_transpose = p.matrix.symmetric || has_kept_transpose(p.matrix);
  f.pull_needs_transpose = !p.rows_are_output() && !has_transpose;
  f.push_needs_transpose = p.rows_are_output() && !has_transpose;
  f.input_edges = std::min(f.nnz, f.input_nvals * f.longest_row);
  f.wanted_edges = f.nnz;
  count_what_is_read(p, rule, f);
  look_for_hubs(p, f);
  return f;
}

// Pulls of large matrices: what few entries of u select is pushed.
bool product_runner::gains_by_mask(const product& p) const {
  const bool can_pull = p.rows_are_output() || p.matrix.symmetric || has_kept_transpose(p.matrix);
  return can_pull && p.matrix.nnz >= edge_limits_.least_entries && !exits_early(p.semiring) &&
         p.input.nvals >= p.input.size / 16;
}

// The columns of a large matrix that is pulled repeatedly are counted once.
void product_runner::look_for_hubs(const product& p, call_features& f) {
  const bool shuffles = device_.traits().exchange == subgroup_exchange::shuffle;
  if (f.nnz < hub_limits_.least_entries || (hub_limits_.needs_shuffles && !shuffles) ||
      f.pull_needs_transpose || !(suits_hubs(p) || gains_by_bits(p)) ||
      !are_few_entries({&p.matrix}))
    return;
  std::shared_ptr<const matrix_base> transpose;
  if (!p.rows_are_output() && !p.matrix.symmetric) {
    const std::lock_guard lock(p.matrix.derived->mutex);
    transpose = p.matrix.derived->transpose;
    if (transpose == nullptr) return;
  }
  const matrix_base& m = transpose != nullptr ? *transpose : p.matrix;
  if (m.columns >= largest_dimension) return;
  const hub_layout layout = usual_hub_layout(device_.traits(), p, m);
  f.pulls = m.derived->device_pulls.load(std::memory_order_relaxed);
  f.takes_bits = gains_by_bits(p);
  f.has_hubs = formats_.has_hubs(m, layout);
  f.hubs_order_all = layout.orders_all;
  if (f.pulls < hub_limits_.pulls_before && !f.has_hubs) return;
  const double share = formats_.share_of_hubs(m, layout);
  if (share >= hub_limits_.least_share) f.hub_share = share;
  f.moves_values = !m.iso;
}

// --- entries that a product reads ----------------------------------------------------------------

// On its way: reading it waits for the device.
struct product_runner::edge_count {
  entry_count counted;
  std::uint32_t shift;
  index_t get() const { return index_t{counted} << shift; }
};

namespace {
constexpr std::size_t group_of_counting = 128;
}

program_request request_to_count_edges(const device_traits& device) {
  return {
      .kernel = "count_edges",
      .constants = {{"T_GROUP_SIZE", static_cast<long>(device.group_within(group_of_counting))}}};
}

// In the rows of the output, or of u, whose flags are set, or not set if `absent`; without flags in
// all rows.
product_runner::edge_count product_runner::count_edges(const product& p, bool output,
                                                       const buffer_pointer& flags, bool absent) {
  std::shared_ptr<const matrix_base> transposed;
  if (p.rows_are_output() != output) transposed = matrices_.transpose_of(p.matrix);
  const matrix_base& m = transposed ? *transposed : p.matrix;
  const std::size_t group = device_.group_size(group_of_counting);
  const auto n = static_cast<std::uint64_t>(m.rows);
  const std::size_t groups = device_.groups_over(n, group, 16);
  const buffer_pointer counters = device_.allocate(count_bytes);
  const void *of_rows = device_.read(flags), *offsets = device_.read(m.offsets);
  void* sums = device_.write(counters);
  const std::uint32_t flagged = flags != nullptr, not_set = absent, wide = m.wide,
                      shift = m.nnz >> 31 != 0 ? 8 : 0;
  device_.runtime().fill(sums, 0, counters->bytes());
  const kernel_argument list[] = {n, of_rows, flagged, not_set, offsets, wide, shift, sums};
  const auto* program = device_.runtime().program(request_to_count_edges(device_.traits()));
  device_.runtime().launch(p.operation(), *program, "t_count_edges", list, groups, group);
  return {entry_count(counters), shift};
}

product_runner::edge_count product_runner::count_leaving(const product& p) {
  vector_base u = p.input;
  vectors_.spread(u);
  return count_edges(p, false, u.present, false);
}

// Nothing where the mask excludes no row, or all.
std::optional<product_runner::edge_count> product_runner::count_wanted(const product& p,
                                                                       const vector_rule& rule) {
  if (!rule.structural) return count_edges(p, true, vectors_.excluded(rule), true);
  vector_base mask = *rule.mask;
  vectors_.spread(mask);
  if (mask.storage == vector_storage::full) return std::nullopt;
  return count_edges(p, true, mask.present, rule.complemented);
}

// Both are counted before either is waited for.
void product_runner::count_what_is_read(const product& p, const vector_rule& rule,
                                        call_features& f) {
  const bool is_small = f.input_nvals < f.input_size / 16,
             is_large = f.nnz >= edge_limits_.least_entries && !f.exits_early;
  // Where neither few entries nor many say enough (src/plan/quick_choice.cpp).
  const bool is_weighed = f.exits_early || (is_large && f.input_nvals >= f.input_size / 512),
             may_push = !f.push_needs_transpose && is_small && (f.can_push ? is_weighed : is_large);
  std::optional<edge_count> leaving, wanted;
  const bool is_known = f.can_push ? f.is_few_edges() : f.input_edges < f.nnz / 256;
  if (may_push && !is_known) leaving = count_leaving(p);
  const bool pushes = f.can_push && !f.push_needs_transpose && is_small && !leaving;
  if (rule.mask != nullptr && is_large && !f.pull_needs_transpose && !pushes)
    wanted = count_wanted(p, rule);
  f.counts_edges = leaving.has_value();
  if (leaving) f.input_edges = leaving->get();
  if (wanted) f.wanted_edges = wanted->get();
}

// -------------------------------------------------------------------------------------------------

format_report product_runner::format_of(const matrix_base& m, std::string_view kernel) const {
  format_report known;
  known.format_bytes = m.bytes();
  const kernel_config asked = parse_kernel(kernel, device_.traits(), rows_),
                      chosen = complete(asked, device_.traits(), m.type->size, m);
  if (asked.kernel->has_dirty_tiles) known.dirty_share = share_of_dirty_tiles(m, chosen.tile());
  const kept_format& format = asked.kernel->format;
  if (format.is_named == nullptr) return known;
  const std::lock_guard lock(m.derived->mutex);
  const auto found = std::ranges::find_if(m.derived->formats, [&](const auto& one) {
    return format.is_named(one.first, asked, chosen);
  });
  if (found == m.derived->formats.end()) return known;
  const converted_copy& copy = *found->second;
  known.conversion_seconds = copy.seconds;
  known.format_bytes = copy.bytes();
  if (format.reads_offsets) known.format_bytes += m.offsets->bytes();
  if (format.reads_entries) known.format_bytes += m.column_indices->bytes() + m.values->bytes();
  if (copy.words > static_cast<std::uint64_t>(m.nnz)) known.padding_overhead = copy.overhead;
  return known;
}

work_mapping product_runner::mapping_of(const matrix_base& m, const kernel_info& kernel,
                                        std::size_t z_bytes, bool early_exit) const {
  const device_traits& device = device_.traits();
  kernel_config chosen{.kernel = find_device_kernel(kernel.name, rows_)};
  if (early_exit) chosen.expect_early_exit(device, true);
  chosen = complete(chosen, device, z_bytes, m);
  work_mapping mapping{.unit = kernel.unit, .subgroup_size = chosen.subgroup_size};
  if (chosen.kernel->set_mapping != nullptr) chosen.kernel->set_mapping(chosen, mapping);
  return mapping;
}

}  // namespace tropic::detail
