// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/array_view.hpp>
#include <tropic/error.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

/// The values of a full vector on the host; on a device they are copied, and if memory for that is
/// missing, the error names the algorithm.
template <value_type T>
array_view<T> host_values(const char* algorithm, const vector<T>& of) try {
  return of.to_array();
} catch (const out_of_memory& cause) {
  throw out_of_memory(algorithm, cause);
}

/// The result of f(), which reads arrays on the host; on a device they are copied, and if memory
/// for that is missing, the error names the algorithm.
template <class F>
auto reading_for(const char* algorithm, const F& f) {
  try {
    return f();
  } catch (const out_of_memory& cause) {
    throw out_of_memory(algorithm, cause);
  }
}

}  // namespace tropic::detail
