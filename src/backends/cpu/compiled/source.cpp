// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/compiled/source.hpp"

#include <tropic/semirings/arithmetic.hpp>
#include <tropic/semirings/operators.hpp>

#include "backends/cpu/products/known_sums.hpp"
#include "backends/device/program/prelude.hpp"
#include "backends/kernels/texts.hpp"

namespace tropic::detail::on_cpu {

namespace {

// T_BARE and T_BARE_PRODUCT of products.kernel, for the products that has_bare_products and
// has_bare_products_of_plain (cpu/row_sums.hpp) name.
void define_bare_products(prelude& words, const operator_description& multiply, extremum sum) {
  const type_description& type = *multiply.z;
  const bool is_minimum = sum == extremum::minimum, is_real = is_floating(type.code);
  const bool has_one_type = *multiply.x == type && *multiply.y == type;
  const known_function function =
      sum == extremum::none || !has_one_type ? known_function::none : function_of(multiply);
  const bool saturates =
      function == (is_minimum ? known_function::tropical_plus : known_function::tropical_plus_max);
  const bool is_bottleneck =
      function == (is_minimum ? known_function::maximum : known_function::minimum);
  const char *kind = "0", *product = "0";
  if (saturates && (is_real || (is_minimum && is_signed_integer(type.code)))) {
    kind = is_real ? "1" : "2";
    product = is_real ? "((v) + (w))" : "((t_value)((t_uint64)(v) + (t_uint64)(w)))";
  } else if (is_bottleneck && is_real) {
    kind = "2";  // v is no NaN: it is the result if w is one
    product = is_minimum ? "((v) < (w) ? (w) : (v))" : "((w) < (v) ? (w) : (v))";
  }
  words.define_macro("T_BARE", kind);
  words.define_macro("T_BARE_PRODUCT(v, w)", product);
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
  const extremum sum = extremum_of(semiring.add.add);
  words.define_macro("T_SUM", std::to_string(static_cast<int>(sum)));
  words.define_macro("T_IS_REAL", is_floating(semiring.z().code) ? "1" : "0");
  if (sum != extremum::none)
    with_builtin_type(semiring.z().code, [&]<class T>() {
      const T worst =
          sum == extremum::minimum ? arithmetic::largest<T>() : arithmetic::smallest<T>();
      words.define_value("t_worst", semiring.z(), &worst);
    });
  define_bare_products(words, multiply, sum);
  return std::string(kernel_text("dialect_c.h")) + words.text() +
         std::string(kernel_text("products.kernel"));
}

}  // namespace tropic::detail::on_cpu
