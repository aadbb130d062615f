// SPDX-License-Identifier: Apache-2.0

// Products of a sparse and a full matrix on the CPU (tropic/detail/cpu/spmm_kernels.hpp has the
// loops). Threads take parts of the rows with about equal numbers of rows + entries; where a row is
// longer than a part, the columns are divided as well. A sum is never divided, so that results do
// not depend on the parts.
//
// B A with the full matrix first is computed as (A' B')', with the transpose of A that is kept with
// the matrix, and copies of B and the result: a row of A then serves all rows of B.

#include <tropic/detail/cpu/spmm_table.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/matrices/matrix_facts.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/products/known_sums.hpp"
#include "backends/cpu/spmm/cells.hpp"
#include "backends/cpu/spmm/evaluated.hpp"
#include "containers/cancel_watch.hpp"
#include "containers/full.hpp"

namespace tropic::detail {

using namespace on_cpu;

namespace {

constexpr std::size_t part_products = 1 << 18;  // of one part, about
constexpr std::size_t panel = 32;               // columns of one part of a long row
// Shorter products are not cancelled, and may write into C's own arrays.
constexpr std::size_t most_uncancelled = std::size_t{1} << 32;

// Which parts there are. They do not depend on the number of threads.
struct division {
  std::size_t rows, weight, parts, panels, columns;
  const csr_arrays& a;

