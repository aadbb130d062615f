// SPDX-License-Identifier: Apache-2.0
#pragma once

// A mask as mask.h reads it.

#include <cstdint>

#include "backends/device/device_context.hpp"
#include "backends/product.hpp"

namespace tropic::detail {

struct mask_arguments {
  std::uint32_t flags = 0;
  const void *present, *values;
  std::uint32_t bytes = 0;
  std::uint64_t significant = ~std::uint64_t{0};

  /// `mask`: that of the rule, as the device holds it; not read if the rule has none. `bitmap`:
  /// which of its entries are present; null: all.
  template <class Container>
  mask_arguments(const device_context& device, const Container& mask, const buffer_pointer& bitmap,
                 const output_rule<Container>& rule)
      : present(device.read(nullptr)), values(present) {
    if (rule.mask == nullptr) return;
    flags = masked | (rule.complemented ? complemented : 0u);
    if (bitmap != nullptr) {
      flags |= mask_bitmap;
      present = device.read(bitmap);
    }
    if (rule.structural || mask.type->code == type_code::record) return;
    values = device.read(mask.values);
    bytes = static_cast<std::uint32_t>(mask.type->size);
    if (mask.type->code == type_code::fp32) significant = 0x7fffffffu;
    if (mask.type->code == type_code::fp64) significant >>= 1;
  }
  void append_to(arguments& list) const {
    list.insert(list.end(), {flags, present, values, bytes, significant});
  }

 private:
  enum : std::uint32_t { masked = 1, complemented = 2, mask_bitmap = 4 };
};

}  // namespace tropic::detail
