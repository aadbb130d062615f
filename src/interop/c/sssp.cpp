// SPDX-License-Identifier: Apache-2.0

// Shortest paths in the C ABI.

#include <utility>

#include "algorithms/sssp.hpp"
#include "interop/c/support.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;
using tropic::type_code;

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
                                                  : distance_type_of(graph->base().type->code);
    c.distinct("distance, parent, options->saturated", distance, parent, given.saturated);
    c.begin(*graph->of);
    tropic::sssp_options wanted;
    wanted.delta = given.delta;
    wanted.parents = parent != nullptr;
    if (type == type_code::boolean)
      throw tropic::usage_error("tropic_sssp: options->type is bool, which holds no distances");
    any_sssp_result found = sssp(any_graph(graph->base()), type, source, wanted);
    hand_over(graph->of, distance, std::move(found.distance), parent, std::move(found.parent));
    if (given.saturated != nullptr) *given.saturated = found.saturated;
  });
}
