// SPDX-License-Identifier: Apache-2.0
#include "interop/graphblas_objects.hpp"

#include <algorithm>
#include <cstring>

namespace tropic::testing {

namespace internal = graphblas::internal;

std::string to_text(const held& layout) {
  const char* format = layout.format == GxB_HYPERSPARSE ? "hypersparse"
                       : layout.format == GxB_BITMAP    ? "bitmap"
                       : layout.format == GxB_FULL      ? "full"
                                                        : "sparse";
  return std::string(format) + (layout.by_column ? " by column" : " by row") +
         (layout.iso ? ", iso" : "") + (layout.jumbled ? ", jumbled" : "");
}

std::vector<held> every_way_to_hold_a_matrix() {
  std::vector<held> all;
  for (const int format : {GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL})
    for (const bool by_column : {false, true})
      for (const bool iso : {false, true})
        for (const bool jumbled : {false, true})
          if (!jumbled || format == GxB_HYPERSPARSE || format == GxB_SPARSE)
            all.push_back({format, by_column, iso, jumbled});
  return all;
}
std::vector<held> every_way_to_hold_a_vector() {
  std::vector<held> all;
  for (const int format : {GxB_SPARSE, GxB_BITMAP, GxB_FULL})
    for (const bool iso : {false, true})
      for (const bool jumbled : {false, true})
        if (!jumbled || format == GxB_SPARSE) all.push_back({format, true, iso, jumbled});
  return all;
}

host_matrix data_for(const type_description& type, index_t rows, index_t columns,
                     const held& layout, dice& random) {
  const double density = layout.format == GxB_FULL ? 1.0 : 0.3;
  host_matrix result = random_matrix(type, rows, columns, density, flavour::weighted, random);
  if (layout.iso) make_iso(result);
  return result;
}
host_vector data_for(const type_description& type, index_t size, const held& layout, dice& random) {
  const double density = layout.format == GxB_FULL ? 1.0 : 0.4;
  host_vector result = random_vector(type, size, density, flavour::weighted, random);
  if (layout.iso && !result.entries.empty())
    for (auto& [i, value] : result.entries) value = result.entries.begin()->second;
  return result;
}

namespace {

// Modifies the arrays in place; `out` puts them back into the object.
template <class Object>
void hold(Object object, const type_description& type, const held& layout) {
  internal::taken_out<Object> out(object);
  internal::contents& c = out.all;
  if (c.entries == 0) return;
  if (layout.iso) c.iso = true;  // the first of many equal values is used for all
  if (!layout.jumbled) return;
  c.jumbled = true;
  const auto reverse = [&](std::uint64_t begin, std::uint64_t end) {
    if (c.indices.narrow)
      std::reverse(static_cast<std::uint32_t*>(c.indices.data) + begin,
                   static_cast<std::uint32_t*>(c.indices.data) + end);
    else
      std::reverse(static_cast<std::uint64_t*>(c.indices.data) + begin,
                   static_cast<std::uint64_t*>(c.indices.data) + end);
    if (c.iso) return;
    auto* values = static_cast<std::byte*>(c.values.data);
    for (std::uint64_t a = begin, b = end; a + 1 < b; ++a, --b)
      std::swap_ranges(values + a * type.size, values + (a + 1) * type.size,
                       values + (b - 1) * type.size);
  };
  if (c.offsets.data == nullptr) {  // a vector before version 10
    reverse(0, c.entries);
    return;
  }
  const std::uint64_t majors = c.format == GxB_HYPERSPARSE ? c.listed
                               : c.by_column               ? c.columns
                                                           : c.rows;
  for (std::uint64_t n = 0; n < majors; ++n) reverse(c.offsets.index(n), c.offsets.index(n + 1));
}

}  // namespace

graphblas::owned_matrix object_of(const host_matrix& data, const held& layout) {
  graphblas::owned_matrix result = internal::new_matrix(*data.type, data.rows, data.columns);
  const peer::peer_matrix from = peer::to_peer(data);
  const int order = layout.by_column ? GxB_BY_COL : GxB_BY_ROW;
  TROPIC_GRB(GxB_Matrix_Option_set_INT32(result, GxB_FORMAT, order));
  TROPIC_GRB(GxB_Matrix_Option_set_INT32(result, GxB_SPARSITY_CONTROL, layout.format));
  TROPIC_GRB(GrB_Matrix_assign(result, nullptr, nullptr, from, GrB_ALL,
                               static_cast<GrB_Index>(data.rows), GrB_ALL,
                               static_cast<GrB_Index>(data.columns), nullptr));
  hold(result.get(), *data.type, layout);
  return result;
}
graphblas::owned_vector object_of(const host_vector& data, const held& layout) {
  graphblas::owned_vector result = internal::new_vector(*data.type, data.size);
  const peer::peer_vector from = peer::to_peer(data);
  TROPIC_GRB(GxB_Vector_Option_set_INT32(result, GxB_SPARSITY_CONTROL, layout.format));
  TROPIC_GRB(GrB_Vector_assign(result, nullptr, nullptr, from, GrB_ALL,
                               static_cast<GrB_Index>(data.size), nullptr));
  hold(result.get(), *data.type, layout);
  return result;
}

addresses look_at(GrB_Matrix a) {
  const internal::taken_out<GrB_Matrix> out(a);
  return {out.all.offsets.data, out.all.indices.data, out.all.present.data, out.all.values.data,
          out.all.iso};
}
addresses look_at(GrB_Vector v) {
  const internal::taken_out<GrB_Vector> out(v);
  return {out.all.offsets.data, out.all.indices.data, out.all.present.data, out.all.values.data,
          out.all.iso};
}

host_matrix entries_of(const type_description& type, GrB_Matrix a) {
  TROPIC_GRB(GxB_Matrix_fprint(a, "", GxB_SILENT, nullptr));
  return peer::from_peer(type, a);
}
host_vector entries_of(const type_description& type, GrB_Vector v) {
  TROPIC_GRB(GxB_Vector_fprint(v, "", GxB_SILENT, nullptr));
  return peer::from_peer(type, v);
}

detail::matrix_base copy_matrix(const context& where, type_code code, GrB_Matrix a,
                                std::optional<GrB_Format> format) {
  return with_builtin_type(code,
                           [&]<class T>() { return graphblas::copy<T>(where, a, format).base(); });
}
detail::matrix_base take_matrix(const context& where, type_code code, GrB_Matrix a) {
  return with_builtin_type(
      code, [&]<class T>() { return std::move(graphblas::take<T>(where, a).base()); });
}
graphblas::owned_matrix copy_matrix(const detail::matrix_base& m, GrB_Format format) {
  return with_builtin_type(m.type->code,
                           [&]<class T>() { return graphblas::copy(matrix<T>(m), format); });
}
graphblas::owned_matrix give_matrix(detail::matrix_base m) {
  return with_builtin_type(m.type->code,
                           [&]<class T>() { return graphblas::give(matrix<T>(std::move(m))); });
}
detail::vector_base copy_vector(const context& where, type_code code, GrB_Vector v) {
  return with_builtin_type(code, [&]<class T>() { return graphblas::copy<T>(where, v).base(); });
}
detail::vector_base take_vector(const context& where, type_code code, GrB_Vector v) {
  return with_builtin_type(
      code, [&]<class T>() { return std::move(graphblas::take<T>(where, v).base()); });
}
graphblas::owned_vector copy_vector(const detail::vector_base& v) {
  return with_builtin_type(v.type->code, [&]<class T>() { return graphblas::copy(vector<T>(v)); });
}
graphblas::owned_vector give_vector(detail::vector_base v) {
  return with_builtin_type(v.type->code,
                           [&]<class T>() { return graphblas::give(vector<T>(std::move(v))); });
}

}  // namespace tropic::testing
