// SPDX-License-Identifier: Apache-2.0

// What an inspection counts (backends/pattern_counts.hpp), counted by the device: three launches,
// and 6 KB that are copied to the host.

#include "containers/cancel_watch.hpp"

#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/program/inspect_program.hpp"

namespace tropic::detail {

// A matrix that is on the host alone is sent to the device for it: the product that is planned
// reads it there anyway, and would send it a moment later.
std::optional<pattern_counts> matrix_operations::inspect(const matrix_base& a,
                                                         std::uint64_t wanted) try {
  using s = pattern_counts;
  if (!are_few_entries({&a})) return std::nullopt;
  pattern_counts result;
  if (a.rows == 0) return result;
  cancel_watch watch(device_.context());
  watch.check();
  constexpr std::string_view operation = "inspect";
  const matrix_arguments c(device_, a);
  const std::size_t group = device_.group_size(256);
  const auto* program = device_.runtime().program(inspect_request(group));
  const auto width = static_cast<std::uint64_t>(a.columns),
             counters = a.nnz > 0 ? s::counters_of(width) : 0;
  const buffer_pointer found = device_.allocate(inspected_words * sizeof(std::uint32_t)),
                       counts = device_.allocate(counters * sizeof(std::uint32_t));
  void *to = device_.write(found), *of_columns = device_.write(counts);
  device_.runtime().fill(to, 0, found->bytes());
  const kernel_argument of_rows[] = {c.rows, c.offsets, c.wide, counters, of_columns, to};
  // As many groups as the rows keep busy, or the counters that they clear, 16 a work-item.
  device_.runtime().launch(operation, *program, "t_inspect_rows", of_rows,
                           device_.groups_over(std::max(c.rows, counters / 16), group), group);
  if (a.nnz > 0) {
    const s::sample sample(c.nnz, wanted);
    const std::uint64_t step = sample.all / sample.taken, rest = sample.all % sample.taken;
    const void* columns = device_.read(a.column_indices);
    const kernel_argument of_pieces[] = {c.rows,    width,  c.nnz,   step,       rest, sample.taken,
                                         c.offsets, c.wide, columns, of_columns, to};
    device_.runtime().launch(operation, *program, "t_inspect_pieces", of_pieces,
                             static_cast<std::size_t>(sample.taken), group);
    const std::uint64_t counted = std::min(width, counters);
    const kernel_argument of_counts[] = {counted, of_columns, to};
    device_.runtime().launch(operation, *program, "t_inspect_columns", of_counts,
                             device_.groups_over(counters / s::segment, group), group);
    // Pieces are whole, but for the matrix' last.
    const std::uint64_t last = sample.end(sample.taken - 1) - sample.begin(sample.taken - 1);
    const auto in_pieces = [&](std::uint64_t size) {
      return (sample.taken - 1) * (s::piece / size) + (last + size - 1) / size;
    };
    result.entries = in_pieces(1);
    result.pieces = in_pieces(s::piece);
    result.windows = in_pieces(s::window);
    result.tiles = in_pieces(s::tile);
  }
  read_inspected(result, std::span<const std::uint32_t, inspected_words>(
                             static_cast<const std::uint32_t*>(found->host()), inspected_words));
  watch.check();
  return result;
} catch (const out_of_memory&) {  // for counters of columns, or for the matrix itself
  return std::nullopt;
}

}  // namespace tropic::detail
