// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tropic/iterate.hpp>

#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

// The round that goes from changes[k] to changes[k - 1].
void run_round_back(vector_base& x, const reverse_iteration& i, std::size_t k) {
  const vector_base &later = *i.changes[k], &earlier = *i.changes[k - 1];
  const context_pointer& where = x.context;
  vector_base part = empty_vector(where, *i.give.z, x.size),
              sum = empty_vector(where, i.semiring.z(), x.size),
              next = empty_vector(where, *x.type, x.size);
  ewise("ewise_multiply", part, ewise_positions::intersection, i.give, later, x, {});
  output_options<vector_base> of_earlier;
  of_earlier.mask = {&earlier, true, false};
  of_earlier.replace = true;
  multiply("mxv", sum, i.semiring, {.matrix = i.matrix}, part, factor_order::matrix_first,
           of_earlier);
  ewise("ewise_multiply", next, ewise_positions::intersection, i.take, sum, earlier, {});
  output_options<vector_base> of_next;
  of_next.mask = {&next, true, false};
  assign(x, next, nullptr, of_next);
}

void check(const vector_base& x, const reverse_iteration& i) {
  constexpr const char* name = "iterate_back";
  if (i.matrix.rows != i.matrix.columns || x.size != i.matrix.rows)
    throw usage_error(
        fmt::format("{}: A is {}, x has {}; A must be square, with a row per position", name,
                    shape(i.matrix), shape(x)));
  for (const vector_base* v : i.changes)
    if (v->size != x.size)
      throw usage_error(
          fmt::format("{}: x has {}, the entries of a round {}", name, shape(x), shape(*v)));
  if (x.nvals != x.size)
    throw usage_error(fmt::format("{}: x has {} entries, needs {}", name, x.nvals, x.size));
  check_has_no_position(name, "the semiring's add", i.semiring.add.add);
  check_has_no_position(name, "give", i.give);
  check_has_no_position(name, "take", i.take);
}

}  // namespace

void iterate_back(vector_base& x, const semiring_description& semiring, const matrix_base& a,
                  std::span<const vector_base* const> changes, const operator_description& give,
                  const operator_description& take, const char* name) {
  const reverse_iteration i{semiring, a, changes, give, take};
  backend& executor = common_backend("iterate_back", x, a);
  for (const vector_base* v : changes) common_backend("iterate_back", x, *v);
  check(x, i);
  const context where(x.context);
  for (std::size_t k = changes.size(); k-- > 1;) {
    where.checkpoint(name);
    in_step(name, [&] {
      const std::size_t together = executor.iterate_back(x, i, k);
      if (together > 0)
        k -= together - 1;
      else
        run_round_back(x, i, k);
    });
  }
}

}  // namespace tropic::detail
