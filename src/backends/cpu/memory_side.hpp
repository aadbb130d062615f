// SPDX-License-Identifier: Apache-2.0
#pragma once

// The side of the memory that a CPU operation works on, and what its steps need of a context:
// arrays to read, arrays to write, threads. A buffer that is shared, or borrowed from the user, is
// never written: see `is_exclusive`.
//
// Steps that change a container in place obtain every write pointer first, since that may allocate
// and throw, and only then change anything.

#include <cstring>
#include <limits>

#include <tropic/detail/containers.hpp>

#include <tropic/error.hpp>
#include "containers/context_state.hpp"
#include "containers/integers.hpp"

namespace tropic::detail::on_cpu {

class memory_side {
 public:
  memory_side(context_state& context, bool on_host) : context_(context), on_host_(on_host) {}

  const void* read(const buffer_pointer& b) const {
    return b == nullptr ? nullptr : on_host_ ? b->host() : b->device();
  }
  template <class T>
  const T* read_as(const buffer_pointer& b) const {
    return static_cast<const T*>(read(b));
  }
  template <class T>
  T* write_as(const buffer_pointer& b, access mode = access::overwrite) const {
    return static_cast<T*>(b == nullptr ? nullptr
                           : on_host_   ? b->host_write(mode)
                                        : b->device_write(mode));
  }

  /// Allocates `count` elements of `bytes` each.
  buffer_pointer allocate(std::size_t count, std::size_t bytes) const {
    if (bytes != 0 && count > std::numeric_limits<std::size_t>::max() / 2 / bytes)
      throw out_of_memory(std::numeric_limits<std::size_t>::max(), out_of_memory::unknown,
                          "array size");
    return make_buffer(context_.shared_from_this(), count * bytes);
  }
  buffer_pointer clone(const buffer_pointer& b) const {
    buffer_pointer result = allocate(b->bytes(), 1);
    if (b->bytes() > 0) std::memcpy(write_as<std::byte>(result), read(b), b->bytes());
    return result;
  }
  /// Whether a write to `b` is visible nowhere else.
  static bool is_exclusive(const buffer_pointer& b) {
    return b != nullptr && b.use_count() == 1 && !b->is_borrowed();
  }

  context_pointer context() const { return context_.shared_from_this(); }
  int threads() const { return context_.threads(); }

 private:
  context_state& context_;
  bool on_host_;
};

/// The arrays of a vector.
struct vector_view {
  vector_storage storage = vector_storage::sparse;
  std::size_t size = 0, nvals = 0, bytes = 0;
  const std::uint32_t* indices = nullptr;
  const std::uint8_t* present = nullptr;
  const std::byte* values = nullptr;

  vector_view(const memory_side& here, const vector_base& v)
      : storage(v.storage),
        size(as_size(v.size)),
        nvals(as_size(v.nvals)),
        bytes(v.type->size),
        indices(here.read_as<std::uint32_t>(v.indices)),
        present(here.read_as<std::uint8_t>(v.present)),
        values(here.read_as<std::byte>(v.values)) {}
  bool is_sparse() const { return storage == vector_storage::sparse; }
  bool has(std::size_t i) const { return present == nullptr || present[i]; }  // not where sparse
  const std::byte* value(std::size_t n) const { return values + n * bytes; }
};

/// Row offsets of either width.
struct offsets_view {
  const void* data = nullptr;
  bool wide = false;
  std::size_t operator[](std::size_t row) const {
    return wide ? static_cast<std::size_t>(static_cast<const std::uint64_t*>(data)[row])
                : static_cast<const std::uint32_t*>(data)[row];
  }
};

/// The arrays of a matrix.
struct matrix_view {
  std::size_t rows, columns, nnz, bytes;
  bool iso;
  offsets_view offsets;
  const std::uint32_t* column;
  const std::byte* values;

  matrix_view(const memory_side& here, const matrix_base& m)
      : rows(as_size(m.rows)),
        columns(as_size(m.columns)),
        nnz(as_size(m.nnz)),
        bytes(m.type->size),
        iso(m.iso),
        offsets{here.read(m.offsets), m.wide},
        column(here.read_as<std::uint32_t>(m.column_indices)),
        values(here.read_as<std::byte>(m.values)) {}
  std::size_t value_at(std::size_t entry) const { return iso ? 0 : entry; }
};

}  // namespace tropic::detail::on_cpu
