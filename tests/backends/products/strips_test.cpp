// SPDX-License-Identifier: Apache-2.0

// Strips of rows, padded rows and dense blocks (src/containers/formats/cmrs.hpp, padded_rows.hpp,
// blocks.hpp): exact round trips from CSR on the host and on devices, which build identical arrays;
// and the guarantees of the arrangements.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include <tropic/read_matrix.hpp>

#include "backends/device/backend.hpp"
#include "containers/formats/padded_rows.hpp"
#include "support/host_data.hpp"
#include "support/on_contexts.hpp"
#include "support/quick_run.hpp"
#include "support/shared_data.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

constexpr std::uint32_t unit = 16;  // for csr_padded

constexpr strip_layout layouts[] = {{.height = 1},
                                    {.height = 3},
                                    {.height = 8},
                                    {.height = 16},
                                    {.height = 1, .tile = 8, .slots = 1},
                                    {.height = 5, .tile = 8, .slots = 2},
                                    {.height = 16, .tile = 32, .slots = 8},
                                    {.height = 11, .tile = 16, .slots = 4},
                                    {.height = 7, .tile = 32, .slots = 32}};

std::string name_of(const strip_layout& layout) {
  return "height " + std::to_string(layout.height) + ", tile " + std::to_string(layout.tile) +
         ", slots " + std::to_string(layout.slots);
}

std::string bytes_of(const buffer_pointer& b) {
  return b->bytes() == 0 ? "" : std::string(static_cast<const char*>(b->host()), b->bytes());
}
void expect_same(const matrix_base& found, const matrix_base& expected, const std::string& what) {
  EXPECT_EQ(found.rows, expected.rows) << what;
  EXPECT_EQ(found.columns, expected.columns) << what;
  EXPECT_EQ(found.nnz, expected.nnz) << what;
  EXPECT_EQ(found.longest_row, expected.longest_row) << what;
  EXPECT_EQ(found.empty_rows, expected.empty_rows) << what;
  EXPECT_TRUE(bytes_of(found.offsets) == bytes_of(expected.offsets)) << what;
  EXPECT_TRUE(bytes_of(found.column_indices) == bytes_of(expected.column_indices)) << what;
  EXPECT_TRUE(bytes_of(found.values) == bytes_of(expected.values)) << what;
}
void expect_same(const converted_copy& found, const converted_copy& expected,
                 const std::string& what) {
  ASSERT_EQ(found.parts.size(), expected.parts.size()) << what;
  for (std::size_t n = 0; n < found.parts.size(); ++n)
    EXPECT_TRUE(bytes_of(found.parts[n]) == bytes_of(expected.parts[n])) << what << ", part " << n;
}

template <class T>
const T* array(const buffer_pointer& b) {
  return static_cast<const T*>(b->host());
}

// The order of words as specified in cmrs.hpp.
void expect_arranged(const converted_copy& strips, const matrix_base& m,
                     const strip_layout& layout) {
  const std::string what = name_of(layout);
  const std::size_t count = layout.strips(m.rows);
  const auto* words = array<std::uint32_t>(strips.parts[in_strips::words]);
  if (!layout.is_padded()) {
    for (std::size_t strip = 0; strip < count; ++strip) {
      const auto row = static_cast<index_t>(strip * layout.height);
      const index_t end = std::min<index_t>(row + layout.height, m.rows);
      for (index_t at = offset_at(m, row) + 1; at < offset_at(m, end); ++at)
        ASSERT_LT(words[at - 1], words[at]) << what << ", strip " << strip;
    }
    return;
  }
  const auto* starts = array<std::uint32_t>(strips.parts[in_strips::starts]);
  for (std::size_t tile = 0; tile < starts[count]; ++tile) {
    std::array<std::uint32_t, 16> of_row{};
    std::uint32_t last = 16;
    bool padding = false;
    for (std::size_t at = tile * layout.tile; at < (tile + 1) * layout.tile; ++at) {
      if (words[at] == marked_word) {
        padding = true;
        continue;
      }
      ASSERT_FALSE(padding) << what << ": an entry behind padding in tile " << tile;
      const std::uint32_t row = words[at] & 15;
      ASSERT_LT(row, layout.height) << what;
      ASSERT_LE(++of_row[row], layout.slots) << what << ": row " << row << " of tile " << tile;
      ASSERT_TRUE(row == last || of_row[row] == 1) << what << ": apart in tile " << tile;
      last = row;
    }
  }
  // Fewer tiles would not suffice.
  for (std::size_t strip = 0; strip < count; ++strip) {
    const auto row = static_cast<index_t>(strip * layout.height);
    const index_t end = std::min<index_t>(row + layout.height, m.rows);
    index_t least = (offset_at(m, end) - offset_at(m, row) + layout.tile - 1) / layout.tile;
    for (index_t r = row; r < end; ++r)
      least = std::max(least,
                       (offset_at(m, r + 1) - offset_at(m, r) + layout.slots - 1) / layout.slots);
    ASSERT_EQ(starts[strip + 1] - starts[strip], least) << what << ", strip " << strip;
  }
}

