// SPDX-License-Identifier: Apache-2.0

// The rules in C, as patterns: $T is the type, $U the unsigned type that wraps for it (at least 32
// bits, so that nothing is promoted to a signed int), $N the type's name in function names, $MAX
// and $MIN its ends (infinities for floating types: what is `largest` and `smallest` on the host),
// $LAST and $FIRST its finite ends, $BITS its width less one.

#include "backends/kernels/helpers.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <tropic/semirings/arithmetic.hpp>

namespace tropic::detail {
namespace {

std::string hexadecimal(std::uint64_t bits) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llxul", static_cast<unsigned long long>(bits));
  return text;
}

template <class T>
std::string literal(T value) {
  char text[64];
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) {
      std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits;
      std::memcpy(&bits, &value, sizeof(T));
      return sizeof(T) == 4 ? "t_fp32_of_bits((t_uint32)" + hexadecimal(bits) + ")"
                            : "t_fp64_of_bits(" + hexadecimal(bits) + ")";
    }
    // Hexadecimal, so exact. The parentheses keep a minus sign apart from what stands before.
    // std::to_chars writes a decimal point in every locale.
    const auto end = std::to_chars(text, text + sizeof(text), std::abs(static_cast<double>(value)),
                                   std::chars_format::hex)
                         .ptr;
    return (std::signbit(value) ? "(-0x" : "(0x") + std::string(text, end) +
           (sizeof(T) == 4 ? "f)" : ")");
  } else {
    const std::string type = device_type(builtin_code<T>());
    const auto wide = static_cast<std::int64_t>(value);
    const bool is_small = wide <= 1000000000 && wide >= (std::is_signed_v<T> ? -1000000000 : 0);
    if (is_small)
      std::snprintf(text, sizeof(text), "(%lld)", static_cast<long long>(wide));
    else
      std::snprintf(text, sizeof(text), "%s",
                    hexadecimal(static_cast<std::uint64_t>(wide)).c_str());
    return "((" + type + ")" + text + ")";
  }
}

