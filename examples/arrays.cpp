// SPDX-License-Identifier: Apache-2.0
//
// A matrix that another program holds as SciPy does, 64-bit offsets and indices in arrays that it
// allocated itself: taken with the function that frees them, used, and given back.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <tropic/tropic.hpp>

namespace {

template <class T>
T* allocated(const std::vector<T>& from) {
  auto* copy = static_cast<T*>(std::malloc(from.size() * sizeof(T)));
  if (copy == nullptr) std::abort();
  for (std::size_t n = 0; n < from.size(); ++n) copy[n] = from[n];
  return copy;
}

}  // namespace

int main() {
  // Flights between 4 airports, with their hours.
  auto* const offsets = allocated<std::int64_t>({0, 2, 3, 4, 4});
  auto* const to = allocated<std::int64_t>({1, 2, 3, 3});
  auto* const hours = allocated<double>({2, 1, 4, 6});

  // [arrays]
  const auto here = tropic::context::cpu();
  const auto flights = tropic::matrix<double>::from_csr(
      here, 4, 4, tropic::adopt(offsets, 5, std::free), tropic::adopt(to, 4, std::free),
      tropic::adopt(hours, 4, std::free));

  std::vector<std::int64_t> start{0};
  std::vector<double> zero{0};
  auto arrival = tropic::vector<double>::from_entries(here, 4, start, zero);
  for (int stops = 0; stops < 3; ++stops)
    tropic::vxm(arrival, tropic::min_plus<double>{}, arrival, flights,
                {.accumulate = tropic::minimum{}});

  const auto [airports, at] = arrival.to_sparse();                    // the vector's own arrays
  const auto columns = flights.to_csc<std::int64_t, std::int64_t>();  // as R and MATLAB have them
  // [arrays]
  for (std::size_t n = 0; n < at.size(); ++n) std::cout << airports[n] << ' ' << at[n] << '\n';
  std::cout << columns.offsets[3] << " flights end before airport 3, "
            << columns.offsets[4] - columns.offsets[3] << " there\n";
  return flights.to_csr<std::int64_t>().values.data.data() == hours ? 0 : 1;
}
