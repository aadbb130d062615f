// SPDX-License-Identifier: Apache-2.0
#pragma once

// The caller's arrays with their types erased: what matrix.hpp and vector.hpp pass to the library
// and get back (src/operations/arrays.cpp, src/containers/index_arrays.cpp).

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <vector>

#include <tropic/array_view.hpp>
#include <tropic/detail/containers.hpp>

namespace tropic::detail {

struct given_array {
  const void* data = nullptr;  // on a device: the handle
  std::size_t size = 0;        // elements
  std::size_t bytes = 1;       // of an element
  std::size_t alignment = 1;   // of an element
  bool is_signed = false;
  bool on_device = false;
  std::shared_ptr<const void> owner{};
  bool copied = false;  // valid only during the call: a container keeps a copy
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

template <class A>
inline constexpr bool is_array_view = false;
template <class T>
inline constexpr bool is_array_view<array_view<T>> = true;
template <class A>
inline constexpr bool is_device_array = false;
template <class T>
inline constexpr bool is_device_array<device_array<T>> = true;
/// array_view or device_array, as a template: arrays of one call are all on the host or all on the
/// device.
template <template <class> class Array>
concept array_template =
    std::is_same_v<Array<int>, array_view<int>> || std::is_same_v<Array<int>, device_array<int>>;
template <class A>
inline constexpr bool is_std_vector = false;
template <class T, class Allocator>
inline constexpr bool is_std_vector<std::vector<T, Allocator>> = true;

/// Contiguous elements: a std::vector, std::span, std::array, an array.
template <class A>
concept contiguous_array = requires(const A& a) {
  *std::data(a);
  { std::size(a) } -> std::convertible_to<std::size_t>;
};
template <class A>
struct element_of {
  using type = void;
};
template <contiguous_array A>
struct element_of<A> {
  using type = std::remove_cvref_t<decltype(*std::data(std::declval<const A&>()))>;
};
template <class T>
struct element_of<array_view<T>> {
  using type = T;
};
/// {} next to a device array is one as well.
template <class T, class A, class Values>
inline constexpr bool braces_beside_device =
    is_device_array<std::remove_cvref_t<A>> && std::is_same_v<Values, std::initializer_list<T>>;
/// True for host arrays; else a compile error of one sentence.
template <class... Arrays>
constexpr bool require_host() {
  constexpr bool all = (!is_device_array<std::remove_cvref_t<Arrays>> && ...);
  static_assert(all,
                "tropic: arrays of one call lie all on the host or all on the device; there, "
                "indices have 32 or 64 bits and values the container's type");
  return all;
}
template <class I>
concept index_element = std::integral<I> && !std::is_same_v<I, bool> && sizeof(I) >= 2;

/// How long a function needs the arrays that it is given.
enum class given_for { the_call, the_container };

// A std::vector that is moved in is kept, anything else copied.
template <class A>
given_array given_elements(A&& a, given_for use) {
  using array = std::remove_cvref_t<A>;
  using T = typename element_of<array>::type;
  given_array result{std::data(a), std::size(a), sizeof(T), alignof(T), std::is_signed_v<T>};
  if (use == given_for::the_call) return result;
  result.copied = true;
  if constexpr (is_std_vector<array> && std::is_same_v<A, array>) {
    const auto kept = std::make_shared<const array>(std::move(a));
    result.data = kept->data();
    result.owner = kept;
    result.copied = false;
  }
  return result;
}

/// Indices or offsets of any integer type; anything else is a compile error of one sentence.
template <class A>
given_array given_indices(A&& a, given_for use = given_for::the_call) {
  using array = std::remove_cvref_t<A>;
  using I = typename element_of<array>::type;
  if constexpr (!index_element<I>)
    static_assert(never<A>,
                  "tropic: indices and offsets are a std::vector, std::span or tropic::array_view "
                  "of integers of 16, 32 or 64 bits");
  else if constexpr (is_array_view<array>)
    return given(std::forward<A>(a));
  else
    return given_elements(std::forward<A>(a), use);
  return {};
}
/// Values of a container of T; anything else is a compile error of one sentence.
template <class T, class A>
given_array given_values(A&& a, given_for use = given_for::the_call) {
  using array = std::remove_cvref_t<A>;
  using U = typename element_of<array>::type;
  if constexpr (is_std_vector<array> && std::is_void_v<U> && std::is_same_v<T, bool>) {
    // std::vector<bool> has bits.
    const std::shared_ptr<bool[]> bytes(new bool[a.size() + 1]);
    std::copy(a.begin(), a.end(), bytes.get());
    return {bytes.get(), a.size(), sizeof(bool), alignof(bool), false, false, bytes};
  } else if constexpr (!value_type<U>) {
    static_assert(never<A>,
                  "tropic: values are a std::vector, std::span or tropic::array_view of the "
                  "container's value type");
  } else if constexpr (!std::is_same_v<T, U>) {
    static_assert(never<A>,
                  "tropic: these values are not of the container's value type, and nothing is "
                  "converted here");
  } else if constexpr (is_array_view<array>) {
    return given(std::forward<A>(a));
  } else {
    return given_elements(std::forward<A>(a), use);
  }
  return {};
}

/// The integer type that indices are written as.
struct index_type {
  std::size_t bytes;
  bool is_signed;
};
template <array_index I>
inline constexpr index_type index_type_of{sizeof(I), std::is_signed_v<I>};

// --- in: see the functions of the same names in matrix.hpp and vector.hpp ------------------------

TROPIC_API matrix_base matrix_from_csr(const context_pointer&, const type_description&,
                                       index_t rows, index_t columns, given_array offsets,
                                       given_array indices, given_array values, import_options);
TROPIC_API matrix_base matrix_from_csc(const context_pointer&, const type_description&,
                                       index_t rows, index_t columns, given_array offsets,
                                       given_array indices, given_array values, import_options);
TROPIC_API matrix_base matrix_from_entries(const context_pointer&, const type_description&,
                                           index_t rows, index_t columns, given_array row,
                                           given_array column, const void* values,
                                           value_layout layout, duplicates rule);
TROPIC_API vector_base vector_from_array(const context_pointer&, const type_description&,
                                         given_array values);
TROPIC_API vector_base vector_from_sparse(const context_pointer&, const type_description&,
                                          index_t size, given_array indices, given_array values,
                                          import_options);
TROPIC_API vector_base vector_from_entries(const context_pointer&, const type_description&,
                                           index_t size, given_array indices, const void* values,
                                           duplicates rule);

// --- out: the container's own buffers if they have the requested types ---------------------------

struct compressed_buffers {
  buffer_pointer offsets, indices, values;  // one value per entry
};
TROPIC_API compressed_buffers to_csr(const matrix_base&, index_type offset, index_type index);
TROPIC_API compressed_buffers to_csc(const matrix_base&, index_type offset, index_type index);
struct coordinate_buffers {
  buffer_pointer rows, columns, values;
};
TROPIC_API coordinate_buffers to_coo(const matrix_base&, index_type row, index_type column);
/// Throws usage_error if the context has no separate device memory, or an entry is missing.
TROPIC_API void show_on_device(const matrix_base&, index_type offset, export_options);
TROPIC_API buffer_pointer full_on_device(const vector_base&, export_options);
TROPIC_API vector_base sparse_on_device(const vector_base&, export_options);

/// A host array of the container as a view that keeps it alive.
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

/// The position of the first host index outside [0, limit); the number of indices if there is none.
TROPIC_API std::size_t first_outside(const context_state&, const given_array&, index_t limit);
TROPIC_API std::string index_text(const given_array&, std::size_t n);
/// The first row of host offsets that extends past `entry`; -1 if there is none.
TROPIC_API index_t row_of_entry(const given_array& offsets, std::size_t entry);
/// Throws usage_error naming the first host index outside [0, limit): "`what` -3 of entry 17".
TROPIC_API void check_indices(const context_state&, const given_array&, index_t limit,
                              const char* what);
/// Host indices of 16 bits, converted to 32 bits.
TROPIC_API buffer_pointer widened(const context_pointer&, const given_array&);
/// Host indices converted to 32 bits, in a new array; higher bits are dropped.
TROPIC_API buffer_pointer narrowed(const context_pointer&, const void* from, std::size_t bytes,
                                   std::size_t count);
/// `count` indices of `bytes` bytes, converted to `wanted` bytes; `from` itself if the widths are
/// equal.
TROPIC_API buffer_pointer with_width(const context_pointer&, const buffer_pointer& from,
                                     std::size_t count, std::size_t bytes, std::size_t wanted);

}  // namespace tropic::detail
