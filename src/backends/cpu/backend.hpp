// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU backend: OpenMP, load balanced, results independent of the number of threads. It works on
// one side of the memory, selected at construction: the device side (for a CPU context this is the
// host, for the fake device its poisoned copies), or the host side, where it replaces operations
// that a device does not support.

#include <optional>

#include "backends/backend.hpp"
#include "backends/cpu/compiled/compiled_kernels.hpp"
#include "backends/cpu/matrices/hot_columns.hpp"
#include "backends/cpu/products/workspace.hpp"

namespace tropic::detail {

namespace on_cpu {
class position_set;
}

struct product_arguments;
struct sparse_input;

class cpu_backend final : public backend {
 public:
  enum class side { device, host };
  explicit cpu_backend(context_state& context, side where = side::device)
      : context_(context), on_host_(where == side::host), compiled_(context) {}

  kernel_table kernels() const override;
  kernel_table mxm_kernels() const override;
  mxm_explanation explain_mxm(const matrix_product&, const matrix_rule&) override;
  call_features features(const product&, const vector_rule&) override;
  double copy_bandwidth() override;
  std::string identity() const override;
  pattern_counts inspect(const matrix_base&, std::uint64_t wanted) override;
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
  index_t iterate(vector_base& w, vector_base& frontier, const iteration&, index_t first,
                  index_t max_rounds) override;
  ordered_rounds order_rounds(const vector_base& rounds) override;
  bool lists_rounds() const override { return true; }
  std::size_t iterate_back(vector_base& x, const reverse_iteration&, std::size_t last) override;
  std::optional<index_t> connect(vector_base& label, const matrix_base& a) override;
  std::optional<peeling> peel(vector_base& level, const vector_base& count,
                              const matrix_base& a) override;
  std::optional<found_communities> find_communities(vector_base& community, const matrix_base& a,
                                                    bool weighted, double resolution) override;
  bool has_passes() const override { return true; }
  bool run_together(std::span<const vector_step>) override;
  std::size_t release_idle() override { return workspaces_.clear(); }

 private:
  class step_runner;  // steps.cpp

  // The epilogue of every operation: w<mask> accum= t (write_back.cpp). t is consumed.
  void write_back(vector_base& w, vector_base&& t, const vector_rule&);
  void write_back(matrix_base& c, matrix_base&& t, const matrix_rule&);

  // The transpose in CSR, built at most once per version and kept with the matrix.
  std::shared_ptr<const matrix_base> transpose_of(const matrix_base& a);

  // Those of the semiring, else compiled from its text, else evaluated.
  const cpu_kernel_table& kernels_of(const semiring_description&, bool vector_first);
  const cpu_kernel_table& kernels_of(const product& p) {
    return kernels_of(p.semiring, p.vector_first);
  }
  // Steps of multiply (multiply.cpp).
  index_t edges_of(const product& p, const matrix_base& a) const;
  /// The arrays of m, whose rows are summed or pushed.
  void bind_matrix(product_arguments&, const semiring_description&, const matrix_base& m) const;
  /// The arrays of u, which it converts to a list, or to values for all positions.
  void bind_input(sparse_input&, vector_base& u, bool as_list) const;
  /// What a pull can use of the values, and whether it prefetches.
  void find_facts(product_arguments&, const product& p, const cpu_kernel_table& kernels,
                  const matrix_base& m, const vector_base& u) const;
  /// What the arguments of a pull with hot columns refer to.
  struct hot_input {
    on_cpu::hot_call call;
    std::optional<workspace_lease> u;
  };
  /// Takes u and the columns by their hot numbers where that pays. `kind`: call_trial.
  void use_hot_columns(product_arguments&, const product& p, const matrix_base& m,
                       const vector_base& u, hot_input& holder, const void* kind);
  const void* equal_element_of(const vector_base& u, const void* values) const;
  /// w = the product if all its sums are one value.
  bool fill_with_product(vector_base& w, const product& p, const vector_rule& rule,
                         product_arguments arguments, const matrix_base& m);
  buffer_pointer take(const buffer_pointer& old, const buffer_pointer& input, std::size_t bytes,
                      const vector_rule& rule) const;
  void take_buffers(vector_base& t, const vector_base& w, const product& p, const vector_rule& rule,
                    bool with_flags, product_arguments& arguments) const;
  /// t = the sums of m's rows; their array is that of w if nothing else uses it.
  void pull_into(vector_base& t, const vector_base& w, const product& p, const vector_rule& rule,
                 product_arguments& arguments, const matrix_base& m, const vector_base& u);
  // Pushes (push.cpp).
  // `listed`: null, or a mask that is a list; true if t has only positions of it.
  bool push_into(vector_base& t, const product& p, product_arguments& arguments,
                 const matrix_base& m, index_t entries, const on_cpu::position_set* listed);
  void push_as_list(vector_base& t, const product& p, const sparse_input& arguments) const;
  // Where the ranges of the output begin that a push takes one at a time: with about equal numbers
  // of entries if the lengths of the columns are known, otherwise of equal width.
  std::vector<std::uint64_t> cut_columns(const product& p, const matrix_base& m,
                                         const product_arguments& arguments, std::size_t outputs,
                                         std::size_t parts) const;
  // A byte an output position, non-zero where the mask forbids it: the mask's own bytes where it
  // is a structural complement of a bitmap, else result in `holder`. Null where making them would
  // cost more than it saves (`push`), which leaves the mask to the epilogue.
  const std::uint8_t* skip_of(const vector_rule&, index_t outputs, bool push,
                              buffer_pointer& holder);
  // The same entries stored as `storage`, on this backend's side (conversions.cpp).
  void convert_storage(vector_base& v, vector_storage storage) const;

  const void* read(const buffer_pointer& b) const {
    return b == nullptr ? nullptr : on_host_ ? b->host() : b->device();
  }
  void* write(const buffer_pointer& b, access mode = access::overwrite) const {
    return b == nullptr ? nullptr : on_host_ ? b->host_write(mode) : b->device_write(mode);
  }
  template <class T>
  const T* read_as(const buffer_pointer& b) const {
    return static_cast<const T*>(read(b));
  }
  template <class T>
  T* write_as(const buffer_pointer& b, access mode = access::overwrite) const {
    return static_cast<T*>(write(b, mode));
  }
  buffer_pointer allocate(std::size_t bytes) const;
  int threads() const { return context_.threads(); }

  context_state& context_;
  bool on_host_;
  workspace_pool workspaces_;
  on_cpu::compiled_kernels compiled_;
};

}  // namespace tropic::detail
