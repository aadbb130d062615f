// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU's kernels of products of matrices for one semiring, as the library calls them. What they
// do is in cpu/mxm_kernels.hpp; everything that does not touch values is in src/backends/cpu/mxm.

#include <cstddef>
#include <cstdint>

#include <tropic/semirings/semiring.hpp>

namespace tropic::detail {

/// The arrays of a matrix. `values` is null where there are none (a mask).
struct csr_arrays {
  const void* offsets = nullptr;  // uint32, or uint64 where wide
  const std::uint32_t* columns = nullptr;
  const void* values = nullptr;
  bool wide = false;
  bool iso = false;  // values[0] is the value of every entry

  std::size_t offset(std::size_t row) const {
    return wide ? static_cast<std::size_t>(static_cast<const std::uint64_t*>(offsets)[row])
                : static_cast<const std::uint32_t*>(offsets)[row];
  }
  std::size_t length(std::size_t row) const { return offset(row + 1) - offset(row); }
};

struct mxm_arguments {
  const semiring_description* semiring = nullptr;
  csr_arrays a;
  csr_arrays b;     // `inner`: the rows of B'
  csr_arrays mask;  // `inner`: the positions to compute
};

/// The states of an accumulator's position (a column, or a slot of a hash table).
struct mxm_state {
  static constexpr std::uint8_t empty = 0;     // not met, or no slot
  static constexpr std::uint8_t allowed = 1;   // in the mask, without a sum
  static constexpr std::uint8_t held = 2;      // has a sum
  static constexpr std::uint8_t excluded = 3;  // in a complemented mask
};

/// The sums of a row of C: by column, or in a hash table with linear probing. A thread has one of
/// its own; every state is `empty` between rows.
struct mxm_accumulator {
  void* sums = nullptr;
  std::uint8_t* states = nullptr;
  std::uint32_t* touched = nullptr;  // columns, or slots, that hold a sum
  /// The state that a first product finds; others but `held` take no product.
  std::uint8_t free = mxm_state::empty;
  // Hashed only.
  std::uint32_t* keys = nullptr;
  std::uint32_t slot_mask = 0;  // number of slots - 1

  static std::uint32_t hash(std::uint32_t column) {
    return static_cast<std::uint32_t>(column * std::uint64_t{0x9e3779b97f4a7c15} >> 32);
  }
};

/// What `inner` needs beside its arguments: for each k the place of A(i, k) in its row, plus one; 0
/// where there is none. All 0 between rows. Null: rows are searched instead.
struct mxm_places {
  std::uint32_t* place = nullptr;
  std::uint32_t* columns = nullptr;  // of the result's row
  void* values = nullptr;
};

struct cpu_mxm_kernel_table {
  /// Adds the products of a row of C to the accumulator; lists the positions that got their first
  /// one in `touched`, and returns their number.
  using row_products = std::size_t (*)(const mxm_arguments&, std::size_t row, mxm_accumulator&);
  row_products open;    // by column, without a mask
  row_products gated;   // by column, by states
  row_products hashed;  // by slot, by states
  /// The sums of a row of C at the positions of the mask: writes columns and values of those that
  /// have a product, and returns their number.
  std::size_t (*inner)(const mxm_arguments&, std::size_t row, const mxm_places&);
};

/// Instantiated by cpu/mxm_kernels.hpp: in the library for the built-ins, in the user's program for
/// his own.
template <semiring_type S>
struct cpu_mxm_kernels {
  static const cpu_mxm_kernel_table table;
};

}  // namespace tropic::detail
