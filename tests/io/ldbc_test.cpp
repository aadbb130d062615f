// SPDX-License-Identifier: Apache-2.0

// LDBC Graphalytics graphs.

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

TEST(Ldbc, VertexNumbersBecomeAscendingPositions) {
  const coordinates m = read_ldbc_text("900\n-5\n7\n", "7 900 0.5\n-5 7 1\n", "g");
  EXPECT_EQ(m.vertex_ids, (std::vector<index_t>{-5, 7, 900}));
  EXPECT_EQ(places_of(m), (places{{1, 2}, {0, 1}}));
  EXPECT_EQ(values_of<double>(m), (std::vector<double>{.5, 1}));
}

TEST(Ldbc, ConsecutiveAndExtremeNumbersWork) {
  EXPECT_EQ(places_of(read_ldbc_text("3\n4\n5\n", "5 3\n", "g")), (places{{2, 0}}));
  const coordinates m = read_ldbc_text("9223372036854775807\n-9223372036854775808\n",
                                       "-9223372036854775808 9223372036854775807 2\n", "g");
  EXPECT_EQ(places_of(m), (places{{0, 1}}));
  EXPECT_EQ(values_of<std::int64_t>(m), (std::vector<std::int64_t>{2}));
}

TEST(Ldbc, EdgesAloneNameTheirVertices) {
  const coordinates m = read_each_way("10 30\n30 20\n", file_format::ldbc);
  EXPECT_EQ(m.vertex_ids, (std::vector<index_t>{10, 20, 30}));
  EXPECT_TRUE(m.pattern);
}

TEST(Ldbc, ErrorsNameTheHalf) {
  const auto refused = [](std::string_view v, std::string_view e) {
    return message_of([&] { read_ldbc_text(v, e, "g"); });
  };
  EXPECT_EQ(refused("1\n2\n", "1 2\n1 3\n"), "g.e:2: found '3', expected a vertex of the graph");
  EXPECT_EQ(refused("1\n5\n", "1 0\n"), "g.e:1: found '0', expected a vertex of the graph");
  EXPECT_EQ(refused("1\n2\n1\n", ""), "g.v:3: found vertex 1 again, expected each vertex once");
  EXPECT_EQ(refused("1\nx\n", ""), "g.v:2: found 'x', expected an integer");
  EXPECT_EQ(refused("1 2\n", ""), "g.v:1: found '2', expected the end of the line");
  EXPECT_EQ(refused("1\n", "1\n"), "g.e:1: found the end of the line, expected a vertex number");
}

TEST(Ldbc, EitherHalfReadsBothAndBothMustBeThere) {
  const folder here;
  here.put("g.v", "4\n2\n");
  here.put("g.e", "4 2 3\n2 9 3\n");
  EXPECT_EQ(message_of([&] { read(here / "g.v"); }),
            (here / "g.e").string() + ":2: found '9', expected a vertex of the graph");
  here.put("g.e", "4 2 3\n");
  expect_equal(read(here / "g.v"), read(here / "g.e"));
  EXPECT_EQ(line_of_entry(here / "g.v", read(here / "g.v"), 0), 1U);
  here.put("h.e", "4 2 3\n");
  EXPECT_EQ(message_of([&] { read(here / "h.e"); }),
            (here / "h.v").string() + ": found no such file, expected a readable file");
}

TEST(Ldbc, AHalfIsPairedWithTheOneOfItsOwnPacking) {
  const folder here;
  const coordinates small = read_ldbc_text("1\n2\n", "1 2\n", "g");
  const coordinates large = read_ldbc_text("1\n2\n3\n", "1 3\n3 2\n", "g");
  for (const char* ending : {"", ".gz", ".xz", ".zst"})
    write(here / (std::string("g.e") + ending), std::string(ending) == ".xz" ? large : small);
  for (const char* ending : {"", ".gz", ".xz", ".zst"})
    for (const char* half : {"g.e", "g.v"})
      expect_equal(read(here / (std::string(half) + ending)),
                   std::string(ending) == ".xz" ? large : small);
}

TEST(Ldbc, AHalfOfAnotherPackingIsTakenWhereThereIsOneAlone) {
  const folder here;
  const coordinates graph = read_ldbc_text("1\n2\n", "1 2\n", "g");
  write(here / "g.e", graph);
  write(here / "g.e.zst", graph);
  std::filesystem::remove(here / "g.v");
  expect_equal(read(here / "g.e"), graph);
  write(here / "g.e.gz", graph);
  std::filesystem::remove(here / "g.e");
  here.put("g.e", "1 2\n");
  EXPECT_EQ(message_of([&] { read(here / "g.e"); }),
            (here / "g.e").string() +
                ": found 'g.v.gz' and 'g.v.zst' beside it, expected g.v, or one of them alone");
}

}  // namespace
}  // namespace tropic::io::samples
