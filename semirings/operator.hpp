// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operators: from one expression, a host functor (inlined into the CPU kernels) and the text that
// the devices compile.
//
//   TROPIC_BINARY_OPERATOR(absdiff, x > y ? x - y : y - x)
//   TROPIC_BINARY_OPERATOR(damped, d * x * y, (double, d))       // d: a scalar parameter
//
// An operator has no types of its own: the semiring, or the call that uses it, brings x, y and z.
// `describe_operator` erases a typed operator to the `operator_description` that crosses the seam.

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <tropic/semirings/operand.hpp>
#include <tropic/semirings/parse.hpp>
#include <tropic/semirings/preprocessor.hpp>
#include <tropic/semirings/record.hpp>

namespace tropic {

/// A parameter of an operator; `offset` is its place in the operator object.
struct parameter_description {
  std::string_view name;
  type_code code;
  std::size_t offset;
};

/// Room for one value of any value type.
struct alignas(16) scalar_bytes {
  std::array<std::byte, 64> bytes{};

  template <value_type T>
  static scalar_bytes of(const T& value) {
    scalar_bytes made;
    std::memcpy(made.bytes.data(), &value, sizeof(T));
    return made;
  }
  template <value_type T>
  T as() const {
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  void* data() { return bytes.data(); }
  const void* data() const { return bytes.data(); }
};

/// z[n] = op(x[n], y[n]) for n < count. A scalar side always reads element 0. Index arrays may be
/// null where the operator does not use them. z may be x or y.
struct bulk_arguments {
  void* z = nullptr;
  const void* x = nullptr;
  const void* y = nullptr;
  std::size_t count = 0;
  bool x_scalar = false, y_scalar = false;
  const index_t* i = nullptr;
  const index_t* k = nullptr;
  const index_t* j = nullptr;
};

struct operator_description;
using bulk_function = void (*)(const operator_description&, const bulk_arguments&);

/// An operator with its types, at run time. Copies share the text.
struct operator_description {
  std::string_view name;
  std::string_view text;
  const expression::tree* syntax = nullptr;
  const type_description* x = nullptr;
  const type_description* y = nullptr;
  const type_description* z = nullptr;
  std::span<const parameter_description> parameters{};
  scalar_bytes object{};  // the parameters' values, at their offsets
  bulk_function bulk = nullptr;
  bool is_compiled = true;             // false: the evaluator stands behind `bulk`
  std::shared_ptr<const void> keep{};  // owns whatever the views look at, if not static

