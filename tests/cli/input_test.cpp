// SPDX-License-Identifier: Apache-2.0

// Sources of input: pipes, named pipes and standard input are read once, and Ctrl+C ends the wait
// for them.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.hpp"

namespace cli_tests {
namespace {

class Input : public Program {
 protected:
  void make_pipe(const std::string& name) const {
    ASSERT_EQ(::mkfifo(path(name).c_str(), 0666), 0);
  }
};

TEST_F(Input, OfAPipeIsRefusedWithoutALine) {
  expect_refused("printf '0 1 -7\\n' | tropic pagerank - --format wel --weighted",
                 "-: found -7, expected a weight from 0");
  expect_refused("printf '0,1,-7\\n' | tropic pagerank - --format csv --weighted",
                 "-: found -7, expected a weight from 0");
  expect_refused("printf '0 1 -7\\n' | tropic pagerank - --format txt --weighted",
                 "-: found -7, expected a weight from 0");
  expect_refused("printf '0 1 nan\\n' | tropic sssp - --format wel", "-: found nan");
  expect_refused(
      "printf '0 1 5\\n0 1 7\\n' | tropic convert - x.mtx --format wel --duplicates error",
      "-: found a second entry for the same position");
  expect_refused(
      "tropic convert <(printf '0 1 5\\n0 1 7\\n') x.mtx --format wel --duplicates error",
      ": found a second entry for the same position");
}

TEST_F(Input, OfStandardInputThatIsAFileIsRefusedWithItsLine) {
  write("g.wel", "0 1 5\n0 1 -7\n");
  expect_refused("tropic pagerank - --format wel --weighted < g.wel",
                 "-:2: found -7, expected a weight from 0");
}

TEST_F(Input, OfANamedPipeIsNotWaitedForAgain) {
  make_pipe("p.wel");
  const auto fed = [](const std::string& text, const std::string& command) {
    return "(printf '" + text + "' > p.wel) & timeout 20 " + command;
  };
  expect_refused(fed("0 1 -7\\n", "tropic pagerank p.wel --weighted"), "p.wel: found -7");
  expect_refused(fed("0 1 5\\n0 1 7\\n", "tropic convert p.wel x.mtx --duplicates error"),
                 "p.wel: found a second entry for the same position");
  expect_refused(fed("0 1 9223372036854775807\\n", "tropic sssp p.wel --quiet"),
                 "p.wel: found an edge from 0 to 1 that weighs 9223372036854775807");
}

TEST_F(Input, ThatIsTrustedIsUsedWithoutChecksOfItsContent) {
  ASSERT_EQ(run("tropic generate kron 8 g.tropic --quiet").exit_code, 0);
  // A byte behind the offsets, which end at 128 + 257 * 4: the columns begin at the next multiple
  // of 64.
  std::string bytes = contents(path("g.tropic"));
  bytes.at(1160) = 'x';
  write("padded.tropic", bytes);
  expect_refused("tropic bfs padded.tropic", "padded.tropic: found 'x' between two arrays");
  const std::string search = " --source 0 --quiet --output -";
  const outcome checked = run("tropic bfs g.tropic" + search),
                trusted = run("tropic bfs padded.tropic --trusted" + search);
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_EQ(trusted.exit_code, 0) << trusted.err;
  EXPECT_EQ(trusted.out, checked.out);
  // The header is checked, and what is not used in place is refused.
  bytes.at(40) = static_cast<char>(bytes.at(40) + 1);
  write("header.tropic", bytes);
  expect_refused("tropic bfs header.tropic --trusted", "a header that does not match its checksum");
  write("g.el", "0 1\n");
  ASSERT_EQ(run("tropic generate kron 8 w.tropic --weights --quiet").exit_code, 0);
  for (const char* command :
       {"bfs g.el --trusted", "bfs kron:8 --trusted", "bfs g.tropic --undirected --trusted",
        "convert g.tropic g.mtx --trusted", "spmv w.tropic --type fp32 --trusted"})
    expect_refused(std::string("tropic ") + command, "--trusted: found '");
}

TEST_F(Input, OfTwoListsIsNotTakenFromOnePipe) {
  write("g.el", "0 1\n1 0\n");
  expect_refused("tropic pagerank - --format el --personalize - < g.el",
                 "--personalize: found standard input, which FILE is read from");
  expect_refused("cat g.el | tropic pagerank - --format el --personalize /dev/stdin",
                 "--personalize: found /dev/stdin, which FILE is read from");
  make_pipe("p");
  expect_refused("timeout 20 tropic pagerank p --format el --personalize p",
                 "--personalize: found p, which");
  EXPECT_EQ(run("echo 1 | tropic pagerank g.el --personalize - --quiet").exit_code, 0);
  EXPECT_EQ(run("tropic pagerank - --format el --personalize <(echo 1) --quiet < g.el").exit_code,
            0);
}

class Preferences : public Input {
 protected:
  Preferences() { write("g.el", "0 1\n1 2\n2 0\n"); }