void replace(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

std::string_view body_of(rule r, type_code code) {
  const bool real = is_floating(code), is_unsigned = is_unsigned_integer(code);
  const bool is_narrow = describe(code).size < 4;
  switch (r) {
    case rule::add:
      return real ? "($T a, $T b) { return a + b; }"
                  : "($T a, $T b) { return ($T)(($U)a + ($U)b); }";
    case rule::subtract:
      return real ? "($T a, $T b) { return a - b; }"
                  : "($T a, $T b) { return ($T)(($U)a - ($U)b); }";
    case rule::multiply:
      return real ? "($T a, $T b) { return a * b; }"
                  : "($T a, $T b) { return ($T)(($U)a * ($U)b); }";
    case rule::negate:
      return real        ? "($T a) { return -a; }"
             : is_narrow ? "($T a) { return ($T)t_negative((t_uint32)a); }"
                         : "($T a) { return ($T)(($U)0 - ($U)a); }";
    case rule::divide:
      if (real) return "($T a, $T b) { return a / b; }";
      if (is_unsigned)
        return "($T a, $T b) {\n"
               "  if (b == 0) return a == 0 ? a : $MAX;\n"
               "  return ($T)(a / b);\n}";
      return "($T a, $T b) {\n"
             "  if (b == 0) return a == 0 ? a : a > 0 ? $MAX : $MIN;\n"
             "  if (b == -1) return t_negate_$N(a);\n"
             "  return ($T)(a / b);\n}";
    case rule::modulo:
      if (is_unsigned) return "($T a, $T b) { return b == 0 ? b : ($T)(a % b); }";
      return "($T a, $T b) { return b == 0 || b == -1 ? ($T)0 : ($T)(a % b); }";
    case rule::shift_left:
      return "($T a, t_int64 count) { return ($T)(($U)a << ((t_uint32)count & $BITS)); }";
    case rule::shift_right:
      return "($T a, t_int64 count) { return ($T)(a >> ((t_uint32)count & $BITS)); }";
    case rule::minimum:
      return real ? "($T a, $T b) { return (a <= b || b != b) ? a : b; }"
                  : "($T a, $T b) { return b < a ? b : a; }";
    case rule::maximum:
      return real ? "($T a, $T b) { return (a >= b || b != b) ? a : b; }"
                  : "($T a, $T b) { return a < b ? b : a; }";
    case rule::absolute:
      if (real) return "($T a) { return t_word_fabs_$N(a); }";
      if (is_unsigned) return "($T a) { return a; }";
      return "($T a) { return a < 0 ? t_negate_$N(a) : a; }";
    case rule::power:
      if (real) return "($T a, $T b) { return t_word_pow_$N(a, b); }";
      if (is_unsigned)
        return "($T base, $T exponent) {\n"
               "  $T result = 1;\n"
               "  for ($T square = base; exponent != 0; exponent = ($T)(exponent / 2)) {\n"
               "    if (exponent % 2 != 0) result = t_multiply_$N(result, square);\n"
               "    square = t_multiply_$N(square, square);\n"
               "  }\n"
               "  return result;\n}";
      return "($T base, $T exponent) {  // 1 / base^n, truncated, where the exponent is negative\n"
             "  if (exponent < 0) {\n"
             "    const $T sign = exponent % 2 == 0 ? ($T)1 : ($T)-1;\n"
             "    return base == 0 ? $MAX : base == -1 ? sign : ($T)(base == 1);\n"
             "  }\n"
             "  $T result = 1;\n"
             "  for ($T square = base; exponent != 0; exponent = ($T)(exponent / 2)) {\n"
             "    if (exponent % 2 != 0) result = t_multiply_$N(result, square);\n"
             "    square = t_multiply_$N(square, square);\n"
             "  }\n"
             "  return result;\n}";
    // Without branches: loads behind one would not be under way together.
    case rule::tropical_plus:
      if (real)
        return "($T a, $T b) {\n"
               "  const $T sum = a + b, finite = sum == $MAX ? $LAST : sum;\n"
               "  return (a == $MAX) | (b == $MAX) ? $MAX : finite;\n}";
      if (is_unsigned)
        return "($T a, $T b) {\n"
               "  const $T sum = t_add_$N(a, b);\n"
               "  const $T finite = (sum < a) | (sum == $MAX) ? ($T)($MAX - 1) : sum;\n"
               "  return (a == $MAX) | (b == $MAX) ? $MAX : finite;\n}";
      return "($T a, $T b) {\n"
             "  const $T above = ($T)($MAX - 1 - (a < 0 ? 0 : a)), below = ($T)($MIN - (a < 0 ? a "
             ": "
             "0));\n"
             "  const $T held = b > above ? above : b < below ? below : b;\n"
             "  return (a == $MAX) | (b == $MAX) ? $MAX : t_add_$N(a, held);\n}";
    case rule::tropical_plus_max:
      if (real)
        return "($T a, $T b) {\n"
               "  const $T sum = a + b, finite = sum == $MIN ? $FIRST : sum;\n"
               "  return (a == $MIN) | (b == $MIN) ? $MIN : finite;\n}";
      if (is_unsigned)
        return "($T a, $T b) {\n"
               "  const $T sum = t_add_$N(a, b);\n"
               "  return sum < a ? $MAX : sum;\n}";
      return "($T a, $T b) {\n"
             "  const $T above = ($T)($MAX - (a < 0 ? 0 : a)), below = ($T)($MIN + 1 - (a < 0 ? a "
             ": "
             "0));\n"
             "  const $T held = b > above ? above : b < below ? below : b;\n"
             "  return (a == $MIN) | (b == $MIN) ? $MIN : t_add_$N(a, held);\n}";
    case rule::is_nan: return "($T a) { return a != a; }";
    case rule::square_root: return "($T a) { return t_word_sqrt_$N(a); }";
    case rule::exponential: return "($T a) { return t_word_exp_$N(a); }";
    case rule::logarithm: return "($T a) { return t_word_log_$N(a); }";
    case rule::floor: return "($T a) { return t_word_floor_$N(a); }";
    case rule::ceiling: return "($T a) { return t_word_ceil_$N(a); }";
  }
  return {};
}

std::string_view name_of(rule r) {
  switch (r) {
    case rule::add: return "add";
    case rule::subtract: return "subtract";
    case rule::multiply: return "multiply";
    case rule::negate: return "negate";
    case rule::divide: return "divide";
    case rule::modulo: return "modulo";
    case rule::shift_left: return "shift_left";
    case rule::shift_right: return "shift_right";
    case rule::minimum: return "minimum";
    case rule::maximum: return "maximum";
    case rule::absolute: return "absolute";
    case rule::power: return "power";
    case rule::tropical_plus: return "tropical_plus";
    case rule::tropical_plus_max: return "tropical_plus_max";
    case rule::is_nan: return "is_nan";
    case rule::square_root: return "square_root";
    case rule::exponential: return "exponential";
    case rule::logarithm: return "logarithm";
    case rule::floor: return "floor";
    case rule::ceiling: return "ceiling";
  }
  return {};
}

}  // namespace

