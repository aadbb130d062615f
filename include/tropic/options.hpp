// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every operation takes beside its operands: mask, accumulator, replace.
//
//   tropic::mxv(w, ring, A, u, {.mask = complement(structure(visited)), .replace = true});

#include <optional>

#include <tropic/matrix.hpp>
#include <tropic/plan.hpp>
#include <tropic/semirings/operators.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {
template <class Container>
struct mask_base {
  const Container* container = nullptr;
  bool structural = false, complemented = false;
  /// Of a matrix: what may have been changed since the mask was made.
  const changeable_matrix* changes = nullptr;
};
template <class T>
struct container_of;
template <class T>
struct container_of<vector<T>> {
  using type = vector_base;
};
template <class T>
struct container_of<matrix<T>> {
  using type = matrix_base;
};
}  // namespace detail

/// A mask over a vector or matrix that must outlive the call. A plain container is a valued mask:
/// entries that are zero or false do not count. Records have no zero and need structure().
template <class Container>
struct mask_view : detail::mask_base<Container> {
  mask_view() = default;
  template <value_type T>
    requires(!record_traits<T>::is_record)
  mask_view(const vector<T>& m)
    requires(std::is_same_v<Container, detail::vector_base>)
      : detail::mask_base<Container>{&m.base(), false, false} {}
  template <value_type T>
    requires(!record_traits<T>::is_record)
  mask_view(const matrix<T>& m)
    requires(std::is_same_v<Container, detail::matrix_base>)
      : detail::mask_base<Container>{&m.base(), false, false, &m.changes()} {}
  explicit mask_view(detail::mask_base<Container> m) : detail::mask_base<Container>(m) {}
};
using vector_mask = mask_view<detail::vector_base>;
using matrix_mask = mask_view<detail::matrix_base>;

/// The mask that counts every stored entry, whatever its value.
template <value_type T>
vector_mask structure(const vector<T>& m) {
  return vector_mask({&m.base(), true, false});
}
template <value_type T>
matrix_mask structure(const matrix<T>& m) {
  return matrix_mask({&m.base(), true, false, &m.changes()});
}
/// The mask turned round.
template <class Container>
mask_view<Container> complement(mask_view<Container> m) {
  m.complemented = !m.complemented;
  return m;
}
template <value_type T>
vector_mask complement(const vector<T>& m) {
  return complement(vector_mask(m));
}
template <value_type T>
matrix_mask complement(const matrix<T>& m) {
  return complement(matrix_mask(m));
}

/// A binary operator over T that merges results into what the output held: any operator that does
/// not look at positions, or none.
template <value_type T>
class accumulator {
 public:
  accumulator() = default;
  template <operator_type Op>
  accumulator(const Op& op) : op_(describe_operator<T, T, T>(op)) {
    static_assert(!Op::tropic_syntax.positional(),
                  "tropic: an accumulator has two values and no position");
  }
  const operator_description* get() const { return op_ ? &*op_ : nullptr; }

 private:
  std::optional<operator_description> op_;
};

/// Options of an operation whose output is a vector<T>.
template <value_type T>
struct vector_options {
  vector_mask mask{};
  accumulator<T> accumulate{};
  bool replace = false;
  /// Products only: run this plan's kernel.
  const tropic::plan* plan = nullptr;
};
/// Options of an operation whose output is a matrix<T>.
template <value_type T>
struct matrix_options {
  matrix_mask mask{};
  accumulator<T> accumulate{};
  bool replace = false;
};

/// A' in the place of A: transpose(A), without building it.
template <value_type T>
struct transposed_view {
  const matrix<T>& of;
};
template <value_type T>
transposed_view<T> transpose(const matrix<T>& a) {
  return {a};
}

}  // namespace tropic
