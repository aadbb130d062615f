// SPDX-License-Identifier: Apache-2.0
#pragma once

// How plain arrays enter and leave containers (docs/arrays.md): their memory and what keeps them
// alive.

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tropic {

/// An array in host memory, together with its owner. Containers take and return arrays in this
/// form, without a copy. `owner` may be any shared_ptr; its deleter runs after the last use. A null
/// owner means that the caller keeps the data alive.
template <class T>
struct array_view {
  std::span<const T> data;
  std::shared_ptr<const void> owner;

  std::size_t size() const { return data.size(); }
  const T& operator[](std::size_t n) const { return data[n]; }
  auto begin() const { return data.begin(); }
  auto end() const { return data.end(); }
};

/// Memory of a context's device and what keeps it alive. `handle`: a CUDA pointer (a CUdeviceptr,
/// or the void* of CUDA's runtime library), or an OpenCL buffer (a cl_mem), whose first `count`
/// elements are used. A null owner means that the caller keeps the memory alive.
template <class T>
struct device_array {
  void* handle = nullptr;
  std::size_t count = 0;
  std::shared_ptr<const void> owner{};

  std::size_t size() const { return count; }
};

/// Transfers ownership of the `count` elements at `data`. After the last use, `release(data)` or
/// `release()` is called exactly once, even if the call that receives the array fails. `release`
/// may be a function, as in `adopt(p, n, std::free)`.
template <class T, class Release>
  requires(std::invocable<Release&, T*> || std::invocable<Release&>)
array_view<std::remove_const_t<T>> adopt(T* data, std::size_t count, Release release) {
  auto deleter = [release = std::move(release)](T* pointer) mutable {
    if constexpr (std::invocable<Release&, T*>)
      release(pointer);
    else
      release();
  };
  return {{data, count}, std::shared_ptr<T>(data, std::move(deleter))};
}
/// Takes over the elements of a vector.
template <class T>
  requires(!std::same_as<T, bool>)
array_view<T> adopt(std::vector<T>&& data) {
  const auto kept = std::make_shared<const std::vector<T>>(std::move(data));
  return {*kept, kept};
}
/// As adopt, for device memory.
template <class T, class Release>
  requires(std::invocable<Release&, void*> || std::invocable<Release&>)
device_array<T> adopt_device(void* handle, std::size_t count, Release release) {
  array_view<std::byte> held = adopt(static_cast<std::byte*>(handle), count,
                                     [release = std::move(release)](void* p) mutable {
                                       if constexpr (std::invocable<Release&, void*>)
                                         release(p);
                                       else
                                         release();
                                     });
  return {handle, count, std::move(held.owner)};
}

/// How from_csr, from_csc and from_sparse take arrays over.
struct import_options {
  /// The caller guarantees that offsets and indices are valid: they are not checked.
  bool trusted = false;
};
/// How arrays on the context's device are passed out.
struct export_options {
  /// Wait until the device has finished computing the arrays. Otherwise only work enqueued later on
  /// the queue that the context borrowed may read them.
  bool wait = true;
};

/// Element types of indices and offsets: integers of 32 or 64 bits, signed or unsigned.
template <class I>
concept array_index = std::integral<I> && (sizeof(I) == 4 || sizeof(I) == 8);

/// A matrix in CSR (CSC): rows (columns) + 1 `offsets`, `indices` of columns (rows).
template <class Offsets, class Indices, class Values>
struct compressed_arrays {
  Offsets offsets;
  Indices indices;
  Values values;
};
/// A matrix in COO, by row and then by column.
template <class Row, class Column, class T>
struct coordinate_arrays {
  array_view<Row> rows;
  array_view<Column> columns;
  array_view<T> values;
};
/// The entries of a vector by index.
template <class Indices, class Values>
struct sparse_arrays {
  Indices indices;
  Values values;
};

}  // namespace tropic
