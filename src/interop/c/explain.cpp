// SPDX-License-Identifier: Apache-2.0

// What the C ABI returns as JSON: devices, kernels, plans.

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "explain/json.hpp"
#include "interop/c/support.hpp"

using namespace tropic::c_abi;
using tropic::detail::json_builder;

tropic_status tropic_devices(char** json) {
  return guarded(nullptr, "tropic_devices", [&](const call& c) {
    c.need(json, "json") = nullptr;
    auto list = json_builder::list();
    for (const tropic::device_info& d : tropic::devices())
      list.add(json_builder::object()
                   .add("name", d.name)
                   .add("description", d.description)
                   .add("available", d.available)
                   .add("reason", d.reason));
    *json = new_string(list.text());
  });
}

tropic_status tropic_context_kernels(const tropic_context* context, char** json) {
  return guarded(context_of(context), "tropic_context_kernels", [&](const call& c) {
    c.need(json, "json") = nullptr;
    c.need(context, "context");
    auto list = json_builder::list();
    for (const auto* kernel : context->of->state()->executor->kernels()) list.add(kernel->name);
    *json = new_string(list.text());
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
    const tropic::semiring_description& described = semiring->description;
    const auto check = [&](const char* what, const tropic::type_description& held,
                           const tropic::type_description& wanted) {
      if (held.code != wanted.code)
        c.refuse(std::string(what) + " holds " + std::string(held.name) + ", the semiring takes " +
                 std::string(wanted.name));
    };
    check("a", *a->base().type, described.a());
    check("u", *u->base.type, described.x());
    if (u->base.size != a->base().columns)
      c.refuse("a is " + std::to_string(a->base().rows) + "x" + std::to_string(a->base().columns) +
               ", u has " + std::to_string(u->base.size) + " positions, needs " +
               std::to_string(a->base().columns));
    const tropic::plan plan =
        tropic::detail::inspect_product(described, {.matrix = a->base()}, u->base,
                                        tropic::detail::factor_order::matrix_first, expected_calls);
    auto result = json_builder::object();
    result.add("device", a->of->where->name())
        .add("semiring", semiring->name)
        .add("type", a->base().type->name);
    tropic::detail::add_plan(result, plan);
    *json = new_string(result.text());
  });
}
