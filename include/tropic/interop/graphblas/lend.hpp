// SPDX-License-Identifier: Apache-2.0
#pragma once

// GraphBLAS objects over Tropic's arrays, read-only: GraphBLAS 10 and later.

#include <tropic/interop/graphblas/write.hpp>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic::graphblas {

/// A GraphBLAS object that shares the arrays of a container. This class keeps the arrays alive and
/// frees the GraphBLAS object. GraphBLAS refuses to write the object (GxB_OUTPUT_IS_READONLY).
/// Changing the container gives the container new arrays.
template <class Owned, class Base>
class lent {
 public:
  lent(Owned object, Base base) : base_(std::move(base)), object_(std::move(object)) {}
  auto get() const { return object_.get(); }

 private:
  Base base_;     // outlives
  Owned object_;  // which is freed first
};
using lent_matrix = lent<owned_matrix, tropic::detail::matrix_base>;
using lent_vector = lent<owned_vector, tropic::detail::vector_base>;

namespace internal {
/// `bits`: the width of indices; 0 for other arrays.
inline void show(array& to, const buffer_pointer& from, int bits = 0) {
  if (from == nullptr || from->bytes() == 0) return;
  to.data = const_cast<void*>(from->host());  // GraphBLAS holds it read-only
  to.bytes = from->bytes();
  to.narrow = bits == 32;
  to.handling = GxB_IS_READONLY;
}
}  // namespace internal

/// A GraphBLAS matrix that shares the arrays of `m`, without a copy.
template <builtin_value_type T>
lent_matrix lend(const matrix<T>& m) {
  owned_matrix object = internal::new_matrix(describe<T>(), m.rows(), m.columns());
  internal::outgoing out;
  internal::contents& c = out.all;
  const tropic::detail::matrix_base& base = m.base();
  c.rows = static_cast<GrB_Index>(m.rows());
  c.columns = static_cast<GrB_Index>(m.columns());
  c.entries = static_cast<GrB_Index>(m.nvals());
  c.iso = base.iso;
  if (c.entries > 0) {
    internal::show(c.offsets, base.offsets, base.wide ? 64 : 32);
    internal::show(c.indices, base.column_indices, 32);
    internal::show(c.values, base.values);
    out.go(object.get());
  }
  return {std::move(object), base};
}
/// A GraphBLAS vector that shares the arrays of `v`, without a copy.
template <builtin_value_type T>
lent_vector lend(const vector<T>& v) {
  owned_vector object = internal::new_vector(describe<T>(), v.size());
  internal::outgoing out;
  internal::contents& c = out.all;
  const tropic::detail::vector_base& base = v.base();
  c.rows = static_cast<GrB_Index>(v.size());
  c.columns = 1;
  c.entries = static_cast<GrB_Index>(v.nvals());
  c.by_column = true;
  if (c.entries > 0) {
    if (base.storage == vector_storage::sparse) {
      auto* ends = static_cast<std::uint64_t*>(out.allocate(c.offsets, out.offsets, 16));
      ends[0] = 0;
      ends[1] = c.entries;
    }
    c.format = base.storage == vector_storage::bitmap ? GxB_BITMAP
               : base.storage == vector_storage::full ? GxB_FULL
                                                      : GxB_SPARSE;
    internal::show(c.indices, base.indices, 32);
    internal::show(c.present, base.present);
    internal::show(c.values, base.values);
    out.go(object.get());
  }
  return {std::move(object), base};
}

}  // namespace tropic::graphblas
