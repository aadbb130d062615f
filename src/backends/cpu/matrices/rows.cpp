// SPDX-License-Identifier: Apache-2.0

// Matrices row by row. A result is built in two passes over blocks of rows of about equal work: the
// first counts the entries of each row, the second fills them in; in between the counts become
// offsets. Rows are merged by traversing their columns together, so the work is O(rows + entries of
// all matrices), and entries do not depend on the blocks.

#include "backends/cpu/matrices/rows.hpp"

#include <algorithm>

#include <optional>
#include "backends/cpu/elements.hpp"
#include "backends/cpu/vectors/mask.hpp"
#include "containers/cancel_watch.hpp"

namespace tropic::detail::on_cpu {

void renew(matrix_base& m) {
  m.structure_version = next_version();
  m.value_version = next_version();
  m.derived = make_derived_copies();
  m.symmetric = false;
}

matrix_base matrix_shell(const memory_side& here, const type_description& type, index_t rows,
                         index_t columns) {
  matrix_base result;
  result.context = here.context();
  result.type = &type;
  result.rows = rows;
  result.columns = columns;
  renew(result);
  return result;
}

row_blocks::row_blocks(const matrix_view& a, const matrix_view* b, const matrix_view* c)
    : row_blocks(a.rows, [&](std::size_t row) {
        return row + a.offsets[row] + (b ? b->offsets[row] : 0) + (c ? c->offsets[row] : 0);
      }) {}

namespace {

template <class Offset>
void write_offsets(const memory_side& here, Offset* to, const std::uint64_t* length,
                   std::size_t rows, const std::vector<std::uint64_t>& start) {
  to[0] = 0;
  for_chunks(here.threads(), rows, [&](std::size_t begin, std::size_t end) {
    std::uint64_t sum = start[begin / chunk_size];
    for (std::size_t row = begin; row < end; ++row) {
      sum += length[row];
      to[row + 1] = static_cast<Offset>(sum);
    }
  });
}

}  // namespace

void lay_out(const memory_side& here, matrix_base& m, const buffer_pointer& lengths) {
  const std::size_t rows = as_size(m.rows), chunks = chunks_of(rows);
  const auto* length = here.read_as<std::uint64_t>(lengths);
  std::vector<std::uint64_t> sum(chunks), longest(chunks), empty(chunks), start(chunks + 1, 0);
  for_chunks(here.threads(), rows, [&](std::size_t begin, std::size_t end) {
    std::uint64_t total = 0, longest_row = 0, none = 0;
    for (std::size_t row = begin; row < end; ++row) {
      total += length[row];
      longest_row = std::max(longest_row, length[row]);
      none += length[row] == 0;
    }
    const std::size_t chunk = begin / chunk_size;
    sum[chunk] = total, longest[chunk] = longest_row, empty[chunk] = none;
  });
  m.longest_row = m.empty_rows = 0;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    start[chunk + 1] = start[chunk] + sum[chunk];
    m.longest_row = std::max(m.longest_row, static_cast<index_t>(longest[chunk]));
    m.empty_rows += static_cast<index_t>(empty[chunk]);
  }
  const std::size_t nnz = start.back();
  m.nnz = static_cast<index_t>(nnz);
  m.wide = nnz > 0xffffffffu;
  m.offsets = here.allocate(rows + 1, m.wide ? 8 : 4);
  m.column_indices = here.allocate(nnz, sizeof(std::uint32_t));
  if (!m.iso) m.values = here.allocate(nnz, m.type->size);
  if (m.wide)
    write_offsets(here, here.write_as<std::uint64_t>(m.offsets), length, rows, start);
  else
    write_offsets(here, here.write_as<std::uint32_t>(m.offsets), length, rows, start);
}

namespace {

class row_merger {
 public:
  row_merger(const memory_side& here, const matrix_base& a, const matrix_base& b,
             const row_rule& rule)
      : a(here, a), b(here, b), rule_(rule), is_true_(rule.mask ? *rule.mask->type : *a.type) {
    if (rule.mask) mask_.emplace(here, *rule.mask);
    plain_ = !rule.mask && !rule.row_scope;
    uses_a_ = rule.op || (rule.mask && !rule.replace) || rule.row_scope;
  }

  /// emit(column, entry of a, entry of b) for each entry of the result's row, with `none` if only
  /// one of them has an entry there.
  template <class F>
  void visit(std::size_t row, F&& emit) const {
    if (plain_)
      visit_as<true>(row, emit);
    else
      visit_as<false>(row, emit);
  }

  /// The number of entries that `visit` visits.
  std::uint64_t count(std::size_t row) const {
    if (!plain_ || !uses_a_) {
      std::uint64_t all = 0;
      visit(row, [&](std::uint32_t, std::size_t, std::size_t) { ++all; });
      return all;
    }
    std::size_t p = a.offsets[row], q = b.offsets[row], both = 0;
    const std::size_t p_begin = p, p_end = a.offsets[row + 1], q_begin = q;
    const std::size_t q_end = b.offsets[row + 1];
    while (p < p_end && q < q_end) {  // which side advances is random: branch-free
      const std::uint32_t x = a.column[p], y = b.column[q];
      p += x <= y;
      q += y <= x;
      both += x == y;
    }
    return rule_.is_intersection ? both : (p_end - p_begin) + (q_end - q_begin) - both;
  }

