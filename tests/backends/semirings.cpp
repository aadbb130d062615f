// SPDX-License-Identifier: Apache-2.0
#include "backends/semirings.hpp"

#include <tropic/full_operations.hpp>
#include <tropic/mxm.hpp>
#include <tropic/semirings/builtins.hpp>
#include <tropic/semirings/from_text.hpp>

#include "backends/operators.hpp"

TROPIC_BINARY_OPERATOR(test_positions, x * 7 - y + 2 * i + 3 * k + 5 * j);
TROPIC_BINARY_OPERATOR(test_scaled, factor* x - y, (double, factor));

namespace tropic::testing {
namespace {

test_semiring built_in(std::string_view name, type_code code, flavour values) {
  return {std::string(name) + "_" + std::string(describe(code).name), *builtin_semiring(name, code),
          values};
}

template <semiring_type S>
test_semiring named(const char* name, const S& result, flavour values = flavour::small) {
  semiring_description description = detail::describe_for_vectors(result);
  description.cpu_mxm_kernels = &detail::cpu_mxm_kernels<S>::table;
  description.cpu_spmm_kernels = &detail::cpu_spmm_kernels<S>::table;
  return {name, description, values};
}

test_semiring from_text(const char* name, const char* add, const char* identity,
                        const char* multiply, type_code code) {
  return {name, semiring_from_text(add, identity, multiply, describe(code)), flavour::small};
}

using path_semiring = semiring<test_shorter_monoid<test_path>, test_extend, test_path, test_path>;

std::vector<test_semiring> make_all() {
  std::vector<test_semiring> semirings;
  for (const std::string_view name : builtin_semiring_names())
    for (int code = 0; code < builtin_type_count; ++code)
      if (builtin_semiring(name, static_cast<type_code>(code)))
        semirings.push_back(built_in(name, static_cast<type_code>(code), flavour::small));
  semirings.push_back(named("shortest_path", path_semiring{}));
  semirings.push_back(
      named("mixed_types", semiring<plus_monoid<double>, times, std::int8_t, std::int32_t>{}));
  semirings.push_back(
      named("mixed_record",
            semiring<test_shorter_monoid<test_path>, test_extend_by, double, test_path>{}));
  semirings.push_back(
      named("positions",
            semiring<plus_monoid<std::int64_t>, test_positions, std::int32_t, std::int64_t>{}));
  semirings.push_back(named("parameter", semiring<plus_monoid<double>, test_scaled>{{2.0}}));
  semirings.push_back(
      named("narrow_index", semiring<minimum_monoid<std::int8_t>, first_j, bool>{}));
  semirings.push_back(
      named("weights_of_flags", semiring<plus_monoid<std::int64_t>, times, std::int64_t, bool>{}));
  semirings.push_back(from_text("text_plus_times", "x + y", "0", "x * y", type_code::fp64));
  semirings.push_back(
      from_text("text_min_plus", "t_min(x, y)", "inf", "t_tropical_plus(x, y)", type_code::int32));
  semirings.push_back(
      from_text("text_positions", "x + y", "0", "x - 2 * y + i + 3 * k - j", type_code::int64));
  // Those that no built-in equals run by blocks.
  semirings.push_back(from_text("text_min_plus_turned", "t_min(x, y)", "inf",
                                "t_tropical_plus(y, x)", type_code::int32));
  semirings.push_back(
      from_text("text_lesser", "x < y ? x : y", "t_inf", "t_abs(x - y)", type_code::fp32));
  semirings.push_back(
      from_text("text_compound", "x + y + 0 * x", "0", "x * y - k", type_code::int16));
  return semirings;
}

}  // namespace

const std::vector<test_semiring>& all_semirings() {
  static const std::vector<test_semiring> semirings = make_all();
  return semirings;
}

const std::vector<test_semiring>& adversarial_semirings() {
  static const std::vector<test_semiring> semirings{
      built_in("plus_times", type_code::int64, flavour::weighted),
      built_in("min_plus", type_code::int32, flavour::edge),
      built_in("min_times", type_code::fp32, flavour::edge),
      built_in("min_secondi", type_code::int32, flavour::small),
      built_in("any_pair", type_code::boolean, flavour::small),
      named("shortest_path", path_semiring{}),
  };
  return semirings;
}

operator_description accumulator_of(int level, const type_description& type) {
  if (type.code == type_code::record) {
    if (level == 1) return describe_operator<test_path, test_path, test_path>(test_extend{});
    return operator_from_text("t_make(x.length - y.length, y.hops)", type, type, type);
  }
  if (level == 2) return operator_from_text("x - y - y", type, type, type);
  return with_builtin_type(type.code,
                           []<class T>() { return describe_operator<T, T, T>(minus{}); });
}

}  // namespace tropic::testing
