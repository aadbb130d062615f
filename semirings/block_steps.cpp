// SPDX-License-Identifier: Apache-2.0

// Every rule of the language as a loop over arrays. A loop computes one operation, so that no
// compiler contracts two of them into one rounding. Each is compiled twice on x86-64, for the
// baseline and for AVX2 (without FMA); the machine decides which one a program gets.
//
// Compiled with -fno-math-errno and -fno-trapping-math (CMakeLists.txt): neither errno nor the
// floating-point flags are results, and square roots and choices become vector instructions.

#include <tropic/semirings/block_steps.hpp>

#include <cstring>

#include <tropic/semirings/arithmetic.hpp>

namespace tropic::detail {

using expression::function;
using expression::node_kind;

namespace {

#if defined(__x86_64__) && defined(__GNUC__)
#define TROPIC_DETAIL_FOR_AVX2 [[gnu::target("avx2")]]
bool machine_has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#else
#define TROPIC_DETAIL_FOR_AVX2
constexpr bool machine_has_avx2() {
  return false;
}
#endif

template <class T>
const T* elements(const std::byte* of) {
  return reinterpret_cast<const T*>(of);
}
template <class T>
T* elements(std::byte* of) {
  return reinterpret_cast<T*>(of);
}

// A loop: `run` with the types of its arrays, for either instruction set.
template <class Loop>
struct compiled {
  static void plain(const step_arguments& s) { Loop::run(s); }
  TROPIC_DETAIL_FOR_AVX2 static void by_avx2(const step_arguments& s) { Loop::run(s); }
};
template <class Loop>
block_step fastest() {
  return machine_has_avx2() ? compiled<Loop>::by_avx2 : compiled<Loop>::plain;
}

template <class F, class Z, class A>
struct loop_of_one {
  [[gnu::always_inline]] static inline void run(const step_arguments& s) {
    Z* z = elements<Z>(s.z);
    const A* a = elements<A>(s.a);
    const std::size_t count = s.count;
#pragma omp simd
    for (std::size_t n = 0; n < count; ++n) z[n] = F{}(a[n]);
  }
};
template <class F, class Z, class A, class B>
struct loop_of_two {
  [[gnu::always_inline]] static inline void run(const step_arguments& s) {
    Z* z = elements<Z>(s.z);
    const A* a = elements<A>(s.a);
    const B* b = elements<B>(s.b);
    const std::size_t count = s.count;
#pragma omp simd
    for (std::size_t n = 0; n < count; ++n) z[n] = F{}(a[n], b[n]);
  }
};
template <class T>
struct loop_of_choice {
  [[gnu::always_inline]] static inline void run(const step_arguments& s) {
    T* z = elements<T>(s.z);
    const bool* a = elements<bool>(s.a);
    const T *b = elements<T>(s.b), *c = elements<T>(s.c);
    const std::size_t count = s.count;
#pragma omp simd
    for (std::size_t n = 0; n < count; ++n) {
      const T yes = b[n], no = c[n];
      z[n] = a[n] ? yes : no;
    }
  }
};
template <class F, class T>
struct loop_of_comparing_choice {
  [[gnu::always_inline]] static inline void run(const step_arguments& s) {
    T* z = elements<T>(s.z);
    const T *a = elements<T>(s.a), *b = elements<T>(s.b);
    const T *c = elements<T>(s.c), *d = elements<T>(s.d);
    const std::size_t count = s.count;
#pragma omp simd
    for (std::size_t n = 0; n < count; ++n) {
      const T yes = c[n], no = d[n];
      z[n] = F{}(a[n], b[n]) ? yes : no;
    }
  }
};

template <class Z, class A, class F>
block_step one(F) {
  return fastest<loop_of_one<F, Z, A>>();
}
template <class Z, class A, class B, class F>
block_step two(F) {
  return fastest<loop_of_two<F, Z, A, B>>();
}

template <class F>
block_step for_integers(type_code code, F f) {
  return with_builtin_type(code, [&]<class T>() -> block_step {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return f.template operator()<T>();
    else
      return nullptr;
  });
}
template <class F>
block_step for_numbers(type_code code, F f) {
  return with_builtin_type(code, [&]<class T>() -> block_step {
    if constexpr (!std::is_same_v<T, bool>)
      return f.template operator()<T>();
    else
      return nullptr;
  });
}
// Integers of a size share the loops that give the same bits with and without sign.
template <class T>
using bits_of = std::conditional_t<
    std::is_integral_v<T> && !std::is_same_v<T, bool>,
    std::conditional_t<
        sizeof(T) == 1, std::uint8_t,
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>,
    T>;
template <class F>
auto sharing_loops(F f) {
  return [f]<class T>() -> block_step { return f.template operator()<bits_of<T>>(); };
}
template <class F>
block_step for_reals(type_code code, F f) {
  if (code == type_code::fp32) return f.template operator()<float>();
  return code == type_code::fp64 ? f.template operator()<double>() : nullptr;
}

// arithmetic::tropical_plus without branches; tropical_plus_max is its mirror image.
template <class T>
T saturated_sum(T a, T b) {
  constexpr T identity = arithmetic::largest<T>();
  const T sum = arithmetic::add(a, b);
  const bool absorbs = (a == identity) | (b == identity);
  if constexpr (std::is_floating_point_v<T>) {
    const T rare = absorbs ? identity : sum == sum ? std::numeric_limits<T>::max() : sum;
    return sum < identity ? sum : rare;
  } else if constexpr (std::is_unsigned_v<T>) {
    const bool passes = (sum < a) | (sum == identity);
    return absorbs ? identity : passes ? static_cast<T>(identity - 1) : sum;
  } else {
    const bool above = (a >= 0) & (b >= 0) & ((sum < 0) | (sum == identity));
    const bool below = (a < 0) & (b < 0) & (sum >= 0);
    const T within = above ? static_cast<T>(identity - 1) : sum;
    return absorbs ? identity : below ? arithmetic::smallest<T>() : within;
  }
}
template <class T>
T saturated_sum_below(T a, T b) {
  constexpr T identity = arithmetic::smallest<T>();
  const T sum = arithmetic::add(a, b);
  const bool absorbs = (a == identity) | (b == identity);
  if constexpr (std::is_floating_point_v<T>) {
    const T rare = absorbs ? identity : sum == sum ? std::numeric_limits<T>::lowest() : sum;
    return sum > identity ? sum : rare;
  } else if constexpr (std::is_unsigned_v<T>) {
    return sum < a ? arithmetic::largest<T>() : sum;
  } else {
    const bool below = (a < 0) & (b < 0) & ((sum >= 0) | (sum == identity));
    const bool above = (a >= 0) & (b >= 0) & (sum < 0);
    const T within = below ? static_cast<T>(identity + 1) : sum;
    return absorbs ? identity : above ? arithmetic::largest<T>() : within;
  }
}

// Of two numbers of type T. With BITS: the same with and without sign.
#define TWO_OF_T(expression) \
  []<class T>() { return two<T, T, T>([](T a, T b) { return static_cast<T>(expression); }); }
#define TWO(expression) for_numbers(code, TWO_OF_T(expression))
#define TWO_BITS(expression) for_numbers(code, sharing_loops(TWO_OF_T(expression)))
#define TWO_INTEGERS(expression) for_integers(code, TWO_OF_T(expression))
#define TWO_INTEGER_BITS(expression) for_integers(code, sharing_loops(TWO_OF_T(expression)))
#define SHIFT(rule)                                                                   \
  for_integers(code, []<class T>() {                                                  \
    return two<T, T, index_t>([](T a, index_t b) { return arithmetic::rule(a, b); }); \
  })
#define TRUTH_OF_T(expression) \
  []<class T>() { return two<bool, T, T>([](T a, T b) -> bool { return expression; }); }
#define TRUTH(expression) for_numbers(code, TRUTH_OF_T(expression))
#define TRUTH_OF_BITS(expression) for_numbers(code, sharing_loops(TRUTH_OF_T(expression)))
#define CHOICE_OF_T(expression)                                                            \
  []<class T>() {                                                                          \
    const auto compare = [](T a, T b) -> bool { return expression; };                      \
    return fastest<loop_of_comparing_choice<std::remove_const_t<decltype(compare)>, T>>(); \
  }
#define CHOICE(expression) for_numbers(code, CHOICE_OF_T(expression))
#define CHOICE_BY_BITS(expression) for_numbers(code, sharing_loops(CHOICE_OF_T(expression)))
#define ONE_REAL(rule) \
  for_reals(code, []<class T>() { return one<T, T>([](T a) -> T { return rule(a); }); })

}  // namespace

block_step step_of(node_kind kind, type_code code) {
  switch (kind) {
    case node_kind::add: return TWO_BITS(arithmetic::add(a, b));
    case node_kind::subtract: return TWO_BITS(arithmetic::subtract(a, b));
    case node_kind::multiply: return TWO_BITS(arithmetic::multiply(a, b));
    case node_kind::divide: return TWO(arithmetic::divide(a, b));
    case node_kind::modulo: return TWO_INTEGERS(arithmetic::modulo(a, b));
    case node_kind::bit_and: return TWO_INTEGER_BITS(a & b);
    case node_kind::bit_or: return TWO_INTEGER_BITS(a | b);
    case node_kind::bit_xor: return TWO_INTEGER_BITS(a ^ b);
    case node_kind::shift_left: return SHIFT(shift_left);
    case node_kind::shift_right: return SHIFT(shift_right);
    case node_kind::equal: return TRUTH_OF_BITS(a == b);
    case node_kind::not_equal: return TRUTH_OF_BITS(a != b);
    case node_kind::less: return TRUTH(a < b);
    case node_kind::less_equal: return TRUTH(a <= b);
    case node_kind::greater: return TRUTH(a > b);
    case node_kind::greater_equal: return TRUTH(a >= b);
    case node_kind::logical_and: return TRUTH_OF_BITS((a != T{}) & (b != T{}));
    case node_kind::logical_or: return TRUTH_OF_BITS((a != T{}) | (b != T{}));
    case node_kind::logical_not: return one<bool, bool>([](bool a) { return !a; });
    case node_kind::negate:
      return for_numbers(
          code, []<class T>() { return one<T, T>([](T a) { return arithmetic::negate(a); }); });
    case node_kind::bit_not:
      return for_integers(
          code, []<class T>() { return one<T, T>([](T a) { return static_cast<T>(~a); }); });
    default: return nullptr;
  }
}

block_step step_of(function f, type_code code) {
  switch (f) {
    case function::minimum: return TWO(arithmetic::minimum(a, b));
    case function::maximum: return TWO(arithmetic::maximum(a, b));
    case function::power: return TWO(arithmetic::power(a, b));
    case function::tropical_plus: return TWO(saturated_sum(a, b));
    case function::tropical_plus_max: return TWO(saturated_sum_below(a, b));
    case function::square_root: return ONE_REAL(std::sqrt);
    case function::exponential: return ONE_REAL(std::exp);
    case function::logarithm: return ONE_REAL(std::log);
    case function::floor: return ONE_REAL(std::floor);
    case function::ceiling: return ONE_REAL(std::ceil);
    case function::absolute:
      return for_numbers(
          code, []<class T>() { return one<T, T>([](T a) { return arithmetic::absolute(a); }); });
    case function::is_nan:
      return with_builtin_type(
          code, []<class T>() { return one<bool, T>([](T a) -> bool { return a != a; }); });
    case function::make: break;
  }
  return nullptr;
}

namespace {
template <class To, class From>
block_step conversion() {
  return one<To, From>([](From a) { return arithmetic::convert<To>(a); });
}
}  // namespace

block_step conversion_step(type_code to, type_code from) {
  return with_builtin_type(to, [&]<class To>() {
    return with_builtin_type(from, []<class From>() {
      // Integers wrap.
      return conversion<std::conditional_t<std::is_integral_v<From>, bits_of<To>, To>, From>();
    });
  });
}

block_step choice_step(type_code code) {
  return with_builtin_type(code, []<class T>() { return fastest<loop_of_choice<T>>(); });
}

block_step comparing_choice_step(node_kind comparison, type_code code) {
  switch (comparison) {
    case node_kind::equal: return CHOICE_BY_BITS(a == b);
    case node_kind::not_equal: return CHOICE_BY_BITS(a != b);
    case node_kind::less: return CHOICE(a < b);
    case node_kind::less_equal: return CHOICE(a <= b);
    case node_kind::greater: return CHOICE(a > b);
    case node_kind::greater_equal: return CHOICE(a >= b);
    default: return nullptr;
  }
}

namespace {
template <std::size_t Bytes>
void load(const step_arguments& s) {
  for (std::size_t n = 0; n < s.count; ++n) std::memcpy(s.z + n * Bytes, s.a + n * s.stride, Bytes);
}
template <std::size_t Bytes>
void store(const step_arguments& s) {
  for (std::size_t n = 0; n < s.count; ++n) std::memcpy(s.z + n * s.stride, s.a + n * Bytes, Bytes);
}
}  // namespace

block_step load_step(std::size_t bytes) {
  return bytes == 1 ? load<1> : bytes == 2 ? load<2> : bytes == 4 ? load<4> : load<8>;
}
block_step store_step(std::size_t bytes) {
  return bytes == 1 ? store<1> : bytes == 2 ? store<2> : bytes == 4 ? store<4> : store<8>;
}

}  // namespace tropic::detail
