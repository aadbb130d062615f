// SPDX-License-Identifier: Apache-2.0
#pragma once

// The backend of every device, written once over device_runtime. Its parts (products_, vectors_,
// matrices_) run an operation on the device and return false if they cannot, for example fp64 on a
// device without it; backend.cpp then calls the CPU backend (host_). Buffers are copied between the
// two when one side accesses them.

#include <memory>
#include <optional>
#include <span>

#include "backends/cpu/backend.hpp"
#include "backends/device/device_context.hpp"
#include "backends/device/formats/format_cache.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/products/kernel_table.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/device/vectors/vector_operations.hpp"

namespace tropic::detail {

class device_backend final : public backend {
 public:
  device_backend(context_state& context, std::shared_ptr<device_runtime> runtime,
                 std::span<const device_kernel* const> kernels = device_kernels());

  device_runtime& runtime() const { return device_.runtime(); }
  format_cache& formats() { return formats_; }
  product_runner& products() { return products_; }
  matrix_operations& matrices() { return matrices_; }

  // --- cost_source: what plans ask ---------------------------------------------------------------
  kernel_table kernels() const override { return products_.kernels(); }
  kernel_table mxm_kernels() const override;
  mxm_explanation explain_mxm(const matrix_product&, const matrix_rule&) override;
  const kernel_info* find_kernel(std::string_view text) const override;
  call_features features(const product&, const vector_rule&) override;
  bool gains_by_mask(const product& p) const override { return products_.gains_by_mask(p); }
  format_report format_of(const matrix_base&, std::string_view kernel) const override;
  work_mapping mapping_of(const matrix_base&, const kernel_info&, std::size_t z_bytes,
                          bool early_exit) const override;
  double copy_bandwidth() override { return device_.copy_bandwidth(); }
  std::string identity() const override;
  pattern_counts inspect(const matrix_base&, std::uint64_t wanted) override;

  // --- operations: on the device if possible -----------------------------------------------------
  void multiply(vector_base& w, const product&, const vector_rule&,
                std::string_view kernel) override;
  void mxm(matrix_base& c, const matrix_product&, const matrix_rule&) override;
  bool reduce_mxm(void* result, const monoid_description&, const matrix_product&,
                  const matrix_rule&) override;
  void spmm(vector_base& c, const full_product&, const vector_rule&) override;
  void ewise(vector_base& w, combination, const operator_description&, const vector_base& u,
             const vector_base& v, const vector_rule&) override;
  void ewise(matrix_base& c, combination, const operator_description&, const matrix_base& a,
             const matrix_base& b, const matrix_rule&) override;
  void apply(vector_base& w, const unary_description&, const vector_base& u,
             const vector_rule&) override;
  void apply(matrix_base& c, const unary_description&, const matrix_base& a,
             const matrix_rule&) override;
  void select(vector_base& w, const unary_description&, const vector_base& u,
              const vector_rule&) override;
  void select(matrix_base& c, const unary_description&, const matrix_base& a,
              const matrix_rule&) override;
  void reduce(vector_base& w, const monoid_description&, const matrix_base& a, bool transposed,
              const vector_rule&) override;
  bool reduce(void* result, const monoid_description&, const vector_base& u) override;
  bool reduce(void* result, const monoid_description&, const matrix_base& a) override;
  void assign(vector_base& w, const void* value, const positions&, const vector_rule&) override;
  void assign(vector_base& w, const vector_base& u, const positions&, const vector_rule&) override;
  void assign(matrix_base& c, const void* value, const positions& rows, const positions& columns,
              const matrix_rule&) override;
  void assign(matrix_base& c, const matrix_base& a, const positions& rows, const positions& columns,
              const matrix_rule&) override;
  void ewise_union(vector_base& w, const filled_operator&, const vector_base& u,
                   const vector_base& v, const vector_rule&) override;
  void ewise_union(matrix_base& c, const filled_operator&, const matrix_base& a,
                   const matrix_base& b, const matrix_rule&) override;
  void transpose(matrix_base& c, const matrix_base& a, const matrix_rule&) override;
  std::optional<matrix_base> permute(const matrix_base&, const permutation& rows,
                                     const permutation& columns) override;
  void gather(vector_base& to, const vector_base& u, const buffer_pointer& order) override;
  index_t iterate(vector_base& w, vector_base& frontier, const iteration&, index_t first,
                  index_t max_rounds) override;
  ordered_rounds order_rounds(const vector_base& rounds) override;
  std::size_t iterate_back(vector_base& x, const reverse_iteration&, std::size_t last) override;
  bool take_sums(vector_base& w, vector_base& sums, const iteration&, index_t number) override;
  bool divide_frontier(vector_base& frontier, vector_base& waiting, const vector_base& w,
                       const scalar_bytes& end) override;
  bool has_passes() const override { return true; }
  bool run_together(std::span<const vector_step>) override;
  void extract(vector_base& w, const matrix_line&, const vector_rule&) override;
  std::optional<index_t> connect(vector_base& label, const matrix_base& a) override;
  std::optional<peeling> peel(vector_base& level, const vector_base& count,
                              const matrix_base& a) override;
  std::optional<std::vector<std::uint32_t>> rows_by_entries(const matrix_base& a) override;
  std::optional<std::int64_t> count_triangles(const matrix_base& a) override;
  std::optional<found_communities> find_communities(vector_base& community, const matrix_base& a,
                                                    bool weighted, double resolution) override;

  // --- operations: always on the host ------------------------------------------------------------
  void extract(vector_base& w, const vector_base& u, const positions& from,
               const vector_rule&) override;
  void extract(matrix_base& c, const matrix_base& a, bool transposed, const positions& rows,
               const positions& columns, const matrix_rule&) override;
  void kronecker(matrix_base& c, const kronecker_product&, const matrix_rule&) override;
  void concatenate(matrix_base& c, const tile_grid&) override;

  // --- array_services: what containers ask -------------------------------------------------------
  std::optional<hot_columns> to_hot_columns(const matrix_base&) override;
  void examine(matrix_base& m, const csr_words& words, bool trusted) override;
  buffer_pointer narrowed(const context_pointer&, const buffer_pointer& wide, std::size_t count,
                          index_t limit, const char* what) override;
  std::size_t release_idle() override { return host_.release_idle(); }
  void synchronize() override { runtime().finish(); }
  device_traffic traffic() const override { return runtime().traffic(); }

 private:
  cpu_backend host_;
  device_context device_;
  format_cache formats_;
  vector_operations vectors_;
  matrix_operations matrices_;
  product_runner products_;
};

}  // namespace tropic::detail
