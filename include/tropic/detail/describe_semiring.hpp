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
  semiring_description made;
  if constexpr (detail::require_semiring<monoid, operation, A, X>()) {
    using claims = annihilation<monoid, operation>;
    made.add = describe_monoid<monoid>();
    made.multiply = describe_operator<typename S::z_type, A, X>(semiring.multiply);
    made.annihilates_left = claims::left;
    made.annihilates_right = claims::right;
    made.multiply_commutes = commutes<operation>;
    made.exits_at_first_product = exits_at_first<monoid, operation>;
    made.cpu_kernels = &detail::cpu_kernels<S>::table;
  }
  return made;
}

}  // namespace tropic
