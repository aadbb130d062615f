// SPDX-License-Identifier: Apache-2.0

// Assigns to a matrix: the listed rows and columns of c take the entries of a, or one value; mask
// and replace apply to the whole of c. The given entries are first laid out in a matrix t of c's
// shape, then merged into c row by row (rows.hpp); the scope determines which entries of c are
// replaced: those in listed rows and columns. O(rows + columns + entries of all matrices), and
// sorting the rows of a if the list of columns does not ascend.
//
// A value is assigned to every listed position that the mask allows: t is iso, but its pattern
// contains all of these positions.

#include <algorithm>
#include <vector>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/mask.hpp"
#include "containers/cancel_watch.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

constexpr std::uint64_t unlisted = ~std::uint64_t{0};

// A list of rows or columns, and the inverse: the position of each of them in the list.
class listing {
 public:
  listing(const memory_side& here, const positions& p, index_t size)
      : list(p.all ? std::span<const index_t>{} : p.list), all_(p.all), size_(as_size(size)) {
    if (all_) return;
    place_ = here.allocate(size_, sizeof(std::uint64_t));
    flag_ = here.allocate(size_, 1);
    auto* place = here.write_as<std::uint64_t>(place_);
    auto* flag = here.write_as<std::uint8_t>(flag_);
    std::fill(place, place + size_, unlisted);
    std::fill(flag, flag + size_, std::uint8_t{0});
    for (std::size_t n = 0; n < list.size(); ++n) {
      place[list[n]] = n;
      flag[list[n]] = 1;
    }
    places = place;
    flags = flag;
    ascends_ = std::is_sorted(list.begin(), list.end());
  }
  /// The position of `i` in the list, or `unlisted`.
  std::uint64_t place_of(std::size_t i) const { return all_ ? i : places[i]; }
  std::uint32_t operator[](std::size_t n) const {
    return static_cast<std::uint32_t>(all_ ? n : as_size(list[n]));
  }
  std::size_t count() const { return all_ ? size_ : list.size(); }
  bool all() const { return all_; }
  bool ascends() const { return all_ || ascends_; }

  std::span<const index_t> list;
  const std::uint64_t* places = nullptr;
  const std::uint8_t* flags = nullptr;  // null: all

 private:
  bool all_, ascends_ = true;
  std::size_t size_;
  buffer_pointer place_, flag_;
};

// Merges t into c. If only one of the lists is given, the flags of the other are all set.
void write_listed(const memory_side& here, matrix_base& c, matrix_base t, const matrix_rule& rule,
                  const listing& rows, const listing& columns) {
  if (rows.all() && columns.all()) return write_matrix(here, c, std::move(t), rule);
  const buffer_pointer every = here.allocate(std::max(as_size(c.rows), as_size(c.columns)), 1);
  auto* flags = here.write_as<std::uint8_t>(every);
  std::fill(flags, flags + every->bytes(), std::uint8_t{1});
  write_matrix(here, c, std::move(t), rule, rows.flags ? rows.flags : flags,
               columns.flags ? columns.flags : flags);
}

// The entries of a at their positions in a matrix of c's shape.
matrix_base place(const memory_side& here, const matrix_base& c, const matrix_base& a,
                  const listing& rows, const listing& columns) {
  const matrix_view from(here, a);
  matrix_base result = matrix_shell(here, *c.type, c.rows, c.columns);
  result.iso = a.iso;
  const std::size_t n = as_size(c.rows);
  const buffer_pointer lengths = here.allocate(n, sizeof(std::uint64_t));
  auto* length = here.write_as<std::uint64_t>(lengths);
  for_chunks(here.threads(), n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::uint64_t source = rows.place_of(row);
      length[row] = source == unlisted ? 0 : from.offsets[source + 1] - from.offsets[source];
    }
  });
  lay_out(here, result, lengths);
  if (result.iso) result.values = a.values;
  if (result.nnz == 0) return result;

  struct moved {
    std::uint32_t column;
    std::uint64_t entry;
  };
  buffer_pointer scratch;
  if (!columns.ascends()) scratch = here.allocate(from.nnz, sizeof(moved));
  auto* sorted = here.write_as<moved>(scratch);
  auto* to_column = here.write_as<std::uint32_t>(result.column_indices);
  auto* to = result.iso ? nullptr : here.write_as<std::byte>(result.values);
  const matrix_view into(here, result);
  const row_blocks blocks(into);
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    with_element_size(from.bytes, [&]<std::size_t N>() {
      for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
        const std::size_t at = into.offsets[row], count = into.offsets[row + 1] - at;
        if (count == 0) continue;
        const std::size_t first = from.offsets[rows.place_of(row)];
        for (std::size_t e = 0; e < count; ++e) {
          const std::uint32_t column = columns[from.column[first + e]];
          if (sorted)
            sorted[at + e] = {column, first + e};
          else
            to_column[at + e] = column;
          if (!sorted && to) copy_element<N>(to, at + e, from.values, first + e, from.bytes);
        }
        if (!sorted) continue;
        std::sort(sorted + at, sorted + at + count,
                  [](const moved& x, const moved& y) { return x.column < y.column; });
        for (std::size_t e = at; e < at + count; ++e) {
          to_column[e] = sorted[e].column;
          if (to) copy_element<N>(to, e, from.values, sorted[e].entry, from.bytes);
        }
      }
    });
  });
  return result;
}

