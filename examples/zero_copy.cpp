// SPDX-License-Identifier: Apache-2.0
//
// Arrays in and out without a copy: a matrix over CSR arrays that the caller owns, a vector over
// an array with shared ownership, and the result read in place.

#include <cstdlib>
#include <iostream>
#include <memory>
#include <vector>

#include <tropic/tropic.hpp>

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "zero_copy: " << what << '\n';
  std::exit(1);
}

}  // namespace

int main() {
  const auto here = tropic::context::cpu();

  // The second difference of 5 values, as an existing program might hold it. A null owner means
  // that we keep the arrays alive ourselves.
  const std::vector<std::uint32_t> offsets{0, 2, 5, 8, 11, 13};
  const std::vector<std::uint32_t> columns{0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4};
  const std::vector<double> values{-2, 1, 1, -2, 1, 1, -2, 1, 1, -2, 1, 1, -2};
  const auto difference = tropic::matrix<double>::from_csr<std::uint32_t>(
      here, 5, 5, {offsets, nullptr}, {columns, nullptr}, {values, nullptr});
  expect(difference.values().data.data() == values.data(), "the matrix copied its values");

  // Shared ownership: the array is freed after its last use.
  auto samples = std::make_shared<std::vector<double>>(std::vector<double>{0, 1, 4, 9, 16});
  const std::weak_ptr<std::vector<double>> watch = samples;
  tropic::vector<double> curvature(here, 5);
  {
    const auto u = tropic::vector<double>::from_array(here, {*samples, samples});
    samples.reset();
    expect(!watch.expired(), "the vector released its array too early");
    tropic::mxv(curvature, tropic::plus_times<double>{}, difference, u);
  }
  expect(watch.expired(), "the array was not released after its last use");

  // A full result is read in place: the view keeps it alive.
  const tropic::array_view<double> result = curvature.to_array();
  expect(result.size() == 5 && result[1] == 2 && result[2] == 2 && result[3] == 2,
         "the second difference of squares is not 2");
  for (const double value : result) std::cout << value << '\n';
}
