// SPDX-License-Identifier: Apache-2.0

// Tables: separators, quotes, headers and columns, at every chunk size; what is rejected and why.

#include "samples.hpp"

namespace tropic::io::samples {
namespace csv_test {
namespace {

coordinates csv(std::string_view text, read_options options = {}) {
  return read_each_way(text, file_format::csv, std::move(options));
}
std::string refused(std::string_view text, read_options options = {}) {
  return complaint(text, file_format::csv, std::move(options));
}
const places triangle{{0, 1}, {1, 2}, {2, 0}};

TEST(Csv, TwoColumnsAreEdgesAndAThirdIsTheWeight) {
  const coordinates edges = csv("0,1\n1,2\n2,0\n");
  EXPECT_EQ(places_of(edges), triangle);
  EXPECT_TRUE(edges.pattern);
  EXPECT_EQ(edges.rows, 3);
  const coordinates integers = csv("0,1,5\n1,2,-6\n2,0,7");
  EXPECT_EQ(values_of<std::int64_t>(integers), (std::vector<std::int64_t>{5, -6, 7}));
  const coordinates reals = csv("0,1,5\n1,2,6.5\n2,0,7\n");
  EXPECT_EQ(values_of<double>(reals), (std::vector<double>{5, 6.5, 7}));
  const coordinates typed = csv("0,1,5\n1,2,6\n2,0,7\n", {.type = type_code::uint8});
  EXPECT_EQ(values_of<std::uint8_t>(typed), (std::vector<std::uint8_t>{5, 6, 7}));
}

TEST(Csv, BlanksCarriageReturnsCommentsAndBlankLinesDoNotCount) {
  EXPECT_EQ(
      places_of(csv("# made by hand, \"so to say\n 0 , 1 \r\n\r\n1,2\r\n,\n# more\n2,0\n\n \n")),
      triangle);
  EXPECT_EQ(places_of(read_each_way("0\t1\n1\t2\n2\t0\n\t\n", file_format::tsv)), triangle);
}

TEST(Csv, TheFirstLineSaysWhatSeparates) {
  EXPECT_EQ(places_of(csv("source;target\n0;1\n1;2\n2;0\n")), triangle);
  EXPECT_EQ(places_of(csv("0\t1\n1\t2\n2\t0\n")), triangle);
  EXPECT_EQ(places_of(csv("0|1\n1|2\n2|0\n", {.separator = '|'})), triangle);
  EXPECT_EQ(places_of(csv("\"a;b\",target\n0,1\n1,2\n2,0\n")), triangle);
  EXPECT_EQ(refused("0;1;0,5\n"),
            "f:1: found both ',' and ';' in the first line, expected one of them, the other inside "
            "quotes (--separator says which it is)");
  EXPECT_EQ(refused("0;1;0,5\n", {.separator = ';'}),
            "f:1: found '0,5', expected a number with a decimal point");
  EXPECT_EQ(refused("0 1\n"),
            "f:1: found one column, '0 1', expected source, target and perhaps weight, with ',' "
            "between them");
}

TEST(Csv, FieldsInQuotesHoldSeparatorsNewlinesAndQuotes) {
  EXPECT_EQ(places_of(csv("\"0\",\"1\"\n\"1\" , \"2\"\r\n\"2\",\"0\"\n")), triangle);
  const read_options chosen{.columns = {"from", "to"}};
  EXPECT_EQ(
      places_of(csv("from,note,to\n0,\"a,\n\"\"b\"\"\n\n,c\",1\n1,\"\"\"\n\",2\n2,,0\n", chosen)),
      triangle);
  EXPECT_EQ(refused("0,1\n1,\"2\n3,4\n"),
            "f:2: found a quote that is not closed, expected '\"' at the end of the field");
  EXPECT_EQ(
      refused("0,1\n\"1\"2,3\n"),
      "f:2: found '2,3' after a closing quote, expected the end of the field ('\"\"' represents "
      "a quote inside it)");
  // A newline inside quotes is a line of the file.
  EXPECT_EQ(refused("from,note,to\n0,\"a\nb\nc\",1\n1,x,y\n", chosen).substr(0, 15),
            "f:5: found 'y',");
}

TEST(Csv, AHeaderIsALineWhoseVerticesAreNoNumbers) {
  EXPECT_EQ(places_of(csv("source,target\n0,1\n1,2\n2,0\n")), triangle);
  EXPECT_EQ(places_of(csv("user,friend\n0,1\n1,2\n2,0\n")), triangle);
  EXPECT_EQ(places_of(csv("To,From\n1,0\n2,1\n0,2\n")), triangle);
  EXPECT_EQ(places_of(csv("# comment\n\n\"Source ID\";\"Target ID\"\n0;1\n1;2\n2;0\n")), triangle);
  EXPECT_EQ(places_of(csv("7,8\n0,1\n1,2\n2,0\n", {.header = header_rule::yes})), triangle);
  EXPECT_EQ(csv("source,target\n").entries(), 0);
  EXPECT_EQ(
      refused("user,friend\n0,1\n", {.header = header_rule::no}),
      "f:1: found 'user', expected a vertex number from 0 to 4294967295, or names and --names");
}

TEST(Csv, AFirstLineThatMayBeTwoThingsIsRefused) {
  EXPECT_EQ(refused("anna,ben,3\nben,cleo,4\n"),
            "f:1: found 'anna' among numbers in the first line, expected numbers alone, a header "
            "(--header yes) or vertices with names (--names)");
  EXPECT_EQ(
      refused("anna,ben\nben,cleo\n"),
      "f:2: found 'ben', expected a vertex number from 0 to 4294967295, or names and --names");
  EXPECT_EQ(
      refused("anna,ben\n"),
      "f:1: found 'anna', 'ben' and no other line, expected edges, or --header yes or --names "
      "to say what the line is");
  EXPECT_EQ(refused("0,1,2,3\n"),
            "f:1: found 4 columns without a header, expected two or three: source, target and "
            "weight (--columns takes some of them by number, --header yes their names from the "
            "first line)");
}

TEST(Csv, ColumnsAreChosenByTheirNames) {
  const coordinates known = csv("id,Weight,Target,Source\n9,5,1,0\n9,6,2,1\n9,7,0,2\n");
  EXPECT_EQ(places_of(known), triangle);
  EXPECT_EQ(values_of<std::int64_t>(known), (std::vector<std::int64_t>{5, 6, 7}));
  const std::string_view german = "von,nach,km,jahr\n0,1,5,x\n1,2,6,\n2,0,7,y\n";
  EXPECT_EQ(refused(german),
            "f:1: found the columns 'von', 'nach', 'km', 'jahr', expected one source, one target "
            "and at most one weight by the names that are known, or --columns "
            "SOURCE,TARGET[,WEIGHT]");
  const coordinates chosen = csv(german, {.columns = {"von", "nach", "km"}});
  EXPECT_EQ(places_of(chosen), triangle);
  EXPECT_EQ(values_of<std::int64_t>(chosen), (std::vector<std::int64_t>{5, 6, 7}));
  EXPECT_TRUE(csv(german, {.columns = {"von", "nach"}}).pattern);
  EXPECT_EQ(
      refused(german, {.columns = {"von", "an"}}),
      "f:1: found the columns 'von', 'nach', 'km', 'jahr', expected a column 'an' (--columns)");
  // Columns that might be the weight are not ignored silently.
  for (const char* header : {"source,target,year", "source,target,cost,length", "a,b,c",
                             "source,source", "target,x", "source,target,target"})
    EXPECT_EQ(refused(std::string(header) + "\n0,1,2,3\n").substr(0, 22), "f:1: found the columns")
        << header;
  const coordinates counted = csv("9,0,x,1\n9,1,y,2\n9,2,z,0\n", {.columns = {"2", "4"}});
  EXPECT_EQ(places_of(counted), triangle);
  EXPECT_EQ(refused("0,1\n", {.columns = {"1", "3"}}),
            "f:1: found 2 columns, expected a column 3 (--columns)");
  EXPECT_EQ(
      refused("a,a,b\n0,1,2\n", {.columns = {"a", "b"}}),
      "f:1: found more than one column 'a', expected one (--columns takes their numbers, too)");
}

TEST(Csv, EveryLineHasTheColumnsOfTheFirst) {
  EXPECT_EQ(refused("0,1,2\n1,2\n"),
            "f:2: found the end of the line after 2 columns, expected 3 as in the first line");
  EXPECT_EQ(refused("0,1\n1,2,3\n"), "f:2: found column 3, expected 2 as in the first line");
  EXPECT_EQ(refused("0,1\n1,\n").substr(0, 46), "f:2: found an empty field, expected a vertex n");
  EXPECT_EQ(refused("0,1,5\n1,2,\n"), "f:2: found an empty field, expected a weight");
  EXPECT_EQ(refused("0,1,5\n1,2,x\n"), "f:2: found 'x', expected a number that fp64 can hold");
  EXPECT_EQ(refused("0,1,5\n1,2,3 4\n"), "f:2: found '3 4', expected one number");
  EXPECT_EQ(refused("0,1\n1,4294967296\n"),
            "f:2: found '4294967296', expected a vertex number from 0 to 4294967295");
}

TEST(Csv, OfSeveralErrorsTheFirstLineIsNamed) {
  for (const bool quotes : {false, true}) {
    std::string text = quotes ? "\"0\",1\n" : "0,1\n";
    for (int k = 0; k < 200; ++k) text += k >= 50 && k % 10 == 0 ? "bad,1\n" : "1,1\n";
    for (int repeat = 0; repeat < 10; ++repeat)
      EXPECT_EQ(refused(text).substr(0, 17), "f:52: found 'bad'");
  }
}

TEST(Csv, AnEmptyFileIsCalledEmpty) {
  EXPECT_EQ(refused(""), "f:1: found an empty file, expected a list of edges");
  EXPECT_EQ(csv("# nothing\n\n").entries(), 0);  // as with edge lists
}

TEST(Csv, ALineIsFoundAgain) {
  const std::string_view text = "from,note,to\n# c\n0,\"a\n\nb\",1\n\n1,c,2\n";
  const read_options chosen{.columns = {"from", "to"}};
  const coordinates m = read_text(text, file_format::csv, "f", chosen);
  EXPECT_EQ(line_of_entry(text, file_format::csv, m, 0, chosen), 3U);
  EXPECT_EQ(line_of_entry(text, file_format::csv, m, 1, chosen), 7U);
  const coordinates bare = read_text("0,1\n1,2\n", file_format::csv, "f");
  EXPECT_EQ(line_of_entry("0,1\n1,2\n", file_format::csv, bare, 1), 2U);
}

TEST(Csv, WhatIsWrittenReadsBackTheSame) {
  const coordinates weighted = csv("0,1,5\n1,2,-6\n2,0,7\n");
  EXPECT_EQ(write_text(weighted, file_format::csv), "source,target,weight\n0,1,5\n1,2,-6\n2,0,7\n");
  EXPECT_EQ(write_text(csv("0,1\n"), file_format::tsv), "source\ttarget\n0\t1\n");
  for (const file_format format : {file_format::csv, file_format::tsv}) {
    for (const char* text :
         {"0,1,5\n1,2,-6\n2,0,7\n", "0,1,0.1\n3,2,1e300\n", "0,1\n1,2\n", "#\n"}) {
      const coordinates m = csv(text);
      expect_equal(read_each_way(write_text(m, format, {.comment = "a, \"b"}), format), m);
    }
  }
  const folder here;
  write(here / "x.csv.gz", weighted);
  expect_equal(read(here / "x.csv.gz"), weighted);
  EXPECT_EQ(bytes_of(here / "x.csv.gz").substr(0, 2), "\x1f\x8b");
}

TEST(Csv, OptionsOfTablesAreRefusedElsewhere) {
  EXPECT_EQ(complaint("0 1\n", file_format::edge_list, {.header = header_rule::yes}),
            "f: found --header, expected it only with .csv or .tsv");
  EXPECT_EQ(complaint("0 1\n", file_format::edge_list, {.separator = ';'}),
            "f: found --separator, expected it only with .csv or .tsv");
  EXPECT_EQ(refused("0,1\n", {.columns = {"1"}}),
            "f: --columns: found 1, expected source, target and perhaps weight");
}

}  // namespace
}  // namespace csv_test

}  // namespace tropic::io::samples
