// SPDX-License-Identifier: Apache-2.0

// The entries for which a predicate holds (GraphBLAS C API 2.0, 4.3.9): the predicate gives a flag
// per entry, then the flagged entries are copied; a dense vector keeps its values and gets new
// flags instead. If every entry is kept, the result shares its input's arrays.

#include "backends/cpu/conversions.hpp"
#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/rows.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

std::byte* as_values(std::uint8_t* flags) {
  return reinterpret_cast<std::byte*>(flags);
}

vector_base select_from(const memory_side& here, const unary_description& predicate,
                        const vector_base& u) {
  const vector_view from(here, u);
  const bound_operands operands = operands_of(predicate, {from.values, from.bytes, false});
  const bool positional = predicate.op.syntax->positional();
  const std::size_t count = from.is_sparse() ? from.nvals : from.size;
  const buffer_pointer keep = here.allocate(count, 1);
  auto* flags = here.write_as<std::uint8_t>(keep);
  for_chunks(here.threads(), count, [&](std::size_t begin, std::size_t end) {
    entry_batch batch(predicate.op, operands.x, operands.y, as_values(flags));
    if (from.is_sparse() && positional) {
      for (std::size_t n = begin; n < end; ++n) batch.add(n, n, n, from.indices[n]);
    } else if (from.present) {
      std::memset(flags + begin, 0, end - begin);
      add_present(batch, from.present, begin, end);
    } else {
      batch.add_run(begin, begin, begin, end - begin, begin);
    }
    batch.flush();
  });
  if (from.is_sparse()) return keep_entries(here, u, flags);
  const std::size_t kept = count_flags(here, flags, count);
  if (kept == from.nvals) return u;
  vector_base result = u;
  result.storage = vector_storage::bitmap;
  result.present = keep;
  result.nvals = static_cast<index_t>(kept);
  return result;
}

// One flag per entry; a single one if `iso` and the predicate reads only values.
buffer_pointer flags_of(const memory_side& here, const unary_description& predicate,
                        const matrix_view& from) {
  const bound_operands operands = operands_of(predicate, {from.values, from.bytes, from.iso});
  const bool positional = predicate.op.syntax->positional();
  const std::size_t count = from.iso && !positional ? 1 : from.nnz;
  const buffer_pointer keep = here.allocate(count, 1);
  auto* flags = here.write_as<std::uint8_t>(keep);
  if (positional) {
    const row_blocks blocks(from);
    for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
      entry_batch batch(predicate.op, operands.x, operands.y, as_values(flags));
      for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row)
        for (std::size_t e = from.offsets[row], end = from.offsets[row + 1]; e < end; ++e)
          batch.add(e, e, e, row, from.column[e]);
      batch.flush();
    });
  } else {
    for_chunks(here.threads(), count, [&](std::size_t begin, std::size_t end) {
      entry_batch batch(predicate.op, operands.x, operands.y, as_values(flags));
      batch.add_run(begin, begin, begin, end - begin, 0);
      batch.flush();
    });
  }
  return keep;
}

matrix_base select_from(const memory_side& here, const unary_description& predicate,
                        const matrix_base& a) {
  matrix_base all = a;
  renew(all);
  if (a.nnz == 0) return all;
  const matrix_view from(here, a);
  const buffer_pointer keep = flags_of(here, predicate, from);
  const auto* flags = here.read_as<std::uint8_t>(keep);
  const bool decides_all = keep->bytes() < from.nnz || from.nnz == 1;
  if (decides_all && flags[0]) {
    all.symmetric = a.symmetric;
    return all;
  }
  matrix_base result = matrix_shell(here, *a.type, a.rows, a.columns);
  result.iso = a.iso;
  const buffer_pointer lengths = here.allocate(from.rows, sizeof(std::uint64_t));
  auto* length = here.write_as<std::uint64_t>(lengths);
  const row_blocks blocks(from);
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
      std::uint64_t count = 0;
      if (!decides_all)
        for (std::size_t e = from.offsets[row], end = from.offsets[row + 1]; e < end; ++e)
          count += flags[e];
      length[row] = count;
    }
  });
  lay_out(here, result, lengths);
  if (result.iso) result.values = result.nnz > 0 ? a.values : here.allocate(0, 1);
  if (result.nnz == 0) return result;
  if (result.nnz == a.nnz) return all;
  const offsets_view offsets{here.read(result.offsets), result.wide};
  auto* columns = here.write_as<std::uint32_t>(result.column_indices);
  auto* values = result.iso ? nullptr : here.write_as<std::byte>(result.values);
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    with_element_size(from.bytes, [&]<std::size_t N>() {
      for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
        std::size_t at = offsets[row];
        for (std::size_t e = from.offsets[row], end = from.offsets[row + 1]; e < end; ++e) {
          if (!flags[e]) continue;
          columns[at] = from.column[e];
          if (values) copy_element<N>(values, at, from.values, e, from.bytes);
          ++at;
        }
      }
    });
  });
  return result;
}

}  // namespace

void cpu_backend::select(vector_base& w, const unary_description& predicate, const vector_base& u,
                         const vector_rule& rule) {
  const memory_side here(context_, on_host_);
  write_back(w, select_from(here, predicate, u), rule);
}

void cpu_backend::select(matrix_base& c, const unary_description& predicate, const matrix_base& a,
                         const matrix_rule& rule) {
  const memory_side here(context_, on_host_);
  write_back(c, select_from(here, predicate, a), rule);
}

}  // namespace tropic::detail
