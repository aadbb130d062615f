// SPDX-License-Identifier: Apache-2.0
#include <tropic/steps.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "operations/step.hpp"
#include "operations/vector_checks.hpp"

namespace tropic::detail {

namespace {

constexpr const char* list_name = "step_list";

product product_of(const product_step& s) {
  return {s.semiring, s.matrix, s.u, s.transposed, s.vector_first};
}

// One step by the operation of its name.
class one_by_one {
 public:
  void operator()(const ewise_step& s) const {
    ewise("ewise_multiply", s.w, ewise_positions::intersection, s.op, s.u, s.v, {});
  }
  void operator()(const apply_step& s) const { detail::apply(s.w, s.op, s.u, {}); }
  void operator()(const product_step& s) const {
    output_options<vector_base> options;
    if (s.accumulates) options.accumulator = &s.accumulator;
    options.forced = s.plan;
    multiply(s.vector_first ? "vxm" : "mxv", s.w, s.semiring,
             {.matrix = s.matrix, .transposed = s.transposed}, s.u,
             s.vector_first ? factor_order::vector_first : factor_order::matrix_first, options);
  }
  void operator()(const sum_step& s) const {
    vector_base terms = empty_vector(s.u.context, *s.monoid.add.z, s.u.size);
    if (s.v != nullptr) {
      ewise("reduce", terms, ewise_positions::intersection, s.op, s.u, *s.v, {});
    } else if (s.mask != nullptr) {
      output_options<vector_base> within;
      within.mask = {s.mask, true, false};
      assign(terms, s.u, nullptr, within);
    }
    detail::reduce(s.result, s.monoid, s.v || s.mask ? terms : s.u);
  }
};

// Chooses the kernels of products. False if one does more than run a kernel.
bool choose_kernels(backend& executor, std::vector<vector_step>& steps) {
  return std::ranges::all_of(steps, [&](vector_step& step) {
    auto* const product = std::get_if<product_step>(&step);
    if (product == nullptr) return true;
    std::optional<std::string> kernel = kernel_of(executor, product_of(*product), product->plan);
    if (!kernel) return false;
    product->kernel = *std::move(kernel);
    return true;
  });
}

}  // namespace

struct recorded_steps::state {
  context_pointer context;
  std::vector<vector_step> steps{};

  // Containers of one step belong to one context, which must be that of the list.
  void check_context(const vector_base& v) const {
    if (v.context != context) throw two_contexts(list_name, *context, *v.context);
  }
};

recorded_steps::recorded_steps(const context& where)
    : state_(std::make_unique<state>(state{where.state()})) {}
recorded_steps::recorded_steps(recorded_steps&&) noexcept = default;
recorded_steps& recorded_steps::operator=(recorded_steps&&) noexcept = default;
recorded_steps::~recorded_steps() = default;

void recorded_steps::ewise_multiply(vector_base& w, const operator_description& op,
                                    const vector_base& u, const vector_base& v) {
  check_ewise("ewise_multiply", w, ewise_positions::intersection, op, u, v);
  state_->check_context(w);
  state_->steps.push_back(ewise_step{w, op, u, v});
}

void recorded_steps::apply(vector_base& w, const unary_description& op, const vector_base& u) {
  check_apply(w, op, u);
  state_->check_context(w);
  state_->steps.push_back(apply_step{w, op, u});
}

void recorded_steps::multiply(const char* name, vector_base& w,
                              const semiring_description& semiring, matrix_factor a,
                              const vector_base& u, factor_order order,
                              const operator_description* accumulator, const plan* forced) {
  const bool vector_first = order == factor_order::vector_first;
  check_multiply(name, w, {semiring, a.matrix, u, a.transposed, vector_first}, forced);
  state_->check_context(w);
  output_options<vector_base> options;
  options.accumulator = accumulator;
  rule_of(name, w, options);
  state_->steps.push_back(
      product_step{w, semiring, a.matrix, a.transposed, vector_first, u, accumulator != nullptr,
                   accumulator ? *accumulator : operator_description{}, forced});
}

void recorded_steps::reduce(void* result, const monoid_description& monoid, const vector_base& u,
                            const vector_base* mask) {
  check_type("reduce", "u", *u.type, *monoid.add.x);
  check_has_no_position("reduce", "the monoid", monoid.add);
  common_backend("reduce", u);
  state_->check_context(u);
  if (mask != nullptr) check_mask("reduce", u, {mask, true, false});
  state_->steps.push_back(sum_step{.result = result, .monoid = monoid, .u = u, .mask = mask});
}

void recorded_steps::reduce(void* result, const monoid_description& monoid,
                            const operator_description& op, const vector_base& u,
                            const vector_base& v) {
  check_has_no_position("reduce", "the monoid", monoid.add);
  // The terms are a vector that is not built.
  vector_base terms;
  terms.context = u.context;
  terms.type = monoid.add.x;
  terms.size = u.size;
  check_ewise("reduce", terms, ewise_positions::intersection, op, u, v);
  state_->check_context(u);
  state_->steps.push_back(sum_step{.result = result, .monoid = monoid, .u = u, .op = op, .v = &v});
}

void recorded_steps::run() {
  std::vector<vector_step> steps = std::exchange(state_->steps, {});
  refuse_forked(list_name, *state_->context);
  if (state_->context->is_cancelled()) throw cancelled();
  backend& executor = *state_->context->executor;
  const bool together = in_step(list_name, [&] {
    return executor.has_passes() && choose_kernels(executor, steps) && executor.run_together(steps);
  });
  if (together) return;
  for (const vector_step& step : steps) std::visit(one_by_one{}, step);
}

}  // namespace tropic::detail
