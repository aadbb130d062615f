// SPDX-License-Identifier: Apache-2.0

// Products of a sparse and a full matrix on the device (spmm.kernel). B A with the full matrix
// first is (A' B')', with the transpose of A that is kept with the matrix, and copies of B and the
// result.

#include <algorithm>

#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/device/spmm/spmm.hpp"
#include "containers/full.hpp"

namespace tropic::detail {

namespace {

constexpr std::uint64_t piece = spmm_config::piece;

// Row-major cells on the device.
struct device_cells {
  std::uint64_t rows = 0, columns = 0, leading = 0;
  buffer_pointer values, present;  // present: null if no entry is missing
};

buffer_pointer transposed(device_context& device, const buffer_pointer& from, device_cells shape,
                          std::size_t bytes) {
  if (from == nullptr) return nullptr;
  const std::uint64_t n = shape.rows * shape.columns;
  buffer_pointer result = device.allocate((n * bytes + 3) / 4 * 4);
  const auto value_bytes = static_cast<std::uint32_t>(bytes);
  const void* source = device.read(from);
  void* to = device.write(result);
  const kernel_argument list[] = {shape.rows, shape.columns, shape.leading, source,
                                  to,         value_bytes};
  device.launch_over(n, "mxm", *device.runtime().program({.kernel = "cells"}), "t_transpose_cells",
                     list);
  return result;
}

device_cells transposed(device_context& device, const device_cells& from, std::size_t bytes) {
  device_cells flags = from;
  flags.leading = from.columns;
  return {from.columns, from.rows, from.rows, transposed(device, from.values, from, bytes),
          transposed(device, from.present, flags, 1)};
}

device_cells cells_of(vector_operations& vectors, const full_base& m) {
  const auto rows = static_cast<std::uint64_t>(m.rows),
             columns = static_cast<std::uint64_t>(m.columns);
  if (m.strided != nullptr)
    return {rows, columns, static_cast<std::uint64_t>(m.strided->leading), m.strided->values, {}};
  vector_base cells = m.cells;
  vectors.spread(cells);
  return {rows, columns, columns, cells.values, cells.present};
}

// One product, with what its launches read.
struct full_call {
  device_context& device;
  const full_product& p;
  const matrix_base& m;  // its rows are those of C
  device_cells b;
  buffer_pointer skip{};  // a byte for each position of C; null: all are wanted
  vector_base t{};
  bool marks = false;
  std::uint32_t lanes = 1;
  std::uint64_t panels = 1;  // units of work for a row, `lanes` work-items each
  const compiled_program* program = nullptr;
  std::vector<std::uint64_t> parameters{};

  bool uses_matrix() const {
    return p.full_first ? p.semiring.multiply.uses_y() : p.semiring.multiply.uses_x();
  }
  bool uses_full() const {
    return p.full_first ? p.semiring.multiply.uses_x() : p.semiring.multiply.uses_y();
  }
};

// skip, skips; T_OPERANDS.
struct full_arguments {
  const void *offsets, *skip, *columns, *a, *u, *u_present;
  void *w, *w_present;
  std::uint32_t wide, skips, iso, bitmap, marks;
  const std::vector<std::uint64_t>& parameters;

