// SPDX-License-Identifier: Apache-2.0
#pragma once

// GrB_mxm computed on a device of Tropic: GraphBLAS objects in, GraphBLAS matrix out.

#include <algorithm>
#include <cstring>

#include <tropic/detail/operations.hpp>
#include <tropic/interop/graphblas/resident.hpp>

namespace tropic::graphblas {

/// The mask of mxm: a GrB_Matrix, which is copied for the call, or one that is resident already.
/// GrB_NULL is no mask.
class matrix_mask_operand {
 public:
  matrix_mask_operand(GrB_Matrix mask) : object_(mask) {}
  matrix_mask_operand(const resident& mask) : resident_(&mask) {}

  GrB_Matrix object() const { return object_; }
  const resident* on_device() const { return resident_; }
  bool is_given() const { return object_ != nullptr || resident_ != nullptr; }

 private:
  GrB_Matrix object_ = nullptr;
  const resident* resident_ = nullptr;
};

namespace internal {

/// A matrix's pattern with a zero for the value of all entries.
inline matrix_base pattern_of(const context_pointer& context, GrB_Matrix a) {
  const type_description& type = describe<bool>();
  const shape size = shape_of(a);
  GrB_Index count = entries_of(a);
  const auto rows = static_cast<index_t>(size.rows), columns = static_cast<index_t>(size.columns);
  if (count == 0) return tropic::detail::empty_matrix(context, type, rows, columns);
  const buffer_pointer i = make_buffer(context, count * 8), j = make_buffer(context, count * 8);
  const buffer_pointer zeros = make_buffer(context, count);
  // Any built-in type can be extracted as complex numbers; values are not wanted.
  check(GxB_Matrix_extractTuples_FC64(static_cast<GrB_Index*>(writable(i)),
                                      static_cast<GrB_Index*>(writable(j)), nullptr, &count, a),
        "GrB_Matrix_extractTuples", a);
  std::memset(writable(zeros), 0, count);
  const buffer_pointer row = narrowed(context, i), column = narrowed(context, j);
  return tropic::detail::build_matrix(
      context, type, rows, columns, {static_cast<const std::uint32_t*>(row->host()), count},
      {static_cast<const std::uint32_t*>(column->host()), count}, zeros->host(),
      tropic::detail::value_layout::per_entry, duplicates::error);
}

/// The mask of an output of that shape as a matrix; `holder` keeps one that had to be copied.
inline const matrix_base* mask_of(const context_pointer& context, const matrix_mask_operand& mask,
                                  const settings& with, const shape& output, matrix_base& holder) {
  if (mask.on_device() != nullptr) return &mask.on_device()->matrix();
  if (mask.object() == nullptr) {
    // The complement of a mask that is all true: nothing is written.
    holder =
        tropic::detail::empty_matrix(context, describe<bool>(), static_cast<index_t>(output.rows),
                                     static_cast<index_t>(output.columns));
    return &holder;
  }
  check_object("mxm: the mask", mask.object());
  const type_description* type = description_of(type_of(mask.object()));
  if (type == nullptr && !with.structural)
    throw usage_error("mxm: the mask holds " + type_name(mask.object()) +
                      ", which has no zero here; GrB_STRUCTURE does without values");
  holder = type == nullptr ? pattern_of(context, mask.object())
                           : export_matrix(context, mask.object(), *type, {});
  return &holder;
}

/// The result in the place of what c held. c keeps its orientation.
inline void write_result(GrB_Matrix c, const matrix_base& result) {
  int order = GxB_BY_ROW;
  check(GxB_Matrix_Option_get_INT32(c, GxB_FORMAT, &order), "GxB_Matrix_Option_get", c);
  outgoing out;
  write_matrix(out, result, transfer::copy);
  out.go(c);
  // Entries do not depend on the orientation: if there is no memory for turning them, c is right.
  if (order != GxB_BY_ROW) GxB_Matrix_Option_set_INT32(c, GxB_FORMAT, order);
}

}  // namespace internal

/// C<mask> accum= A B, as GrB_mxm computes it, on the device where A and B reside. Both must be in
/// one context. c is a GraphBLAS matrix; the mask is a GraphBLAS matrix or a resident. mask, accum
/// and desc may be GrB_NULL. Semirings, accumulators and types are as for mxv; the values of b have
/// the type of the multiply's second operand. Sums are taken in ascending order of k, so the bits
/// are the same on every device. The inputs are only read, which finishes their pending operations.
/// Throws usage_error; out_of_memory with the size of the result; graphblas_error. c is then
/// unchanged.
inline void mxm(GrB_Matrix c, const matrix_mask_operand& mask, GrB_BinaryOp accum,
                GrB_Semiring semiring, const resident& a, const resident& b,
                GrB_Descriptor desc = nullptr) {
  using namespace internal;
  const semiring_description algebra = described(semiring, "mxm");
  const auto& state = a.where().state();
  check_object("mxm: C", c, &algebra.z());
  const matrix_base& first = a.operand_of(algebra, "mxm");
  const matrix_base& second = b.second_operand_of(algebra, "mxm");
  const settings with = settings_of(desc);
  const shape size = shape_of(c);

  tropic::detail::output_options<matrix_base> options;
  std::optional<operator_description> accumulator;
  if (accum != nullptr) {
    accumulator = find_accumulator(accum, algebra.z(), "mxm");
    options.accumulator = &*accumulator;
  }
  options.replace = with.replace;
  matrix_base holder;
  if (mask.is_given() || with.complemented)
    options.mask = {mask_of(state, mask, with, size, holder), with.structural,
                    mask.is_given() && with.complemented};

  const bool needs_former = accum != nullptr || (options.mask.container && !with.replace);
  matrix_base result = needs_former ? export_matrix(state, c, algebra.z(), {})
                                    : tropic::detail::empty_matrix(
                                          state, algebra.z(), static_cast<index_t>(size.rows),
                                          static_cast<index_t>(size.columns));
  tropic::detail::mxm(result, algebra, {.matrix = first, .transposed = with.transposed},
                      {.matrix = second, .transposed = with.second_transposed}, options);
  write_result(c, result);
}

/// The same for matrices that are copied to `where` for this one product, once if they are one.
inline void mxm(GrB_Matrix c, const matrix_mask_operand& mask, GrB_BinaryOp accum,
                GrB_Semiring semiring, GrB_Matrix a, GrB_Matrix b, GrB_Descriptor desc,
                const context& where) {
  if (a == nullptr) throw usage_error("mxm: A is GrB_NULL");
  if (b == nullptr) throw usage_error("mxm: B is GrB_NULL");
  const resident first(a, where);
  if (a == b) return mxm(c, mask, accum, semiring, first, first, desc);
  mxm(c, mask, accum, semiring, first, resident(b, where), desc);
}

}  // namespace tropic::graphblas
