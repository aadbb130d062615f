// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernels of `multiply` on a device, a row each: what the rest of the library knows of them
// (backends/kernel_info.hpp), their texts, their constants, and how they are launched. A new kernel
// is a text, a row and a launch function; nothing else knows it by name.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/program/program.hpp"
#include "backends/device/runtime.hpp"
#include "backends/kernel_info.hpp"

namespace tropic::detail {

class format_cache;
class product_runner;
struct hub_layout;
struct kernel_config;
struct product;
struct product_call;

/// Another format that a kernel reads, kept with the matrix (format_cache.hpp).
struct kept_format {
  /// Whether a copy of that name is the kernel's with those constants, of which some may be open:
  /// `asked` as in its text, `chosen` completed for values as wide as the matrix'.
  bool (*is_named)(std::string_view name, const kernel_config& asked,
                   const kernel_config& chosen) = nullptr;
  bool reads_offsets = false;  // of CSR, too
  bool reads_entries = false;  // columns and values of CSR, too
};

struct device_kernel {
  kernel_info info;
  /// Files of src/backends/kernels, in the order in which they make the program; then `text`, where
  /// the kernel's own is not among them.
  std::span<const std::string_view> texts;
  std::string_view text{};
  /// The constants that a user may name with it (kernel_config.cpp): those that it depends on.
  std::span<const std::string_view> options{};
  /// Of a work-group, unless the user says so.
  std::uint32_t subgroups = 4;
  /// Strips: rows of a strip share slots, and tiles are padded.
  bool pads = false;
  /// Sums rows that the mask leaves out, too: the epilogue deletes them.
  bool ignores_mask = false;
  /// Rows that may end early get few work-items, and what is left of long ones all.
  bool narrows_for_early_exit = false;
  /// Tiles with an empty row inside are summed twice: their share is a fact to report.
  bool has_dirty_tiles = false;
  kept_format format{};
  /// Adds the constants of its program. `value_bytes`: of a sum.
  void (*add_constants)(const kernel_config&, const device_traits&, std::size_t value_bytes,
                        program_constants&) = nullptr;
  /// Sets what costs depend on.
  void (*set_mapping)(const kernel_config&, work_mapping&) = nullptr;
  /// Another kernel where this one cannot hold the matrix, and why (empty: not worth a notice);
  /// null: it can. May complete what was chosen.
  const device_kernel* (*replacement)(format_cache&, product_call&, std::string& why) = nullptr;
  void (*launch)(product_runner&, product_call&) = nullptr;
};

/// Whether csr_hubs can run products of a semiring; and the product, which reads enough of u for
/// what it stages.
bool suits_hubs(const semiring_description&, bool vector_first);
bool suits_hubs(const product&);
/// Whether csr_bits can run products of a semiring: u has booleans, or its values are not read; and
/// whether it gains in a product, over a pattern, which reads u and does not end early.
bool takes_bits(const semiring_description&, bool vector_first);
bool gains_by_bits(const product&);
/// Whether a pull may read absent entries of u as the add's neutral value.
bool fills_gaps(const product&);
/// How csr_hubs, or csr_bits if the product gains_by_bits, holds a matrix, if no constants are
/// named.
hub_layout usual_hub_layout(const device_traits&, const product&, const matrix_base&);

/// All of them; the first suits any product.
std::span<const device_kernel* const> device_kernels();

/// Those that are named elsewhere.
namespace kernels {
extern const device_kernel csr_vector, coo, csr_segmented, csr_hubs, csr_bits, cmrs, push;
}

// How they are launched (launch.cpp, listed.cpp, segmented.cpp, hubs.cpp).
void launch_csr_scalar(product_runner&, product_call&);
void launch_csr_vector(product_runner&, product_call&);
void launch_csr_padded(product_runner&, product_call&);
void launch_coo(product_runner&, product_call&);
void launch_csr_segmented(product_runner&, product_call&);
void launch_cmrs(product_runner&, product_call&);
void launch_csr_blocked(product_runner&, product_call&);
void launch_csr_hubs(product_runner&, product_call&);
void launch_csr_bits(product_runner&, product_call&);
void launch_csr_listed(product_runner&, product_call&);
void launch_push(product_runner&, product_call&);

}  // namespace tropic::detail
