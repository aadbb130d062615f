// SPDX-License-Identifier: Apache-2.0
#pragma once

// Products by the device: chooses the constants of a kernel, prepares what it reads and writes,
// launches it, and merges its result. The kernels are rows of a table (kernel_table.hpp).
// Members are defined in multiply.cpp, features.cpp, pass.cpp, reduce.cpp and take_sums.cpp; those
// for products of matrices in ../mxm and ../spmm, those for rounds in ../rounds.

#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/cost_source.hpp"
#include "backends/device/formats/format_cache.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/mxm/mxm.hpp"
#include "backends/device/products/kernel_config.hpp"
#include "backends/device/vectors/vector_operations.hpp"

namespace tropic::detail {

struct product_call;
struct sparse_call;

/// When the columns of a matrix are counted, to find out whether it has hubs. Tests lower them.
struct hub_limits {
  index_t least_entries = 1 << 24, pulls_before = 4;
  double least_share = 0.3;    // of the entries, in the columns that csr_hubs would stage
  bool needs_shuffles = true;  // other devices have not been measured
};

/// From how many entries on those that a product has to read are counted, which costs some 20 us.
/// Tests lower it.
struct edge_limits {
  index_t least_entries = index_t{1} << 22;
};

/// The constants of iterate.kernel, of rounds_by_rows.kernel and rounds_back.kernel, or of
/// rounds_by_direction.kernel, that depend on the device, set or set anew. set_row_limits sets
/// those that the last three have in common. T_TOGETHER is set only where launches can be clusters.
void set_round_limits(program_request&, const device_traits&);
void set_row_limits(program_request&, const device_traits&);
void set_row_round_limits(program_request&, const device_traits&);
void set_direction_limits(program_request&, const device_traits&);

/// What counts the entries that a product of a large matrix has to read.
program_request request_to_count_edges(const device_traits&);

class product_runner {
 public:
  product_runner(device_context&, format_cache&, vector_operations&, matrix_operations&,
                 std::span<const device_kernel* const> kernels);

  // As in backends/backend.hpp.
  kernel_table kernels() const { return infos_; }
  const kernel_info* find_kernel(std::string_view text) const;
  call_features features(const product&, const vector_rule&);
  bool gains_by_mask(const product&) const;
  format_report format_of(const matrix_base&, std::string_view kernel) const;
  work_mapping mapping_of(const matrix_base&, const kernel_info&, std::size_t z_bytes,
                          bool early_exit) const;
  /// False: the device cannot do it, and w has not changed.
  bool multiply(vector_base& w, const product&, const vector_rule&, std::string_view kernel);
  /// The same for a product with a full matrix (spmm.cpp).
  bool spmm(vector_base& w, const full_product&, const vector_rule&);
  /// The same for two sparse matrices (mxm.cpp).
  bool mxm(matrix_base& c, const matrix_product&, const matrix_rule&);
  /// Whether that product has an entry; `result` is the sum. Nothing: the device cannot do it.
  std::optional<bool> reduce_mxm(void* result, const monoid_description&, const matrix_product&,
                                 const matrix_rule&);
  kernel_table mxm_kernels() const;
  mxm_explanation explain_mxm(const matrix_product&, const matrix_rule&);
  /// w gets the sums of the rows of a, or of its columns if transposed, as a product (reduce.cpp).
  /// False as for multiply.
  bool reduce(vector_base& w, const monoid_description&, const matrix_base& a, bool transposed,
              const vector_rule&);
  /// Several small rounds in one launch (iterate.cpp).
  index_t iterate(vector_base& w, vector_base& frontier, const iteration&, index_t first,
                  index_t most_rounds);
  /// Rounds of any size that each push or pull, if the sums are the same in any order
  /// (rounds_by_direction.cpp).
  index_t iterate_by_direction(vector_base& w, vector_base& frontier, const iteration&,
                               index_t first, index_t most_rounds);
  /// The same over sums in the order of their terms (rounds_by_rows.cpp).
  index_t iterate_rows(vector_base& w, vector_base& frontier, const iteration&, index_t first,
                       index_t most_rounds);
  /// As in backends/operations.hpp; nothing where the device cannot do it (iterate_back.cpp).
  std::optional<ordered_rounds> order_rounds(const vector_base& rounds);
  std::size_t iterate_back(vector_base& x, const reverse_iteration&, std::size_t last);

  /// As in backends/operations.hpp.
  bool take_sums(vector_base& w, vector_base& sums, const iteration&, index_t number);
  bool run_together(std::span<const vector_step>);

  /// Of mxm. Tests lower them.
  mxm_limits& limits_of_mxm() { return mxm_limits_; }
  hub_limits& limits_of_hubs() { return hub_limits_; }
  edge_limits& limits_of_edges() { return edge_limits_; }

  // --- for the launch functions of kernels -------------------------------------------------------

  device_context& device() const { return device_; }
  format_cache& formats() const { return formats_; }
  /// Zeros, which every kernel that uses them sets to zero again: a counter a work-group
  /// (synchronizer.h).
  const void* tickets(std::uint64_t groups);

 private:
  struct edge_count;
  edge_count count_edges(const product&, bool output, const buffer_pointer& flags, bool absent);
  edge_count count_leaving(const product&);
  std::optional<edge_count> count_wanted(const product&, const vector_rule&);
  void count_what_is_read(const product&, const vector_rule&, call_features&);
  void look_for_hubs(const product&, call_features&);
  void run_without_format(product_call&);
  void write_no_entries(vector_base& w, const product&, const vector_rule&);
  void configure(product_call&, kernel_config asked);
  void replace_unfit(product_call&);
  void prepare_output(product_call&);
  void write_result(vector_base& w, product_call&, const vector_rule&);
  bool can_write(vector_base&);
  std::shared_ptr<const matrix_base> incoming_of_rounds(const vector_base& w, const iteration&);
  bool can_insert(vector_base& w, const iteration&);
  class pass;
  mxm_choice choose_mxm(const matrix_product&, const matrix_rule&);
  bool prepare(sparse_call&);

  // Memory of the runtime's own: a buffer would keep the context alive. An array that has become
  // too small is kept, as a launch may be about to use it.
  struct ticket_arrays {
    device_runtime& runtime;
    std::mutex mutex{};
    std::vector<std::pair<void*, std::size_t>> all{};  // with their bytes, the largest last
    ~ticket_arrays();
  };

  device_context& device_;
  format_cache& formats_;
  vector_operations& vectors_;
  matrix_operations& matrices_;
  std::vector<const device_kernel*> rows_;
  std::vector<const kernel_info*> infos_;  // of the same
  ticket_arrays tickets_;
  mxm_limits mxm_limits_;
  hub_limits hub_limits_;
  edge_limits edge_limits_;
};

}  // namespace tropic::detail
