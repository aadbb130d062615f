// SPDX-License-Identifier: Apache-2.0

// A kernel defined only in this file: a row of the table, its text, and its launch function. No
// other code names it, yet it is listed, included or excluded by its row, planned, run by name, and
// correct.

#ifdef TROPIC_WITH_OPENCL

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include <tropic/semirings/builtins.hpp>
#include <tropic/tropic.hpp>

#include "backends/device/backend.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/inspected_pattern.hpp"
#include "context_on.hpp"
#include "opencl_fixture.hpp"
#include "plan/calibration.hpp"
#include "plan/inspection.hpp"
#include "plan/synthetic_matrix.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

// Two rows per work-item.
constexpr std::string_view text = R"(
T_KERNEL void t_row_pairs(t_uint64 rows, T_GLOBAL const t_uint32* T_RESTRICT row_offsets,
                          t_uint32 wide, T_GLOBAL const t_uint8* T_RESTRICT skip, t_uint32 skips,
                          T_OPERANDS) {
  const t_offsets offsets = {row_offsets, wide};
  const t_row_mask mask = {skip, skips};
  const t_operands operands = T_UNPACK_OPERANDS;
  const t_output output = T_UNPACK_OUTPUT;
  for (t_uint64 pair = t_global_id(); 2 * pair < rows; pair += t_global_size()) {
    for (t_uint64 row = 2 * pair; row < 2 * pair + 2 && row < rows; ++row) {
      const t_uint64 end = t_offset(offsets, row + 1);
      t_z sum = t_identity();
      t_uint32 found = 0;
      for (t_uint64 entry = t_offset(offsets, row); entry < end && !T_IS_SKIPPED(mask, row);
           ++entry) {
        const t_uint32 column = operands.columns[entry];
        if (!T_HAS_ENTRY(operands, column)) continue;
        const t_z product = t_product_of(operands, entry, row, column);
        sum = found ? t_add(sum, product) : product;
        found = 1;
      }
      t_store(output, row, sum, found);
    }
  }
}
)";

void launch(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const csr_arguments csr(device, c);
  arguments list{rows};
  csr.append_to(list);
  device.runtime().launch(c.operation(), *c.program, "t_row_pairs", list, (rows + 63) / 64, 32);
}

constexpr std::string_view files[] = {"csr.h", "operands.h"};
const device_kernel row_pairs{.info = {.name = "row_pairs",
                                       .unit = work_unit::row,
                                       .why_not = [](const matrix_base& a, const inspected_pattern&,
                                                     const work_mapping&) -> std::string {
                                         return a.rows % 2 == 0 ? "" : "the rows are odd in number";
                                       }},
                              .texts = files,
                              .text = text,
                              .launch = launch};
// The same, expected to take half as long.
const device_kernel half_as_long{
    .info = {.name = "half_as_long",
             .unit = work_unit::row,
             .relative = {&row_pairs.info,
                          [](const inspected_pattern&, const work_mapping&) { return 0.5; }}},
    .texts = files,
    .text = text,
    .launch = launch};

class AddedKernel : public ::testing::Test {
 protected:
  void SetUp() override {
    no_cache_.emplace("TROPIC_CACHE", "off");
    const std::shared_ptr<device_runtime> runtime = open_runtime();
    if (runtime == nullptr) GTEST_SKIP() << "no usable OpenCL device";
    std::vector<const device_kernel*> rows(device_kernels().begin(), device_kernels().end());
    rows.push_back(&row_pairs);
    where_.emplace(context_on(runtime));
    where_->state()->executor = std::make_shared<device_backend>(*where_->state(), runtime, rows);
  }
  const context& where() const { return *where_; }

  // n x n, every third entry of a band.
  matrix<float> banded(const context& on, index_t n) const {
    std::vector<std::uint32_t> rows, columns;
    std::vector<float> values;
    for (index_t i = 0; i < n; ++i)
      for (index_t j = std::max<index_t>(0, i - 4); j < std::min(n, i + 5); ++j)
        if ((i + 2 * j) % 3 != 1) {
          rows.push_back(static_cast<std::uint32_t>(i));
          columns.push_back(static_cast<std::uint32_t>(j));
          values.push_back(static_cast<float>((7 * i + j) % 11));
        }
    return matrix<float>::from_entries(on, n, n, rows, columns, values);
  }

  std::optional<environment_variable> no_cache_;
  std::optional<context> where_;
};

TEST_F(AddedKernel, IsListedAndFoundByName) {
  const backend& executor = *where().state()->executor;
  EXPECT_EQ(executor.kernels().back(), &row_pairs.info);
  EXPECT_EQ(executor.find_kernel("row_pairs"), &row_pairs.info);
  EXPECT_NE(names_of(executor.kernels()).find(" row_pairs"), std::string::npos);
  EXPECT_EQ(context::cpu().state()->executor->find_kernel("row_pairs"), nullptr);
}

