// SPDX-License-Identifier: Apache-2.0
//
// The widest path to every vertex: the width of a path is that of its narrowest road. The lines
// between the markers are shown in README.md; scripts/check-docs compares them.

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
  widest.set(0, 100);  // the source, vertex 0: a capacity above every road's
  for (int hops = 1; hops < 4; ++hops)
    tropic::vxm(widest, widest_route{}, widest, roads, {.accumulate = tropic::maximum{}});
  for (const auto& [place, value] : widest.entries()) std::cout << place << ' ' << value << '\n';
}
// [readme]
