// SPDX-License-Identifier: Apache-2.0
#pragma once

// A device kernel as plans and users name it: "csr_segmented", or with its tuning constants,
// "csr_segmented:rows=speculate,check=host,items=8,tiles=7".

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <tropic/detail/containers.hpp>

#include "backends/device/formats/format_cache.hpp"
#include "backends/device/products/kernel_table.hpp"
#include "backends/device/runtime.hpp"
#include "containers/formats/blocks.hpp"
#include "containers/formats/cmrs.hpp"

namespace tropic::detail {

/// How the rows that span groups get their sums (synchronizer.h).
enum class group_join { by_size, tickets, launch };

/// The columns that csr_hubs and csr_bits order by frequency: those of parts, or all of them.
enum class hub_order { by_size, hubs, all };

/// In the notation of docs/kernels.md. 0: by the device and the value type.
struct kernel_config {
  const device_kernel* kernel = &kernels::csr_vector;
  std::uint32_t subgroup_size =
      0;                        // T, work-items of a subgroup; fixed where the hardware shuffles
  std::uint32_t subgroups = 0;  // B, subgroups of a work-group
  std::uint32_t items = 0;      // W, entries a work-item (coo, csr_segmented)
  std::uint32_t tiles = 0;      // S, tiles a subgroup at most (coo, csr_segmented)
  std::uint32_t width = 0;      // work-items a row (csr_vector)
  std::uint32_t height = 0;     // rows a strip (cmrs, cmrs_padded)
  std::uint32_t slots = 0;      // M, slots a row and words of a row in a tile (cmrs_padded)
  std::uint32_t overhead = 0;   // words for each entry, more are refused (cmrs_padded)
  std::uint32_t fill = 0;       // least entries of a block, in percent (csr_blocked)
  block_shape block = {};       // rows=0: by inspection (csr_blocked)
  std::uint32_t hubs = 0;       // columns of a part (csr_hubs)
  std::uint32_t hub_parts = 0;  // parts (csr_hubs)
  std::uint32_t hub_least = 3;  // least: entries of a segment of a part (csr_hubs)
  std::uint32_t bits = 0;       // in local memory, a multiple of 256 (csr_bits)
  hub_order order = hub_order::by_size;   // order=hubs or all (csr_hubs, csr_bits)
  std::uint32_t piece = 0;                // entries of a piece of a long row (csr_listed)
  bool speculate = false;                 // rows=speculate or direct (csr_segmented)
  bool check_on_host = false;             // check=host or device (csr_segmented)
  group_join join = group_join::by_size;  // join=tickets or launch (coo, csr_segmented)

  std::string_view name() const { return kernel->info.name; }
  work_unit unit() const { return kernel->info.unit; }
  std::uint32_t group_size() const { return subgroup_size * subgroups; }
  std::uint64_t tile() const { return std::uint64_t{subgroup_size} * items; }
  /// The number of groups that share `tiles` tiles.
  std::uint64_t groups(const device_traits&, std::uint64_t tiles) const;
  /// Those that a device runs at once (resident_by_tiles).
  std::uint64_t groups_at_once(const device_traits&) const;
  /// How cmrs and cmrs_padded hold a matrix.
  strip_layout layout() const {
    if (!kernel->pads) return {.height = height};
    return {.height = height, .tile = subgroup_size, .slots = slots};
  }
  /// For sums with an early exit (exits_early), if the kernel narrows_for_early_exit: few
  /// work-items read a row, one if u is full.
  void expect_early_exit(const device_traits&, bool u_is_full);
  /// Of strips: slots of a row, each lane its own where tiles are not padded; and the work-items
  /// that sum them.
  std::uint32_t slots_of_row() const { return kernel->pads ? slots : subgroup_size; }
  std::uint32_t parts() const;
  /// Of csr_hubs and csr_bits.
  hub_layout hubs_layout() const {
    if (kernel->info.reads_bits) return {.orders_all = order == hub_order::all};
    return {.hubs = hubs,
            .parts = hub_parts,
            .least = hub_least,
            .orders_all = order == hub_order::all};
  }
  /// The constants of its program, for sums of `value_bytes` bytes.
  program_constants constants(const device_traits&, std::size_t value_bytes) const;
};

/// The row that a kernel's text names; null where there is none.
const device_kernel* find_device_kernel(std::string_view text,
                                        std::span<const device_kernel* const> = device_kernels());
/// Throws usage_error naming what is wrong and what would be right.
kernel_config parse_kernel(std::string_view text, const device_traits&,
                           std::span<const device_kernel* const> = device_kernels());

/// The program of a product by it.
program_request request_of(const kernel_config&, const device_traits&, const semiring_description&,
                           bool vector_first);

/// The same with every constant set, within what the device can do, for sums of `value_bytes` over
/// the rows of a matrix.
kernel_config complete(kernel_config, const device_traits&, std::size_t value_bytes,
                       const matrix_base&);

/// The columns whose values of `bytes` each, and a bit each, fit into local memory: of csr_hubs.
std::uint32_t most_hubs(const device_traits&, std::size_t bytes);
/// Those of a part, unless the user says so.
std::uint32_t usual_hubs(const device_traits&, std::size_t bytes);
/// Work-items of a group of csr_hubs or csr_bits.
std::uint32_t group_of_hubs(const device_traits&);
/// Of a group that joins segments: T_JOIN.
std::uint32_t group_of_joins(const device_traits&);

/// Work-items per row in csr_vector if no width is given.
std::uint32_t row_width(const matrix_base&, std::uint32_t subgroup_size);

/// What sums the entries that a push has sorted: the same for all sizes, since sorting takes
/// longer.
kernel_config sorted_push();

/// Whether `push` suits a semiring: its sums are the same in any order, begin with a value that
/// changes none, and are swapped in one word.
bool can_push(const device_traits&, const semiring_description&);

}  // namespace tropic::detail
