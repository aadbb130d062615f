// SPDX-License-Identifier: Apache-2.0
#include "algorithms/sssp_between.hpp"

#include <utility>

#include <tropic/algorithms/verify/sssp_between.hpp>
#include <tropic/error.hpp>

namespace tropic::algorithms {

void check_between(const any_graph& graph, std::span<const index_t> from,
                   std::span<const index_t> to) {
  const detail::matrix_base& m = graph.matrix();
  if (m.rows != m.columns)
    throw usage_error("sssp: a graph's matrix is square, this one is " + std::to_string(m.rows) +
                      "x" + std::to_string(m.columns));
  detail::check_pairs("sssp", m.rows, from, to);
}

std::string verify_sssp_between(const any_graph& graph, std::span<const index_t> from,
                                std::span<const index_t> to, const any_sssp_between_result& result,
                                const sssp_verify_options& options) {
  check_between(graph, from, to);
  const type_code distances = result.distance.type->code;
  return with_distance_type<std::string>(distances, [&]<class D>() {
    const sssp_between_result<D> typed{vector<D>(result.distance), result.searches,
                                       result.saturated, result.steps};
    return detail::check_distances_between<D>(
        context(graph.matrix().context), from, to, typed, [&](index_t source) {
          any_sssp_result search = sssp(graph, distances, source, {.limit = options.limit});
          std::string wrong = verify_sssp(graph, source, search, options);
          return std::pair(vector<D>(std::move(search.distance)), std::move(wrong));
        });
  });
}

}  // namespace tropic::algorithms
