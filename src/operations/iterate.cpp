// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tropic/iterate.hpp>

#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {
namespace {

using options = output_options<vector_base>;

options where_stored(const vector_base& mask) {
  options o;
  o.mask = {&mask, true, false};
  return o;
}
options where_lacking(const vector_base& mask) {
  options o;
  o.mask = {&mask, true, true};
  return o;
}

// The sums that take their place in w.
vector_base changes(const vector_base& w, const vector_base& frontier, const iteration& i) {
  const context_pointer& where = w.context;
  vector_base sums = empty_vector(where, *w.type, w.size);
  multiply("vxm", sums, i.semiring, {.matrix = i.matrix}, frontier, factor_order::vector_first,
           i.improves == nullptr ? where_lacking(w) : options{});
  if (i.improves == nullptr) return sums;
  vector_base better = empty_vector(where, describe(type_code::boolean), w.size),
              changed = empty_vector(where, *w.type, w.size);
  ewise("ewise_multiply", better, ewise_positions::intersection, *i.improves, sums, w, {});
  options let;
  let.mask = {&better, false, false};
  assign(changed, sums, nullptr, let);
  if (w.storage == vector_storage::full || w.nvals == w.size) return changed;
  vector_base fresh = empty_vector(where, *w.type, w.size);
  assign(fresh, sums, nullptr, where_lacking(w));
  if (fresh.nvals > 0) assign(changed, fresh, nullptr, where_stored(fresh));
  return changed;
}

void run_round(vector_base& w, vector_base& frontier, const iteration& i, index_t number) {
  vector_base changed = changes(w, frontier, i);
  assign(w, changed, nullptr, where_stored(changed));
  if (i.round != nullptr) assign(*i.round, &number, nullptr, where_stored(changed));
  if (i.keep != nullptr) {
    vector_base kept = empty_vector(w.context, *w.type, w.size);
    select(kept, *i.keep, changed, {});
    if (i.beyond != nullptr && kept.nvals < changed.nvals) {
      vector_base outside = empty_vector(w.context, *w.type, w.size);
      assign(outside, changed, nullptr, where_lacking(kept));
      assign(*i.beyond, outside, nullptr, where_stored(outside));
    }
    changed = std::move(kept);
  }
  frontier = std::move(changed);
}

void check(const vector_base& w, const vector_base& frontier, const iteration& i) {
  constexpr const char* name = "iterate_until";
  if (i.matrix.rows != i.matrix.columns || w.size != i.matrix.rows || frontier.size != w.size)
    throw usage_error(std::string(name) + ": A is " + shape(i.matrix) + ", w has " + shape(w) +
                      ", the frontier " + shape(frontier) +
                      "; needed are a square and two as long");
  for (const vector_base* more : {i.beyond, i.round})
    if (more != nullptr && more->size != w.size)
      throw usage_error(std::string(name) + ": w has " + shape(w) + ", " +
                        (more == i.beyond ? "beyond" : "rounds") + " " + shape(*more));
  const vector_base* const written[] = {&w, &frontier, i.beyond, i.round};
  constexpr const char* names[] = {"w", "the frontier", "beyond", "rounds"};
  for (std::size_t n = 0; n < std::size(written); ++n)
    for (std::size_t m = 0; m < n; ++m)
      if (written[n] != nullptr && written[n] == written[m])
        throw usage_error(
            fmt::format("{}: {} and {} are one vector, needed are two", name, names[m], names[n]));
  check_has_no_position(name, "the semiring's add", i.semiring.add.add);
  if (i.improves != nullptr) check_has_no_k(name, *i.improves);
  if (i.keep != nullptr) check_has_no_k(name, i.keep->op);
}

}  // namespace

index_t iterate_until(vector_base& w, const semiring_description& semiring, vector_base& frontier,
                      const matrix_base& a, const iterate_request& request) {
  const iteration i{semiring, a, request.improves, request.keep, request.beyond, request.rounds};
  backend& executor = common_backend("iterate_until", w, frontier, a);
  for (const vector_base* more : {i.beyond, i.round})
    if (more != nullptr) common_backend("iterate_until", w, *more);
  check(w, frontier, i);
  const context where(w.context);
  index_t done = 0;
  while (done < request.max_rounds && frontier.nvals > 0) {
    where.checkpoint(request.name);
    const index_t first = request.first_round + done;
    in_step(request.name, [&] {
      const index_t together = executor.iterate(w, frontier, i, first, request.max_rounds - done);
      if (together == 0) run_round(w, frontier, i, first);
      done += together == 0 ? 1 : together;
    });
  }
  return done;
}

}  // namespace tropic::detail
