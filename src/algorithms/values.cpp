// SPDX-License-Identifier: Apache-2.0
#include "algorithms/values.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <tropic/algorithms/sssp_distances.hpp>
#include <tropic/error.hpp>

namespace tropic::algorithms {

namespace {

using detail::buffer_pointer;
using detail::matrix_base;

matrix_base with_values(const matrix_base& m, type_code type, buffer_pointer values, bool iso) {
  matrix_base result = m;
  result.type = &describe(type);
  result.iso = iso;
  result.values = std::move(values);
  result.value_version = detail::next_version();
  result.derived = detail::make_derived_copies();
  return result;
}

template <class To, class From>
void convert_all(const From* from, std::size_t count, To* to) {
  if constexpr (std::is_floating_point_v<From> && !holds_weights<To, From>()) {
    throw usage_error("sssp: weights are " + std::string(describe<From>().name) +
                      ", distances of " + std::string(describe<To>().name) + " do not hold them");
  } else {
    if constexpr (!std::is_same_v<From, bool> && !holds_weights<To, From>())
      for (std::size_t e = 0; e < count; ++e)
        if (!std::in_range<To>(from[e]))
          throw usage_error("sssp: a weight is " + std::to_string(from[e]) + ", distances are " +
                            std::string(describe<To>().name));
    std::transform(from, from + count, to, [](From v) { return static_cast<To>(v); });
  }
}

}  // namespace

matrix_base pattern_of(const matrix_base& m) {
  const bool has_entries = m.nnz > 0;
  buffer_pointer one = detail::make_buffer(m.context, has_entries ? sizeof(bool) : 0);
  if (has_entries) *static_cast<bool*>(one->host_write()) = true;
  return with_values(m, type_code::boolean, std::move(one), has_entries);
}

matrix<bool> as_pattern(const matrix_base& m) {
  return matrix<bool>(m.type->code == type_code::boolean ? m : pattern_of(m));
}

matrix_base as_weights(const matrix_base& m, type_code distances) {
  if (m.type->code == distances) return m;
  // Without entries there is no value, not even the one of an iso matrix.
  const auto count = static_cast<std::size_t>(m.iso ? std::min<index_t>(m.nnz, 1) : m.nnz);
  buffer_pointer values = detail::make_buffer(m.context, count * describe(distances).size);
  if (count > 0) {
    const void* from = m.values->host();
    void* to = values->host_write();
    with_builtin_type(m.type->code, [&]<class From>() {
      with_builtin_type(distances, [&]<class To>() {
        if constexpr (!std::is_same_v<To, bool>)
          convert_all(static_cast<const From*>(from), count, static_cast<To*>(to));
      });
    });
  }
  return with_values(m, distances, std::move(values), m.iso);
}

}  // namespace tropic::algorithms
