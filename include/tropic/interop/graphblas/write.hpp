// SPDX-License-Identifier: Apache-2.0
#pragma once

// From Tropic's containers to GraphBLAS's arrays, in memory of its allocator. An array that came
// from GraphBLAS, and that has no other user, is returned without a copy.

#include <cstring>

#include <tropic/interop/graphblas/read.hpp>

namespace tropic::graphblas::internal {

// GraphBLAS before version 10 has 64-bit indices alone.
inline constexpr bool has_narrow_indices = GxB_IMPLEMENTATION_MAJOR >= 10;

/// Contents on their way into GraphBLAS: arrays of its allocator that are freed here unless they
/// went, and those that are returned.
struct outgoing {
  contents all;
  block offsets, present, indices, values;
  std::vector<std::shared_ptr<foreign_array>> returned;

  outgoing() { returned.reserve(4); }
  outgoing(const outgoing&) = delete;
  outgoing& operator=(const outgoing&) = delete;

  void* allocate(array& one, block& memory, std::size_t bytes) {
    memory = block(bytes);
    one.data = memory.data();
    one.bytes = bytes;
    return one.data;
  }
  /// Puts it all into `into`, which is as it was where that fails.
  template <class Object>
  void go(Object into) {
#if GxB_IMPLEMENTATION_MAJOR >= 10
    label_arrays(all, type_of(into), description_of(type_of(into))->size);
#endif
    try {
      put_in(into, all);
    } catch (...) {
      forget_gone();
      throw;
    }
    forget_gone();
  }

 private:
  void forget_gone() noexcept {
    for (auto& [one, memory] :
         {std::pair{&all.offsets, &offsets}, std::pair{&all.present, &present},
          std::pair{&all.indices, &indices}, std::pair{&all.values, &values}})
      if (one->data == nullptr) {
        memory->hand_over();
        if (one->new_owner != nullptr) one->new_owner->release = nullptr;
      }
  }
};

/// Whether the array came from GraphBLAS and `held` is its only user: then it can be returned.
inline bool can_return(const buffer_pointer& held, array& to) {
  if (held == nullptr || held.use_count() != 1 || held->bytes() == 0) return false;
  const std::shared_ptr<const void>& owner = held->owner();
  if (owner.use_count() != 1 || std::get_deleter<delete_foreign_array>(owner) == nullptr)
    return false;
  to.new_owner = std::static_pointer_cast<foreign_array>(std::const_pointer_cast<void>(owner));
  to.data = to.new_owner->data;
  to.bytes = held->bytes();
  return true;
}

enum class transfer { copy, move };

inline void write_values(outgoing& o, const buffer_pointer& from, std::size_t bytes,
                         transfer mode) {
  if (mode == transfer::move && can_return(from, o.all.values)) return;
  void* to = o.allocate(o.all.values, o.values, bytes);
  if (bytes > 0) std::memcpy(to, from->host(), bytes);
}
/// `wide`: the indices in `from` have 64 bits.
inline void write_indices(outgoing& o, array& to, block& memory, const buffer_pointer& from,
                          std::size_t count, bool wide, transfer mode) {
  const bool same_width = wide || has_narrow_indices;
  to.narrow = !wide && has_narrow_indices;
  if (same_width && mode == transfer::move && can_return(from, to)) return;
  void* copy = o.allocate(to, memory, count * (to.narrow ? 4 : 8));
  if (count == 0) return;
  if (same_width) {
    std::memcpy(copy, from->host(), to.bytes);
    return;
  }
  const auto* narrow = static_cast<const std::uint32_t*>(from->host());
  auto* widened = static_cast<std::uint64_t*>(copy);
  for (std::size_t n = 0; n < count; ++n) widened[n] = narrow[n];
}

/// transfer::move: the container is not used afterwards, its arrays may be handed over.
inline void write_matrix(outgoing& o, const matrix_base& m, transfer mode) {
  contents& c = o.all;
  c.rows = static_cast<GrB_Index>(m.rows);
  c.columns = static_cast<GrB_Index>(m.columns);
  c.entries = static_cast<GrB_Index>(m.nnz);
  c.iso = m.iso;
  if (c.entries == 0) return;
  write_indices(o, c.offsets, o.offsets, m.offsets, c.rows + 1, m.wide, mode);
  write_indices(o, c.indices, o.indices, m.column_indices, c.entries, false, mode);
  write_values(o, m.values, (m.iso ? 1 : c.entries) * m.type->size, mode);
}

inline void write_vector(outgoing& o, const vector_base& v, transfer mode) {
  contents& c = o.all;
  c.rows = static_cast<GrB_Index>(v.size);
  c.columns = 1;
  c.entries = static_cast<GrB_Index>(index_t{v.nvals});
  c.by_column = true;
  if (c.entries == 0) return;
  if (v.storage == vector_storage::sparse) {
    write_indices(o, c.indices, o.indices, v.indices, c.entries, false, mode);
    if (has_narrow_indices) {  // a vector is a matrix of one column there, with its offsets
      auto* ends = static_cast<std::uint64_t*>(o.allocate(c.offsets, o.offsets, 16));
      ends[0] = 0;
      ends[1] = c.entries;
    }
  } else if (v.storage == vector_storage::bitmap) {
    c.format = GxB_BITMAP;
    if (mode == transfer::copy || !can_return(v.present, c.present)) {
      void* to = o.allocate(c.present, o.present, c.rows);
      std::memcpy(to, v.present->host(), c.rows);
    }
  } else {
    c.format = GxB_FULL;
  }
  write_values(o, v.values,
               (v.storage == vector_storage::sparse ? c.entries : c.rows) * v.type->size, mode);
}

inline owned_matrix new_matrix(const type_description& type, index_t rows, index_t columns) {
  GrB_Matrix object = nullptr;
  check(GrB_Matrix_new(&object, type_of(type.code), static_cast<GrB_Index>(rows),
                       static_cast<GrB_Index>(columns)),
        "GrB_Matrix_new");
  return owned_matrix(object);
}
inline owned_vector new_vector(const type_description& type, index_t size) {
  GrB_Vector object = nullptr;
  check(GrB_Vector_new(&object, type_of(type.code), static_cast<GrB_Index>(size)),
        "GrB_Vector_new");
  return owned_vector(object);
}

}  // namespace tropic::graphblas::internal
