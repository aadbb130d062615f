// SPDX-License-Identifier: Apache-2.0

// The format of csr_hubs, made by the device (hubs.kernel), and the order of columns by frequency.

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "backends/device/formats/format_cache.hpp"
#include "backends/device/formats/slices.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "containers/derived_copies.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {
namespace {

constexpr std::string_view hub_conversion = "conversion to hubs";

// What a slice waits for its own loads, in steps: about the latency of memory.
constexpr long steps_of_wait = 8;

// Kinds of segments: those of each part, of entries in none, and of these those that are a row.
slice_rules rules_of(const hub_layout& layout) {
  return {.conversion = hub_conversion,
          .piece = 512,
          .longest = 512,
          .kinds = layout.parts + 2,
          .first_row_kind = layout.parts + 1,
          .even_kinds = layout.parts,
          .short_segment = 32,
          .few = 3 * (layout.parts + 1)};
}

void count_kinds(device_context& device, const matrix_base& m, const cut_rows& rows,
                 const hub_layout& layout, const buffer_pointer& places,
                 const compiled_program& program) {
  const void *begins = device.read(rows.begins), *of_pieces = device.read(rows.rows),
             *columns = device.read(m.column_indices), *place = device.read(places);
  void *counts = device.write(rows.counts), *any = device.write(rows.any);
  const kernel_argument list[] = {rows.pieces, layout.hubs, begins, of_pieces,
                                  columns,     place,       counts, any};
  device.launch_over(rows.pieces, hub_conversion, program, "t_count_kinds", list);
}

// The slices of a launch (t_hub_sums).
buffer_pointer bounds_of(device_context& device, const placed_segments& placed,
                         const hub_layout& layout, const compiled_program& program) {
  std::vector<std::uint32_t> bounds(placed.firsts.begin(),
                                    placed.firsts.begin() + layout.parts + 1);
  bounds.resize(2 * std::size_t{layout.parts} + 2);
  bounds.push_back(placed.steps[layout.parts]);
  bounds.push_back(placed.firsts[layout.parts + 1]);
  buffer_pointer result = uploaded(device, bounds);
  const std::uint32_t end = placed.firsts.back();
  const void* slices = device.read(placed.slices);
  void* to = device.write(result, access::modify);
  const kernel_argument list[] = {end, slices, to};
  device.launch_over(layout.parts + 1, hub_conversion, program, "t_share_slices", list);
  return result;
}

}  // namespace

// What a device has room for is an argument, so that one program serves all of them.
program_request format_cache::conversion_to(const hub_layout& layout) {
  if (layout.parts == 0) return conversion_to_bits();
  program_request request{.kernel = "hubs", .constants = rules_of(layout).constants()};
  request.constants.emplace_back("T_PARTS", layout.parts);
  request.constants.emplace_back("T_LEAST", layout.least);
  request.constants.emplace_back("T_STEPS_OF_WAIT", steps_of_wait);
  return request;
}

std::string format_cache::name_of(const hub_layout& layout) {
  if (layout.parts == 0) return layout.orders_all ? "bits:ordered" : "bits";
  return "hubs:" + std::to_string(layout.hubs) + "," + std::to_string(layout.parts) + "," +
         std::to_string(layout.least) + (layout.orders_all ? ",all" : "");
}

std::vector<buffer_pointer> format_cache::make_frequency_order(const matrix_base& m, bool coarse,
                                                               const compiled_program& program) {
  const auto columns = static_cast<std::uint64_t>(m.columns),
             nnz = static_cast<std::uint64_t>(m.nnz);
  const buffer_pointer keys = device_.allocate(columns * word_bytes);
  const void* from = device_.read(m.column_indices);
  void* counts = device_.write(keys);
  device_.runtime().fill(counts, 0xff, keys->bytes());
  const kernel_argument list[] = {nnz, from, counts};
  device_.launch_over(nnz, hub_conversion, program, "t_count_down", list);
  if (coarse) {
    const kernel_argument of_groups[] = {columns, counts};
    device_.launch_over(columns, hub_conversion, program, "t_coarse_keys", of_groups);
  }
  const std::uint32_t empty = coarse ? in_frequency_order::key_of_no_entries : ~std::uint32_t{0};
  const sorted_keys sorted = sort_keys(device_, hub_conversion, columns, keys,
                                       coarse ? empty + 1 : std::min(m.rows, m.nnz) + 1);
  buffer_pointer filled = device_.allocate(word_bytes);
  const void* by_count = device_.read(sorted.keys);
  void* count = device_.write(filled);
  const kernel_argument of_filled[] = {columns, by_count, empty, count};
  device_.launch_over(1, hub_conversion, program, "t_count_filled", of_filled);
  return {sorted.order, sorted.keys, filled};  // in_frequency_order
}

// Kept for all layouts, and to judge whether a matrix has hubs.
format_cache::format format_cache::frequency_order(const matrix_base& m) {
  if (format known = find(m, "frequency_order")) return known;
  compile_sort(device_);
  return find_or_make(m, "frequency_order", {.kernel = "hot_columns"},
                      [&](converted_copy& result, auto* program) {
                        result.parts = make_frequency_order(m, false, *program);
                      });
}

namespace {

constexpr std::uint64_t most_columns = 1 << 16;

std::uint64_t staged_columns(const hub_layout& layout) {
  return std::min(std::uint64_t{layout.hubs} * layout.parts, most_columns);
}
std::string share_name(const hub_layout& layout) {
  return "share of " + std::to_string(staged_columns(layout)) + " columns";
}

}  // namespace

