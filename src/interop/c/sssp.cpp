// SPDX-License-Identifier: Apache-2.0

// Shortest paths of the C ABI.

#include "interop/c/sssp.hpp"

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;

namespace {

sssp_found run(const tropic::detail::matrix_base& graph, tropic::index_t source,
               const tropic::sssp_options& options) {
  using tropic::type_code;
  switch (graph.type->code) {
    case type_code::int32: return shortest_paths<std::int32_t>(graph, source, options);
    case type_code::fp32: return shortest_paths<float>(graph, source, options);
    case type_code::fp64: return shortest_paths<double>(graph, source, options);
    default:
      return shortest_paths<std::int64_t>(converted(graph, type_code::int64), source, options);
  }
}

}  // namespace

tropic_status tropic_sssp(const tropic_matrix* graph, int64_t source,
                          const tropic_sssp_options* options, tropic_vector** distance,
                          tropic_vector** parent) {
  return guarded(context_of(graph), "tropic_sssp", [&](const call& c) {
    if (distance != nullptr) *distance = nullptr;
    if (parent != nullptr) *parent = nullptr;
    c.need(graph, "graph");
    static const tropic_sssp_options defaults = TROPIC_SSSP_OPTIONS_INIT;
    const tropic_sssp_options given = c.options(options, defaults, "options");
    if (!(given.delta >= 0))
      c.refuse("options->delta is " + std::to_string(given.delta) + ", needed 0 or more");
    c.begin(*graph->of);
    tropic::sssp_options wanted;
    wanted.delta = given.delta;
    wanted.parents = parent != nullptr;
    sssp_found found = run(graph->base(), source, wanted);
    std::unique_ptr<tropic_vector> distances, parents;
    if (distance != nullptr) distances.reset(new_vector(graph->of, std::move(found.distance)));
    if (parent != nullptr) parents.reset(new_vector(graph->of, std::move(found.parent)));
    if (distance != nullptr) *distance = distances.release();
    if (parent != nullptr) *parent = parents.release();
  });
}