std::string device_type(type_code code) {
  return "t_" + std::string(describe(code).name);
}

std::string device_literal(type_code code, const void* value) {
  return with_builtin_type(code, [value]<class T>() {
    T read{};
    std::memcpy(&read, value, sizeof(T));
    return literal(read);
  });
}

std::string helper_set::define(const std::string& name, type_code code, std::string_view pattern) {
  std::string body(pattern);
  with_builtin_type(code, [&body]<class T>() {
    constexpr type_code own = builtin_code<T>();
    replace(body, "$MAX", literal(arithmetic::largest<T>()));
    replace(body, "$MIN", literal(arithmetic::smallest<T>()));
    replace(body, "$LAST", literal(std::numeric_limits<T>::max()));
    replace(body, "$FIRST", literal(std::numeric_limits<T>::lowest()));
    replace(body, "$BITS", std::to_string(8 * sizeof(T) - 1));
    replace(body, "$U", sizeof(T) < 8 ? "t_uint32" : "t_uint64");
    replace(body, "$N", std::string(describe(own).name));
    replace(body, "$T", device_type(own));
  });
  text_ += body + "\n";
  return name;
}

std::string helper_set::use(rule r, type_code code) {
  const std::string name = "t_" + std::string(name_of(r)) + "_" + std::string(describe(code).name);
  if (!known_.insert(name).second) return name;
  if (!is_floating(code)) {  // what the body calls comes first
    const bool negates = is_signed_integer(code);
    if (negates && (r == rule::divide || r == rule::absolute)) use(rule::negate, code);
    if (r == rule::power) use(rule::multiply, code);
    if (r == rule::tropical_plus || r == rule::tropical_plus_max) use(rule::add, code);
  }
  const std::string result = r == rule::is_nan ? "t_bool" : device_type(code);
  text_ += "T_FUNCTION " + result + " " + name;
  return define(name, code, body_of(r, code));
}

std::string helper_set::convert(type_code to, type_code from, const std::string& value) {
  if (to == from) return value;
  if (to == type_code::boolean) return "((t_bool)(" + value + " != 0))";
  if (is_floating(to) || !is_floating(from)) return "((" + device_type(to) + ")" + value + ")";
  const std::string name =
      "t_" + std::string(describe(to).name) + "_from_" + std::string(describe(from).name);
  if (known_.insert(name).second) {
    // Saturates; the bounds are powers of two, so exact in the floating type.
    std::string above, lowest;
    with_builtin_type(to, [&]<class To>() {
      const auto put = [&]<class From>(From) {
        above = literal(static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * From{2});
        lowest = literal(static_cast<From>(std::numeric_limits<To>::lowest()));
      };
      if (from == type_code::fp32)
        put(float{});
      else
        put(double{});
    });
    text_ += "T_FUNCTION " + device_type(to) + " " + name;
    define(name, to,
           "(" + device_type(from) + " v) {\n  if (v >= " + above + ") return $MAX;\n  if (v <= " +
               lowest + ") return $MIN;\n  return v == v ? ($T)v : ($T)0;\n}");
  }
  return name + "(" + value + ")";
}

}  // namespace tropic::detail
