// SPDX-License-Identifier: Apache-2.0

// The line of an entry is found by reading again. By then the text may have changed: a pipe that is
// at its end, a file that another program has truncated.

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

struct text_of_three_entries {
  file_format format;
  std::string_view text;
  bool names = false;
};
constexpr text_of_three_entries samples[] = {
    {file_format::matrix_market,
     "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 1\n2 3 1\n3 1 1\n"},
    {file_format::dimacs, "p sp 3 3\na 1 2 1\na 2 3 1\na 3 1 1\n"},
    {file_format::edge_list, "0 1\n1 2\n2 0\n"},
    {file_format::weighted_edge_list, "0 1 1\n1 2 1\n2 0 1\n"},
    {file_format::snap, "0 1\n1 2\n2 0\n"},
    {file_format::metis, "3 3\n2\n3\n1\n"},
    {file_format::ldbc, "0 1\n1 2\n2 0\n"},
    {file_format::csv, "source,target\n0,1\n1,2\n2,0\n"},
    {file_format::tsv, "0\t1\n1\t2\n2\t0\n"},
    {file_format::csv, "a,b\nb,c\nc,\"a\"\n", true},
    {file_format::edge_list, "a b\nb c\nc a\n", true},
};

TEST(LineOfEntry, IsNoneInATextThatHasLostTheEntry) {
  for (const text_of_three_entries& s : samples) {
    read_options options;
    options.name = "f";
    options.names = s.names;
    const coordinates m = read_text(s.text, s.format, "f", options);
    ASSERT_EQ(m.entries(), 3);
    EXPECT_EQ(line_of_entry(s.text, s.format, m, 2, options),
              static_cast<std::size_t>(std::count(s.text.begin(), s.text.end(), '\n')));
    // Truncated anywhere: the line, or an error with the file's name.
    for (std::size_t length = 0; length < s.text.size(); ++length)
      for (index_t entry = 0; entry < 3; ++entry) {
        const std::string cut(s.text.substr(0, length));
        try {
          const std::size_t line = line_of_entry(cut, s.format, m, entry, options);
          EXPECT_GE(line, 1U);
          EXPECT_LE(line, 1U + static_cast<std::size_t>(std::count(cut.begin(), cut.end(), '\n')));
        } catch (const input_error& failure) {
          EXPECT_TRUE(std::string(failure.what()).starts_with("f:")) << failure.what();
        }
      }
  }
}

TEST(LineOfEntry, SaysThatAFileHasLostTheEntry) {
  const folder here;
  const auto file = here.put("a.wel", "0 1 1\n1 2 1\n2 0 1\n");
  const coordinates m = read(file);
  here.put("a.wel", "0 1 1\n");
  EXPECT_EQ(line_of_entry(file, m, 0), 1U);
  EXPECT_EQ(
      message_of([&] { line_of_entry(file, m, 2); }),
      file.string() + ":1: found the end of the file, expected entry 3, which was there before");
  here.put("a.wel", "");
  EXPECT_EQ(
      message_of([&] { line_of_entry(file, m, 0); }),
      file.string() + ":1: found the end of the file, expected entry 1, which was there before");
}

}  // namespace
}  // namespace tropic::io::samples
