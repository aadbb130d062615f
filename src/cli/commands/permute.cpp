// SPDX-License-Identifier: Apache-2.0

// The option --permute, and the operands of a product in another order.

#include "cli/commands/permute.hpp"

#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "cli/input/progress.hpp"
#include "plan/order_advice.hpp"

namespace tropic::cli {

namespace {

permutation_kind kind_named(const std::string& name) {
  if (const auto kind = permutation_kind_named(name)) return *kind;
  std::string all = "auto";
  std::vector<std::string> names{all};
  for (const permutation_kind kind : permutation_kinds()) {
    names.emplace_back(name_of(kind));
    all += ", " + names.back();
  }
  const std::string meant = nearest(name, names);
  refuse_option("--permute", "'" + name + "'",
                "one of " + all + (meant.empty() ? "" : "; did you mean '" + meant + "'?"));
}

}  // namespace

void add_permute_options(command& to, permute_options& target) {
  to.word("--permute", "KIND", "reorder the matrix first: auto, degree, rcm, random-row ...",
          [&target](const std::string& name) {
            target.is_automatic = name == "auto";
            if (!target.is_automatic) target.kind = kind_named(name);
          });
  to.number<std::uint64_t>("--permute-seed", target.seed, "seed of random orders [1]", 0);
}

permute_options chosen(permute_options o, const detail::matrix_base& a,
                       const detail::product_traits& traits, index_t calls) {
  if (!o.is_automatic) return o;
  const detail::order_advice advice = detail::advise_order(a, traits, calls);
  o.kind = advice.by_degree ? permutation_kind::degree : permutation_kind::none;
  o.reason = advice.reason;
  return o;
}

void report_permutation(const permute_options& o, const std::string& remark, report& r) {
  r.extra["permutation"] = name_of(o.kind);
  if (is_random(o.kind)) r.extra["permute_seed"] = o.seed;
  if (o.is_automatic) {
    r.extra["permutation_reason"] = o.reason;
    r.text += fmt::format("permute  auto: {}; {}\n", name_of(o.kind), o.reason);
    return;
  }
  if (o.kind == permutation_kind::none) return;
  r.text += fmt::format("permute  {}{}; {}\n", name_of(o.kind),
                        is_random(o.kind) ? fmt::format(" by seed {}", o.seed) : "", remark);
}

algorithms::any_graph relabel(const detail::matrix_base& graph, const permute_options& o,
                              timings& seconds) {
  if (o.kind == permutation_kind::none) return algorithms::any_graph(graph);
  const auto start = std::chrono::steady_clock::now();
  algorithms::any_graph relabelled(graph, o.kind, o.seed);
  seconds.convert += seconds_since(start);
  seconds.transfer += transfer(context(graph.context), relabelled.working_copy());
  return relabelled;
}

permuted_product permute_product(const detail::matrix_base& a, const detail::vector_base& x,
                                 const semiring_description& semiring, const permute_options& o) {
  if (!suits(o.kind, a.rows, a.columns))
    refuse_option("--permute",
                  fmt::format("'{}' for a {}x{} matrix", name_of(o.kind), a.rows, a.columns),
                  "a square matrix, or another kind");
  if (semiring.multiply.syntax->positional())
    refuse_option("--permute", fmt::format("a product of positions, '{}'", semiring.multiply.text),
                  "one of values: positions would be those of the permuted matrix");
  const auto start = clock::now();
  const row_column_permutation order = detail::make_permutation(a, o.kind, o.seed);
  permuted_product result{detail::permute(a, order.rows, order.columns),
                          detail::permute(x, order.columns), order.rows};
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace tropic::cli
