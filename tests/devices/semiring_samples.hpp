// SPDX-License-Identifier: Apache-2.0
#pragma once

// Semirings of every kind that a device must support: all built-in ones over all types, and
// user-defined ones: records, parameters, operands of three types, positions, text.

#include <string>
#include <vector>

#include <tropic/detail/describe_semiring.hpp>
#include <tropic/semirings/builtins.hpp>
#include <tropic/semirings/evaluate.hpp>

#include "device_samples.hpp"

namespace tropic::testing {

TROPIC_BINARY_OPERATOR(absolute_difference, x > y ? x - y : y - x);
TROPIC_BINARY_OPERATOR(damped, d* x* y + (x == y ? offset : -offset), (double, d),
                       (std::int32_t, offset));
// Parameters that hide positions; j stays the position.
TROPIC_BINARY_OPERATOR(hides_positions, k* x* y + i + j, (double, k), (std::int32_t, i));
TROPIC_BINARY_OPERATOR(by_position, x * 1000 + i * 100 + k * 10 + j);
TROPIC_BINARY_OPERATOR(extend_hop, t_make(x.length + y.length, x.hops + y.hops));
TROPIC_BINARY_OPERATOR(shorter_hop,
                       x.length < y.length || (x.length == y.length && x.hops <= y.hops) ? x : y);
TROPIC_MONOID(shortest_hop_monoid, shorter_hop, t_make(t_inf, t_inf), .idempotent = true);
TROPIC_BINARY_OPERATOR(mix, t_make(x.flag != y.flag, x.wide* y.wide, x.half + y.half,
                                   x.kernel - y.kernel, t_max(x.global, y.global)));
TROPIC_MONOID(mix_monoid, mix, t_make(false, 1, 0, 0, 0));
TROPIC_BINARY_OPERATOR(my_plus, x + y);
TROPIC_BINARY_OPERATOR(my_times, (x) * (y));
TROPIC_MONOID(my_plus_monoid, my_plus, 0);

struct named_semiring {
  std::string name;
  semiring_description semiring;
  int number = 0;  // of the semiring and the type, to distribute tests
  int type = 0;
};

/// Every built-in semiring over every type that it is defined for.
inline std::vector<named_semiring> builtin_semirings() {
  std::vector<named_semiring> all;
  for (const type_description& type : builtin_types) {
    int number = 0;
    for (const std::string_view name : builtin_semiring_names())
      if (const auto semiring = builtin_semiring(name, type.code))
        all.push_back({std::string(name) + "_" + std::string(type.name), *semiring, number++,
                       static_cast<int>(type.code)});
  }
  return all;
}

inline std::vector<named_semiring> user_semirings() {
  using nearest = semiring<minimum_monoid<float>, absolute_difference>;
  using three_types = semiring<plus_monoid<std::int64_t>, times, std::int8_t, std::uint16_t>;
  using from_bool = semiring<plus_monoid<float>, times, bool, float>;
  using with_parameters = semiring<plus_monoid<double>, damped>;
  using hidden_positions = semiring<plus_monoid<double>, hides_positions>;
  using positional = semiring<plus_monoid<std::int32_t>, by_position>;
  using shortest = semiring<shortest_hop_monoid<hop>, extend_hop>;
  using mixing = semiring<mix_monoid<mixed>, mix>;
  using counting = semiring<plus_monoid<std::int32_t>, pair, hop, mixed>;
  return {
      {"absolute_difference", describe_semiring(nearest{})},
      {"three_types", describe_semiring(three_types{})},
      {"fp32_from_bool", describe_semiring(from_bool{})},
      {"parameters", describe_semiring(with_parameters{{0.85, 7}})},
      {"hidden_positions", describe_semiring(hidden_positions{{0.5, 7000}})},
      {"positions", describe_semiring(positional{})},
      {"record_16_bytes", describe_semiring(shortest{})},
      {"record_mixed", describe_semiring(mixing{})},
      {"record_times_nothing", describe_semiring(counting{})},
      {"text", semiring_from_text("t_max(x, y)", "-inf", "x * y - 1", describe(type_code::int16))},
  };
}

}  // namespace tropic::testing
