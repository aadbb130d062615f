// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/compiled/source.hpp"

#include <tropic/semirings/operators.hpp>

#include "backends/cpu/known_sums.hpp"
#include "backends/device/program/prelude.hpp"
#include "backends/kernels/texts.hpp"

namespace tropic::detail::on_cpu {

namespace {

// T_SUM of products.kernel.
std::string sum_kind(const operator_description& add) {
  if (!is_floating(add.z->code) || *add.x != *add.z || *add.y != *add.z) return "0";
  if (have_same_syntax(add, describe_operator<double, double, double>(minimum{}))) return "1";
  return have_same_syntax(add, describe_operator<double, double, double>(maximum{})) ? "2" : "0";
}

}  // namespace

std::string c_source(const semiring_description& semiring) {
  const operator_description& multiply = semiring.multiply;
  prelude words(dialect::c);
  words.define_type("t_x", *multiply.x);
  words.define_type("t_y", *multiply.y);
  words.define_type("t_value", *multiply.z);
  words.define_operator("t_times", multiply, true);
  words.define_operator("t_plus", semiring.add.add, true);
  const expression::tree& tree = *multiply.syntax;
  words.define_macro("T_USES_X", tree.uses_x ? "1" : "0");
  words.define_macro("T_USES_Y", tree.uses_y ? "1" : "0");
  words.define_macro("T_TIMES(x, y, i, k, j)",
                     std::string("t_times(x, y") + (tree.uses_i ? ", i" : "") +
                         (tree.uses_k ? ", k" : "") + (tree.uses_j ? ", j" : "") + ")");
  words.define_macro("T_SUM", sum_kind(semiring.add.add));
  return std::string(kernel_text("dialect_c.h")) + words.text() +
         std::string(kernel_text("products.kernel"));
}

}  // namespace tropic::detail::on_cpu
