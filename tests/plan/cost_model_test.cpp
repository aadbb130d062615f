// SPDX-License-Identifier: Apache-2.0

// The cost model: the fit recovers known constants, counts are those of the matrix, and a file of
// constants is accepted as a whole, for its own device, or not at all.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <tropic/matrix.hpp>

#include "backends/backend.hpp"
#include "backends/device/products/kernel_config.hpp"
#include "containers/formats/cmrs.hpp"
#include "plan/calibration.hpp"
#include "plan/synthetic_matrix.hpp"
#include "support/cases.hpp"
#include "support/surroundings.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

double of(const term_values& values, cost_term term) {
  return values[static_cast<std::size_t>(term)];
}

// From a device's table, or from the CPU's.
const kernel_info& row(std::string_view name) {
  if (const device_kernel* kernel = find_device_kernel(name);
      kernel != nullptr && kernel->info.unit != work_unit::frontier)
    return kernel->info;
  return *context::cpu().state()->executor->find_kernel(name);
}

TEST(CostModel, FindsTheConstantsThatMadeTheTimes) {
  dice random(base_seed());
  term_values truth{};
  truth[0] = 3e-6;
  truth[2] = 2e-9;
  truth[5] = 5e-9;
  std::vector<term_values> counts;
  std::vector<double> seconds;
  for (int n = 0; n < 30; ++n) {
    term_values count{};
    count[0] = 1;
    // Some small calls: the first constant is a part of 0.0005 of a large one.
    for (std::size_t k = 1; k < cost_terms; ++k) count[k] = random.roll(n % 3 == 0 ? 100 : 1000000);
    counts.push_back(count);
    seconds.push_back(seconds_of(truth, count));
  }
  const term_values found = fitted(counts, seconds);
  for (std::size_t k = 0; k < cost_terms; ++k) {
    EXPECT_GE(found[k], 0);
    EXPECT_NEAR(found[k], truth[k], 1e-3 * truth[k] + (k == 0 ? 0 : 1e-12)) << seed_trace();
  }
}

TEST(CostModel, NoConstantIsNegative) {
  // The second constant would have to be negative.
  const std::vector<term_values> counts{{1, 10}, {1, 20}, {1, 40}};
  for (const double value : fitted(counts, {3e-6, 2e-6, 1e-6})) EXPECT_GE(value, 0);
  EXPECT_EQ(fitted({}, {}), term_values{});
}

// max(floor, work): calls at the floor only limit the constants.
TEST(CostModel, CallsTakeAtLeastTheirFloor) {
  std::vector<term_values> counts;
  std::vector<double> seconds;
  for (const double entries : {1.0, 100.0, 500.0, 1e3, 1e4, 1e5, 2e5, 1e6}) {
    term_values count{};
    count[0] = 1;
    count[static_cast<std::size_t>(cost_term::entry)] = entries;
    counts.push_back(count);
    seconds.push_back(std::max(6e-6, 2e-6 + 1e-9 * entries));
  }
  const kernel_costs found = fitted_calls(counts, seconds, 6e-6);
  EXPECT_EQ(found.floor, 6e-6);
  EXPECT_NEAR(found.call[0], 2e-6, 1e-8);
  for (std::size_t n = 0; n < counts.size(); ++n)
    EXPECT_NEAR(found.seconds_of_call(counts[n]), seconds[n], 1e-3 * seconds[n]);
  // Slower additions are not hidden longer.
  EXPECT_NEAR(found.seconds_of_call(counts[4], 2), 24e-6, 1e-7);
  EXPECT_EQ(found.seconds_of_call(counts[0], 2), 6e-6);
}

class SyntheticMatrices : public ::testing::Test {
 protected:
  context where_ = context::cpu();
  matrix_base matrix_of(const synthetic_matrix& recipe) { return make(where_.state(), recipe); }
};

TEST_F(SyntheticMatrices, AreTheSameEachTimeAndAscend) {
  for (synthetic_matrix recipe : calibration_matrices(1)) {
    if (recipe.rows * recipe.mean > 1e6 || recipe.columns > 1e6) continue;
    const matrix_base a = matrix_of(recipe), b = matrix_of(recipe);
    ASSERT_EQ(a.nnz, b.nnz);
    ASSERT_EQ(0, std::memcmp(a.column_indices->host(), b.column_indices->host(),
                             a.column_indices->bytes()));
    const matrix_base wide = widened(a);
    EXPECT_EQ(wide.values->bytes(), 2 * a.values->bytes());
    EXPECT_EQ(static_cast<const double*>(wide.values->host())[a.nnz - 1], 1.0);
    matrix_base checked = a;
    EXPECT_NO_THROW(inspect_csr(checked, {}));
    EXPECT_EQ(checked.longest_row, a.longest_row);
    const double mean = static_cast<double>(a.nnz) / static_cast<double>(a.rows);
    EXPECT_GT(mean, recipe.mean / 3);
    EXPECT_LT(mean, recipe.mean * 3);
  }
}

