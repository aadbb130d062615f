// SPDX-License-Identifier: Apache-2.0

// Byte-order marks, formats by name, compressed bytes without an ending, and empty files.

#include "samples.hpp"

namespace tropic::io::samples {
namespace encoding_test {
namespace {

using namespace std::string_literals;

struct sample {
  file_format format;
  std::string_view text;
};
constexpr sample texts[] = {
    {file_format::matrix_market, "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1.5\n"},
    {file_format::dimacs, "p sp 2 1\na 1 2 3\n"},
    {file_format::edge_list, "0 1\n"},
    {file_format::weighted_edge_list, "0 1 2\n"},
    {file_format::snap, "0 1\n"},
    {file_format::metis, "2 1\n2\n1\n"},
    {file_format::ldbc, "10 20\n"},
    {file_format::csv, "source,target\n0,1\n"},
    {file_format::tsv, "0\t1\n"},
};
const std::string mark = "\xef\xbb\xbf";

TEST(Encoding, AByteOrderMarkOfUtf8IsSkipped) {
  for (const sample& s : texts) {
    const std::string marked = mark + std::string(s.text);
    expect_equal(read_each_way(marked, s.format), read_text(s.text, s.format, "f"));
    EXPECT_EQ(line_of_entry(marked, s.format, read_text(marked, s.format, "f"), 0),
              line_of_entry(s.text, s.format, read_text(s.text, s.format, "f"), 0));
  }
  EXPECT_EQ(complaint(mark + "0 1\nx 2\n", file_format::edge_list).substr(0, 14), "f:2: found 'x'");
  EXPECT_EQ(complaint(mark, file_format::edge_list),
            "f:1: found an empty file, expected a list of edges");
  const coordinates both = read_ldbc_text(mark + "1\n2\n", mark + "1 2\n", "g");
  EXPECT_EQ(both.vertex_ids, (std::vector<index_t>{1, 2}));
  // Only at the beginning.
  EXPECT_EQ(complaint("0 1\n" + mark + "1 2\n", file_format::edge_list).substr(0, 30),
            "f:2: found '\\xef\\xbb\\xbf1', ex");
}

TEST(Encoding, FilesWithAByteOrderMarkAreRecognisedByContentAndEnding) {
  const folder here;
  EXPECT_EQ(read(here.put("g.el", mark + "0 1\n")).entries(), 1);
  EXPECT_EQ(read(here.put("g", mark + std::string(texts[0].text))).entries(), 1);
  here.put("l.v", mark + "1\n2\n");
  EXPECT_EQ(read(here.put("l.e", mark + "1 2\n")).entries(), 1);
}

TEST(Encoding, OtherMarksAreRefusedByName) {
  for (const sample& s : texts) {
    EXPECT_EQ(complaint("\xff\xfe"
                        "0\0 \0"s,
                        s.format),
              "f:1: found the byte-order mark of UTF-16 text, expected UTF-8 (iconv -f UTF-16 -t "
              "UTF-8 converts it)");
    EXPECT_EQ(complaint("\xfe\xff\0"
                        "0"s,
                        s.format)
                  .substr(0, 42),
              "f:1: found the byte-order mark of UTF-16 t");
    EXPECT_EQ(complaint("\xff\xfe\0\0"
                        "0"s,
                        s.format)
                  .substr(0, 42),
              "f:1: found the byte-order mark of UTF-32 t");
  }
}

TEST(Encoding, AFormatHasTheNameOfItsEnding) {
  EXPECT_EQ(format_named("el")->format, file_format::edge_list);
  EXPECT_EQ(format_named("csv.zst")->format, file_format::csv);
  EXPECT_EQ(format_named("csv.zst")->packed, packing::zstd);
  EXPECT_EQ(format_named("tropic")->packed, packing::none);
  for (const char* none :
       {"", "gz", "foo", ".el", "a.el", "el.gz.gz", "/el", "EL", "el ", "x/y.el"})
    EXPECT_FALSE(format_named(none)) << none;
  EXPECT_EQ(format_endings(), ".mtx, .gr, .el, .wel, .txt, .csv, .tsv, .graph, .v, .e, .tropic");
}

TEST(Encoding, AFormatThatIsNamedOverrulesEndingAndContent) {
  const folder here;
  const std::filesystem::path odd = here.put("edges.dat", "0 1\n1 2\n");
  EXPECT_EQ(read(odd, {.format = format_named("el")}).entries(), 2);
  EXPECT_EQ(line_of_entry(odd, read(odd, {.format = format_named("el")}), 1,
                          {.format = format_named("el")}),
            2U);
  const std::filesystem::path lying = here.put("x.mtx", "0 1 7\n");
  EXPECT_EQ(numbers_of(read(lying, {.format = format_named("wel")})), (std::vector<double>{7}));
  EXPECT_EQ(message_of([&] { read(odd, {.format = format_named("e"), .name = "-"}); }),
            "-: found one file, expected the two of an LDBC graph, NAME.v and NAME.e, by the name "
            "of one of them");
}

TEST(Encoding, PackedBytesAreKnownWithoutAnEnding) {
  const folder here;
  const coordinates m = read_text("0 1\n1 2\n", file_format::edge_list, "f");
  for (const char* ending : {".gz", ".xz", ".zst"}) {
    write(here / (std::string("g.el") + ending), m);
    std::filesystem::rename(here / (std::string("g.el") + ending), here / "odd");
    expect_equal(read(here / "odd", {.format = format_named("el")}), m);
    expect_equal(read(here / "odd", {.format = format_named(std::string("el") + ending)}), m);
    std::filesystem::rename(here / "odd", here / "odd.el");
    expect_equal(read(here / "odd.el"), m);
  }
  EXPECT_EQ(message_of([&] {
              read(here.put("plain", "0 1\n"), {.format = format_named("el.gz"), .name = "-"});
            }),
            "-: found broken or truncated data before byte 4 of 4, expected whole gzip data");
}

TEST(Encoding, AnEmptyFileIsCalledEmpty) {
  const folder here;
  const auto message = [&](const char* name) {
    const std::string path = here.put(name, "").string();
    return message_of([&] { read(path); }).substr(path.size());
  };
  for (const char* name : {"a.mtx", "a.gr", "a.el", "a.wel", "a.txt", "a.csv", "a.tsv", "a.graph"})
    EXPECT_EQ(message(name).substr(0, 26), ":1: found an empty file, e") << name;
  for (const char* name : {"a.tropic", "a.el.gz", "a", "a.foo"})
    EXPECT_EQ(message(name).substr(0, 24), ": found an empty file, e") << name;
  EXPECT_EQ(message_of([&] { read(here / "a", {.name = "-"}); }),
            "-: found an empty file, expected a matrix or a graph");
}

}  // namespace
}  // namespace encoding_test

}  // namespace tropic::io::samples
