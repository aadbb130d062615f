// SPDX-License-Identifier: Apache-2.0

// Vertices with names: numbered in ascending order for any order of lines, chunks and threads,
// looked up, written and read back.

#include <ctime>
#include <random>
#include <tropic/read_matrix.hpp>

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

using strings = std::vector<std::string>;

read_options named(header_rule header = header_rule::automatic) {
  read_options options;
  options.names = true;
  options.header = header;
  return options;
}

TEST(Names, AscendAndKeepTheirText) {
  const coordinates m =
      read_each_way("zoe,Anna Lee\n Anna Lee , \"b, \"\"c\"\"\" \nzoe,Z\xc3\xbcrich\n",
                    file_format::csv, named());
  EXPECT_EQ(names_of(m), (strings{"Anna Lee", "Z\xc3\xbcrich", "b, \"c\"", "zoe"}));
  EXPECT_EQ(places_of(m), (places{{3, 0}, {0, 2}, {3, 1}}));
  EXPECT_EQ(m.rows, 4);
  EXPECT_EQ(m.columns, 4);
  EXPECT_EQ(m.vertex_names.find("zoe"), 3);
  EXPECT_EQ(m.vertex_names.find("Zoe"), std::nullopt);
  EXPECT_EQ(m.vertex_names.find(""), std::nullopt);
}

TEST(Names, AreTakenByEdgeListsBetweenBlanks) {
  EXPECT_EQ(names_of(read_each_way("# c\nb a\n% c\na \"c\n", file_format::edge_list, named())),
            (strings{"\"c", "a", "b"}));
  const coordinates w =
      read_each_way("b\ta\t2\na c 3.5\n", file_format::weighted_edge_list, named());
  EXPECT_EQ(numbers_of(w), (std::vector<double>{2, 3.5}));
  EXPECT_EQ(names_of(read_each_way("b a 1\n", file_format::snap, named())), (strings{"a", "b"}));
  EXPECT_TRUE(read_each_way("b a\n", file_format::snap, named()).pattern);
  EXPECT_EQ(complaint("b a\nc\n", file_format::edge_list, named()),
            "f:2: found the end of the line, expected the name of a vertex");
  EXPECT_EQ(complaint("b a 1\n", file_format::edge_list, named()),
            "f:1: found '1', expected the end of the line");
  EXPECT_EQ(complaint("b a 1\nb a\n", file_format::snap, named()),
            "f:2: found the end of the line, expected a weight");
}

TEST(Names, NumbersAreNamesLikeOthers) {
  const coordinates m = read_each_way("10,9\n9,010\n", file_format::csv, named());
  EXPECT_EQ(names_of(m), (strings{"010", "10", "9"}));
}

TEST(Names, DoNotDependOnTheOrderOfLines) {
  std::mt19937_64 random(5);
  std::vector<std::string> lines;
  for (int k = 0; k < 3000; ++k)
    lines.push_back("v" + std::to_string(random() % 700) + ",\"w " +
                    std::to_string(random() % 700) + (k % 7 == 0 ? "\n\"\"x\"" : "\"") + "," +
                    std::to_string(k) + "\n");
  const auto text = [&] {
    std::string all;
    for (const std::string& line : lines) all += line;
    return all;
  };
  const coordinates first = read_each_way(text(), file_format::csv, named());
  EXPECT_TRUE(first.vertex_names.ascends());
  std::shuffle(lines.begin(), lines.end(), random);
  const coordinates second = read_each_way(text(), file_format::csv, named());
  EXPECT_EQ(first.vertex_names, second.vertex_names);
  // Weights identify the lines.
  const auto of_weights = [](const coordinates& m) {
    places ends(m.row.size());
    const auto weights = values_of<std::int64_t>(m);
    for (std::size_t k = 0; k < ends.size(); ++k)
      ends[static_cast<std::size_t>(weights[k])] = {m.row[k], m.column[k]};
    return ends;
  };
  EXPECT_EQ(of_weights(first), of_weights(second));
}

TEST(Names, OfManyVerticesAreSortedInRunsThatAreMerged) {
  constexpr int count = 70'000;  // runs of 2^14
  std::string text;
  for (int k = 0; k < count; ++k)
    text += "v" + std::to_string((k * 7919LL) % count) + " v" + std::to_string(k) + "\n";
  read_options options = named();
  options.threads = 1;
  const coordinates one = read_text(text, file_format::edge_list, "f", options);
  EXPECT_EQ(one.rows, count);
  EXPECT_TRUE(one.vertex_names.ascends());
  EXPECT_EQ(one.vertex_names[one.row[1]], "v7919");
  for (const int threads : {2, 3, 4}) {
    options.threads = threads;
    expect_equal(read_text(text, file_format::edge_list, "f", options), one);
  }
}

