// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arguments of C calls, decoded from an input: mostly valid ones, sometimes NULL, an invalid value
// of an enum, or a number out of range.

#include <tropic/c/tropic.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <tropic/semirings/types.hpp>
#include <vector>

#include "fuzz.hpp"

namespace tropic::fuzz {

inline constexpr int64_t beyond = (int64_t{1} << 32) + 1;
inline constexpr std::size_t most_entries = 64;

class arguments {
 public:
  explicit arguments(decisions& in) : in_(in) {}

 protected:
  template <class T>
  T* or_null(T* pointer, bool null) const {
    return null ? nullptr : pointer;
  }
  bool null() { return in_.rarely(29); }

  tropic_type type() {
    const unsigned given = in_.byte();
    if (given >= 252) return static_cast<tropic_type>(static_cast<int>(given) - 254);  // -2 to 1
    return static_cast<tropic_type>(static_cast<int>(given % 12));  // 11 is invalid
  }
  tropic_type index_type() {
    constexpr tropic_type types[] = {TROPIC_INT32, TROPIC_UINT32, TROPIC_INT64, TROPIC_UINT64};
    return in_.rarely(16) ? type() : types[in_.below(4)];
  }
  tropic_duplicates rule() {
    return static_cast<tropic_duplicates>(static_cast<int>(in_.below(16) % 7));
  }
  int64_t dimension() {
    constexpr int64_t sizes[] = {4, 4, 4, 3, 1, 0, 7, 33};
    return sizes[in_.below(8)];
  }
  int64_t index() {
    const unsigned given = in_.byte();
    if (given < 200) return given % 9;
    constexpr int64_t odd[] = {-1,
                               32,
                               beyond,
                               std::numeric_limits<int64_t>::min(),
                               std::numeric_limits<int64_t>::max(),
                               4294967295};
    return odd[given % 6];
  }
  std::size_t odd_size(std::size_t right) {
    const unsigned given = in_.byte();
    return given < 245 ? right : given < 248 ? right - 8 : given < 251 ? right + 8 : given - 251;
  }

  // Values of a type: quarters of a byte for floating-point types; sometimes its extreme values.
  std::vector<std::byte> values(tropic_type type, std::size_t count) {
    if (tropic_type_size(type) == 0) return std::vector<std::byte>(16 * count + 16);
    std::vector<std::byte> created(count * tropic_type_size(type));
    tropic::with_builtin_type(static_cast<type_code>(static_cast<int>(type)), [&]<class T>() {
      using limits = std::numeric_limits<T>;
      for (std::size_t e = 0; e < count; ++e) {
        const auto given = static_cast<signed char>(in_.byte());
        T value;
        if (given == 127)
          value = limits::has_infinity ? limits::infinity() : limits::max();
        else if (given == -128)
          value = limits::has_quiet_NaN ? limits::quiet_NaN() : limits::lowest();
        else if constexpr (std::is_floating_point_v<T>)
          value = static_cast<T>(given) / 4;
        else
          value = static_cast<T>(given);
        std::memcpy(created.data() + e * sizeof(T), &value, sizeof(T));
      }
    });
    return created;
  }
  // Numbers in an index type; larger numbers are truncated.
  static std::vector<std::byte> indices(tropic_type type, const std::vector<int64_t>& from) {
    const std::size_t bytes = std::max<std::size_t>(tropic_type_size(type), 4);
    std::vector<std::byte> created(from.size() * std::max<std::size_t>(bytes, 8));
    for (std::size_t e = 0; e < from.size(); ++e)
      std::memcpy(created.data() + e * bytes, &from[e], std::min<std::size_t>(bytes, 8));
    return created;
  }

  decisions& in_;
};

}  // namespace tropic::fuzz
