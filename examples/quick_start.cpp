// SPDX-License-Identifier: Apache-2.0
//
// The widest road to every place: a route is as wide as its narrowest road, and the widest route
// counts. The lines between the markers stand in README.md too; scripts/check-docs compares them.

// [readme]
#include <iostream>
#include <tropic/tropic.hpp>

TROPIC_BINARY_OPERATOR(narrower, x < y ? x : y);  // one expression, for the CPU and for devices
using widest_route = tropic::semiring<tropic::maximum_monoid<float>, narrower>;

int main() {
  const auto here = tropic::context::cpu();
  const std::vector<std::uint32_t> from{0, 0, 1, 2}, to{1, 2, 3, 3};
  const std::vector<float> width{4, 9, 7, 2};
  const auto roads = tropic::matrix<float>::from_entries(here, 4, 4, from, to, width);
  tropic::vector<float> widest(here, 4);
  widest.set(0, 100);  // we start at place 0, which is as wide as anyone needs
  for (int hops = 1; hops < 4; ++hops)
    tropic::vxm(widest, widest_route{}, widest, roads, {.accumulate = tropic::maximum{}});
  for (const auto& [place, value] : widest.entries()) std::cout << place << ' ' << value << '\n';
}
// [readme]
