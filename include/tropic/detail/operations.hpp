// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operations with their types erased (src/operations): they check contexts and shapes, plan,
// and call the backend. The typed headers beside this folder are thin wrappers.

#include <span>

#include <tropic/options.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic::detail {

template <class Container>
struct output_options {
  mask_base<Container> mask;
  const operator_description* accumulator = nullptr;
  bool replace = false;
  const plan* forced = nullptr;
};
template <value_type T>
output_options<vector_base> erase(const vector_options<T>& o) {
  return {o.mask, o.accumulate.get(), o.replace, o.plan};
}
template <value_type T>
output_options<matrix_base> erase(const matrix_options<T>& o) {
  if (o.mask.changes != nullptr) o.mask.changes->base();  // merges what changed since
  return {o.mask, o.accumulate.get(), o.replace, nullptr};
}

/// True where an operation keeps values as they are in an output of their own type; else an error
/// of one sentence.
template <class W, class... Operands>
constexpr bool require_same_value() {
  constexpr bool same = (std::is_same_v<W, Operands> && ...);
  static_assert(same,
                "tropic: this operation keeps values as they are, so its output and its operands "
                "hold one type; apply(w, identity{}, u) converts");
  return same;
}

TROPIC_API void multiply(const char* name, vector_base& w, const semiring_description&,
                         const matrix_base& a, bool transposed, const vector_base& u,
                         bool vector_first, const output_options<vector_base>&);
/// By what a call knows, and by inspection.
TROPIC_API plan plan_product(const semiring_description&, const matrix_base& a, bool transposed,
                             const vector_base& u, bool vector_first, index_t expected_calls);
TROPIC_API plan inspect_product(const semiring_description&, const matrix_base& a, bool transposed,
                                const vector_base& u, bool vector_first, index_t expected_calls,
                                bool look = false);

TROPIC_API void ewise(const char* name, vector_base& w, bool set_union, const operator_description&,
                      const vector_base& u, const vector_base& v,
                      const output_options<vector_base>&);
TROPIC_API void ewise(const char* name, matrix_base& c, bool set_union, const operator_description&,
                      const matrix_base& a, const matrix_base& b,
                      const output_options<matrix_base>&);
TROPIC_API void apply(vector_base& w, const unary_description&, const vector_base& u,
                      const output_options<vector_base>&);
TROPIC_API void apply(matrix_base& c, const unary_description&, const matrix_base& a,
                      const output_options<matrix_base>&);
TROPIC_API void select(vector_base& w, const unary_description&, const vector_base& u,
                       const output_options<vector_base>&);
TROPIC_API void select(matrix_base& c, const unary_description&, const matrix_base& a,
                       const output_options<matrix_base>&);
TROPIC_API void reduce(vector_base& w, const monoid_description&, const matrix_base& a,
                       bool transposed, const output_options<vector_base>&);
TROPIC_API bool reduce(void* result, const monoid_description&, const vector_base& u);
TROPIC_API bool reduce(void* result, const monoid_description&, const matrix_base& a);

// `list` null: all positions.
TROPIC_API void assign(vector_base& w, const void* value, const std::span<const index_t>* list,
                       const output_options<vector_base>&);
TROPIC_API void assign(vector_base& w, const vector_base& u, const std::span<const index_t>* list,
                       const output_options<vector_base>&);
TROPIC_API void assign(matrix_base& c, const void* value, const std::span<const index_t>* rows,
                       const std::span<const index_t>* columns, const output_options<matrix_base>&);
TROPIC_API void assign(matrix_base& c, const matrix_base& a, const std::span<const index_t>* rows,
                       const std::span<const index_t>* columns, const output_options<matrix_base>&);
TROPIC_API void transpose(matrix_base& c, const matrix_base& a, const output_options<matrix_base>&);

}  // namespace tropic::detail
