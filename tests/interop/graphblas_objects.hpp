// SPDX-License-Identifier: Apache-2.0
#pragma once

// GraphBLAS objects in every format, and access to their arrays.

#include <tropic/interop/graphblas.hpp>
#include <vector>

#include "backends/graphblas/support.hpp"
#include "support/compare.hpp"
#include "support/host_data.hpp"

namespace tropic::testing {

inline constexpr type_code all_types[] = {type_code::boolean, type_code::int8,   type_code::int16,
                                          type_code::int32,   type_code::int64,  type_code::uint8,
                                          type_code::uint16,  type_code::uint32, type_code::uint64,
                                          type_code::fp32,    type_code::fp64};

/// Whether GraphBLAS holds indices in 32 bits where they fit.
inline constexpr bool narrow_indices = GxB_IMPLEMENTATION_MAJOR >= 10;

/// The context of these tests.
inline const context& here() {
  static const context result = context::cpu();
  return result;
}

/// The layout that GraphBLAS shall use for an object.
struct held {
  int format = GxB_SPARSE;
  bool by_column = false, iso = false, jumbled = false;
};
std::string to_text(const held& layout);
std::vector<held> every_way_to_hold_a_matrix();
std::vector<held> every_way_to_hold_a_vector();

/// Without gaps if `layout` is full, with a single value if it is iso.
host_matrix data_for(const type_description& type, index_t rows, index_t columns,
                     const held& layout, dice& random);
host_vector data_for(const type_description& type, index_t size, const held& layout, dice& random);

graphblas::owned_matrix object_of(const host_matrix& data, const held& layout);
graphblas::owned_vector object_of(const host_vector& data, const held& layout);

/// The addresses of an object's arrays. It is unpacked for this and packed again.
struct addresses {
  const void *offsets = nullptr, *indices = nullptr, *present = nullptr, *values = nullptr;
  bool iso = false;  // GraphBLAS also detects this by itself
};
addresses look_at(GrB_Matrix a);
addresses look_at(GrB_Vector v);

/// The entries of a valid object; throws if GraphBLAS's own check reports an error.
host_matrix entries_of(const type_description& type, GrB_Matrix a);
host_vector entries_of(const type_description& type, GrB_Vector v);

/// Typed calls selected by a run-time type.
detail::matrix_base copy_matrix(const context& where, type_code code, GrB_Matrix a,
                                std::optional<GrB_Format> format = {});
detail::matrix_base take_matrix(const context& where, type_code code, GrB_Matrix a);
graphblas::owned_matrix copy_matrix(const detail::matrix_base& m, GrB_Format format);
graphblas::owned_matrix give_matrix(detail::matrix_base m);
detail::vector_base copy_vector(const context& where, type_code code, GrB_Vector v);
detail::vector_base take_vector(const context& where, type_code code, GrB_Vector v);
graphblas::owned_vector copy_vector(const detail::vector_base& v);
graphblas::owned_vector give_vector(detail::vector_base v);

}  // namespace tropic::testing
