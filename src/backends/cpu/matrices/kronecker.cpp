// SPDX-License-Identifier: Apache-2.0

// The Kronecker product: the length of row i * rows of B + k is the product of the lengths of row i
// of A and row k of B, so that the result is laid out before any product is formed. Each row is
// filled in ascending order; no entry depends on the number of threads.

#include <limits>

#include <tropic/error.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/matrices/laid_out_rows.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

matrix_base product_of(const memory_side& here, const operator_description& op,
                       const matrix_base& a, const matrix_base& b, const type_description& type) {
  const matrix_view x(here, a), y(here, b);
  if (x.nnz > 0 && y.nnz > (std::numeric_limits<std::size_t>::max() >> 8) / x.nnz)
    throw out_of_memory(std::numeric_limits<std::size_t>::max(), out_of_memory::unknown, "entries");
  matrix_base t = matrix_shell(here, type, a.rows * b.rows, a.columns * b.columns);
  t.iso = a.iso && b.iso && x.nnz > 0 && y.nnz > 0;
  lay_out_rows(here, t,
               [&](std::size_t r) { return length_of(x, r / y.rows) * length_of(y, r % y.rows); });
  if (t.nnz == 0) return t;
  const operand_source from_a{x.values, x.bytes, x.iso}, from_b{y.values, y.bytes, y.iso};
  if (t.iso) {
    t.values = here.allocate(1, type.size);
    entry_batch one(op, from_a, from_b, here.write_as<std::byte>(t.values));
    one.add(0, 0, 0, 0);
    one.flush();
  }
  auto* column = here.write_as<std::uint32_t>(t.column_indices);
  auto* values = t.iso ? nullptr : here.write_as<std::byte>(t.values);
  const matrix_view into(here, t);
  for_row_blocks(here, into, [&](std::size_t begin, std::size_t end) {
    entry_batch batch(op, from_a, from_b, values);
    for (std::size_t r = begin; r < end; ++r) {
      const std::size_t i = r / y.rows, k = r % y.rows;
      std::size_t at = into.offsets[r];
      for (std::size_t e = x.offsets[i]; e < x.offsets[i + 1]; ++e)
        for (std::size_t f = y.offsets[k]; f < y.offsets[k + 1]; ++f, ++at) {
          column[at] = static_cast<std::uint32_t>(x.column[e] * y.columns + y.column[f]);
          if (values) batch.add(e, f, at, r);
        }
    }
    batch.flush();
  });
  return t;
}

}  // namespace

void cpu_backend::kronecker(matrix_base& c, const kronecker_product& p, const matrix_rule& rule) {
  const memory_side here(context_, on_host_);
  const auto a = p.a_transposed ? transpose_of(p.a) : nullptr;
  const auto b = p.b_transposed ? transpose_of(p.b) : nullptr;
  write_back(c, product_of(here, p.multiply, a ? *a : p.a, b ? *b : p.b, *c.type), rule);
}

}  // namespace tropic::detail
