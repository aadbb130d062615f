// SPDX-License-Identifier: Apache-2.0

// Text from other programs: standard input of any format, byte-order marks, tables, and named
// vertices in every result.

#include "program.hpp"

namespace cli_tests {
namespace {

class Text : public Program {
 protected:
  Text() {
    write("flights.csv",
          "From,To,km\r\nOslo,\"New York\",5900\r\nOslo,Z\xc3\xbcrich,1400\r\n"
          "Z\xc3\xbcrich,\"New York\",6300\r\n\"New York\",\"Rio, Brazil\",7700\r\n");
  }
  std::string printed(const std::string& command) const {
    const outcome found = run(command);
    EXPECT_EQ(found.exit_code, 0) << command << "\n" << found.err;
    EXPECT_EQ(found.err, "") << command;
    return found.out;
  }
};

TEST_F(Text, OfStandardInputIsReadByItsFormat) {
  write("g.el", "0 1\n1 2\n");
  EXPECT_NE(printed("cat g.el | tropic info - --format el").find("shape      3 x 3"),
            std::string::npos);
  EXPECT_EQ(printed("gzip -c g.el | tropic bfs - --format el.gz --quiet --output -"),
            "0 0\n1 1\n2 2\n");
  EXPECT_EQ(printed("gzip -c g.el | tropic bfs - --format el --quiet --output -"),
            "0 0\n1 1\n2 2\n");
  EXPECT_EQ(
      printed("tropic convert g.el g.mtx --quiet; gzip -c g.mtx | tropic bfs - --quiet --output -"),
      "0 0\n1 1\n2 2\n");
  EXPECT_EQ(
      printed("tropic convert g.el g.tropic --quiet; cat g.tropic | tropic bfs - --format tropic "
              "--quiet --output -"),
      "0 0\n1 1\n2 2\n");
  EXPECT_EQ(printed("cp g.el g.dat; tropic bfs g.dat --format el --quiet --output -"),
            "0 0\n1 1\n2 2\n");
  expect_refused("cat g.el | tropic info -",
                 "-: found a name without an ending, expected .mtx, .gr, .el, .wel, .txt, .csv, "
                 ".tsv, .graph, .v, .e, .tropic, or the content of a Matrix Market or Tropic file "
                 "(--format says what it is)");
  expect_refused("printf '0 x\\n' | tropic info - --format el", "-:1: found 'x'");
  expect_refused("cat g.el | tropic info - --format e",
                 "-: found one file, expected the two of an LDBC graph");
  expect_refused("tropic info g.el --format foo", "--format: found 'foo', expected one of mtx, gr");
  expect_refused("tropic info grid:3 --format el", "--format: applies to files, not to grid:3");
}

TEST_F(Text, OfNothingIsCalledEmpty) {
  expect_refused("tropic info - < /dev/null",
                 "-: found an empty file, expected a matrix or a graph");
  expect_refused("printf '' | tropic info -",
                 "-: found an empty file, expected a matrix or a graph");
  for (const char* format : {"mtx", "gr", "el", "wel", "txt", "csv", "tsv", "graph", "tropic"})
    expect_refused(std::string("printf '' | tropic info - --format ") + format,
                   "found an empty file, expected ");
  expect_refused("printf '' | gzip | tropic info - --format el", "-:1: found an empty file");
}

TEST_F(Text, MayBeginWithAByteOrderMark) {
  write("marked.el",
        "\xef\xbb\xbf"
        "0 1\n1 2\n");
  EXPECT_EQ(printed("tropic bfs marked.el --quiet --output -"), "0 0\n1 1\n2 2\n");
  write("seeds.txt",
        "\xef\xbb\xbf"
        "2\n");
  EXPECT_EQ(printed("tropic pagerank marked.el --personalize seeds.txt --quiet --output -"),
            "0 0\n1 0\n2 1\n");
  write("wide.el", std::string("\xff\xfe"
                               "0\0 \0",
                               6));
  expect_refused("tropic info wide.el", "wide.el:1: found the byte-order mark of UTF-16 text");
}

TEST_F(Text, OfTablesNeedsNoConversion) {
  write("g.csv", "source,target,weight\n0,1,5\n1,2,6\n");
  EXPECT_EQ(printed("tropic sssp g.csv --quiet --output -"), "0 0\n1 5\n2 11\n");
  EXPECT_EQ(printed("tropic convert g.csv o.csv --quiet && cat o.csv"), contents(path("g.csv")));
  EXPECT_EQ(printed("tropic convert g.csv o.tsv --quiet && cat o.tsv"),
            "source\ttarget\tweight\n0\t1\t5\n1\t2\t6\n");
  write("more.csv", "id;von;nach;km\n1;0;1;5\n2;1;2;6\n");
  expect_refused("tropic sssp more.csv", "more.csv:1: found the columns 'id', 'von', 'nach', 'km'");
  EXPECT_EQ(printed("tropic sssp more.csv --columns von,nach,km --quiet --output -"),
            "0 0\n1 5\n2 11\n");
  EXPECT_EQ(
      printed("tail -2 more.csv | tropic sssp - --format csv --columns 2,3,4 --quiet --output -"),
      "0 0\n1 5\n2 11\n");
  write("bars.csv", "0|1|5\n1|2|nan\n");
  expect_refused("tropic sssp bars.csv --separator '|'", "bars.csv:2: found nan");
  expect_refused("tropic sssp bars.csv --separator ab", "--separator: found 'ab'");
  expect_refused("tropic sssp bars.csv --header maybe", "--header: found 'maybe'");
  expect_refused("tropic sssp bars.csv --columns 1", "--columns: found '1'");
  expect_refused("tropic info flights.csv", "flights.csv:1: found the columns 'From', 'To', 'km'");
  expect_refused("tropic info flights.csv --columns From,To,km",
                 "flights.csv:2: found 'Oslo', expected a vertex number from 0 to 4294967295, or "
                 "names and --names");
}

TEST_F(Text, OfResultsHasTheNames) {
  const std::string flights = " flights.csv --names --columns From,To,km ";
  EXPECT_EQ(
      printed("tropic sssp" + flights + "--source Oslo --quiet --output - --output-parents p"),
      "\"New York\" 5900\nOslo 0\n\"Rio, Brazil\" 13600\nZ\xc3\xbcrich 1400\n");
  EXPECT_EQ(contents(path("p")),
            "\"New York\" Oslo\nOslo Oslo\n\"Rio, Brazil\" \"New York\"\nZ\xc3\xbcrich Oslo\n");
  EXPECT_EQ(printed("tropic bfs" + flights +
                    "--source 'New York' --quiet --output - "
                    "--output-parents p"),
            "\"New York\" 0\nOslo -1\n\"Rio, Brazil\" 1\nZ\xc3\xbcrich -1\n");
  EXPECT_EQ(contents(path("p")),
            "\"New York\" \"New York\"\nOslo -1\n\"Rio, Brazil\" \"New York\"\nZ\xc3\xbcrich -1\n");
  const outcome text = run("tropic sssp" + flights + "--source Oslo");
  EXPECT_NE(
      text.out.find("from vertex Oslo reaches 4 of 4 vertices; farthest is \"Rio, Brazil\" at "
                    "13,600"),
      std::string::npos)
      << text.out;
  const nlohmann::json object = parse("sssp" + flights + "--source Z\xc3\xbcrich");
  EXPECT_EQ(object["source"], "Z\xc3\xbcrich");
  EXPECT_EQ(object["farthest"]["vertex"], "Rio, Brazil");
  EXPECT_EQ(parse("pagerank" + flights)["top"][0]["vertex"], "Rio, Brazil");
  EXPECT_NE(run("tropic info" + flights).out.find("4 names from \"New York\" to Z\xc3\xbcrich"),
            std::string::npos);
  expect_refused(
      "tropic bfs" + flights + "--source Bergen",
      "--source: found 'Bergen', expected a vertex of flights.csv, which has 4 names from "
      "\"New York\" to Z\xc3\xbcrich");
  expect_refused("tropic bfs grid:3 --names", "--names: applies to files, not to grid:3");
  EXPECT_EQ(parse("bench bfs" + flights + "--sources 1")["trials"][0]["source"].is_string(), true);
}

TEST_F(Text, OfNamesIsTheSameForEveryThreadCount) {
  for (const std::string& command : graph_commands("--output")) {
    const std::string one =
        "tropic " + command +
        " flights.csv --names --columns From,To,km --quiet --output - --threads ";
    EXPECT_EQ(printed(one + "1"), printed(one + "3")) << command;
  }
}

TEST_F(Text, OfNamesIsReadInPreferences) {
  write("seeds.txt", "# where to start\n\"Rio, Brazil\" 2\n");
  EXPECT_EQ(
      printed("tropic pagerank flights.csv --names --columns From,To,km --personalize seeds.txt "
              "--quiet --output -"),
      "\"New York\" 0\nOslo 0\n\"Rio, Brazil\" 1\nZ\xc3\xbcrich 0\n");
  write("seeds.txt", "Oslo\nBergen\n");
  expect_refused("tropic pagerank flights.csv --names --columns From,To,km --personalize seeds.txt",
                 "seeds.txt:2: found 'Bergen', expected a vertex of the graph");
  write("seeds.txt", "#Oslo\n");
  expect_refused("tropic pagerank flights.csv --names --columns From,To,km --personalize seeds.txt",
                 "seeds.txt:1: found '#Oslo'");
  write("seeds.txt", "\"Oslo\n");
  expect_refused("tropic pagerank flights.csv --names --columns From,To,km --personalize seeds.txt",
                 "seeds.txt:1: found '\"Oslo', expected a closing quote on this line");
  for (const char* line : {"\"Oslo\"2", "\"Oslo\"Oslo", "\"Oslo\"x\"Oslo\""}) {
    write("seeds.txt", std::string("Oslo\n") + line + " 1\n");
    expect_refused(
        "tropic pagerank flights.csv --names --columns From,To,km --personalize seeds.txt",
        "seeds.txt:2: found '" + std::string(line).substr(6) +
            "', expected a blank, a comma or the end of the line after a closing quote");
  }
}

TEST_F(Text, NamesOfVerticesAreInMessages) {
  write("cycle.csv", "b,a,-2\na,b,1\n");
  expect_refused("tropic sssp cycle.csv --names --quiet",
                 "cycle.csv: found a cycle of negative length through vertex ");
  write("nan.csv", "b,a,1\n\"x\ny\",b,nan\n");
  expect_refused("tropic sssp nan.csv --names", "nan.csv:2: found nan");
  write("twice.csv", "b,a,1\nb,c,1\nb,a,2\n");
  expect_refused("tropic sssp twice.csv --names --duplicates error",
                 "twice.csv:3: found a second entry for the position in line 1");
}

TEST_F(Text, OfNamesThatLookLikeValuesIsQuoted) {
  write("odd.csv", "a,-1\n\"-1\",b\n\"#c\",a\n\"say \"\"hi\"\"\",a\n");
  EXPECT_EQ(printed("tropic bfs odd.csv --names --source -1 --quiet --output - --output-parents p"),
            "\"#c\" -1\n\"-1\" 0\na -1\nb 1\n\"say \"\"hi\"\"\" -1\n");
  EXPECT_EQ(contents(path("p")),
            "\"#c\" -1\n\"-1\" \"-1\"\na -1\nb \"-1\"\n\"say \"\"hi\"\"\" -1\n");
}

TEST_F(Text, OfNamesIsKeptByConversions) {
  const std::string flights = " flights.csv --names --columns From,To,km ";
  EXPECT_EQ(printed("tropic convert" + flights + "o.csv --quiet"), "");
  EXPECT_TRUE(contents(path("o.csv")).starts_with("source,target,weight\nOslo,New York,5900\n"))
      << contents(path("o.csv"));
  EXPECT_EQ(printed("tropic sssp o.csv --names --source Oslo --quiet --output -"),
            printed("tropic sssp" + flights + "--source Oslo --quiet --output -"));
  expect_refused("tropic convert" + flights + "o.mtx", "o.mtx: this format holds no names");
  expect_refused("tropic convert" + flights + "o.wel", "cannot hold the name 'New York'");
  EXPECT_EQ(printed("tropic convert" + flights + "o.wel --drop-names --quiet && cat o.wel"),
            "1 0 5900\n1 3 1400\n3 0 6300\n0 2 7700\n");
  expect_refused("tropic info o.wel --header yes", "o.wel: found --header");
  EXPECT_EQ(
      printed("printf 'b a\\na c\\n' | tropic convert - o.el --format el --names --quiet && cat "
              "o.el"),
      "b a\na c\n");
}

// The worked example of docs/files.md.
TEST_F(Text, OfTheDocumentIsWhatIsPrinted) {
  write("friends.csv", "name,friend,years\nAnna Lee,Bo,4\nBo,Cy,1.5\nAnna Lee,Cy,9\n");
  expect_refused(
      "tropic sssp friends.csv --names",
      "friends.csv:1: found 'years' for a weight in the first line, expected a number, or "
      "a header (--header yes)");
  EXPECT_EQ(
      printed("tropic sssp friends.csv --names --columns name,friend,years --source 'Anna Lee' "
              "--quiet --output -"),
      "\"Anna Lee\" 0\nBo 4\nCy 5.5\n");
  EXPECT_EQ(printed("printf '0;1\\n1;2\\n' | tropic bfs - --format csv --quiet --output -"),
            "0 0\n1 1\n2 2\n");
}

}  // namespace
}  // namespace cli_tests
