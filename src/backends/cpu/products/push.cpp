// SPDX-License-Identifier: Apache-2.0

// Push: the rows of the entries of a sparse u are added to the output, in parallel over ranges of
// its columns where rows are long enough (push_parts.hpp). Each range takes its part of every
// pushed row in the order of u, so that sums do not depend on the ranges. Workspaces of the size of
// the output are kept zeroed between calls, so that the cost of a small frontier is proportional to
// the positions that it reaches. These are sorted; if a mask lists hardly more positions than were
// reached, its list is walked instead.

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include <tropic/detail/cpu/kernels.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/products/evaluated_kernels.hpp"
#include "backends/cpu/products/push_parts.hpp"
#include "backends/cpu/products/row_cuts.hpp"
#include "backends/cpu/products/workspace.hpp"
#include "backends/cpu/vectors/mask.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace {

// A look at a position that a mask lists costs about a quarter of sorting one that was reached.
constexpr std::size_t list_factor = 4;

// Ranges of the output's columns, of which a push takes one at a time, and how many positions it
// has reached in each.
struct push_parts {
  std::vector<std::uint64_t> cut;  // where ranges begin; the last one ends at 2^32
  std::vector<std::size_t> count;

  std::size_t size() const { return count.size(); }
};

std::size_t parts_of_push(const product_arguments& arguments, std::size_t entries, int threads) {
  if (threads == 1 || entries == 0) return 1;
  constexpr std::size_t many = 1 << 14;
  std::size_t edges = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : edges) if (entries > many)
  for (std::size_t n = 0; n < entries; ++n)
    edges += arguments.offset(arguments.u_indices[n] + std::size_t{1}) -
             arguments.offset(arguments.u_indices[n]);
  return on_cpu::ranges_of_push(entries, static_cast<double>(edges) / static_cast<double>(entries),
                                threads);
}

// Sorts the `count` positions of [first, last) that are listed and marked in `present`: by scanning
// the range if most of it was touched. A sorter serves one thread.
void sort_touched(std::uint32_t* touched, std::size_t count, const std::uint8_t* present,
                  std::size_t first, std::size_t last, on_cpu::position_sorter* sorter) {
  if (last <= first || count <= (last - first) / 32) {
    if (sorter != nullptr)
      sorter->sort(touched, count, last);
    else
      std::sort(touched, touched + count);
    return;
  }
  std::size_t at = 0;
  for (std::size_t j = first; j < last; ++j) {
    touched[at] = static_cast<std::uint32_t>(j);
    at += present[j];
    if (at == count) break;
  }
}

// Adds the products of every part to the workspace. Each part lists the positions that it touched
// in its own range of the list: at most as many as its width.
void push_ranges(cpu_kernel_table::push_rows run, const product_arguments& arguments,
                 std::size_t entries, const workspace& work, push_parts& parts, int threads) {
  on_cpu::for_blocks(threads, parts.size(), [&](std::size_t part) {
    const std::size_t first = parts.cut[part], end = parts.cut[part + 1];
    std::uint32_t* touched = work.touched + first;
    parts.count[part] = run(arguments, 0, entries, first, end, touched);
  });
}

void sort_ranges(std::size_t outputs, workspace& work, push_parts& parts, int threads) {
  on_cpu::for_blocks(threads, parts.size(), [&](std::size_t part) {
    const std::size_t first = parts.cut[part], end = parts.cut[part + 1];
    sort_touched(work.touched + first, parts.count[part], work.present, first,
                 std::min(end, outputs), parts.size() == 1 ? &work.sorter : nullptr);
  });
}

// Moves the sums of every part to a list, and clears the flags.
void collect(const workspace& work, const push_parts& parts, std::size_t bytes,
             std::uint32_t* to_index, std::byte* to, int threads) {
  std::vector<std::size_t> start(parts.size() + 1, 0);
  for (std::size_t part = 0; part < parts.size(); ++part)
    start[part + 1] = start[part] + parts.count[part];
  on_cpu::for_blocks(threads, parts.size(), [&](std::size_t part) {
    const std::uint32_t* touched = work.touched + parts.cut[part];
    for (std::size_t n = 0; n < parts.count[part]; ++n) {
      const std::uint32_t j = touched[n];
      to_index[start[part] + n] = j;
      std::memcpy(to + (start[part] + n) * bytes, work.values + std::size_t{j} * bytes, bytes);
      work.present[j] = 0;
    }
  });
}

