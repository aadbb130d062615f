// SPDX-License-Identifier: Apache-2.0

// A matrix of more than 2^32 entries, all with one value: offsets, tile origins and row numbers in
// 64 bits where they have to be. It needs about 40 GiB of the device and 20 of the host, and skips
// where they are not there.

#include <gtest/gtest.h>
#include <unistd.h>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "cuda_fixture.hpp"

namespace tropic::test {
namespace {

constexpr std::size_t gibibyte = std::size_t{1} << 30;

std::size_t host_memory() {
  return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(CudaLarge, IsoMatrixOfMoreThan2To32Entries) {
  std::string reason;
  const auto runtime = open_cuda(reason);
  if (runtime == nullptr) GTEST_SKIP() << reason;
  if (runtime->device().memory < 48 * gibibyte || host_memory() < 24 * gibibyte)
    GTEST_SKIP() << "less than 48 GiB on the device or 24 GiB free on the host";

  // Every entry of 66,000 rows but one row, which is empty, and the last entry of each.
  constexpr std::size_t n = 66000, empty_row = 65530, length = n - 1;
  std::vector<std::uint64_t> offsets(n + 1, 0);
  for (std::size_t row = 0; row < n; ++row)
    offsets[row + 1] = offsets[row] + (row == empty_row ? 0 : length);
  ASSERT_GT(offsets[n], std::uint64_t{1} << 32);
  const std::unique_ptr<std::uint32_t[]> columns(new std::uint32_t[offsets[n]]);
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < n; ++row)
    for (std::uint64_t e = offsets[row]; e < offsets[row + 1]; ++e)
      columns[e] = static_cast<std::uint32_t>(e - offsets[row]);

  const context where = context::cuda();
  const std::int64_t three = 3;
  const auto a = matrix<std::int64_t>::from_csr<std::uint64_t>(
      where, n, n, {{offsets.data(), n + 1}, nullptr}, {{columns.get(), offsets[n]}, nullptr},
      {{&three, 1}, nullptr}, {.trusted = true});
  std::vector<std::int64_t> x(n);
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    x[k] = static_cast<std::int64_t>(k * k % 1009) - 300;
    if (k < length) sum += 3 * x[k];
  }
  const auto u = vector<std::int64_t>::from_array(where, {{x.data(), n}, nullptr});
  for (const char* kernel :
       {"csr_scalar", "csr_vector", "coo", "csr_segmented", "csr_segmented:rows=speculate"}) {
    const plan forced{.kernel = kernel};
    vector<std::int64_t> w(where, n);
    mxv(w, plus_times<std::int64_t>{}, a, u, {.plan = &forced});
    ASSERT_EQ(w.nvals(), static_cast<index_t>(n - 1)) << kernel;
    const std::vector<std::int64_t> got = w.dense(-1);
    for (std::size_t row = 0; row < n; ++row)
      ASSERT_EQ(got[row], row == empty_row ? -1 : sum) << kernel << ", row " << row;
  }
}

}  // namespace
}  // namespace tropic::test
