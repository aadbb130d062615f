// SPDX-License-Identifier: Apache-2.0

// Products of sparse and full matrices of the C ABI.

#include <tropic/detail/full.hpp>

#include "interop/c/accumulators.hpp"
#include "interop/c/support.hpp"

using namespace tropic::c_abi;

namespace {

// The checked options of a call.
class full_call {
 public:
  full_call(const call& by, const tropic_full* c, const tropic_full_options* options) {
    static const tropic_full_options defaults = TROPIC_FULL_OPTIONS_INIT;
    const tropic_full_options given = by.options(options, defaults, "options");
    if (given.mask != nullptr && given.sparse_mask != nullptr)
      by.refuse("options->mask and options->sparse_mask are both given");
    if (given.mask == nullptr && given.sparse_mask == nullptr &&
        (given.structure != 0 || given.complement != 0))
      by.refuse(std::string("options->") + (given.structure != 0 ? "structure" : "complement") +
                " needs a mask, and options->mask and options->sparse_mask are NULL");
    if (given.mask != nullptr)
      output_.mask = {&given.mask->base, given.structure != 0, given.complement != 0, nullptr};
    if (given.sparse_mask != nullptr)
      output_.sparse_mask = {&given.sparse_mask->base(), given.structure != 0,
                             given.complement != 0, nullptr};
    if (given.accumulate != nullptr) {
      merge_ = accumulator_of(by, given.accumulate, *c->base.cells.type);
      output_.accumulator = &*merge_;
    }
    output_.replace = given.replace != 0;
    transposed_ = given.transpose != 0;
  }
  full_call(const full_call&) = delete;
  full_call& operator=(const full_call&) = delete;

  const tropic::detail::full_output& output() const { return output_; }
  tropic::detail::matrix_factor factor(const tropic_matrix* m) const {
    return {.matrix = m->base(), .transposed = transposed_};
  }

 private:
  tropic::detail::full_output output_;
  std::optional<tropic::operator_description> merge_;
  bool transposed_ = false;
};

}  // namespace

tropic_status tropic_mxm_full(tropic_full* c, const tropic_semiring* semiring,
                              const tropic_matrix* a, const tropic_full* b,
                              const tropic_full_options* options) {
  return guarded(context_of(c, a, b, semiring), "tropic_mxm_full", [&](const call& by) {
    by.need(c, "c");
    by.need(semiring, "semiring");
    by.need(a, "a");
    by.need(b, "b");
    const full_call of(by, c, options);
    by.begin(*c->of);
    tropic::detail::mxm(c->base, semiring->description, of.factor(a), b->base, of.output());
  });
}

tropic_status tropic_full_mxm(tropic_full* c, const tropic_semiring* semiring, const tropic_full* a,
                              const tropic_matrix* b, const tropic_full_options* options) {
  return guarded(context_of(c, a, b, semiring), "tropic_full_mxm", [&](const call& by) {
    by.need(c, "c");
    by.need(semiring, "semiring");
    by.need(a, "a");
    by.need(b, "b");
    const full_call of(by, c, options);
    by.begin(*c->of);
    tropic::detail::mxm(c->base, semiring->description, a->base, of.factor(b), of.output());
  });
}
