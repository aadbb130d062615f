// SPDX-License-Identifier: Apache-2.0
#pragma once

// Requirements on every device's runtime, independent of the driver.

#include <thread>
#include <vector>

#include "semiring_samples.hpp"

namespace tropic::testing {

template <class Runtime>
void expect_each_program_compiled_once(Runtime& runtime) {
  const semiring_description semiring = describe_semiring(plus_times<float>{});
  std::vector<const detail::compiled_program*> found(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t)
    threads.emplace_back([&, t] {
      found[t] = runtime.program(
          {.kernel = "csr_scalar", .semiring = &semiring, .vector_first = t % 2 == 1});
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t t = 0; t < found.size(); ++t) EXPECT_EQ(found[t], found[t % 2]);
  EXPECT_NE(found[0], found[1]);
  EXPECT_EQ(runtime.compilations(), 2);
}

}  // namespace tropic::testing
