// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vectors and matrices as plain maps on the host. The same data is created from them in any context
// and storage; results are read back into them, and their invariants are checked.

#include <map>
#include <string>
#include <utility>

#include <tropic/context.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/semirings/record.hpp>

#include "support/cases.hpp"

// The 16-byte record of the tests: a length and the number of hops.
TROPIC_VALUE_TYPE(test_path, (double, length), (std::int64_t, hops));

namespace tropic::testing {

struct host_vector {
  const type_description* type = nullptr;
  index_t size = 0;
  std::map<index_t, scalar_bytes> entries;
};

struct host_matrix {
  const type_description* type = nullptr;
  index_t rows = 0, columns = 0;
  std::map<std::pair<index_t, index_t>, scalar_bytes> entries;
};

/// Absent positions of a bitmap contain garbage.
detail::vector_base make(const context& where, const host_vector& from, vector_storage storage);
/// `iso`: one value for all entries, which must be equal.
detail::matrix_base make(const context& where, const host_matrix& from, bool wide, bool iso);
/// Converts to 64-bit row offsets, as a matrix with more entries has them.
void widen(detail::matrix_base&);

/// Reads everything and checks the invariants of containers; throws std::logic_error if one is
/// violated.
host_vector read(const detail::vector_base& from);
host_matrix read(const detail::matrix_base& from);

/// The kind of values that a test needs.
enum class flavour {
  small,     // small integers: no floating-point sum rounds
  weighted,  // all different, far apart: a lost or duplicated entry changes any sum
  edge,      // both ends of the type, their neighbours, infinities, and small ones
  real,      // arbitrary: sums round
};
scalar_bytes random_value(const type_description& type, flavour kind, dice& random);

/// Each position holds an entry with probability `density`.
host_vector random_vector(const type_description& type, index_t size, double density, flavour kind,
                          dice& random);
host_matrix random_matrix(const type_description& type, index_t rows, index_t columns,
                          double density, flavour kind, dice& random);

/// Gives all entries the value of the first.
void make_iso(host_matrix& m);

}  // namespace tropic::testing
