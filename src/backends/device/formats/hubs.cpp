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
// Segments of up to short_segment entries are sorted in blocks of so many pieces: a block has some
// hundreds of slices, so that those with two lengths are few, and its results fit into a cache.
constexpr std::uint32_t short_segment = 32, pieces_of_block = 1 << 14;
// What a slice waits for its own loads, in steps: about the latency of memory.
constexpr long steps_of_wait = 8;

// Kinds of segments: those of each part, of entries in none, and of these those that are a row.
std::uint32_t kinds_of(const hub_layout& layout) {
  return layout.parts + 2;
}

// Rows cut into pieces, and the entries of each kind in them.
struct counted_pieces {
  prefix_sums of_rows;  // the pieces before each row
  std::uint64_t pieces = 0;
  buffer_pointer begins;       // a word a piece, and one more
  buffer_pointer rows;         // the row of each piece
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
  result.rows = device.allocate(result.pieces * word_bytes);
  const void* before = device.read(result.of_rows.before);
  void *begins = device.write(result.begins), *to_rows = device.write(result.rows);
  const kernel_argument cut[] = {c.rows, c.offsets, c.wide, most_of_piece, before, begins, to_rows};
  device.launch_over(c.rows, hub_conversion, program, "t_cut_rows", cut);

  const std::uint64_t kinds = kinds_of(layout);
  result.counts = device.allocate(result.pieces * kinds * word_bytes);
  result.any = device.allocate(result.pieces * kinds);
  const void *from = device.read(result.begins), *of_pieces = device.read(result.rows),
             *columns = device.read(m.column_indices), *place = device.read(places);
  void *counts = device.write(result.counts), *any = device.write(result.any);
  const kernel_argument of_kinds[] = {result.pieces, layout.hubs, from,   of_pieces,
                                      columns,       place,       counts, any};
  device.launch_over(result.pieces, hub_conversion, program, "t_count_kinds", of_kinds);
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

  // Those that are no rows, and all.
  std::uint64_t first_row_place() const {
    return std::uint64_t{*(firsts.end() - 2)} * hub_layout::lanes;
  }
  std::uint64_t end() const { return std::uint64_t{firsts.back()} * hub_layout::lanes; }
};

placed_segments place_segments(device_context& device, const counted_pieces& from,
                               const hub_layout& layout, const compiled_program& program) {
  placed_segments result;
  const std::uint32_t kinds = kinds_of(layout);
  const std::uint64_t n = from.pieces * kinds;
  const auto blocks = static_cast<std::uint32_t>(divide_up(from.pieces, pieces_of_block));
  const std::uint32_t keys_of_kind = most_of_piece - short_segment + blocks * short_segment;
  result.before = sums_before(device, n, from.any, 1);
  result.segments = static_cast<std::uint64_t>(result.before.all());
  const buffer_pointer keys = device.allocate(result.segments * word_bytes);
  const void *counts = device.read(from.counts), *before = device.read(result.before.before);
  void* to_keys = device.write(keys);
  const kernel_argument of_keys[] = {n, most_of_piece, keys_of_kind, counts, before, to_keys};
  device.launch_over(n, hub_conversion, program, "t_keys_of_segments", of_keys);
  const sorted_keys sorted =
      sort_keys(device, hub_conversion, result.segments, keys, index_t{kinds} * keys_of_kind);

  const buffer_pointer firsts = device.allocate((kinds + 1) * word_bytes);
  const void *by_key = device.read(sorted.keys), *order = device.read(sorted.order);
  void* to_firsts = device.write(firsts);
  const kernel_argument of_kinds[] = {result.segments, keys_of_kind, by_key, to_firsts};
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
  const kernel_argument of_segments[] = {result.segments, most_of_piece, keys_of_kind, by_key,
                                         order,           left_out,      to_places,    to_steps};
  device.launch_over(result.segments, hub_conversion, program, "t_place_segments", of_segments);
  result.slices = sums_before(device, slices, steps, word_bytes).before;
  const std::uint32_t ends[] = {result.firsts[layout.parts], result.firsts[kinds]};
  const buffer_pointer found =
      gathered(device, hub_conversion, result.slices, uploaded(device, ends), std::size(ends));
  const auto* step = static_cast<const std::uint32_t*>(found->host());
  result.hub_steps = step[0];
  result.steps = step[1];
  return result;
}

// The slices of a launch (t_hub_sums).
buffer_pointer bounds_of(device_context& device, const placed_segments& placed,
                         const hub_layout& layout, const compiled_program& program) {
  std::vector<std::uint32_t> bounds(placed.firsts.begin(),
                                    placed.firsts.begin() + layout.parts + 1);
  bounds.resize(2 * std::size_t{layout.parts} + 2);
  bounds.push_back(placed.hub_steps);
  bounds.push_back(placed.firsts[layout.parts + 1]);
  buffer_pointer result = uploaded(device, bounds);
  const std::uint32_t end = placed.firsts.back();
  const void* slices = device.read(placed.slices);
  void* to = device.write(result, access::modify);
  const kernel_argument list[] = {end, slices, to};
  device.launch_over(layout.parts + 1, hub_conversion, program, "t_share_slices", list);
  return result;
}

// How the sums of rows come from those of segments.
struct joined_rows {
  buffer_pointer segments;             // those before each row
  buffer_pointer few;                  // rows whose segments one work-item adds
  buffer_pointer count_of_many, many;  // rows of more, any order
};

