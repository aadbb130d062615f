// SPDX-License-Identifier: Apache-2.0

// Each add below is an operator of the language, so that its functor is what the evaluator
// computes. Sums are in order: results have the same bits as those of the evaluator.

#include "backends/cpu/products/known_sums.hpp"

#include <cstring>
#include <vector>

#include <tropic/position_operators.hpp>
#include <tropic/semirings/builtins.hpp>

namespace tropic::detail::on_cpu {

namespace {

TROPIC_BINARY_OPERATOR(plus_turned, y + x);
TROPIC_BINARY_OPERATOR(times_turned, y* x);
TROPIC_BINARY_OPERATOR(minimum_turned, t_min(y, x));
TROPIC_BINARY_OPERATOR(maximum_turned, t_max(y, x));
TROPIC_BINARY_OPERATOR(tropical_plus_turned, t_tropical_plus(y, x));
TROPIC_BINARY_OPERATOR(tropical_plus_max_turned, t_tropical_plus_max(y, x));
TROPIC_BINARY_OPERATOR(lesser, x < y ? x : y);
TROPIC_BINARY_OPERATOR(lesser_or_equal, x <= y ? x : y);
TROPIC_BINARY_OPERATOR(lesser_turned, y < x ? y : x);
TROPIC_BINARY_OPERATOR(lesser_by_greater, x > y ? y : x);
TROPIC_BINARY_OPERATOR(greater_one, x > y ? x : y);
TROPIC_BINARY_OPERATOR(greater_or_equal_one, x >= y ? x : y);
TROPIC_BINARY_OPERATOR(greater_turned, y > x ? y : x);
TROPIC_BINARY_OPERATOR(greater_by_less, x < y ? y : x);

template <class Op, class T>
T added(T x, T y) {
  return Op{}.template evaluate<T>(x, y);
}

// Adds the products [begin, end) to sum.
template <class Op, class T>
T add_all(T sum, const T* product, std::size_t begin, std::size_t end) {
  if constexpr (std::is_floating_point_v<T> &&
                (std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>)) {
    // Once the sum is no NaN, only a comparison is left of the rule: one instruction.
    while (begin < end && sum != sum) sum = added<Op>(sum, product[begin++]);
    for (; begin < end; ++begin) {
      const T next = product[begin];
      if constexpr (std::is_same_v<Op, minimum>)
        sum = next < sum ? next : sum;
      else
        sum = sum < next ? next : sum;
    }
  } else {
    for (; begin < end; ++begin) sum = added<Op>(sum, product[begin]);
  }
  return sum;
}

template <class Op, class T>
std::size_t add_segments(void* to, std::uint8_t* present, const std::uint32_t* row,
                         const std::uint32_t* stop, std::size_t count, const void* products) {
  T* const w = static_cast<T*>(to);
  const T* const product = static_cast<const T*>(products);
  std::size_t begin = 0, found = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint32_t r = row[n];
    const bool is_first = present[r] == 0;
    const T start = is_first ? product[begin] : w[r];
    w[r] = add_all<Op>(start, product, begin + is_first, stop[n]);
    present[r] = 1;
    found += is_first;
    begin = stop[n];
  }
  return found;
}

template <class Op, class T>
std::size_t add_scattered(void* to, std::uint8_t* present, const std::uint32_t* target,
                          std::size_t count, const void* products, std::uint32_t* touched) {
  T* const w = static_cast<T*>(to);
  const T* const product = static_cast<const T*>(products);
  std::size_t found = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint32_t j = target[n];
    if (present[j]) {
      w[j] = added<Op>(w[j], product[n]);
    } else {
      present[j] = 1;
      w[j] = product[n];
      touched[found++] = j;
    }
  }
  return found;
}

template <class Op, class T>
constexpr sum_functions functions{add_segments<Op, T>, add_scattered<Op, T>};

template <class Op, class... Others>
constexpr bool is_one_of = (std::is_same_v<Op, Others> || ...);

