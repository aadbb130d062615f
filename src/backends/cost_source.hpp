// SPDX-License-Identifier: Apache-2.0
#pragma once

// What plans ask of a backend (src/plan): its kernels, and what a product costs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/kernel_info.hpp"
#include "backends/pattern_counts.hpp"
#include "backends/product.hpp"

namespace tropic::detail {

/// What is known of a product before it runs, at no more than the cost of reading u's entries.
struct call_features {
  index_t output_size = 0, input_size = 0;
  index_t nnz = 0;
  index_t longest_row = 0;  // of the matrix as it is stored
  index_t input_nvals = 0;
  index_t input_edges = 0;    // entries in the rows of u's entries, exact or estimated
  index_t output_wanted = 0;  // positions that the mask lets through
  index_t wanted_edges = 0;   // a device: entries in their rows, as far as they are counted, or nnz
  bool exits_early = false;   // or, and, any: a pulled row ends at its first terminal
  bool pull_needs_transpose = false, push_needs_transpose = false;  // not built yet
  bool on_device = false;
  bool can_push = true;         // a device: sums that are the same in any order
  bool compares = false;        // sums are minima or maxima of floating numbers
  std::uint32_t row_width = 1;  // a device: work-items that csr_vector gives a row
  std::size_t value_bytes = 4;  // of a sum
  // A device: pulls of the matrix so far, the share of its entries in the columns that csr_hubs
  // stages (0: unknown, or too small), and whether it is kept in that format.
  index_t pulls = 0;
  bool fills_gaps = false;    // a device: a pull reads u as a full vector
  bool counts_edges = false;  // a device: input_edges is exact
  double hub_share = 0;
  bool has_hubs = false;
  bool hubs_order_all = false;  // its columns in no part are ordered by frequency, too
  bool takes_bits = false;      // the product gains_by_bits: the last three are of csr_bits
  bool moves_values = true;     // to that format
  /// u is full and the rows of the output are at hand.
  bool is_plain_pull() const { return input_nvals == input_size && !pull_needs_transpose; }
  /// So few that a device pushes them whatever the sums are (src/plan/quick_choice.cpp).
  bool is_few_edges() const { return input_edges < nnz / 16; }
  bool transpose_is_due = false;  // pushes made for want of it have cost as much as building it
};

/// What a kernel keeps of a matrix that it has run on, and how the matrix suits it.
struct format_report {
  std::size_t format_bytes = 0;  // of the matrix as the kernel reads it
  double conversion_seconds = 0;
  std::optional<double> dirty_share;       // of tiles with an empty row inside (csr_segmented)
  std::optional<double> padding_overhead;  // entries with padding / entries (padded formats)
};

/// How a product of sparse matrices is computed, and why. Steps count what is read or combined, in
/// units of one backend: they compare its kernels, and predict no time.
struct mxm_explanation {
  struct candidate {
    std::string kernel;
    std::optional<double> steps{};  // none: not estimated
    std::string why_not{};          // why it cannot run; empty: it can
  };
  /// Rows that a part of the product computes by one method, and their products or entries.
  struct share {
    std::string part, method;
    std::uint64_t rows = 0, work = 0;
  };
  std::string kernel, reason;
  std::vector<candidate> candidates{};
  std::vector<share> shares{};
};

class cost_source {
 public:
  virtual ~cost_source() = default;

  /// Kernels of `multiply`; the first is the one that suits any product.
  virtual kernel_table kernels() const = 0;
  /// The row of the kernel that a user's text names, with or without tuning constants after a
  /// colon; null if there is none. Throws usage_error if the constants are wrong.
  virtual const kernel_info* find_kernel(std::string_view text) const {
    return find_row(kernels(), text);
  }
  /// Kernels of `mxm`.
  virtual kernel_table mxm_kernels() const = 0;
  /// Without running the product.
  virtual mxm_explanation explain_mxm(const matrix_product&, const matrix_rule&) = 0;
  /// Called only for backends that have several kernels.
  virtual call_features features(const product&, const vector_rule&) { return {}; }
  /// Whether a mask that leaves out many entries of the matrix is likely to make the product
  /// faster.
  virtual bool gains_by_mask(const product&) const { return false; }
  /// After products by that kernel.
  virtual format_report format_of(const matrix_base& a, std::string_view /*kernel*/) const {
    format_report known;
    known.format_bytes = a.bytes();
    return known;
  }
  /// How a kernel distributes a, in a product with a full u. `early_exit`: as exits_early.
  virtual work_mapping mapping_of(const matrix_base& /*a*/, const kernel_info& kernel,
                                  std::size_t /*z_bytes*/, bool /*early_exit*/ = false) const {
    return {.unit = kernel.unit};
  }
  /// One line: the device, its driver and all else that its speed depends on.
  virtual std::string identity() const = 0;
  /// Counts over all rows of a, and over about `wanted` of its entries, or all.
  virtual pattern_counts inspect(const matrix_base& a, std::uint64_t wanted) = 0;
  /// Bytes per second that a copy within the backend's memory reads and writes at best; measured
  /// at the first call. 0: not known.
  virtual double copy_bandwidth() { return 0; }
};

}  // namespace tropic::detail
