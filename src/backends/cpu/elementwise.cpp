// SPDX-License-Identifier: Apache-2.0

// Operations of one entry at a time (GraphBLAS C API 2.0, 4.3.4, 4.3.5, 4.3.8 and 4.3.9).
//
// ewise: unions and intersections (merge.hpp for vectors, rows.hpp for matrices).
//
// apply: the result shares its input's structure; only values are made, O(nvals) (O(n) over a
// bitmap), in one range if the function does not use positions. One value for all entries
// of a matrix stays one value.
//
// select: the predicate gives a flag an entry, then the flagged entries are copied out; a dense
// vector keeps its values and gets new flags instead. Where every entry is kept, the result shares
// its input's arrays. tril and triu keep one end of every row, which is found by search.

#include <algorithm>
#include <cstring>
#include <numeric>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/products/known_sums.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "backends/cpu/vectors/merge.hpp"
#include "containers/derived_copies.hpp"
#include "containers/integers.hpp"

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

// Whether rows of these lengths hold all entries of `a`.
bool keeps_all(const memory_side& here, const buffer_pointer& lengths, const matrix_base& a) {
  const auto* length = here.read_as<std::uint64_t>(lengths);
  return sum_over_chunks(here.threads(), as_size(a.rows), [&](std::size_t begin, std::size_t end) {
           return std::accumulate(length + begin, length + end, std::size_t{0});
         }) == as_size(a.nnz);
}

// All entries of `a`, in the same arrays.
matrix_base all_of(const matrix_base& a) {
  matrix_base all = a;
  renew(all);
  return all;
}

// The entries on one side of a diagonal.
matrix_base select_side(const memory_side& here, const diagonal_side& side, const matrix_base& a) {
  const matrix_view from(here, a);
  matrix_base result = matrix_shell(here, *a.type, a.rows, a.columns);
  result.iso = a.iso;
  const buffer_pointer lengths = here.allocate(from.rows, sizeof(std::uint64_t));
  auto* length = here.write_as<std::uint64_t>(lengths);
  // Rows of up to four entries, without branches by their length.
  constexpr std::size_t few = 4;
  // Columns are below 2^32.
  constexpr std::int64_t far = std::int64_t{1} << 33;
  const std::int64_t first_kept_after = std::clamp(side.shift, -far, far) + (side.up_to ? 1 : 0);
  const row_blocks blocks(from);
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
      const std::uint32_t *const begin = from.column + from.offsets[row], *const end =
                                                                              from.column +
                                                                              from.offsets[row + 1];
      const std::int64_t border = static_cast<std::int64_t>(row) + first_kept_after;
      const auto is_before = [&](std::uint32_t column) { return std::int64_t{column} < border; };
      const auto entries = static_cast<std::size_t>(end - begin);
      if (entries <= few && from.offsets[row] + few <= from.nnz) {
        std::uint64_t before = 0;
        for (std::size_t n = 0; n < few; ++n) before += (n < entries) & is_before(begin[n]);
        length[row] = side.up_to ? before : entries - before;
        continue;
      }
      // In a short row all are compared: a search ends in branches that cannot be predicted.
      const auto* const cut = end - begin <= 16 ? begin + std::count_if(begin, end, is_before)
                                                : std::partition_point(begin, end, is_before);
      length[row] = static_cast<std::uint64_t>(side.up_to ? cut - begin : end - cut);
    }
  });
  const auto note_side = [&](matrix_base& selected) {
    if (side.up_to && side.shift < 0) selected.derived->below_diagonal = matrix_fact::holds;
  };
  if (keeps_all(here, lengths, a)) {
    matrix_base all = all_of(a);
    note_side(all);
    return all;
  }
  note_side(result);
  lay_out(here, result, lengths);
  if (result.iso) result.values = result.nnz > 0 ? a.values : here.allocate(0, 1);
  if (result.nnz == 0) return result;
  const offsets_view offsets{here.read(result.offsets), result.wide};
  auto* columns = here.write_as<std::uint32_t>(result.column_indices);
  auto* values = result.iso ? nullptr : here.write_as<std::byte>(result.values);
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    const std::size_t stop = offsets[blocks.begin(block + 1)];
    for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
      const std::size_t to = offsets[row], count = offsets[row + 1] - to;
      const std::size_t e = side.up_to ? from.offsets[row] : from.offsets[row + 1] - count;
      // Those of the rows that follow are written over.
      if (count <= few && e + few <= from.nnz && to + few <= stop)
        std::memcpy(columns + to, from.column + e, few * sizeof(std::uint32_t));
      else
        std::copy_n(from.column + e, count, columns + to);
      if (values)
        std::copy_n(from.values + e * from.bytes, count * from.bytes, values + to * from.bytes);
    }
  });
  return result;
}

matrix_base select_from(const memory_side& here, const unary_description& predicate,
                        const matrix_base& a) {
  if (a.nnz == 0) return all_of(a);
  if (const auto side = side_of_diagonal(predicate.op)) return select_side(here, *side, a);
  const matrix_view from(here, a);
  const buffer_pointer keep = flags_of(here, predicate, from);
  const auto* flags = here.read_as<std::uint8_t>(keep);
  const bool decides_all = keep->bytes() < from.nnz || from.nnz == 1;
  if (decides_all && flags[0]) {
    matrix_base all = all_of(a);
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
  if (keeps_all(here, lengths, a)) return all_of(a);
  lay_out(here, result, lengths);
  if (result.iso) result.values = result.nnz > 0 ? a.values : here.allocate(0, 1);
  if (result.nnz == 0) return result;
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

void cpu_backend::ewise(vector_base& w, combination combine, const operator_description& op,
                        const vector_base& u, const vector_base& v, const vector_rule& rule) {
  const memory_side here(context_, on_host_);
  if (combine == combination::set_intersection)
    return write_back(w, intersect(here, op, u, v), rule);
  // w = w + v: v is merged into w in place, as an accumulator would.
  if (&w == &u && rule.mask == nullptr && rule.accumulator == nullptr)
    return unite(here, w, v, &op);
  vector_base t = u;
  unite(here, t, v, &op);
  write_back(w, std::move(t), rule);
}

void cpu_backend::ewise(matrix_base& c, combination combine, const operator_description& op,
                        const matrix_base& a, const matrix_base& b, const matrix_rule& rule) {
  const memory_side here(context_, on_host_);
  row_rule merge;
  merge.op = &op;
  merge.is_intersection = combine == combination::set_intersection;
  write_back(c, merge_rows(here, *op.z, a, b, merge), rule);
}

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