TEST_F(AddedKernel, RunsByNameAndAgreesWithTheReference) {
  const context reference = context::reference();
  const plan forced{.kernel = "row_pairs"};
  for (const index_t n : {1, 2, 31, 64, 65, 200}) {
    const matrix<float> a = banded(where(), n), expected_a = banded(reference, n);
    for (const bool sparse : {false, true}) {
      vector<float> u(where(), n), expected_u(reference, n);
      for (index_t i = 0; i < n; i += sparse ? 3 : 1) {
        u.set(i, static_cast<float>(i % 5));
        expected_u.set(i, static_cast<float>(i % 5));
      }
      vector<float> w(where(), n), expected(reference, n), least(where(), n),
          expected_least(reference, n);
      mxv(w, plus_times<float>{}, a, u, {.plan = &forced});
      mxv(expected, plus_times<float>{}, expected_a, expected_u);
      EXPECT_EQ(w.dense(-1), expected.dense(-1)) << n;
      vxm(least, min_plus<float>{}, u, transpose(a), {.plan = &forced});
      vxm(expected_least, min_plus<float>{}, expected_u, transpose(expected_a));
      EXPECT_EQ(least.dense(-1), expected_least.dense(-1)) << n;
    }
  }
}

TEST_F(AddedKernel, IsPredictedFromAnotherOne) {
  std::vector<const device_kernel*> rows(device_kernels().begin(), device_kernels().end());
  rows.insert(rows.end(), {&row_pairs, &half_as_long});
  const std::shared_ptr<device_runtime> runtime = open_runtime();
  const context here = context_on(runtime);
  here.state()->executor = std::make_shared<device_backend>(*here.state(), runtime, rows);
  cost_constants constants;
  constants.device = here.state()->executor->identity();
  for (const kernel_info* kernel : here.state()->executor->kernels())
    for (const std::size_t bytes : {4U, 8U}) {
      kernel_costs costs;
      costs.call[0] = kernel == &half_as_long.info ? 1e-3 : 1e-4;  // its own do not count
      constants.of.emplace(cost_constants::key(kernel->name, bytes), costs);
    }
  use_constants(constants);
  const matrix<float> a = banded(here, 64);
  const plan result = inspect(plus_times<float>{}, a, vector<float>(here, 64, 1.0F), 1000);
  ASSERT_NE(result.details, nullptr);
  EXPECT_EQ(result.kernel, "half_as_long");
  EXPECT_DOUBLE_EQ(result.details->candidates.front().call, 0.5e-4);
}

// Small graphs are not planned with hubs, whatever their columns are.
TEST_F(AddedKernel, HubsNeedManyEntries) {
  matrix_base a;
  a.nnz = (1 << 24) - 1;
  EXPECT_EQ(kernels::csr_hubs.info.why_not(a, inspected_pattern{}, {}),
            "there are 16777215 entries, hubs need 16777216");
}

// The more columns a device stages, the more of the entries are in them.
TEST_F(AddedKernel, HubsAreTheColumnsThatTheDeviceStages) {
  using lengths = synthetic_matrix::lengths;
  const matrix_base m = make(
      where().state(), {20e3, 20e3, 6, lengths::unlike, synthetic_matrix::places::few_columns});
  const inspected_pattern inspected = inspect_whole(m);
  const auto factor = [&](std::uint64_t columns) {
    return kernels::csr_hubs.info.relative.factor(inspected, {.hub_columns = columns});
  };
  EXPECT_LT(factor(4096), factor(256));
  EXPECT_LT(factor(256), 1);
  EXPECT_DOUBLE_EQ(factor(20000), 0.4);

  matrix_base large = m;
  large.nnz = 1 << 24;
  EXPECT_EQ(kernels::csr_hubs.info.why_not(large, inspected, {.hub_columns = 20000}), "");
  const std::string why = kernels::csr_hubs.info.why_not(large, inspected, {.hub_columns = 64});
  EXPECT_NE(why.find("are in the 64 fullest columns, hubs need 30 %"), std::string::npos) << why;
  const work_mapping mapping =
      where().state()->executor->mapping_of(m, kernels::csr_hubs.info, 4, false);
  EXPECT_GT(mapping.hub_columns, 1000U);
}

TEST_F(AddedKernel, IsWeighedByPlansAndRuledOutByItsRow) {
  // Constants that make it the fastest kernel.
  cost_constants constants;
  constants.device = where().state()->executor->identity();
  for (const kernel_info* kernel : where().state()->executor->kernels())
    for (const std::size_t bytes : {4U, 8U}) {
      kernel_costs costs;
      costs.call[0] = kernel == &row_pairs.info ? 1e-6 : 1e-3;
      constants.of.emplace(cost_constants::key(kernel->name, bytes), costs);
    }
  use_constants(constants);
  for (const index_t n : {64, 65}) {
    const matrix<float> a = banded(where(), n);
    const vector<float> u(where(), n, 1.0F);
    const plan result = inspect(plus_times<float>{}, a, u, 1000);
    ASSERT_NE(result.details, nullptr);
    const auto& all = result.details->candidates;
    const auto found = std::ranges::find_if(
        all, [](const plan_candidate& c) { return c.kernel == "row_pairs" && !c.hot_columns; });
    ASSERT_NE(found, all.end());
    if (n % 2 == 0) {
      EXPECT_EQ(result.kernel, "row_pairs") << result.reason;
      EXPECT_EQ(found->why_not, "");
    } else {
      EXPECT_NE(result.kernel, "row_pairs");
      EXPECT_EQ(found->why_not, "the rows are odd in number");
    }
  }
}

}  // namespace
}  // namespace tropic::testing

#endif
