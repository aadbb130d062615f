// SPDX-License-Identifier: Apache-2.0

// Processing of the parsed entries: mirroring and sizing; see entries.hpp.
//
// Mirror images are appended, so that entries [0, stored) remain those of the file. Blocks count
// their off-diagonal entries, a prefix sum determines where their images go, and these are written
// in parallel: the list is the same for every number of threads.

#include "io/entries.hpp"

#include <limits>

namespace tropic::io::detail {

namespace {

constexpr std::size_t block = std::size_t{1} << 18;

/// Resizes the arrays to `total` entries. Those without room for them grow one after another; for a
/// moment both the old and the new copy of one exist.
void grow(coordinates& matrix, std::size_t total, const job& work) {
  const std::size_t stored = matrix.row.size(), vertices = bytes_of_vertices(matrix);
  const std::size_t value = matrix.pattern ? 0 : matrix.value_size();
  const bool has_room = matrix.row.capacity() >= total;
  std::size_t peak = bytes_for(total, 8 + value);
  if (!has_room) {
    const auto with = [&](std::size_t grown, std::size_t old) {
      peak = std::max(peak, sum_of_bytes(bytes_for(total, grown), bytes_for(stored, old)));
    };
    with(4, 8 + value);
    with(8, 4 + value);
    with(8 + value, value);
  }
  work.memory.beside(vertices).require(peak, "mirroring the entries",
                                       bytes_held(matrix) - vertices);
  job alone = work;
  alone.threads = 1;
  resize_entries(has_room ? work : alone, matrix, total);
}

}  // namespace

void require_entries(const coordinates& out, std::size_t count, const std::string& what_for,
                     const job& work) {
  const std::size_t vertices = bytes_of_vertices(out);
  work.memory.beside(vertices).require(bytes_for(count, 8 + (out.pattern ? 0 : out.value_size())),
                                       what_for, bytes_held(out) - vertices);
}

void mirror_entries(coordinates& matrix, mirror_rule rule, const job& work) {
  if (rule == mirror_rule::none) return;
  matrix.symmetric = rule == mirror_rule::same;
  const std::size_t stored = matrix.row.size();
  const std::size_t blocks = (stored + block - 1) / block;
  const job quiet = work.quietly();
  std::vector<std::size_t> first(blocks + 1, stored);
  for_each_task(blocks, quiet, [&](std::size_t b) {
    const std::size_t end = std::min(stored, (b + 1) * block);
    std::size_t count = 0;
    for (std::size_t k = b * block; k < end; ++k) count += matrix.row[k] != matrix.column[k];
    first[b + 1] = count;
  });
  for (std::size_t b = 0; b < blocks; ++b) first[b + 1] += first[b];
  const std::size_t total = first[blocks];
  grow(matrix, total, work);
  const std::size_t parts = matrix.complex ? 2 : 1;
  with_builtin_type(matrix.type, [&]<class T>() {
    auto* const values = reinterpret_cast<T*>(matrix.values.data());
    for_each_task(blocks, quiet, [&, values](std::size_t b) {
      const std::size_t end = std::min(stored, (b + 1) * block);
      std::size_t to = first[b];
      for (std::size_t k = b * block; k < end; ++k) {
        if (matrix.row[k] == matrix.column[k]) continue;
        matrix.row[to] = matrix.column[k];
        matrix.column[to] = matrix.row[k];
        if (!matrix.pattern)
          for (std::size_t part = 0; part < parts; ++part)
            values[to * parts + part] = mirrored(values[k * parts + part], rule, part == 1);
        ++to;
      }
    });
  });
}

void make_undirected(coordinates& matrix, std::string_view name, const read_options& options) {
  if (!options.undirected || matrix.symmetric) return;
  if (matrix.rows != matrix.columns)
    throw usage_error(std::string(name) + ": an undirected graph needs a square matrix, this is " +
                      std::to_string(matrix.rows) + "x" + std::to_string(matrix.columns));
  mirror_entries(matrix, mirror_rule::same, job(options, 1, 1));
}

void size_by_largest_vertex(coordinates& matrix, const job& work) {
  std::uint32_t largest = 0;
  const std::size_t count = matrix.row.size();
#pragma omp parallel for reduction(max : largest) num_threads(work.thread_count())
  for (std::size_t k = 0; k < count; ++k)
    largest = std::max({largest, matrix.row[k], matrix.column[k]});
  matrix.rows = matrix.columns = count == 0 ? 0 : static_cast<index_t>(largest) + 1;
}

}  // namespace tropic::io::detail
