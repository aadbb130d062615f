// SPDX-License-Identifier: Apache-2.0

// What a program of elements.kernel or entries.kernel knows of its operation.

#include "backends/device/program/program.hpp"

namespace tropic::detail {
namespace {

// A call of `function` by a macro over (parameters, x, y, row, ...), which names an operand only
// where it is used; `column`: what it takes for the column.
std::string call_of(const std::string& function, const operator_description& op,
                    const std::string& x, const std::string& y, const std::string& column = "0") {
  const expression::tree& tree = *op.syntax;
  std::string list;
  if (tree.uses_x) list += x + ", ";
  if (tree.uses_y) list += y + ", ";
  if (tree.uses_i) list += "(t_int64)(row), ";
  if (tree.uses_k) list += "(t_int64)0, ";
  if (tree.uses_j) list += "(t_int64)(" + column + "), ";
  return function + "(" + list + "parameters)";
}

void append(std::vector<std::uint64_t>& words, const std::vector<std::uint64_t>& added) {
  words.insert(words.end(), added.begin(), added.end());
}

bool has_bound(const element_request& request) {
  return request.bound_first || request.bound_second || request.kind == element_kind::value;
}
const type_description& bound_type(const element_request& request) {
  return request.bound_first ? *request.op->x : request.bound_second ? *request.op->y : *request.z;
}

}  // namespace

element_request one_operand(element_kind kind, const unary_description& f,
                            const type_description& u, const type_description* z) {
  return {.kind = kind,
          .op = &f.op,
          .bound_first = f.bound_first,
          .bound_second = f.bound_second,
          .bound = f.bound,
          .u = &u,
          .z = z};
}

void define_elements(prelude& out, const element_request& request,
                     const operator_description* accumulator) {
  const type_description& byte = describe(type_code::uint8);
  out.define_macro("T_KIND", std::to_string(static_cast<int>(request.kind)));
  out.define_type("t_x", request.u != nullptr ? *request.u : byte);
  out.define_type("t_y", request.v != nullptr ? *request.v : byte);
  out.define_type("t_z", *request.z);
  const scalar_bytes zero{};
  out.define_value("t_none", *request.z, zero.data());
  if (request.op != nullptr) {
    out.define_operator("t_operation", *request.op);
    out.define_macro(
        "T_OPERATION(parameters, first, second, row, column)",
        call_of("t_operation", *request.op, request.bound_first ? "t_bound(parameters)" : "(first)",
                request.bound_second ? "t_bound(parameters)" : "(second)", "column"));
    out.define_macro("T_USES_POSITION", request.op->syntax->positional() ? "1" : "0");
  }
  if (has_bound(request)) out.define_bound("t_bound", bound_type(request));
  out.define_macro("T_ACCUMULATES", accumulator != nullptr ? "1" : "0");
  if (accumulator == nullptr) return;
  out.define_operator("t_accumulate", *accumulator);
  out.define_macro("T_ACCUMULATE(parameters, first, second, row)",
                   call_of("t_accumulate", *accumulator, "(first)", "(second)"));
}

void define_round(prelude& out, const round_request& request) {
  const std::pair<const char*, std::uint32_t> numbers[] = {
      {"T_WAS_BITMAP", round_flags::was_bitmap},
      {"T_BEYOND", round_flags::beyond},
      {"T_BEYOND_BITMAP", round_flags::beyond_bitmap},
      {"T_ROUNDS", round_flags::rounds},
      {"T_ROUNDS_BITMAP", round_flags::rounds_bitmap},
      {"T_SUMS_BITMAP", round_flags::sums_bitmap},
      {"T_ENTRIES", round_state::entries},
      {"T_DONE", round_state::done},
      {"T_PENDING", round_state::pending}};
  for (const auto& [name, number] : numbers) out.define_macro(name, std::to_string(number) + "u");
  out.define_macro("T_CHECKS", request.improves != nullptr ? "1" : "0");
  if (request.improves != nullptr) out.define_operator("t_improves", *request.improves);
  out.define_macro("T_IMPROVES(parameters, first, second, row)",
                   request.improves != nullptr
                       ? call_of("t_improves", *request.improves, "(first)", "(second)")
                       : "0");
  if (request.keeps) {
    const element_request& e = *request.keeps;
    out.define_operator("t_keeps", *e.op);
    out.define_macro("T_KEEPS(parameters, value, row)",
                     call_of("t_keeps", *e.op, e.bound_first ? "t_bound(parameters)" : "(value)",
                             e.bound_second ? "t_bound(parameters)" : "(value)"));
    if (has_bound(e)) out.define_bound("t_bound", bound_type(e));
  } else {
    out.define_macro("T_KEEPS(parameters, value, row)", "1");
  }
}

std::vector<std::uint64_t> parameter_words_of(const round_request& request) {
  std::vector<std::uint64_t> words;
  if (request.improves != nullptr) append(words, parameter_words_of(*request.improves));
  if (request.keeps) append(words, parameter_words_of(*request.keeps));
  return words;
}

std::vector<std::uint64_t> parameter_words_of(const element_request& request) {
  std::vector<std::uint64_t> words;
  if (request.op != nullptr) append(words, parameter_words_of(*request.op));
  if (has_bound(request)) append(words, words_of(bound_type(request), request.bound.data()));
  return words;
}

}  // namespace tropic::detail