TEST(Names, AHeaderIsKnownByItsWordsAndNeverGuessed) {
  EXPECT_EQ(names_of(read_each_way("from,to\na,b\n", file_format::csv, named())),
            (strings{"a", "b"}));
  EXPECT_EQ(names_of(read_each_way("Target,Source,Weight\na,b,1\n", file_format::csv, named())),
            (strings{"a", "b"}));
  // A weight identifies an edge.
  EXPECT_EQ(names_of(read_each_way("from,to,3\na,b,1\n", file_format::csv, named())),
            (strings{"a", "b", "from", "to"}));
  EXPECT_EQ(complaint("from,to\nto,x\n", file_format::csv, named()),
            "f:1: found 'from' and 'to', names of columns that are vertices in other lines, "
            "expected --header yes or no, to say whether they are the names of columns");
  EXPECT_EQ(complaint("user,friend\nann,bob\nbob,cleo\n", file_format::csv, named()),
            "f:1: found 'user' and 'friend' in the first line and nowhere else, expected --header "
            "yes or no, to say whether they are the names of columns");
  EXPECT_EQ(
      names_of(read_each_way("user,friend\nann,bob\n", file_format::csv, named(header_rule::yes))),
      (strings{"ann", "bob"}));
  EXPECT_EQ(
      names_of(read_each_way("user,friend\nann,bob\n", file_format::csv, named(header_rule::no))),
      (strings{"ann", "bob", "friend", "user"}));
  EXPECT_EQ(complaint("user,friend,km\nann,bob,3\n", file_format::csv, named()),
            "f:1: found 'km' for a weight in the first line, expected a number, or a header "
            "(--header yes)");
}

TEST(Names, WhatMayBeACommentOrIsNoNameIsRefused) {
  EXPECT_EQ(complaint("a,b\n#tag,a\n", file_format::csv, named()),
            "f:2: found '#tag', expected a comment, as in '# text', or a name in quotes");
  EXPECT_EQ(names_of(read_each_way("a,#b\n# c\n#\n##\n\"#tag\",a\n", file_format::csv, named())),
            (strings{"#b", "#tag", "a"}));
  EXPECT_EQ(complaint("a b\n%c a\n", file_format::edge_list, named()).substr(0, 16),
            "f:2: found '%c',");
  EXPECT_EQ(complaint("a,b\na,\n", file_format::csv, named()),
            "f:2: found an empty field, expected the name of a vertex");
  EXPECT_EQ(complaint("a,b\na,\"\"\n", file_format::csv, named()),
            "f:2: found an empty field, expected the name of a vertex");
  EXPECT_EQ(
      complaint("a,b\na,5\" b\n", file_format::csv, named()),
      "f:2: found '5\" b', expected quotes around the whole name, and '\"\"' for one inside it");
  EXPECT_EQ(complaint("a,b\n\"x\"\rb,c\r\n", file_format::csv, named()).substr(0, 36),
            "f:2: found 'b,c' after a closing quo");
  EXPECT_EQ(complaint("a,b\nx\rb,c\r", file_format::csv, named()),
            "f:2: found a carriage return inside a line, expected lines that end with a newline");
  EXPECT_EQ(complaint("a,b\n\xef\xbb\xbf"
                      "b,c\n",
                      file_format::csv, named()),
            "f:2: found a byte-order mark inside the text, expected a name");
  EXPECT_EQ(complaint("p sp 1 0\n", file_format::dimacs, named()),
            "f: found --names, expected a format with names of vertices: .csv, .tsv, .el, .wel or "
            ".txt");
}

TEST(Names, AreWrittenAndReadBack) {
  const coordinates m = read_each_way(
      "\" b\",\"x\ny\"\n\"x\ny\",\"q\"\"\"\n\"#t\",\" "
      "b\"\na;b,c\nc,a\n\"p,q\",\"\ttab\"\n\"p,q\",c d\n",
      file_format::csv, named(header_rule::no));
  for (const file_format format : {file_format::csv, file_format::tsv})
    expect_equal(read_each_way(write_text(m, format), format, named()), m);
  EXPECT_EQ(message_of([&] { write_text(m, file_format::edge_list); }),
            "write_text: an edge list cannot hold the name '\\x09tab' (.csv and .tsv can)");
  const coordinates plain = read_text("b a\na c\n", file_format::edge_list, "f", named());
  EXPECT_EQ(write_text(plain, file_format::edge_list), "b a\na c\n");
  EXPECT_EQ(write_text(plain, file_format::csv), "source,target\nb,a\na,c\n");
  EXPECT_EQ(message_of([&] { write_text(plain, file_format::matrix_market); }),
            "write_text: this format holds no names of vertices (.csv, .tsv and edge lists do; "
            "--drop-names numbers them)");
  EXPECT_EQ(write_text(plain, file_format::edge_list, {.drop_names = true}), "1 0\n0 2\n");
  const folder here;
  for (const char* name : {"x.tropic", "x.v", "x.mtx", "x.gr", "x.graph"})
    EXPECT_NE(message_of([&] { write(here / name, plain); }).find("--drop-names"),
              std::string::npos)
        << name;
  EXPECT_EQ(here.files(), 0U);
}

