// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <tropic/detail/containers.hpp>
#include <tropic/semirings/arithmetic.hpp>

namespace tropic::detail {

/// Calls f(size) with the size of a value, as a constant if it is a usual one.
template <class F>
void with_size(std::size_t bytes, F&& f) {
  switch (bytes) {
    case 1: return f(std::integral_constant<std::size_t, 1>());
    case 2: return f(std::integral_constant<std::size_t, 2>());
    case 4: return f(std::integral_constant<std::size_t, 4>());
    case 8: return f(std::integral_constant<std::size_t, 8>());
    default: return f(bytes);
  }
}

/// Merges a repeated entry into the first one.
using combine_function = void (*)(void* kept, const void* repeated, std::size_t bytes);

/// The function by which `rule` merges two values of `type`. For records only first and last are
/// defined; any other rule throws usage_error. duplicates::error merges nothing: callers reject
/// repeated entries before.
inline combine_function combiner(const type_description& type, duplicates rule) {
  switch (rule) {
    case duplicates::error:
    case duplicates::first: return [](void*, const void*, std::size_t) {};
    case duplicates::last:
      return [](void* kept, const void* repeated, std::size_t bytes) {
        std::memcpy(kept, repeated, bytes);
      };
    default: break;
  }
  if (type.code == type_code::record)
    throw usage_error("duplicates of the record " + std::string(type.name) +
                      ": only first, last or error apply to records");
  return with_builtin_type(type.code, [rule]<class T>() -> combine_function {
    using P = arithmetic::promoted<T>;
    constexpr auto with = []<auto Rule>() -> combine_function {
      return [](void* kept, const void* repeated, std::size_t) {
        T a, b;
        std::memcpy(&a, kept, sizeof(T));
        std::memcpy(&b, repeated, sizeof(T));
        a = arithmetic::convert<T>(Rule(static_cast<P>(a), static_cast<P>(b)));
        std::memcpy(kept, &a, sizeof(T));
      };
    };
    if (rule == duplicates::sum) return with.template operator()<&arithmetic::add<P>>();
    if (rule == duplicates::minimum) return with.template operator()<&arithmetic::minimum<P>>();
    return with.template operator()<&arithmetic::maximum<P>>();
  });
}

}  // namespace tropic::detail