// Every word of 16 rows and 2^28 columns is an entry.
bool has_no_mark(const matrix_base& m, const strip_layout& layout) {
  return m.columns == cmrs_columns && layout.is_padded() && layout.height == 16;
}

std::string name_of(const block_shape& shape) {
  return "blocks of " + std::to_string(shape.rows) + " x " + std::to_string(shape.columns) +
         ", fill " + std::to_string(shape.fill);
}
// Every size, of nearly empty blocks, and the one that inspection selects.
std::vector<block_shape> blocks_of(const matrix_base& m) {
  std::vector<block_shape> all;
  for (const block_shape& shape : block_shapes) all.push_back({shape.rows, shape.columns, 5});
  if (const block_shape best = best_blocks(m); best.rows > 0) all.push_back(best);
  return all;
}

void check_on_host(const matrix_base& m) {
  for (const strip_layout& layout : layouts) {
    if (has_no_mark(m, layout)) {
      EXPECT_THROW(to_strips(m, layout), usage_error);
      continue;
    }
    const converted_copy strips = to_strips(m, layout);
    ASSERT_NO_FATAL_FAILURE(expect_arranged(strips, m, layout));
    expect_same(from_strips(strips, m, layout), m, name_of(layout));
    const double words =
        static_cast<double>(strips.parts[in_strips::words]->bytes() / sizeof(std::uint32_t));
    const double overhead = m.nnz == 0 ? 1 : words / static_cast<double>(m.nnz);
    EXPECT_DOUBLE_EQ(padding_overhead(m, layout), overhead);
  }
  const converted_copy padded = to_padded_rows(m, unit);
  expect_same(from_padded_rows(padded, m, unit), m, "padded rows");
  for (const block_shape& shape : blocks_of(m)) {
    const converted_copy blocks = to_blocks(m, shape);
    expect_same(from_blocks(blocks, m, shape), m, name_of(shape));
    for (std::size_t at = 0; at < blocks.parts[in_blocks::first_columns]->bytes() / 4; ++at)
      ASSERT_EQ(array<std::uint32_t>(blocks.parts[in_blocks::first_columns])[at] % 16, 0u)
          << name_of(shape);
  }
}

void check_on_device(const context& where, const matrix_base& m) {
  format_cache& device = dynamic_cast<device_backend&>(*where.state()->executor).formats();
  for (const strip_layout& layout : layouts) {
    if (has_no_mark(m, layout)) continue;
    const auto strips = device.strips(m, layout);
    expect_same(*strips, to_strips(m, layout), name_of(layout));
    EXPECT_DOUBLE_EQ(strips->overhead, padding_overhead(m, layout));
    EXPECT_GT(strips->seconds, 0);
    expect_same(device.from_strips(*strips, m, layout), m, name_of(layout) + ", back");
  }
  const block_shape best = best_blocks(m), found = device.best_blocks(m);
  EXPECT_EQ(name_of(found), name_of(best));
  for (const block_shape& shape : blocks_of(m)) {
    const auto blocks = device.blocks(m, shape);
    expect_same(*blocks, to_blocks(m, shape), name_of(shape));
    expect_same(device.from_blocks(*blocks, m, shape), m, name_of(shape) + ", back");
  }
  const auto padded = device.padded(m);
  expect_same(*padded, to_padded_rows(m, unit), "padded rows");
  expect_same(device.from_padded(*padded, m), m, "padded rows, back");
}

