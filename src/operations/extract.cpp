// SPDX-License-Identifier: Apache-2.0

#include <tropic/detail/structure.hpp>

#include "operations/positions.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

void check_size(const char* name, const vector_base& w, index_t needed, const std::string& from) {
  if (w.size != needed)
    throw usage_error(std::string(name) + ": " + from + ", w has " + shape(w) + ", needs " +
                      std::to_string(needed));
}

}  // namespace

void extract(vector_base& w, const vector_base& u, const std::span<const index_t>* list,
             const output_options<vector_base>& options) {
  backend& executor = common_backend("extract", w, u);
  const vector_rule rule = rule_of("extract", w, options);
  const positions from = in_range("extract", "position", list, u.size);
  check_size("extract", w, count(from, u.size), "u has " + shape(u));
  check_same_type("extract", "u", *u.type, *w.type);
  in_step("extract", [&] { executor.extract(w, u, from, rule); });
}

void extract(vector_base& w, matrix_factor a, const std::span<const index_t>* rows, index_t column,
             const output_options<vector_base>& options) {
  backend& executor = common_backend("extract", w, a.matrix);
  const vector_rule rule = rule_of("extract", w, options);
  const positions from = in_range("extract", "row", rows, rows_of(a));
  const index_t one[] = {column};
  const std::span<const index_t> columns(one);
  in_range("extract", "column", &columns, columns_of(a));
  check_size("extract", w, count(from, rows_of(a)), "A is " + shape(a));
  check_same_type("extract", "A", *a.matrix.type, *w.type);
  const matrix_line line{a.matrix, a.transposed, from, column, 0};
  in_step("extract", [&] { executor.extract(w, line, rule); });
}

void extract(matrix_base& c, matrix_factor a, const std::span<const index_t>* rows,
             const std::span<const index_t>* columns, const output_options<matrix_base>& options) {
  backend& executor = common_backend("extract", c, a.matrix);
  const matrix_rule rule = rule_of("extract", c, options);
  const positions from_rows = in_range("extract", "row", rows, rows_of(a));
  const positions from_columns = in_range("extract", "column", columns, columns_of(a));
  const index_t height = count(from_rows, rows_of(a)), width = count(from_columns, columns_of(a));
  if (c.rows != height || c.columns != width)
    throw usage_error("extract: A is " + shape(a) + ", C is " + shape(c) + ", needs " +
                      std::to_string(height) + "x" + std::to_string(width));
  check_same_type("extract", "A", *a.matrix.type, *c.type);
  in_step("extract",
          [&] { executor.extract(c, a.matrix, a.transposed, from_rows, from_columns, rule); });
}

}  // namespace tropic::detail