joined_rows join_rows(device_context& device, std::uint64_t rows, const counted_pieces& counted,
                      const placed_segments& placed, const hub_layout& layout,
                      const compiled_program& program) {
  joined_rows result{device.allocate((rows + 1) * word_bytes), nullptr, device.allocate(word_bytes),
                     device.allocate((placed.segments / (layout.few() + 1)) * word_bytes)};
  const buffer_pointer flags = device.allocate(rows);
  {
    const void *pieces = device.read(counted.of_rows.before),
               *before = device.read(placed.before.before), *any = device.read(counted.any);
    void *segments = device.write(result.segments), *joined = device.write(flags),
         *count = device.write(result.count_of_many), *many = device.write(result.many);
    device.runtime().fill(count, 0, word_bytes);
    const kernel_argument list[] = {rows, pieces, before, any, segments, joined, count, many};
    device.launch_over(rows, hub_conversion, program, "t_segments_of_rows", list);
  }
  const prefix_sums sums = sums_before(device, rows, flags, 1);
  result.few = device.allocate(as_size(sums.all()) * word_bytes);
  const void *joined = device.read(flags), *before = device.read(sums.before);
  void* few = device.write(result.few);
  const kernel_argument list[] = {rows, joined, before, few};
  device.launch_over(rows, hub_conversion, program, "t_list_rows", list);
  result.count_of_many->host();
  return result;
}

}  // namespace

// What a device has room for is an argument, so that one program serves all of them.
program_request format_cache::conversion_to(const hub_layout& layout) {
  return {.kernel = "hubs",
          .constants = {{"T_PARTS", layout.parts},
                        {"T_LEAST", layout.least},
                        {"T_FEW", layout.few()},
                        {"T_SHORT", short_segment},
                        {"T_BLOCK", pieces_of_block},
                        {"T_STEPS_OF_WAIT", steps_of_wait}}};
}

std::string format_cache::name_of(const hub_layout& layout) {
  return "hubs:" + std::to_string(layout.hubs) + "," + std::to_string(layout.parts) + "," +
         std::to_string(layout.least) + (layout.orders_all ? ",all" : "");
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
        const buffer_pointer filled = device_.allocate(word_bytes);
        const void* by_count = device_.read(sorted.keys);
        void* count = device_.write(filled);
        const kernel_argument of_filled[] = {columns, by_count, count};
        device_.launch_over(1, hub_conversion, *program, "t_count_filled", of_filled);
        result.parts = {sorted.order, sorted.keys, filled};  // in_frequency_order
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

format_cache::format format_cache::hubs(const matrix_base& m, const hub_layout& layout) {
  if (format known = find(m, name_of(layout))) return known;
  const format order = frequency_order(m);
  // Compiled before the clock starts.
  compile_sort(device_);
  device_.runtime().program({.kernel = "listed"});
  return find_or_make(
      m, name_of(layout), conversion_to(layout), [&](converted_copy& result, auto* program) {
        const matrix_arguments c(device_, m);
        const auto columns = static_cast<std::uint64_t>(m.columns);
        const buffer_pointer places = device_.allocate(columns * word_bytes);
        {
          const void* by = device_.read(order->parts[in_frequency_order::columns]);
          void* to = device_.write(places);
          const kernel_argument list[] = {columns, by, to};
          device_.launch_over(columns, hub_conversion,
                              *device_.runtime().program({.kernel = "hot_columns"}),
                              "t_invert_order", list);
        }
        const counted_pieces counted = count_pieces(device_, m, layout, places, *program);
        const placed_segments placed = place_segments(device_, counted, layout, *program);

        const joined_rows joined = join_rows(device_, c.rows, counted, placed, layout, *program);

        constexpr std::uint64_t lanes = hub_layout::lanes;
        const std::uint64_t near = placed.hub_steps, far = placed.steps - placed.hub_steps;
        const buffer_pointer pairs = device_.allocate(near * lanes * sizeof(std::uint16_t)),
                             far_columns = device_.allocate(far * lanes * word_bytes),
                             values = device_.allocate(placed.steps * lanes * c.bytes),
                             row_at = device_.allocate((placed.end() - placed.first_row_place()) *
                                                       word_bytes);
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
        const auto first_row = static_cast<std::uint32_t>(placed.first_row_place()),
                   renumbers = static_cast<std::uint32_t>(layout.orders_all);
        const kernel_argument entries[] = {
            counted.pieces, layout.hubs,      begins,    of_pieces, from,
            place,          renumbers,        any,       before,    segment_places,
            slices,         placed.hub_steps, first_row, to_rows,   to_pairs,
            to_far,         from_values,      to_values, c.bytes};
        device_.launch_over(counted.pieces, hub_conversion, *program, "t_place_entries", entries);

        result.words = placed.steps * lanes;
        result.overhead =
            static_cast<double>(result.words) / static_cast<double>(std::max<index_t>(m.nnz, 1));
        const buffer_pointer bounds = bounds_of(device_, placed, layout, *program);
        // In the order of in_hubs.
        result.parts = {bounds,
                        placed.slices,
                        pairs,
                        far_columns,
                        values,
                        joined.segments,
                        placed.places,
                        joined.count_of_many,
                        joined.many,
                        order->parts[in_frequency_order::columns],
                        row_at,
                        joined.few,
                        order->parts[in_frequency_order::filled]};
      });
}

}  // namespace tropic::detail
