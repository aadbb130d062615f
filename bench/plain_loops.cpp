// SPDX-License-Identifier: Apache-2.0
#include "plain_loops.hpp"

#include <algorithm>

namespace tropic::cli {

plain_loops::plain_loops(const matrix<double>& a) : columns_(a.column_indices()) {
  offsets_.reserve(static_cast<std::size_t>(a.rows()) + 1);
  for (index_t row = 0; row <= a.rows(); ++row)
    offsets_.push_back(static_cast<std::uint64_t>(a.offset(row)));
  row_.resize(offsets_.back());
  for (std::size_t row = 0; row + 1 < offsets_.size(); ++row)
    std::fill(row_.begin() + static_cast<std::ptrdiff_t>(offsets_[row]),
              row_.begin() + static_cast<std::ptrdiff_t>(offsets_[row + 1]),
              static_cast<std::uint32_t>(row));
  const array_view<double> values = a.values();
  if (a.is_iso() && values.size() > 0)
    values_.assign(row_.size(), values[0]);
  else
    values_.assign(values.begin(), values.end());
}

template <class F>
void plain_loops::in_parts(int parts, const F& f) const {
  const std::size_t rows = offsets_.size() - 1, count = static_cast<std::size_t>(parts);
  const auto part_of = [&](std::size_t part) {
    const std::size_t first = part * rows / count, last = (part + 1) * rows / count;
    f(first, last, offsets_[first], offsets_[last]);
  };
  if (parts == 1) return part_of(0);
#pragma omp parallel for num_threads(parts) schedule(static, 1)
  for (std::size_t part = 0; part < count; ++part) part_of(part);
}

void plain_loops::csr(std::span<const double> x, std::span<double> y, int parts) const {
  in_parts(parts, [&](std::size_t first, std::size_t last, std::size_t, std::size_t) {
    const std::uint32_t* column = columns_.data.data();
    for (std::size_t row = first; row < last; ++row) {
      double sum = 0;
      for (std::uint64_t e = offsets_[row]; e < offsets_[row + 1]; ++e)
        sum += values_.data()[e] * x.data()[column[e]];
      y.data()[row] = sum;
    }
  });
}

void plain_loops::coo(std::span<const double> x, std::span<double> y, int parts) const {
  in_parts(parts, [&](std::size_t first, std::size_t last, std::size_t begin, std::size_t end) {
    const std::uint32_t *column = columns_.data.data(), *row = row_.data();
    const double *value = values_.data(), *input = x.data();
    double* output = y.data();
    std::fill(output + first, output + last, 0.0);
    for (std::size_t e = begin; e < end; ++e) output[row[e]] += value[e] * input[column[e]];
  });
}

}  // namespace tropic::cli
