// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/detail/builtin_kernels.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic {

/// Erases a semiring: its texts for devices, and the CPU kernels that this program instantiates
/// (the library has those of the built-ins).
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
    result.first_product_wins = first_wins<monoid, operation>;
    result.cpu_kernels = &detail::cpu_kernels<S>::table;
  }
  return result;
}

}  // namespace tropic
