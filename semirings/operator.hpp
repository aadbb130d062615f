// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operators: from one expression, a host functor (inlined into the CPU kernels) and the text that
// the devices compile.
//
//   TROPIC_BINARY_OPERATOR(absdiff, x > y ? x - y : y - x)
//   TROPIC_BINARY_OPERATOR(damped, d * x * y, (double, d))       // d: a scalar parameter
//
// An operator has no types: the semiring, or the call that uses it, gives the types of x, y and z.
// It is a value without mutable state: threads may share one.
// `describe_operator` turns a typed operator into the run-time `operator_description` that the
// typed API passes to the backends.

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <tropic/semirings/operand.hpp>
#include <tropic/semirings/parameter.hpp>
#include <tropic/semirings/parse.hpp>
#include <tropic/semirings/preprocessor.hpp>
#include <tropic/semirings/record.hpp>

namespace tropic {

/// Room for one value of any value type.
struct alignas(16) scalar_bytes {
  std::array<std::byte, 64> bytes{};

  template <value_type T>
  static scalar_bytes of(const T& value) {
    scalar_bytes result;
    std::memcpy(result.bytes.data(), &value, sizeof(T));
    return result;
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
  bool is_compiled = true;             // false: `bulk` calls the evaluator
  std::shared_ptr<const void> keep{};  // owns what the views refer to, if not static

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

template <class... Parameters>
constexpr std::array<parameter_description, sizeof...(Parameters)> parameter_list(
    Parameters... parameters) {
  return {parameters...};
}

// The result may be one of the operands, element by element.
#if defined(__GNUC__) && !defined(__clang__)
#define TROPIC_DETAIL_NO_SHIFTED_OVERLAP _Pragma("GCC ivdep")
#else
#define TROPIC_DETAIL_NO_SHIFTED_OVERLAP
#endif

/// The loop over arrays of an operator with these types. Not inline: the library has those of
/// common operators (operators.hpp).
template <operator_type Op, class Z, class A, class X>
struct bulk_loop {
  static void run(const operator_description& description, const bulk_arguments& arguments);
};
template <operator_type Op, class Z, class A, class X>
void bulk_loop<Op, Z, A, X>::run(const operator_description& description,
                                 const bulk_arguments& arguments) {
  std::array<std::byte, sizeof(Op)> object;
  std::memcpy(object.data(), description.object.data(), sizeof(Op));
  const Op op = std::bit_cast<Op>(object);
  const A* x = static_cast<const A*>(arguments.x);
  const X* y = static_cast<const X*>(arguments.y);
  Z* z = static_cast<Z*>(arguments.z);
  constexpr const expression::tree& syntax = Op::tropic_syntax;
  // Numbers: with constant steps, compilers use vector instructions.
  if constexpr (!syntax.positional() && std::is_arithmetic_v<Z> && std::is_arithmetic_v<A> &&
                std::is_arithmetic_v<X>) {
    if (!(syntax.uses_x && arguments.x_scalar)) {
      if (!syntax.uses_y || arguments.y_scalar) {
        X b{};
        if constexpr (syntax.uses_y) b = *y;
        TROPIC_DETAIL_NO_SHIFTED_OVERLAP
        for (std::size_t n = 0; n < arguments.count; ++n)
          z[n] = op.template evaluate<Z>(syntax.uses_x ? x[n] : A{}, b, 0, 0, 0);
        return;
      }
      TROPIC_DETAIL_NO_SHIFTED_OVERLAP
      for (std::size_t n = 0; n < arguments.count; ++n)
        z[n] = op.template evaluate<Z>(syntax.uses_x ? x[n] : A{}, y[n], 0, 0, 0);
      return;
    }
  }
  const std::size_t x_step = arguments.x_scalar ? 0 : 1, y_step = arguments.y_scalar ? 0 : 1;
  for (std::size_t n = 0; n < arguments.count; ++n) {
    A a{};
    X b{};
    index_t i = 0, k = 0, j = 0;
    if constexpr (syntax.uses_x) a = x[n * x_step];
    if constexpr (syntax.uses_y) b = y[n * y_step];
    if constexpr (syntax.uses_i) i = arguments.i[n];
    if constexpr (syntax.uses_k) k = arguments.k[n];
    if constexpr (syntax.uses_j) j = arguments.j[n];
    z[n] = op.template evaluate<Z>(a, b, i, k, j);
  }
}

template <operator_type Op>
inline constexpr auto parameters_of = Op::tropic_parameters();

}  // namespace detail

/// An operator whose first or second operand is a fixed value: what apply and select take.
template <operator_type Op, value_type Value, bool First>
struct bound_operator {
  Op op;
  Value value;
};

namespace detail {

template <class Op>
inline constexpr bool is_bound = false;
template <class Op, class Value, bool First>
inline constexpr bool is_bound<bound_operator<Op, Value, First>> = true;

/// True for an operator; else an error of one sentence.
template <class Op>
constexpr bool require_operator() {
  if constexpr (operator_type<Op>)
    return true;
  else if constexpr (is_bound<Op>)
    static_assert(never<Op>,
                  "tropic: bind_first and bind_second make an operator of one operand; one of two "
                  "belongs here");
  else if constexpr (requires { typename Op::operation; })
    static_assert(never<Op>,
                  "tropic: an operator belongs here, found a monoid or a semiring: write plus{} "
                  "instead of plus_monoid<T>{}");
  else if constexpr (requires { Op::tropic_text; })
    static_assert(never<Op>, "tropic: the parameters of an operator take at most 64 bytes");
  else
    static_assert(
        never<Op>,
        "tropic: an operator belongs here, as plus{} or one that TROPIC_UNARY_OPERATOR or "
        "TROPIC_BINARY_OPERATOR declares; a lambda or a function has no text for devices");
  return false;
}

// Whether part n of an expression is a whole record, given which operands are records.
constexpr bool is_whole_record(const expression::tree& t, int n, bool x_record, bool y_record) {
  using expression::node_kind;
  const expression::node& v = t.at(n);
  switch (v.kind) {
    case node_kind::x: return x_record;
    case node_kind::y: return y_record;
    case node_kind::conditional:
      return is_whole_record(t, v.b, x_record, y_record) ||
             is_whole_record(t, v.c, x_record, y_record);
    case node_kind::call: return v.index == static_cast<std::int16_t>(expression::function::make);
    default: return false;
  }
}
// Whether an expression computes with a whole record; only its fields have arithmetic.
constexpr bool computes_with_record(const expression::tree& t, bool x_record, bool y_record) {
  using expression::node_kind;
  for (int n = 0; n < t.count; ++n) {
    const expression::node& v = t.at(n);
    const auto whole = [&](int part) {
      return part >= 0 && is_whole_record(t, part, x_record, y_record);
    };
    if (v.kind == node_kind::field) continue;
    if (v.kind == node_kind::call) {
      for (int part = v.a; part >= 0; part = t.at(part).next)
        if (whole(part)) return true;
    } else if (whole(v.a)) {
      return true;
    } else if (v.kind != node_kind::conditional && (whole(v.b) || whole(v.c))) {
      return true;
    }
  }
  return false;
}

/// True where `Op` takes x of type A and y of type X; else an error of one sentence.
template <class Op, class A, class X>
constexpr bool require_operands() {
  if constexpr (!require_operator<Op>()) {
    return false;
  } else if constexpr (!Op::tropic_syntax.ok()) {
    return false;  // refused where it is declared
  } else if constexpr (record_traits<A>::is_record || record_traits<X>::is_record) {
    constexpr bool computes = computes_with_record(Op::tropic_syntax, record_traits<A>::is_record,
                                                   record_traits<X>::is_record);
    static_assert(!computes,
                  "tropic: this operator computes with a whole record; a record takes part by its "
                  "fields: write x.field, and t_make(...) for the result");
    return !computes;
  } else {
    return true;
  }
}

}  // namespace detail

/// Erases `op` with x of type A, y of type X and result Z.
template <class Z, class A, class X, class Op>
operator_description describe_operator([[maybe_unused]] const Op& op) {
  operator_description result;
  if constexpr (detail::require_operands<Op, A, X>()) {
    result.name = Op::tropic_name;
    result.text = Op::tropic_text;
    result.syntax = &Op::tropic_syntax;
    result.x = &describe<A>();
    result.y = &describe<X>();
    result.z = &describe<Z>();
    result.parameters = detail::parameters_of<Op>;
    if constexpr (!std::is_empty_v<Op>) std::memcpy(result.object.data(), &op, sizeof(Op));
    // One loop for all types of an operand that is not read.
    result.bulk = &detail::bulk_loop<Op, Z, std::conditional_t<Op::tropic_syntax.uses_x, A, Z>,
                                     std::conditional_t<Op::tropic_syntax.uses_y, X, Z>>::run;
  }
  return result;
}

namespace detail {
template <bool First, class Op, class Value>
constexpr auto bind(const Op& op, const Value& value) {
  if constexpr (!require_operator<Op>()) {
    return op;
  } else {
    static_assert(value_type<Value>,
                  "tropic: a bound value is a bool, a number or a record of TROPIC_VALUE_TYPE");
    if constexpr (value_type<Value>)
      return bound_operator<Op, Value, First>{op, value};
    else
      return bound_operator<Op, bool, First>{op, false};
  }
}
}  // namespace detail
template <class Op, class Value>
constexpr auto bind_first(const Op& op, const Value& value) {
  return detail::bind<true>(op, value);
}
template <class Op, class Value>
constexpr auto bind_second(const Op& op, const Value& value) {
  return detail::bind<false>(op, value);
}

/// A function of one stored value and its position: an operator and what is bound, if anything.
struct unary_description {
  operator_description op;
  bool bound_first = false, bound_second = false;
  scalar_bytes bound{};
};

/// Erases an operator of one operand of type A, or a bound one, with result Z.
template <class Z, class A, class Op>
unary_description describe_unary([[maybe_unused]] const Op& op) {
  if constexpr (!detail::require_operator<Op>()) {
    return {};
  } else {
    static_assert(!Op::tropic_syntax.uses_y,
                  "tropic: this operator uses y; give it a value with bind_second(op, value)");
    static_assert(!Op::tropic_syntax.uses_k, "tropic: k is an index of products; use i and j here");
    return {describe_operator<Z, A, A>(op)};
  }
}
template <class Z, class A, operator_type Op, class Value, bool First>
unary_description describe_unary(const bound_operator<Op, Value, First>& bound) {
  static_assert(!Op::tropic_syntax.uses_k, "tropic: k is an index of products; use i and j here");
  unary_description result;
  if constexpr (First)
    result.op = describe_operator<Z, Value, A>(bound.op);
  else
    result.op = describe_operator<Z, A, Value>(bound.op);
  result.bound_first = First;
  result.bound_second = !First;
  result.bound = scalar_bytes::of(bound.value);
  return result;
}

template <class Op>
inline constexpr bool is_unary_operator = operator_type<Op>;
template <class Op, class Value, bool First>
inline constexpr bool is_unary_operator<bound_operator<Op, Value, First>> = true;
/// What apply and select take: an operator of x (and positions), or a bound one.
template <class Op>
concept unary_operator_type = is_unary_operator<Op>;

}  // namespace tropic

/// Declares an operator: TROPIC_BINARY_OPERATOR(name, expression, (type, parameter)...), at
/// namespace scope. The expression is checked against the operator language when it is compiled.
/// A parameter is a member of the operator, in order: name{0.85}; each needs its value.
#define TROPIC_BINARY_OPERATOR(name_, expression_, ...)                                            \
  struct name_ {                                                                                   \
    TROPIC_DETAIL_EACH(TROPIC_DETAIL_PARAMETER __VA_OPT__(, ) __VA_ARGS__)                         \
    static constexpr bool tropic_names_fit =                                                       \
        ::tropic::detail::parameters_may_be_called(::tropic::detail::name_list(                    \
            TROPIC_DETAIL_LIST(TROPIC_DETAIL_PARAMETER_NAME __VA_OPT__(, ) __VA_ARGS__)));         \
    static_assert(tropic_names_fit,                                                                \
                  "tropic: a parameter of " #name_                                                 \
                  " is called x or y, which are the operands, or t_..., which the operator "       \
                  "language keeps for itself (docs/operators.md)");                                \
    [[maybe_unused]] static constexpr std::string_view tropic_name = #name_;                       \
    static constexpr std::string_view tropic_text = #expression_;                                  \
    static constexpr ::tropic::expression::tree tropic_syntax = ::tropic::expression::parse(       \
        tropic_text, ::tropic::detail::name_list(TROPIC_DETAIL_LIST(                               \
                         TROPIC_DETAIL_PARAMETER_NAME __VA_OPT__(, ) __VA_ARGS__)));               \
    static_assert(tropic_syntax.ok() || !tropic_names_fit,                                         \
                  "tropic: '" #expression_                                                         \
                  "' is not in the operator language (docs/operators.md)");                        \
    static constexpr auto tropic_parameters() {                                                    \
      return ::tropic::detail::parameter_list(TROPIC_DETAIL_LIST_OF(                               \
          TROPIC_DETAIL_PARAMETER_DESCRIBE, name_ __VA_OPT__(, ) __VA_ARGS__));                    \
    }                                                                                              \
    TROPIC_DETAIL_SHADOWING_BEGIN                                                                  \
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
      { /* a parameter called i, k or j hides the position */                                      \
        TROPIC_DETAIL_EACH(TROPIC_DETAIL_PARAMETER_OPERAND __VA_OPT__(, ) __VA_ARGS__)             \
        return ::tropic::detail::result<TropicZ>(expression_);                                     \
      }                                                                                            \
    }                                                                                              \
    TROPIC_DETAIL_SHADOWING_END                                                                    \
  }
/// The same for an operator of one operand, x, and its position i, j.
#define TROPIC_UNARY_OPERATOR(...) TROPIC_BINARY_OPERATOR(__VA_ARGS__)
