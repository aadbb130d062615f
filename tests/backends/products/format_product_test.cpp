// SPDX-License-Identifier: Apache-2.0

// Kernels that use their own formats against the reference: few programs, on every shape, mask and
// kind of input, so that an error is found within seconds. product_test.cpp has all combinations.

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "backends/products/product_cases.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace format_product_test {
namespace {

using factor = product_factor;

class FormatProduct : public AgainstReference {};

TEST_P(FormatProduct, AgreesOnEveryShapeMaskAndInput) {
  const std::vector<std::string> kernels = kernels_under_test(where());
  const auto& semirings = all_semirings();
  const auto semiring = [&semirings](std::string_view name) {
    const auto found = std::ranges::find(semirings, name, &test_semiring::name);
    EXPECT_NE(found, semirings.end()) << name;
    return static_cast<int>(found - semirings.begin());
  };
  // One semiring whose slots start with a neutral value, and a record, which has none.
  const int of_values[] = {semiring("plus_times_int64"), semiring("shortest_path")};
  // Rows that end at a value, or at their first product; sums of all entries; u without values.
  const int of_bits[] = {semiring("or_and_bool"), semiring("any_pair_bool"),
                         semiring("xor_and_bool"), semiring("weights_of_flags"),
                         semiring("plus_first_fp32")};
  std::size_t cases = 0;
  for (std::size_t kernel = 0; kernel < kernels.size(); ++kernel) {
    const std::string& name = kernels[kernel];
    const bool reads_bits = name.starts_with("csr_bits");
    if (!name.starts_with("cmrs") && !name.starts_with("csr_blocked") &&
        !name.starts_with("csr_hubs") && !reads_bits)
      continue;
    for (const int index_of_semiring :
         reads_bits ? std::span<const int>(of_bits) : std::span<const int>(of_values))
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
