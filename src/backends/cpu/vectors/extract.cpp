// SPDX-License-Identifier: Apache-2.0

// Extracts vectors: each listed position is looked up, in O(1), or by a binary search in a sparse
// vector or in a row of a matrix.

#include <algorithm>
#include <vector>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "containers/cancel_watch.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

// The place of `wanted` in list[begin, end), ascending, or none.
std::size_t find_in(const std::uint32_t* list, std::size_t begin, std::size_t end,
                    std::size_t wanted) {
  const auto* at = std::lower_bound(list + begin, list + end, wanted);
  return at != list + end && *at == wanted ? static_cast<std::size_t>(at - list) : none;
}

// The vector of `size` positions with values[find(n)] at n, nothing where that is none.
template <class Find>
vector_base looked_up(const memory_side& here, const type_description& type, std::size_t size,
                      const std::byte* values, Find&& find) {
  vector_base t = shell(here, type, static_cast<index_t>(size));
  t.storage = vector_storage::bitmap;
  t.values = here.allocate(size, type.size);
  t.present = here.allocate(size, 1);
  auto* to = here.write_as<std::byte>(t.values);
  auto* present = here.write_as<std::uint8_t>(t.present);
  cancel_watch watch(here.context());
  const std::size_t found =
      sum_over_chunks(here.threads(), size, [&](std::size_t begin, std::size_t end) {
        std::size_t count = 0;
        if (watch.is_cancelled()) return count;
        with_element_size(type.size, [&]<std::size_t N>() {
          for (std::size_t n = begin; n < end; ++n) {
            const std::size_t at = find(n);
            present[n] = at != none;
            if (at == none) continue;
            copy_element<N>(to, n, values, at, type.size);
            ++count;
          }
        });
        return count;
      });
  watch.check();
  t.nvals = static_cast<index_t>(found);
  settle(here, t, true);
  return t;
}

std::size_t listed(const positions& p, std::size_t n) {
  return p.all ? n : as_size(p.list[n]);
}

vector_base from_vector(const memory_side& here, const vector_base& u, const positions& from) {
  if (from.all) return u;
  if (from.list.empty() || u.nvals == 0)
    return no_entries(here, *u.type, static_cast<index_t>(from.list.size()));
  const vector_view view(here, u);
  return looked_up(here, *u.type, from.list.size(), view.values, [&](std::size_t n) {
    const std::size_t i = listed(from, n);
    if (view.is_sparse()) return find_in(view.indices, 0, view.nvals, i);
    return view.has(i) ? i : none;
  });
}

// Row `row` of a as a sparse vector.
vector_base row_of(const memory_side& here, const matrix_base& a, std::size_t row) {
  const matrix_view from(here, a);
  const std::size_t first = from.offsets[row], count = from.offsets[row + 1] - first;
  vector_base u = no_entries(here, *a.type, a.columns);
  if (count == 0) return u;
  u.nvals = static_cast<index_t>(count);
  u.indices = here.allocate(count, sizeof(std::uint32_t));
  u.values = here.allocate(count, from.bytes);
  std::copy_n(from.column + first, count, here.write_as<std::uint32_t>(u.indices));
  auto* to = here.write_as<std::byte>(u.values);
  if (a.iso)
    fill(to, from.values, count, from.bytes);
  else
    std::memcpy(to, from.values + first * from.bytes, count * from.bytes);
  settle(here, u, false);
  return u;
}

vector_base from_line(const memory_side& here, const matrix_line& line) {
  const matrix_base& a = line.matrix;
  if (line.size() == 0 || a.nnz == 0) return no_entries(here, *a.type, line.size());
  if (line.transposed && line.step == 0)
    return from_vector(here, row_of(here, a, as_size(line.column)), line.rows);
  const matrix_view from(here, a);
  return looked_up(here, *a.type, as_size(line.size()), from.values, [&](std::size_t n) {
    std::size_t i = listed(line.rows, n), j = as_size(line.column) + n * as_size(line.step);
    if (line.transposed) std::swap(i, j);
    const std::size_t at = find_in(from.column, from.offsets[i], from.offsets[i + 1], j);
    return at == none ? none : from.value_at(at);
  });
}

}  // namespace

void cpu_backend::extract(vector_base& w, const vector_base& u, const positions& from,
                          const vector_rule& rule) {
  write_back(w, from_vector(memory_side(context_, on_host_), u, from), rule);
}

void cpu_backend::extract(vector_base& w, const matrix_line& line, const vector_rule& rule) {
  write_back(w, from_line(memory_side(context_, on_host_), line), rule);
}

}  // namespace tropic::detail
