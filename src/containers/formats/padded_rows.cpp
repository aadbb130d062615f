// SPDX-License-Identifier: Apache-2.0
#include "containers/formats/padded_rows.hpp"

#include <algorithm>
#include <cstring>

#include <tropic/error.hpp>

#include "containers/context_state.hpp"
#include "containers/csr_view.hpp"

namespace tropic::detail {
converted_copy to_padded_rows(const matrix_base& m, std::uint32_t unit) {
  const csr_view csr(m);
  const auto rows = static_cast<std::size_t>(m.rows);
  converted_copy result;
  result.parts.push_back(make_buffer(m.context, (rows + 1) * sizeof(std::uint32_t)));
  auto* segments =
      static_cast<std::uint32_t*>(result.parts[in_padded_rows::segments]->host_write());
  std::size_t sum = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    segments[row] = static_cast<std::uint32_t>(sum);
    sum += (csr.offset(row + 1) - csr.offset(row) + unit - 1) / unit;
    if (sum > ~std::uint32_t{0})
      throw usage_error("csr_padded: the padded rows take more than 2^32 units of " +
                        std::to_string(unit) + " entries");
  }
  segments[rows] = static_cast<std::uint32_t>(sum);
  const std::size_t bytes = m.type->size;
  result.parts.push_back(make_buffer(m.context, sum * unit * sizeof(std::uint32_t)));
  if (!m.iso) result.parts.push_back(make_buffer(m.context, sum * unit * bytes));
  if (sum == 0) return result;
  auto* columns = static_cast<std::uint32_t*>(result.parts[in_padded_rows::columns]->host_write());
  auto* values =
      m.iso ? nullptr : static_cast<std::byte*>(result.parts[in_padded_rows::values]->host_write());
#pragma omp parallel for num_threads(m.context->threads()) \
    schedule(static) if (sum * unit > parallel_from)
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t begin = csr.offset(row), length = csr.offset(row + 1) - begin;
    const std::size_t to = std::size_t{segments[row]} * unit,
                      end = std::size_t{segments[row + 1]} * unit;
    std::copy_n(csr.columns + begin, length, columns + to);
    std::fill(columns + to + length, columns + end, no_column);
    if (values == nullptr || to == end) continue;
    std::memcpy(values + to * bytes, csr.values + begin * bytes, length * bytes);
    std::memset(values + (to + length) * bytes, 0, (end - to - length) * bytes);
  }
  return result;
}

matrix_base from_padded_rows(const converted_copy& padded, const matrix_base& like,
                             std::uint32_t unit) {
  const auto rows = static_cast<std::size_t>(like.rows);
  const csr_view csr(like);
  const std::size_t nnz = csr.offset(rows), bytes = like.type->size;
  matrix_base result = like;
  result.column_indices = make_buffer(like.context, nnz * sizeof(std::uint32_t));
  if (!like.iso) result.values = make_buffer(like.context, nnz * bytes);
  if (nnz > 0) {
    const auto* segments =
        static_cast<const std::uint32_t*>(padded.parts[in_padded_rows::segments]->host());
    const auto* columns =
        static_cast<const std::uint32_t*>(padded.parts[in_padded_rows::columns]->host());
    const auto* values =
        like.iso ? nullptr
                 : static_cast<const std::byte*>(padded.parts[in_padded_rows::values]->host());
    auto* to = static_cast<std::uint32_t*>(result.column_indices->host_write());
    auto* to_values = like.iso ? nullptr : static_cast<std::byte*>(result.values->host_write());
#pragma omp parallel for num_threads(like.context->threads()) \
    schedule(static) if (nnz > parallel_from)
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t begin = csr.offset(row), length = csr.offset(row + 1) - begin;
      const std::size_t at = std::size_t{segments[row]} * unit;
      std::copy_n(columns + at, length, to + begin);
      if (to_values != nullptr && length > 0)
        std::memcpy(to_values + begin * bytes, values + at * bytes, length * bytes);
    }
  }
  inspect_csr(result, {});  // what was in the wrong place would show here
  return result;
}

}  // namespace tropic::detail
