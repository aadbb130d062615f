// SPDX-License-Identifier: Apache-2.0
#pragma once

// What arrays.cpp and shared_arrays.cpp share: NumPy's types, and arrays over memory of containers.

#include <initializer_list>
#include <limits>

#include <tropic/detail/arrays.hpp>

#include "core.hpp"

namespace tropic::python {

inline nb::dlpack::dtype array_type(const type_description& type) {
  using nb::dlpack::dtype_code;
  const dtype_code code = type.code == type_code::boolean  ? dtype_code::Bool
                          : is_floating(type.code)         ? dtype_code::Float
                          : is_unsigned_integer(type.code) ? dtype_code::UInt
                                                           : dtype_code::Int;
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * type.size), 1};
}

inline const type_description& index_type(bool wide) {
  return describe(wide ? type_code::int64 : type_code::int32);
}
inline detail::index_type as_index(bool wide) {
  return {wide ? std::size_t{8} : std::size_t{4}, true};
}
/// Index arrays have 32 bits where all numbers fit, as SciPy chooses them.
inline bool is_wide(const detail::matrix_base& m) {
  const index_t narrow_limit = std::numeric_limits<std::int32_t>::max();
  return m.nnz > narrow_limit || m.rows > narrow_limit || m.columns > narrow_limit;
}

/// A read-only NumPy array over a buffer, which it keeps alive.
nb::ndarray<nb::numpy, nb::ro> view(const detail::buffer_pointer& from,
                                    std::initializer_list<std::size_t> shape,
                                    const type_description& type);
inline nb::ndarray<nb::numpy, nb::ro> view(const detail::buffer_pointer& from, std::size_t count,
                                           const type_description& type) {
  return view(from, {count}, type);
}

}  // namespace tropic::python
