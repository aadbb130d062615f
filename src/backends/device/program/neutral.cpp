// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program/neutral.hpp"

#include <limits>
#include <type_traits>

#include <tropic/semirings/arithmetic.hpp>

namespace tropic::detail {

using expression::function;
using expression::node;
using expression::node_kind;

namespace {

// Whether the operator is its root alone, over x and y in either order (or over !x and !y).
bool is_root_alone(const expression::tree& tree) {
  const node& root = tree.at(tree.root);
  if (root.a < 0) return false;
  int left = root.a, right = root.kind == node_kind::call ? tree.at(left).next : root.b;
  if (right < 0) return false;
  if (root.kind == node_kind::not_equal && tree.at(left).kind == node_kind::logical_not &&
      tree.at(right).kind == node_kind::logical_not) {
    left = tree.at(left).a;
    right = tree.at(right).a;
  }
  const node_kind first = tree.at(left).kind, second = tree.at(right).kind;
  return (first == node_kind::x && second == node_kind::y) ||
         (first == node_kind::y && second == node_kind::x);
}

}  // namespace

std::optional<scalar_bytes> neutral_of(const monoid_description& monoid) {
  const expression::tree& tree = *monoid.add.syntax;
  const type_code code = monoid.add.z->code;
  if (code == type_code::record || !is_root_alone(tree)) return std::nullopt;
  const node& root = tree.at(tree.root);
  return with_builtin_type(code, [&]<class T>() -> std::optional<scalar_bytes> {
    constexpr bool real = std::is_floating_point_v<T>, truth = std::is_same_v<T, bool>;
    const auto value = [](T v) { return std::optional(scalar_bytes::of(v)); };
    switch (root.kind) {
      case node_kind::add: return value(real ? static_cast<T>(-0.0) : T{});
      case node_kind::multiply: return value(T{1});
      // Of numbers these make truth values, but a sum of one product is that product.
      case node_kind::logical_or:
      case node_kind::not_equal: return truth ? value(T{}) : std::nullopt;
      case node_kind::logical_and:
      case node_kind::equal: return truth ? value(T{1}) : std::nullopt;
      case node_kind::call: break;
      default: return std::nullopt;
    }
    const auto called = static_cast<function>(root.index);
    if (called != function::minimum && called != function::maximum) return std::nullopt;
    if constexpr (real) return value(std::numeric_limits<T>::quiet_NaN());
    return value(called == function::minimum ? arithmetic::largest<T>()
                                             : arithmetic::smallest<T>());
  });
}

atomic_sum atomic_sum_of(const monoid_description& monoid) {
  const type_description& z = *monoid.add.z;
  if (z.code == type_code::record) return atomic_sum::none;
  const bool is_word =
      with_builtin_type(z.code, []<class T>() { return std::is_integral_v<T> && sizeof(T) >= 4; });
  if (!is_word || !is_root_alone(*monoid.add.syntax)) return atomic_sum::none;
  const node& root = monoid.add.syntax->at(monoid.add.syntax->root);
  if (root.kind == node_kind::add) return atomic_sum::plus;
  if (root.kind != node_kind::call) return atomic_sum::none;
  const auto called = static_cast<function>(root.index);
  return called == function::minimum   ? atomic_sum::minimum
         : called == function::maximum ? atomic_sum::maximum
                                       : atomic_sum::none;
}

}  // namespace tropic::detail
