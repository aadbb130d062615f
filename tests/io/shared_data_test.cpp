// SPDX-License-Identifier: Apache-2.0

// Real files: LAGraph's matrices (including malformed ones), the GAP suite's small graph in every
// format, the LDBC examples and SuiteSparse matrices. Skipped if that data is not installed.

#include <algorithm>
#include <map>
#include <set>

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

const std::filesystem::path data = TROPIC_SHARED_DATA;

class SharedData : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(data)) GTEST_SKIP() << "no shared data at " << data;
  }
};

TEST_F(SharedData, MangledMatricesAreRefusedOnTheRightLine) {
  const std::map<std::string, int> lines{
      {"1", 1},      {"2", 1},      {"3", 1},     {"4", 1},      {"5", 1},       {"6", 1},
      {"7", 2},      {"8", 4},      {"9", 4},     {"10", 6},     {"11", 5},      {"12", 5},
      {"13", 7},     {"15", 2},     {"16", 2},    {"_bool", 10}, {"_format", 1}, {"_int8", 8},
      {"_int16", 8}, {"_int32", 8}, {"_skew", 2}, {"_uint8", 9}, {"_uint16", 9}, {"_uint32", 9}};
  for (const auto& [name, line] : lines) {
    const auto path = data / "reference/lagraph" / ("mangled" + name + ".mtx");
    const std::string start = path.string() + ":" + std::to_string(line) + ": found ";
    EXPECT_EQ(message_of([&] { read(path); }).substr(0, start.size()), start);
  }
}

TEST_F(SharedData, EveryOtherLagraphMatrixReadsAndReadsBack) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(data / "reference/lagraph")) {
    const std::string name = file.path().filename().string();
    if (file.path().extension() != ".mtx") continue;
    if (name.starts_with("mangled") && name != "mangled14.mtx") continue;
    const coordinates m = read(file.path());
    EXPECT_GT(m.rows, 0) << name;
    const coordinates back =
        read_text(write_text(m, file_format::matrix_market), file_format::matrix_market, name);
    auto there = places_of(m), again = places_of(back);
    std::sort(there.begin(), there.end());
    std::sort(again.begin(), again.end());
    EXPECT_EQ(again, there) << name;
    EXPECT_EQ(back.type, m.type) << name;
    ++count;
  }
  EXPECT_GE(count, 60U);
}

TEST_F(SharedData, TheGapGraphIsTheSameInEveryFormat) {
  for (const char* name : {"4.mtx", "4w.mtx", "4.el", "4.wel", "4.gr", "4.graph", "4w.graph"}) {
    const coordinates m = read(data / "reference/gapbs/graphs" / name);
    EXPECT_EQ(m.rows, 14) << name;
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& [r, c] : places_of(m))
      if (r != c) edges.emplace(r, c);
    EXPECT_EQ(edges.size(), 53U) << name;
  }
}

TEST_F(SharedData, TheLdbcExamplesHaveTheirVerticesAndEdges) {
  const auto folder = data / "reference/ldbc-example";
  const coordinates directed = read(folder / "example-directed.e");
  EXPECT_EQ(directed.vertex_ids, (std::vector<index_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(directed.entries(), 17);
  EXPECT_EQ(directed.type, type_code::fp64);
  read_options options;
  options.undirected = true;
  const coordinates undirected = read(folder / "example-undirected.v", options);
  EXPECT_EQ(undirected.entries(), 24);
  EXPECT_EQ(undirected.vertex_ids.front(), 2);
}

TEST_F(SharedData, RoadNetworkOfNewYorkHasItsDistances) {
  const coordinates m = read(data / "graphs/USA-road-d.NY.mtx.xz");
  EXPECT_EQ(m.rows, 264346);
  EXPECT_EQ(m.entries(), 730100);
  EXPECT_EQ(values_of<std::int64_t>(m)[0], 803);
  EXPECT_TRUE(m.symmetric);
}

}  // namespace
}  // namespace tropic::io::samples
