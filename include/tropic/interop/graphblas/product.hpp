// SPDX-License-Identifier: Apache-2.0
#pragma once

// GrB_mxv on a device of ours: GraphBLAS objects in, GraphBLAS vector out.

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include <tropic/detail/operations.hpp>
#include <tropic/interop/graphblas/operators.hpp>
#include <tropic/interop/graphblas/standard.hpp>

namespace tropic::graphblas {

/// A copy of a GraphBLAS matrix on a device, which stays there from product to product. It is that
/// of the moment when it was made or refreshed: what is done to the GrB_Matrix later is not seen
/// before refresh(). The matrix itself is only read, and is not needed between two refreshes.
class resident {
 public:
  /// Throws usage_error for types that Tropic has not and dimensions past 2^32, and whatever
  /// a device throws that has no room.
  explicit resident(GrB_Matrix source, const context& where = context::automatic())
      : source_(source), where_(where), held_(read()) {}

  /// Reads the matrix again, which may have another type and shape by now. All or nothing.
  void refresh() { held_ = read(); }

  const context& where() const { return where_; }
  GrB_Matrix source() const { return source_; }
  index_t rows() const { return held_->plain.rows; }
  index_t columns() const { return held_->plain.columns; }
  index_t nvals() const { return held_->plain.nnz; }

  /// The matrix for a product that wants it to hold `type`; `values_matter` unless the multiply
  /// never looks at them: then one value stands for all.
  const tropic::detail::matrix_base& as(const type_description& type, bool values_matter) const {
    if (held_->plain.type->code == type.code) return held_->plain;
    if (values_matter)
      throw usage_error("mxv: A holds " + std::string(held_->plain.type->name) +
                        ", the semiring takes " + std::string(type.name) + "; nothing is typecast");
    const std::lock_guard lock(held_->mutex);
    auto found = held_->patterns.find(type.code);
    if (found == held_->patterns.end()) {
      tropic::detail::matrix_base pattern = held_->plain;
      pattern.type = &type;
      pattern.iso = true;
      pattern.values = internal::make_buffer(where_.state(), type.size);
      std::memset(pattern.values->host_write(), 0, type.size);
      pattern.value_version = tropic::detail::next_version();
      pattern.derived = std::make_shared<tropic::detail::derived_copies>();
      found = held_->patterns.emplace(type.code, std::move(pattern)).first;
    }
    return found->second;
  }

 private:
  struct contents {
    tropic::detail::matrix_base plain;
    std::mutex mutex;
    std::map<type_code, tropic::detail::matrix_base> patterns;
  };
  std::unique_ptr<contents> read() const {
    internal::check_object("resident: the matrix", source_);
    const type_description* type = internal::description_of(internal::type_of(source_));
    if (type == nullptr)
      throw usage_error("resident: the matrix holds " + internal::type_name(source_) +
                        ", which Tropic has not");
    auto made = std::make_unique<contents>();
    made->plain = internal::export_matrix(where_.state(), source_, *type, {});
    for (const auto& part : {made->plain.offsets, made->plain.column_indices, made->plain.values})
      if (part->bytes() > 0) part->device();  // moved now, not in the first product
    return made;
  }

  GrB_Matrix source_;
  context where_;
  std::unique_ptr<contents> held_;
};

namespace internal {

struct settings {
  bool transposed = false, replace = false, complemented = false, structural = false;
};
inline settings settings_of(GrB_Descriptor desc) {
  settings found;
  if (desc == nullptr) return found;
  const auto field = [desc](GrB_Desc_Field which) {
    int value = 0;
    check(GxB_Desc_get_INT32(desc, which, &value), "GxB_Desc_get", desc);
    return value;
  };
  found.transposed = field(GrB_INP0) == GrB_TRAN;
  found.replace = field(GrB_OUTP) == GrB_REPLACE;
  const int mask = field(GrB_MASK);
  found.complemented = mask == GrB_COMP || mask == GrB_COMP + GrB_STRUCTURE;
  found.structural = mask == GrB_STRUCTURE || mask == GrB_COMP + GrB_STRUCTURE;
  return found;
}

/// A vector's pattern with zeros of `type` for values.
inline vector_base pattern_of(const context_pointer& context, GrB_Vector v,
                              const type_description& type) {
  const GrB_Index size = shape_of(v).rows;
  GrB_Index count = entries_of(v);
  vector_base made = tropic::detail::empty_vector(context, type, static_cast<index_t>(size));
  if (count == 0) return made;
  const buffer_pointer wide = make_buffer(context, count * 8);
  auto* indices = static_cast<GrB_Index*>(writable(wide));
  // Positions alone may be asked for by any type's function that the vector's type casts to.
  const type_description* held = description_of(type_of(v));
  GrB_Info info = GrB_SUCCESS;
  if (held != nullptr)
    info = extract_tuples(held->code, indices, nullptr, &count, v);
  else
    info = GxB_Vector_extractTuples_FC64(indices, nullptr, &count, v);
  check(info, "GrB_Vector_extractTuples", v);
  std::sort(indices, indices + count);
  made.indices = narrowed(context, wide);
  made.values = make_buffer(context, count * type.size);
  std::memset(writable(made.values), 0, count * type.size);
  made.nvals = static_cast<index_t>(count);
  return made;
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
  write_vector(out, result, false);
  out.go(w);
}

}  // namespace internal

/// w<mask> accum= A u as GrB_mxv does it, computed where A resides. w, mask and u are GraphBLAS
/// vectors; mask, accum and desc may be GrB_NULL. The built-in semirings of mapped_semirings() and
/// built-in accumulators are known: another one is a usage_error that names it. The semiring's
/// types are those of A, u and w: nothing is typecast, but operands whose values the multiply does
/// not look at (pair, first, second, positional ones) may hold any type. (min, plus) and
/// (max, plus) saturate where GraphBLAS wraps (docs/operators.md); `any` may be any of its
/// operands, as there. The inputs are only read, finishing what is pending. Where it throws, w is
/// as it was.
inline void mxv(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring semiring,
                const resident& a, GrB_Vector u, GrB_Descriptor desc = nullptr) {
  using namespace internal;
  const mapped_semiring& known = find_semiring(semiring);
  const auto& state = a.where().state();
  const type_code operands = known.positional ? type_code::int64 : known.type;
  const std::optional<semiring_description> described = builtin_semiring(known.ours, operands);
  if (!described) throw usage_error("mxv: no " + std::string(known.ours) + " of that type");
  check_object("mxv: w", w, &described->z());
  const tropic::detail::matrix_base& matrix = a.as(described->a(), described->multiply.uses_x());
  const settings with = settings_of(desc);
  const vector_base operand =
      read_operand(state, "mxv: u", u, described->x(), described->multiply.uses_y());

  tropic::detail::output_options<vector_base> options;
  std::optional<operator_description> accumulator;
  if (accum != nullptr) {
    accumulator = find_accumulator(accum, described->z());
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
                           ? export_vector(state, w, described->z())
                           : tropic::detail::empty_vector(state, described->z(),
                                                          static_cast<index_t>(shape_of(w).rows));
  tropic::detail::multiply("mxv", result, *described, matrix, with.transposed, operand, false,
                           options);
  write_result(w, result);
}

/// The same for a matrix that is copied to `where` for this one product.
inline void mxv(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Semiring semiring,
                GrB_Matrix a, GrB_Vector u, GrB_Descriptor desc, const context& where) {
  if (a == nullptr) throw usage_error("mxv: A is GrB_NULL");
  mxv(w, mask, accum, semiring, resident(a, where), u, desc);
}

}  // namespace tropic::graphblas