// Functions that give the bits of Op. Of integers the operands may be exchanged, a choice by a
// comparison is their minimum or maximum, and all others do not depend on the sign: a third of the
// functions is left to compile.
template <class Op, class T>
constexpr const sum_functions* functions_of() {
  if constexpr (!std::is_integral_v<T>) {
    return &functions<Op, T>;
  } else if constexpr (is_one_of<Op, minimum, minimum_turned, lesser, lesser_or_equal,
                                 lesser_turned, lesser_by_greater>) {
    return &functions<minimum, T>;
  } else if constexpr (is_one_of<Op, maximum, maximum_turned, greater_one, greater_or_equal_one,
                                 greater_turned, greater_by_less>) {
    return &functions<maximum, T>;
  } else if constexpr (is_one_of<Op, plus_turned>) {
    return functions_of<plus, T>();
  } else if constexpr (is_one_of<Op, times_turned>) {
    return functions_of<times, T>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return &functions<Op, bool>;
  } else {
    return &functions<Op, std::make_unsigned_t<T>>;
  }
}

struct shape {
  std::string_view text;
  const expression::tree* syntax;
  const sum_functions* of_type[builtin_type_count];
};

template <class Op, bool OfIntegers = false>
constexpr shape shape_of() {
  shape s{Op::tropic_text, &Op::tropic_syntax, {}};
  const auto enter = [&]<class T>() {
    if constexpr (!OfIntegers || std::is_integral_v<T>)
      s.of_type[static_cast<std::size_t>(builtin_code<T>())] = functions_of<Op, T>();
  };
  enter.template operator()<bool>();
#define TROPIC_DETAIL_ENTER(T) enter.template operator()<T>();
  TROPIC_FOR_EACH_NUMBER_TYPE(TROPIC_DETAIL_ENTER)
#undef TROPIC_DETAIL_ENTER
  return s;
}

constexpr shape shapes[] = {
    shape_of<plus>(),           shape_of<times>(),
    shape_of<minimum>(),        shape_of<maximum>(),
    shape_of<plus_turned>(),    shape_of<times_turned>(),
    shape_of<minimum_turned>(), shape_of<maximum_turned>(),
    shape_of<logical_or>(),     shape_of<logical_and>(),
    shape_of<logical_xor>(),    shape_of<first>(),
    shape_of<second>(),         shape_of<bit_or, true>(),
    shape_of<bit_and, true>(),  shape_of<bit_xor, true>(),
    shape_of<lesser>(),         shape_of<lesser_or_equal>(),
    shape_of<lesser_turned>(),  shape_of<lesser_by_greater>(),
    shape_of<greater_one>(),    shape_of<greater_or_equal_one>(),
    shape_of<greater_turned>(), shape_of<greater_by_less>(),
};

bool same_part(const expression::tree& a, std::string_view text_a, int at_a,
               const expression::tree& b, std::string_view text_b, int at_b) {
  if (at_a < 0 || at_b < 0) return at_a == at_b;
  const expression::node &v = a.at(at_a), &u = b.at(at_b);
  const auto same = [&](int part_a, int part_b) {
    return same_part(a, text_a, part_a, b, text_b, part_b);
  };
  return v.kind == u.kind && v.index == u.index &&
         text_a.substr(v.text_begin, v.text_size) == text_b.substr(u.text_begin, u.text_size) &&
         same(v.a, u.a) && same(v.b, u.b) && same(v.c, u.c) && same(v.next, u.next);
}

bool same_syntax(const expression::tree& a, std::string_view text_a, const expression::tree& b,
                 std::string_view text_b) {
  return a.at(a.root).kind == b.at(b.root).kind && same_part(a, text_a, a.root, b, text_b, b.root);
}

bool have_same_syntax(const operator_description& x, const operator_description& y) {
  return x.parameters.empty() && y.parameters.empty() &&
         same_syntax(*x.syntax, x.text, *y.syntax, y.text);
}

template <class... Op>
bool is_any_of(const operator_description& op) {
  return op.parameters.empty() &&
         (same_syntax(*op.syntax, op.text, Op::tropic_syntax, Op::tropic_text) || ...);
}

bool have_same_types(const operator_description& x, const operator_description& y) {
  return *x.x == *y.x && *x.y == *y.y && *x.z == *y.z;
}

