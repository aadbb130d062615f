// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "operations/positions.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

// A position that occurs twice in the list, or -1. Long lists that do not ascend are checked with
// one bit per position; short ones are sorted.
index_t repeated(std::span<const index_t> list, index_t size) {
  const auto first_of_pair = [](auto begin, auto end) {
    const auto twice = std::adjacent_find(begin, end);
    return twice == end ? index_t{-1} : *twice;
  };
  if (std::is_sorted(list.begin(), list.end())) return first_of_pair(list.begin(), list.end());
  if (static_cast<index_t>(list.size()) < size / 64) {
    std::vector<index_t> sorted(list.begin(), list.end());
    std::sort(sorted.begin(), sorted.end());
    return first_of_pair(sorted.begin(), sorted.end());
  }
  std::vector<bool> seen(static_cast<std::size_t>(size), false);
  for (const index_t i : list) {
    if (seen[static_cast<std::size_t>(i)]) return i;
    seen[static_cast<std::size_t>(i)] = true;
  }
  return -1;
}

positions checked(const char* what, const std::span<const index_t>* list, index_t size) {
  if (list == nullptr) return {};
  const positions result = in_range("assign", what, list, size);
  // Repeated positions would make the result depend on their order.
  if (const index_t twice = repeated(*list, size); twice >= 0)
    throw usage_error("assign: " + std::string(what) + " " + std::to_string(twice) +
                      " is listed twice");
  return result;
}

}  // namespace

void assign(vector_base& w, const void* value, const std::span<const index_t>* list,
            const output_options<vector_base>& options) {
  backend& executor = common_backend("assign", w);
  const vector_rule rule = rule_of("assign", w, options);
  in_step("assign", [&] { executor.assign(w, value, checked("position", list, w.size), rule); });
}

void assign(vector_base& w, const vector_base& u, const std::span<const index_t>* list,
            const output_options<vector_base>& options) {
  backend& executor = common_backend("assign", w, u);
  const vector_rule rule = rule_of("assign", w, options);
  const positions to = checked("position", list, w.size);
  if (u.size != count(to, w.size))
    throw usage_error("assign: u has " + shape(u) + ", needs " + std::to_string(count(to, w.size)));
  check_type("assign", "u", *u.type, *w.type);
  in_step("assign", [&] { executor.assign(w, u, to, rule); });
}

void assign(matrix_base& c, const void* value, const std::span<const index_t>* rows,
            const std::span<const index_t>* columns, const output_options<matrix_base>& options) {
  backend& executor = common_backend("assign", c);
  const matrix_rule rule = rule_of("assign", c, options);
  in_step("assign", [&] {
    executor.assign(c, value, checked("row", rows, c.rows), checked("column", columns, c.columns),
                    rule);
  });
}

void assign(matrix_base& c, const matrix_base& a, const std::span<const index_t>* rows,
            const std::span<const index_t>* columns, const output_options<matrix_base>& options) {
  backend& executor = common_backend("assign", c, a);
  const matrix_rule rule = rule_of("assign", c, options);
  const positions to_rows = checked("row", rows, c.rows);
  const positions to_columns = checked("column", columns, c.columns);
  if (a.rows != count(to_rows, c.rows) || a.columns != count(to_columns, c.columns))
    throw usage_error("assign: A is " + shape(a) + ", needs " +
                      std::to_string(count(to_rows, c.rows)) + "x" +
                      std::to_string(count(to_columns, c.columns)));
  check_type("assign", "A", *a.type, *c.type);
  in_step("assign", [&] { executor.assign(c, a, to_rows, to_columns, rule); });
}

vector_base filled(const context_pointer& where, const type_description& type, index_t size,
                   const void* value) {
  if (where->device_memory == nullptr) return filled_vector(where, type, size, value);
  refuse_forked("vector", *where);
  vector_base result = empty_vector(where, type, size);
  in_step("vector", [&] { where->executor->assign(result, value, {}, {}); });
  return result;
}

void expect_dense(vector_base& v) {
  if (v.context->device_memory == nullptr) convert(v, vector_storage::bitmap);
}

}  // namespace tropic::detail
