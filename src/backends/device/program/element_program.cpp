// SPDX-License-Identifier: Apache-2.0

// What a program of elements.kernel, entries.kernel or pass.kernel knows of its operations.

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

void define_back(prelude& out, const back_request& request) {
  out.define_type("t_part", *request.give->z);
  out.define_type("t_w", *request.give->x);
  out.define_type("t_x", *request.take->z);
  out.define_operator("t_give", *request.give);
  out.define_macro("T_GIVE(parameters, first, second)",
                   call_of("t_give", *request.give, "(first)", "(second)"));
  out.define_operator("t_take_sum", *request.take);
  out.define_macro("T_TAKE(parameters, first, second)",
                   call_of("t_take_sum", *request.take, "(first)", "(second)"));
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

// --- passes --------------------------------------------------------------------------------------

std::size_t pass_request::offset_of_sum(std::size_t n) const {
  constexpr std::size_t alignment = 16;
  std::size_t offset = 0, sum = 0;
  for (const step& s : steps)
    if (s.monoid != nullptr && sum++ < n) offset += s.monoid->add.z->size / alignment + 1;
  return offset * alignment;
}

namespace {

// The macros of pass.kernel, each in one line.
struct pass_text {
  std::string arrays, fields, load, load_entries, store, steps;
  std::string sum_arrays, sum_fields, local_sums, begin_sums, finish_sums, join_sums;

  void add(std::size_t number, const pass_request::vector& v) {
    const std::string n = std::to_string(number), type = "t_v" + n;
    fields += type + " v" + n + "; ";
    if (v.read) arrays += "T_GLOBAL const " + type + "* from" + n + ", ";
    if (v.written) arrays += "T_GLOBAL " + type + "* to" + n + ", ";
    if (v.written) store += "to" + n + "[i] = (p).v" + n + "; ";
    if (v.flagged) {
      arrays += "T_GLOBAL const t_uint8* flags" + n + ", ";
      fields += "t_uint32 has" + n + "; ";
      load += "(p).has" + n + " = (full >> " + n + " & 1u) || flags" + n + "[i]; ";
      if (v.read) load_entries += "if ((p).has" + n + ") (p).v" + n + " = from" + n + "[i]; ";
    } else if (v.read) {
      load += "(p).v" + n + " = from" + n + "[i]; ";
    }
  }
  void add_sum(std::size_t number, std::size_t offset) {
    const std::string n = std::to_string(number), type = "t_s" + n;
    sum_arrays += "T_GLOBAL " + type + "* sums" + n + ", T_GLOBAL t_uint8* found" + n + ", ";
    sum_fields += type + " s" + n + "; t_uint32 h" + n + "; ";
    local_sums += "T_LOCAL_ARRAY " + type + " values" + n +
                  "[T_GROUP_SIZE]; T_LOCAL_ARRAY t_uint8 filled" + n + "[T_GROUP_SIZE]; ";
    begin_sums += "partial.s" + n + " = t_identity" + n + "(); partial.h" + n + " = 0; ";
    finish_sums += "T_SUM_GROUP(" + n + ") T_STORE_SUM(" + n + ") ";
    join_sums += "T_JOIN_SUM(" + n + ", " + std::to_string(offset) + ") ";
  }
};

}  // namespace

void define_pass(prelude& out, const pass_request& request) {
  pass_text text;
  for (std::size_t n = 0; n < request.vectors.size(); ++n) {
    out.define_type("t_v" + std::to_string(n), *request.vectors[n].type);
    text.add(n, request.vectors[n]);
  }
  std::size_t sums = 0;
  for (std::size_t n = 0; n < request.steps.size(); ++n) {
    const pass_request::step& step = request.steps[n];
    const std::string number = std::to_string(n);
    const auto value = [](std::size_t vector) { return "(p).v" + std::to_string(vector); };
    std::string result = value(step.u);
    if (step.op) {
      const element_request& e = *step.op;
      const std::string bound = "t_bound" + number + "(parameters)";
      out.define_operator("t_operation" + number, *e.op);
      if (has_bound(e)) out.define_bound("t_bound" + number, bound_type(e));
      const std::string second = value(e.kind == element_kind::apply ? step.u : step.v);
      out.define_macro("T_OPERATION" + number + "(p, row, parameters)",
                       call_of("t_operation" + number, *e.op, e.bound_first ? bound : result,
                               e.bound_second ? bound : second));
      result = "T_OPERATION" + number + "(p, i, parameters)";
    }
    if (step.within) text.steps += "if ((p).has" + std::to_string(*step.within) + ") ";
    if (step.monoid == nullptr) {
      text.steps += value(step.w) + " = " + result + "; ";
      continue;
    }
    const std::string of_sum = std::to_string(sums);
    out.define_type("t_s" + of_sum, *step.monoid->add.z);
    out.define_operator("t_add" + of_sum, step.monoid->add, true);
    out.define_value("t_identity" + of_sum, *step.monoid->add.z, step.monoid->identity.data());
    text.steps += "T_ADD_TERM(" + of_sum + ", " + result + ") ";
    text.add_sum(sums, request.offset_of_sum(sums));
    ++sums;
  }
  out.define_macro("T_SUM_COUNT", std::to_string(sums));
  out.define_macro("T_ARRAYS", text.arrays);
  out.define_macro("T_FIELDS", text.fields);
  out.define_macro("T_LOAD(p)", text.load);
  out.define_macro("T_LOAD_ENTRIES(p)", text.load_entries);
  out.define_macro("T_STEPS(p)", text.steps);
  out.define_macro("T_STORE(p)", text.store);
  out.define_macro("T_SUM_ARRAYS", text.sum_arrays);
  out.define_macro("T_SUM_FIELDS", text.sum_fields);
  out.define_macro("T_LOCAL_SUMS", text.local_sums);
  out.define_macro("T_BEGIN_SUMS", text.begin_sums);
  out.define_macro("T_FINISH_SUMS", text.finish_sums);
  out.define_macro("T_JOIN_SUMS", text.join_sums);
}

std::vector<std::uint64_t> parameter_words_of(const pass_request& request) {
  std::vector<std::uint64_t> words;
  for (const pass_request::step& step : request.steps)
    if (step.op) append(words, parameter_words_of(*step.op));
  return words;
}

}  // namespace tropic::detail
