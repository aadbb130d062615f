// SPDX-License-Identifier: Apache-2.0

// Shortest paths in the C ABI.

#include <span>
#include <string>
#include <utility>

#include "algorithms/sssp.hpp"
#include "algorithms/sssp_between.hpp"
#include "interop/c/support.hpp"

using namespace tropic::c_abi;
using namespace tropic::algorithms;
using tropic::type_code;

namespace {

tropic_sssp_options options_of(const call& c, const tropic_sssp_options* options) {
  static const tropic_sssp_options defaults = TROPIC_SSSP_OPTIONS_INIT;
  return c.options(options, defaults, "options");
}

tropic::sssp_options wanted_of(const tropic_sssp_options& given, bool parents) {
  tropic::sssp_options wanted;
  wanted.delta = given.delta;
  wanted.parents = parents;
  if (given.limit != -1) wanted.limit = given.limit;
  return wanted;
}

type_code distances_of(const call& c, const tropic_sssp_options& given,
                       const tropic_matrix& graph) {
  const type_code type = given.choose_type != 0 ? c.type(given.type, "options->type").code
                                                : distance_type_of(graph.base().type->code);
  if (type == type_code::boolean) c.refuse("options->type is bool, which holds no distances");
  return type;
}

}  // namespace

tropic_status tropic_sssp(const tropic_matrix* graph, int64_t source,
                          const tropic_sssp_options* options, tropic_vector** distance,
                          tropic_vector** parent) {
  return guarded(context_of(graph), "tropic_sssp", [&](const call& c) {
    if (distance != nullptr) *distance = nullptr;
    if (parent != nullptr) *parent = nullptr;
    c.need(graph, "graph");
    const tropic_sssp_options given = options_of(c, options);
    const type_code type = distances_of(c, given, *graph);
    c.distinct("distance, parent, options->saturated", distance, parent, given.saturated);
    c.begin(*graph->of);
    any_sssp_result found =
        sssp(any_graph(graph->base()), type, source, wanted_of(given, parent != nullptr));
    hand_over(graph->of, distance, std::move(found.distance), parent, std::move(found.parent));
    if (given.saturated != nullptr) *given.saturated = found.saturated;
  });
}

tropic_status tropic_sssp_between(const tropic_matrix* graph, const int64_t* from,
                                  const int64_t* to, int64_t pairs,
                                  const tropic_sssp_options* options, tropic_vector** distance) {
  return guarded(context_of(graph), "tropic_sssp_between", [&](const call& c) {
    c.need(distance, "distance") = nullptr;
    c.need(graph, "graph");
    if (pairs < 0) c.refuse("pairs is " + std::to_string(pairs));
    const auto count = static_cast<std::size_t>(pairs);
    c.need_array(from, count, "from");
    c.need_array(to, count, "to");
    const tropic_sssp_options given = options_of(c, options);
    const type_code type = distances_of(c, given, *graph);
    c.distinct("distance, options->saturated", distance, given.saturated);
    c.begin(*graph->of);
    any_sssp_between_result found =
        sssp_between(any_graph(graph->base()), type, std::span(from, count), std::span(to, count),
                     wanted_of(given, false));
    *distance = new_vector(graph->of, std::move(found.distance));
    if (given.saturated != nullptr) *given.saturated = found.saturated;
  });
}