// The built-in semirings whose sums are the same in any order.
const std::vector<semiring_description>& exact_builtins(type_code code) {
  static const auto all = [] {
    std::array<std::vector<semiring_description>, builtin_type_count> of_type;
    for (std::size_t t = 0; t < of_type.size(); ++t)
      for (const std::string_view name : builtin_semiring_names())
        if (auto found = builtin_semiring(name, static_cast<type_code>(t));
            found && found->add.exact)
          of_type[t].push_back(std::move(*found));
    return of_type;
  }();
  return all[static_cast<std::size_t>(code)];
}

}  // namespace

const sum_functions* known_sum(const operator_description& add) {
  const type_code code = add.z->code;
  if (code == type_code::record || !add.parameters.empty() || add.x->code != code ||
      add.y->code != code)
    return nullptr;
  for (const shape& s : shapes)
    if (same_syntax(*add.syntax, add.text, *s.syntax, s.text))
      return s.of_type[static_cast<std::size_t>(code)];
  return nullptr;
}

known_function function_of(const operator_description& op) {
  if (is_any_of<minimum, minimum_turned>(op)) return known_function::minimum;
  if (is_any_of<maximum, maximum_turned>(op)) return known_function::maximum;
  if (is_any_of<tropical_plus, tropical_plus_turned>(op)) return known_function::tropical_plus;
  if (is_any_of<tropical_plus_max, tropical_plus_max_turned>(op))
    return known_function::tropical_plus_max;
  return known_function::none;
}

extremum extremum_of(const operator_description& add) {
  const type_code code = add.z->code;
  if (code == type_code::record || add.x->code != code || add.y->code != code)
    return extremum::none;
  const bool can_choose = !is_floating(code);  // no NaN, one zero
  const known_function function = function_of(add);
  if (function == known_function::minimum ||
      (can_choose && is_any_of<lesser, lesser_or_equal, lesser_turned, lesser_by_greater>(add)))
    return extremum::minimum;
  if (function == known_function::maximum ||
      (can_choose &&
       is_any_of<greater_one, greater_or_equal_one, greater_turned, greater_by_less>(add)))
    return extremum::maximum;
  return extremum::none;
}

namespace {

bool is_sum_of_numbers(const operator_description& add) {
  const type_code code = add.z->code;
  return code != type_code::record && code != type_code::boolean && add.x->code == code &&
         add.y->code == code && is_any_of<plus, plus_turned>(add);
}

}  // namespace

bool adds_ones(const semiring_description& given) {
  return is_sum_of_numbers(given.add.add) && is_any_of<pair>(given.multiply);
}

bool adds_integers(const monoid_description& given) {
  return is_sum_of_numbers(given.add) && !is_floating(given.add.z->code);
}

std::optional<diagonal_side> side_of_diagonal(const operator_description& predicate) {
  const auto is = [&]<class Op>() {
    return same_syntax(*predicate.syntax, predicate.text, Op::tropic_syntax, Op::tropic_text) &&
           predicate.parameters.size() == 1 && predicate.parameters[0].code == type_code::int64;
  };
  const bool up_to = is.template operator()<tril>();
  if (!up_to && !is.template operator()<triu>()) return std::nullopt;
  diagonal_side side{up_to, 0};
  const auto* const object = static_cast<const std::byte*>(predicate.object.data());
  std::memcpy(&side.shift, object + predicate.parameters[0].offset, sizeof side.shift);
  return side;
}

const semiring_description* same_builtin(const semiring_description& given) {
  if (given.a().code == type_code::record) return nullptr;
  for (const semiring_description& known : exact_builtins(given.a().code))
    if (have_same_types(given.multiply, known.multiply) &&
        have_same_types(given.add.add, known.add.add) &&
        have_same_syntax(given.multiply, known.multiply) &&
        have_same_syntax(given.add.add, known.add.add) &&
        std::memcmp(given.add.identity.data(), known.add.identity.data(), given.z().size) == 0)
      return &known;
  return nullptr;
}

}  // namespace tropic::detail::on_cpu
