// SPDX-License-Identifier: Apache-2.0

// Products of a sparse and a full matrix on the device (spmm.kernel). B A with the full matrix
// first is (A' B')', with the transpose of A that is kept with the matrix, and copies of B and the
// result.

#include <algorithm>

#include "backends/device/formats/format_cache.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/device/spmm/spmm.hpp"
#include "containers/full.hpp"

namespace tropic::detail {

namespace {

// Row-major cells on the device.
struct device_cells {
  std::uint64_t rows = 0, columns = 0, leading = 0;
  buffer_pointer values, present;  // present: null if no entry is missing
};

// Values take `bytes` each.
device_cells transposed(device_context& device, const device_cells& from, std::size_t bytes) {
  const std::uint64_t n = from.rows * from.columns;
  device_cells to{from.columns, from.rows, from.rows, nullptr, nullptr};
  if (from.values != nullptr) to.values = device.allocate((n * bytes + 3) / 4 * 4);
  if (from.present != nullptr) to.present = device.allocate((n + 3) / 4 * 4);
  const std::uint32_t gaps = from.present != nullptr ? 1 : 0,
                      value_bytes = from.values != nullptr ? static_cast<std::uint32_t>(bytes) : 0;
  const void *present = device.read(from.present), *values = device.read(from.values);
  void *to_present = device.write(to.present), *to_values = device.write(to.values);
  const kernel_argument list[] = {from.rows,  from.columns, from.leading, gaps,       present,
                                  to_present, values,       to_values,    value_bytes};
  device.launch_over(n, "mxm", *device.runtime().program({.kernel = "cells"}), "t_transpose_cells",
                     list);
  return to;
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

// Whether the elements of B can be moved in packs of four (pack.h).
bool can_pack(const device_context& device, const device_cells& b) {
  // Only arrays of others begin anywhere.
  return b.leading % 4 == 0 && (b.values == nullptr || !b.values->is_borrowed() ||
                                reinterpret_cast<std::uintptr_t>(device.read(b.values)) % 16 == 0);
}

// Rows are sorted by length where a subgroup has several, and they differ.
bool sorts_rows(const device_context& device, const spmm_config& config, const matrix_base& m) {
  const index_t mean = m.nnz / std::max<index_t>(m.rows - m.empty_rows, 1);
  return device.traits().subgroup_size > 1U << config.team_bits &&
         m.longest_row > mean + mean / 4 + 4;
}

// One product, with what its launches read.
struct full_call {
  device_context& device;
  const full_product& p;
  const spmm_config& config;
  const matrix_base& m;  // its rows are those of C
  const std::uint32_t piece;
  device_cells b;
  buffer_pointer skip{};  // a byte for each position of C; null: all are wanted
  vector_base t{};
  const compiled_program* program = nullptr;
  std::vector<std::uint64_t> parameters{};

  bool uses_matrix() const {
    return p.full_first ? p.semiring.multiply.uses_y() : p.semiring.multiply.uses_x();
  }
  bool uses_full() const {
    return p.full_first ? p.semiring.multiply.uses_x() : p.semiring.multiply.uses_y();
  }
  // Whether a position may lack a sum though its row has entries.
  bool has_gaps() const { return b.present != nullptr || skip != nullptr; }
};

// A place for the result, full if all positions will have an entry.
vector_base allocate_result(const full_call& c, index_t positions) {
  vector_base t;
  t.context = c.device.context();
  t.type = &c.p.semiring.z();
  t.size = positions;
  const auto size = static_cast<std::size_t>(positions);
  const bool marks = c.has_gaps() || c.m.empty_rows > 0;
  t.storage = marks ? vector_storage::bitmap : vector_storage::full;
  t.values = c.device.allocate((size * t.type->size + 3) / 4 * 4);
  if (marks) t.present = c.device.allocate(size);
  return t;
}

// The rows of a matrix that are summed in pieces.
struct long_rows {
  std::uint64_t few = 0, many = 0, pieces = 0;  // rows of few pieces, others; pieces of all
  format_cache::format lists{};
  buffer_pointer sums{}, present{};  // of pieces, by columns

  long_rows() = default;
  long_rows(format_cache& formats, const full_call& c) : lists(formats.pieces(c.m, c.piece)) {
    const auto* counts = static_cast<const std::uint32_t*>(lists->parts[in_pieces::counts]->host());
    few = counts[0];
    many = counts[1];
    pieces = counts[2];
    sums = c.device.allocate((pieces * c.b.columns * c.t.type->size + 15) / 16 * 16);
    if (c.has_gaps()) present = c.device.allocate(pieces * c.b.columns);
  }
  const void* list(const device_context& device, std::size_t part) const {
    return device.read(lists != nullptr ? lists->parts[part] : nullptr);
  }
};

void launch_rows(full_call& c, const long_rows& cut, const buffer_pointer& order) {
  device_context& device = c.device;
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const void *offsets = device.read(c.m.offsets), *skip = device.read(c.skip),
             *columns = device.read(c.m.column_indices),
             *a = device.read(c.uses_matrix() ? c.m.values : nullptr),
             *u = device.read(c.uses_full() ? c.b.values : nullptr),
             *u_present = device.read(c.b.present), *by_length = device.read(order),
             *pieces = cut.list(device, in_pieces::pieces);
  void *w = device.write(c.t.values), *w_present = device.write(c.t.present),
       *sums = device.write(cut.sums), *sums_present = device.write(cut.present);
  const std::uint32_t wide = as_flag(c.m.wide), skips = as_flag(c.skip != nullptr),
                      iso = as_flag(c.m.iso), bitmap = as_flag(c.b.present != nullptr),
                      marks = as_flag(c.t.present != nullptr), ordered = as_flag(order != nullptr);
  const std::size_t group = device.group_size(spmm_config::group);
  const std::uint64_t items = (rows + cut.pieces) << c.config.team_bits;
  for (std::uint64_t first = 0; first < c.b.columns; first += c.config.panel()) {
    arguments list{rows, c.b.columns, c.b.leading, first, c.config.team_bits, c.piece, cut.pieces};
    append(list, pieces, sums, sums_present, by_length, ordered, offsets, wide, skip, skips,
           columns, a, iso, u, u_present, bitmap, w, w_present, marks, c.parameters);
    device.runtime().launch("mxm", *c.program, "t_spmm", list,
                            std::min<std::size_t>(divide_up(items, group), largest_grid), group);
  }
}

void join_pieces(full_call& c, const long_rows& cut) {
  device_context& device = c.device;
  const void *offsets = device.read(c.m.offsets), *rows = cut.list(device, in_pieces::long_rows),
             *sums = device.read(cut.sums), *present = device.read(cut.present);
  void *w = device.write(c.t.values, access::modify),
       *w_present = device.write(c.t.present, access::modify);
  const std::uint32_t wide = as_flag(c.m.wide), gaps = as_flag(c.has_gaps()),
                      marks = as_flag(c.t.present != nullptr);
  const std::uint64_t room = static_cast<std::uint64_t>(c.m.nnz) / c.piece;
  const kernel_argument list[] = {c.b.columns, offsets, wide,      c.piece, cut.few,
                                  cut.many,    room,    rows,      sums,    present,
                                  gaps,        w,       w_present, marks};
  const std::size_t group = device.group_size(spmm_config::group),
                    columns = spmm_config::join_columns(group);
  const std::uint64_t units = (cut.many + divide_up(cut.few, group / columns)) *
                              divide_up(c.b.columns, std::uint64_t{columns});
  device.runtime().launch("mxm", *c.program, "t_join_pieces", list,
                          std::min<std::size_t>(units, largest_grid), group);
}

}  // namespace

bool product_runner::spmm(vector_base& w, const full_product& p, const vector_rule& rule) {
  if (p.sparse.nnz == 0 || p.full.nvals() == 0 || w.size == 0) {
    vectors_.write_back("mxm", w, empty_vector(device_.context(), p.semiring.z(), w.size), rule);
    return true;
  }
  const auto k = static_cast<std::uint64_t>(p.full_first ? p.full.rows : p.full.columns);
  const device_cells b = cells_of(vectors_, p.full);
  const spmm_config config(k, p.semiring.z().size, p.full_first || can_pack(device_, b),
                           b.present != nullptr);
  const program_request request =
      config.request(p.semiring, p.full_first, device_.group_size(spmm_config::group));
  const compiled_program* const program = device_.runtime().program(request);
  if (program == nullptr) {
    device_.log_once("mxm: " + device_.runtime().name() +
                     " has no fp64; what needs it runs on the host");
    return false;
  }
  const bool by_transpose = p.transposed != p.full_first;
  std::shared_ptr<const matrix_base> keep;
  if (by_transpose) keep = matrices_.transpose_of(p.sparse);
  const matrix_base& m = keep ? *keep : p.sparse;
  full_call c{device_, p, config, m, spmm_config::piece_of(m), b};
  c.program = program;
  c.parameters = parameter_words_of(request);
  if (p.full_first) c.b = transposed(device_, c.b, p.full.cells.type->size);
  // The mask of a transposed result is left to the epilogue.
  if (!p.full_first) c.skip = vectors_.excluded(rule);

  vector_base& t = c.t = allocate_result(c, w.size);
  const long_rows cut = c.m.longest_row > index_t{c.piece} ? long_rows(formats_, c) : long_rows();
  format_cache::format order;
  if (sorts_rows(device_, config, c.m)) order = formats_.length_order(c.m);
  launch_rows(c, cut, order != nullptr ? order->parts.front() : nullptr);
  if (cut.pieces > 0) join_pieces(c, cut);
  if (p.full_first) {
    const auto rows = static_cast<std::uint64_t>(c.m.rows);
    const device_cells back = transposed(device_, {rows, k, k, t.values, t.present}, t.type->size);
    t.values = back.values;
    t.present = back.present;
  }
  // Without a bitmap or a mask, all positions of a row that has entries.
  t.nvals = c.has_gaps() ? count_present(device_, "mxm", t.present, t.size)
                         : entry_count((c.m.rows - c.m.empty_rows) * static_cast<index_t>(k));
  vectors_.write_back("mxm", w, std::move(t), rule);
  return true;
}

}  // namespace tropic::detail
