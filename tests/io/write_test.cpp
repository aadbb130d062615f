// SPDX-License-Identifier: Apache-2.0

// Writers: files are read back, what a format cannot store is rejected, files appear completely or
// not at all.

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

coordinates sample(std::string_view head, std::string_view entries) {
  return read_text(
      "%%MatrixMarket matrix coordinate " + std::string(head) + "\n" + std::string(entries),
      file_format::matrix_market, "sample");
}

TEST(Write, MatrixMarketKeepsTypeFieldAndSymmetry) {
  for (const char* type : {"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t",
                           "uint32_t", "uint64_t", "bool"}) {
    const coordinates m =
        sample("integer general\n%%GraphBLAS type " + std::string(type), "3 4 2\n3 4 1\n1 1 0\n");
    expect_equal(
        read_text(write_text(m, file_format::matrix_market), file_format::matrix_market, ""), m);
  }
  for (const char* head : {"real general\n%%GraphBLAS type float", "real symmetric",
                           "pattern symmetric\n%%GraphBLAS type uint8_t"}) {
    const bool pattern = std::string_view(head).starts_with("pattern");
    const coordinates m =
        sample(head, pattern ? "3 3 2\n3 1\n2 2\n" : "3 3 2\n3 1 0.1\n2 2 -inf\n");
    expect_equal(
        read_text(write_text(m, file_format::matrix_market), file_format::matrix_market, ""), m);
  }
  const coordinates complex =
      sample("complex general\n%%GraphBLAS type float complex", "2 2 1\n2 1 0.5 -1e-3\n");
  expect_equal(
      read_text(write_text(complex, file_format::matrix_market), file_format::matrix_market, ""),
      complex);
}

TEST(Write, CommentsTakeTheMarkOfTheFormat) {
  write_options options;
  options.comment = "one\ntwo";
  const coordinates m = sample("integer general", "2 2 1\n2 1 5\n");
  EXPECT_EQ(write_text(m, file_format::matrix_market, options),
            "%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type int64_t\n% one\n"
            "% two\n2 2 1\n2 1 5\n");
  EXPECT_EQ(write_text(m, file_format::dimacs, options), "c one\nc two\np sp 2 1\na 2 1 5\n");
  EXPECT_EQ(write_text(m, file_format::weighted_edge_list, options), "# one\n# two\n1 0 5\n");
}

TEST(Write, GraphFormatsReadBack) {
  const folder here;
  const coordinates m = sample("integer symmetric", "3 3 2\n2 1 5\n3 2 6\n");
  for (const char* name : {"a.gr", "a.wel", "a.graph", "a.txt", "a.e", "b.v.gz", "a.graph.zst"}) {
    write(here / name, m);
    const coordinates back = read(here / name);
    EXPECT_EQ(back.entries(), 4) << name;
    EXPECT_EQ(back.rows, 3) << name;
    auto there = places_of(m), again = places_of(back);
    std::sort(there.begin(), there.end());
    std::sort(again.begin(), again.end());
    EXPECT_EQ(again, there) << name;
  }
  EXPECT_TRUE(read(here / "a.graph").symmetric);
  EXPECT_EQ(write_text(m, file_format::metis), "3 2 1\n2 5\n1 5 3 6\n2 6\n");
}

// Without a point or an exponent a reader takes them for integers, whose range ends at 2^63.
TEST(Write, LargeRealsAreNotTakenForIntegers) {
  const coordinates m = sample("real general",
                               "3 3 4\n1 2 12409149616095639552\n2 1 -9223372036854775808\n"
                               "2 3 9007199254740993\n3 1 1e300\n");
  for (const file_format format :
       {file_format::weighted_edge_list, file_format::snap, file_format::csv, file_format::tsv}) {
    const coordinates back =
        read_text(write_text(m, format), format, "back", {.type = type_code::fp64});
    EXPECT_EQ(back.values, m.values);
    EXPECT_EQ(read_text(write_text(m, format), format, "back").type, type_code::fp64);
  }
}

TEST(Write, LdbcKeepsVertexNumbers) {
  const folder here;
  const coordinates m = read_ldbc_text("900\n-5\n7\n", "7 900 0.5\n-5 7 1\n", "g");
  write(here / "g.e.xz", m);
  expect_equal(read(here / "g.v.xz"), m);
}

TEST(Write, WhatAFormatCannotHoldIsRefused) {
  const coordinates real = sample("real general", "2 2 1\n2 1 0.5\n");
  const coordinates wide = sample("integer general", "2 3 1\n2 1 5\n");
  const auto refused = [](const coordinates& m, file_format format) {
    return message_of([&] { write_text(m, format); });
  };
  EXPECT_EQ(refused(real, file_format::dimacs),
            "write_text: a .gr file holds integer weights only");
  EXPECT_EQ(refused(real, file_format::edge_list),
            "write_text: an .el file holds no weights (a .wel file does; --drop-values leaves "
            "them out)");
  EXPECT_EQ(refused(real, file_format::metis),
            "write_text: a METIS file holds undirected graphs only");
  EXPECT_EQ(refused(wide, file_format::weighted_edge_list),
            "write_text: this format holds graphs, and the matrix is 2x3");
  EXPECT_EQ(refused(sample("pattern symmetric", "2 2 1\n2 2\n"), file_format::metis),
            "write_text: a METIS file holds no loops, and vertex 1 has one");
  write_options drop;
  drop.drop_values = true;
  EXPECT_EQ(write_text(real, file_format::edge_list, drop), "1 0\n");
  coordinates broken = real;
  broken.row[0] = 9;
  EXPECT_EQ(refused(broken, file_format::matrix_market),
            "write_text: an entry lies outside the matrix");
}

TEST(Write, AFailureLeavesTheOldFileAndNothingElse) {
  const folder here;
  const auto path = here.put("a.el", "0 1\n");
  EXPECT_THROW(write(path, sample("real general", "2 2 1\n2 1 0.5\n")), usage_error);
  EXPECT_EQ(bytes_of(path), "0 1\n");
  EXPECT_EQ(here.files(), 1U);
  write_options stop;
  stop.progress = [](double) { return false; };
  EXPECT_THROW(write(here / "b.wel.gz", sample("real general", "2 2 1\n2 1 0.5\n"), stop),
               cancelled);
  EXPECT_EQ(here.files(), 1U);
  EXPECT_EQ(message_of([&] { write(here / "no/such.el", {}); }),
            (here / "no/such.el").string() + ": cannot write: No such file or directory");
  EXPECT_THROW(write(here / "x.foo", {}), usage_error);
}

TEST(Write, ADirectoryInTheWayIsAnErrorAndNothingIsLeft) {
  const folder here;
  std::filesystem::create_directory(here / "a.el");
  EXPECT_THROW(write(here / "a.el", sample("pattern general", "2 2 1\n2 1\n")), error);
  EXPECT_EQ(here.files(), 1U);
}

}  // namespace
}  // namespace tropic::io::samples
