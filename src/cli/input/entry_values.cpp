// SPDX-License-Identifier: Apache-2.0
#include "cli/input/entry_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tropic/error.hpp>

#include "io/readers.hpp"

namespace tropic::cli {

namespace {

template <class T>
const T* values_of(const std::vector<std::byte>& bytes) {
  return reinterpret_cast<const T*>(bytes.data());  // aligned for every built-in type
}

// The first of the values that cannot be a weight, or their end.
template <class T>
const T* refused_weight(const T* values, std::size_t count, const load_options& options) {
  return std::find_if(values, values + count, [&](T v) {
    if constexpr (std::is_floating_point_v<T>)
      if (options.refuse_nan && std::isnan(v)) return true;
    if constexpr (std::is_signed_v<T>) return options.refuse_negative && v < T{};
    return false;
  });
}

template <class To>
void convert_values(const program& p, const std::string& file, io::coordinates& entries) {
  with_builtin_type(entries.type, [&]<class From>() {
    const From* from = values_of<From>(entries.values);
    const std::size_t count = entries.values.size() / sizeof(From);
    std::vector<std::byte> converted(count * sizeof(To));
    for (std::size_t e = 0; e < count; ++e) {
      if constexpr (std::is_same_v<From, std::uint64_t> && std::is_same_v<To, std::int64_t>)
        if (from[e] > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
          throw input_error(file, line_of(p, file, entries, e), std::to_string(from[e]),
                            "values that int64 can hold (or --type uint64)");
      const To value = static_cast<To>(from[e]);
      std::memcpy(converted.data() + e * sizeof(To), &value, sizeof(To));
    }
    entries.values = std::move(converted);
  });
  entries.type = builtin_code<To>();
}

}  // namespace

bool are_weights(const void* values, type_code type, std::size_t count,
                 const load_options& options) {
  return with_builtin_type(type, [&]<class T>() {
    const T* const first = static_cast<const T*>(values);
    return refused_weight(first, count, options) == first + count;
  });
}

void check_weights(const program& p, const std::string& file, const io::coordinates& from,
                   const load_options& options) {
  if (!options.refuse_nan && !options.refuse_negative) return;
  with_builtin_type(from.type, [&]<class T>() {
    const T* values = values_of<T>(from.values);
    const std::size_t count = from.values.size() / sizeof(T);
    const T* found = refused_weight(values, count, options);
    if (found == values + count) return;
    throw input_error(file, line_of(p, file, from, static_cast<std::size_t>(found - values)),
                      *found == *found ? std::to_string(*found) : "nan",
                      options.refuse_negative ? "a weight from 0" : "a number as weight");
  });
}

void set_type(const program& p, const std::string& file, io::coordinates& entries, type_code type) {
  if (entries.type == type) return;
  if (entries.pattern) {
    with_builtin_type(type, [&]<class T>() {
      const T one{1};
      entries.values.resize(sizeof(T));
      std::memcpy(entries.values.data(), &one, sizeof(T));
    });
    entries.type = type;
  } else if (type == type_code::int64) {
    convert_values<std::int64_t>(p, file, entries);
  } else if (type == type_code::fp64) {
    convert_values<double>(p, file, entries);
  } else {
    throw usage_error(fmt::format("{}: found {} values, expected --type {}", file,
                                  describe(entries.type).name, describe(type).name));
  }
}

}  // namespace tropic::cli
