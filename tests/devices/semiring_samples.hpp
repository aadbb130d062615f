// SPDX-License-Identifier: Apache-2.0
#pragma once

// Semirings of every kind that a device must take: all built-ins over all types, and users' own:
// records, parameters, operands of three types, positions, text.

#include <string>
#include <vector>

#include <tropic/semirings/builtins.hpp>
#include <tropic/semirings/evaluate.hpp>

#include "device_samples.hpp"

namespace tropic::test {

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

/// As describe_semiring, but without instantiating CPU kernels.
template <semiring_type S>
semiring_description describe_for_devices(const S& semiring = {}) {
  semiring_description made;
  made.add = describe_monoid<typename S::monoid>();
  made.multiply = describe_operator<typename S::z_type, typename S::a_type, typename S::x_type>(
      semiring.multiply);
  made.exits_at_first_product = exits_at_first<typename S::monoid, typename S::operation>;
  return made;
}

struct named_semiring {
  std::string name;
  semiring_description semiring;
  int number = 0;  // of the semiring and the type, to share out tests
  int type = 0;
};

template <class T>
void add_builtins_over(std::vector<named_semiring>& all) {
  const std::string type(describe<T>().name);
  int number = 0;
#define TROPIC_ADD(semiring)                                                          \
  all.push_back({#semiring "_" + type, describe_for_devices<semiring<T>>(), number++, \
                 static_cast<int>(builtin_code<T>())});
  if constexpr (!std::is_same_v<T, bool>) {
    TROPIC_FOR_EACH_NUMERIC_SEMIRING(TROPIC_ADD)
  }
  TROPIC_FOR_EACH_BOOLEAN_SEMIRING(TROPIC_ADD)
  TROPIC_FOR_EACH_POSITIONAL_SEMIRING(TROPIC_ADD)
#undef TROPIC_ADD
}

/// Every built-in semiring over every type that it is defined for.
inline std::vector<named_semiring> builtin_semirings() {
  std::vector<named_semiring> all;
  add_builtins_over<bool>(all);
#define TROPIC_ADD(T) add_builtins_over<T>(all);
  TROPIC_FOR_EACH_NUMBER_TYPE(TROPIC_ADD)
#undef TROPIC_ADD
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
      {"absolute_difference", describe_for_devices<nearest>()},
      {"three_types", describe_for_devices<three_types>()},
      {"fp32_from_bool", describe_for_devices<from_bool>()},
      {"parameters", describe_for_devices(with_parameters{{0.85, 7}})},
      {"hidden_positions", describe_for_devices(hidden_positions{{0.5, 7000}})},
      {"positions", describe_for_devices<positional>()},
      {"record_16_bytes", describe_for_devices<shortest>()},
      {"record_mixed", describe_for_devices<mixing>()},
      {"record_times_nothing", describe_for_devices<counting>()},
      {"text", semiring_from_text("t_max(x, y)", "-inf", "x * y - 1", describe(type_code::int16))},
  };
}

}  // namespace tropic::test
