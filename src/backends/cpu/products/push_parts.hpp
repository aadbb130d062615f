// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace tropic::detail::on_cpu {

/// Into how many ranges of the output's columns a push of `entries` rows is divided, which have
/// `edges` edges each on average.
///
/// A range finds its piece of every row by two binary searches, which take about as long as 12
/// edges; a push that is not divided only reads where the row begins and ends, half of that. With T
/// threads a row takes as long as
///   edges + 6             edges, undivided
///   1.5 edges / T + 12    in T ranges, one of which may have half as many edges again as others
///   edges / T + 48        in 4 T ranges, of which a thread takes the next one when it is ready
inline std::size_t ranges_of_push(std::size_t entries, double edges, int threads) {
  constexpr double worth_a_thread = 1 << 14;  // edges
  if (threads <= 1 || edges * static_cast<double>(entries) < worth_a_thread) return 1;
  const auto t = static_cast<std::size_t>(threads);
  const double of_thread = edges / static_cast<double>(threads);
  const double undivided = edges + 6, few = 1.5 * of_thread + 12, many = of_thread + 48;
  if (undivided <= std::min(few, many)) return 1;
  return few <= many ? t : 4 * t;
}

}  // namespace tropic::detail::on_cpu
