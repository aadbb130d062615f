// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operations on vectors that run together: those between two products of an iteration, and the
// product itself. On the CPU and on devices they take one pass over the vectors, which are then
// read and written once instead of once per operation.
//
//   tropic::step_list steps(where);
//   steps.vxm(next, tropic::plus_times<double>{}, share, graph);
//   steps.reduce(change, tropic::plus_monoid<double>{}, distance{}, next, rank);
//   steps.ewise_multiply(share_of_next, tropic::times{}, next, per_edge);
//   steps.run();

#include <memory>
#include <type_traits>

#include <tropic/ewise.hpp>
#include <tropic/product.hpp>

namespace tropic {

namespace detail {
/// A step_list without types. src/operations/steps.cpp.
class TROPIC_API recorded_steps {
 public:
  explicit recorded_steps(const context& where);
  recorded_steps(recorded_steps&&) noexcept;
  recorded_steps& operator=(recorded_steps&&) noexcept;
  ~recorded_steps();

  void ewise_multiply(vector_base& w, const operator_description&, const vector_base& u,
                      const vector_base& v);
  void apply(vector_base& w, const unary_description&, const vector_base& u);
  void multiply(const char* name, vector_base& w, const semiring_description&, matrix_factor a,
                const vector_base& u, factor_order, const operator_description* accumulator,
                const plan*);
  void reduce(void* result, const monoid_description&, const vector_base& u,
              const vector_base* mask);
  void reduce(void* result, const monoid_description&, const operator_description&,
              const vector_base& u, const vector_base& v);
  void run();

 private:
  struct state;
  std::unique_ptr<state> state_;
};
}  // namespace detail

/// Options of a product in a step_list.
template <value_type T>
struct step_options {
  accumulator<T> accumulate{};
  /// Run this plan's kernel.
  const tropic::plan* plan = nullptr;
};

/// A list of operations that run() executes in order. Results have the same bits as those of the
/// functions with the same names. The list refers to the vectors, the matrix, the results and the
/// plans: until run(), they must stay alive, and must not be moved or changed by others. Arguments
/// are checked when a step is added, with the errors of those functions.
class step_list {
 public:
  explicit step_list(const context& where) : steps_(where) {}

  /// w = op(u, v) where both have an entry.
  template <value_type W, class Op, value_type U, value_type V>
  void ewise_multiply(vector<W>& w, const Op& op, const vector<U>& u, const vector<V>& v) {
    steps_.ewise_multiply(w.base(), detail::describe_elementwise<W, U, V>(op), u.base(), v.base());
  }
  /// w = op(u).
  template <value_type W, class Op, value_type U>
  void apply(vector<W>& w, const Op& op, const vector<U>& u) {
    steps_.apply(w.base(), describe_unary<W, U>(op), u.base());
  }
  /// w accum= A u.
  template <value_type W, class S, matrix_operand A, value_type U>
  void mxv(vector<W>& w, const S& semiring, const A& a, const vector<U>& u,
           const std::type_identity_t<step_options<W>>& options = {}) {
    if constexpr (detail::require_types<S, W, operand_value_t<A>, U>())
      steps_.multiply("mxv", w.base(), detail::describe_for_mxv(semiring), detail::factor_of(a),
                      u.base(), detail::factor_order::matrix_first, options.accumulate.get(),
                      options.plan);
  }
  /// w' accum= u' A.
  template <value_type W, class S, matrix_operand A, value_type U>
  void vxm(vector<W>& w, const S& semiring, const vector<U>& u, const A& a,
           const std::type_identity_t<step_options<W>>& options = {}) {
    if constexpr (detail::require_types<S, W, U, operand_value_t<A>>())
      steps_.multiply("vxm", w.base(), detail::describe_for_vxm(semiring), detail::factor_of(a),
                      u.base(), detail::factor_order::vector_first, options.accumulate.get(),
                      options.plan);
  }
  /// result = the sum of the entries of u; the identity if there are none. Adding the step sets
  /// `result` to the identity; run() stores the sum.
  template <class M, value_type W>
  void reduce(W& result, const M& monoid, const vector<W>& u) {
    if constexpr (detail::require_monoid_over<M, W>()) {
      result = M::identity();
      steps_.reduce(&result, describe_monoid(monoid), u.base(), nullptr);
    }
  }
  /// The same for the entries of u at the positions where `within` has an entry.
  template <class M, value_type W, value_type T>
  void reduce(W& result, const M& monoid, const vector<W>& u, const vector<T>& within) {
    if constexpr (detail::require_monoid_over<M, W>()) {
      result = M::identity();
      steps_.reduce(&result, describe_monoid(monoid), u.base(), &within.base());
    }
  }
  /// result = the sum of op(u, v) where both have an entry; the identity if there are none.
  template <class M, value_type W, class Op, value_type U, value_type V>
  void reduce(W& result, const M& monoid, const Op& op, const vector<U>& u, const vector<V>& v) {
    if constexpr (detail::require_monoid_over<M, W>()) {
      result = M::identity();
      steps_.reduce(&result, describe_monoid(monoid), detail::describe_elementwise<W, U, V>(op),
                    u.base(), v.base());
    }
  }

  /// Runs the steps and empties the list. Throws what their functions throw; the list is empty
  /// then, too, and steps before the one that failed may have run.
  void run() { steps_.run(); }

 private:
  detail::recorded_steps steps_;
};

}  // namespace tropic
