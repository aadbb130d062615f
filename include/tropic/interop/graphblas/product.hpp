// SPDX-License-Identifier: Apache-2.0
#pragma once

// GrB_mxv computed on a device of Tropic: GraphBLAS objects in, GraphBLAS vector out.

#include <algorithm>
#include <cstring>

#include <tropic/detail/operations.hpp>
#include <tropic/interop/graphblas/resident.hpp>

namespace tropic::graphblas {

namespace internal {

/// A vector's pattern with zeros of `type` for values.
inline vector_base pattern_of(const context_pointer& context, GrB_Vector v,
                              const type_description& type) {
  const GrB_Index size = shape_of(v).rows;
  GrB_Index count = entries_of(v);
  vector_base pattern = tropic::detail::empty_vector(context, type, static_cast<index_t>(size));
  if (count == 0) return pattern;
  const buffer_pointer wide = make_buffer(context, count * 8);
  auto* indices = static_cast<GrB_Index*>(writable(wide));
  // Positions can be extracted with the function of any type that the vector's type casts to.
  const type_description* held = description_of(type_of(v));
  GrB_Info info = GrB_SUCCESS;
  if (held != nullptr)
    info = extract_tuples(held->code, indices, nullptr, &count, v);
  else
    info = GxB_Vector_extractTuples_FC64(indices, nullptr, &count, v);
  check(info, "GrB_Vector_extractTuples", v);
  std::sort(indices, indices + count);
  pattern.indices = narrowed(context, wide);
  pattern.values = make_buffer(context, count * type.size);
  std::memset(writable(pattern.values), 0, count * type.size);
  pattern.nvals = static_cast<index_t>(count);
  return pattern;
}

inline vector_base read_operand(const context_pointer& context, const char* what, GrB_Vector v,
                                const type_description& type, bool values_matter) {
  check_object(what, v);
  const type_description* held = description_of(type_of(v));
  if (held != nullptr && held->code == type.code) return export_vector(context, v, type);
  if (!values_matter) return pattern_of(context, v, type);
  throw usage_error(std::string(what) + " holds " + type_name(v) + ", the semiring takes " +
                    std::string(type.name) + "; nothing is typecast");
}

/// The result in the place of what w held.
inline void write_result(GrB_Vector w, const vector_base& result) {
  outgoing out;
  write_vector(out, result, transfer::copy);
  out.go(w);
}

}  // namespace internal

/// w<mask> accum= A u, as GrB_mxv computes it, on the device where A resides. w, mask and u are
/// GraphBLAS vectors; mask, accum and desc may be GrB_NULL. The built-in semirings of
/// mapped_semirings() and the built-in accumulators are supported; others are a usage_error that
/// names them. The semiring's types must be those of A, u and w: nothing is typecast. Operands
/// whose values the multiply does not use (pair, first, second, positional ones) may hold any type.
/// (min, plus) and (max, plus) saturate where GraphBLAS wraps (docs/operators.md). `any` may return
/// any of its operands, as in GraphBLAS. The inputs are only read, which finishes their pending
/// operations. If the function throws, w is unchanged.
inline void mxv(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring semiring,
                const resident& a, GrB_Vector u, GrB_Descriptor desc = nullptr) {
  using namespace internal;
  const semiring_description algebra = described(semiring, "mxv");
  const auto& state = a.where().state();
  check_object("mxv: w", w, &algebra.z());
  const tropic::detail::matrix_base& matrix = a.operand_of(algebra);
  const settings with = settings_of(desc);
  const vector_base operand =
      read_operand(state, "mxv: u", u, algebra.x(), algebra.multiply.uses_y());

  tropic::detail::output_options<vector_base> options;
  std::optional<operator_description> accumulator;
  if (accum != nullptr) {
    accumulator = find_accumulator(accum, algebra.z(), "mxv");
    options.accumulator = &*accumulator;
  }
  options.replace = with.replace;
  vector_base mask_base;
  if (mask != nullptr) {
    check_object("mxv: the mask", mask);
    const type_description* type = description_of(type_of(mask));
    if (type == nullptr && !with.structural)
      throw usage_error("mxv: the mask holds " + type_name(mask) +
                        ", which has no zero here; GrB_STRUCTURE does without values");
    mask_base = with.structural ? pattern_of(state, mask, describe<bool>())
                                : export_vector(state, mask, *type);
  } else if (with.complemented) {  // of a mask that is all true: nothing is written
    mask_base = tropic::detail::empty_vector(state, describe<bool>(),
                                             static_cast<index_t>(shape_of(w).rows));
  }
  if (mask != nullptr || with.complemented)
    options.mask = {&mask_base, with.structural, mask != nullptr && with.complemented};

  const bool needs_former = accum != nullptr || (options.mask.container && !with.replace);
  vector_base result = needs_former
                           ? export_vector(state, w, algebra.z())
                           : tropic::detail::empty_vector(state, algebra.z(),
                                                          static_cast<index_t>(shape_of(w).rows));
  tropic::detail::multiply("mxv", result, algebra,
                           {.matrix = matrix, .transposed = with.transposed}, operand,
                           tropic::detail::factor_order::matrix_first, options);
  write_result(w, result);
}

/// The same for a matrix that is copied to `where` for this one product.
inline void mxv(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring semiring,
                GrB_Matrix a, GrB_Vector u, GrB_Descriptor desc, const context& where) {
  if (a == nullptr) throw usage_error("mxv: A is GrB_NULL");
  mxv(w, mask, accum, semiring, resident(a, where), u, desc);
}

}  // namespace tropic::graphblas
