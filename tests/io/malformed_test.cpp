// SPDX-License-Identifier: Apache-2.0

// Every malformed file gets one line: FILE:LINE: found X, expected Y.

#include <cstddef>

#include "io/binary/binary_format.hpp"
#include "samples.hpp"

namespace tropic::io::samples {
namespace {

struct malformed {
  std::string_view text;
  std::string_view message;
};

void expect_refused(file_format format, std::initializer_list<malformed> cases) {
  for (const malformed& c : cases) EXPECT_EQ(complaint(c.text, format), c.message) << c.text;
}

TEST(Malformed, MatrixMarketHeaders) {
  expect_refused(
      file_format::matrix_market,
      {{"", "f:1: found an empty file, expected '%%MatrixMarket matrix ...'"},
       {"hello\n", "f:1: found 'hello', expected '%%MatrixMarket matrix ...'"},
       {"\x7f"
        "ELF\x02\x01",
        "f:1: found '\\x7fELF\\x02\\x01', expected '%%MatrixMarket matrix ...'"},
       {"%%MatrixMarket", "f:1: found the end of the line, expected matrix"},
       {"%%MatrixMarket vector array real general\n", "f:1: found 'vector', expected matrix"},
       {"%%MatrixMarket matrix coordinate real general more\n",
        "f:1: found 'more', expected the end of the line"},
       {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n",
        "f:1: found 'skew-symmetric', expected general or symmetric in a pattern"},
       {"%%MatrixMarket matrix coordinate real general\n",
        "f:1: found the end of the file, expected a line with the size of the matrix"},
       {"%%MatrixMarket matrix coordinate real general\n-1 2 3\n",
        "f:2: found '-1', expected the number of rows"},
       {"%%MatrixMarket matrix coordinate real general\n2 2\n",
        "f:2: found the end of the line, expected the number of entries"},
       {"%%MatrixMarket matrix coordinate real general\n2 2 1 1\n1 1 1\n",
        "f:2: found '1', expected the end of the line"},
       {"%%MatrixMarket matrix coordinate real general\n4294967297 2 1\n",
        "f:2: found '4294967297', expected at most 4294967296 rows"},
       {"%%MatrixMarket matrix coordinate real general\n2 99999999999999999999 1\n",
        "f:2: found '99999999999999999999', expected at most 4294967296 columns"},
       {"%%MatrixMarket matrix array real general\n4294967296 4294967296\n1\n",
        "f:2: found an array of more than 2^64 values, expected a smaller array"}});
}

TEST(Malformed, MatrixMarketCounts) {
  expect_refused(
      file_format::matrix_market,
      {{"%%MatrixMarket matrix coordinate pattern general\n9 9 1000000000000000000\n1 1\n",
        "f:3: found the end of the file after 1 entries, expected 1000000000000000000"},
       {"%%MatrixMarket matrix coordinate pattern general\n9 9 1\n1 1\n% fine\n\n2 2\n3 3\n",
        "f:6: found a line after the last entry, expected the end of the file after 1 entries"},
       {"%%MatrixMarket matrix coordinate pattern general\n9 9 1\n1 1\nnonsense\n",
        "f:4: found a line after the last entry, expected the end of the file after 1 entries"},
       {"%%MatrixMarket matrix array real general\n4000000000 4000000000\n1\n",
        "f:3: found the end of the file after 1 values, expected 16000000000000000000"},
       {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 5\n2 2",
        "f:4: found the end of the line, expected a value"}});
}

TEST(Malformed, MatrixMarketEntries) {
  const auto with = [](std::string_view entry) {
    return "%%MatrixMarket matrix coordinate integer general\n3 4 2\n1 1 1\n" + std::string(entry);
  };
  const auto refused = [&](std::string_view entry) {
    return complaint(with(entry), file_format::matrix_market);
  };
  EXPECT_EQ(refused("0 1 1"), "f:4: found '0', expected a row number from 1 to 3");
  EXPECT_EQ(refused("-1 1 1"), "f:4: found '-1', expected a row number from 1 to 3");
  EXPECT_EQ(refused("1 5 1"), "f:4: found '5', expected a column number from 1 to 4");
  EXPECT_EQ(refused("1.0 1 1"), "f:4: found '1.0', expected a row number from 1 to 3");
  EXPECT_EQ(refused("1 18446744073709551617 1"),
            "f:4: found '18446744073709551617', expected a column number from 1 to 4");
  EXPECT_EQ(refused("1 1 1.5"), "f:4: found '1.5', expected an integer");
  EXPECT_EQ(refused("1 1 1 1"), "f:4: found '1', expected the end of the line");
  EXPECT_EQ(refused("1 1 x"), "f:4: found 'x', expected an integer");
  EXPECT_EQ(refused("1"), "f:4: found the end of the line, expected a column number from 1 to 4");
  EXPECT_EQ(refused(std::string_view("1 \0 1", 5)),
            "f:4: found '\\x00', expected a column number from 1 to 4");
  expect_refused(
      file_format::matrix_market,
      {{"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1e400\n",
        "f:3: found '1e400', expected a number that fp64 can hold"},
       {"%%MatrixMarket matrix coordinate pattern general\n0 5 1\n1 1\n",
        "f:3: found '1', expected no entries in a matrix with no rows"},
       {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 0\n",
        "f:3: found entry (2, 2) in a skew-symmetric matrix, expected a row greater than the "
        "column"},
       {"%%MatrixMarket matrix coordinate integer skew-symmetric\n%%GraphBLAS type int8_t\n2 2 1\n"
        "2 1 -128\n",
        "f:4: found '-128', expected a value whose negative fits the type"},
       {"%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 2 1 1\n",
        "f:3: found a diagonal entry that is not real in a hermitian matrix, expected a zero "
        "imaginary part"}});
}

TEST(Malformed, OfSeveralErrorsTheFirstLineIsNamed) {
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n9 9 200\n";
  for (int k = 0; k < 200; ++k) text += k >= 50 && k % 10 == 0 ? "bad 1\n" : "1 1\n";
  for (int repeat = 0; repeat < 20; ++repeat)
    EXPECT_EQ(complaint(text, file_format::matrix_market),
              "f:53: found 'bad', expected a row number from 1 to 9");
}

TEST(Malformed, DimacsIsRefusedWithTheLine) {
  expect_refused(
      file_format::dimacs,
      {{"", "f:1: found an empty file, expected 'p sp VERTICES EDGES'"},
       {"c x\na 1 2 3\n", "f:2: found 'a', expected 'p sp VERTICES EDGES'"},
       {"p aux sp 3\n", "f:1: found 'p', expected 'p sp VERTICES EDGES'"},
       {"p sp 3 1\ne 1 2 3\n", "f:2: found 'e', expected a line that starts with 'a'"},
       {"p sp 3 1\na 1 4 3\n", "f:2: found '4', expected a vertex number from 1 to 3"},
       {"p sp 3 1\na 1 2 0.5\n", "f:2: found '0.5', expected an integer"},
       {"p sp 3 1\na 1 2\n", "f:2: found the end of the line, expected a value"},
       {"p sp 3 2\na 1 2 3\n", "f:2: found the end of the file after 1 edges, expected 2"},
       {"p sp 3 1\na 1 2 3\na 1 2 3\n",
        "f:3: found a line after the last edge, expected the end of the file after 1 "
        "edges"}});
}

TEST(Malformed, EdgeListsAreRefusedWithTheLine) {
  expect_refused(file_format::edge_list,
                 {{"", "f:1: found an empty file, expected a list of edges"},
                  {"0 1\n2 x\n", "f:2: found 'x', expected a vertex number from 0 to 4294967295"},
                  {"0 1\n4294967296 0\n",
                   "f:2: found '4294967296', expected a vertex number from 0 to 4294967295"},
                  {"0 1 2\n", "f:1: found '2', expected the end of the line"}});
  expect_refused(
      file_format::weighted_edge_list,
      {{"0 1 2\n1 2\n", "f:2: found the end of the line, expected a value"},
       {"0 1 0.5\n1 2 x\n", "f:2: found 'x', expected a number that fp64 can hold"},
       {"0 1 5\n1 2 x\n", "f:2: found 'x', expected a number that fp64 can hold"},
       {"0 1 1e400\n", "f:1: found '1e400', expected a number that fp64 can hold"},
       {"0 1 99999999999999999999\n",
        "f:1: found '99999999999999999999', expected an integer from "
        "-9223372036854775808 to 9223372036854775807 (--type uint64 or fp64 takes others)"}});
}

TEST(Malformed, MetisIsRefusedWithTheLine) {
  expect_refused(
      file_format::metis,
      {{"% only\n",
        "f:1: found the end of the file, expected a line with the numbers of vertices and edges"},
       {"2 1 012\n", "f:1: found '012', expected a format of up to three digits 0 and 1"},
       {"2 1\n2\n3\n", "f:3: found '3', expected a vertex number from 1 to 2"},
       {"2 1\n2\n1\n1\n",
        "f:4: found a line after the last vertex, expected the end of the file after 2 vertices"},
       {"3 2\n2\n", "f:2: found the end of the file after 1 vertices, expected 3"},
       {"3 9\n2\n1\n\n", "f:1: found 2 neighbours in total, expected 18 (9 edges from both ends)"},
       {"2 1 1\n2 7\n1\n", "f:3: found the end of the line, expected the weight of an edge"},
       {"2 1 1\n2 7\n1 8\n",
        "f:1: found edges whose weights differ between their ends, expected the same weight at "
        "both ends"},
       {"3 1\n2 3\n\n\n",
        "f:2: found vertex 2 as a neighbour of 1 more or less often than the reverse, expected "
        "every edge listed from both ends"},
       {"2 1 10\n\n1 1\n", "f:2: found the end of the line, expected a vertex weight or size"}});
}

TEST(Malformed, FilesThatAreNotThereOrNotFiles) {
  const folder here;
  const std::string missing = (here / "missing.mtx").string();
  EXPECT_EQ(message_of([&] { read(missing); }),
            missing + ": found no such file, expected a readable file");
  std::filesystem::create_directory(here / "d.mtx");
  const std::string directory = (here / "d.mtx").string();
  EXPECT_EQ(message_of([&] { read(directory); }),
            directory + ": found a directory, expected a file");
  const std::string unknown = here.put("x.foo", "1 2\n").string();
  EXPECT_EQ(message_of([&] { read(unknown); }),
            unknown +
                ": found the unknown ending '.foo', expected .mtx, .gr, .el, .wel, .txt, .csv, "
                ".tsv, .graph, .v, .e, .tropic, or the content of a Matrix Market or Tropic file "
                "(--format says what it is)");
  EXPECT_EQ(read(here.put("y.dat", "%%MatrixMarket matrix array real general\n1 1\n5\n")).entries(),
            1);
}

TEST(Malformed, EveryPrefixOfAFileIsRefusedOrRead) {
  constexpr std::string_view text =
      "%%MatrixMarket matrix coordinate real symmetric\n%%GraphBLAS type float\n3 3 2\n"
      "2 1 1.5\n3 3 -2\n";
  for (std::size_t n = 0; n < text.size() - 1; ++n) {
    const std::string message = complaint(text.substr(0, n), file_format::matrix_market);
    // The last number may lose digits and still be valid; every other truncation is detected.
    if (n < text.size() - 2) {
      EXPECT_EQ(message.substr(0, 2), "f:") << n << message;
    }
  }
}

/// Every truncation of a valid text, and every byte of it replaced by a few others: read, or
/// rejected with the line.
TEST(Malformed, EveryErrorHasItsLine) {
  const std::pair<file_format, std::string_view> texts[]{
      {file_format::matrix_market,
       "%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type int8_t\n3 4 2\n1 1 1\n"
       "3 2 -7\n"},
      {file_format::matrix_market,
       "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n"},
      {file_format::dimacs, "c x\np sp 3 2\na 1 2 3\na 3 1 -4\n"},
      {file_format::edge_list, "# x\n0 1\n5 2\n"},
      {file_format::weighted_edge_list, "0 1 2\n1 2 0.5\n"},
      {file_format::snap, "# x\n0\t1\t-1\n"},
      {file_format::metis, "2 1 111 2\n8 5 5 2 9\n8 6 6 1 9\n"},
      {file_format::ldbc, "10 -30 0.5\n-30 20 1e3\n"}};
  using namespace std::string_view_literals;
  for (const auto& [format, text] : texts) {
    for (std::size_t n = 0; n <= text.size(); ++n) complaint(text.substr(0, n), format);
    for (std::size_t n = 0; n < text.size(); ++n)
      for (const char other : "\0\n\r -9z.%\x80\xff"sv) {
        std::string bad(text);
        bad[n] = other;
        complaint(bad, format);
      }
  }
}

TEST(Malformed, LinesOfAnyLengthAreQuotedShortly) {
  const std::string long_word(std::size_t{1} << 20, '7');
  for (const file_format format : {file_format::matrix_market, file_format::dimacs,
                                   file_format::edge_list, file_format::weighted_edge_list,
                                   file_format::snap, file_format::metis, file_format::ldbc}) {
    const std::string header = format == file_format::matrix_market
                                   ? "%%MatrixMarket matrix coordinate real general\n1 1 1\n"
                               : format == file_format::dimacs ? "p sp 1 1\n"
                               : format == file_format::metis  ? "1 1\n"
                                                               : "";
    const std::string message =
        complaint(header + long_word + " " + long_word + "\n" + long_word, format);
    EXPECT_TRUE(names_line(message)) << message.substr(0, 300);
    EXPECT_LT(message.size(), 300U);
  }
}

/// Every byte of a `.tropic` file changed, with a correct checksum: read, or rejected with a byte
/// or a number of bytes.
TEST(Malformed, EveryErrorInATropicFileHasItsByte) {
  const folder here;
  write(here / "a.tropic", read_text("2 1 1\n2 7\n1 7\n", file_format::metis, "g"));
  const std::string whole = bytes_of(here / "a.tropic");
  int refused = 0;
  for (std::size_t n = 0; n < whole.size(); ++n)
    for (const int flip : {1, 0x80, 0xff}) {
      std::string bytes = whole;
      bytes[n] = static_cast<char>(bytes[n] ^ flip);
      detail::binary_header header;
      std::memcpy(&header, bytes.data(), sizeof header);
      if (n < offsetof(detail::binary_header, checksum)) header.checksum = header.own_checksum();
      std::memcpy(bytes.data(), &header, sizeof header);
      const std::string message = message_of([&] { read_text(bytes, file_format::binary, "f"); });
      if (message == no_error) continue;
      ++refused;
      EXPECT_TRUE(message.starts_with("f: found ")) << message;
      EXPECT_TRUE(message.find(" byte ") != std::string::npos ||
                  message.find(" bytes, expected ") != std::string::npos)
          << message;
    }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace tropic::io::samples
