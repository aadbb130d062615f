// SPDX-License-Identifier: Apache-2.0

// '-' as an output, and --to, which gives the format if the name does not.

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "program.hpp"

namespace cli_tests {
namespace {

class StreamOutput : public Program {
 protected:
  StreamOutput() { write("g.el", "0 1\n1 2\n"); }
  std::string printed(const std::string& line) const {
    const outcome found = run(line);
    EXPECT_EQ(found.exit_code, 0) << line << "\n" << found.err;
    return found.out;
  }
};

TEST_F(StreamOutput, TakesEveryKindOfOutput) {
  EXPECT_EQ(printed("tropic bfs g.el --output -"), "0 0\n1 1\n2 2\n");
  EXPECT_EQ(printed("tropic bfs g.el --output f --output-parents -"), "0 0\n1 0\n2 1\n");
  EXPECT_EQ(printed("tropic sssp g.el --output - | cat"), "0 0\n1 1\n2 2\n");
  EXPECT_EQ(lines_of(printed("tropic pagerank g.el --output -")).size(), 3U);
  EXPECT_EQ(printed("tropic convert g.el - --to el"), "0 1\n1 2\n");
  EXPECT_EQ(printed("tropic generate grid 1 - --to mtx").find("%%MatrixMarket"), 0U);
  EXPECT_EQ(printed("tropic explain g.el --device reference --picture -").find("<svg"), 0U);
  // The summary goes to standard error, also with other names of standard output.
  std::filesystem::create_symlink("/proc/self/fd/1", path("out"));
  for (const char* name : {"-", "out", "/dev/fd/3 3>&1"}) {
    const outcome found = run(std::string("{ tropic convert g.el --to el ") + name + "; } | cat");
    EXPECT_EQ(found.out, "0 1\n1 2\n") << name;
    EXPECT_NE(found.err.find("2 entries"), std::string::npos) << found.err;
    const outcome levels = run(std::string("{ tropic bfs g.el --output ") + name + "; } | cat");
    EXPECT_EQ(levels.out, "0 0\n1 1\n2 2\n") << name;
    EXPECT_NE(levels.err.find("reaches 3"), std::string::npos) << levels.err;
  }
  // Standard output itself, not a file of that name.
  EXPECT_TRUE(unexpected_files({"g.el", "f", "out"}).empty());
}

TEST_F(StreamOutput, TakesEveryFormatAndPacking) {
  for (const char* format : {"mtx", "gr", "el", "wel", "txt", "tropic"}) {
    const std::string to = format;
    printed("tropic convert g.el named." + to + " --quiet");
    EXPECT_EQ(printed("tropic convert g.el - --quiet --to " + to), contents(path("named." + to)));
    EXPECT_EQ(printed("tropic convert g.el - --quiet --to " + to + ".gz | gzip -dc"),
              contents(path("named." + to)));
  }
  EXPECT_EQ(printed("tropic generate grid 2 - --to graph --quiet"),
            printed("tropic generate grid 2 x.graph --quiet && cat x.graph"));
  EXPECT_EQ(printed("tropic generate grid 2 - --to el.xz --quiet > p.el.xz && "
                    "tropic convert p.el.xz - --to el --quiet"),
            "0 1\n0 2\n1 0\n1 3\n2 0\n2 3\n3 1\n3 2\n");
}

TEST_F(StreamOutput, ToComesBeforeTheName) {
  printed("tropic convert g.el x.mtx --to el --quiet");
  EXPECT_EQ(contents(path("x.mtx")), "0 1\n1 2\n");
  printed("tropic convert g.el noending --to wel --quiet");
  EXPECT_EQ(contents(path("noending")), "0 1 1\n1 2 1\n");
  // Compression: as given by --to, otherwise by the name.
  printed("tropic convert g.el x.gz --to el --quiet");
  EXPECT_EQ(printed("gzip -dc x.gz"), "0 1\n1 2\n");
  printed("tropic convert g.el plain --to el.zst --quiet");
  EXPECT_EQ(printed("cp plain p.el.zst && tropic convert p.el.zst - --to el --quiet"),
            "0 1\n1 2\n");
  // An LDBC graph is a pair of files: the ending given by --to is appended if the name lacks it.
  printed("tropic convert g.el graph.1 --to e --quiet");
  EXPECT_EQ(contents(path("graph.1.v")) + contents(path("graph.1.e")), "0\n1\n2\n0 1\n1 2\n");
}

TEST_F(StreamOutput, RefusesAnUnknownFormat) {
  const char* formats = "mtx, gr, el, wel, txt, csv, tsv, graph, v, e or tropic";
  expect_refused("tropic convert g.el -", formats);
  expect_refused("tropic generate grid 3 -", "--to");
  expect_refused("tropic convert g.el noending", formats);
  expect_refused("tropic convert g.el - --to foo", "--to: found 'foo'");
  expect_refused("tropic convert g.el - --to .el", "--to: found '.el'");
  expect_refused("tropic convert g.el - --to gz", "--to: found 'gz'");
  expect_refused("tropic generate grid 3 - --to e", "two files");
  expect_refused("tropic convert g.el - --to el --json", "found two things to print");
  EXPECT_TRUE(unexpected_files({"g.el"}).empty());
}

TEST_F(StreamOutput, RefusesBeforeReadingWhatTheFormatCannotHold) {
  // None of these files exists, and the graphs would take minutes.
  const char* values = "an .el file holds no weights";
  expect_refused("tropic convert none.wel out.el", values);
  expect_refused("tropic convert none.gr - --to el.gz", values);
  expect_refused("tropic convert none.txt out.el --format wel", values);
  expect_refused("timeout 20 tropic convert kron:26 out.el", values);
  expect_refused("timeout 20 tropic generate kron 26 out.el --weights", values);
  expect_refused("timeout 20 tropic generate grid 9000 out.gr --weights --type fp64",
                 "a .gr file holds integer weights only");
  expect_refused("timeout 20 tropic generate grid 9000 out.graph --weights --type fp32",
                 "a METIS file holds integer weights only");
  expect_refused("timeout 20 tropic generate grid 9000 out.wel --weights --type int8",
                 "--type: found 'int8', expected one that holds weights up to 255");
  for (const char* to : {"mtx", "gr", "graph", "e", "tropic"})
    expect_refused(std::string("tropic convert none.csv --names out.") + to,
                   "this format holds no names of vertices");
  // Errors that only the file shows are reported before it is merged and written.
  write("w.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 5\n");
  expect_refused("tropic convert w.mtx out.el", values);
  for (const char* line : {"convert kron:4 out.el --drop-values", "convert g.el out.el",
                           "convert g.el out.mtx --names --drop-names", "generate grid 3 out.el"})
    EXPECT_EQ(run(std::string("tropic ") + line).exit_code, 0) << line;
  EXPECT_TRUE(unexpected_files({"g.el", "w.mtx", "out.el", "out.mtx"}).empty());
}

TEST_F(StreamOutput, PrintsNothingBinaryOnATerminal) {
  const int keyboard = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (keyboard < 0 || ::grantpt(keyboard) != 0 || ::unlockpt(keyboard) != 0)
    GTEST_SKIP() << "cannot make a terminal";
  const std::string terminal = ::ptsname(keyboard);
  for (const char* to : {"tropic", "el.gz"}) {
    const std::string line = std::string("tropic convert g.el --to ") + to;
    expect_refused(line + " " + terminal, "a terminal");
    const outcome found = run(line + " - >" + terminal);
    EXPECT_EQ(found.exit_code, 2);
    EXPECT_NE(found.err.find("standard output: found a terminal"), std::string::npos) << found.err;
  }
  const outcome text = run("tropic convert g.el - --to el --quiet >" + terminal);
  EXPECT_EQ(text.exit_code, 0) << text.err;
  char seen[64] = {};
  EXPECT_GT(::read(keyboard, seen, sizeof seen), 0);
  EXPECT_EQ(std::string(seen), "0 1\r\n1 2\r\n");
  ::close(keyboard);
}

TEST_F(StreamOutput, EndsSilentlyWhenItsReaderEnds) {
  const outcome closed =
      run("set -o pipefail; tropic generate kron 14 - --to el --quiet | head -1; "
          "tropic convert kron:14 - --to wel --quiet | head -1");
  EXPECT_EQ(closed.exit_code, 0) << closed.err;
  EXPECT_EQ(closed.err, "");
  EXPECT_EQ(lines_of(closed.out).size(), 2U);
  const outcome full = run("tropic convert g.el - --to el > /dev/full");
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_NE(full.err.find("standard output: cannot write: No space left"), std::string::npos)
      << full.err;
}

}  // namespace
}  // namespace cli_tests
