// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/detail/cpu/builtin_kernels.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic {

/// Erases a semiring, without CPU kernels.
template <semiring_type S>
semiring_description describe_semiring([[maybe_unused]] const S& semiring) {
  using monoid = typename S::monoid;
  using operation = typename S::operation;
  using A = typename S::a_type;
  using X = typename S::x_type;
  semiring_description result;
  if constexpr (detail::require_semiring<monoid, operation, A, X>()) {
    using claims = annihilation<monoid, operation>;
    result.add = describe_monoid<monoid>();
    result.multiply = describe_operator<typename S::z_type, A, X>(semiring.multiply);
    result.annihilates_left = claims::left;
    result.annihilates_right = claims::right;
    result.multiply_commutes = commutes<operation>;
    result.exits_at_first_product = exits_at_first<monoid, operation>;
  }
  return result;
}

namespace detail {
// With the CPU kernels of one operation. The library has those of the built-in semirings; a program
// instantiates those of its own that it uses.

template <semiring_type S>
semiring_description describe_for_mxv(const S& semiring) {
  semiring_description result = describe_semiring(semiring);
  result.cpu_kernels[0] = &cpu_kernels<S>::of_mxv;
  return result;
}
template <semiring_type S>
semiring_description describe_for_vxm(const S& semiring) {
  semiring_description result = describe_semiring(semiring);
  result.cpu_kernels[1] = &cpu_kernels<S>::of_vxm;
  return result;
}
/// iterate_until falls back on vxm.
template <semiring_type S>
semiring_description describe_for_rounds(const S& semiring) {
  semiring_description result = describe_for_vxm(semiring);
  result.cpu_round_kernels = &cpu_kernels<S>::of_rounds;
  return result;
}
/// With those of all three.
template <semiring_type S>
semiring_description describe_for_vectors(const S& semiring) {
  semiring_description result = describe_for_rounds(semiring);
  result.cpu_kernels[0] = &cpu_kernels<S>::of_mxv;
  return result;
}
}  // namespace detail

}  // namespace tropic
