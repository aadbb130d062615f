// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contents in and out by Containers: GraphBLAS 10 and later. The width of indices, 32 or 64 bits,
// may differ between arrays.

#include <tropic/interop/graphblas/contents.hpp>

namespace tropic::graphblas::internal {

struct free_container {
  void operator()(GxB_Container c) const { GxB_Container_free(&c); }
};
using container = std::unique_ptr<GxB_Container_struct, free_container>;
inline container new_container() {
  GxB_Container created = nullptr;
  check(GxB_Container_new(&created), "GxB_Container_new");
  return container(created);
}

inline GrB_Info unload(GrB_Matrix a, GxB_Container c) {
  return GxB_unload_Matrix_into_Container(a, c, nullptr);
}
inline GrB_Info unload(GrB_Vector v, GxB_Container c) {
  return GxB_unload_Vector_into_Container(v, c, nullptr);
}
inline GrB_Info load(GrB_Matrix a, GxB_Container c) {
  return GxB_load_Matrix_from_Container(a, c, nullptr);
}
inline GrB_Info load(GrB_Vector v, GxB_Container c) {
  return GxB_load_Vector_from_Container(v, c, nullptr);
}
inline owned_matrix empty_like(GrB_Matrix a) {
  const shape size = shape_of(a);
  GrB_Matrix created = nullptr;
  check(GrB_Matrix_new(&created, type_of(a), size.rows, size.columns), "GrB_Matrix_new");
  owned_matrix result(created);
  int order = 0;
  check(GxB_Matrix_Option_get_INT32(a, GxB_FORMAT, &order), "GxB_Matrix_Option_get", a);
  check(GxB_Matrix_Option_set_INT32(created, GxB_FORMAT, order), "GxB_Matrix_Option_set", created);
  return result;
}
inline owned_vector empty_like(GrB_Vector v) {
  GrB_Vector created = nullptr;
  check(GrB_Vector_new(&created, type_of(v), shape_of(v).rows), "GrB_Vector_new");
  return owned_vector(created);
}

inline GrB_Info take_array(GrB_Vector from, array& to) {
  const GrB_Info info =
      GxB_Vector_unload(from, &to.data, &to.type, &to.count, &to.bytes, &to.handling, nullptr);
  to.narrow = to.type == GrB_INT32 || to.type == GrB_UINT32;
  to.may_be_moved = to.handling == GrB_DEFAULT;
  return info;
}
inline GrB_Info put_array(GrB_Vector into, array& from) {
  if (from.data == nullptr) return GrB_SUCCESS;
  return GxB_Vector_load(into, &from.data, from.type, from.count, from.bytes, from.handling,
                         nullptr);
}
/// Arrays that the container took are null afterwards, also if it failed.
inline GrB_Info put_arrays(GxB_Container into, contents& c) {
  GrB_Info info = put_array(into->p, c.offsets);
  if (info == GrB_SUCCESS) info = put_array(into->h, c.list);
  if (info == GrB_SUCCESS) info = put_array(into->b, c.present);
  if (info == GrB_SUCCESS) info = put_array(into->i, c.indices);
  if (info == GrB_SUCCESS) info = put_array(into->x, c.values);
  return info;
}

/// The contents of an object, taken out of it. The destructor puts them back unless keep() was
/// called.
template <class Object>
class taken_out {
 public:
  explicit taken_out(Object from) : all(sized_as(from)), from_(from) {
    if (all.entries == 0) return;  // nothing to take
    release_ = functions().release;
    // Unloading leaves an object of 0x0; its replacement is created before anything is changed.
    replacement_ = new_container();
    check(unload(empty_like(from).get(), replacement_.get()), "GxB_unload_into_Container");
    out_ = new_container();
    check(unload(from, out_.get()), "GxB_unload_into_Container", from);
    is_out_ = true;
    remember_scalars();
    GrB_Info info = take_array(out_->p, all.offsets);
    if (info == GrB_SUCCESS) info = take_array(out_->h, all.list);
    if (info == GrB_SUCCESS) info = take_array(out_->b, all.present);
    if (info == GrB_SUCCESS) info = take_array(out_->i, all.indices);
    if (info == GrB_SUCCESS) info = take_array(out_->x, all.values);
    all.listed = all.list.count;
    if (info != GrB_SUCCESS) {
      put_back();
      check(info, "GxB_Vector_unload");
    }
  }
  taken_out(const taken_out&) = delete;
  taken_out& operator=(const taken_out&) = delete;
  ~taken_out() {
    if (is_out_) put_back();
  }

  /// Keeps the contents out. Arrays that were taken over stay with their new owner; the others are
  /// freed.
  void keep() noexcept {
    if (!is_out_) return;
    is_out_ = false;
    all.hand_over(release_);
    put_arrays(out_.get(), all);  // which frees them
    out_.reset();
    load(from_, replacement_.get());
  }

  contents all;

 private:
  void remember_scalars() {
    all.format = out_->format;
    all.by_column = out_->orientation == GrB_COLMAJOR;
    all.iso = out_->iso;
    all.jumbled = out_->jumbled;
  }
  void put_back() noexcept {
    is_out_ = false;
    put_arrays(out_.get(), all);
    out_->iso = all.iso;
    out_->jumbled = all.jumbled;
    load(from_, out_.get());
  }

  Object from_;
  bool is_out_ = false;
  container out_, replacement_;
  void (*release_)(void*) = nullptr;
};

/// Describes the arrays of new contents to GraphBLAS.
inline void label_arrays(contents& c, GrB_Type type, std::size_t value_bytes) {
  const auto indices = [](array& one) {
    one.type = one.narrow ? GrB_UINT32 : GrB_UINT64;
    one.count = one.bytes / (one.narrow ? 4 : 8);
  };
  indices(c.offsets);
  indices(c.indices);
  c.present.type = GrB_INT8;
  c.present.count = c.present.bytes;
  c.values.type = type;
  c.values.count = c.values.bytes / value_bytes;
}

/// Replaces the contents of an object by arrays of GraphBLAS's allocator (or read-only ones). Only
/// the creation of the Container allocates, before the object is changed.
template <class Object>
void put_in(Object into, contents& fresh) {
  if (fresh.entries == 0) {
    taken_out<Object> former(into);
    former.keep();
    return;
  }
  const container c = new_container();
  c->nrows = fresh.rows;
  c->ncols = fresh.columns;
  c->nvals = fresh.entries;
  c->nrows_nonempty = c->ncols_nonempty = -1;
  c->format = fresh.format;
  c->orientation = fresh.by_column ? GrB_COLMAJOR : GrB_ROWMAJOR;
  c->iso = fresh.iso;
  c->jumbled = fresh.jumbled;
  check(put_arrays(c.get(), fresh), "GxB_Vector_load");
  check(load(into, c.get()), "GxB_load_from_Container", into);
}

}  // namespace tropic::graphblas::internal
