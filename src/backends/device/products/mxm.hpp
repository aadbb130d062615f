// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a device divides a product of two sparse matrices (mxm_pattern.kernel, mxm_bits.kernel,
// mxm_values.kernel, mxm_inner.kernel).

#include <cstdint>
#include <optional>

#include "backends/device/device_context.hpp"
#include "backends/device/program/program.hpp"

namespace tropic::detail {

/// Sizes that decide which method a row is computed by. Tests lower them, so that small matrices
/// cross every boundary.
struct mxm_limits {
  /// A team of work-items whose hash tables hold so many columns. Rows of more products go to the
  /// next one; `products` is at most `slots`.
  struct table {
    std::uint32_t lanes, slots, products;
  };
  table few{8, 64, 48}, some{32, 512, 384};
  std::uint32_t table_group = 128;  // work-items of a group of teams
  std::uint32_t bit_group = 256;    // of one that sets bits
  std::uint32_t bit_words = 8192;   // its words of bits, a multiple of bit_group
  std::uint32_t slots = 512;        // of a tile of the result
  std::uint32_t tile = 512;         // entries of a tile, at most the slots
};

struct mxm_config {
  std::uint32_t table_group, bit_group, bit_words;
  mxm_limits::table few, some;
  std::uint32_t subgroup, slots, tile;  // of the values

  /// Within what the device can do, for sums of `value_bytes`.
  mxm_config(const device_traits&, const mxm_limits&, std::size_t value_bytes);

  program_request table_request(const mxm_limits::table&) const;
  program_request bits_request() const;
  program_request values_request(const semiring_description&) const;
  static program_request inner_request(const semiring_description&);
};

/// The pattern of A B, of `values` to come: nnz, offsets and columns, and no values. Nothing if 32
/// bits do not count its entries. Throws out_of_memory before it takes memory for a result that
/// exceeds the limit of the context.
std::optional<matrix_base> product_pattern(device_context&, const mxm_config&, const matrix_base& a,
                                           const matrix_base& b, const type_description& values);

}  // namespace tropic::detail
