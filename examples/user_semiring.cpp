// SPDX-License-Identifier: Apache-2.0
//
// Three semirings over one small network of links, each with a chance of working:
//   * the most reliable route, with the built-in max_times;
//   * the route whose weakest link is strongest, with a user-defined operator and monoid;
//   * the most reliable route and its number of links together, with a user-defined value type.

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>

#include <tropic/tropic.hpp>

namespace {

// x is the route so far, y the next link: a route is as strong as its weakest link.
TROPIC_BINARY_OPERATOR(weaker, t_min(x, y));
TROPIC_BINARY_OPERATOR(stronger, t_max(x, y));
TROPIC_MONOID(strongest, stronger, t_lowest, .idempotent = true, .exact_for_floating = true);
using strongest_chain = tropic::semiring<strongest<double>, weaker>;

// A route with its links counted: the more reliable wins, at a tie the one with fewer links.
TROPIC_VALUE_TYPE(route, (double, chance), (std::int32_t, links));
TROPIC_BINARY_OPERATOR(better,
                       x.chance > y.chance || (x.chance == y.chance && x.links < y.links) ? x : y);
TROPIC_BINARY_OPERATOR(extended, t_make(y* x.chance, x.links + 1));
TROPIC_MONOID(best_route, better, t_make(-t_inf, 0), .idempotent = true);
using counted_route = tropic::semiring<best_route<route>, extended, route, double>;

// Applies `semiring` until the result is final: a best route has fewer links than vertices.
template <class Semiring, class T, class Better>
tropic::vector<T> spread(const Semiring& semiring, const Better& better_of, const T& start,
                         const tropic::matrix<double>& links) {
  tropic::vector<T> best(links.where(), links.rows());
  best.set(0, start);
  for (tropic::index_t n = 1; n < links.rows(); ++n)
    tropic::vxm(best, semiring, best, links, {.accumulate = better_of});
  return best;
}

void expect(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "user_semiring: " << what << " is wrong\n";
  std::exit(1);
}

}  // namespace

int main() {
  const auto here = tropic::context::automatic();
  //  0 -.9-> 1 -.9-> 2 -.9-> 3     0 -.5-> 3     0 -.8-> 2
  const std::vector<std::uint32_t> from{0, 1, 2, 0, 0}, to{1, 2, 3, 3, 2};
  const std::vector<double> chance{0.9, 0.9, 0.9, 0.5, 0.8};
  const auto links = tropic::matrix<double>::from_entries(here, 4, 4, from, to, chance);

  const auto reliable = spread(tropic::max_times<double>{}, tropic::maximum{}, 1.0, links);
  const auto strong = spread(strongest_chain{}, stronger{}, 1.0, links);
  const auto counted = spread(counted_route{}, better{}, route{1.0, 0}, links);

  const auto close = [](double a, double b) { return std::abs(a - b) < 1e-12; };
  expect(close(*reliable.get(3), 0.729), "the most reliable route to 3");
  expect(close(*reliable.get(2), 0.81), "the most reliable route to 2");
  expect(*strong.get(3) == 0.9, "the strongest chain to 3");
  expect(close(counted.get(3)->chance, 0.729) && counted.get(3)->links == 3, "the counted route");

  std::cout << "vertex  chance  weakest link  links\n";
  for (const auto& [vertex, value] : counted.entries())
    std::cout << vertex << "       " << *reliable.get(vertex) << "  " << *strong.get(vertex) << "  "
              << value.links << '\n';
}
