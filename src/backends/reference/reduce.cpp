// SPDX-License-Identifier: Apache-2.0

// Sums over a monoid (GraphBLAS C API 2.0, 4.3.10), in ascending order of position, starting with
// the first entry; the identity only where there is none.

#include "backends/reference/entries.hpp"
#include "backends/reference/reference_backend.hpp"

namespace tropic::detail {

using namespace reference;

namespace {

// Adds `value` to the sum at `where`; the first value initialises the sum.
void add_to(entries& sums, const position& where, const scalar_bytes& value,
            const evaluator& plus) {
  const auto [at, is_first] = sums.try_emplace(where, value);
  if (is_first) return;
  scalar_bytes sum;
  plus(sum.data(), at->second.data(), value.data());
  at->second = sum;
}

bool sum_of_all(const context_pointer& where, void* result, const monoid_description& monoid,
                const entries& from) {
  cancel_watch watch(where);
  const evaluator plus(monoid.add);
  entries sums;
  for (const auto& [at, value] : from) {
    watch.step();
    add_to(sums, {}, value, plus);
  }
  const scalar_bytes& sum = sums.empty() ? monoid.identity : sums.begin()->second;
  std::memcpy(result, sum.data(), monoid.add.z->size);
  return !sums.empty();
}

}  // namespace

void reference_backend::reduce(vector_base& w, const monoid_description& monoid,
                               const matrix_base& a, bool transposed, const vector_rule& rule) {
  cancel_watch watch(a.context);
  const evaluator plus(monoid.add);
  entries t;
  for (const auto& [where, value] : load(a)) {
    watch.step();
    add_to(t, {transposed ? where.column : where.row}, value, plus);
  }
  write_back(w, t, rule);
}

bool reference_backend::reduce(void* result, const monoid_description& monoid,
                               const vector_base& u) {
  return sum_of_all(u.context, result, monoid, load(u));
}
bool reference_backend::reduce(void* result, const monoid_description& monoid,
                               const matrix_base& a) {
  return sum_of_all(a.context, result, monoid, load(a));
}

}  // namespace tropic::detail
