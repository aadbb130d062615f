// SPDX-License-Identifier: Apache-2.0

// Literals, and the rules of arithmetic.pattern with the types put in.

#include "backends/device/program/helpers.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>

#include <tropic/semirings/arithmetic.hpp>

#include "backends/kernels/texts.hpp"

namespace tropic::detail {
namespace {

std::string hexadecimal(std::uint64_t bits) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llxul", static_cast<unsigned long long>(bits));
  return text;
}

template <class T>
std::string typed_literal(T value) {
  char text[64];
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) {
      std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits;
      std::memcpy(&bits, &value, sizeof(T));
      return sizeof(T) == 4 ? "t_fp32_of_bits((t_uint32)" + hexadecimal(bits) + ")"
                            : "t_fp64_of_bits(" + hexadecimal(bits) + ")";
    }
    // Hexadecimal, so exact. The parentheses separate a minus sign from an operator before it.
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

// The bodies of arithmetic.pattern, by "NAME KIND" or "NAME".
std::map<std::string_view, std::string_view> read_patterns() {
  constexpr std::string_view mark = "\n#rule ";
  const std::string_view text = kernel_text("arithmetic.pattern");
  std::map<std::string_view, std::string_view> bodies;
  for (std::size_t at = text.find(mark); at != std::string_view::npos;) {
    const std::size_t name = at + mark.size(), begin = text.find('\n', name) + 1;
    at = text.find(mark, begin - 1);
    std::string_view body = text.substr(begin, at == std::string_view::npos ? at : at - begin);
    // Text after the closing brace belongs to the file.
    body = body.substr(0, body.rfind('}') + 1);
    bodies.emplace(text.substr(name, begin - 1 - name), body);
  }
  return bodies;
}

std::string_view body_of(std::string_view rule_name, type_code code, bool on_host) {
  static const std::map<std::string_view, std::string_view> bodies = read_patterns();
  const std::string name(rule_name);
  const bool real = is_floating(code);
  const auto found_for = [&](bool is_of_kind, const char* kind) {
    return is_of_kind ? bodies.find(name + kind) : bodies.end();
  };
  for (const auto found : {found_for(real && on_host, " real host"), found_for(real, " real"),
                           found_for(is_unsigned_integer(code), " unsigned"),
                           found_for(!real && describe(code).size < 4, " narrow")})
    if (found != bodies.end()) return found->second;
  return bodies.at(name);
}

}  // namespace

std::string device_type(type_code code) {
  return "t_" + std::string(describe(code).name);
}

std::string device_literal(type_code code, const void* value) {
  return with_builtin_type(code, [value]<class T>() {
    T read{};
    std::memcpy(&read, value, sizeof(T));
    return typed_literal(read);
  });
}

std::string helper_set::define(const std::string& name, type_code code, std::string_view pattern) {
  std::string body(pattern);
  with_builtin_type(code, [&body]<class T>() {
    constexpr type_code code = builtin_code<T>();
    replace(body, "$MAX", typed_literal(arithmetic::largest<T>()));
    replace(body, "$MIN", typed_literal(arithmetic::smallest<T>()));
    replace(body, "$LAST", typed_literal(std::numeric_limits<T>::max()));
    replace(body, "$FIRST", typed_literal(std::numeric_limits<T>::lowest()));
    replace(body, "$BITS", std::to_string(8 * sizeof(T) - 1));
    replace(body, "$U", sizeof(T) < 8 ? "t_uint32" : "t_uint64");
    replace(body, "$N", std::string(describe(code).name));
    replace(body, "$T", device_type(code));
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
  return define(name, code, body_of(name_of(r), code, on_host_));
}

std::string helper_set::convert(type_code to, type_code from, const std::string& value) {
  if (to == from) return value;
  if (to == type_code::boolean) return "((t_bool)(" + value + " != 0))";
  if (is_floating(to) || !is_floating(from)) return "((" + device_type(to) + ")" + value + ")";
  const std::string name =
      "t_" + std::string(describe(to).name) + "_from_" + std::string(describe(from).name);
  if (known_.insert(name).second) {
    // The bounds are powers of two, so exact in the floating type.
    std::string above, lowest;
    with_builtin_type(to, [&]<class To>() {
      const auto put = [&]<class From>(From) {
        above = typed_literal(static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * From{2});
        lowest = typed_literal(static_cast<From>(std::numeric_limits<To>::lowest()));
      };
      if (from == type_code::fp32)
        put(float{});
      else
        put(double{});
    });
    text_ += "T_FUNCTION " + device_type(to) + " " + name;
    std::string body(body_of("convert", to, on_host_));
    replace(body, "$FROM", device_type(from));
    replace(body, "$ABOVE", above);
    replace(body, "$LOWEST", lowest);
    define(name, to, body);
  }
  return name + "(" + value + ")";
}

}  // namespace tropic::detail
