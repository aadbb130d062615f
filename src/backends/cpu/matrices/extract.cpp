// SPDX-License-Identifier: Apache-2.0

// Extracts from a matrix: row n of the result is the listed row n of A, without the columns that
// are not listed. A list of columns is sorted once, each column with its places in the list; a row
// and the sorted list are then merged by doubling steps, O(min(row, list) log) for lengths that
// differ much. Rows are sorted again only if the places do not come out in order.
//
// From A' the same part of A is taken and transposed, which costs the part and not A.

#include <algorithm>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/mask.hpp"
#include "containers/cancel_watch.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

// The listed columns, ascending, each with its places in the list.
class column_list {
 public:
  column_list(const memory_side& here, const positions& p) : all_(p.all), count_(p.list.size()) {
    if (all_) return;
    columns_ = here.allocate(count_, sizeof(std::uint32_t));
    places_ = here.allocate(count_, sizeof(std::uint32_t));
    auto* column = here.write_as<std::uint32_t>(columns_);
    auto* place = here.write_as<std::uint32_t>(places_);
    in_order_ = std::is_sorted(p.list.begin(), p.list.end());
    if (in_order_) {
      for (std::size_t n = 0; n < count_; ++n) {
        column[n] = static_cast<std::uint32_t>(p.list[n]);
        place[n] = static_cast<std::uint32_t>(n);
      }
    } else {
      const buffer_pointer keys = here.allocate(count_, sizeof(std::uint64_t));
      auto* key = here.write_as<std::uint64_t>(keys);
      for (std::size_t n = 0; n < count_; ++n)
        key[n] = static_cast<std::uint64_t>(p.list[n]) << 32 | n;
      std::sort(key, key + count_);
      for (std::size_t n = 0; n < count_; ++n) {
        column[n] = static_cast<std::uint32_t>(key[n] >> 32);
        place[n] = static_cast<std::uint32_t>(key[n]);
      }
    }
    column_ = column;
    place_ = place;
  }

  bool all() const { return all_; }
  /// Whether places ascend in every row.
  bool in_order() const { return in_order_; }

  /// visit(place, entry) for the entries [begin, end) of a row, by ascending column.
  template <class F>
  void in_row(const std::uint32_t* column, std::size_t begin, std::size_t end, F&& visit) const {
    std::size_t e = begin, n = 0;
    while (e < end && n < count_) {
      if (column_[n] < column[e]) {
        n = advance(column_, count_, n, column[e]);
      } else if (column[e] < column_[n]) {
        e = advance(column, end, e, column_[n]);
      } else {
        const std::uint32_t found = column[e];
        for (; n < count_ && column_[n] == found; ++n) visit(place_[n], e);
        ++e;
      }
    }
  }

 private:
  bool all_, in_order_ = true;
  std::size_t count_;
  buffer_pointer columns_, places_;
  const std::uint32_t* column_ = nullptr;
  const std::uint32_t* place_ = nullptr;
};

struct placed {
  std::uint32_t place;
  std::uint64_t entry;
};

class row_selector {
 public:
  row_selector(const memory_side& here, const matrix_base& a, const positions& rows,
               const positions& columns)
      : here_(here), a_(a), from_(here, a), rows_(rows), columns_(here, columns) {}

  matrix_base select(index_t rows, index_t columns) {
    matrix_base t = matrix_shell(here_, *a_.type, rows, columns);
    t.iso = a_.iso;
    const buffer_pointer lengths = here_.allocate(as_size(rows), sizeof(std::uint64_t));
    count(here_.write_as<std::uint64_t>(lengths), as_size(rows));
    lay_out(here_, t, lengths);
    if (t.iso) t.values = t.nnz > 0 ? a_.values : here_.allocate(0, 1);
    if (t.nnz > 0) fill(t);
    return t;
  }

 private:
  std::size_t source(std::size_t n) const { return rows_.all ? n : as_size(rows_.list[n]); }

  void count(std::uint64_t* length, std::size_t rows) {
    cancel_watch watch(here_.context());
    for_chunks(here_.threads(), rows, [&](std::size_t begin, std::size_t end) {
      if (watch.is_cancelled()) return;
      for (std::size_t n = begin; n < end; ++n) {
        const std::size_t first = from_.offsets[source(n)], last = from_.offsets[source(n) + 1];
        length[n] = last - first;
        if (columns_.all()) continue;
        std::uint64_t found = 0;
        columns_.in_row(from_.column, first, last, [&](std::uint32_t, std::size_t) { ++found; });
        length[n] = found;
      }
    });
    watch.check();
  }

  void fill(matrix_base& t) {
    buffer_pointer scratch;
    if (!columns_.in_order()) scratch = here_.allocate(as_size(t.nnz), sizeof(placed));
    auto* sorted = here_.write_as<placed>(scratch);
    auto* column = here_.write_as<std::uint32_t>(t.column_indices);
    auto* values = t.iso ? nullptr : here_.write_as<std::byte>(t.values);
    const matrix_view into(here_, t);
    const row_blocks blocks(into);
    cancel_watch watch(here_.context());
    for_blocks(here_.threads(), blocks.count(), [&](std::size_t block) {
      if (watch.is_cancelled()) return;
      for (std::size_t n = blocks.begin(block); n < blocks.begin(block + 1); ++n)
        fill_row(n, into.offsets[n], into.offsets[n + 1], sorted, column, values);
    });
    watch.check();
  }

  // The entries [at, end) of the result from listed row n.
  void fill_row(std::size_t n, std::size_t at, std::size_t end, placed* sorted,
                std::uint32_t* column, std::byte* values) {
    if (at == end) return;
    const std::size_t first = from_.offsets[source(n)], last = from_.offsets[source(n) + 1];
    const std::size_t bytes = from_.bytes;
    if (columns_.all()) {
      std::copy(from_.column + first, from_.column + last, column + at);
      if (values)
        std::memcpy(values + at * bytes, from_.values + first * bytes, (end - at) * bytes);
      return;
    }
    with_element_size(bytes, [&]<std::size_t N>() {
      std::size_t z = at;
      columns_.in_row(from_.column, first, last, [&](std::uint32_t place, std::size_t e) {
        if (sorted) {
          sorted[z++] = {place, e};
          return;
        }
        column[z] = place;
        if (values) copy_element<N>(values, z, from_.values, e, bytes);
        ++z;
      });
      if (!sorted) return;
      std::sort(sorted + at, sorted + end,
                [](const placed& x, const placed& y) { return x.place < y.place; });
      for (z = at; z < end; ++z) {
        column[z] = sorted[z].place;
        if (values) copy_element<N>(values, z, from_.values, sorted[z].entry, bytes);
      }
    });
  }

  const memory_side& here_;
  const matrix_base& a_;
  const matrix_view from_;
  const positions& rows_;
  const column_list columns_;
};

}  // namespace

void cpu_backend::extract(matrix_base& c, const matrix_base& a, bool transposed,
                          const positions& rows, const positions& columns,
                          const matrix_rule& rule) {
  const memory_side here(context_, on_host_);
  if (rows.all && columns.all) {
    if (transposed) return transpose(c, a, rule);
    return assign(c, a, rows, columns, rule);
  }
  if (transposed) {
    const matrix_base part = row_selector(here, a, columns, rows).select(c.columns, c.rows);
    return write_back(c, on_cpu::transposed(here, part), rule);
  }
  write_back(c, row_selector(here, a, rows, columns).select(c.rows, c.columns), rule);
}

}  // namespace tropic::detail
