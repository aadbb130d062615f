// SPDX-License-Identifier: Apache-2.0

// A function of every entry (GraphBLAS C API 2.0, 4.3.8). The result shares its input's structure:
// only values are computed, O(nvals) (O(n) for a bitmap), in contiguous blocks if the function does
// not read positions. An iso matrix stays iso.

#include "backends/cpu/conversions.hpp"
#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/rows.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

void apply_to(const memory_side& here, const unary_description& f, const vector_view& from,
              std::byte* to) {
  const bound_operands operands = operands_of(f, {from.values, from.bytes, false});
  const bool positional = f.op.syntax->positional();
  const std::size_t count = from.is_sparse() ? from.nvals : from.size;
  for_chunks(here.threads(), count, [&](std::size_t begin, std::size_t end) {
    entry_batch batch(f.op, operands.x, operands.y, to);
    if (from.is_sparse() && positional)
      for (std::size_t n = begin; n < end; ++n) batch.add(n, n, n, from.indices[n]);
    else if (from.present)
      add_present(batch, from.present, begin, end);
    else
      batch.add_run(begin, begin, begin, end - begin, begin);
    batch.flush();
  });
}

}  // namespace

void cpu_backend::apply(vector_base& w, const unary_description& f, const vector_base& u,
                        const vector_rule& rule) {
  const memory_side here(context_, on_host_);
  const vector_view from(here, u);
  const bool is_final = rule.mask == nullptr && rule.accumulator == nullptr;
  if (&w == &u && is_final && memory_side::is_exclusive(w.values) && f.op.z->size == from.bytes) {
    apply_to(here, f, from, here.write_as<std::byte>(w.values, access::modify));
    return;
  }
  vector_base t = u;
  t.type = f.op.z;
  t.values = here.allocate(from.is_sparse() ? from.nvals : from.size, f.op.z->size);
  apply_to(here, f, from, here.write_as<std::byte>(t.values));
  write_back(w, std::move(t), rule);
}

void cpu_backend::apply(matrix_base& c, const unary_description& f, const matrix_base& a,
                        const matrix_rule& rule) {
  const memory_side here(context_, on_host_);
  const matrix_view from(here, a);
  const bool positional = f.op.syntax->positional();
  matrix_base t = a;
  renew(t);
  t.type = f.op.z;
  t.symmetric = a.symmetric && !positional;
  t.iso = a.iso && !positional;
  const std::size_t values = t.iso ? std::min<std::size_t>(from.nnz, 1) : from.nnz;
  t.values = here.allocate(values, f.op.z->size);
  auto* to = here.write_as<std::byte>(t.values);
  const bound_operands operands = operands_of(f, {from.values, from.bytes, from.iso});
  if (positional) {
    const row_blocks blocks(from);
    for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
      entry_batch batch(f.op, operands.x, operands.y, to);
      for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row)
        for (std::size_t e = from.offsets[row], end = from.offsets[row + 1]; e < end; ++e)
          batch.add(e, e, e, row, from.column[e]);
      batch.flush();
    });
  } else {
    for_chunks(here.threads(), values, [&](std::size_t begin, std::size_t end) {
      entry_batch batch(f.op, operands.x, operands.y, to);
      batch.add_run(begin, begin, begin, end - begin, 0);
      batch.flush();
    });
  }
  write_back(c, std::move(t), rule);
}

}  // namespace tropic::detail