TEST(Names, ThatAreWordsOfHeadersAreWrittenAndReadBack) {
  for (const char* text : {"source,b\nb,c\n", "b,target,1\nsource,b,2\n",
                           "source,target\nsource_,target_\nb,source__\n"}) {
    const coordinates m = read_each_way(text, file_format::csv, named(header_rule::no));
    for (const file_format format : {file_format::csv, file_format::tsv})
      expect_equal(read_each_way(write_text(m, format), format, named()), m);
  }
  const coordinates m = read_text("source,b\n", file_format::csv, "f", named(header_rule::no));
  EXPECT_EQ(write_text(m, file_format::csv), "source_,target_\nsource,b\n");
}

/// Eight bytes whose std::hash in libstdc++ is `wanted`: MurmurHash64A with its fixed seed,
/// inverted.
std::string name_with_murmur(std::uint64_t wanted) {
  constexpr std::uint64_t factor = 0xc6a4a7935bd1e995, seed = 0xc70f6907;
  std::uint64_t inverse = factor;  // Newton's iteration, modulo 2^64
  for (int step = 0; step < 6; ++step) inverse *= 2 - factor * inverse;
  const auto shifted = [](std::uint64_t v) { return v ^ v >> 47; };
  std::uint64_t x = shifted(shifted(wanted) * inverse) * inverse;
  x = shifted((x ^ seed ^ 8 * factor) * inverse) * inverse;
  std::string name(8, '\0');
  std::memcpy(name.data(), &x, sizeof x);
  return name;
}

// With a hash without a secret key each of these look-ups takes time proportional to the number of
// names.
TEST(Names, ThatWereMadeToCollideTakeNoLongerThanOthers) {
  const auto seconds_to_read = [](bool colliding) {
    std::string text, last = "a";
    std::size_t count = 0;
    for (std::uint64_t k = 1; count < 150'000; ++k) {
      const std::string name = name_with_murmur(colliding ? k << 24 : k * 0x9e3779b97f4a7c15U);
      const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
        return c != ',' && c != ';' && c != '"' && c != '#' && c != '\x7f' && !(c >= 0 && c <= ' ');
      });
      if (!is_plain) continue;
      text += last + "," + name + "\n";
      last = name;
      ++count;
    }
    read_options options = named(header_rule::no);
    options.threads = 1;
    const std::clock_t start = std::clock();
    EXPECT_EQ(read_text(text, file_format::csv, "f", options).rows, 150'001);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  EXPECT_LT(seconds_to_read(true), 4 * seconds_to_read(false) + 0.5);
}

TEST(Names, ComeWithTheEntriesAsTheDocumentSays) {
  const folder here;
  here.put("friends.csv", "name,friend,years\nAnna Lee,Bo,4\nBo,Cy,1.5\nAnna Lee,Cy,9\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(here / "");
  // [names]
  tropic::io::read_options options;
  options.names = true;
  options.columns = {"name", "friend", "years"};
  const tropic::io::coordinates entries = tropic::io::read("friends.csv", options);
  const auto graph = tropic::make_matrix<double>(tropic::context::cpu(), entries);
  const std::optional<tropic::index_t> bo = entries.vertex_names.find("Bo");  // 1, if it is there
  const std::string_view first = entries.vertex_names[0];                     // "Anna Lee"
  // [names]
  std::filesystem::current_path(before);
  EXPECT_EQ(bo, 1);
  EXPECT_EQ(first, "Anna Lee");
  EXPECT_EQ(graph.get(0, 1), 4.0);
}

TEST(Names, MustBeOnePerVertexAndDifferent) {
  coordinates m = read_text("b a\n", file_format::edge_list, "f", named());
  m.vertex_names.push_back("c");
  EXPECT_EQ(message_of([&] { write_text(m, file_format::csv); }),
            "write_text: there must be one name a vertex");
  m.rows = m.columns = 4;
  m.vertex_names.push_back("a");
  EXPECT_EQ(message_of([&] { write_text(m, file_format::csv); }),
            "write_text: every vertex needs a different name");
}

TEST(Names, ATableOfNamesFindsThemInAnyOrder) {
  name_table table;
  EXPECT_EQ(table.find("a"), std::nullopt);
  for (const char* name : {"b", "d", "", "c"}) table.push_back(name);
  EXPECT_FALSE(table.ascends());
  EXPECT_EQ(table.size(), 4U);
  EXPECT_EQ(table[1], "d");
  EXPECT_EQ(table[2], "");
  EXPECT_EQ(table.find(""), 2);
  EXPECT_EQ(table.find("c"), 3);
  EXPECT_EQ(table.find("a"), std::nullopt);
}

}  // namespace
}  // namespace tropic::io::samples