TEST_F(SyntheticMatrices, PaddingIsPredicted) {
  for (const synthetic_matrix& recipe :
       {synthetic_matrix{20e3, 20e3, 16}, synthetic_matrix{20e3, 20e3, 3},
        synthetic_matrix{20e3, 20e3, 16, synthetic_matrix::lengths::unlike},
        synthetic_matrix{20e3, 20e3, 8, synthetic_matrix::lengths::many_empty}})
    for (const auto& [height, slots] : {std::pair{16u, 4u}, {8u, 2u}, {4u, 8u}}) {
      const matrix_base m = matrix_of(recipe);
      const double found = expected_padding(
          inspect_whole(m), {.subgroup_size = 32, .strip_rows = height, .slots = slots});
      const double real = padding_overhead(m, {.height = height, .tile = 32, .slots = slots});
      EXPECT_NEAR(found / real, 1, 0.15) << recipe.mean << " a row, height " << height << ", slots "
                                         << slots << ": " << found << " for " << real;
    }
}

TEST_F(SyntheticMatrices, StepsWaitForTheLongestRowOfASubgroup) {
  // Every row has 10 entries but one of 10,000.
  const matrix_base m = matrix_of({20e3, 20e3, 10, synthetic_matrix::lengths::one_long});
  const inspected_pattern inspected = inspect_whole(m);
  const product_traits traits{.a_bytes = 4, .x_bytes = 4, .z_bytes = 4};
  const term_values alone = terms_of(row("csr_vector"), {.subgroup_size = 32, .lanes = 32},
                                     inspected, traits),
                    shared = terms_of(row("csr_vector"), {.subgroup_size = 32, .lanes = 2},
                                      inspected, traits),
                    entries = terms_of(row("csr_segmented"),
                                       {.unit = work_unit::entry, .subgroup_size = 32}, inspected,
                                       traits);
  EXPECT_NEAR(of(alone, cost_term::critical_path), static_cast<double>(m.longest_row) / 32, 1);
  EXPECT_NEAR(of(shared, cost_term::critical_path), static_cast<double>(m.longest_row) / 2, 1);
  EXPECT_EQ(of(entries, cost_term::critical_path), 0);
  EXPECT_EQ(of(entries, cost_term::lane_step), 0);
  // A subgroup processes a row of 10 in one step with any number of lanes; two lanes need five.
  EXPECT_NEAR(of(alone, cost_term::lane_step) / (32.0 * 20e3), 1, 0.05);
  EXPECT_GT(of(shared, cost_term::lane_step), 5 * 2 * 20e3);
  EXPECT_EQ(of(alone, cost_term::entry), static_cast<double>(m.nnz));
}

TEST_F(SyntheticMatrices, StepsAreFewerWhereNeighboursAreAlike) {
  // Rows of 2 and of 30 entries: one half after the other, or alternating.
  constexpr std::uint32_t rows = 6400;
  const auto inspected = [&](auto&& length_of) {
    std::vector<std::uint32_t> row, column;
    for (std::uint32_t i = 0; i < rows; ++i)
      for (std::uint32_t j = 0; j < length_of(i); ++j) row.push_back(i), column.push_back(j);
    return inspect_whole(matrix<float>::from_entries(where_, rows, 30, row, column,
                                                     std::vector<float>(row.size(), 1))
                             .base());
  };
  const inspected_pattern halves =
                              inspected([](std::uint32_t i) { return i < rows / 2 ? 2u : 30u; }),
                          turns = inspected([](std::uint32_t i) { return i % 2 == 0 ? 2u : 30u; });
  const product_traits traits{.a_bytes = 4, .x_bytes = 4, .z_bytes = 4};
  const work_mapping two_lanes{.subgroup_size = 32, .lanes = 2};
  const double few =
                   of(terms_of(row("csr_vector"), two_lanes, halves, traits), cost_term::lane_step),
               many =
                   of(terms_of(row("csr_vector"), two_lanes, turns, traits), cost_term::lane_step);
  EXPECT_NEAR(many / (15.0 * rows / 16 * 32), 1, 0.01);
  EXPECT_NEAR(few / (8.0 * rows / 16 * 32), 1, 0.01);
}

TEST_F(SyntheticMatrices, LinesAreThoseOfRowsSideBySide) {
  const auto lines_of = [&](double length, std::uint32_t lanes) {
    const inspected_pattern m = inspect_whole(matrix_of({6400, 6400, length}));
    return of(terms_of(row("csr_vector"), {.subgroup_size = 32, .lanes = lanes}, m,
                       {.a_bytes = 4, .x_bytes = 4, .z_bytes = 4}),
              cost_term::cache_line) /
           6400;
  };
  EXPECT_NEAR(lines_of(4, 1), 4 * 4.0 / 32, 0.05);  // of 32 rows of 4, each step reads from 4
  EXPECT_NEAR(lines_of(60, 1), 60, 1);              // one cache line for each of 32 rows, 60 times
  EXPECT_NEAR(lines_of(60, 32), 2, 0.05);           // one row per subgroup
}

