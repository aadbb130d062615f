// SPDX-License-Identifier: Apache-2.0

// The format of csr_bits, made by the device (bits.kernel).

#include <algorithm>

#include "backends/device/formats/format_cache.hpp"
#include "backends/device/formats/slices.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/kernel_limits.hpp"

namespace tropic::detail {
namespace {

constexpr std::string_view bit_conversion = "conversion to bits";

// Words that a work-item loads together, two distances or a column each.
constexpr std::uint32_t words_of_step = 4;
// Distances and columns, of pieces and then of rows. Pieces are short, so that subgroups which take
// the longest slices end with the others.
constexpr slice_rules rules{.conversion = bit_conversion,
                            .piece = 256,
                            .longest = 256 / words_of_step,
                            .kinds = 4,
                            .first_row_kind = 2,
                            .even_kinds = 0,
                            .short_segment = 4,
                            .few = 16};

// The columns of each row, ascending, and the entries of the matrix that they are; null: as they
// are.
struct ascending_columns {
  buffer_pointer columns, entries;
};

// By their places in the order by frequency; `keys`: of these places, by group.
ascending_columns sorted_by_place(device_context& device, const matrix_base& m,
                                  const cut_rows& rows, const buffer_pointer& places,
                                  const buffer_pointer& keys, const compiled_program& program) {
  const matrix_arguments c(device, m);
  const buffer_pointer first_key =
      gathered(device, bit_conversion, keys, uploaded(device, std::vector<std::uint32_t>{0}), 1);
  const std::uint32_t least = *static_cast<const std::uint32_t*>(first_key->host()),
                      groups = in_frequency_order::key_of_no_entries - least,
                      lists_entries = m.iso ? 0 : 1;
  const std::uint64_t counts = rows.pieces * groups;
  const void *of_columns = device.read(m.column_indices), *begins = device.read(rows.begins),
             *of_pieces = device.read(rows.rows), *pieces_before = device.read(rows.of_rows.before),
             *by_column = device.read(places), *by_place = device.read(keys);
  const buffer_pointer of_groups = device.allocate(counts * word_bytes);
  {
    void* to = device.write(of_groups);
    const kernel_argument list[] = {rows.pieces,   groups,     least,     begins,   of_pieces,
                                    pieces_before, of_columns, by_column, by_place, to};
    device.launch_over(rows.pieces, bit_conversion, program, "t_count_groups", list);
  }
  const prefix_sums sums = sums_before(device, counts, of_groups, word_bytes);
  ascending_columns result{device.allocate(c.nnz * word_bytes),
                           m.iso ? nullptr : device.allocate(c.nnz * word_bytes)};
  const void* before = device.read(sums.before);
  void *columns = device.write(result.columns), *entries = device.write(result.entries);
  const kernel_argument list[] = {rows.pieces,   groups,     least,        begins,   of_pieces,
                                  pieces_before, of_columns, by_column,    by_place, before,
                                  columns,       entries,    lists_entries};
  device.launch_over(rows.pieces, bit_conversion, program, "t_order_entries", list);
  return result;
}

}  // namespace

program_request format_cache::conversion_to_bits() {
  program_request request{.kernel = "bits", .constants = rules.constants()};
  request.constants.emplace_back("T_BETWEEN_ZEROS", columns_between_zeros);
  return request;
}

format_cache::format format_cache::bits(const matrix_base& m, const hub_layout& layout) {
  if (format known = find(m, name_of(layout))) return known;
  // Compiled before the clock starts.
  compile_sort(device_);
  device_.runtime().program({.kernel = "listed"});
  const auto* hot_columns = device_.runtime().program({.kernel = "hot_columns"});
  return find_or_make(
      m, name_of(layout), conversion_to(layout), [&](converted_copy& result, auto* program) {
        const matrix_arguments c(device_, m);
        const cut_rows rows = cut_into_pieces(device_, m, rules, *program);
        ascending_columns ascending{m.column_indices, nullptr};
        std::vector<buffer_pointer> order(3, device_.allocate(0));
        if (layout.orders_all) {
          order = make_frequency_order(m, true, *hot_columns);
          ascending = sorted_by_place(device_, m, rows,
                                      places_of_columns(m, order[in_frequency_order::columns]),
                                      order[in_frequency_order::counts], *program);
        }
        const void *begins = device_.read(rows.begins), *of_pieces = device_.read(rows.rows),
                   *columns = device_.read(ascending.columns),
                   *entries = device_.read(ascending.entries);
        {
          // Values need a place each.
          const std::uint32_t by_distance = m.iso;
          void *counts = device_.write(rows.counts), *any = device_.write(rows.any);
          const kernel_argument list[] = {rows.pieces, by_distance, begins, of_pieces,
                                          columns,     counts,      any};
          device_.launch_over(rows.pieces, bit_conversion, *program, "t_count_steps", list);
        }
        const placed_segments placed = place_segments(device_, rows, rules, *program);
        const joined_rows joined = join_rows(device_, c.rows, rows, placed, rules, *program);

        const std::uint64_t places =
            std::uint64_t{placed.steps.back()} * slice_rules::lanes * words_of_step;
        const buffer_pointer words = device_.allocate(places * word_bytes),
                             values = device_.allocate(places * c.bytes),
                             row_at = device_.allocate(
                                 (placed.end() - placed.first_row_place(rules)) * word_bytes);
        const void *any = device_.read(rows.any), *before = device_.read(placed.before.before),
                   *segment_places = device_.read(placed.places),
                   *slices = device_.read(placed.slices),
                   *from_values = device_.read(m.iso ? nullptr : m.values);
        void *to_words = device_.write(words), *to_values = device_.write(values),
             *to_rows = device_.write(row_at);
        device_.runtime().fill(to_words, 0, words->bytes());
        device_.runtime().fill(to_values, 0, values->bytes());
        device_.runtime().fill(to_rows, 0xff, row_at->bytes());
        const auto first_row = static_cast<std::uint32_t>(placed.first_row_place(rules)),
                   ordered = static_cast<std::uint32_t>(ascending.entries != nullptr);
        const kernel_argument list[] = {
            rows.pieces,    begins, of_pieces, columns, entries,  ordered,     any,       before,
            segment_places, slices, first_row, to_rows, to_words, from_values, to_values, c.bytes};
        device_.launch_over(rows.pieces, bit_conversion, *program, "t_place_words", list);

        result.parts =
            parts_in_slices(uploaded(device_, placed.firsts), values, row_at, placed, joined,
                            order[in_frequency_order::columns], order[in_frequency_order::filled]);
        result.parts.push_back(words);  // in_bits
      });
}

}  // namespace tropic::detail
