// SPDX-License-Identifier: Apache-2.0
#include <tropic/semirings/from_text.hpp>

#include <memory>
#include <string>

#include <tropic/semirings/evaluate.hpp>

namespace tropic {

namespace {

// What a text operator owns; the description's views and its `bulk` look here.
struct text_operator {
  std::string text, name;
  expression::tree syntax;
  std::unique_ptr<evaluator> run;
};

void run_evaluated(const operator_description& op, const bulk_arguments& arguments) {
  const evaluator& run = *static_cast<const text_operator*>(op.keep.get())->run;
  const auto* x = static_cast<const std::byte*>(arguments.x);
  const auto* y = static_cast<const std::byte*>(arguments.y);
  auto* z = static_cast<std::byte*>(arguments.z);
  const std::size_t x_step = arguments.x_scalar ? 0 : op.x->size;
  const std::size_t y_step = arguments.y_scalar ? 0 : op.y->size;
  for (std::size_t n = 0; n < arguments.count; ++n)
    run(z + n * op.z->size, x + n * x_step, y + n * y_step, arguments.i ? arguments.i[n] : 0,
        arguments.k ? arguments.k[n] : 0, arguments.j ? arguments.j[n] : 0);
}

}  // namespace

operator_description operator_from_text(std::string_view text, const type_description& x,
                                        const type_description& y, const type_description& z,
                                        std::string_view name) {
  auto owned = std::make_shared<text_operator>();
  owned->text = text;
  owned->name = name;
  owned->syntax = expression::parse(owned->text);
  operator_description made;
  made.name = owned->name;
  made.text = owned->text;
  made.syntax = &owned->syntax;
  made.x = &x;
  made.y = &y;
  made.z = &z;
  made.bulk = run_evaluated;
  made.is_compiled = false;
  owned->run = std::make_unique<evaluator>(made);  // before `keep`, so that there is no cycle
  made.keep = owned;
  return made;
}

scalar_bytes value_from_text(std::string_view text, const type_description& z) {
  if (text == "inf") text = "t_inf";
  if (text == "-inf") text = "t_lowest";
  const operator_description op = operator_from_text(text, z, z, z, "value");
  if (op.uses_x() || op.uses_y() || op.syntax->positional())
    throw expression_error(text, 0, "a value has no operands");
  scalar_bytes value;
  op({.z = value.data(), .count = 1});
  return value;
}

semiring_description semiring_from_text(std::string_view add, std::string_view identity,
                                        std::string_view multiply, const type_description& type) {
  semiring_description made;
  made.add.add = operator_from_text(add, type, type, type, "add");
  made.add.identity = value_from_text(identity, type);
  made.multiply = operator_from_text(multiply, type, type, type, "multiply");
  return made;
}

}  // namespace tropic
