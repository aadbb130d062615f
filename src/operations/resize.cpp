// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include <tropic/detail/structure.hpp>

#include "containers/integers.hpp"
#include "operations/positions.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

std::vector<index_t> first_positions(index_t count) {
  std::vector<index_t> list(as_size(count));
  std::iota(list.begin(), list.end(), index_t{0});
  return list;
}

// Rows without entries at the end.
template <class Offset>
buffer_pointer with_rows(const matrix_base& a, index_t rows) {
  buffer_pointer result = make_buffer(a.context, (as_size(rows) + 1) * sizeof(Offset));
  const auto* from = static_cast<const Offset*>(a.offsets->host());
  auto* to = static_cast<Offset*>(result->host_write());
  std::copy_n(from, as_size(a.rows) + 1, to);
  std::fill(to + a.rows + 1, to + rows + 1, static_cast<Offset>(a.nnz));
  return result;
}

void grow(matrix_base& a, index_t rows, index_t columns) {
  if (rows > a.rows) {
    a.offsets = a.wide ? with_rows<std::uint64_t>(a, rows) : with_rows<std::uint32_t>(a, rows);
    a.empty_rows += rows - a.rows;
  }
  a.rows = rows;
  a.columns = columns;
  a.symmetric = false;
  a.structure_version = next_version();
  a.value_version = next_version();
  a.derived = make_derived_copies();
}

}  // namespace

void resize(vector_base& v, index_t size) {
  common_backend("resize", v);
  check_dimensions(size, 0);
  if (size == v.size) return;
  in_step("resize", [&] {
    if (size < v.size) {
      const std::vector<index_t> list = first_positions(size);
      const std::span<const index_t> kept(list);
      vector_base result = empty_vector(v.context, *v.type, size);
      extract(result, v, &kept, {});
      v = std::move(result);
    } else {
      vector_base result = v;
      convert(result, vector_storage::sparse);
      result.size = size;
      v = std::move(result);
    }
  });
}

void resize(matrix_base& a, index_t rows, index_t columns) {
  common_backend("resize", a);
  check_dimensions(rows, columns);
  if (rows == a.rows && columns == a.columns) return;
  in_step("resize", [&] {
    matrix_base result = a;
    if (rows < a.rows || columns < a.columns) {
      const index_t height = std::min(rows, a.rows), width = std::min(columns, a.columns);
      const std::vector<index_t> of_rows = first_positions(height < a.rows ? height : 0),
                                 of_columns = first_positions(width < a.columns ? width : 0);
      const std::span<const index_t> in_rows(of_rows), in_columns(of_columns);
      result = empty_matrix(a.context, *a.type, height, width);
      extract(result, {.matrix = a}, height < a.rows ? &in_rows : nullptr,
              width < a.columns ? &in_columns : nullptr, {});
    }
    grow(result, rows, columns);
    a = std::move(result);
  });
}

}  // namespace tropic::detail
