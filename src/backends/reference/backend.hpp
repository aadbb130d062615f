// SPDX-License-Identifier: Apache-2.0
#pragma once

// The reference backend: the executable specification that every other backend is tested against.
// Sequential and simple. Each operation loads its operands into ordered maps (entries.hpp), follows
// the definition in the GraphBLAS C API 2.0 literally, and stores the result. Operators are
// evaluated from their texts, never by the compiled functors, so that an error in either is
// detected. Sums start with their first product and proceed in ascending order of the inner index.

#include "backends/backend.hpp"

namespace tropic::detail {

class reference_backend : public backend {
 public:
  explicit reference_backend(context_state&) {}

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
  kernel_table kernels() const override;
  kernel_table mxm_kernels() const override;
  mxm_explanation explain_mxm(const matrix_product&, const matrix_rule&) override;
  std::string identity() const override { return "reference"; }
  ordered_rounds order_rounds(const vector_base& rounds) override;
  pattern_counts inspect(const matrix_base&, std::uint64_t wanted) override;
};

}  // namespace tropic::detail
