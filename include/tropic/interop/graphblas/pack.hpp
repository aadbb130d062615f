// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contents in and out by pack and unpack: GraphBLAS 7 to 9. All indices have 64 bits.

#include <tropic/interop/graphblas/contents.hpp>

namespace tropic::graphblas::internal {

inline void unpack(GrB_Matrix a, contents& c) {
  GrB_Index *offsets = nullptr, *list = nullptr, *indices = nullptr;
  std::int8_t* present = nullptr;
  GrB_Info info = GrB_SUCCESS;
  switch (c.format) {
    case GxB_HYPERSPARSE:
      info = (c.by_column ? GxB_Matrix_unpack_HyperCSC : GxB_Matrix_unpack_HyperCSR)(
          a, &offsets, &list, &indices, &c.values.data, &c.offsets.bytes, &c.list.bytes,
          &c.indices.bytes, &c.values.bytes, &c.iso, &c.listed, &c.jumbled, nullptr);
      break;
    case GxB_BITMAP:
      info = (c.by_column ? GxB_Matrix_unpack_BitmapC : GxB_Matrix_unpack_BitmapR)(
          a, &present, &c.values.data, &c.present.bytes, &c.values.bytes, &c.iso, &c.entries,
          nullptr);
      break;
    case GxB_FULL:
      info = (c.by_column ? GxB_Matrix_unpack_FullC : GxB_Matrix_unpack_FullR)(
          a, &c.values.data, &c.values.bytes, &c.iso, nullptr);
      break;
    default:
      info = (c.by_column ? GxB_Matrix_unpack_CSC : GxB_Matrix_unpack_CSR)(
          a, &offsets, &indices, &c.values.data, &c.offsets.bytes, &c.indices.bytes,
          &c.values.bytes, &c.iso, &c.jumbled, nullptr);
  }
  check(info, "GxB_Matrix_unpack", a);
  c.offsets.data = offsets;
  c.list.data = list;
  c.indices.data = indices;
  c.present.data = present;
}

inline void unpack(GrB_Vector v, contents& c) {
  GrB_Index* indices = nullptr;
  std::int8_t* present = nullptr;
  GrB_Info info = GrB_SUCCESS;
  switch (c.format) {
    case GxB_BITMAP:
      info = GxB_Vector_unpack_Bitmap(v, &present, &c.values.data, &c.present.bytes,
                                      &c.values.bytes, &c.iso, &c.entries, nullptr);
      break;
    case GxB_FULL:
      info = GxB_Vector_unpack_Full(v, &c.values.data, &c.values.bytes, &c.iso, nullptr);
      break;
    default:
      c.format = GxB_SPARSE;
      info = GxB_Vector_unpack_CSC(v, &indices, &c.values.data, &c.indices.bytes, &c.values.bytes,
                                   &c.iso, &c.entries, &c.jumbled, nullptr);
  }
  check(info, "GxB_Vector_unpack", v);
  c.indices.data = indices;
  c.present.data = present;
}

/// Arrays that GraphBLAS took are null afterwards, also where it failed.
inline GrB_Info pack(GrB_Matrix a, contents& c) {
  auto* offsets = static_cast<GrB_Index*>(c.offsets.data);
  auto* list = static_cast<GrB_Index*>(c.list.data);
  auto* indices = static_cast<GrB_Index*>(c.indices.data);
  auto* present = static_cast<std::int8_t*>(c.present.data);
  GrB_Info info = GrB_SUCCESS;
  switch (c.format) {
    case GxB_HYPERSPARSE:
      info = (c.by_column ? GxB_Matrix_pack_HyperCSC : GxB_Matrix_pack_HyperCSR)(
          a, &offsets, &list, &indices, &c.values.data, c.offsets.bytes, c.list.bytes,
          c.indices.bytes, c.values.bytes, c.iso, c.listed, c.jumbled, nullptr);
      break;
    case GxB_BITMAP:
      info = (c.by_column ? GxB_Matrix_pack_BitmapC : GxB_Matrix_pack_BitmapR)(
          a, &present, &c.values.data, c.present.bytes, c.values.bytes, c.iso, c.entries, nullptr);
      break;
    case GxB_FULL:
      info = (c.by_column ? GxB_Matrix_pack_FullC : GxB_Matrix_pack_FullR)(
          a, &c.values.data, c.values.bytes, c.iso, nullptr);
      break;
    default:
      info = (c.by_column ? GxB_Matrix_pack_CSC : GxB_Matrix_pack_CSR)(
          a, &offsets, &indices, &c.values.data, c.offsets.bytes, c.indices.bytes, c.values.bytes,
          c.iso, c.jumbled, nullptr);
  }
  c.offsets.data = offsets;
  c.list.data = list;
  c.indices.data = indices;
  c.present.data = present;
  return info;
}

inline GrB_Info pack(GrB_Vector v, contents& c) {
  auto* indices = static_cast<GrB_Index*>(c.indices.data);
  auto* present = static_cast<std::int8_t*>(c.present.data);
  GrB_Info info = GrB_SUCCESS;
  switch (c.format) {
    case GxB_BITMAP:
      info = GxB_Vector_pack_Bitmap(v, &present, &c.values.data, c.present.bytes, c.values.bytes,
                                    c.iso, c.entries, nullptr);
      break;
    case GxB_FULL:
      info = GxB_Vector_pack_Full(v, &c.values.data, c.values.bytes, c.iso, nullptr);
      break;
    default:
      info = GxB_Vector_pack_CSC(v, &indices, &c.values.data, c.indices.bytes, c.values.bytes,
                                 c.iso, c.entries, c.jumbled, nullptr);
  }
  c.indices.data = indices;
  c.present.data = present;
  return info;
}

inline bool is_by_column(GrB_Matrix a) {
  int order = 0;
  check(GxB_Matrix_Option_get_INT32(a, GxB_FORMAT, &order), "GxB_Matrix_Option_get", a);
  return order == GxB_BY_COL;
}
inline bool is_by_column(GrB_Vector) {
  return true;
}

/// The contents of an object, taken out of it. The destructor puts them back unless keep() was
/// called.
template <class Object>
class taken_out {
 public:
  explicit taken_out(Object from) : all(sized_as(from)), from_(from) {
    if (all.entries == 0) return;  // nothing to take
    all.format = format_of(from);
    all.by_column = is_by_column(from);
    const memory_functions used = functions();
    release_ = used.release;
    // Packing a sparse vector allocates a few bytes, which are held for it.
    reserve_ = block(64);
    unpack(from, all);
    is_out_ = true;
  }
  taken_out(const taken_out&) = delete;
  taken_out& operator=(const taken_out&) = delete;
  ~taken_out() {
    if (!is_out_) return;
    reserve_ = block();
    if (pack(from_, all) != GrB_SUCCESS) pack(from_, all);
    free_rest();  // if that failed as well, at least nothing leaks
  }

  /// Keeps the contents out. Arrays that were taken over stay with their new owner; the others are
  /// freed.
  void keep() noexcept {
    if (!is_out_) return;
    is_out_ = false;
    all.hand_over(release_);
    free_rest();
  }

  contents all;

 private:
  void free_rest() noexcept {
    all.for_each_array([this](array& one) {
      if (one.data != nullptr) release_(std::exchange(one.data, nullptr));
    });
  }

  Object from_;
  bool is_out_ = false;
  block reserve_;
  void (*release_)(void*) = nullptr;
};

/// Replaces the contents of an object by arrays of GraphBLAS's allocator. If that fails, the object
/// is unchanged and the caller still owns the arrays.
template <class Object>
void put_in(Object into, contents& fresh) {
  taken_out<Object> former(into);
  if (fresh.entries > 0) check(pack(into, fresh), "pack", into);
  former.keep();
}

}  // namespace tropic::graphblas::internal
