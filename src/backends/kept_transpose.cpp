// SPDX-License-Identifier: Apache-2.0
#include "backends/kept_transpose.hpp"

#include "backends/cpu/matrices/rows.hpp"
#include "containers/context_state.hpp"
#include "containers/derived_copies.hpp"

namespace tropic::detail {

bool has_kept_transpose(const matrix_base& a) {
  const std::lock_guard lock(a.derived->mutex);
  return a.derived->transpose != nullptr;
}

std::shared_ptr<const matrix_base> kept_transpose(context_state& context, const matrix_base& a,
                                                  const transpose_maker& make) {
  if (a.symmetric) return std::make_shared<matrix_base>(a);
  const std::lock_guard lock(a.derived->mutex);
  if (a.derived->transpose == nullptr) {
    struct flag {
      std::atomic<bool>& value;
      explicit flag(std::atomic<bool>& v) : value(v) { value = true; }
      ~flag() { value = false; }
    } const building(a.derived->building);
    a.derived->transpose = std::make_shared<matrix_base>(make(a));
    remember_derived(context, a.derived);
  }
  return a.derived->transpose;
}

matrix_base new_transpose(const matrix_base& a, const transpose_maker& make) {
  if (a.symmetric) {
    matrix_base t = a;
    on_cpu::renew(t);
    t.symmetric = true;
    return t;
  }
  std::shared_ptr<const matrix_base> kept;
  {
    const std::lock_guard lock(a.derived->mutex);
    kept = a.derived->transpose;
  }
  if (kept == nullptr) return make(a);
  matrix_base t = *kept;
  on_cpu::renew(t);
  return t;
}

}  // namespace tropic::detail
