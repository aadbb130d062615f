// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU backend: OpenMP, load balanced, results independent of the number of threads. It works
// on whichever side of the memory it is told to: the device's (for a CPU context that is the host,
// for the fake device its poisoned copies), or the host's, where it stands in for operations that
// a real device does not have yet.

#include "backends/backend.hpp"
#include "backends/cpu/workspace.hpp"

namespace tropic::detail {

struct product_arguments;

class cpu_backend : public backend {
 public:
  enum class side { device, host };
  explicit cpu_backend(context_state& context, side where = side::device)
      : context_(context), on_host_(where == side::host) {}

  kernel_table kernels() const override;
  product_features features(const product&, const vector_rule&) override;
  double copy_bandwidth() override;
  std::string identity() const override;
  matrix_statistics inspect(const matrix_base&, std::uint64_t wanted) override;
  void multiply(vector_base& w, const product&, const vector_rule&,
                std::string_view kernel) override;
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
  void transpose(matrix_base& c, const matrix_base& a, const matrix_rule&) override;
  index_t iterate(vector_base& w, vector_base& frontier, const iteration&, index_t first,
                  index_t most) override;

 protected:
  // The epilogue of every operation: w<mask> accum= t (write_back.cpp). t is consumed.
  void write_back(vector_base& w, vector_base&& t, const vector_rule&);
  virtual void write_back(matrix_base& c, matrix_base&& t, const matrix_rule&);
  virtual matrix_base transposed(const matrix_base& a);

  // The transpose in CSR, built at most once a version and kept with the matrix.
  std::shared_ptr<const matrix_base> transpose_of(const matrix_base& a);

  // Steps of multiply (multiply.cpp).
  index_t edges_of(const product& p, const matrix_base& a) const;
  void push_into(vector_base& t, const product& p, product_arguments& arguments,
                 const matrix_base& m, index_t entries);
  static bool has_transpose_of(const matrix_base& a);
  // A byte an output position, non-zero where the mask forbids it: the mask's own bytes where it
  // is a structural complement of a bitmap, else made in `holder`. Null where making them would
  // cost more than it saves (`push`), which leaves the mask to the epilogue.
  const std::uint8_t* skip_of(const vector_rule&, index_t outputs, bool push,
                              buffer_pointer& holder);
  // The same entries held as `storage`, on this backend's side (conversions.cpp).
  void convert_storage(vector_base& v, vector_storage storage) const;

  const void* read(const buffer_pointer& b) const {
    return b == nullptr ? nullptr : on_host_ ? b->host() : b->device();
  }
  void* write(const buffer_pointer& b, access how = access::overwrite) const {
    return b == nullptr ? nullptr : on_host_ ? b->host_write(how) : b->device_write(how);
  }
  template <class T>
  const T* read_as(const buffer_pointer& b) const {
    return static_cast<const T*>(read(b));
  }
  template <class T>
  T* write_as(const buffer_pointer& b, access how = access::overwrite) const {
    return static_cast<T*>(write(b, how));
  }
  buffer_pointer allocate(std::size_t bytes) const;
  int threads() const { return context_.threads(); }

  context_state& context_;
  bool on_host_;
  workspace_pool workspaces_;
};

}  // namespace tropic::detail
