// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices, vectors and masks for the tests of csr_listed: rows as long as its classes and pieces,
// and one more or less.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/device/backend.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace listed_product_test {

inline constexpr index_t columns = 5000;

/// Entries of a matrix of `columns` columns with rows of these lengths, any columns.
struct entries {
  std::vector<std::uint32_t> row, column;
  std::vector<std::int64_t> value;
  std::vector<index_t> lengths;
};

inline entries with_rows_of(const std::vector<index_t>& lengths) {
  entries result;
  result.lengths = lengths;
  dice random(7);
  std::vector<std::uint32_t> order(columns);
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint32_t>(k);
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    const auto length = static_cast<std::size_t>(lengths[row]);
    for (std::size_t k = 0; k < length; ++k)
      std::swap(
          order[k],
          order[k + static_cast<std::size_t>(random.roll(static_cast<int>(order.size() - k)))]);
    std::vector<std::uint32_t> found(order.begin(),
                                     order.begin() + static_cast<std::ptrdiff_t>(length));
    std::ranges::sort(found);
    for (const std::uint32_t column : found) {
      result.row.push_back(static_cast<std::uint32_t>(row));
      result.column.push_back(column);
      result.value.push_back(random.roll(200) - 100);
    }
  }
  return result;
}

/// Around every bound of classes and of pieces of 64 and 1,024, among rows of 0 to 5 entries, so
/// many that several groups list them.
inline std::vector<index_t> all_lengths() {
  std::vector<index_t> lengths;
  dice random(3);
  for (const index_t length : {0,   1,   3,   4,    5,    31,   32,   33,   63,   64,   65,   127,
                               128, 129, 640, 1023, 1024, 1025, 2047, 2048, 2049, 3333, 4999, 5000})
    for (int n = 0; n < 60; ++n) lengths.push_back(n == 17 || n == 18 ? length : random.roll(6));
  return lengths;
}

enum class mask_of { none, structure, complement, values, nothing, everything, everything_but };
inline constexpr mask_of all_masks[] = {
    mask_of::none,    mask_of::structure,  mask_of::complement,    mask_of::values,
    mask_of::nothing, mask_of::everything, mask_of::everything_but};

/// A pull of a large graph with gaps in u.
inline detail::call_features masked_pull() {
  detail::call_features f;
  f.on_device = true;
  f.output_size = f.input_size = 1 << 22;
  f.input_nvals = 1 << 20;
  f.nnz = f.wanted_edges = f.input_edges = 1 << 27;
  f.longest_row = 1 << 17;
  f.can_push = false;
  return f;
}

/// The data of a test of csr_listed.
class listed_products : public OnContext {
 protected:
  static matrix<std::int64_t> make_matrix(const context& on, const entries& e) {
    return matrix<std::int64_t>::from_entries(on, static_cast<index_t>(e.lengths.size()), columns,
                                              e.row, e.column,
                                              std::span<const std::int64_t>(e.value));
  }
  /// With an entry at each `step`-th position from `first` on.
  template <class T = std::int64_t>
  static vector<T> every(const context& on, index_t size, index_t first, index_t step) {
    std::vector<std::uint32_t> at;
    std::vector<T> values;
    for (index_t k = first; k < size; k += step) {
      at.push_back(static_cast<std::uint32_t>(k));
      values.push_back(static_cast<T>(k % 89) - 40);
    }
    return vector<T>::from_entries(on, size, at, values);
  }
  /// Where the mask has an entry, and where it is not 0.
  static vector<std::int64_t> mask_vector(const context& on, index_t size, mask_of kind) {
    switch (kind) {
      case mask_of::nothing: return vector<std::int64_t>(on, size);
      case mask_of::everything:
      case mask_of::everything_but: return vector<std::int64_t>(on, size, 1);
      default: return every(on, size, 1, 3);  // values from -40 to 48, some are 0
    }
  }
  static bool wants(mask_of kind, index_t i) {
    const bool has_entry = i % 3 == 1;
    switch (kind) {
      case mask_of::structure: return has_entry;
      case mask_of::complement: return !has_entry;
      case mask_of::values: return has_entry && i % 89 != 40;
      case mask_of::nothing:
      case mask_of::everything_but: return false;
      default: return true;
    }
  }
  template <class S, class T>
  static void multiply(vector<T>& w, const S& semiring, const matrix<T>& a, const vector<T>& u,
                       mask_of kind, const plan* by = nullptr) {
    const vector<std::int64_t> mask = mask_vector(w.where(), w.size(), kind);
    switch (kind) {
      case mask_of::none: mxv(w, semiring, a, u, {.plan = by}); break;
      case mask_of::values: mxv(w, semiring, a, u, {.mask = mask, .plan = by}); break;
      case mask_of::complement:
      case mask_of::everything_but:
        mxv(w, semiring, a, u, {.mask = complement(structure(mask)), .plan = by});
        break;
      default: mxv(w, semiring, a, u, {.mask = structure(mask), .plan = by});
    }
  }
  /// Entries as text.
  template <class T>
  static std::string text_of(const vector<T>& v) {
    std::string text;
    for (const auto& e : v.entries())
      text += std::to_string(e.index) + ":" + std::to_string(e.value) + " ";
    return text;
  }
  detail::device_backend* device() const {
    return dynamic_cast<detail::device_backend*>(where().state()->executor.get());
  }
};

}  // namespace listed_product_test
}  // namespace tropic::testing
