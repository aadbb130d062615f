// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of operations: mask, accumulator, replace. Comments describe an operation with result t
// as `w<mask> accum= t`: at the positions that the mask allows, the accumulator combines t with w,
// or t takes the place of w if there is no accumulator. With `replace`, entries of w outside of the
// mask are removed; otherwise they stay (docs/operations.md).
//
//   tropic::mxv(w, semiring, A, u, {.mask = complement(structure(visited)), .replace = true});

#include <optional>
#include <type_traits>
#include <utility>

#include <tropic/matrix.hpp>
#include <tropic/plan.hpp>
#include <tropic/semirings/operators.hpp>
#include <tropic/vector.hpp>

namespace tropic {

template <value_type T>
class full_matrix;
template <value_type T>
struct transposed_full_view;

namespace detail {
template <class Container>
struct mask_base {
  const Container* container = nullptr;
  bool structural = false, complemented = false;
  /// Of a matrix: it may have been changed since the mask was created.
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

/// A mask for a vector or a matrix. It refers to the container, which must outlive the call. A
/// container that is passed as a mask is a valued mask: entries that are zero or false are ignored.
/// Records have no zero and need structure().
template <class Container>
struct mask_view : detail::mask_base<Container> {
  mask_view() = default;
  template <value_type T>
  mask_view(const vector<T>& m) {
    use<T, detail::vector_base>(m);
  }
  template <value_type T>
  mask_view(const matrix<T>& m) {
    use<T, detail::matrix_base>(m);
  }
  explicit mask_view(detail::mask_base<Container> m) : detail::mask_base<Container>(m) {}

 private:
  template <class T, class Given>
  void use(const auto& m) {
    constexpr bool same = std::is_same_v<Container, Given>;
    static_assert(same, "tropic: the mask of a vector is a vector, that of a matrix a matrix");
    static_assert(!same || !record_traits<T>::is_record,
                  "tropic: a record is neither zero nor true, so this mask counts entries alone: "
                  "write structure(mask)");
    if constexpr (same) this->container = &m.base();
    if constexpr (same && requires { m.changes(); }) this->changes = &m.changes();
  }
};
using vector_mask = mask_view<detail::vector_base>;
using matrix_mask = mask_view<detail::matrix_base>;

/// The mask of all stored entries, regardless of their values.
template <value_type T>
vector_mask structure(const vector<T>& m) {
  return vector_mask({&m.base(), true, false});
}
template <value_type T>
matrix_mask structure(const matrix<T>& m) {
  return matrix_mask({&m.base(), true, false, &m.changes()});
}
/// The complement of a mask.
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

/// An optional binary operator over T that combines a result with the output's previous entry. It
/// must not use positions.
template <value_type T>
class accumulator {
 public:
  accumulator() = default;
  template <class Op>
    requires(!std::is_same_v<Op, accumulator>)
  accumulator(const Op& op) : op_(describe_operator<T, T, T>(op)), given_(true) {
    if constexpr (operator_type<Op>)
      static_assert(!Op::tropic_syntax.positional(),
                    "tropic: an accumulator has two values and no position");
  }
  const operator_description* get() const { return given_ ? &op_ : nullptr; }

 private:
  operator_description op_{};  // no std::optional: g++ 12 warns of its destructor (its bug 80635)
  bool given_ = false;
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

/// The transpose A' as an operand, made by transpose(A), which does not build it. It holds a
/// reference: the matrix must outlive it.
template <value_type T>
struct transposed_view {
  const matrix<T>& of;
};
template <value_type T>
transposed_view<T> transpose(const matrix<T>& a) {
  return {a};
}

namespace detail {
/// A, or A' if `transposed`.
struct matrix_factor {
  const matrix_base& matrix;
  bool transposed = false;
};
template <value_type T>
matrix_factor factor_of(const matrix<T>& a) {
  return {.matrix = a.base()};
}
template <value_type T>
matrix_factor factor_of(const transposed_view<T>& a) {
  return {.matrix = a.of.base(), .transposed = true};
}

template <class T>
std::type_identity<T> vector_value(const vector<T>&);
template <class T>
std::type_identity<T> matrix_value(const matrix<T>&);
template <class T>
std::type_identity<T> operand_value(const matrix<T>&);
template <class T>
std::type_identity<T> operand_value(const transposed_view<T>&);

template <class T>
concept a_vector = requires(const T& t) { detail::vector_value(t); };
template <class T>
concept a_matrix = requires(const T& t) { detail::matrix_value(t); };
template <class T>
concept written_vector = a_vector<T> && !std::is_const_v<T>;
template <class T>
concept written_matrix = a_matrix<T> && !std::is_const_v<T>;
}  // namespace detail

/// A matrix or transpose(matrix): the operand of mxv, vxm and reduce.
template <class A>
concept matrix_operand = requires(const A& a) { detail::operand_value(a); };
/// The value type of a matrix operand.
template <matrix_operand A>
using operand_value_t = typename decltype(detail::operand_value(std::declval<const A&>()))::type;

namespace detail {
template <class T>
std::type_identity<T> full_value(const full_matrix<T>&);
template <class T>
std::type_identity<T> full_value(const transposed_full_view<T>&);
template <class T>
concept a_full_matrix = requires(const T& t) { detail::full_value(t); };

/// At least one is a container of Tropic: then a mismatch is explained by a static_assert.
/// Operations on full matrices are in full_operations.hpp.
template <class... T>
concept some_of_ours = ((a_vector<T> || matrix_operand<T>) || ...) && !(a_full_matrix<T> || ...);
}  // namespace detail

}  // namespace tropic