  division(const csr_arrays& matrix, const matrix_base& m, std::size_t k)
      : rows(as_size(m.rows)), weight(rows + as_size(m.nnz)), columns(k), a(matrix) {
    const std::size_t of_part = std::max<std::size_t>(part_products / k, 64);
    parts = weight / of_part + 1;
    const bool has_long = as_size(m.longest_row) > 2 * of_part;
    panels = has_long ? (k + panel - 1) / panel : 1;
  }
  std::size_t row_of(std::size_t part) const {
    if (part == parts) return rows;
    const std::size_t wanted = weight * part / parts;
    return partition_point(0, rows, [&](std::size_t row) { return row + a.offset(row) < wanted; });
  }
  std::size_t column_of(std::size_t p) const {
    return p == panels ? columns : panels == 1 ? 0 : p * panel;
  }
};

std::size_t run(const cpu_spmm_kernel_table::rows kernel, const spmm_arguments& arguments,
                const division& d, int threads, cancel_watch* watch) {
  return sum_over_blocks(threads, d.parts * d.panels, [&](std::size_t task) -> std::size_t {
    if (watch != nullptr && watch->is_cancelled()) return 0;
    const std::size_t part = task / d.panels, p = task % d.panels;
    const std::size_t begin = d.row_of(part), end = d.row_of(part + 1);
    if (begin == end) return 0;
    return kernel(arguments, begin, end, d.column_of(p), d.column_of(p + 1));
  });
}

// The full operand, whose cells are not a list; its transpose if it is the first one.
cell_arrays full_operand(const memory_side& here, const full_product& p, const vector_base& cells) {
  cell_arrays b{as_size(p.full.rows), as_size(p.full.columns), as_size(p.full.columns), {}, {}};
  if (p.full.strided != nullptr) {
    b.values = p.full.strided->values;
    b.leading = as_size(p.full.strided->leading);
  } else {
    b.values = cells.values;
    b.present = cells.present;
  }
  return p.full_first ? transposed(here, b, cells.type->size) : b;
}

// Whether an array of so many bytes may be overwritten: it is visible nowhere else, and valid where
// the product writes.
bool is_own(const buffer_pointer& array, std::size_t bytes, bool on_host) {
  return memory_side::is_exclusive(array) && array->bytes() == bytes &&
         (on_host ? array->host_valid() : array->device_valid());
}

}  // namespace

void cpu_backend::spmm(vector_base& c, const full_product& p, const vector_rule& rule) {
  if (p.semiring.cpu_spmm_kernels == nullptr)
    if (const semiring_description* known = same_builtin(p.semiring);
        known != nullptr && known->cpu_spmm_kernels != nullptr)
      return spmm(c, {*known, p.sparse, p.full, p.transposed, p.full_first}, rule);
  const memory_side here(context_, on_host_);
  if (p.sparse.nnz == 0 || p.full.nvals() == 0 || c.size == 0)
    return write_back(c, empty_vector(here.context(), p.semiring.z(), c.size), rule);
  const cpu_spmm_kernel_table& kernels = p.semiring.cpu_spmm_kernels != nullptr
                                             ? *p.semiring.cpu_spmm_kernels
                                             : evaluated_spmm_kernels;

  vector_base cells = p.full.cells;
  if (p.full.strided == nullptr && cells.storage == vector_storage::sparse)
    convert_storage(cells,
                    cells.nvals == cells.size ? vector_storage::full : vector_storage::bitmap);
  const cell_arrays b = full_operand(here, p, cells);
  const bool by_transpose = p.transposed != p.full_first;
  std::shared_ptr<const matrix_base> keep;
  if (by_transpose) keep = transpose_of(p.sparse);
  const matrix_base& m = by_transpose ? *keep : p.sparse;
  spmm_arguments arguments;
  arguments.semiring = &p.semiring;
  arguments.a = {here.read(m.offsets), here.read_as<std::uint32_t>(m.column_indices),
                 here.read(m.values), m.wide, m.iso};
  if (kernels.asks_for_plain && b.present == nullptr)
    arguments.a_is_plain = has_plain_values(m, arguments.a.values, threads());
  arguments.b = here.read(b.values);
  arguments.leading = b.leading;
  arguments.columns = b.columns;
  buffer_pointer rows_of_b, skip;
  if (b.present != nullptr) {
    rows_of_b = rows_with_entries(here, b);
    arguments.b_present = here.read_as<std::uint8_t>(b.present);
    arguments.b_rows = here.read_as<std::uint8_t>(rows_of_b);
  }
  if (rule.mask != nullptr && !p.full_first) arguments.skip = skip_of(rule, c.size, false, skip);

  // The result is in C's own array only if nothing else is to be read from it, and no step may fail
  // after it was written.
  const std::size_t bytes = p.semiring.z().size, size = as_size(c.size);
  const bool is_long = as_size(m.nnz) > most_uncancelled / b.columns;
  const bool may_lack = b.present != nullptr || m.empty_rows > 0 || arguments.skip != nullptr;
  const bool replaces =
      rule.mask == nullptr && rule.accumulator == nullptr && !p.full_first && !is_long &&
      !may_lack && is_own(c.values, size * bytes, on_host_ || context_.device_memory == nullptr);
  vector_base t;
  t.context = here.context();
  t.type = &p.semiring.z();
  t.size = c.size;
  t.storage = vector_storage::bitmap;
  t.values = replaces ? c.values : here.allocate(size, bytes);
  if (may_lack) t.present = here.allocate(size, 1);
  arguments.c_present = here.write_as<std::uint8_t>(t.present);
  arguments.c = here.write_as<std::byte>(t.values);

  cancel_watch watch(here.context());
  const auto kernel = (b.present != nullptr ? kernels.bitmap : kernels.full)[p.full_first];
  t.nvals = static_cast<index_t>(run(kernel, arguments, division(arguments.a, m, b.columns),
                                     threads(), is_long ? &watch : nullptr));
  if (is_long) watch.check();
  if (p.full_first) {
    const cell_arrays back =
        transposed(here, {as_size(m.rows), b.columns, b.columns, t.values, t.present}, bytes);
    t.values = back.values;
    t.present = back.present;
  }
  if (t.nvals == t.size) {
    t.storage = vector_storage::full;
    t.present = nullptr;
  }
  write_back(c, std::move(t), rule);
}

}  // namespace tropic::detail
