// SPDX-License-Identifier: Apache-2.0
#include "plan/synthetic_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <tropic/detail/hash.hpp>
#include "containers/context_state.hpp"

namespace tropic::detail {

namespace {

using lengths = synthetic_matrix::lengths;
using places = synthetic_matrix::places;

// Number `counter` of a stream, see tropic/detail/random_bits.hpp.
std::uint64_t random_bits(std::uint64_t stream, std::uint64_t counter) {
  return mix(stream * golden + (counter + 1) * 0xbf58476d1ce4e5b9U);
}
double random_share(std::uint64_t stream, std::uint64_t counter) {
  return static_cast<double>(random_bits(stream, counter) >> 11) * 0x1p-53;
}

double wanted_length(const synthetic_matrix& of, std::uint64_t row) {
  switch (of.of_rows) {
    case lengths::alike: return of.mean;
    case lengths::mixed: return 2 * of.mean * random_share(1, row);
    case lengths::one_long: return row == 0 ? of.columns / 2 : of.mean;
    case lengths::many_empty: return random_bits(7, row) % 2 == 0 ? 0 : 2 * of.mean;
    case lengths::unlike: break;
  }
  // The r-th longest row has a share of r^-0.6: a power law, as graphs have it.
  return 0.4 * of.mean * std::pow(std::max(random_share(1, row), 1 / of.rows), -0.6);
}

std::uint64_t column_of(const synthetic_matrix& of, std::uint64_t row, std::uint64_t n) {
  const double share = random_share(row + 2, n);
  const auto columns = static_cast<std::uint64_t>(of.columns);
  switch (of.of_entries) {
    case places::near: {
      const double middle = static_cast<double>(row) / of.rows * of.columns,
                   at = middle + (share - 0.5) * of.width;
      return static_cast<std::uint64_t>(std::clamp(at, 0.0, of.columns - 1));
    }
    case places::diagonals: {
      // The neighbours of a point: one on each side in its line, then those in the lines around it.
      const std::uint64_t lines = n / 2 * static_cast<std::uint64_t>(of.width),
                          distance = std::max(lines, std::uint64_t{1}) % columns;
      return (row + (n % 2 == 0 ? distance : columns - distance)) % columns;
    }
    case places::few_columns: {
      // Distributed over all of x, as the high-degree vertices of a graph are.
      const auto rank = static_cast<std::uint64_t>(of.columns * std::pow(share, 2.5));
      return random_bits(0, rank) % columns;
    }
    case places::blocks: {
      const auto width = static_cast<std::uint64_t>(of.width);
      return (row / 16 * 16 + n) % width +
             row / 512 * 512 % std::max(columns - width, std::uint64_t{1});
    }
    case places::anywhere: break;
  }
  return std::min(static_cast<std::uint64_t>(share * of.columns), columns - 1);
}

}  // namespace

std::vector<synthetic_matrix> calibration_matrices(double scale) {
  const double k = 1000 * scale, m = 1000 * k;
  const double large = std::max(250 * k, 600e3);  // rows exceed the caches
  // Matrices that most kernels handle well come first: on a device that is slow at the others, the
  // rest may be skipped.
  return {
      {8, 8, 4},
      {500, 500, 8},
      {4000, 4000, 4, lengths::alike, places::near, 100},
      {2000, 2000, 10, lengths::mixed},
      {8000, 8000, 6, lengths::mixed, places::near, 100},
      {20e3, 20e3, 16},
      // Of a size that a device finishes quickly at any bandwidth: starting and waiting take as
      // long as reading.
      {15e3, 15e3, 24, lengths::mixed, places::near, 1000},
      {40e3, 40e3, 12, lengths::mixed, places::near, 400},
      {40e3, 40e3, 8, lengths::unlike, places::near, 4000},
      {60e3, 60e3, 5, lengths::mixed, places::near, 300},
      {50e3, 50e3, 40, lengths::alike, places::blocks, 40},
      {40e3, 40e3, 80, lengths::mixed, places::near, 300},
      {120e3, 120e3, 20, lengths::mixed, places::near, 3000},
      {150e3, 150e3, 6, lengths::unlike, places::near, 1000},
      {250e3, 250e3, 3, lengths::mixed, places::near, 300},
      {300e3, 300e3, 3, lengths::unlike, places::near, 300},
      {500e3, 500e3, 4, lengths::alike, places::near, 1500},
      {200e3, 200e3, 12, lengths::alike},
      {200 * k, 200 * k, 4, lengths::alike, places::diagonals, 1200},
      {100 * k, 100 * k, 3},
      {100 * k, 100 * k, 3, lengths::alike, places::near, 1000},
      {150 * k, 150 * k, 3, lengths::mixed, places::near, 1000},
      {60 * k, 60 * k, 10, lengths::mixed, places::near, 1000},
      {12 * k, 12 * k, 32, lengths::alike, places::near, 500},
      {12 * k, 12 * k, 32},
      {10 * k, 10 * k, 64, lengths::alike, places::blocks, 64},
      {40 * k, 40 * k, 16, lengths::alike, places::blocks, 32},
      {30 * k, 250 * k, 16},
      {40 * k, 2.5 * m, 16},
      {40 * k, 20e6, 12},
      {100 * k, 2e3, 3, lengths::mixed},
      {400 * k, 400 * k, 3, lengths::alike, places::near, 300},
      {500 * k, 500 * k, 2.5, lengths::mixed, places::near, 2000},
      {120 * k, 120 * k, 16, lengths::alike, places::near, 5000},
      {large, large, 16, lengths::alike, places::near, 300},
      {600 * k, 600 * k, 6, lengths::alike, places::diagonals, 20e3},
      {m, m, 4, lengths::alike, places::diagonals, 2800},
      {m, m, 4, lengths::alike, places::near, 3000},
      {k, 20 * k, 500, lengths::alike, places::near, 2000},
      {500, 2000, 1600, lengths::alike, places::blocks, 1600},
      {1500, 1500, 1500, lengths::alike, places::blocks, 1500},
      // Meshes.
      {25 * k, 25 * k, 50, lengths::mixed, places::near, 4000},
      {20 * k, 20 * k, 60, lengths::mixed, places::near, 5000},
      {30 * k, 30 * k, 40, lengths::mixed, places::near, 6000},
      {30 * k, 30 * k, 36, lengths::mixed},
      {20e3, 20e3, 6, lengths::unlike, places::few_columns},
      {5000, 5000, 20, lengths::unlike, places::near, 2000},
      {60e3, 60e3, 10, lengths::unlike},
      {300e3, 300e3, 10, lengths::unlike, places::near, 3000},
      {30 * k, 30 * k, 16, lengths::unlike, places::few_columns},
      {20 * k, 20 * k, 12, lengths::unlike, places::blocks, 3000},
      {200 * k, 200 * k, 8, lengths::unlike, places::few_columns},
      {100 * k, m, 12, lengths::unlike, places::few_columns},
      {large, large / 2, 9, lengths::unlike, places::near, 3000},
      {50 * k, 50 * k, 16, lengths::many_empty},
      {30, 10e3, 4000},
      {50 * k, 50 * k, 4, lengths::one_long},
  };
}

matrix_base make(const context_pointer& context, const synthetic_matrix& of) {
  const auto rows = static_cast<std::uint64_t>(of.rows);
  const int threads = context->threads();
  matrix_base result = empty_matrix(context, describe<float>(), static_cast<index_t>(of.rows),
                                    static_cast<index_t>(of.columns));
  std::vector<std::vector<std::uint32_t>> of_row(rows);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256)
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t>& columns = of_row[row];
    const auto length =
        static_cast<std::uint64_t>(std::min(wanted_length(of, row), of.columns) + 0.5);
    columns.reserve(length);
    for (std::uint64_t n = 0; n < length; ++n)
      columns.push_back(static_cast<std::uint32_t>(column_of(of, row, n)));
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
  auto* offsets = static_cast<std::uint32_t*>(result.offsets->host_write());
  offsets[0] = 0;
  for (std::uint64_t row = 0; row < rows; ++row)
    offsets[row + 1] = offsets[row] + static_cast<std::uint32_t>(of_row[row].size());
  const std::size_t nnz = offsets[rows];
  result.nnz = static_cast<index_t>(nnz);
  result.column_indices = make_buffer(context, nnz * sizeof(std::uint32_t));
  result.values = make_buffer(context, nnz * result.type->size);
  auto* columns = static_cast<std::uint32_t*>(result.column_indices->host_write());
#pragma omp parallel for num_threads(threads)
  for (std::uint64_t row = 0; row < rows; ++row)
    std::ranges::copy(of_row[row], columns + offsets[row]);
  std::fill_n(static_cast<float*>(result.values->host_write()), nnz, 1.0f);
  inspect_csr(result, {.trusted = true});
  return result;
}

matrix_base widened(const matrix_base& from) {
  matrix_base result = from;
  result.type = &describe<double>();
  const auto nnz = static_cast<std::size_t>(from.nnz);
  result.values = make_buffer(from.context, nnz * sizeof(double));
  std::fill_n(static_cast<double*>(result.values->host_write()), nnz, 1.0);
  result.derived = make_derived_copies();
  result.value_version = next_version();
  return result;
}

matrix_base pattern_of(const matrix_base& from) {
  matrix_base result = from;
  result.type = &describe<bool>();
  result.iso = true;
  result.values = make_buffer(from.context, sizeof(bool));
  *static_cast<bool*>(result.values->host_write()) = true;
  result.derived = make_derived_copies();
  result.value_version = next_version();
  return result;
}

const void* one_of(type_code type) {
  static constexpr float narrow = 1;
  static constexpr double wide = 1;
  static constexpr bool pattern = true;
  if (type == type_code::boolean) return &pattern;
  return type == type_code::fp32 ? static_cast<const void*>(&narrow) : &wide;
}

}  // namespace tropic::detail
