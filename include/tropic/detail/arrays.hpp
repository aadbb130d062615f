// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arrays of the caller's with their types erased: what matrix.hpp and vector.hpp hand over, and get
// back (src/operations/arrays.cpp, src/containers/index_arrays.cpp).

#include <tropic/array_view.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic::detail {

struct given_array {
  const void* data = nullptr;  // on the device: its handle
  std::size_t size = 0;        // elements
  std::size_t bytes = 1;       // of an element
  std::size_t alignment = 1;   // of an element
  bool is_signed = false;
  bool on_device = false;
  std::shared_ptr<const void> owner{};
};
template <class T>
given_array given(array_view<T> a) {
  return {a.data.data(),       a.size(), sizeof(T),         alignof(T),
          std::is_signed_v<T>, false,    std::move(a.owner)};
}
template <class T>
given_array given(device_array<T> a) {
  return {a.handle, a.count, sizeof(T), alignof(T), std::is_signed_v<T>, true, std::move(a.owner)};
}
template <index_array A>
given_array given_indices(const A& a) {
  using I = std::remove_cvref_t<decltype(*a.data())>;
  return {a.data(), a.size(), sizeof(I), alignof(I), std::is_signed_v<I>, false, nullptr};
}

/// What indices are written as.
struct index_type {
  std::size_t bytes;
  bool is_signed;
};
template <array_index I>
inline constexpr index_type index_type_of{sizeof(I), std::is_signed_v<I>};

// --- in: as the functions of the same names in matrix.hpp and vector.hpp say --------------------

TROPIC_API matrix_base matrix_from_csr(const context_pointer&, const type_description&,
                                       index_t rows, index_t columns, given_array offsets,
                                       given_array indices, given_array values, bool trusted);
TROPIC_API matrix_base matrix_from_csc(const context_pointer&, const type_description&,
                                       index_t rows, index_t columns, given_array offsets,
                                       given_array indices, given_array values, bool trusted);
/// `values`: one an entry, or a single one where `iso`.
TROPIC_API matrix_base matrix_from_entries(const context_pointer&, const type_description&,
                                           index_t rows, index_t columns, given_array row,
                                           given_array column, const void* values, bool iso,
                                           duplicates rule);
TROPIC_API vector_base vector_from_array(const context_pointer&, const type_description&,
                                         given_array values);
TROPIC_API vector_base vector_from_sparse(const context_pointer&, const type_description&,
                                          index_t size, given_array indices, given_array values,
                                          bool trusted);
TROPIC_API vector_base vector_from_entries(const context_pointer&, const type_description&,
                                           index_t size, given_array indices, const void* values,
                                           duplicates rule);

// --- out: buffers of a container itself wherever it holds what is asked for ----------------------

struct compressed_buffers {
  buffer_pointer offsets, indices, values;  // values: one an entry
};
TROPIC_API compressed_buffers to_csr(const matrix_base&, index_type offset, index_type index);
TROPIC_API compressed_buffers to_csc(const matrix_base&, index_type offset, index_type index);
struct coordinate_buffers {
  buffer_pointer rows, columns, values;
};
TROPIC_API coordinate_buffers to_coo(const matrix_base&, index_type row, index_type column);
/// Throws usage_error where the context has no memory of a device's own, or an entry is missing.
/// `wait`: all that was enqueued is done.
TROPIC_API void show_on_device(const matrix_base&, index_type offset, bool wait);
TROPIC_API buffer_pointer full_on_device(const vector_base&, bool wait);
TROPIC_API vector_base sparse_on_device(const vector_base&, bool wait);

/// A host array of the container's own as a view that keeps it.
template <class T>
array_view<T> view_of(const buffer_pointer& from, std::size_t count) {
  if (count == 0) return {};
  return {{static_cast<const T*>(from->host()), count}, from};
}
template <class T>
device_array<T> device_view_of(const buffer_pointer& from, std::size_t count) {
  if (count == 0) return {};
  return {const_cast<void*>(from->device()), count, from};
}

// --- indices (src/containers/index_arrays.cpp) -----------------------------------------------

/// Throws usage_error that names the first host index outside [0, limit): "`what` -3 of entry 17".
TROPIC_API void check_indices(const context_state&, const given_array&, index_t limit,
                              const char* what);
/// Host indices as 32 bits, in an array of our own. Those past 32 bits lose what is above.
TROPIC_API buffer_pointer narrowed(const context_pointer&, const void* from, std::size_t bytes,
                                   std::size_t count);
/// `count` indices of `bytes` each as such of `wanted` bytes: `from` itself where it has them.
TROPIC_API buffer_pointer with_width(const context_pointer&, const buffer_pointer& from,
                                     std::size_t count, std::size_t bytes, std::size_t wanted);

}  // namespace tropic::detail
