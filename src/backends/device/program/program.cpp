// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program/program.hpp"
#include "backends/backend.hpp"

#include <algorithm>
#include <array>

#include "backends/device/products/kernel_config.hpp"
#include "backends/kernels/texts.hpp"

namespace tropic::detail {
namespace {

// The macro through which kernels multiply. It names an operand only where the multiply uses it,
// so that what is ignored is never loaded. i, k, j are those of A(i,k) * B(k,j): in an mxv the
// output position is i, in a vxm it is j; T_PRODUCT has 0 for the third, T_PRODUCT_AT names it.
std::string product_macro(const operator_description& multiply, bool vector_first,
                          const std::string& other) {
  const expression::tree& tree = *multiply.syntax;
  std::string list;
  if (tree.uses_x) list += vector_first ? "(vector_value), " : "(matrix_value), ";
  if (tree.uses_y) list += vector_first ? "(matrix_value), " : "(vector_value), ";
  if (tree.uses_i) list += vector_first ? other : "(t_int64)(output), ";
  if (tree.uses_k) list += "(t_int64)(inner), ";
  if (tree.uses_j) list += vector_first ? "(t_int64)(output), " : other;
  return "t_multiply(" + list + "parameters)";
}

// The texts of kernels and those that they include; for products they are in kernel_table.cpp.
struct kernel_texts {
  std::string_view kernel;
  std::array<std::string_view, 6> texts;
};
constexpr kernel_texts all_texts[] = {
    {"strips", {"csr.h", "strip.h", "values.h", "strips.kernel"}},
    {"sorted_strips", {"csr.h", "strip.h", "values.h", "sorted_strips.kernel"}},
    {"scan", {"scan.kernel"}},
    {"blocks", {"csr.h", "values.h", "blocks.kernel"}},
    {"row_indices", {"csr.h", "row_indices.kernel"}},
    {"row_pattern", {"csr.h", "row_pattern.kernel"}},
    {"count_edges", {"csr.h", "flags.h", "count_edges.kernel"}},
    {"count_present", {"flags.h", "group.h", "count_present.kernel"}},
    {"copy", {"copy.kernel"}},
    {"elements", {"mask.h", "group.h", "elements.kernel"}},
    {"iterate",
     {"csr.h", "combine.h", "iterate_lists.h", "iterate_pending.h", "iterate_round.h",
      "iterate.kernel"}},
    {"take_sums", {"flags.h", "take_sums.kernel"}},
    {"order_rounds", {"order_rounds.kernel"}},
    {"rounds_by_direction",
     {"csr.h", "combine.h", "subgroup.h", "direction_pull.h", "rounds_by_direction.kernel"}},
    {"rounds_by_rows", {"csr.h", "subgroup.h", "round_rows.h", "rounds_by_rows.kernel"}},
    {"rounds_back", {"csr.h", "subgroup.h", "round_rows.h", "rounds_back.kernel"}},
    {"buckets", {"buckets.kernel"}},
    {"pack", {"pack.kernel"}},
    {"pass", {"pass.kernel"}},
    {"positions", {"flags.h", "mask.h", "values.h", "positions.kernel"}},
    {"prefix", {"group.h", "prefix.kernel"}},
    {"sort", {"group.h", "sort.kernel"}},
    {"expand", {"csr.h", "values.h", "expand.kernel"}},
    {"matrices", {"csr.h", "mask.h", "values.h", "matrices.kernel"}},
    {"entries", {"csr.h", "entries.kernel"}},
    {"communities", {"csr.h", "communities.h", "communities.kernel", "community_rows.kernel"}},
    {"community_tables", {"csr.h", "communities.h", "community_tables.kernel"}},
    {"line", {"csr.h", "values.h", "line.kernel"}},
    {"listed", {"csr.h", "values.h", "listed.kernel"}},
    {"inspect", {"csr.h", "inspect.kernel"}},
    {"connect", {"csr.h", "group.h", "connect.kernel"}},
    {"peel", {"csr.h", "peel.kernel"}},
    {"permute", {"csr.h", "permute.kernel"}},
    {"structure", {"csr.h", "structure.kernel"}},
    {"triangles", {"csr.h", "group.h", "triangles.kernel"}},
    {"hot_columns", {"csr.h", "hot_columns.kernel"}},
    {"hubs", {"csr.h", "values.h", "slices.h", "hubs.kernel"}},
    {"bits", {"csr.h", "values.h", "slices.h", "bits.kernel"}},
    {"pieces", {"csr.h", "pieces.kernel"}},
    {"reduce", {"reduce.kernel"}},
    {"spmm", {"csr.h", "operands.h", "pack.h", "spmm.kernel"}},
    {"cells", {"values.h", "cells.kernel"}},
    {"mxm_pattern", {"csr.h", "mxm_pattern.kernel"}},
    {"mxm_bits", {"csr.h", "group.h", "mxm_bits.kernel"}},
    {"mxm_rows", {"csr.h", "mxm_rows.kernel"}},
    {"mxm_ranges", {"csr.h", "subgroup.h", "mxm_ranges.kernel"}},
    {"mxm_inner", {"csr.h", "mxm_inner.kernel"}},
    {"mxm_lists", {"csr.h", "mxm_lists.kernel"}},
    {"mxm_short", {"csr.h", "short_rows.h", "mxm_short.kernel"}},
    {"mxm_values", {"csr.h", "subgroup.h", "short_rows.h", "mxm_values.kernel"}}};

std::span<const std::string_view> texts_of(const program_request& request) {
  if (!request.texts.empty() || !request.text.empty()) return request.texts;
  if (const device_kernel* row = find_device_kernel(request.kernel)) return row->texts;
  const auto* const found = std::ranges::find(all_texts, request.kernel, &kernel_texts::kernel);
  return found == std::end(all_texts) ? std::span<const std::string_view>() : found->texts;
}

}  // namespace

void program_request::set_constant(std::string_view name, long value) {
  const auto known = std::ranges::find(constants, name, &std::pair<std::string_view, long>::first);
  if (known != constants.end())
    known->second = value;
  else
    constants.emplace_back(name, value);
}

bool has_texts(const program_request& request) {
  return !request.text.empty() || !texts_of(request).empty();
}

bool uses_output(const operator_description& multiply, bool vector_first) {
  return vector_first ? multiply.syntax->uses_j : multiply.syntax->uses_i;
}

namespace {

// Names an expression where messages describe the program: "multiply `x * y`, add `x + y`".
void mention(device_program& program, std::string_view role, std::string_view text) {
  if (!program.about.empty()) program.about += ", ";
  program.about.append(role).append(" `").append(text).append("`");
}

void finish(device_program& program, const prelude& out) {
  program.text += out.text();
  program.needs_fp64 = out.needs_fp64();
  program.layout = out.layout();
}

// The types, operators and constants of products.
void define_semiring(prelude& out, const semiring_description& s, bool vector_first) {
  const bool matrix_used = vector_first ? s.multiply.uses_y() : s.multiply.uses_x();
  const bool vector_used = vector_first ? s.multiply.uses_x() : s.multiply.uses_y();
  out.define_type("t_z", s.z());
  // What the multiply ignores is never read, so its type need not exist on the device.
  const type_description& byte = describe(type_code::uint8);
  out.define_type("t_matrix", !matrix_used ? byte : vector_first ? s.x() : s.a());
  out.define_type("t_vector", !vector_used ? byte : vector_first ? s.a() : s.x());
  out.define_macro("T_USES_MATRIX", matrix_used ? "1" : "0");
  out.define_macro("T_USES_VECTOR", vector_used ? "1" : "0");
  out.define_macro("T_USES_OUTPUT", uses_output(s.multiply, vector_first) ? "1" : "0");
  out.define_operator("t_multiply", s.multiply);
  out.define_macro("T_PRODUCT(matrix_value, vector_value, output, inner, parameters)",
                   product_macro(s.multiply, vector_first, "(t_int64)0, "));
  out.define_macro("T_PRODUCT_AT(matrix_value, vector_value, output, inner, other, parameters)",
                   product_macro(s.multiply, vector_first, "(t_int64)(other), "));
  out.define_operator("t_add", s.add.add, true);
  out.define_value("t_identity", s.z(), s.add.identity.data());
  out.define_terminal(s.add);
  out.define_neutral(s.add);
  out.define_macro("T_HAS_HEAD", std::to_string(partial_has_head) + "u");
  out.define_macro("T_HAS_VALUE", std::to_string(partial_has_value) + "u");
  out.define_macro("T_EXITS_AT_FIRST", s.exits_at_first_product ? "1" : "0");
  out.define_macro("T_EXITS_EARLY", exits_early(s) ? "1" : "0");
}

void add_semiring(device_program& program, dialect d, const program_request& request) {
  const semiring_description& s = *request.semiring;
  prelude out(d);
  define_semiring(out, s, request.vector_first);
  mention(program, "multiply", s.multiply.text);
  mention(program, "add", s.add.add.text);
  if (request.round != nullptr) define_round(out, *request.round);
  if (request.back != nullptr) define_back(out, *request.back);
  if (request.accumulator != nullptr) {
    out.define_operator("t_accumulate", *request.accumulator);
    mention(program, "accumulator", request.accumulator->text);
  }
  finish(program, out);
}

void add_elements(device_program& program, dialect d, const program_request& request) {
  prelude out(d);
  define_elements(out, *request.elements, request.accumulator);
  if (request.elements->op != nullptr) mention(program, "operator", request.elements->op->text);
  if (request.accumulator != nullptr) mention(program, "accumulator", request.accumulator->text);
  finish(program, out);
}

void add_pass(device_program& program, dialect d, const pass_request& pass) {
  prelude out(d);
  define_pass(out, pass);
  for (const pass_request::step& step : pass.steps) {
    if (step.op) mention(program, "operator", step.op->op->text);
    if (step.monoid != nullptr) mention(program, "monoid", step.monoid->add.text);
  }
  finish(program, out);
}

void add_monoid(device_program& program, dialect d, const monoid_description& monoid) {
  prelude out(d);
  out.define_type("t_z", *monoid.add.z);
  out.define_operator("t_add", monoid.add, true);
  out.define_value("t_identity", *monoid.add.z, monoid.identity.data());
  mention(program, "monoid", monoid.add.text);
  finish(program, out);
}

}  // namespace

device_program make_program(dialect d, const program_request& request) {
  device_program program;
  for (const auto& [name, value] : request.constants)
    program.text += "#define " + std::string(name) + " " + std::to_string(value) + "\n";
  program.text += kernel_text(d == dialect::opencl ? "dialect_opencl.h" : "dialect_cuda.h");
  if (request.semiring != nullptr) add_semiring(program, d, request);
  if (request.elements != nullptr) add_elements(program, d, request);
  if (request.pass != nullptr) add_pass(program, d, *request.pass);
  if (request.monoid != nullptr) add_monoid(program, d, *request.monoid);
  for (const std::string_view file : texts_of(request))
    if (!file.empty()) program.text += kernel_text(file);
  program.text += request.text;
  return program;
}

std::vector<std::uint64_t> parameter_words_of(const program_request& request) {
  std::vector<std::uint64_t> words;
  const auto take = [&words](const operator_description& op) {
    const std::vector<std::uint64_t> added = parameter_words_of(op);
    words.insert(words.end(), added.begin(), added.end());
  };
  if (request.semiring != nullptr) take(request.semiring->multiply);
  if (request.round != nullptr) {
    const std::vector<std::uint64_t> added = parameter_words_of(*request.round);
    words.insert(words.end(), added.begin(), added.end());
  }
  if (request.back != nullptr) {
    take(*request.back->give);
    take(*request.back->take);
  }
  if (request.elements != nullptr) words = parameter_words_of(*request.elements);
  if (request.pass != nullptr) words = parameter_words_of(*request.pass);
  if (request.accumulator != nullptr) take(*request.accumulator);
  if (words.empty()) words.push_back(0);
  return words;
}

std::string compile_error(const device_program& program, std::string_view device,
                          std::string_view log) {
  std::string message = std::string(device) + ": a kernel does not compile";
  if (!program.about.empty()) message += " for " + program.about;
  return message + ":\n" + std::string(log);
}

}  // namespace tropic::detail
