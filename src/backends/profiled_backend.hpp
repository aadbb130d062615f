// SPDX-License-Identifier: Apache-2.0
#pragma once

// A backend before another one, which does the work: notes for each operation how often it runs,
// for how long, and what of it goes to the device. An operation that takes part in the profile has
// its line in profiled_backend.cpp; what only asks is passed on.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/backend.hpp"

namespace tropic::detail {

/// While it lives, what this thread asks of a profiled backend is not noted: work of the library's
/// own, as the calibration of a device.
class unprofiled_scope {
 public:
  unprofiled_scope();
  ~unprofiled_scope();
  unprofiled_scope(const unprofiled_scope&) = delete;
  unprofiled_scope& operator=(const unprofiled_scope&) = delete;
};

class profiled_backend : public backend {
 public:
  explicit profiled_backend(std::shared_ptr<backend> inner) : inner_(std::move(inner)) {}

  /// The longest first.
  std::vector<operation_profile> profile() const;
  void forget();

  kernel_table kernels() const override { return inner_->kernels(); }
  const kernel_info* find_kernel(std::string_view text) const override {
    return inner_->find_kernel(text);
  }
  kernel_table mxm_kernels() const override { return inner_->mxm_kernels(); }
  mxm_explanation explain_mxm(const matrix_product& p, const matrix_rule& rule) override {
    return inner_->explain_mxm(p, rule);
  }
  call_features features(const product&, const vector_rule&) override;
  bool gains_by_mask(const product& p) const override { return inner_->gains_by_mask(p); }
  format_report format_of(const matrix_base& a, std::string_view kernel) const override {
    return inner_->format_of(a, kernel);
  }
  double copy_bandwidth() override { return inner_->copy_bandwidth(); }
  work_mapping mapping_of(const matrix_base& a, const kernel_info& kernel, std::size_t z_bytes,
                          bool early_exit) const override {
    return inner_->mapping_of(a, kernel, z_bytes, early_exit);
  }
  std::string identity() const override { return inner_->identity(); }
  pattern_counts inspect(const matrix_base& a, std::uint64_t wanted) override {
    return inner_->inspect(a, wanted);
  }
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
  std::optional<matrix_base> permute(const matrix_base&, const permutation& rows,
                                     const permutation& columns) override;
  void gather(vector_base& to, const vector_base& u, const buffer_pointer& order) override;
  void ewise_union(vector_base& w, const filled_operator&, const vector_base& u,
                   const vector_base& v, const vector_rule&) override;
  void ewise_union(matrix_base& c, const filled_operator&, const matrix_base& a,
                   const matrix_base& b, const matrix_rule&) override;
  void extract(vector_base& w, const vector_base& u, const positions& from,
               const vector_rule&) override;
  void extract(vector_base& w, const matrix_line&, const vector_rule&) override;
  void extract(matrix_base& c, const matrix_base& a, bool transposed, const positions& rows,
               const positions& columns, const matrix_rule&) override;
  void kronecker(matrix_base& c, const kronecker_product&, const matrix_rule&) override;
  void concatenate(matrix_base& c, const tile_grid&) override;
  void transpose(matrix_base& c, const matrix_base& a, const matrix_rule&) override;
  bool take_sums(vector_base& w, vector_base& sums, const iteration&, index_t number) override;
  bool divide_frontier(vector_base& frontier, vector_base& waiting, const vector_base& w,
                       const scalar_bytes& end) override;
  std::optional<index_t> connect(vector_base& label, const matrix_base& a) override;
  std::optional<peeling> peel(vector_base& level, const vector_base& count,
                              const matrix_base& a) override;
  std::optional<std::vector<std::uint32_t>> rows_by_entries(const matrix_base& a) override;
  std::optional<std::int64_t> count_triangles(const matrix_base& a) override;
  std::optional<found_communities> find_communities(vector_base& community, const matrix_base& a,
                                                    bool weighted, double resolution) override;
  bool has_passes() const override { return inner_->has_passes(); }
  bool run_together(std::span<const vector_step>) override;
  index_t iterate(vector_base& w, vector_base& frontier, const iteration&, index_t first,
                  index_t max_rounds) override;
  ordered_rounds order_rounds(const vector_base& rounds) override;
  bool lists_rounds() const override { return inner_->lists_rounds(); }
  std::size_t iterate_back(vector_base& x, const reverse_iteration&, std::size_t last) override;
  void examine(matrix_base& m, const csr_words& words, bool trusted) override {
    inner_->examine(m, words, trusted);
  }
  buffer_pointer narrowed(const context_pointer& context, const buffer_pointer& wide,
                          std::size_t count, index_t limit, const char* what) override {
    return inner_->narrowed(context, wide, count, limit, what);
  }
  std::size_t release_idle() override { return inner_->release_idle(); }
  void synchronize() override { inner_->synchronize(); }
  device_traffic traffic() const override { return inner_->traffic(); }

 private:
  // Does `work`, noted as `calls` calls of `operation`; one that throws is not noted.
  template <class Work>
  auto noted(std::string_view operation, const Work& work, std::uint64_t calls = 1) const;
  void note(std::string_view operation, std::uint64_t calls, double seconds,
            const device_traffic& before, const device_traffic& after) const;

  std::shared_ptr<backend> inner_;
  mutable std::mutex mutex_;
  mutable std::vector<operation_profile> noted_;
};

}  // namespace tropic::detail
