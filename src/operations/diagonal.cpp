// SPDX-License-Identifier: Apache-2.0

#include <cstring>
#include <numeric>
#include <vector>

#include <tropic/detail/structure.hpp>

#include "containers/integers.hpp"
#include "operations/positions.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

index_t diagonal_length(matrix_factor a, index_t k) {
  const index_t rows = rows_of(a), columns = columns_of(a);
  if (k < -rows || k > columns)
    throw usage_error("diagonal: A is " + shape(a) + ", its diagonals are " +
                      std::to_string(-rows) + " to " + std::to_string(columns) + ", not " +
                      std::to_string(k));
  return k >= 0 ? std::min(rows, columns - k) : std::min(rows + k, columns);
}

void extract_diagonal(vector_base& w, matrix_factor a, index_t k,
                      const output_options<vector_base>& options) {
  backend& executor = common_backend("diagonal", w, a.matrix);
  const vector_rule rule = rule_of("diagonal", w, options);
  const index_t length = diagonal_length(a, k);
  if (w.size != length)
    throw usage_error("diagonal: A is " + shape(a) + ", w has " + shape(w) + ", needs " +
                      std::to_string(length));
  check_same_type("diagonal", "A", *a.matrix.type, *w.type);
  in_step("diagonal", [&] {
    std::vector<index_t> rows;
    positions from;
    if (k < 0 || length < rows_of(a)) {
      rows.resize(as_size(length));
      std::iota(rows.begin(), rows.end(), k < 0 ? -k : index_t{0});
      from = {false, rows};
    }
    const matrix_line line{a.matrix, a.transposed, from, k < 0 ? index_t{0} : k, 1};
    executor.extract(w, line, rule);
  });
}

matrix_base diagonal_matrix(const vector_base& v, index_t k) {
  common_backend("diagonal", v);
  if (k > largest_dimension - v.size || k < v.size - largest_dimension)
    throw usage_error("diagonal: v has " + shape(v) + ", diagonal " + std::to_string(k) +
                      " needs a matrix of more than 2^32 rows");
  const index_t size = v.size + (k < 0 ? -k : k);
  return in_step("diagonal", [&] {
    vector_base sparse = v;
    convert(sparse, vector_storage::sparse);
    const std::size_t count = as_size(sparse.nvals);
    if (count == 0) return empty_matrix(v.context, *v.type, size, size);
    const std::span<const std::uint32_t> at(
        static_cast<const std::uint32_t*>(sparse.indices->host()), count);
    std::vector<std::uint32_t> moved(at.begin(), at.end());
    for (std::uint32_t& i : moved) i += static_cast<std::uint32_t>(k < 0 ? -k : k);
    const std::span<const std::uint32_t> rows = k < 0 ? moved : at, columns = k < 0 ? at : moved;
    return build_matrix(v.context, *v.type, size, size, rows, columns, sparse.values->host(),
                        value_layout::per_entry, duplicates::first);
  });
}

}  // namespace tropic::detail
