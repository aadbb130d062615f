// SPDX-License-Identifier: Apache-2.0

// mxv and vxm of the C ABI.

#include <tropic/detail/operations.hpp>

#include "interop/c/accumulators.hpp"
#include "interop/c/support.hpp"

using namespace tropic::c_abi;

namespace {

void multiply(const call& c, const char* name, tropic_vector* w, const tropic_semiring* semiring,
              const tropic_matrix* a, const tropic_vector* u, tropic::detail::factor_order order,
              const tropic_product_options* options) {
  c.need(w, "w");
  c.need(semiring, "semiring");
  c.need(a, "a");
  c.need(u, "u");
  static const tropic_product_options defaults = TROPIC_PRODUCT_OPTIONS_INIT;
  const tropic_product_options given = c.options(options, defaults, "options");
  if (given.expected_calls < 1)
    c.refuse("options->expected_calls is " + std::to_string(given.expected_calls) +
             ", needed 1 or more");
  c.begin(*w->of);

  tropic::detail::output_options<tropic::detail::vector_base> output;
  if (given.mask != nullptr)
    output.mask = {&given.mask->base, given.structure != 0, given.complement != 0};
  else if (given.structure != 0 || given.complement != 0)
    c.refuse(std::string("options->") + (given.structure != 0 ? "structure" : "complement") +
             " needs a mask, and options->mask is NULL");
  std::optional<tropic::operator_description> merge;
  if (given.accumulate != nullptr) {
    merge = accumulator_of(c, given.accumulate, *w->base.type);
    output.accumulator = &*merge;
  }
  output.replace = given.replace != 0;
  tropic::plan plan;
  if (given.kernel != nullptr) plan.kernel = given.kernel;
  if (given.kernel != nullptr && plan.kernel.empty())
    c.refuse("options->kernel is empty; NULL lets the library choose");
  plan.expected_calls = given.expected_calls;
  if (given.kernel != nullptr || given.expected_calls > 1) output.forced = &plan;
  tropic::detail::multiply(name, w->base, semiring->description,
                           {.matrix = a->base(), .transposed = given.transpose != 0}, u->base,
                           order, output);
}

}  // namespace

tropic_status tropic_mxv(tropic_vector* w, const tropic_semiring* semiring, const tropic_matrix* a,
                         const tropic_vector* u, const tropic_product_options* options) {
  return guarded(context_of(w, a, u, semiring), "tropic_mxv", [&](const call& c) {
    multiply(c, "mxv", w, semiring, a, u, tropic::detail::factor_order::matrix_first, options);
  });
}

tropic_status tropic_vxm(tropic_vector* w, const tropic_semiring* semiring, const tropic_vector* u,
                         const tropic_matrix* a, const tropic_product_options* options) {
  return guarded(context_of(w, a, u, semiring), "tropic_vxm", [&](const call& c) {
    multiply(c, "vxm", w, semiring, a, u, tropic::detail::factor_order::vector_first, options);
  });
}
