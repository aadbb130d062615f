// SPDX-License-Identifier: Apache-2.0
#pragma once

// SuiteSparse:GraphBLAS as the oracle of the reference backend: conversions of host data to and
// from its objects, its operators by type, masks and descriptors from the levels of our cases.

#include <complex.h>

#include <cinttypes>
#include <cmath>
#include <complex>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// The header of version 7.4 lacks extern "C". What it includes must be included before.
extern "C" {
#include <GraphBLAS.h>
}

#include "support/host_data.hpp"

namespace tropic::testing::peer {

/// Throws with the name of the call that failed.
void check(GrB_Info info, const char* what);
#define TROPIC_GRB(call) ::tropic::testing::peer::check(call, #call)

/// GraphBLAS objects for one of our types.
struct type_objects {
  GrB_Type type;
  GrB_Monoid plus_monoid, times_monoid, min_monoid, max_monoid, any_monoid;
  GrB_BinaryOp plus, minus, times, min, max, first, second, pair;
  GrB_UnaryOp negate, absolute;
  GrB_IndexUnaryOp value_greater, value_not_equal;
};
/// For a number type.
const type_objects& objects_of(type_code code);
GrB_Type type_of(type_code code);

/// A built-in semiring and what GraphBLAS builds the same one from.
struct pairing {
  std::string_view ours;
  GrB_Monoid add;
  GrB_BinaryOp multiply;
};
/// Those over a number type.
std::vector<pairing> pairings(type_code code);

template <class Handle, GrB_Info (*Free)(Handle*)>
class owned {
 public:
  explicit owned(Handle handle = nullptr) : handle_(handle) {}
  ~owned() { Free(&handle_); }
  owned(owned&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  Handle get() const { return handle_; }
  operator Handle() const { return handle_; }

 private:
  Handle handle_;
};
using peer_vector = owned<GrB_Vector, GrB_Vector_free>;
using peer_matrix = owned<GrB_Matrix, GrB_Matrix_free>;
using peer_scalar = owned<GrB_Scalar, GrB_Scalar_free>;
using peer_semiring = owned<GrB_Semiring, GrB_Semiring_free>;
using peer_descriptor = owned<GrB_Descriptor, GrB_Descriptor_free>;

peer_vector to_peer(const host_vector& from);
peer_matrix to_peer(const host_matrix& from);
peer_scalar to_peer(const type_description& type, const scalar_bytes& value);
host_vector from_peer(const type_description& type, GrB_Vector from);
host_matrix from_peer(const type_description& type, GrB_Matrix from);

struct rules {
  int mask = 0;  // none, valued, structural, and the complements of both
  bool accumulate = false, replace = false;

  bool has_mask() const { return mask != 0; }
  bool structural() const { return mask == 2 || mask == 4; }
  bool complemented() const { return mask >= 3; }
};
peer_descriptor descriptor(const rules& r, bool first_transposed = false,
                           bool second_transposed = false);
peer_semiring semiring_of(GrB_Monoid add, GrB_BinaryOp multiply);

inline constexpr type_code number_types[] = {
    type_code::int8,   type_code::int16,  type_code::int32,  type_code::int64, type_code::uint8,
    type_code::uint16, type_code::uint32, type_code::uint64, type_code::fp32,  type_code::fp64};

}  // namespace tropic::testing::peer
