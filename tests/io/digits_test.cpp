// SPDX-License-Identifier: Apache-2.0

// Lines whose numbers are parsed eight bytes at a time: as if they were parsed byte by byte, which
// happens near the end of a chunk.

#include "io/digits.hpp"

#include <random>
#include <string>

#include "io/text.hpp"
#include "samples.hpp"

namespace tropic::io::samples {
namespace {

TEST(Digits, EndAtAnyOtherByte) {
  for (int place = 0; place < 8; ++place)
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = "98765432";
      text[static_cast<std::size_t>(place)] = static_cast<char>(byte);
      const bool is_digit = byte >= '0' && byte <= '9';
      const int digits = detail::leading_digits(detail::word_at(text.data()));
      EXPECT_EQ(digits, is_digit ? 8 : place) << byte;
      const std::uint64_t number =
          std::stoull("0" + text.substr(0, static_cast<std::size_t>(digits)));
      if (digits > 0) {
        EXPECT_EQ(detail::number_of_digits(detail::word_at(text.data()), digits), number);
      }
      int newline = 0;
      EXPECT_EQ(detail::has_newline(detail::word_at(text.data()), newline), byte == '\n');
      if (byte == '\n') {
        EXPECT_EQ(newline, place);
      }
    }
  // Only the first newline counts, whatever follows.
  int newline = 0;
  EXPECT_TRUE(detail::has_newline(detail::word_at("1\x0b\n\x0b\n\n\x80\xff"), newline));
  EXPECT_EQ(newline, 2);
}

TEST(Digits, TokensEndAtBlanksAndControlCharacters) {
  for (std::size_t place = 0; place < 32; ++place)
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(32, '7');
      text[place] = static_cast<char>(byte);
      const std::uint32_t ends = detail::ends_of_tokens(text.data());
      EXPECT_EQ(ends, byte <= ' ' ? std::uint32_t{1} << place : 0) << place << ", " << byte;
    }
}

TEST(Digits, NaturalsAreTheSameAtEveryDistanceFromTheEnd) {
  std::string digits = "12345678901234567890";
  for (std::size_t count = 0; count <= digits.size(); ++count)
    for (const char after : {' ', '\t', '\r', '\v', '\f', '\n', '.', '-', 'x', '\0', '/', ':'})
      for (std::size_t trailing = 0; trailing < 12; ++trailing) {
        const std::string text = digits.substr(0, count) + after + std::string(trailing, '5');
        detail::cursor c(text);
        std::uint64_t value = 0;
        const bool is_end = after == '\n' || detail::is_space(after);
        EXPECT_EQ(detail::natural(c, value), count > 0 && is_end) << text;
        if (count > 0 && is_end) {
          EXPECT_EQ(value, std::stoull(digits.substr(0, count)));
          EXPECT_EQ(c.at, text.data() + count);
        } else {
          EXPECT_EQ(c.at, text.data());
        }
      }
}

/// The entries as text, or the error.
std::string outcome(const std::string& text, file_format format, std::size_t chunk_bytes) {
  read_options options;
  options.threads = 1;
  options.chunk_bytes = chunk_bytes;
  try {
    const coordinates m = read_text(text, format, "f", options);
    std::string shown = std::string(describe(m.type).name) + " " + std::to_string(m.rows) + ":";
    for (std::size_t k = 0; k < m.row.size(); ++k)
      shown += " " + std::to_string(m.row[k]) + "," + std::to_string(m.column[k]);
    shown.append(reinterpret_cast<const char*>(m.values.data()), m.values.size());
    return shown;
  } catch (const input_error& e) {
    return e.what();
  }
}

TEST(Digits, LinesAreTheSameWhereverTheirChunkEnds) {
  struct sample {
    file_format format;
    std::string head, line;
  };
  const std::string head = "%%MatrixMarket matrix coordinate ", size = "99999999 99999999 9\n";
  const std::vector<sample> samples = {
      {file_format::edge_list, "", "17 4"},
      {file_format::weighted_edge_list, "", "1234567 89 -3"},
      {file_format::weighted_edge_list, "", "1234 567 0.25"},
      {file_format::dimacs, "p sp 99999999 9\n", "a 12345678 2 17"},
      {file_format::matrix_market, head + "real general\n" + size, "1234567 12345678 12345678"},
      {file_format::matrix_market, head + "real symmetric\n" + size, "123 45 1.5e3"},
      {file_format::matrix_market, head + "integer general\n" + size, "99999999 1 1234567"},
      {file_format::matrix_market, head + "integer skew-symmetric\n" + size, "345 1 12"},
      {file_format::matrix_market, head + "pattern general\n" + size, "345 1"},
      {file_format::matrix_market, head + "complex general\n" + size, "345 1 2 3"},
  };
  const std::string bytes = " \t\r\n\v\f.-+e0195ax%#c:/\x01\x80\xff";
  std::mt19937 random(5);
  int fine = 0, refused = 0;
  for (const sample& s : samples)
    for (int round = 0; round < 1500; ++round) {
      std::string text;
      for (int line = 0; line < 9; ++line) text += s.line + "\n";
      // None, one or two bytes are replaced, inserted or removed.
      for (int change = static_cast<int>(random() % 3); change > 0; --change) {
        const std::size_t at = random() % text.size();
        const char byte = bytes[random() % bytes.size()];
        if (const auto kind = random() % 3; kind == 0)
          text[at] = byte;
        else if (kind == 1)
          text.insert(at, 1 + random() % 9, byte);
        else
          text.erase(at, 1);
      }
      text = s.head + text;
      const std::string by_bytes = outcome(text, s.format, 1),
                        expected = outcome(text, s.format, 0);
      ASSERT_EQ(by_bytes, expected) << text;
      ++(expected.starts_with("f:") ? refused : fine);
    }
  EXPECT_GT(fine, 3000);
  EXPECT_GT(refused, 3000);
}

}  // namespace
}  // namespace tropic::io::samples
