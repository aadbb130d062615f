// SPDX-License-Identifier: Apache-2.0

// Extract (GraphBLAS C API 2.1, 4.3.6) and tiles put together, position by position of the output.

#include "backends/reference/backend.hpp"
#include "backends/reference/entries.hpp"

namespace tropic::detail {

using namespace reference;

namespace {

index_t count(const positions& p, index_t size) {
  return p.all ? size : static_cast<index_t>(p.list.size());
}
index_t position_of(const positions& p, index_t n) {
  return p.all ? n : p.list[static_cast<std::size_t>(n)];
}
void copy_entry(entries& to, const position& where, const entries& from, const position& at) {
  if (const auto found = from.find(at); found != from.end()) to.emplace(where, found->second);
}

}  // namespace

void reference_backend::extract(vector_base& w, const vector_base& u, const positions& from,
                                const vector_rule& rule) {
  const entries all = load(u);
  cancel_watch watch(w.context);
  entries t;
  for (index_t n = 0; n < count(from, u.size); ++n, watch.step())
    copy_entry(t, {n}, all, {position_of(from, n)});
  write_back(w, t, rule);
}

void reference_backend::extract(vector_base& w, const matrix_line& line, const vector_rule& rule) {
  const entries all = load(line.matrix);
  cancel_watch watch(w.context);
  entries t;
  for (index_t n = 0; n < line.size(); ++n, watch.step()) {
    const index_t i = position_of(line.rows, n), j = line.column + n * line.step;
    copy_entry(t, {n}, all, line.transposed ? position{j, i} : position{i, j});
  }
  write_back(w, t, rule);
}

void reference_backend::extract(matrix_base& c, const matrix_base& a, bool transposed,
                                const positions& rows, const positions& columns,
                                const matrix_rule& rule) {
  const entries all = load(a);
  cancel_watch watch(c.context);
  entries t;
  for (index_t n = 0; n < c.rows; ++n)
    for (index_t m = 0; m < c.columns; ++m, watch.step()) {
      const index_t i = position_of(rows, n), j = position_of(columns, m);
      copy_entry(t, {n, m}, all, transposed ? position{j, i} : position{i, j});
    }
  write_back(c, t, rule);
}

void reference_backend::concatenate(matrix_base& c, const tile_grid& grid) {
  entries t;
  index_t top = 0;
  for (std::size_t r = 0; r < grid.rows(); ++r) {
    index_t left = 0;
    for (std::size_t k = 0; k < grid.columns; ++k) {
      for (const auto& [where, value] : load(grid(r, k)))
        t.emplace(position{top + where.row, left + where.column}, value);
      left += grid(r, k).columns;
    }
    top += grid(r, 0).rows;
  }
  write_back(c, t, {});
}

}  // namespace tropic::detail
