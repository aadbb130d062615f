// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <fmt/format.h>

#include <tropic/iterate.hpp>

#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

// The entries of w at the positions of a round.
vector_base entries_of(backend& executor, const reverse_iteration& i, std::size_t round) {
  const auto* const positions =
      static_cast<const std::uint32_t*>(i.order.positions->host()) + i.order.starts[round];
  const std::vector<index_t> list(positions, positions + i.order.size_of(round));
  vector_base values =
      empty_vector(i.w.context, *i.w.type, static_cast<index_t>(i.order.size_of(round)));
  executor.extract(values, i.w, {.all = false, .list = list}, {});
  convert(values, vector_storage::full);
  return build_vector(i.w.context, *i.w.type, i.w.size, list, values.values->host(),
                      duplicates::error);
}

// The step from a round to the one before it.
void run_round_back(backend& executor, vector_base& x, const reverse_iteration& i,
                    std::size_t round) {
  const vector_base later = entries_of(executor, i, round),
                    earlier = entries_of(executor, i, round - 1);
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

void check(const vector_base& x, const semiring_description& semiring, const matrix_base& a,
           const vector_base& w, const vector_base& rounds, const operator_description& give,
           const operator_description& take) {
  constexpr const char* name = "iterate_back";
  if (a.rows != a.columns || x.size != a.rows)
    throw usage_error(
        fmt::format("{}: A is {}, x has {}; A must be square, with a row per position", name,
                    shape(a), shape(x)));
  for (const vector_base* v : {&w, &rounds})
    if (v->size != x.size)
      throw usage_error(fmt::format("{}: x has {}, {} {}", name, shape(x),
                                    v == &w ? "w" : "the rounds", shape(*v)));
  if (x.nvals != x.size)
    throw usage_error(fmt::format("{}: x has {} entries, needs {}", name, x.nvals, x.size));
  check_has_no_position(name, "the semiring's add", semiring.add.add);
  check_has_no_position(name, "give", give);
  check_has_no_position(name, "take", take);
}

}  // namespace

void iterate_back(vector_base& x, const semiring_description& semiring, const matrix_base& a,
                  const vector_base& w, const vector_base& rounds, const operator_description& give,
                  const operator_description& take, const char* name) {
  backend& executor = common_backend("iterate_back", x, a);
  for (const vector_base* v : {&w, &rounds}) common_backend("iterate_back", x, *v);
  check(x, semiring, a, w, rounds, give, take);
  if (rounds.nvals == 0) return;
  const round_order order = in_step(name, [&] { return executor.order_rounds(rounds, w); });
  const reverse_iteration i{semiring, a, w, order, give, take};
  const context where(x.context);
  for (std::size_t round = order.rounds(); round-- > 1;) {
    where.checkpoint(name);
    in_step(name, [&] {
      const std::size_t together = executor.iterate_back(x, i, round);
      if (together > 0)
        round -= together - 1;
      else
        run_round_back(executor, x, i, round);
    });
  }
}

}  // namespace tropic::detail
