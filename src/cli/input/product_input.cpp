// SPDX-License-Identifier: Apache-2.0
#include "cli/input/product_input.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/builtins.hpp>
#include <tropic/semirings/from_text.hpp>

#include "cli/errors.hpp"

namespace tropic::cli {

namespace {

void check_semiring_name(const std::string& name) {
  const auto names = builtin_semiring_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  std::string all;
  for (const std::string_view known : names) all.append(all.empty() ? "" : ", ").append(known);
  const std::string meant = nearest(name, {names.begin(), names.end()});
  refuse_option("--semiring", "'" + name + "'",
                "one of " + all + (meant.empty() ? "" : "; did you mean '" + meant + "'?"));
}

template <class F>
void try_part(const char* option, F&& parse) {
  try {
    parse();
  } catch (const expression_error& fault) {
    throw pointed_error(std::string(option) + ": " + fault.what());
  }
}

detail::vector_base make_x(const context& where, const type_description& type, index_t size) {
  return with_builtin_type(type.code, [&]<class T>() {
    const T one{1};
    detail::vector_base x = detail::filled_vector(where.state(), type, size, &one);
    if constexpr (!std::is_same_v<T, bool>) {
      if (size > 0) {
        T* values = static_cast<T*>(x.values->host_write(detail::access::modify));
        for (index_t k = 0; k < size; ++k) values[k] = static_cast<T>(1 + k % 7);
      }
    }
    return x;
  });
}

}  // namespace

void semiring_options::add_to(command& target) {
  target.text("--semiring", "NAME", builtin,
              "a built-in semiring, for example min_plus [plus_times]");
  target.text("--add", "E", add, "a user-defined semiring: the sum of x and y");
  target.text("--identity", "V", identity, "... its identity, the empty sum");
  target.text("--multiply", "E", multiply,
              "... the product of a value x of A and a value y of the vector or of B");
  target.excludes("--add", "--semiring");
  target.excludes("--multiply", "--semiring");
}

void semiring_options::check(const program& p) const {
  const bool from_text = !multiply.empty();
  if (from_text != !add.empty() || from_text != !identity.empty())
    throw usage_error(
        "found a part of a semiring, expected --add, --identity and --multiply together");
  if (!from_text) check_semiring_name(builtin);
  // With --type, errors in expressions are found before the matrix is loaded.
  if (p.common.type) over(*p.common.type);
}

semiring_description semiring_options::over(type_code type) const {
  if (!multiply.empty()) {
    const type_description& t = describe(type);
    // Each part first by itself, so that the message can name the faulty one.
    try_part("--add", [&] { operator_from_text(add, t, t, t, "add"); });
    try_part("--identity", [&] { value_from_text(identity, t); });
    try_part("--multiply", [&] { operator_from_text(multiply, t, t, t, "multiply"); });
    return semiring_from_text(add, identity, multiply, t);
  }
  if (std::optional<semiring_description> found = builtin_semiring(builtin, type)) return *found;
  std::string types;
  for (const type_description& t : builtin_types)
    if (builtin_semiring(builtin, t.code)) types.append(types.empty() ? "" : ", ").append(t.name);
  refuse_option("--type", "'" + std::string(describe(type).name) + "'",
                "a type that " + builtin + " is built for: " + types);
}

std::string semiring_options::name() const {
  return multiply.empty()
             ? builtin
             : fmt::format("add {}, identity {}, multiply {}", add, identity, multiply);
}

product_input load_product(const program& p, const context& where, const std::string& file,
                           const semiring_options& wanted, bool pattern) {
  load_options options;
  options.file = file;
  options.graph = false;
  options.ignore_values = pattern;
  // Generated weights are at most 255. For types that cannot hold them all weights are 1.
  options.weighted = p.common.type != type_code::boolean && p.common.type != type_code::int8;
  options.rule = duplicates::sum;
  options.vector_bytes = 0;
  loaded input = load(p, where, options);
  // A file without values fits every value type: fp32 if the semiring has no boolean version.
  if (input.pattern && !p.common.type && !builtin_semiring(wanted.builtin, type_code::boolean)) {
    const float one = 1;
    input.matrix.type = &describe(type_code::fp32);
    input.matrix.values = detail::make_buffer(where.state(), sizeof one);
    input.matrix.iso = true;
    std::memcpy(input.matrix.values->host_write(), &one, sizeof one);
  }
  product_input result{input.matrix, input.seconds, wanted.over(input.matrix.type->code), {}};
  result.x = make_x(where, result.semiring.x(), result.matrix.columns);
  return result;
}

report begin_report(const std::string& command, const context& where, const product_input& input,
                    const semiring_options& wanted) {
  report r;
  r.command = command;
  r.device = where.name();
  r.set_matrix(input.matrix);
  r.seconds.load = input.load_seconds;
  r.seconds.transfer = transfer(where, input.matrix);
  r.extra["semiring"] = wanted.name();
  r.extra["type"] = input.matrix.type->name;
  return r;
}

}  // namespace tropic::cli
