// SPDX-License-Identifier: Apache-2.0

// Kernels that use their own formats against the reference: few programs, on every shape, mask and
// kind of input, so that an error is found within seconds. product_test.cpp has all combinations.

#include <gtest/gtest.h>

#include <algorithm>

#include "backends/products/product_cases.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace format_product_test {
namespace {

using factor = product_factor;

class FormatProduct : public AgainstReference {};

TEST_P(FormatProduct, AgreesOnEveryShapeMaskAndInput) {
  const std::vector<std::string> kernels = kernels_under_test(where());
  const auto& semirings = adversarial_semirings();
  // One semiring whose slots start with a neutral value, and a record, which has none.
  const auto semiring = [&semirings](std::string_view part) {
    const auto found = std::ranges::find_if(
        semirings, [part](const auto& one) { return one.name.find(part) != std::string::npos; });
    EXPECT_NE(found, semirings.end()) << part;
    return static_cast<int>(found - semirings.begin());
  };
  std::size_t cases = 0;
  for (std::size_t kernel = 0; kernel < kernels.size(); ++kernel) {
    const std::string& name = kernels[kernel];
    if (!name.starts_with("cmrs") && !name.starts_with("csr_blocked") &&
        !name.starts_with("csr_hubs"))
      continue;
    for (const int index_of_semiring : {semiring("plus_times"), semiring("path")})
      for (int mask = 0; mask < 5; ++mask)
        for (int input = 0; input < 3; ++input)
          for (const shape& of : product_shapes()) {
            if (cases++ % every_nth() != 0) continue;
            levels at(factor::count, 0);
            at[factor::semiring] = index_of_semiring;
            at[factor::kernel] = static_cast<int>(kernel) + 1;
            at[factor::mask] = mask;
            at[factor::input] = input;
            at[factor::wide] = (mask + input) % 2;
            const product_case one{at, of, cases};
            if (!agrees(name, product_difference(where(), reference(), semirings, one), "")) return;
          }
  }
  if (cases == 0) GTEST_SKIP() << GetParam() << " has no kernels over formats";
}

TROPIC_ON_EVERY_CONTEXT(FormatProduct);

}  // namespace
}  // namespace format_product_test
}  // namespace tropic::testing
