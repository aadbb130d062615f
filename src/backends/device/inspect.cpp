// SPDX-License-Identifier: Apache-2.0

// The statistics of a matrix (backends/statistics.hpp), counted by the device: three launches, and
// 6 KB that come back once.

#include "backends/device/conversion.hpp"
#include "backends/device/program/inspect_program.hpp"
#include "containers/cancel_watch.hpp"

namespace tropic::detail {

// A matrix that is on the host alone is sent to the device for it: the product that is planned
// reads it there anyway, and would send it a moment later.
matrix_statistics device_backend::inspect(const matrix_base& a, std::uint64_t wanted) try {
  using s = matrix_statistics;
  if (!are_few_entries({&a})) return cpu_backend::inspect(a, wanted);
  matrix_statistics made;
  if (a.rows == 0) return made;
  cancel_watch watch(context_.shared_from_this());
  watch.check();
  constexpr std::string_view operation = "inspect";
  const conversion c(*this, a);
  const std::size_t group = group_of(256), most = 8 * runtime_->traits().processors;
  const auto groups_of = [&](std::uint64_t n) {
    return std::clamp<std::size_t>(static_cast<std::size_t>((n + group - 1) / group), 1, most);
  };
  const auto* program = runtime_->program(inspect_request(group));
  const auto width = static_cast<std::uint64_t>(a.columns),
             counters = a.nnz > 0 ? s::counters_of(width) : 0;
  const buffer_pointer found = allocate(inspected_words * sizeof(std::uint32_t)),
                       counts = allocate(counters * sizeof(std::uint32_t));
  void *to = write_device(found), *of_columns = write_device(counts);
  runtime_->fill(to, 0, found->bytes());
  const kernel_argument of_rows[] = {c.rows, c.offsets, c.wide, counters, of_columns, to};
  // As many groups as the rows keep busy, or the counters that they blank, 16 a work-item.
  runtime_->launch(operation, *program, "t_inspect_rows", of_rows,
                   groups_of(std::max(c.rows, counters / 16)), group);
  if (a.nnz > 0) {
    const s::sample sample(c.nnz, wanted);
    const std::uint64_t each = sample.all / sample.taken, rest = sample.all % sample.taken;
    const void* columns = read_device(a.column_indices);
    const kernel_argument of_pieces[] = {c.rows,    width,  c.nnz,   each,       rest, sample.taken,
                                         c.offsets, c.wide, columns, of_columns, to};
    runtime_->launch(operation, *program, "t_inspect_pieces", of_pieces,
                     static_cast<std::size_t>(sample.taken), group);
    const std::uint64_t counted = std::min(width, counters);
    const kernel_argument of_counts[] = {counted, of_columns, to};
    runtime_->launch(operation, *program, "t_inspect_columns", of_counts,
                     groups_of(counters / s::segment), group);
    // Pieces are whole, but for the matrix' last.
    const std::uint64_t last = sample.end(sample.taken - 1) - sample.begin(sample.taken - 1);
    const auto in_pieces = [&](std::uint64_t size) {
      return (sample.taken - 1) * (s::piece / size) + (last + size - 1) / size;
    };
    made.entries = in_pieces(1);
    made.pieces = in_pieces(s::piece);
    made.windows = in_pieces(s::window);
    made.tiles = in_pieces(s::tile);
  }
  read_inspected(made, std::span<const std::uint32_t, inspected_words>(
                           static_cast<const std::uint32_t*>(found->host()), inspected_words));
  watch.check();
  return made;
} catch (const out_of_memory&) {  // for counters of columns, or for the matrix itself
  return cpu_backend::inspect(a, wanted);
}

}  // namespace tropic::detail
