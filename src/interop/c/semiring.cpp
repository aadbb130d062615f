// SPDX-License-Identifier: Apache-2.0

// Semirings of the C ABI, by name or as text.

#include <algorithm>

#include <tropic/semirings/builtins.hpp>
#include <tropic/semirings/from_text.hpp>

#include "interop/c/support.hpp"

using namespace tropic::c_abi;

namespace {

void append(std::string& list, std::string_view one) {
  list.append(list.empty() ? "" : ", ").append(one);
}

tropic::semiring_description built_in(const call& c, const char* name,
                                      const tropic::type_description& type) {
  if (auto found = tropic::builtin_semiring(name, type.code)) return *found;
  const auto names = tropic::builtin_semiring_names();
  std::string known;
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    for (const std::string_view one : names) append(known, one);
    c.refuse("name is '" + std::string(name) + "', expected one of " + known);
  }
  for (const tropic::type_description& t : tropic::builtin_types)
    if (tropic::builtin_semiring(name, t.code)) append(known, t.name);
  c.refuse("type is " + std::string(type.name) + ", " + name + " is built in for " + known);
}

// Each part alone first, so that the message can say which one is at fault.
template <class Parse>
void try_part(const call& c, const char* part, const Parse& parse) {
  try {
    parse();
  } catch (const tropic::expression_error& fault) {
    c.refuse(std::string(part) + ": " + fault.what());
  }
}

tropic_type type_of(const tropic::type_description& type) {
  return static_cast<tropic_type>(static_cast<int>(type.code));
}

}  // namespace

tropic_status tropic_semiring_named(tropic_context* context, const char* name, tropic_type type,
                                    tropic_semiring** result) {
  return guarded(context_of(context), "tropic_semiring_named", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(context, "context");
    c.need(name, "name");
    *result = new tropic_semiring{context->of, built_in(c, name, c.type(type, "type")), name};
  });
}

tropic_status tropic_semiring_from_text(tropic_context* context, const char* add,
                                        const char* identity, const char* multiply,
                                        tropic_type type, tropic_semiring** result) {
  return guarded(context_of(context), "tropic_semiring_from_text", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(context, "context");
    c.need(add, "add");
    c.need(identity, "identity");
    c.need(multiply, "multiply");
    const tropic::type_description& t = c.type(type, "type");
    try_part(c, "add", [&] {
      if (tropic::operator_from_text(add, t, t, t, "add").syntax->positional())
        c.refuse("add: a sum has two values and no position");
    });
    try_part(c, "identity", [&] { tropic::value_from_text(identity, t); });
    try_part(c, "multiply", [&] { tropic::operator_from_text(multiply, t, t, t, "multiply"); });
    *result = new tropic_semiring{
        context->of, tropic::semiring_from_text(add, identity, multiply, t),
        std::string("add ") + add + ", identity " + identity + ", multiply " + multiply};
  });
}

void tropic_semiring_free(tropic_semiring* semiring) {
  delete semiring;
}

tropic_status tropic_semiring_types(const tropic_semiring* semiring, tropic_type* first,
                                    tropic_type* second, tropic_type* sum) {
  return guarded(context_of(semiring), "tropic_semiring_types", [&](const call& c) {
    c.need(semiring, "semiring");
    c.distinct("first, second, sum", first, second, sum);
    if (first != nullptr) *first = type_of(semiring->description.a());
    if (second != nullptr) *second = type_of(semiring->description.x());
    if (sum != nullptr) *sum = type_of(semiring->description.z());
  });
}
