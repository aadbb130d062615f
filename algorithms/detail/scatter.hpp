// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scatter with the minimum, which assign does not do since its lists repeat no position. It is a
// product with the matrix S that has an entry in every row n, at column target[n]:
//
//   w(j) = min(w(j), source(n) for every n with target[n] = j)        w min= source' S
//
// The minimum does not depend on the order. O(w.size() + target.size()).

#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <tropic/array_view.hpp>
#include <tropic/matrix.hpp>
#include <tropic/options.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

/// `source` has target.size() positions; targets may repeat. Throws usage_error if they do not fit.
inline void scatter_minimum(vector<index_t>& w, const array_view<index_t>& target,
                            const vector<index_t>& source) {
  const auto rows = static_cast<index_t>(target.size());
  if (rows == 0) return;
  std::vector<index_t> offsets(target.size() + 1);
  std::iota(offsets.begin(), offsets.end(), index_t{0});
  const auto one = std::make_shared<const bool>(true);
  const auto sends =
      matrix<bool>::from_csr(w.where(), rows, w.size(), adopt(std::move(offsets)), target,
                             array_view<bool>{{one.get(), 1}, one}, {.trusted = true});
  vxm(w, min_first<index_t, index_t, bool>{}, source, sends, {.accumulate = minimum{}});
}

}  // namespace tropic::detail
