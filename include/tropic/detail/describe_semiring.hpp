// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/detail/builtin_kernels.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic {

/// Erases a semiring: its texts for devices, and the CPU kernels that this program instantiates
/// (the library has those of the built-ins).
template <semiring_type S>
semiring_description describe_semiring(const S& ring) {
  using claims = annihilation<typename S::monoid, typename S::operation>;
  semiring_description made;
  made.add = describe_monoid<typename S::monoid>();
  made.multiply =
      describe_operator<typename S::z_type, typename S::a_type, typename S::x_type>(ring.multiply);
  made.annihilates_left = claims::left;
  made.annihilates_right = claims::right;
  made.multiply_commutes = commutes<typename S::operation>;
  made.first_product_wins = first_wins<typename S::monoid, typename S::operation>;
  made.cpu_kernels = &detail::cpu_kernels<S>::table;
  return made;
}

}  // namespace tropic
