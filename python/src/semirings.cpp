// SPDX-License-Identifier: Apache-2.0

// Semirings and monoids, by name or as text.

#include <string_view>

#include <tropic/semirings/builtins.hpp>
#include <tropic/semirings/from_text.hpp>
#include <tropic/semirings/monoid.hpp>

#include "core.hpp"

namespace tropic::python {

namespace {

// Each part alone first, so that the message shows the one that is at fault.
void check_parts(const std::string& add, const std::string& identity, const std::string& multiply,
                 const type_description& type) {
  if (operator_from_text(add, type, type, type, "add").syntax->positional())
    throw usage_error("semiring: add has two values and no position, found '" + add + "'");
  value_from_text(identity, type);
  operator_from_text(multiply, type, type, type, "multiply");
}

std::unique_ptr<semiring_handle> named(const std::string& name, int type) {
  if (auto found = builtin_semiring(name, type_of(type).code))
    return std::make_unique<semiring_handle>(*found);
  std::string over;
  for (const type_description& t : builtin_types)
    if (builtin_semiring(name, t.code)) over.append(over.empty() ? "" : ", ").append(t.name);
  if (over.empty()) throw usage_error("no built-in semiring is called '" + name + "'");
  throw usage_error(name + " over " + std::string(type_of(type).name) + ": it is built in for " +
                    over);
}

std::unique_ptr<semiring_handle> from_text(const std::string& add, const std::string& identity,
                                           const std::string& multiply, int type) {
  check_parts(add, identity, multiply, type_of(type));
  return std::make_unique<semiring_handle>(
      semiring_from_text(add, identity, multiply, type_of(type)));
}

struct known_monoid {
  std::string_view name;
  monoid_description (*over)(type_code type);
};
template <template <class> class M>
constexpr known_monoid known{M<int>::operation::tropic_name, [](type_code type) {
                               return with_builtin_type(
                                   type, []<class T>() { return describe_monoid<M<T>>(); });
                             }};
constexpr known_monoid monoids[] = {
    known<plus_monoid>, known<times_monoid>, known<minimum_monoid>, known<maximum_monoid>,
    known<or_monoid>,   known<and_monoid>,   known<xor_monoid>,     known<any_monoid>};

std::unique_ptr<monoid_handle> monoid_named(const std::string& name, int type) {
  std::string names;
  for (const known_monoid& one : monoids) {
    if (one.name == name) return std::make_unique<monoid_handle>(one.over(type_of(type).code));
    names.append(names.empty() ? "" : ", ").append(one.name);
  }
  throw usage_error("no monoid is called '" + name + "'; there are " + names);
}

std::unique_ptr<monoid_handle> monoid_from_text(const std::string& add, const std::string& identity,
                                                int type) {
  check_parts(add, identity, "x", type_of(type));
  return std::make_unique<monoid_handle>(semiring_from_text(add, identity, "x", type_of(type)).add);
}

}  // namespace

void bind_semirings(nb::module_& m) {
  nb::class_<semiring_handle>(m, "Semiring")
      .def_prop_ro("first", [](const semiring_handle& s) { return code_of(s.description.a()); })
      .def_prop_ro("second", [](const semiring_handle& s) { return code_of(s.description.x()); })
      .def_prop_ro("result", [](const semiring_handle& s) { return code_of(s.description.z()); });
  nb::class_<monoid_handle>(m, "Monoid");
  m.def("semiring_named", named);
  m.def("semiring_from_text", from_text);
  m.def("semiring_names", [] {
    nb::list names;
    for (const std::string_view one : builtin_semiring_names())
      names.append(nb::str(one.data(), one.size()));
    return names;
  });
  m.def("monoid_named", monoid_named);
  m.def("monoid_from_text", monoid_from_text);
  m.def("monoid_names", [] {
    nb::list names;
    for (const known_monoid& one : monoids) names.append(nb::str(one.name.data(), one.name.size()));
    return names;
  });
}

}  // namespace tropic::python
