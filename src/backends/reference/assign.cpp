// SPDX-License-Identifier: Apache-2.0

// Assign (GraphBLAS C API 2.0, 4.3.7). GrB_assign semantics: the listed
// positions of w take the given entries (Z in the specification), everything else keeps its own,
// and then mask and replace range over the whole of w, listed or not.

#include <vector>

#include "backends/reference/backend.hpp"
#include "backends/reference/entries.hpp"

namespace tropic::detail {

using namespace reference;

namespace {

std::vector<index_t> listed(const positions& p, index_t size) {
  if (!p.all) return {p.list.begin(), p.list.end()};
  std::vector<index_t> all(static_cast<std::size_t>(size));
  for (index_t n = 0; n < size; ++n) all[static_cast<std::size_t>(n)] = n;
  return all;
}

const positions one_column{};

index_t rows_of(const vector_base& w) {
  return w.size;
}
index_t rows_of(const matrix_base& c) {
  return c.rows;
}
index_t columns_of(const vector_base&) {
  return 1;
}
index_t columns_of(const matrix_base& c) {
  return c.columns;
}

// `entry_at(n, m)`: what goes to the n-th listed row and m-th listed column, null for no entry.
template <class Container, class EntryAt>
void assign_to(Container& w, const positions& rows, const positions& columns,
               const output_rule<Container>& rule, EntryAt entry_at) {
  cancel_watch watch(w.context);
  const entries old = load(w);
  entries kept = old, t;
  const std::vector<index_t> row = listed(rows, rows_of(w)),
                             column = listed(columns, columns_of(w));
  for (std::size_t n = 0; n < row.size(); ++n)
    for (std::size_t m = 0; m < column.size(); ++m) {
      watch.step();
      const position where{row[n], column[m]};
      if (const scalar_bytes* given = entry_at(n, m)) t.emplace(where, *given);
      if (rule.accumulator == nullptr) kept.erase(where);
    }
  entries z;
  if (rule.accumulator) {
    z = union_of(watch, kept, t, *rule.accumulator);
  } else {
    z = kept;
    z.insert(t.begin(), t.end());
  }
  store(w, masked(watch, old, z, mask_of(rule), rule.replace));
}

template <class Container>
void assign_value(Container& w, const void* value, const positions& rows, const positions& columns,
                  const output_rule<Container>& rule) {
  const scalar_bytes given = copy_value(*w.type, value);
  assign_to(w, rows, columns, rule, [&](std::size_t, std::size_t) { return &given; });
}

template <class Container>
void assign_entries(Container& w, const entries& from, const positions& rows,
                    const positions& columns, const output_rule<Container>& rule) {
  assign_to(w, rows, columns, rule, [&](std::size_t n, std::size_t m) {
    const auto found = from.find({static_cast<index_t>(n), static_cast<index_t>(m)});
    return found == from.end() ? nullptr : &found->second;
  });
}

}  // namespace

void reference_backend::assign(vector_base& w, const void* value, const positions& list,
                               const vector_rule& rule) {
  assign_value(w, value, list, one_column, rule);
}
void reference_backend::assign(vector_base& w, const vector_base& u, const positions& list,
                               const vector_rule& rule) {
  assign_entries(w, load(u), list, one_column, rule);
}
void reference_backend::assign(matrix_base& c, const void* value, const positions& rows,
                               const positions& columns, const matrix_rule& rule) {
  assign_value(c, value, rows, columns, rule);
}
void reference_backend::assign(matrix_base& c, const matrix_base& a, const positions& rows,
                               const positions& columns, const matrix_rule& rule) {
  assign_entries(c, load(a), rows, columns, rule);
}

}  // namespace tropic::detail