TEST_F(SyntheticMatrices, WhatIsNotReadCostsNothing) {
  const inspected_pattern inspected = inspect_whole(matrix_of({20e3, 20e3, 16}));
  const term_values all = terms_of(row("pull"), {}, inspected,
                                   {.a_bytes = 8, .x_bytes = 8, .z_bytes = 8}),
                    none = terms_of(row("pull"), {}, inspected, {.z_bytes = 8}),
                    early =
                        terms_of(row("pull"), {}, inspected,
                                 {.a_bytes = 1, .x_bytes = 1, .z_bytes = 1, .exits_early = true});
  EXPECT_GT(of(all, cost_term::reuse_miss_32), 0);
  EXPECT_EQ(of(none, cost_term::reuse_miss_32), 0);
  EXPECT_EQ(of(none, cost_term::miss_512k), 0);
  EXPECT_LT(of(early, cost_term::entry), of(all, cost_term::entry) / 10);
}

TEST_F(SyntheticMatrices, PushesOnACpuDependOnTheColumns) {
  const product_traits traits{.a_bytes = 4, .x_bytes = 4, .z_bytes = 4};
  const matrix_base m = matrix_of({20e3, 500, 6, synthetic_matrix::lengths::mixed});
  const inspected_pattern inspected = inspect_whole(m);
  const term_values push = terms_of(row("push"), {}, inspected, traits),
                    pull = terms_of(row("pull"), {}, inspected, traits);
  EXPECT_EQ(of(push, cost_term::row), 500);
  EXPECT_EQ(of(push, cost_term::lane_step), 20e3);
  EXPECT_EQ(of(push, cost_term::length_change), 0);
  EXPECT_EQ(of(push, cost_term::entry), static_cast<double>(m.nnz));
  EXPECT_NEAR(of(push, cost_term::row_start), 500 * std::log2(1 + static_cast<double>(m.nnz) / 500),
              1);
  EXPECT_EQ(of(pull, cost_term::row), 20e3);
  EXPECT_GT(of(pull, cost_term::length_change), 1e4);
  // A single thread does small products, without searches.
  const term_values little =
      terms_of(row("push"), {}, inspect_whole(matrix_of({500, 500, 8})), traits);
  EXPECT_EQ(of(little, cost_term::row_start), 0);
  EXPECT_EQ(of(little, cost_term::parallel_region), 0);
}

TEST_F(SyntheticMatrices, RowsThatEndEarlyAreReadFromALineEach) {
  const product_traits traits{.x_bytes = 1, .z_bytes = 1, .exits_early = true};
  const auto lines_of = [&](double length) {
    return of(terms_of(row("pull"), {}, inspect_whole(matrix_of({6400, 6400, length})), traits),
              cost_term::cache_line) /
           6400;
  };
  EXPECT_NEAR(lines_of(4), 0.25, 0.02);
  EXPECT_NEAR(lines_of(60), 1, 0.01);
}

TEST_F(SyntheticMatrices, PointsOfAGridHaveTheirNeighbours) {
  const matrix_base m = matrix_of(
      {100, 100, 6, synthetic_matrix::lengths::alike, synthetic_matrix::places::diagonals, 10});
  ASSERT_EQ(m.nnz, 600);
  const auto* columns = static_cast<const std::uint32_t*>(m.column_indices->host());
  const auto row = [&](std::size_t r) {
    return std::vector<std::uint32_t>(columns + 6 * r, columns + 6 * (r + 1));
  };
  EXPECT_EQ(row(50), (std::vector<std::uint32_t>{30, 40, 49, 51, 60, 70}));
  EXPECT_EQ(row(0), (std::vector<std::uint32_t>{1, 10, 20, 80, 90, 99}));
}

TEST_F(SyntheticMatrices, PatternsAreTrueEverywhere) {
  const matrix_base a = matrix_of({100, 100, 4}), pattern = pattern_of(a);
  EXPECT_EQ(pattern.type->code, type_code::boolean);
  EXPECT_TRUE(pattern.iso);
  EXPECT_TRUE(*static_cast<const bool*>(pattern.values->host()));
  EXPECT_EQ(pattern.nnz, a.nnz);
  EXPECT_EQ(pattern.column_indices, a.column_indices);
  EXPECT_NE(pattern.value_version, a.value_version);
}

