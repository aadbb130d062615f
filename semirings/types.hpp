// SPDX-License-Identifier: Apache-2.0
#pragma once

// The value types of the algebra, at compile time and at run time.
//
// Eleven built-in types (the GraphBLAS ones) and records: trivially copyable structs of built-in
// fields, declared in one line by TROPIC_VALUE_TYPE (record.hpp). `describe<T>()` gives the
// run-time `type_description` that the typed API passes to the backends.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include <tropic/semirings/export.hpp>

namespace tropic {

/// A vertex, row, column or entry number; always 0-based.
using index_t = std::int64_t;

namespace detail {
/// False, for a static_assert that fires where a template is used.
template <class...>
inline constexpr bool never = false;
}  // namespace detail

enum class type_code : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  fp32,
  fp64,
  record,
};
inline constexpr int builtin_type_count = 11;

/// One field of a record: its name, built-in type and offset in bytes.
struct field_description {
  std::string_view name;
  type_code code;
  std::size_t offset;
};

/// A value type at run time. Records list their fields in order of declaration.
struct type_description {
  type_code code = type_code::boolean;
  std::string_view name;
  std::size_t size = 0;
  std::size_t alignment = 0;
  std::span<const field_description> fields{};

  friend constexpr bool operator==(const type_description& a, const type_description& b) {
    if (a.code != b.code || a.name != b.name || a.size != b.size ||
        a.fields.size() != b.fields.size())
      return false;
    for (std::size_t f = 0; f < a.fields.size(); ++f)
      if (a.fields[f].name != b.fields[f].name || a.fields[f].code != b.fields[f].code ||
          a.fields[f].offset != b.fields[f].offset)
        return false;
    return true;
  }
};

inline constexpr std::array<type_description, builtin_type_count> builtin_types{{
    {type_code::boolean, "bool", 1, 1},
    {type_code::int8, "int8", 1, 1},
    {type_code::int16, "int16", 2, 2},
    {type_code::int32, "int32", 4, 4},
    {type_code::int64, "int64", 8, 8},
    {type_code::uint8, "uint8", 1, 1},
    {type_code::uint16, "uint16", 2, 2},
    {type_code::uint32, "uint32", 4, 4},
    {type_code::uint64, "uint64", 8, 8},
    {type_code::fp32, "fp32", 4, 4},
    {type_code::fp64, "fp64", 8, 8},
}};

constexpr const type_description& describe(type_code code) {
  return builtin_types[static_cast<std::size_t>(code)];
}

constexpr bool is_floating(type_code c) {
  return c == type_code::fp32 || c == type_code::fp64;
}
constexpr bool is_signed_integer(type_code c) {
  return c >= type_code::int8 && c <= type_code::int64;
}
constexpr bool is_unsigned_integer(type_code c) {
  return c >= type_code::uint8 && c <= type_code::uint64;
}

/// Specialised by TROPIC_VALUE_TYPE for records.
template <class T>
struct record_traits {
  static constexpr bool is_record = false;
};

template <class T>
constexpr type_code builtin_code() {
  if constexpr (std::is_same_v<T, bool>) return type_code::boolean;
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? type_code::fp32 : type_code::fp64;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    switch (sizeof(T)) {
      case 1: return is_signed ? type_code::int8 : type_code::uint8;
      case 2: return is_signed ? type_code::int16 : type_code::uint16;
      case 4: return is_signed ? type_code::int32 : type_code::uint32;
      default: return is_signed ? type_code::int64 : type_code::uint64;
    }
  }
  return type_code::record;
}

/// A type that matrices and vectors may hold: bool, an integer, float, double, or a record.
template <class T>
concept value_type =
    std::is_trivially_copyable_v<T> &&
    ((std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) || record_traits<T>::is_record);

template <class T>
concept builtin_value_type = value_type<T> && std::is_arithmetic_v<T>;

template <value_type T>
constexpr const type_description& describe() {
  if constexpr (record_traits<T>::is_record)
    return record_traits<T>::description;
  else
    return describe(builtin_code<T>());
}

/// Calls `f.template operator()<T>()` with the C++ type behind a built-in code.
template <class F>
constexpr decltype(auto) with_builtin_type(type_code code, F&& f) {
  switch (code) {
    case type_code::boolean: return f.template operator()<bool>();
    case type_code::int8: return f.template operator()<std::int8_t>();
    case type_code::int16: return f.template operator()<std::int16_t>();
    case type_code::int32: return f.template operator()<std::int32_t>();
    case type_code::int64: return f.template operator()<std::int64_t>();
    case type_code::uint8: return f.template operator()<std::uint8_t>();
    case type_code::uint16: return f.template operator()<std::uint16_t>();
    case type_code::uint32: return f.template operator()<std::uint32_t>();
    case type_code::uint64: return f.template operator()<std::uint64_t>();
    case type_code::fp32: return f.template operator()<float>();
    case type_code::fp64:
    case type_code::record: break;
  }
  return f.template operator()<double>();
}

}  // namespace tropic
