// SPDX-License-Identifier: Apache-2.0

// Shortest paths of the C ABI.

#include "interop/c/sssp.hpp"

#include "interop/c/matrix.hpp"

using namespace tropic::c_abi;

namespace {

using tropic::type_code;

// That of the weights, unless they are integers of less than 64 bits or bool.
type_code distances_of(type_code weights) {
  return tropic::with_builtin_type(
      weights, []<class T>() { return tropic::builtin_code<tropic::distance_type<T>>(); });
}

sssp_found run(const tropic::detail::matrix_base& graph, type_code distances,
               tropic::index_t source, const tropic::sssp_options& options) {
  if (graph.type->code == type_code::int32 && distances == type_code::int64)
    return shortest_paths<std::int64_t, std::int32_t>(graph, source, options);
  return tropic::with_builtin_type(distances, [&]<class D>() -> sssp_found {
    if constexpr (std::is_same_v<D, bool>)
      throw tropic::usage_error("tropic_sssp: options->type is bool, which holds no distances");
    else
      return shortest_paths<D, D>(converted(graph, distances), source, options);
  });
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
    const type_code type = given.choose_type != 0 ? c.type(given.type, "options->type").code
                                                  : distances_of(graph->base().type->code);
    c.distinct("distance, parent, options->saturated", distance, parent, given.saturated);
    c.begin(*graph->of);
    tropic::sssp_options wanted;
    wanted.delta = given.delta;
    wanted.parents = parent != nullptr;
    sssp_found found = run(graph->base(), type, source, wanted);
    std::unique_ptr<tropic_vector> distances, parents;
    if (distance != nullptr) distances.reset(new_vector(graph->of, std::move(found.distance)));
    if (parent != nullptr) parents.reset(new_vector(graph->of, std::move(found.parent)));
    if (distance != nullptr) *distance = distances.release();
    if (parent != nullptr) *parent = parents.release();
    if (given.saturated != nullptr) *given.saturated = found.saturated;
  });
}
