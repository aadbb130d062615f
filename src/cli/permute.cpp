// SPDX-License-Identifier: Apache-2.0

// The option --permute, and a product's operands in another order.

#include "cli/permute.hpp"

#include <vector>

#include <fmt/format.h>

namespace tropic::cli {

namespace {

permutation_kind kind_named(const std::string& name) {
  if (const auto kind = permutation_kind_named(name)) return *kind;
  std::string all;
  std::vector<std::string> names;
  for (const permutation_kind kind : permutation_kinds()) {
    names.emplace_back(name_of(kind));
    all += (all.empty() ? "" : ", ") + names.back();
  }
  const std::string meant = nearest(name, names);
  refuse_option(
      "--permute", "'" + name + "'",
      meant.empty() ? "one of " + all : "perhaps '" + meant + "' (there are " + all + ")");
}

}  // namespace

void add_permute_options(command& to, permute_options& target) {
  to.word("--permute", "KIND", "work in another order: random-row, gradient-row, degree, rcm ...",
          [&target](const std::string& name) { target.kind = kind_named(name); });
  to.number<std::uint64_t>("--permute-seed", target.seed, "what random orders are drawn by [1]", 0);
}

void tell_permutation(const permute_options& o, const std::string& aside, report& r) {
  r.more["permutation"] = name_of(o.kind);
  if (is_random(o.kind)) r.more["permute_seed"] = o.seed;
  if (o.kind == permutation_kind::none) return;
  r.text += fmt::format("permute  {}{}; {}\n", name_of(o.kind),
                        is_random(o.kind) ? fmt::format(" by seed {}", o.seed) : "", aside);
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
  const auto start = std::chrono::steady_clock::now();
  const row_column_permutation order = detail::make_permutation(a, o.kind, o.seed);
  permuted_product made{detail::permute(a, order.rows, order.columns),
                        detail::permute(x, order.columns), order.rows};
  made.seconds = seconds_since(start);
  return made;
}

}  // namespace tropic::cli
