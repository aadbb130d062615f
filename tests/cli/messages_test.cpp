// SPDX-License-Identifier: Apache-2.0

// Messages contain no control characters, whatever the name of a file or an option: each is one
// line, and the terminal executes nothing.

#include <algorithm>

#include "program.hpp"

namespace cli_tests {
namespace {

class Messages : public Program {
 protected:
  // In a shell: a newline, an escape sequence, a byte that is no UTF-8, and a letter that is.
  const std::string name = "$'a\\n\\e[31m\\xff\xc3\xa4'";
  const std::string shown = "a\\x0a\\x1b[31m\\xff\xc3\xa4";

  void expect_printable(const std::string& text) const {
    EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](char c) {
      return (c >= 0 && c < ' ' && c != '\n') || c == 0x7f || c == '\xff';
    })) << text;
  }
  void expect_message(const std::string& line, const std::string& part) const {
    expect_refused(line, part);
    expect_printable(run(line).err);
  }
};

TEST_F(Messages, NameFilesInOneLine) {
  write("g.el", "0 1\n1 2\n");
  expect_message("tropic info " + name, shown + ": found no such file");
  expect_message("echo '0 x' > " + name + ".el; tropic info " + name + ".el", shown + ".el:1: ");
  expect_message("tropic bfs g.el --output no/" + name, "no/" + shown + ": cannot write");
  expect_message("tropic convert g.el " + name, shown + ": found no known format, expected --to");
  expect_message("tropic bfs g.el --output " + name + " --output-parents " + name, shown);
  expect_message("tropic pagerank g.el --personalize " + name, shown + ": found no such file");
}

TEST_F(Messages, QuoteOptionsInOneLine) {
  write("g.el", "0 1\n1 2\n");
  for (const char* option : {"--type", "--device", "--threads", "--columns", "--header"})
    expect_message(std::string("tropic bfs g.el ") + option + " " + name, "\\x0a\\x1b[31m");
  expect_message("tropic bfs g.el --" + name, "\\x1b[31m");
  expect_message("tropic " + name, shown);
  expect_message("tropic bfs g.el " + name, "\\x1b[31m");
  const outcome found = run("tropic spmv g.el --add 'x + * y' --multiply " + name);
  EXPECT_EQ(found.exit_code, 2);
  expect_printable(found.err);
}

TEST_F(Messages, OfSummariesShowTheNamesAsWell) {
  const outcome result = run("tropic generate grid 3 " + name + ".el");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with(shown + ".el: 9 vertices")) << result.out;
  for (const std::string& command : joined(graph_commands(), {"info", "spmv", "explain"})) {
    const outcome found = run("tropic " + command + " " + name + ".el");
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_TRUE(found.out.starts_with(shown + ".el")) << found.out;
    expect_printable(found.out + found.err);
  }
  const outcome converted = run("tropic convert " + name + ".el " + name + ".mtx");
  EXPECT_TRUE(converted.out.starts_with(shown + ".mtx: 9 x 9")) << converted.out;
}

}  // namespace
}  // namespace cli_tests