double format_cache::share_of_hubs(const matrix_base& m, const hub_layout& layout) {
  const auto count = [&](scalar_bytes& share) {
    if (layout.parts == 0) {  // u is staged whole, or nearly
      share = scalar_bytes::of(1.0);
      return true;
    }
    const format order = frequency_order(m);
    const std::uint64_t n = std::min(staged_columns(layout), static_cast<std::uint64_t>(m.columns));
    // The counts are complements, and only their first n are copied to the host.
    const buffer_pointer first = device_.allocate(n * word_bytes);
    const void* from = device_.read(order->parts[in_frequency_order::counts]);
    void* to = device_.write(first);
    const kernel_argument list[] = {n, from, to};
    device_.launch_over(n, hub_conversion, *device_.runtime().program({.kernel = "hot_columns"}),
                        "t_entries_of_keys", list);
    std::uint64_t entries = 0;
    const auto* counts = static_cast<const std::uint32_t*>(first->host());
    for (std::uint64_t k = 0; k < n; ++k) entries += counts[k];
    share = scalar_bytes::of(static_cast<double>(entries) /
                             static_cast<double>(std::max<index_t>(m.nnz, 1)));
    return true;
  };
  scalar_bytes share;
  try {
    kept_value(*m.derived, share_name(layout), share, count);
  } catch (const out_of_memory&) {  // an optimisation must not make the call fail
    forget_hubs(m, layout);
    return 0;
  }
  double result = 0;
  std::memcpy(&result, share.data(), sizeof result);
  return result;
}

void format_cache::forget_hubs(const matrix_base& m, const hub_layout& layout) {
  const std::lock_guard lock(m.derived->mutex);
  m.derived->values.insert_or_assign(share_name(layout), scalar_bytes::of(0.0));
}

buffer_pointer format_cache::places_of_columns(const matrix_base& m, const buffer_pointer& order) {
  const auto columns = static_cast<std::uint64_t>(m.columns);
  buffer_pointer places = device_.allocate(columns * word_bytes);
  const void* by = device_.read(order);
  void* to = device_.write(places);
  const kernel_argument list[] = {columns, by, to};
  device_.launch_over(columns, hub_conversion,
                      *device_.runtime().program({.kernel = "hot_columns"}), "t_invert_order",
                      list);
  return places;
}

format_cache::format format_cache::hubs(const matrix_base& m, const hub_layout& layout) {
  if (layout.parts == 0) return bits(m, layout);
  if (format known = find(m, name_of(layout))) return known;
  const format order = frequency_order(m);
  // Compiled before the clock starts.
  compile_sort(device_);
  device_.runtime().program({.kernel = "listed"});
  return find_or_make(
      m, name_of(layout), conversion_to(layout), [&](converted_copy& result, auto* program) {
        const matrix_arguments c(device_, m);
        const slice_rules rules = rules_of(layout);
        const buffer_pointer places =
            places_of_columns(m, order->parts[in_frequency_order::columns]);
        const cut_rows counted = cut_into_pieces(device_, m, rules, *program);
        count_kinds(device_, m, counted, layout, places, *program);
        const placed_segments placed = place_segments(device_, counted, rules, *program);
        const joined_rows joined = join_rows(device_, c.rows, counted, placed, rules, *program);

        constexpr std::uint64_t lanes = slice_rules::lanes;
        const std::uint32_t hub_steps = placed.steps[layout.parts];
        const std::uint64_t steps = placed.steps.back(), near = hub_steps, far = steps - near;
        const buffer_pointer pairs = device_.allocate(near * lanes * sizeof(std::uint16_t)),
                             far_columns = device_.allocate(far * lanes * word_bytes),
                             values = device_.allocate(steps * lanes * c.bytes),
                             row_at = device_.allocate(
                                 (placed.end() - placed.first_row_place(rules)) * word_bytes);
        const void *begins = device_.read(counted.begins), *of_pieces = device_.read(counted.rows),
                   *from = device_.read(m.column_indices), *place = device_.read(places),
                   *any = device_.read(counted.any), *before = device_.read(placed.before.before),
                   *segment_places = device_.read(placed.places),
                   *slices = device_.read(placed.slices),
                   *from_values = device_.read(m.iso ? nullptr : m.values);
        void *to_pairs = device_.write(pairs), *to_far = device_.write(far_columns),
             *to_values = device_.write(values), *to_rows = device_.write(row_at);
        device_.runtime().fill(to_pairs, 0xff, pairs->bytes());
        device_.runtime().fill(to_far, 0xff, far_columns->bytes());
        device_.runtime().fill(to_values, 0, values->bytes());
        device_.runtime().fill(to_rows, 0xff, row_at->bytes());
        const auto first_row = static_cast<std::uint32_t>(placed.first_row_place(rules)),
                   renumbers = static_cast<std::uint32_t>(layout.orders_all);
        const kernel_argument entries[] = {counted.pieces, layout.hubs,    begins,    of_pieces,
                                           from,           place,          renumbers, any,
                                           before,         segment_places, slices,    hub_steps,
                                           first_row,      to_rows,        to_pairs,  to_far,
                                           from_values,    to_values,      c.bytes};
        device_.launch_over(counted.pieces, hub_conversion, *program, "t_place_entries", entries);

        result.words = steps * lanes;
        result.overhead =
            static_cast<double>(result.words) / static_cast<double>(std::max<index_t>(m.nnz, 1));
        const buffer_pointer bounds = bounds_of(device_, placed, layout, *program);
        result.parts = parts_in_slices(bounds, values, row_at, placed, joined,
                                       order->parts[in_frequency_order::columns],
                                       order->parts[in_frequency_order::filled]);
        result.parts.insert(result.parts.end(), {pairs, far_columns});  // in_hubs
      });
}

}  // namespace tropic::detail
