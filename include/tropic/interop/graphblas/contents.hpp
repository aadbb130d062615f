// SPDX-License-Identifier: Apache-2.0
#pragma once

// The arrays of a matrix or vector outside of its GraphBLAS object, in their original format: what
// pack and unpack (versions 7 to 9) and Containers (from 10 on) have in common. Nothing is
// converted here; every step but the first takes constant time.

#include <memory>
#include <utility>

#include <tropic/interop/graphblas/support.hpp>

namespace tropic::graphblas::internal {

/// Frees an array of GraphBLAS once it is owned by Tropic.
struct foreign_array {
  void* data = nullptr;
  void (*release)(void*) = nullptr;  // null: GraphBLAS owns it

  foreign_array() = default;
  foreign_array(const foreign_array&) = delete;
  foreign_array& operator=(const foreign_array&) = delete;
  ~foreign_array() {
    if (release != nullptr) release(data);
  }
};
/// A separate deleter type identifies such owners when their array is returned.
struct delete_foreign_array {
  void operator()(foreign_array* array) const { delete array; }
};
inline std::shared_ptr<foreign_array> new_foreign_array() {
  return {new foreign_array, delete_foreign_array{}};
}

struct array {
  void* data = nullptr;
  std::uint64_t bytes = 0;
  bool narrow = false;  // indices of 32 bits instead of 64
  // May be taken over and freed. GraphBLAS 10 also has read-only arrays, and arrays of other
  // arenas.
  bool may_be_moved = true;
  std::uint64_t count = 0;                     // from 10 on, as are the next two
  GrB_Type type = nullptr;                     //
  int handling = 0;                            // GrB_DEFAULT, GxB_IS_READONLY, ...
  std::shared_ptr<foreign_array> new_owner{};  // who will own it once it is taken

  std::uint64_t index(std::uint64_t n) const {
    return narrow ? static_cast<const std::uint32_t*>(data)[n]
                  : static_cast<const std::uint64_t*>(data)[n];
  }
};

/// hypersparse: offsets over `list`, which names the rows that have entries; indices; values.
/// sparse: offsets, indices, values. bitmap: present, values. full: values. By column where
/// `by_column`, as a vector always is.
struct contents {
  GrB_Index rows = 0, columns = 0, entries = 0, listed = 0;
  int format = GxB_SPARSE;
  bool by_column = false, iso = false, jumbled = false;
  array offsets, list, present, indices, values;

  template <class F>
  void for_each_array(F f) {
    for (array* one : {&offsets, &list, &present, &indices, &values}) f(*one);
  }
  /// Arrays that have been taken over are owned by their new owner, which frees them by `release`.
  void hand_over(void (*release)(void*)) noexcept {
    for_each_array([release](array& one) {
      if (one.new_owner == nullptr) return;
      one.new_owner->data = std::exchange(one.data, nullptr);
      one.new_owner->release = release;
    });
  }
};

/// No arrays, only the size of an object.
template <class Object>
contents sized_as(Object from) {
  contents result;
  const shape size = shape_of(from);
  result.rows = size.rows;
  result.columns = size.columns;
  result.entries = entries_of(from);
  return result;
}

inline int format_of(GrB_Matrix a) {
  int format = 0;
  check(GxB_Matrix_Option_get_INT32(a, GxB_SPARSITY_STATUS, &format), "GxB_Matrix_Option_get", a);
  return format;
}
inline int format_of(GrB_Vector v) {
  int format = 0;
  check(GxB_Vector_Option_get_INT32(v, GxB_SPARSITY_STATUS, &format), "GxB_Vector_Option_get", v);
  return format;
}

}  // namespace tropic::graphblas::internal

#if GxB_IMPLEMENTATION_MAJOR >= 10
#include <tropic/interop/graphblas/container.hpp>
#else
#include <tropic/interop/graphblas/pack.hpp>
#endif