  void operator()(const bulk_arguments& arguments) const { bulk(*this, arguments); }
  bool uses_x() const { return syntax->uses_x; }
  bool uses_y() const { return syntax->uses_y; }
};

/// What TROPIC_BINARY_OPERATOR declares: an expression over x, y, i, k, j and parameters.
template <class Op>
concept operator_type = requires {
  { Op::tropic_text } -> std::convertible_to<std::string_view>;
  { Op::tropic_syntax.ok() } -> std::convertible_to<bool>;
} && std::is_trivially_copyable_v<Op> && sizeof(Op) <= 64;

namespace detail {

template <class... Names>
constexpr std::array<std::string_view, sizeof...(Names)> name_list(Names... names) {
  return {std::string_view(names)...};
}
template <class... Parameters>
constexpr std::array<parameter_description, sizeof...(Parameters)> parameter_list(
    Parameters... parameters) {
  return {parameters...};
}

template <operator_type Op, class Z, class A, class X>
void run_bulk(const operator_description& description, const bulk_arguments& arguments) {
  Op op;
  std::memcpy(static_cast<void*>(&op), description.object.data(), sizeof(Op));
  const A* x = static_cast<const A*>(arguments.x);
  const X* y = static_cast<const X*>(arguments.y);
  Z* z = static_cast<Z*>(arguments.z);
  const std::size_t x_step = arguments.x_scalar ? 0 : 1, y_step = arguments.y_scalar ? 0 : 1;
  for (std::size_t n = 0; n < arguments.count; ++n) {
    A a{};
    X b{};
    index_t i = 0, k = 0, j = 0;
    if constexpr (Op::tropic_syntax.uses_x) a = x[n * x_step];
    if constexpr (Op::tropic_syntax.uses_y) b = y[n * y_step];
    if constexpr (Op::tropic_syntax.uses_i) i = arguments.i[n];
    if constexpr (Op::tropic_syntax.uses_k) k = arguments.k[n];
    if constexpr (Op::tropic_syntax.uses_j) j = arguments.j[n];
    z[n] = op.template evaluate<Z>(a, b, i, k, j);
  }
}

template <operator_type Op>
inline constexpr auto parameters_of = Op::tropic_parameters();

}  // namespace detail

/// Erases `op` with x of type A, y of type X and result Z.
template <class Z, class A, class X, operator_type Op>
operator_description describe_operator(const Op& op) {
  operator_description made;
  made.name = Op::tropic_name;
  made.text = Op::tropic_text;
  made.syntax = &Op::tropic_syntax;
  made.x = &describe<A>();
  made.y = &describe<X>();
  made.z = &describe<Z>();
  made.parameters = detail::parameters_of<Op>;
  if constexpr (!std::is_empty_v<Op>) std::memcpy(made.object.data(), &op, sizeof(Op));
  made.bulk = &detail::run_bulk<Op, Z, A, X>;
  return made;
}

/// An operator whose first or second operand is a fixed value: what apply and select take.
template <operator_type Op, value_type Value, bool First>
struct bound_operator {
  Op op;
  Value value;
};
template <operator_type Op, value_type Value>
constexpr bound_operator<Op, Value, true> bind_first(Op op, Value value) {
  return {op, value};
}
template <operator_type Op, value_type Value>
constexpr bound_operator<Op, Value, false> bind_second(Op op, Value value) {
  return {op, value};
}

/// A function of one stored value and its position: an operator and what is bound, if anything.
struct unary_description {
  operator_description op;
  bool bound_first = false, bound_second = false;
  scalar_bytes bound{};
};

template <class Z, class A, operator_type Op>
unary_description describe_unary(const Op& op) {
  static_assert(!Op::tropic_syntax.uses_y,
                "tropic: this operator uses y; give it a value with bind_second(op, value)");
  static_assert(!Op::tropic_syntax.uses_k, "tropic: k is an index of products; here are i and j");
  return {describe_operator<Z, A, A>(op)};
}
template <class Z, class A, operator_type Op, class Value, bool First>
unary_description describe_unary(const bound_operator<Op, Value, First>& bound) {
  static_assert(!Op::tropic_syntax.uses_k, "tropic: k is an index of products; here are i and j");
  unary_description made;
  if constexpr (First)
    made.op = describe_operator<Z, Value, A>(bound.op);
  else
    made.op = describe_operator<Z, A, Value>(bound.op);
  made.bound_first = First;
  made.bound_second = !First;
  made.bound = scalar_bytes::of(bound.value);
  return made;
}

template <class Op>
inline constexpr bool is_unary_operator = operator_type<Op>;
template <class Op, class Value, bool First>
inline constexpr bool is_unary_operator<bound_operator<Op, Value, First>> = true;
/// What apply and select take: an operator of x (and positions), or a bound one.
template <class Op>
concept unary_operator_type = is_unary_operator<Op>;

}  // namespace tropic

#define TROPIC_DETAIL_PARAMETER(type, name) type name{};
#define TROPIC_DETAIL_PARAMETER_NAME(type, name) #name
#define TROPIC_DETAIL_PARAMETER_OPERAND(type, name) \
  [[maybe_unused]] const ::tropic::operand<type> name{this->name};
#define TROPIC_DETAIL_PARAMETER_DESCRIBE(owner, type, name)      \
  ::tropic::parameter_description {                              \
    #name, ::tropic::builtin_code<type>(), offsetof(owner, name) \
  }

/// Declares an operator: TROPIC_BINARY_OPERATOR(name, expression, (type, parameter)...), at
/// namespace scope. The expression is checked against the operator language when it is compiled.
#define TROPIC_BINARY_OPERATOR(name_, expression_, ...)                                            \
  struct name_ {                                                                                   \
    TROPIC_DETAIL_EACH(TROPIC_DETAIL_PARAMETER __VA_OPT__(, ) __VA_ARGS__)                         \
    static constexpr std::string_view tropic_name = #name_;                                        \
    static constexpr std::string_view tropic_text = #expression_;                                  \
    static constexpr ::tropic::expression::tree tropic_syntax = ::tropic::expression::parse(       \
        tropic_text, ::tropic::detail::name_list(TROPIC_DETAIL_LIST(                               \
                         TROPIC_DETAIL_PARAMETER_NAME __VA_OPT__(, ) __VA_ARGS__)));               \
    static_assert(tropic_syntax.ok(), "tropic: '" #expression_                                     \
                                      "' is not in the operator language (docs/operators.md)");    \
    static constexpr auto tropic_parameters() {                                                    \
      return ::tropic::detail::parameter_list(TROPIC_DETAIL_LIST_OF(                               \
          TROPIC_DETAIL_PARAMETER_DESCRIBE, name_ __VA_OPT__(, ) __VA_ARGS__));                    \
    }                                                                                              \
    template <class TropicZ, class TropicA, class TropicX>                                         \
    constexpr TropicZ evaluate(TropicA tropic_x, TropicX tropic_y, ::tropic::index_t tropic_i = 0, \
                               ::tropic::index_t tropic_k = 0,                                     \
                               ::tropic::index_t tropic_j = 0) const {                             \
      using namespace ::tropic::words;                                                             \
      [[maybe_unused]] const ::tropic::operand<TropicA> x{tropic_x};                               \
      [[maybe_unused]] const ::tropic::operand<TropicX> y{tropic_y};                               \
      [[maybe_unused]] const ::tropic::operand<::tropic::index_t> i{tropic_i};                     \
      [[maybe_unused]] const ::tropic::operand<::tropic::index_t> k{tropic_k};                     \
      [[maybe_unused]] const ::tropic::operand<::tropic::index_t> j{tropic_j};                     \
      TROPIC_DETAIL_EACH(TROPIC_DETAIL_PARAMETER_OPERAND __VA_OPT__(, ) __VA_ARGS__)               \
      return ::tropic::detail::result<TropicZ>(expression_);                                       \
    }                                                                                              \
  }
/// The same for an operator of one operand, x, and its position i, j.
#define TROPIC_UNARY_OPERATOR(...) TROPIC_BINARY_OPERATOR(__VA_ARGS__)
