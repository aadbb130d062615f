// SPDX-License-Identifier: Apache-2.0

// METIS graphs: every format code, and the directed dialect of the GAP suite.

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

coordinates metis(std::string_view text) {
  return read_each_way(text, file_format::metis);
}

TEST(Metis, PlainGraphsAreSymmetricPatterns) {
  const coordinates m = metis("% c\n4 3\n2 3\n% c\n1 3\n1 2\n\n");
  EXPECT_EQ(places_of(m), (places{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}));
  EXPECT_TRUE(m.symmetric);
  EXPECT_TRUE(m.pattern);
  EXPECT_EQ(m.rows, 4);
}

TEST(Metis, EveryWeightOfTheFormatCodeIsFound) {
  EXPECT_EQ(numbers_of(metis("2 1 1\n2 7\n1 7\n")), (std::vector<double>{7, 7}));
  EXPECT_TRUE(metis("2 1 10\n5 2\n6 1\n").pattern);
  EXPECT_EQ(numbers_of(metis("2 1 11\n5 2 9\n6 1 9\n")), (std::vector<double>{9, 9}));
  EXPECT_EQ(numbers_of(metis("2 1 011 2\n5 5 2 9\n6 6 1 9\n")), (std::vector<double>{9, 9}));
  EXPECT_EQ(places_of(metis("2 1 100\n8 2\n8 1\n")), (places{{0, 1}, {1, 0}}));
  EXPECT_EQ(numbers_of(metis("2 1 111\n8 5 2 9\n8 6 1 9\n")), (std::vector<double>{9, 9}));
}

TEST(Metis, TheFirstDigitWithoutSizesMeansLoopsMayOccur) {
  EXPECT_EQ(places_of(metis("2 2 100\n1 2\n1\n")), (places{{0, 0}, {0, 1}, {1, 0}}));
}

TEST(Metis, AsManyNeighboursAsEdgesIsADirectedGraph) {
  const coordinates m = metis("3 2\n2 3\n\n\n");
  EXPECT_FALSE(m.symmetric);
  EXPECT_EQ(places_of(m), (places{{0, 1}, {0, 2}}));
}

TEST(Metis, BlankLinesAtTheEndMayBeMissingOrMore) {
  EXPECT_EQ(metis("4 1\n2\n1\n").rows, 4);
  EXPECT_EQ(metis("2 1\n2\n1\n\n\n").rows, 2);
  EXPECT_EQ(metis("0 0\n").rows, 0);
  EXPECT_EQ(metis("4294967296 0\n").rows, index_t{1} << 32);
}

TEST(Metis, AnEntryIsTracedToTheLineOfItsVertex) {
  constexpr std::string_view text = "% c\n3 2\n2\n% c\n1 3\n2\n";
  EXPECT_EQ(line_of_entry(text, file_format::metis, metis(text), 2), 5U);
}

}  // namespace
}  // namespace tropic::io::samples