  row_blocks blocks() const { return row_blocks(a, &b, mask_ ? &*mask_ : nullptr); }
  bool uses_a() const { return uses_a_; }

  const matrix_view a, b;

 private:
  template <bool Plain, class F>
  void visit_as(std::size_t row, F&& emit) const {
    std::size_t p = uses_a_ ? a.offsets[row] : 0, q = b.offsets[row];
    const std::size_t p_end = uses_a_ ? a.offsets[row + 1] : 0, q_end = b.offsets[row + 1];
    std::size_t m = mask_ ? mask_->offsets[row] : 0;
    const std::size_t m_end = mask_ ? mask_->offsets[row + 1] : 0;
    const bool row_in_scope = !rule_.row_scope || rule_.row_scope[row];
    while (p < p_end || q < q_end) {
      const bool from_a = p < p_end && (q == q_end || a.column[p] <= b.column[q]);
      const bool from_b = q < q_end && (p == p_end || b.column[q] <= a.column[p]);
      const std::uint32_t column = from_a ? a.column[p] : b.column[q];
      const std::size_t in_a = from_a ? p++ : none, in_b = from_b ? q++ : none;
      bool merges = true;
      if constexpr (!Plain) {
        if (mask_) {
          m = advance(mask_->column, m_end, m, column);
          const bool stored = m < m_end && mask_->column[m] == column;
          const bool counts =
              stored &&
              (rule_.structural || is_true_(mask_->values + mask_->value_at(m) * mask_->bytes));
          merges = counts != rule_.complemented;
          if (!merges) {
            if (from_a && !rule_.replace) emit(column, in_a, none);
            continue;
          }
        }
        if (rule_.row_scope && !(row_in_scope && rule_.column_scope[column])) {
          if (from_a) emit(column, in_a, none);
          continue;
        }
      }
      if (rule_.op == nullptr) {
        if (from_b) emit(column, none, in_b);
      } else if (!rule_.is_intersection || (from_a && from_b)) {
        emit(column, in_a, in_b);
      }
    }
  }

  const row_rule& rule_;
  std::optional<matrix_view> mask_;
  truth is_true_;
  bool plain_, uses_a_;
};

}  // namespace

matrix_base merge_rows(const memory_side& here, const type_description& type, const matrix_base& a,
                       const matrix_base& b, const row_rule& rule) {
  const row_merger merger(here, a, b, rule);
  const row_blocks blocks = merger.blocks();
  const std::size_t rows = merger.a.rows;
  matrix_base result = matrix_shell(here, type, a.rows, a.columns);
  result.iso = b.iso && !merger.uses_a();

  const buffer_pointer lengths = here.allocate(rows, sizeof(std::uint64_t));
  auto* length = here.write_as<std::uint64_t>(lengths);
  cancel_watch watch(here.context());
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    if (watch.is_cancelled()) return;
    for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row)
      length[row] = merger.count(row);
  });
  watch.check();
  lay_out(here, result, lengths);
  if (result.iso) result.values = result.nnz > 0 ? b.values : here.allocate(0, 1);

  const offsets_view offsets{here.read(result.offsets), result.wide};
  auto* columns = here.write_as<std::uint32_t>(result.column_indices);
  auto* values = result.iso ? nullptr : here.write_as<std::byte>(result.values);
  const std::size_t bytes = type.size;
  const matrix_view &left = merger.a, &right = merger.b;
  const auto fill_rows = [&]<std::size_t N>(std::size_t block, auto&& both) {
    for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
      std::size_t at = offsets[row];
      merger.visit(row, [&](std::uint32_t column, std::size_t p, std::size_t q) {
        columns[at] = column;
        if (values != nullptr) {
          if (q == none)
            copy_element<N>(values, at, left.values, left.value_at(p), bytes);
          else if (p == none)
            copy_element<N>(values, at, right.values, right.value_at(q), bytes);
          else
            both(p, q, at, row, column);
        }
        ++at;
      });
    }
  };
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    if (watch.is_cancelled()) return;
    with_element_size(bytes, [&]<std::size_t N>() {
      if (rule.op == nullptr) {
        fill_rows.template operator()<N>(block, [](auto...) {});
        return;
      }
      entry_batch batch(*rule.op, {left.values, left.bytes, left.iso},
                        {right.values, right.bytes, right.iso}, values);
      fill_rows.template operator()<N>(
          block, [&](std::size_t p, std::size_t q, std::size_t z, std::size_t row,
                     std::uint32_t column) { batch.add(p, q, z, row, column); });
      batch.flush();
    });
  });
  watch.check();
  return result;
}

}  // namespace tropic::detail::on_cpu
