// SPDX-License-Identifier: Apache-2.0
#include "backends/device/formats/slices.hpp"

#include <utility>

#include "containers/integers.hpp"

namespace tropic::detail {
namespace {

// Short segments are sorted in blocks of so many pieces: a block has some hundreds of slices, so
// that those with two lengths are few, and its results fit into a cache.
constexpr std::uint32_t pieces_of_block = 1 << 14;

}  // namespace

program_constants slice_rules::constants() const {
  return {{"T_KINDS", kinds}, {"T_FIRST_ROW_KIND", first_row_kind}, {"T_EVEN_KINDS", even_kinds},
          {"T_FEW", few},     {"T_SHORT", short_segment},           {"T_BLOCK", pieces_of_block}};
}

cut_rows cut_into_pieces(device_context& device, const matrix_base& m, const slice_rules& rules,
                         const compiled_program& program) {
  cut_rows result;
  const matrix_arguments c(device, m);
  const buffer_pointer of_row = device.allocate(c.rows * word_bytes);
  void* to = device.write(of_row);
  const kernel_argument rows[] = {c.rows, c.offsets, c.wide, rules.piece, to};
  device.launch_over(c.rows, rules.conversion, program, "t_count_pieces", rows);
  result.of_rows = sums_before(device, c.rows, of_row, word_bytes);
  result.pieces = static_cast<std::uint64_t>(result.of_rows.all());

  result.begins = device.allocate((result.pieces + 1) * word_bytes);
  result.rows = device.allocate(result.pieces * word_bytes);
  const void* before = device.read(result.of_rows.before);
  void *begins = device.write(result.begins), *to_rows = device.write(result.rows);
  const kernel_argument cut[] = {c.rows, c.offsets, c.wide, rules.piece, before, begins, to_rows};
  device.launch_over(c.rows, rules.conversion, program, "t_cut_rows", cut);

  result.counts = device.allocate(result.pieces * rules.kinds * word_bytes);
  result.any = device.allocate(result.pieces * rules.kinds);
  return result;
}

placed_segments place_segments(device_context& device, const cut_rows& from,
                               const slice_rules& rules, const compiled_program& program) {
  placed_segments result;
  const std::uint32_t kinds = rules.kinds, max_length = rules.longest;
  const std::uint64_t n = from.pieces * kinds;
  const auto blocks = static_cast<std::uint32_t>(divide_up(from.pieces, pieces_of_block));
  const std::uint32_t keys_of_kind =
      max_length - rules.short_segment + blocks * rules.short_segment;
  result.before = sums_before(device, n, from.any, 1);
  result.segments = static_cast<std::uint64_t>(result.before.all());
  const buffer_pointer keys = device.allocate(result.segments * word_bytes);
  const void *counts = device.read(from.counts), *before = device.read(result.before.before);
  void* to_keys = device.write(keys);
  const kernel_argument of_keys[] = {n, max_length, keys_of_kind, counts, before, to_keys};
  device.launch_over(n, rules.conversion, program, "t_keys_of_segments", of_keys);
  const sorted_keys sorted =
      sort_keys(device, rules.conversion, result.segments, keys, index_t{kinds} * keys_of_kind);

  const buffer_pointer firsts = device.allocate((kinds + 1) * word_bytes);
  const void *by_key = device.read(sorted.keys), *order = device.read(sorted.order);
  void* to_firsts = device.write(firsts);
  const kernel_argument of_kinds[] = {result.segments, keys_of_kind, by_key, to_firsts};
  device.launch_over(kinds + 1, rules.conversion, program, "t_firsts_of_kinds", of_kinds);
  const auto* first = static_cast<const std::uint32_t*>(firsts->host());
  std::vector<std::uint32_t> gaps;
  result.firsts.push_back(0);
  for (std::uint32_t kind = 0; kind < kinds; ++kind) {
    constexpr std::uint32_t lanes = slice_rules::lanes;
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
  const kernel_argument of_segments[] = {result.segments, max_length, keys_of_kind, by_key,
                                         order,           left_out,   to_places,    to_steps};
  device.launch_over(result.segments, rules.conversion, program, "t_place_segments", of_segments);
  result.slices = sums_before(device, slices, steps, word_bytes).before;
  const buffer_pointer found = gathered(device, rules.conversion, result.slices,
                                        uploaded(device, result.firsts), result.firsts.size());
  const auto* step = static_cast<const std::uint32_t*>(found->host());
  result.steps.assign(step, step + result.firsts.size());
  return result;
}

joined_rows join_rows(device_context& device, std::uint64_t rows, const cut_rows& counted,
                      const placed_segments& placed, const slice_rules& rules,
                      const compiled_program& program) {
  joined_rows result{device.allocate((rows + 1) * word_bytes), nullptr, device.allocate(word_bytes),
                     device.allocate((placed.segments / (rules.few + 1)) * word_bytes)};
  const buffer_pointer flags = device.allocate(rows);
  {
    const void *pieces = device.read(counted.of_rows.before),
               *before = device.read(placed.before.before), *any = device.read(counted.any);
    void *segments = device.write(result.segments), *joined = device.write(flags),
         *count = device.write(result.count_of_many), *many = device.write(result.many);
    device.runtime().fill(count, 0, word_bytes);
    const kernel_argument list[] = {rows, pieces, before, any, segments, joined, count, many};
    device.launch_over(rows, rules.conversion, program, "t_segments_of_rows", list);
  }
  const prefix_sums sums = sums_before(device, rows, flags, 1);
  result.few = device.allocate(as_size(sums.all()) * word_bytes);
  const void *joined = device.read(flags), *before = device.read(sums.before);
  void* few = device.write(result.few);
  const kernel_argument list[] = {rows, joined, before, few};
  device.launch_over(rows, rules.conversion, program, "t_list_rows", list);
  result.count_of_many->host();
  return result;
}

std::vector<buffer_pointer> parts_in_slices(buffer_pointer bounds, buffer_pointer values,
                                            buffer_pointer row_at, const placed_segments& placed,
                                            const joined_rows& joined, buffer_pointer order,
                                            buffer_pointer filled) {
  return {std::move(bounds), placed.slices,        std::move(values), joined.segments,
          placed.places,     joined.count_of_many, joined.many,       std::move(row_at),
          joined.few,        std::move(order),     std::move(filled)};
}

}  // namespace tropic::detail