host_matrix entries(index_t rows, index_t columns,
                    std::initializer_list<std::pair<index_t, index_t>> at) {
  dice random(3);
  const type_description& type = describe(type_code::fp64);
  host_matrix result{&type, rows, columns, {}};
  for (const auto& position : at)
    result.entries.emplace(position, random_value(type, flavour::weighted, random));
  return result;
}

// Extreme shapes: empty ones, one row, few entries in a large matrix, all columns that 28 bits can
// number, rows of very different lengths.
std::map<std::string, host_matrix> edges() {
  std::map<std::string, host_matrix> all;
  all["0 x n"] = entries(0, 7, {});
  all["n x 0"] = entries(7, 0, {});
  all["no entries"] = entries(40, 40, {});
  all["one entry"] = entries(1, 1, {{0, 0}});
  all["hypersparse"] = entries(5000, 9000, {{17, 3}, {17, 8000}, {4000, 0}});
  all["last row"] = entries(33, 3, {{32, 2}});
  all["2^28 columns"] =
      entries(20, cmrs_columns, {{0, 0}, {3, cmrs_columns - 1}, {14, cmrs_columns - 1}, {19, 5}});
  dice random(11);
  const type_description& type = describe(type_code::fp64);
  host_matrix one_row{&type, 1, 500, {}}, skewed{&type, 50, 300, {}};
  for (index_t j = 0; j < 500; ++j)
    if (random.chance(0.7))
      one_row.entries.emplace(std::pair{index_t{0}, j}, random_value(type, flavour::real, random));
  for (index_t i = 0; i < 50; ++i)
    for (index_t j = 0; j < 300 / (i % 17 + 1); ++j)
      if (random.chance(0.5))
        skewed.entries.emplace(std::pair{i, j}, random_value(type, flavour::real, random));
  // Strips of hundreds of words among short ones.
  host_matrix uneven{&type, 300, 2000, {}};
  for (index_t i = 0; i < 300; ++i)
    for (index_t j = i % 90 == 7 ? 0 : 1990; j < 2000; ++j)
      if (random.chance(0.9))
        uneven.entries.emplace(std::pair{i, j}, random_value(type, flavour::real, random));
  all["uneven"] = uneven;
  all["single row"] = one_row;
  all["skewed"] = skewed;
  return all;
}

std::vector<std::pair<std::string, matrix_base>> samples(const context& where) {
  std::vector<std::pair<std::string, matrix_base>> all;
  for (const auto& [name, m] : edges()) {
    all.emplace_back(name, make(where, m, false, false));
    all.emplace_back(name + ", wide", make(where, m, true, false));
  }
  dice random(5);
  for (const type_code code : {type_code::boolean, type_code::int16, type_code::fp32}) {
    host_matrix m = random_matrix(describe(code), 67, 130, 0.2, flavour::weighted, random);
    all.emplace_back(std::string(describe(code).name), make(where, m, false, false));
    make_iso(m);
    all.emplace_back(std::string(describe(code).name) + ", iso", make(where, m, false, true));
  }
  all.emplace_back(
      "record",
      make(where, random_matrix(describe<test_path>(), 40, 40, 0.3, flavour::weighted, random),
           false, false));
  return all;
}

TEST(Strips, HostRoundTripIsExactAndArranged) {
  const context where = context::cpu();
  for (const auto& [name, m] : samples(where)) {
    SCOPED_TRACE(name);
    ASSERT_NO_FATAL_FAILURE(check_on_host(m));
  }
}

TEST(Strips, MoreColumnsThanAWordHoldsAreRefusedWithTheirNumber) {
  const context where = context::cpu();
  const matrix_base m = make(where, entries(4, cmrs_columns + 1, {{1, 2}}), false, false);
  for (const strip_layout& layout : layouts) {
    const std::string why = why_no_strips(m, layout);
    EXPECT_NE(why.find("268435457 columns"), std::string::npos) << why;
    EXPECT_THROW(to_strips(m, layout), usage_error);
  }
  expect_same(from_padded_rows(to_padded_rows(m, unit), m, unit), m, "padded rows");
}

