// SPDX-License-Identifier: Apache-2.0
//
// A program of a user: a product over its own semiring, shortest paths, and errors that the library
// throws. Every way to use Tropic builds this one; scripts/check-install runs it.

#include <iostream>
#include <stdexcept>

#include <tropic/algorithms/sssp.hpp>
#include <tropic/io.hpp>
#include <tropic/semirings/from_text.hpp>
#include <tropic/tropic.hpp>

TROPIC_BINARY_OPERATOR(narrower, x < y ? x : y);
using widest_route = tropic::semiring<tropic::maximum_monoid<float>, narrower>;

// Thrown here, passed through the library, and caught here.
struct stop : std::runtime_error {
  using runtime_error::runtime_error;
};

template <class Error, class Work>
bool throws(Work work) {
  try {
    work();
  } catch (const Error& caught) {
    std::cout << caught.what() << '\n';
    return true;
  }
  return false;
}

int main() {
  const auto here = tropic::context::automatic();
  const std::vector<std::uint32_t> from{0, 0, 1, 2}, to{1, 2, 3, 3};
  const std::vector<float> width{4, 9, 7, 2};
  const auto roads = tropic::matrix<float>::from_entries(here, 4, 4, from, to, width);

  tropic::vector<float> widest(here, 4);
  widest.set(0, 100);
  for (int hops = 1; hops < 4; ++hops)
    tropic::vxm(widest, widest_route{}, widest, roads, {.accumulate = tropic::maximum{}});
  const auto shortest = tropic::sssp(roads, 0);
  std::cout << "widest " << *widest.get(3) << ", shortest " << *shortest.distance.get(3) << '\n';

  tropic::context_options interrupted;
  interrupted.progress = [](std::string_view, double) { throw stop("stopped"); };
  const bool caught =
      throws<tropic::usage_error>([&] { widest.set(4, 1); }) &&
      throws<tropic::error>([] { tropic::io::read("absent.mtx"); }) &&
      throws<tropic::expression_error>([] {
        tropic::operator_from_text("x +", tropic::describe<float>(), tropic::describe<float>(),
                                   tropic::describe<float>());
      }) &&
      throws<stop>([&] {
        const auto there = tropic::context::cpu(interrupted);
        tropic::sssp(roads.to(there), 0);
      });
  return caught && *widest.get(3) == 4 && *shortest.distance.get(3) == 11 ? 0 : 1;
}
