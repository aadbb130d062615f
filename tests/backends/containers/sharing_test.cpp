// SPDX-License-Identifier: Apache-2.0

// Threads that share a context and the operands of their products, each with its own output: data
// that is moved, built and dropped for all of them is available to each. The thread sanitizer
// detects what the results do not show.

#include <gtest/gtest.h>

#include <barrier>
#include <thread>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/builtins.hpp>

#include "containers/derived_copies.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using namespace detail;

class Sharing : public AgainstReference {
 protected:
  static constexpr index_t size = 600;

  // The operands in that context, and the work of each thread.
  struct operands {
    operands(const context& on, const host_matrix& from_a, const host_vector& from_u)
        : where(on),
          a(make(on, from_a, false, false)),
          full(filled_vector(on.state(), *from_u.type, size, scalar_bytes::of(2.0).data())),
          sparse(make(on, from_u, vector_storage::sparse)) {}

    // All threads start each product together.
    std::vector<host_vector> products(const std::vector<std::string>& kernels,
                                      std::barrier<>& threads) const {
      std::vector<host_vector> found;
      for (const std::string& kernel : kernels)
        for (const bool transposed : {false, true})
          for (const vector_base* u : {&full, &sparse}) {
            plan forced;
            forced.kernel = kernel;
            output_options<vector_base> options;
            options.mask = {&sparse, true, true};
            if (!kernel.empty()) options.forced = &forced;
            vector_base w = empty_vector(where.state(), semiring.z(), size);
            threads.arrive_and_wait();
            multiply("mxv", w, semiring, {.matrix = a, .transposed = transposed}, *u,
                     detail::factor_order::matrix_first, options);
            ewise("ewise_add", w, detail::ewise_positions::set_union, semiring.add.add, w, *u, {});
            found.push_back(read(w));
            evict_derived(*where.state());  // the next product builds it again
          }
      return found;
    }

    const semiring_description semiring = *builtin_semiring("plus_times", type_code::fp64);
    const context& where;
    matrix_base a;
    vector_base full, sparse;
  };
};

TEST_P(Sharing, ThreadsShareAContextAndTheirOperands) {
  dice random(5);
  const host_matrix a = random_matrix(describe<double>(), size, size, 0.05, flavour::small, random);
  const host_vector u = random_vector(describe<double>(), size, 0.1, flavour::small, random);
  std::vector<std::string> kernels = kernels_under_test(where());
  kernels.emplace_back();  // the library's choice
  std::barrier alone(1), together(3);
  const std::vector<host_vector> expected =
      operands(reference(), a, u).products(std::vector<std::string>(kernels.size()), alone);

  const operands shared(where(), a, u);
  std::vector<std::vector<host_vector>> found(3);
  std::vector<std::thread> threads;
  for (auto& results : found)
    threads.emplace_back([&] { results = shared.products(kernels, together); });
  for (std::thread& t : threads) t.join();
  for (const auto& results : found) {
    ASSERT_EQ(results.size(), expected.size());
    for (std::size_t n = 0; n < results.size(); ++n)
      agrees("product " + std::to_string(n), difference(expected[n], results[n]), "");
  }
}
TROPIC_ON_EVERY_CONTEXT(Sharing);

}  // namespace
}  // namespace tropic::testing
