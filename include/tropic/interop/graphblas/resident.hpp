// SPDX-License-Identifier: Apache-2.0
#pragma once

// What products on a device of Tropic share: a GraphBLAS matrix that stays there, the settings of
// a descriptor, and the semiring of a GrB_Semiring.

#include <tropic/detail/pattern_copies.hpp>
#include <tropic/interop/graphblas/operators.hpp>
#include <tropic/interop/graphblas/standard.hpp>

namespace tropic::graphblas {

/// A copy of a GraphBLAS matrix on a device, which stays there from product to product. It is a
/// snapshot from its construction or the last refresh(): later changes to the GrB_Matrix are not
/// detected. The GrB_Matrix is only read, and is not needed between two refreshes.
class resident {
 public:
  /// Throws usage_error for types that Tropic does not have and dimensions greater than 2^32, and
  /// the errors of a device without sufficient memory.
  explicit resident(GrB_Matrix source, const context& where = context::automatic())
      : source_(source), where_(where), copies_(read()) {}

  /// Reads the matrix again; its type and shape may have changed. All or nothing.
  void refresh() { copies_ = read(); }

  const context& where() const { return where_; }
  GrB_Matrix source() const { return source_; }
  index_t rows() const { return copies_.matrix().rows; }
  index_t columns() const { return copies_.matrix().columns; }
  index_t nvals() const { return copies_.matrix().nnz; }

  /// The matrix as the first operand, A, of products over `semiring`. Its values have the
  /// semiring's type; if the multiply does not use them, the matrix may hold another one. `call`
  /// begins the message of the error.
  const tropic::detail::matrix_base& operand_of(const semiring_description& semiring,
                                                const char* call = "mxv") const {
    return of_type(semiring.a(), semiring.multiply.uses_x(), call, "A");
  }
  /// The same as the second operand, B.
  const tropic::detail::matrix_base& second_operand_of(const semiring_description& semiring,
                                                       const char* call = "mxm") const {
    return of_type(semiring.x(), semiring.multiply.uses_y(), call, "B");
  }
  /// The matrix as it is, for instance as a mask.
  const tropic::detail::matrix_base& matrix() const { return copies_.matrix(); }

 private:
  const tropic::detail::matrix_base& of_type(const type_description& type, bool values_matter,
                                             const char* call, const char* operand) const {
    const tropic::detail::matrix_base& matrix = copies_.matrix();
    if (matrix.type->code == type.code) return matrix;
    if (values_matter)
      throw usage_error(std::string(call) + ": " + operand + " holds " +
                        std::string(matrix.type->name) + ", the semiring takes " +
                        std::string(type.name) + "; nothing is typecast");
    return copies_.of_type(type);
  }
  tropic::detail::pattern_copies read() const {
    internal::check_object("resident: the matrix", source_);
    const type_description* type = internal::description_of(internal::type_of(source_));
    if (type == nullptr)
      throw usage_error("resident: the matrix holds " + internal::type_name(source_) +
                        ", a type that Tropic does not support");
    tropic::detail::matrix_base plain = internal::export_matrix(where_.state(), source_, *type, {});
    for (const auto& part : {plain.offsets, plain.column_indices, plain.values})
      if (part->bytes() > 0) part->device();  // transferred now, not in the first product
    return tropic::detail::pattern_copies(std::move(plain));
  }

  GrB_Matrix source_;
  context where_;
  tropic::detail::pattern_copies copies_;
};

namespace internal {

struct settings {
  bool transposed = false, second_transposed = false;  // GrB_INP0, GrB_INP1
  bool replace = false, complemented = false, structural = false;
};
inline settings settings_of(GrB_Descriptor desc) {
  settings found;
  if (desc == nullptr) return found;
  const auto field = [desc](GrB_Desc_Field name) {
    int value = 0;
    check(GxB_Desc_get_INT32(desc, name, &value), "GxB_Desc_get", desc);
    return value;
  };
  found.transposed = field(GrB_INP0) == GrB_TRAN;
  found.second_transposed = field(GrB_INP1) == GrB_TRAN;
  found.replace = field(GrB_OUTP) == GrB_REPLACE;
  const int mask = field(GrB_MASK);
  found.complemented = mask == GrB_COMP || mask == GrB_COMP + GrB_STRUCTURE;
  found.structural = mask == GrB_STRUCTURE || mask == GrB_COMP + GrB_STRUCTURE;
  return found;
}

inline semiring_description described(GrB_Semiring semiring, const char* call) {
  const mapped_semiring& known = find_semiring(semiring, call);
  const type_code operands = known.positional ? type_code::int64 : known.type;
  const std::optional<semiring_description> found = builtin_semiring(known.ours, operands);
  if (!found)
    throw usage_error(std::string(call) + ": no " + std::string(known.ours) + " of that type");
  return *found;
}

}  // namespace internal
}  // namespace tropic::graphblas