  std::string ranks(const std::string& file) const {
    const outcome found = run("tropic pagerank g.el --quiet --output - --personalize " + file);
    EXPECT_EQ(found.exit_code, 0) << found.err;
    return found.out;
  }
};

TEST_F(Preferences, MayBePackedOrComeFromAPipe) {
  write("seeds.txt", "1 2\n2\n");
  const std::string expected = ranks("seeds.txt");
  ASSERT_EQ(run("gzip -k seeds.txt && cp seeds.txt.gz packed").exit_code, 0);
  EXPECT_EQ(ranks("seeds.txt.gz"), expected);
  EXPECT_EQ(ranks("packed"), expected);
  EXPECT_EQ(ranks("<(cat seeds.txt)"), expected);
  write("cut.txt.gz", contents(path("seeds.txt.gz")).substr(0, 20));
  expect_refused("tropic pagerank g.el --personalize cut.txt.gz",
                 "cut.txt.gz: found broken or truncated data");
}

TEST_F(Preferences, WithoutAnyByteOrVertexAreRefused) {
  write("none.txt", "");
  expect_refused("tropic pagerank g.el --personalize none.txt",
                 "none.txt: found weights with the sum");
  expect_refused("tropic pagerank g.el --personalize .", ".: found a directory");
}

TEST_F(Preferences, MayHaveLinesOfAnyLength) {
  write("seeds.txt", std::string(100'000, ' ') + "1 2\n#" + std::string(100'000, 'x') + "\n2\n");
  write("short.txt", "1 2\n2");
  EXPECT_EQ(ranks("seeds.txt"), ranks("short.txt"));
  write("word.txt", "1\n" + std::string(100'000, '1') + "\n");
  expect_refused("tropic pagerank g.el --personalize word.txt", "word.txt:2: found '1111111111");
}

TEST_F(Preferences, HoldTheMemoryLimit) {
  const std::string limited = "tropic pagerank g.el --memory-limit 10M --personalize ";
  expect_refused(limited + "<(head -c 300M /dev/zero)", ": reading within the memory limit");
  expect_refused(limited + "<(yes 1 | head -n 1000000)",
                 ": reading the preferences within the memory limit of 10485760 bytes: ");
  ASSERT_EQ(run("yes 1 | head -n 1000000 > long.txt").exit_code, 0);
  expect_refused(limited + "long.txt",
                 "long.txt: reading the preferences within the memory limit of 10485760 bytes: ");
  ASSERT_EQ(run("head -c 30M /dev/zero | gzip > zeros.txt.gz").exit_code, 0);
  expect_refused(limited + "zeros.txt.gz", "zeros.txt.gz: unpacking within the memory limit");
}

// Many vertices may be on a line: they count, not the lines.
TEST_F(Preferences, OfManyVerticesOnALineHoldTheMemoryLimit) {
  ASSERT_EQ(run("yes 1 | head -n 1000000 | tr '\\n' ' ' > row.txt").exit_code, 0);
  for (const char* command : {"bfs g.el --sources", "pagerank g.el --preferences"})
    expect_refused(std::string("tropic ") + command + " row.txt --memory-limit 7M",
                   "row.txt: reading the vertices within the memory limit of 7340032 bytes: ");
}

// A truncated list gives other ranks.
TEST_F(Preferences, ThatDoNotFitTheMachineAreNotCutShort) {
  const outcome found =
      run("ulimit -v 1500000; tropic pagerank g.el --quiet --output - --personalize <(echo 1; echo "
          "2; head "
          "-c 3G /dev/zero)");
  EXPECT_EQ(found.exit_code, 2) << found.err;
  EXPECT_EQ(found.out, "");
  EXPECT_NE(found.err.find(": reading: "), std::string::npos) << found.err;
}

TEST_F(Preferences, OfNamesMayHaveQuotesAndAnyLength) {
  const std::string name = "a \"" + std::string(70'000, 'x');
  std::string quoted = "\"a \"\"" + std::string(70'000, 'x') + "\"";
  write("names.csv", quoted + ",b\nb," + quoted + "\n");
  write("seeds.txt", quoted + " 3\nb 1\n");
  const outcome found = run(
      "tropic pagerank names.csv --names --header no --quiet --output - --personalize seeds.txt | "
      "wc -l");
  EXPECT_EQ(found.out, "2\n") << found.err;
}

}  // namespace
}  // namespace cli_tests
