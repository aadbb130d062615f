// SPDX-License-Identifier: Apache-2.0

// DIMACS `.gr`, `.el`, `.wel` and SNAP `.txt`.

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

TEST(EdgeLists, DimacsCountsFromOneAndSaysSo) {
  const coordinates m =
      read_each_way("c road\np sp 3 2\nc\na 1 3 7\na 3 2 -1\n", file_format::dimacs);
  EXPECT_EQ(m.rows, 3);
  EXPECT_EQ(m.first_vertex_id, 1);
  EXPECT_EQ(places_of(m), (places{{0, 2}, {2, 1}}));
  EXPECT_EQ(values_of<std::int64_t>(m), (std::vector<std::int64_t>{7, -1}));
}

TEST(EdgeLists, TheLargestVertexGivesTheSize) {
  const coordinates m = read_each_way("# c\n0 5\n\n% c\n3 3\n", file_format::edge_list);
  EXPECT_EQ(m.rows, 6);
  EXPECT_EQ(m.columns, 6);
  EXPECT_TRUE(m.pattern);
  EXPECT_EQ(read_each_way("# none\n", file_format::edge_list).rows, 0);
  EXPECT_EQ(read_each_way("4294967295 0\n", file_format::edge_list).rows, index_t{1} << 32);
}

TEST(EdgeLists, WeightsAreIntegersUntilOneIsNot) {
  EXPECT_EQ(
      values_of<std::int64_t>(read_each_way("0 1 2\n1 0 3\n", file_format::weighted_edge_list)),
      (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(
      values_of<double>(read_each_way("0 1 2\n1 0 .5\n0 0 1\n", file_format::weighted_edge_list)),
      (std::vector<double>{2, .5, 1}));
  read_options options;
  options.type = type_code::fp32;
  EXPECT_EQ(
      values_of<float>(read_each_way("0 1 2\n1 0 3\n", file_format::weighted_edge_list, options)),
      (std::vector<float>{2, 3}));
}

TEST(EdgeLists, SnapMayHaveAThirdColumn) {
  EXPECT_TRUE(read_each_way("# Nodes: 2\n0\t1\n", file_format::snap).pattern);
  EXPECT_EQ(numbers_of(read_each_way("0 1 -1\n1 0 1\n", file_format::snap)),
            (std::vector<double>{-1, 1}));
}

TEST(EdgeLists, UndirectedListsEachEdgeBothWays) {
  read_options options;
  options.undirected = true;
  const coordinates m =
      read_each_way("0 1 5\n2 2 6\n2 1 7\n", file_format::weighted_edge_list, options);
  EXPECT_EQ(places_of(m), (places{{0, 1}, {2, 2}, {2, 1}, {1, 0}, {1, 2}}));
  EXPECT_EQ(numbers_of(m), (std::vector<double>{5, 6, 7, 5, 7}));
  EXPECT_TRUE(m.symmetric);
  EXPECT_EQ(line_of_entry("0 1 5\n2 2 6\n2 1 7\n", file_format::weighted_edge_list, m, 4), 3U);
}

TEST(EdgeList, IntegersBeyondInt64AreRealsBesideRealsInAnyOrder) {
  const std::vector<double> numbers{18446744073709551615.0, 0.5};
  EXPECT_EQ(numbers_of(read_each_way("0 1 18446744073709551615\n1 2 0.5\n",
                                     file_format::weighted_edge_list)),
            numbers);
  EXPECT_EQ(numbers_of(read_each_way("0,1,18446744073709551615\n1,2,0.5\n", file_format::csv)),
            numbers);
  EXPECT_EQ(numbers_of(read_each_way("0 1 18446744073709551615\n1 2 0.5\n", file_format::ldbc)),
            numbers);
  EXPECT_EQ(numbers_of(read_each_way("1 2 0.5\n0 1 -9223372036854775809\n", file_format::snap)),
            (std::vector<double>{0.5, -9223372036854775809.0}));
  EXPECT_EQ(numbers_of(read_each_way("0 1 -9223372036854775809\n1 2 0.5\n", file_format::snap)),
            (std::vector<double>{-9223372036854775809.0, 0.5}));
}

TEST(EdgeList, IntegersBeyondInt64AloneAreRefusedWithTheTypesThatHoldThem) {
  const std::string expected =
      "f:2: found '18446744073709551615', expected an integer from -9223372036854775808 to "
      "9223372036854775807 (--type uint64 or fp64 takes others)";
  const char* const text = "0 1 5\n0 2 18446744073709551615\n3 4 1\n";
  EXPECT_EQ(complaint(text, file_format::weighted_edge_list), expected);
  EXPECT_EQ(complaint("0,1,5\n0,2,18446744073709551615\n3,4,1\n", file_format::csv), expected);
  EXPECT_EQ(complaint("0 1 5\n0 2 18446744073709551615\n3 4 x\n0 1 0.5\n",
                      file_format::weighted_edge_list),
            expected);
  read_options options;
  options.type = type_code::uint64;
  EXPECT_EQ(values_of<std::uint64_t>(read_each_way(text, file_format::weighted_edge_list, options)),
            (std::vector<std::uint64_t>{5, 18446744073709551615U, 1}));
}

}  // namespace
}  // namespace tropic::io::samples
