// SPDX-License-Identifier: Apache-2.0

// The format of csr_hubs, made by the device (hubs.kernel).

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "backends/device/formats/format_cache.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "containers/derived_copies.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {
namespace {

constexpr std::string_view hub_conversion = "conversion to hubs";
constexpr std::size_t word_bytes = sizeof(std::uint32_t);

// Entries of a piece of a row: as many as the longest segment may have.
constexpr std::uint32_t most_of_piece = 512;

// Rows cut into pieces, and the entries of each kind in them: those in a part, and in none.
struct counted_pieces {
  prefix_sums of_rows;  // the pieces before each row
  std::uint64_t pieces = 0;
  buffer_pointer begins;       // a word a piece, and one more
  buffer_pointer counts, any;  // a word and a byte for each kind of a piece
};

counted_pieces count_pieces(device_context& device, const matrix_base& m, const hub_layout& layout,
                            const buffer_pointer& places, const compiled_program& program) {
  counted_pieces result;
  const matrix_arguments c(device, m);
  const buffer_pointer of_row = device.allocate(c.rows * word_bytes);
  void* to = device.write(of_row);
  const kernel_argument rows[] = {c.rows, c.offsets, c.wide, most_of_piece, to};
  device.launch_over(c.rows, hub_conversion, program, "t_count_pieces", rows);
  result.of_rows = sums_before(device, c.rows, of_row, word_bytes);
  result.pieces = static_cast<std::uint64_t>(result.of_rows.all());

  result.begins = device.allocate((result.pieces + 1) * word_bytes);
  const void* before = device.read(result.of_rows.before);
  void* begins = device.write(result.begins);
  const kernel_argument cut[] = {c.rows, c.offsets, c.wide, most_of_piece, before, begins};
  device.launch_over(c.rows, hub_conversion, program, "t_cut_rows", cut);

  const std::uint64_t kinds = layout.parts + 1;
  result.counts = device.allocate(result.pieces * kinds * word_bytes);
  result.any = device.allocate(result.pieces * kinds);
  const void *from = device.read(result.begins), *columns = device.read(m.column_indices),
             *place = device.read(places);
  void *counts = device.write(result.counts), *any = device.write(result.any);
  const kernel_argument kinds_of[] = {result.pieces, from, columns, place, counts, any};
  device.launch_over(result.pieces, hub_conversion, program, "t_count_kinds", kinds_of);
  return result;
}

// Segments in slices.
struct placed_segments {
  prefix_sums before;  // the segments before each count of a piece
  std::uint64_t segments = 0;
  buffer_pointer places;              // by segment
  std::vector<std::uint32_t> firsts;  // the first slice of each kind, and the end
  buffer_pointer slices;              // the first step of each slice, and the end
  std::uint32_t hub_steps = 0, steps = 0;
};

placed_segments place_segments(device_context& device, const counted_pieces& from,
                               const hub_layout& layout, const compiled_program& program) {
  placed_segments result;
  const std::uint32_t kinds = layout.parts + 1;
  const std::uint64_t n = from.pieces * kinds;
  result.before = sums_before(device, n, from.any, 1);
  result.segments = static_cast<std::uint64_t>(result.before.all());
  const buffer_pointer keys = device.allocate(result.segments * word_bytes);
  const void *counts = device.read(from.counts), *before = device.read(result.before.before);
  void* to_keys = device.write(keys);
  const kernel_argument of_keys[] = {n, most_of_piece, counts, before, to_keys};
  device.launch_over(n, hub_conversion, program, "t_keys_of_segments", of_keys);
  const sorted_keys sorted = sort_keys(device, hub_conversion, result.segments, keys,
                                       index_t{kinds} * (most_of_piece + 1));

  const buffer_pointer firsts = device.allocate((kinds + 1) * word_bytes);
  const void *by_key = device.read(sorted.keys), *order = device.read(sorted.order);
  void* to_firsts = device.write(firsts);
  const kernel_argument of_kinds[] = {result.segments, most_of_piece, by_key, to_firsts};
  device.launch_over(kinds + 1, hub_conversion, program, "t_firsts_of_kinds", of_kinds);
  const auto* first = static_cast<const std::uint32_t*>(firsts->host());
  std::vector<std::uint32_t> gaps;
  result.firsts.push_back(0);
  for (std::uint32_t kind = 0; kind < kinds; ++kind) {
    constexpr std::uint32_t lanes = hub_layout::lanes;
    gaps.push_back(lanes * result.firsts.back() - first[kind]);
    result.firsts.push_back(result.firsts.back() +
                            (first[kind + 1] - first[kind] + lanes - 1) / lanes);
  }

  const std::uint64_t slices = result.firsts.back();
  const buffer_pointer steps = device.allocate(slices * word_bytes),
                       of_gaps = uploaded(device, gaps);
  result.places = device.allocate(result.segments * word_bytes);
  const void* left_out = device.read(of_gaps);
  void *to_places = device.write(result.places), *to_steps = device.write(steps);
  const kernel_argument of_segments[] = {result.segments, most_of_piece, by_key,  order,
                                         left_out,        to_places,     to_steps};
  device.launch_over(result.segments, hub_conversion, program, "t_place_segments", of_segments);
  result.slices = sums_before(device, slices, steps, word_bytes).before;
  const std::uint32_t ends[] = {result.firsts[kinds - 1], result.firsts[kinds]};
  const buffer_pointer found =
      gathered(device, hub_conversion, result.slices, uploaded(device, ends), std::size(ends));
  const auto* step = static_cast<const std::uint32_t*>(found->host());
  result.hub_steps = step[0];
  result.steps = step[1];
  return result;
}

// The slices of a launch: the first of each kind, and of the entries in no part those that are
// summed beside each part, in proportion.
std::vector<std::uint32_t> bounds_of(const placed_segments& placed, const hub_layout& layout) {
  std::vector<std::uint32_t> bounds = placed.firsts;
  const std::uint64_t near = placed.firsts[layout.parts],
                      far = placed.firsts[layout.parts + 1] - near;
  bounds.resize(layout.parts + 1);
  for (std::uint32_t part = 0; part < layout.parts; ++part)
    bounds.push_back(
        static_cast<std::uint32_t>(near + (near == 0 ? 0 : far * placed.firsts[part] / near)));
  bounds.push_back(static_cast<std::uint32_t>(near + far));
  bounds.push_back(placed.hub_steps);
  return bounds;
}

}  // namespace

std::string format_cache::name_of(const hub_layout& layout) {
  return "hubs:" + std::to_string(layout.hubs) + "," + std::to_string(layout.parts);
}

// Kept for all layouts, and to judge whether a matrix has hubs.
format_cache::format format_cache::frequency_order(const matrix_base& m) {
  if (format known = find(m, "frequency_order")) return known;
  compile_sort(device_);
  return find_or_make(
      m, "frequency_order", {.kernel = "hot_columns"}, [&](converted_copy& result, auto* program) {
        const auto columns = static_cast<std::uint64_t>(m.columns),
                   nnz = static_cast<std::uint64_t>(m.nnz);
        const buffer_pointer keys = device_.allocate(columns * word_bytes);
        const void* from = device_.read(m.column_indices);
        void* counts = device_.write(keys);
        device_.runtime().fill(counts, 0xff, keys->bytes());
        const kernel_argument list[] = {nnz, from, counts};
        device_.launch_over(nnz, hub_conversion, *program, "t_count_down", list);
        const sorted_keys sorted =
            sort_keys(device_, hub_conversion, columns, keys, std::min(m.rows, m.nnz) + 1);
        result.parts = {sorted.order, sorted.keys};
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
    const format order = frequency_order(m);
    const std::uint64_t n = std::min(staged_columns(layout), static_cast<std::uint64_t>(m.columns));
    // The counts are complements, and only their first n are copied to the host.
    const buffer_pointer first = device_.allocate(n * word_bytes);
    const void* from = device_.read(order->parts[1]);
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

format_cache::format format_cache::hubs(const matrix_base& m, const hub_layout& layout) {
  if (format known = find(m, name_of(layout))) return known;
  const format order = frequency_order(m);
  // Compiled before the clock starts.
  compile_sort(device_);
  device_.runtime().program({.kernel = "listed"});
  const program_request request{
      .kernel = "hubs",
      .constants = {{"T_HUBS", layout.hubs}, {"T_PARTS", layout.parts}, {"T_FEW", layout.few()}}};
  return find_or_make(m, name_of(layout), request, [&](converted_copy& result, auto* program) {
    const matrix_arguments c(device_, m);
    const auto columns = static_cast<std::uint64_t>(m.columns);
    const buffer_pointer places = device_.allocate(columns * word_bytes);
    {
      const void* by = device_.read(order->parts[0]);
      void* to = device_.write(places);
      const kernel_argument list[] = {columns, by, to};
      device_.launch_over(columns, hub_conversion,
                          *device_.runtime().program({.kernel = "hot_columns"}), "t_invert_order",
                          list);
    }
    const counted_pieces counted = count_pieces(device_, m, layout, places, *program);
    const placed_segments placed = place_segments(device_, counted, layout, *program);

    const buffer_pointer segments = device_.allocate((c.rows + 1) * word_bytes),
                         count_of_many = device_.allocate(word_bytes),
                         many =
                             device_.allocate((placed.segments / (layout.few() + 1)) * word_bytes);
    const void *pieces = device_.read(counted.of_rows.before),
               *before = device_.read(placed.before.before);
    void *to_segments = device_.write(segments), *to_count = device_.write(count_of_many),
         *to_many = device_.write(many);
    device_.runtime().fill(to_count, 0, word_bytes);
    const kernel_argument of_rows[] = {c.rows, pieces, before, to_segments, to_count, to_many};
    device_.launch_over(c.rows, hub_conversion, *program, "t_segments_of_rows", of_rows);

    constexpr std::uint64_t lanes = hub_layout::lanes;
    const std::uint64_t near = placed.hub_steps, far = placed.steps - placed.hub_steps;
    const buffer_pointer pairs = device_.allocate(near * lanes * sizeof(std::uint16_t)),
                         far_columns = device_.allocate(far * lanes * word_bytes),
                         values = device_.allocate(placed.steps * lanes * c.bytes);
    const void *begins = device_.read(counted.begins), *from = device_.read(m.column_indices),
               *place = device_.read(places), *any = device_.read(counted.any),
               *segment_places = device_.read(placed.places), *slices = device_.read(placed.slices),
               *from_values = device_.read(m.iso ? nullptr : m.values);
    void *to_pairs = device_.write(pairs), *to_far = device_.write(far_columns),
         *to_values = device_.write(values);
    device_.runtime().fill(to_pairs, 0xff, pairs->bytes());
    device_.runtime().fill(to_far, 0xff, far_columns->bytes());
    device_.runtime().fill(to_values, 0, values->bytes());
    const kernel_argument entries[] = {
        counted.pieces, begins,           from,     place,  any,         before,    segment_places,
        slices,         placed.hub_steps, to_pairs, to_far, from_values, to_values, c.bytes};
    device_.launch_over(counted.pieces, hub_conversion, *program, "t_place_entries", entries);

    result.words = placed.steps * lanes;
    result.overhead =
        static_cast<double>(result.words) / static_cast<double>(std::max<index_t>(m.nnz, 1));
    const buffer_pointer bounds = uploaded(device_, bounds_of(placed, layout));
    count_of_many->host();
    result.parts = {bounds,   placed.slices, pairs,         far_columns, values,
                    segments, placed.places, count_of_many, many,        order->parts[0]};
  });
}

}  // namespace tropic::detail