  full_arguments(const full_call& c, const buffer_pointer& values, const buffer_pointer& present,
                 access mode)
      : offsets(c.device.read(c.m.offsets)),
        skip(c.device.read(c.skip)),
        columns(c.device.read(c.m.column_indices)),
        a(c.device.read(c.uses_matrix() ? c.m.values : nullptr)),
        u(c.device.read(c.uses_full() ? c.b.values : nullptr)),
        u_present(c.device.read(c.b.present)),
        w(c.device.write(values, mode)),
        w_present(c.device.write(present, mode)),
        wide(as_flag(c.m.wide)),
        skips(as_flag(c.skip != nullptr)),
        iso(as_flag(c.m.iso)),
        bitmap(as_flag(c.b.present != nullptr)),
        marks(as_flag(present != nullptr)),
        parameters(c.parameters) {}
  void append_rows(arguments& list) const { append(list, offsets, wide, skip, skips); }
  void append_operands(arguments& list) const {
    append(list, columns, a, iso, u, u_present, bitmap, w, w_present, marks, parameters);
  }
};

std::size_t groups_of(std::uint64_t items, std::size_t group) {
  return std::min<std::size_t>(divide_up(items, group), largest_grid);
}

void launch_rows(full_call& c, bool splits) {
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const std::uint32_t of_splits = as_flag(splits);
  const full_arguments of_call(c, c.t.values, c.t.present, access::overwrite);
  arguments list{rows, c.b.columns, c.b.leading, c.lanes, of_splits};
  of_call.append_rows(list);
  of_call.append_operands(list);
  const std::size_t group = c.device.group_size(128);
  c.device.runtime().launch("mxm", *c.program, "t_spmm", list,
                            groups_of(rows * c.panels * c.lanes, group), group);
}

// Rows of more than `piece` entries.
void launch_pieces(full_call& c) {
  device_context& device = c.device;
  const auto rows = static_cast<std::uint64_t>(c.m.rows), nnz = static_cast<std::uint64_t>(c.m.nnz);
  const std::uint64_t most_rows = nnz / piece, most_pieces = 2 * most_rows, k = c.b.columns;
  const buffer_pointer counts = device.allocate(2 * sizeof(std::uint32_t)),
                       long_rows = device.allocate(most_rows * 2 * sizeof(std::uint32_t)),
                       pieces = device.allocate(most_pieces * 2 * sizeof(std::uint32_t)),
                       sums = device.allocate(most_pieces * k * c.t.type->size),
                       present = device.allocate(most_pieces * k);
  void *count = device.write(counts), *row_list = device.write(long_rows),
       *piece_list = device.write(pieces);
  device.runtime().fill(count, 0, counts->bytes());
  const full_arguments of_pieces(c, sums, present, access::overwrite);
  const std::size_t group = device.group_size(128);
  const kernel_argument listing[] = {rows,  of_pieces.offsets, of_pieces.wide,
                                     count, row_list,          piece_list};
  device.launch_over(rows, "mxm", *c.program, "t_list_pieces", listing);

  arguments summing{k, c.b.leading, c.lanes};
  of_pieces.append_rows(summing);
  append(summing, count, piece_list);
  of_pieces.append_operands(summing);
  device.runtime().launch("mxm", *c.program, "t_sum_pieces", summing,
                          groups_of(most_pieces * c.panels * c.lanes, group), group);

  const full_arguments of_result(c, c.t.values, c.t.present, access::modify);
  const kernel_argument joining[] = {k,
                                     of_result.offsets,
                                     of_result.wide,
                                     count,
                                     row_list,
                                     of_pieces.w,
                                     of_pieces.w_present,
                                     of_result.w,
                                     of_result.w_present,
                                     of_result.marks};
  device.launch_over(most_rows * k, "mxm", *c.program, "t_join_pieces", joining);
}

}  // namespace

bool product_runner::spmm(vector_base& w, const full_product& p, const vector_rule& rule) {
  if (p.sparse.nnz == 0 || p.full.nvals() == 0 || w.size == 0) {
    vectors_.write_back("mxm", w, empty_vector(device_.context(), p.semiring.z(), w.size), rule);
    return true;
  }
  const auto k = static_cast<std::uint64_t>(p.full_first ? p.full.rows : p.full.columns);
  const spmm_config config(k, p.semiring.z().size);
  const program_request request = config.request(p.semiring, p.full_first);
  const compiled_program* const program = device_.runtime().program(request);
  if (program == nullptr) {
    device_.log_once("mxm: " + device_.runtime().name() +
                     " has no fp64; what needs it runs on the host");
    return false;
  }
  const bool by_transpose = p.transposed != p.full_first;
  std::shared_ptr<const matrix_base> keep;
  if (by_transpose) keep = matrices_.transpose_of(p.sparse);
  full_call c{device_, p, keep ? *keep : p.sparse, cells_of(vectors_, p.full)};
  c.program = program;
  c.parameters = parameter_words_of(request);
  c.lanes = config.lanes;
  c.panels = divide_up(k, std::uint64_t{config.lanes} * config.columns_each);
  if (p.full_first) c.b = transposed(device_, c.b, p.full.cells.type->size);
  // The mask of a transposed result is left to the epilogue.
  if (!p.full_first) c.skip = vectors_.excluded(rule);

  vector_base& t = c.t;
  t.context = device_.context();
  t.type = &p.semiring.z();
  t.size = w.size;
  const auto size = static_cast<std::size_t>(w.size);
  const bool marks = c.b.present != nullptr || c.skip != nullptr || c.m.empty_rows > 0;
  t.storage = marks ? vector_storage::bitmap : vector_storage::full;
  t.values = device_.allocate((size * t.type->size + 3) / 4 * 4);
  if (marks) t.present = device_.allocate(size);
  const bool splits = static_cast<std::uint64_t>(c.m.longest_row) > piece;
  launch_rows(c, splits);
  if (splits) launch_pieces(c);
  if (p.full_first) {
    const auto rows = static_cast<std::uint64_t>(c.m.rows);
    const device_cells back = transposed(device_, {rows, k, k, t.values, t.present}, t.type->size);
    t.values = back.values;
    t.present = back.present;
  }
  t.nvals = marks ? count_present(device_, "mxm", t.present, t.size) : entry_count(t.size);
  vectors_.write_back("mxm", w, std::move(t), rule);
  return true;
}

}  // namespace tropic::detail
