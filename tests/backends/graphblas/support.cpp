// SPDX-License-Identifier: Apache-2.0
#include "backends/graphblas/support.hpp"

namespace tropic::testing::peer {

void check(GrB_Info info, const char* what) {
  if (info != GrB_SUCCESS && info != GrB_NO_VALUE)
    throw std::runtime_error(std::string(what) + " gives " + std::to_string(info));
}

#define TROPIC_PEER_NUMBERS(m)                                                              \
  m(std::int8_t, INT8) m(std::int16_t, INT16) m(std::int32_t, INT32) m(std::int64_t, INT64) \
      m(std::uint8_t, UINT8) m(std::uint16_t, UINT16) m(std::uint32_t, UINT32)              \
          m(std::uint64_t, UINT64) m(float, FP32) m(double, FP64)
#define TROPIC_PEER_TYPES(m) TROPIC_PEER_NUMBERS(m) m(bool, BOOL)

const type_objects& objects_of(type_code code) {
#define OBJECTS(T, NAME)                                      \
  if (code == builtin_code<T>()) {                            \
    static const type_objects result{GrB_##NAME,              \
                                     GrB_PLUS_MONOID_##NAME,  \
                                     GrB_TIMES_MONOID_##NAME, \
                                     GrB_MIN_MONOID_##NAME,   \
                                     GrB_MAX_MONOID_##NAME,   \
                                     GxB_ANY_##NAME##_MONOID, \
                                     GrB_PLUS_##NAME,         \
                                     GrB_MINUS_##NAME,        \
                                     GrB_TIMES_##NAME,        \
                                     GrB_MIN_##NAME,          \
                                     GrB_MAX_##NAME,          \
                                     GrB_FIRST_##NAME,        \
                                     GrB_SECOND_##NAME,       \
                                     GrB_ONEB_##NAME,         \
                                     GrB_AINV_##NAME,         \
                                     GrB_ABS_##NAME,          \
                                     GrB_VALUEGT_##NAME,      \
                                     GrB_VALUENE_##NAME};     \
    return result;                                            \
  }
  TROPIC_PEER_NUMBERS(OBJECTS)
#undef OBJECTS
  throw std::logic_error("no such number type");
}

std::vector<pairing> pairings(type_code code) {
  const type_objects& o = objects_of(code);
  return {{"plus_times", o.plus_monoid, o.times}, {"min_plus", o.min_monoid, o.plus},
          {"max_plus", o.max_monoid, o.plus},     {"min_times", o.min_monoid, o.times},
          {"max_times", o.max_monoid, o.times},   {"min_max", o.min_monoid, o.max},
          {"max_min", o.max_monoid, o.min},       {"plus_min", o.plus_monoid, o.min},
          {"plus_pair", o.plus_monoid, o.pair},   {"min_first", o.min_monoid, o.first},
          {"min_second", o.min_monoid, o.second}, {"max_second", o.max_monoid, o.second},
          {"plus_first", o.plus_monoid, o.first}, {"plus_second", o.plus_monoid, o.second},
          {"any_pair", o.any_monoid, o.pair}};
}

GrB_Type type_of(type_code code) {
  return code == type_code::boolean ? GrB_BOOL : objects_of(code).type;
}

namespace {

template <class Vector>
void set(Vector to, const type_description& type, const scalar_bytes& value, GrB_Index i) {
#define SET(T, NAME)                  \
  if (type.code == builtin_code<T>()) \
    TROPIC_GRB(GrB_Vector_setElement_##NAME(to, value.as<T>(), i));
  TROPIC_PEER_TYPES(SET)
#undef SET
}

}  // namespace

peer_vector to_peer(const host_vector& from) {
  GrB_Vector result = nullptr;
  TROPIC_GRB(GrB_Vector_new(&result, type_of(from.type->code), static_cast<GrB_Index>(from.size)));
  peer_vector to(result);
  for (const auto& [i, value] : from.entries)
    set(result, *from.type, value, static_cast<GrB_Index>(i));
  return to;
}

peer_matrix to_peer(const host_matrix& from) {
  GrB_Matrix result = nullptr;
  TROPIC_GRB(GrB_Matrix_new(&result, type_of(from.type->code), static_cast<GrB_Index>(from.rows),
                            static_cast<GrB_Index>(from.columns)));
  peer_matrix to(result);
  for (const auto& [where, value] : from.entries) {
    const auto i = static_cast<GrB_Index>(where.first), j = static_cast<GrB_Index>(where.second);
#define SET(T, NAME)                        \
  if (from.type->code == builtin_code<T>()) \
    TROPIC_GRB(GrB_Matrix_setElement_##NAME(result, value.as<T>(), i, j));
    TROPIC_PEER_TYPES(SET)
#undef SET
  }
  return to;
}

peer_scalar to_peer(const type_description& type, const scalar_bytes& value) {
  GrB_Scalar result = nullptr;
  TROPIC_GRB(GrB_Scalar_new(&result, type_of(type.code)));
  peer_scalar to(result);
#define SET(T, NAME)                  \
  if (type.code == builtin_code<T>()) \
    TROPIC_GRB(GrB_Scalar_setElement_##NAME(result, value.as<T>()));
  TROPIC_PEER_TYPES(SET)
#undef SET
  return to;
}

host_vector from_peer(const type_description& type, GrB_Vector from) {
  GrB_Index size = 0;
  TROPIC_GRB(GrB_Vector_size(&size, from));
  host_vector found{&type, static_cast<index_t>(size), {}};
  for (GrB_Index i = 0; i < size; ++i) {
#define GET(T, NAME)                                                           \
  if (type.code == builtin_code<T>()) {                                        \
    T value{};                                                                 \
    const GrB_Info info = GrB_Vector_extractElement_##NAME(&value, from, i);   \
    check(info, "GrB_Vector_extractElement");                                  \
    if (info == GrB_SUCCESS)                                                   \
      found.entries.emplace(static_cast<index_t>(i), scalar_bytes::of(value)); \
  }
    TROPIC_PEER_TYPES(GET)
#undef GET
  }
  return found;
}

host_matrix from_peer(const type_description& type, GrB_Matrix from) {
  GrB_Index rows = 0, columns = 0;
  TROPIC_GRB(GrB_Matrix_nrows(&rows, from));
  TROPIC_GRB(GrB_Matrix_ncols(&columns, from));
  host_matrix found{&type, static_cast<index_t>(rows), static_cast<index_t>(columns), {}};
  for (GrB_Index i = 0; i < rows; ++i)
    for (GrB_Index j = 0; j < columns; ++j) {
#define GET(T, NAME)                                                                     \
  if (type.code == builtin_code<T>()) {                                                  \
    T value{};                                                                           \
    const GrB_Info info = GrB_Matrix_extractElement_##NAME(&value, from, i, j);          \
    check(info, "GrB_Matrix_extractElement");                                            \
    if (info == GrB_SUCCESS)                                                             \
      found.entries.emplace(std::pair{static_cast<index_t>(i), static_cast<index_t>(j)}, \
                            scalar_bytes::of(value));                                    \
  }
      TROPIC_PEER_TYPES(GET)
#undef GET
    }
  return found;
}

peer_descriptor descriptor(const rules& r, bool first_transposed, bool second_transposed) {
  GrB_Descriptor result = nullptr;
  TROPIC_GRB(GrB_Descriptor_new(&result));
  peer_descriptor to(result);
  if (r.replace) TROPIC_GRB(GrB_Descriptor_set(result, GrB_OUTP, GrB_REPLACE));
  if (r.has_mask() && r.structural())
    TROPIC_GRB(GrB_Descriptor_set(result, GrB_MASK, GrB_STRUCTURE));
  if (r.has_mask() && r.complemented()) TROPIC_GRB(GrB_Descriptor_set(result, GrB_MASK, GrB_COMP));
  if (first_transposed) TROPIC_GRB(GrB_Descriptor_set(result, GrB_INP0, GrB_TRAN));
  if (second_transposed) TROPIC_GRB(GrB_Descriptor_set(result, GrB_INP1, GrB_TRAN));
  return to;
}

peer_semiring semiring_of(GrB_Monoid add, GrB_BinaryOp multiply) {
  GrB_Semiring result = nullptr;
  TROPIC_GRB(GrB_Semiring_new(&result, add, multiply));
  return peer_semiring(result);
}

}  // namespace tropic::testing::peer
