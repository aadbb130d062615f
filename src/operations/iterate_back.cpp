// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <fmt/format.h>

#include <tropic/iterate.hpp>

#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

// The entries of w, which is dense, at the positions of a round.
vector_base entries_of(backend& executor, const reverse_iteration& i, std::size_t round) {
  const context_pointer& where = i.w.context;
  const std::size_t count = i.order.size_of(round);
  vector_base entries = empty_vector(where, *i.w.type, i.w.size);
  if (count == 0) return entries;
  const auto* const positions =
      static_cast<const std::uint32_t*>(i.order.positions->host()) + i.order.starts[round];
  entries.indices = make_buffer(where, count * sizeof(std::uint32_t));
  std::memcpy(entries.indices->host_write(), positions, entries.indices->bytes());
  vector_base values = empty_vector(where, *i.w.type, static_cast<index_t>(count));
  values.storage = vector_storage::full;
  values.nvals = static_cast<index_t>(count);
  values.values = make_buffer(where, count * i.w.type->size);
  executor.gather(values, i.w, entries.indices);
  entries.values = values.values;
  entries.nvals = values.nvals;
  return entries;
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
           const vector_base& w, const ordered_rounds& order, const operator_description& give,
           const operator_description& take) {
  constexpr const char* name = "iterate_back";
  if (a.rows != a.columns || x.size != a.rows)
    throw usage_error(
        fmt::format("{}: A is {}, x has {}; A must be square, with a row per position", name,
                    shape(a), shape(x)));
  if (w.size != x.size)
    throw usage_error(fmt::format("{}: x has {}, w {}", name, shape(x), shape(w)));
  if (order.rounds() > 0 && order.size != x.size)
    throw usage_error(
        fmt::format("{}: x has {}, the order is of size {}", name, shape(x), order.size));
  if (x.nvals != x.size)
    throw usage_error(fmt::format("{}: x has {} entries, needs {}", name, x.nvals, x.size));
  if (static_cast<std::uint64_t>(index_t{w.nvals}) < order.starts.back())
    throw usage_error(fmt::format("{}: w has {} entries, the rounds {} positions", name, w.nvals,
                                  order.starts.back()));
  check_has_no_position(name, "the semiring's add", semiring.add.add);
  check_has_no_position(name, "give", give);
  check_has_no_position(name, "take", take);
}

}  // namespace

ordered_rounds order_of(const vector_base& rounds) {
  backend& executor = common_backend("round_order", rounds);
  if (rounds.nvals == 0) return {.context = rounds.context, .size = rounds.size};
  return in_step("round_order", [&] { return executor.order_rounds(rounds); });
}

void iterate_back(vector_base& x, const semiring_description& semiring, const matrix_base& a,
                  const vector_base& w, const ordered_rounds& order,
                  const operator_description& give, const operator_description& take,
                  const char* name) {
  backend& executor = common_backend("iterate_back", x, a, w);
  if (order.rounds() > 0) common_backend("iterate_back", x, order);
  check(x, semiring, a, w, order, give, take);
  vector_base dense = w;
  if (dense.storage == vector_storage::sparse) convert(dense, vector_storage::bitmap);
  const reverse_iteration i{semiring, a, dense, order, give, take};
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
