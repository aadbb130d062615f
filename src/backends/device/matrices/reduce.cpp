// SPDX-License-Identifier: Apache-2.0

#include "backends/device/matrices/matrix_operations.hpp"

namespace tropic::detail {

// The values of all entries are a full vector.
bool matrix_operations::reduce(void* result, const monoid_description& monoid,
                               const matrix_base& a) {
  if (a.iso || a.nnz == 0) return false;
  vector_base values;
  values.context = a.context;
  values.type = a.type;
  values.size = values.nvals = a.nnz;
  values.storage = vector_storage::full;
  values.values = a.values;
  return vectors_.reduce(result, monoid, values);
}

}  // namespace tropic::detail
