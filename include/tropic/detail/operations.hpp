// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operations with their types erased (src/operations): they check contexts and dimensions,
// plan, and call the backend. The typed headers in include/tropic are thin wrappers.

#include <cstdint>
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
  if (o.mask.changes != nullptr) o.mask.changes->base();  // merges recorded changes
  return {o.mask, o.accumulate.get(), o.replace, nullptr};
}

/// True if operands and output have one value type, as operations that copy values need; else a
/// compile error of one sentence.
template <class W, class... Operands>
constexpr bool require_same_value() {
  constexpr bool same = (std::is_same_v<W, Operands> && ...);
  static_assert(same,
                "tropic: this operation keeps values as they are, so its output and its operands "
                "hold one type; apply(w, identity{}, u) converts");
  return same;
}

/// The order of the operands: mxv, vxm.
enum class factor_order : std::uint8_t { matrix_first, vector_first };
TROPIC_API void multiply(const char* name, vector_base& w, const semiring_description&,
                         matrix_factor a, const vector_base& u, factor_order,
                         const output_options<vector_base>&);
/// The plan of a product without inspection of the matrix.
TROPIC_API plan plan_product(const semiring_description&, matrix_factor a, const vector_base& u,
                             factor_order, index_t expected_calls);
/// The plan by inspection of the matrix; `if_it_pays`: only from 50 expected calls on.
enum class inspection_rule : std::uint8_t { if_it_pays, always };
TROPIC_API plan inspect_product(const semiring_description&, matrix_factor a, const vector_base& u,
                                factor_order, index_t expected_calls,
                                inspection_rule = inspection_rule::if_it_pays);

/// C<mask> accum= A B.
TROPIC_API void mxm(matrix_base& c, const semiring_description&, matrix_factor a, matrix_factor b,
                    const output_options<matrix_base>&);
/// The sum of the entries of A B that the mask allows to `result`; the identity, and false, if
/// there are none.
TROPIC_API bool reduce_mxm(void* result, const monoid_description&, const semiring_description&,
                           matrix_factor a, matrix_factor b, const mask_base<matrix_base>&);

/// The positions of the result: those of either operand, or those of both.
enum class ewise_positions : std::uint8_t { set_union, intersection };
TROPIC_API void ewise(const char* name, vector_base& w, ewise_positions,
                      const operator_description&, const vector_base& u, const vector_base& v,
                      const output_options<vector_base>&);
TROPIC_API void ewise(const char* name, matrix_base& c, ewise_positions,
                      const operator_description&, const matrix_base& a, const matrix_base& b,
                      const output_options<matrix_base>&);
TROPIC_API void apply(vector_base& w, const unary_description&, const vector_base& u,
                      const output_options<vector_base>&);
TROPIC_API void apply(matrix_base& c, const unary_description&, const matrix_base& a,
                      const output_options<matrix_base>&);
TROPIC_API void select(vector_base& w, const unary_description&, const vector_base& u,
                       const output_options<vector_base>&);
TROPIC_API void select(matrix_base& c, const unary_description&, const matrix_base& a,
                       const output_options<matrix_base>&);
/// The sum of each row of A.
TROPIC_API void reduce(vector_base& w, const monoid_description&, matrix_factor a,
                       const output_options<vector_base>&);
/// The sum of all entries to `result`; false, and nothing written, if there is no entry.
TROPIC_API bool reduce(void* result, const monoid_description&, const vector_base& u);
TROPIC_API bool reduce(void* result, const monoid_description&, const matrix_base& a);

// A null `list` means all positions.
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