// One value at every listed position that the mask allows.
class spread {
 public:
  spread(const memory_side& here, const matrix_rule& rule, const listing& rows,
         const listing& columns)
      : rows_(rows), columns_(columns), rule_(rule), is_true_(describe(type_code::boolean)) {
    if (!rule.mask) return;
    mask_.emplace(here, *rule.mask);
    is_true_ = truth(*rule.mask->type);
  }

  /// The number of such positions in `row`: O(entries of the mask in it).
  std::uint64_t count(std::size_t row) const {
    if (rows_.place_of(row) == unlisted) return 0;
    std::uint64_t masked = 0;
    if (mask_)
      for (std::size_t m = mask_->offsets[row]; m < mask_->offsets[row + 1]; ++m)
        masked += columns_.place_of(mask_->column[m]) != unlisted && counts(m);
    return mask_ && !rule_.complemented ? masked : columns_.count() - masked;
  }

  /// visit(column) for each listed column that the mask allows in `row`, in ascending order.
  /// `ascending`: the listed columns, sorted.
  template <class F>
  void operator()(std::size_t row, const std::vector<std::uint32_t>& ascending, F&& visit) const {
    if (rows_.place_of(row) == unlisted) return;
    std::size_t m = mask_ ? mask_->offsets[row] : 0;
    const std::size_t m_end = mask_ ? mask_->offsets[row + 1] : 0;
    if (mask_ && !rule_.complemented) {
      for (; m < m_end; ++m)
        if (columns_.place_of(mask_->column[m]) != unlisted && counts(m)) visit(mask_->column[m]);
      return;
    }
    const std::size_t count = columns_.count();
    for (std::size_t n = 0; n < count; ++n) {
      const std::uint32_t column = columns_.all() ? static_cast<std::uint32_t>(n) : ascending[n];
      if (mask_) {
        m = advance(mask_->column, m_end, m, column);
        if (m < m_end && mask_->column[m] == column && counts(m)) continue;
      }
      visit(column);
    }
  }

 private:
  bool counts(std::size_t m) const {
    return rule_.structural || is_true_(mask_->values + mask_->value_at(m) * mask_->bytes);
  }

  const listing& rows_;
  const listing& columns_;
  const matrix_rule& rule_;
  std::optional<matrix_view> mask_;
  truth is_true_;
};

}  // namespace

void cpu_backend::assign(matrix_base& c, const void* value, const positions& to_rows,
                         const positions& to_columns, const matrix_rule& rule) {
  const memory_side here(context_, on_host_);
  const listing rows(here, to_rows, c.rows), columns(here, to_columns, c.columns);
  std::vector<std::uint32_t> ascending;
  if (!columns.all()) {
    ascending.assign(columns.list.begin(), columns.list.end());
    std::sort(ascending.begin(), ascending.end());
  }
  const spread positions_of(here, rule, rows, columns);
  const std::size_t n = as_size(c.rows);
  matrix_base t = matrix_shell(here, *c.type, c.rows, c.columns);
  t.iso = true;
  t.values = here.allocate(1, c.type->size);
  std::memcpy(here.write_as<std::byte>(t.values), value, c.type->size);
  const buffer_pointer lengths = here.allocate(n, sizeof(std::uint64_t));
  auto* length = here.write_as<std::uint64_t>(lengths);
  for_chunks(here.threads(), n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) length[row] = positions_of.count(row);
  });
  lay_out(here, t, lengths);
  cancel_watch watch(context_.shared_from_this());
  const offsets_view offsets{here.read(t.offsets), t.wide};
  auto* column = here.write_as<std::uint32_t>(t.column_indices);
  for_chunks(here.threads(), n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      if (watch.is_cancelled()) return;
      std::size_t at = offsets[row];
      positions_of(row, ascending, [&](std::uint32_t j) { column[at++] = j; });
    }
  });
  watch.check();
  if (t.nnz == 0) t.values = here.allocate(0, 1);
  write_listed(here, c, std::move(t), rule, rows, columns);
}

void cpu_backend::assign(matrix_base& c, const matrix_base& a, const positions& to_rows,
                         const positions& to_columns, const matrix_rule& rule) {
  const memory_side here(context_, on_host_);
  if (to_rows.all && to_columns.all) {
    matrix_base t = a;
    renew(t);
    t.symmetric = a.symmetric;
    return write_back(c, std::move(t), rule);
  }
  const listing rows(here, to_rows, c.rows), columns(here, to_columns, c.columns);
  write_listed(here, c, place(here, c, a, rows, columns), rule, rows, columns);
}

}  // namespace tropic::detail