// Every height, tile and slot count on rows of random lengths.
TEST(Strips, EveryPaddedArrangementHoldsWhatItPromises) {
  const context where = context::cpu();
  dice random(base_seed());
  for (int round = 0; round < 40; ++round) {
    const type_description& type = describe(type_code::int32);
    host_matrix m{&type, random.roll(60) + 1, 90, {}};
    for (index_t i = 0; i < m.rows; ++i) {
      const double density = random.chance(0.2) ? 0.9 : random.chance(0.3) ? 0 : 0.1;
      for (index_t j = 0; j < m.columns; ++j)
        if (random.chance(density))
          m.entries.emplace(std::pair{i, j}, random_value(type, flavour::weighted, random));
    }
    const matrix_base result = make(where, m, round % 2 == 0, false);
    strip_layout layout{.height = static_cast<std::uint32_t>(random.roll(16) + 1),
                        .tile = 1u << random.roll(7)};
    layout.slots = std::min(1u << random.roll(6), layout.tile);
    const converted_copy strips = to_strips(result, layout);
    ASSERT_NO_FATAL_FAILURE(expect_arranged(strips, result, layout)) << "round " << round;
    expect_same(from_strips(strips, result, layout), result, name_of(layout));
  }
}

// In a quick run every third one, from one that the seed selects.
std::vector<std::filesystem::path> shared_matrices() {
  std::vector<std::filesystem::path> found;
  for (const auto& folder : shared_folders())
    for (const auto& file : std::filesystem::directory_iterator(folder))
      if (file.path().string().find(".mtx") != std::string::npos) found.push_back(file.path());
  std::sort(found.begin(), found.end());
  if (!is_quick_run()) return found;
  std::vector<std::filesystem::path> some;
  for (std::size_t n = base_seed() % 3; n < found.size(); n += 3) some.push_back(found[n]);
  return some;
}

TEST(Strips, RealMatricesComeBackToTheBit) {
  const context where = context::cpu();
  const auto files = shared_matrices();
  if (files.empty()) GTEST_SKIP() << "no matrices at " << shared_data();
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename());
    const matrix<double> m = read_matrix<double>(where, file.string());
    ASSERT_NO_FATAL_FAILURE(check_on_host(m.base()));
  }
}

class StripsOnDevice : public OnContext {
 protected:
  void SetUp() override {
    OnContext::SetUp();
    if (IsSkipped()) return;
    if (dynamic_cast<device_backend*>(where().state()->executor.get()) == nullptr)
      GTEST_SKIP() << GetParam() << " has no kernels";
  }
};

TEST_P(StripsOnDevice, AreTheHostsAndComeBack) {
  for (const auto& [name, m] : samples(where())) {
    SCOPED_TRACE(name);
    check_on_device(where(), m);
    if (HasFailure()) return;
  }
}

TEST_P(StripsOnDevice, RealMatricesComeBackToTheBit) {
  const auto files = shared_matrices();
  if (files.empty()) GTEST_SKIP() << "no matrices at " << shared_data();
  format_cache& device = dynamic_cast<device_backend&>(*where().state()->executor).formats();
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename());
    const matrix<double> a = read_matrix<double>(where(), file.string());
    const matrix_base& m = a.base();
    for (const strip_layout& layout : {layouts[2], layouts[6]}) {
      const auto strips = device.strips(m, layout);
      expect_same(*strips, to_strips(m, layout), name_of(layout));
      expect_same(device.from_strips(*strips, m, layout), m, name_of(layout) + ", back");
    }
    expect_same(device.from_padded(*device.padded(m), m), m, "padded rows, back");
    const block_shape shape{8, 16, 20};
    const auto blocks = device.blocks(m, shape);
    expect_same(*blocks, to_blocks(m, shape), name_of(shape));
    expect_same(device.from_blocks(*blocks, m, shape), m, name_of(shape) + ", back");
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, StripsOnDevice, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tropic::testing