std::size_t count_listed(const workspace& work, const on_cpu::position_set& listed) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < listed.list_size(); ++n) count += work.present[listed.list()[n]];
  return count;
}

// Moves the sums at the listed positions, in their order, and clears the flags of all that were
// reached.
void collect_listed(const workspace& work, const on_cpu::position_set& listed, std::size_t reached,
                    std::size_t bytes, std::uint32_t* to_index, std::byte* to) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < listed.list_size(); ++n) {
    const std::uint32_t j = listed.list()[n];
    if (work.present[j] == 0) continue;
    to_index[count] = j;
    std::memcpy(to + count++ * bytes, work.values + std::size_t{j} * bytes, bytes);
  }
  for (std::size_t n = 0; n < reached; ++n) work.present[work.touched[n]] = 0;
}

}  // namespace

void cpu_backend::push_as_list(vector_base& t, const product& p,
                               const sparse_input& arguments) const {
  const listed_products products(context_, arguments, arguments.u_count, p.vector_first);
  t.nvals = static_cast<index_t>(products.positions());
  t.indices = allocate(products.positions() * sizeof(std::uint32_t));
  t.values = allocate(products.positions() * t.type->size);
  auto* const indices = write_as<std::uint32_t>(t.indices);
  products.sum(indices, write_as<std::byte>(t.values));
}

std::vector<std::uint64_t> cpu_backend::cut_columns(const product& p, const matrix_base& m,
                                                    const product_arguments& arguments,
                                                    std::size_t outputs, std::size_t parts) const {
  std::vector<std::uint64_t> cut(parts + 1);
  cut[parts] = std::uint64_t{1} << 32;
  if (parts == 1) return cut;
  product_arguments by_column;
  std::shared_ptr<const matrix_base> transposed;
  if (m.symmetric) {
    by_column = arguments;
  } else if (&m == &p.matrix) {
    const std::lock_guard lock(m.derived->mutex);
    if ((transposed = m.derived->transpose) != nullptr) {
      by_column.offsets = read(transposed->offsets);
      by_column.wide = transposed->wide;
    }
  } else {
    by_column.offsets = read(p.matrix.offsets);
    by_column.wide = p.matrix.wide;
  }
  for (std::size_t part = 1; part < parts; ++part)
    cut[part] = by_column.offsets
                    ? row_at(by_column, outputs, (outputs + as_size(m.nnz)) * part / parts)
                    : outputs * part / parts;
  return cut;
}

bool cpu_backend::push_into(vector_base& t, const product& p, product_arguments& arguments,
                            const matrix_base& m, index_t entries,
                            const on_cpu::position_set* listed) {
  const std::size_t outputs = as_size(t.size), bytes = t.type->size;
  workspace_lease work(workspaces_, context_, outputs, bytes);
  arguments.w = work->values;
  arguments.w_present = work->present;

  push_parts parts;
  parts.count.resize(parts_of_push(arguments, as_size(entries), threads()));
  parts.cut = cut_columns(p, m, arguments, outputs, parts.size());
  work.begin_marking();
  push_ranges(kernels_of(p).push, arguments, as_size(entries), *work, parts, threads());

  const std::size_t reached =
      std::accumulate(parts.count.begin(), parts.count.end(), std::size_t{0});
  const bool by_list =
      listed != nullptr && parts.size() == 1 && listed->list_size() <= list_factor * reached;
  if (!by_list) sort_ranges(outputs, *work, parts, threads());
  const std::size_t total = by_list ? count_listed(*work, *listed) : reached;
  t.indices = allocate(total * sizeof(std::uint32_t));
  t.values = allocate(total * bytes);
  auto* to_index = write_as<std::uint32_t>(t.indices);
  auto* to = write_as<std::byte>(t.values);
  if (by_list)
    collect_listed(*work, *listed, reached, bytes, to_index, to);
  else
    collect(*work, parts, bytes, to_index, to, threads());
  work.all_cleared();
  t.storage = vector_storage::sparse;
  t.nvals = static_cast<index_t>(total);
  return by_list;
}

}  // namespace tropic::detail
