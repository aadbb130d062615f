// SPDX-License-Identifier: Apache-2.0

// Products of matrices of the C ABI.

#include <tropic/detail/operations.hpp>
#include <tropic/plan.hpp>

#include "interop/c/accumulators.hpp"
#include "interop/c/support.hpp"

using namespace tropic::c_abi;

namespace {

tropic_mxm_options options_of(const call& c, const tropic_mxm_options* options) {
  static const tropic_mxm_options defaults = TROPIC_MXM_OPTIONS_INIT;
  const tropic_mxm_options given = c.options(options, defaults, "options");
  if (given.mask == nullptr && (given.structure != 0 || given.complement != 0))
    c.refuse(std::string("options->") + (given.structure != 0 ? "structure" : "complement") +
             " needs a mask, and options->mask is NULL");
  return given;
}

tropic::detail::mask_base<tropic::detail::matrix_base> mask_of(const tropic_mxm_options& given) {
  if (given.mask == nullptr) return {};
  return {&given.mask->base(), given.structure != 0, given.complement != 0};
}

}  // namespace

tropic_status tropic_mxm(tropic_matrix* c, const tropic_semiring* semiring, const tropic_matrix* a,
                         const tropic_matrix* b, const tropic_mxm_options* options) {
  return guarded(context_of(c, a, b, semiring), "tropic_mxm", [&](const call& by) {
    by.need(c, "c");
    by.need(semiring, "semiring");
    by.need(a, "a");
    by.need(b, "b");
    const tropic_mxm_options given = options_of(by, options);
    by.begin(*c->of);
    tropic::detail::output_options<tropic::detail::matrix_base> output;
    output.mask = mask_of(given);
    std::optional<tropic::operator_description> merge;
    if (given.accumulate != nullptr) {
      merge = accumulator_of(by, given.accumulate, *c->base().type);
      output.accumulator = &*merge;
    }
    output.replace = given.replace != 0;
    tropic::plan forced;
    if (given.kernel != nullptr) {
      forced.kernel = given.kernel;
      if (forced.kernel.empty())
        by.refuse("options->kernel is empty; NULL lets the library choose");
      output.forced = &forced;
    }
    tropic::detail::mxm(c->changes.base(), semiring->description,
                        {.matrix = a->base(), .transposed = given.transpose_a != 0},
                        {.matrix = b->base(), .transposed = given.transpose_b != 0}, output);
    c->pattern.reset();
  });
}

tropic_status tropic_reduce_mxm(void* result, int* found, const tropic_semiring* semiring,
                                const tropic_matrix* a, const tropic_matrix* b,
                                const tropic_mxm_options* options) {
  return guarded(context_of(a, b, semiring), "tropic_reduce_mxm", [&](const call& by) {
    by.need_array(result, 1, "result");
    by.need(semiring, "semiring");
    by.need(a, "a");
    by.need(b, "b");
    const tropic_mxm_options given = options_of(by, options);
    if (given.kernel != nullptr) by.refuse("options->kernel is given, which only tropic_mxm takes");
    if (given.accumulate != nullptr || given.replace != 0)
      by.refuse("options->accumulate and options->replace apply to operations that write a matrix");
    by.begin(*a->of);
    const bool any = tropic::detail::reduce_mxm(
        result, semiring->description.add, semiring->description,
        {.matrix = a->base(), .transposed = given.transpose_a != 0},
        {.matrix = b->base(), .transposed = given.transpose_b != 0}, mask_of(given));
    if (found != nullptr) *found = any ? 1 : 0;
  });
}
