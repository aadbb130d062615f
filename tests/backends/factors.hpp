// SPDX-License-Identifier: Apache-2.0
#pragma once

// The meaning of the levels of factors that the cases of products and of element-wise operations
// have in common.

#include <array>

#include "support/host_data.hpp"

namespace tropic::testing {

/// 0 sparse, 1 bitmap, 2 full.
constexpr vector_storage storage_of(int level) {
  constexpr std::array storages{vector_storage::sparse, vector_storage::bitmap,
                                vector_storage::full};
  return storages[static_cast<std::size_t>(level)];
}
/// The density of a vector in that storage.
constexpr double density_of(int level) {
  constexpr std::array densities{0.25, 0.6, 1.0};
  return densities[static_cast<std::size_t>(level)];
}

/// 0 none, 1 valued, 2 structural, 3 and 4 their complements.
struct mask_kind {
  bool exists = false, structural = false, complemented = false;

  mask_kind() = default;
  explicit mask_kind(int level)
      : exists(level != 0), structural(level == 2 || level == 4), complemented(level >= 3) {}

  /// Records cannot be valued masks.
  bool may_hold(const type_description& type) const {
    return structural || type.code != type_code::record;
  }
  /// 0 bool, 1 int8, 2 fp64, 3 a record if allowed.
  const type_description& type(int level) const {
    if (level == 3 && structural) return describe<test_path>();
    return describe(level == 1   ? type_code::int8
                    : level == 2 ? type_code::fp64
                                 : type_code::boolean);
  }
};

/// `from` in that storage, or as a bitmap if it is not full.
inline detail::vector_base make_held(const context& where, const host_vector& from, int level) {
  vector_storage storage = storage_of(level);
  if (storage == vector_storage::full && static_cast<index_t>(from.entries.size()) < from.size)
    storage = vector_storage::bitmap;
  return make(where, from, storage);
}

}  // namespace tropic::testing