TEST(Constants, AreSeparateForEarlyExitAndComparisons) {
  const product_traits plain{.z_bytes = 4}, ends{.z_bytes = 1, .exits_early = true},
      compares{.z_bytes = 4, .compares = true}, in_order{.z_bytes = 4, .adds_in_order = true};
  EXPECT_EQ(cost_constants::name_of(row("csr_vector"), plain), "csr_vector");
  EXPECT_EQ(cost_constants::name_of(row("csr_vector"), ends), "csr_vector_ends");
  EXPECT_EQ(cost_constants::name_of(row("pull"), ends), "pull_ends");
  EXPECT_EQ(cost_constants::name_of(row("cmrs"), ends), "cmrs");  // reads whole rows
  EXPECT_EQ(cost_constants::name_of(row("csr_scalar"), compares), "csr_scalar_compares");
  EXPECT_EQ(cost_constants::name_of(row("pull"), compares), "pull");
  EXPECT_EQ(cost_constants::name_of(row("push"), in_order), "push_sorted");
}

cost_constants sample_constants() {
  cost_constants c;
  c.device = "a device, its driver 1.2";
  c.seconds = 2.5;
  c.noise = 0.01;
  c.transfer_call = 1e-6;
  c.transfer_byte = 1e-11;
  kernel_costs& pull = c.of["pull/4"];
  pull.call[0] = 1.25e-6;
  pull.call[10] = 3e-12;
  pull.conversion[2] = 7e-9;
  pull.compares = 0.75;
  c.of["push/8"];
  return c;
}

TEST(Constants, ComeBackFromTheirText) {
  const cost_constants c = sample_constants();
  const std::optional<cost_constants> found = from_text(to_text(c), c.device);
  ASSERT_TRUE(found);
  EXPECT_EQ(to_text(*found), to_text(c));
  EXPECT_EQ(found->of.at("pull/4").call, c.of.at("pull/4").call);
  EXPECT_EQ(found->of.at("pull/4").compares, 0.75);
  EXPECT_EQ(found->of.at("push/8").compares, 1);
  EXPECT_EQ(found->transfer_byte, c.transfer_byte);
}

TEST(Constants, OfAnotherDeviceOrDamagedAreIgnored) {
  const cost_constants c = sample_constants();
  const std::string text = to_text(c);
  EXPECT_FALSE(from_text(text, "a device, its driver 1.3"));
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_FALSE(from_text(text.substr(0, length), c.device)) << length;
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"row", "rows"},
                                 {"1.25e-06", "-1.25e-06"},
                                 {"1.25e-06", "nan"},
                                 {"calibration 5", "calibration 4"},
                                 {"compares 0.75", "compares 0"},
                                 {"seconds 2.5", "seconds x"},
                                 {"noise", "noises"}}) {
    std::string damaged = text;
    if (const std::size_t at = damaged.find(from); at != damaged.npos)
      damaged.replace(at, from.size(), to);
    else
      continue;
    EXPECT_FALSE(from_text(damaged, c.device)) << to;
  }
}

TEST(Constants, AreKeptOnDiskOrANoticeIsGiven) {
  const auto folder = std::filesystem::temp_directory_path() / "tropic-constants-test";
  std::filesystem::remove_all(folder);
  const environment_variable where("TROPIC_CACHE_DIR", folder.string());
  const environment_variable on("TROPIC_CACHE", "on");
  const cost_constants c = sample_constants();
  std::string said;
  const auto log = [&](std::string_view line) { said += line; };
  EXPECT_FALSE(read_constants(c.device));
  write_constants(c, log);
  ASSERT_TRUE(read_constants(c.device));
  EXPECT_EQ(to_text(*read_constants(c.device)), to_text(c));
  EXPECT_EQ(said, "");
  std::ofstream(calibration_file(c.device)) << "tropic calibration 8\n";
  EXPECT_FALSE(read_constants(c.device));
  // A link is followed, and a file keeps its permissions.
  const auto kept = folder / "kept";
  std::filesystem::rename(calibration_file(c.device), kept);
  std::filesystem::permissions(kept, std::filesystem::perms(0660));
  std::filesystem::create_symlink("kept", calibration_file(c.device));
  write_constants(c, log);
  EXPECT_TRUE(std::filesystem::is_symlink(calibration_file(c.device)));
  EXPECT_EQ(std::filesystem::status(kept).permissions(), std::filesystem::perms(0660));
  EXPECT_TRUE(read_constants(c.device));
  EXPECT_EQ(said, "");
  std::filesystem::remove_all(folder);
  std::ofstream(folder.string()) << "no folder";
  write_constants(c, log);
  EXPECT_NE(said.find("cannot write"), std::string::npos) << said;
  std::filesystem::remove_all(folder);
  const environment_variable off("TROPIC_CACHE", "off");
  EXPECT_TRUE(calibration_file(c.device).empty());
  write_constants(c, log);
}

}  // namespace
}  // namespace tropic::testing
