// SPDX-License-Identifier: Apache-2.0

// What the C ABI tells as JSON: devices, kernels, plans.

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "interop/c/support.hpp"
#include "plan/json.hpp"

using namespace tropic::c_abi;

tropic_status tropic_devices(char** json) {
  return guarded(nullptr, "tropic_devices", [&](const call& c) {
    c.need(json, "json") = nullptr;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const tropic::device_info& d : tropic::devices())
      list.push_back({{"name", d.name},
                      {"description", d.description},
                      {"available", d.available},
                      {"reason", d.reason}});
    *json = new_string(tropic::detail::to_text(list));
  });
}

tropic_status tropic_context_kernels(const tropic_context* context, char** json) {
  return guarded(context_of(context), "tropic_context_kernels", [&](const call& c) {
    c.need(json, "json") = nullptr;
    c.need(context, "context");
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const std::string_view kernel : context->of->state()->executor->kernels())
      list.push_back(kernel);
    *json = new_string(tropic::detail::to_text(list));
  });
}

tropic_status tropic_explain(const tropic_semiring* semiring, const tropic_matrix* a,
                             const tropic_vector* u, int64_t expected_calls, char** json) {
  return guarded(context_of(a, u, semiring), "tropic_explain", [&](const call& c) {
    c.need(json, "json") = nullptr;
    c.need(semiring, "semiring");
    c.need(a, "a");
    c.need(u, "u");
    if (expected_calls < 1)
      c.refuse("expected_calls is " + std::to_string(expected_calls) + ", needed 1 or more");
    c.begin(*a->of);
    const tropic::semiring_description& ring = semiring->ring;
    const auto check = [&](const char* what, const tropic::type_description& held,
                           const tropic::type_description& wanted) {
      if (held.code != wanted.code)
        c.refuse(std::string(what) + " holds " + std::string(held.name) + ", the semiring takes " +
                 std::string(wanted.name));
    };
    check("a", *a->base.type, ring.a());
    check("u", *u->base.type, ring.x());
    if (u->base.size != a->base.columns)
      c.refuse("a is " + std::to_string(a->base.rows) + "x" + std::to_string(a->base.columns) +
               ", u has " + std::to_string(u->base.size) + " positions, needs " +
               std::to_string(a->base.columns));
    const tropic::plan plan =
        tropic::detail::inspect_product(ring, a->base, false, u->base, false, expected_calls);
    nlohmann::ordered_json made{{"device", a->of->where->name()},
                                {"semiring", semiring->name},
                                {"type", a->base.type->name}};
    made.update(tropic::detail::to_json(plan));
    *json = new_string(tropic::detail::to_text(made));
  });
}
