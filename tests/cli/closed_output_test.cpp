// SPDX-License-Identifier: Apache-2.0

// Outputs whose reader closes early: which of them are errors, and what happens to the other
// outputs and to failed checks.

#include <sys/stat.h>

#include "program.hpp"

namespace cli_tests {
namespace {

class ClosedOutput : public Program {
 protected:
  ClosedOutput() {
    write("g.el", "0 1\n1 2\n");
    write("u.wel", "0 1 200\n1 2 200\n");
  }
  // Runs the line with a standard output that has no reader.
  outcome run_closed(const std::string& line) const {
    return run("mkfifo ends; exec 3<>ends 4>ends 3<&-; rm ends; { " + line + "; } >&4");
  }
  void expect_end(const outcome& found, int exit_code, const std::string& line) const {
    EXPECT_EQ(found.exit_code, exit_code) << line << "\n" << found.err;
    EXPECT_EQ(found.out, "") << line;
  }
  static constexpr const char* gone =
      "tropic: standard output: cannot write: its reader has closed it\n";
  static constexpr const char* levels = "0 0\n1 1\n2 2\n";
};

TEST_F(ClosedOutput, IsNoErrorIfItIsTheOnlyOutput) {
  for (const char* line :
       {"tropic bfs g.el --quiet --output -", "tropic sssp g.el --quiet --output-parents -",
        "tropic pagerank g.el --quiet --output -", "tropic convert g.el - --to el --quiet",
        "tropic generate grid 3 - --to el --quiet",
        "tropic explain g.el --device reference --quiet --picture -", "tropic info g.el",
        "tropic info g.el --json", "tropic bfs g.el --verify --json --quiet", "tropic --help",
        "tropic bench", "tropic --version", "tropic devices --json"}) {
    const outcome found = run_closed(line);
    expect_end(found, 0, line);
    EXPECT_EQ(found.err.find("cannot write"), std::string::npos) << line << "\n" << found.err;
  }
}

TEST_F(ClosedOutput, OtherOutputsAreStillWritten) {
  for (const char* line : {"tropic bfs g.el --quiet --output a --output-parents -",
                           "tropic sssp g.el --quiet --output a --output-parents -"}) {
    const outcome found = run_closed(line);
    expect_end(found, 2, line);
    EXPECT_EQ(found.err, gone) << line;
    EXPECT_EQ(contents(path("a")), levels) << line;
    std::filesystem::remove(path("a"));
  }
  const outcome first = run_closed("tropic bfs g.el --quiet --output - --output-parents a");
  expect_end(first, 2, "the closed one first");
  EXPECT_EQ(first.err, gone);
  EXPECT_EQ(contents(path("a")), "0 0\n1 0\n2 1\n");
  // As users do it, and with a named pipe.
  const outcome head = run(
      "tropic bfs kron:14 --quiet --output a --output-parents - | head -1; exit ${PIPESTATUS[0]}");
  EXPECT_EQ(head.exit_code, 2);
  EXPECT_EQ(head.err, gone);
  EXPECT_EQ(lines_of(contents(path("a"))).size(), 16384U);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  const outcome named =
      run("true < pipe & tropic bfs kron:14 --quiet --output pipe --output-parents b.gz; echo $?; "
          "wait; gzip -dc b.gz | wc -l");
  EXPECT_EQ(named.out, "2\n16384\n");
  EXPECT_EQ(named.err, "tropic: pipe: cannot write: its reader has closed it\n");
  EXPECT_TRUE(unexpected_files({"g.el", "u.wel", "a", "b.gz", "pipe"}).empty());
}

TEST_F(ClosedOutput, OfJsonCountsAsAnOutput) {
  for (const char* line :
       {"tropic bfs g.el --json --quiet --output a", "tropic convert g.el a --to el --json",
        "tropic generate grid 2 a --to el --json",
        "tropic explain g.el --device reference --json --quiet --picture a"}) {
    const outcome found = run_closed(line);
    expect_end(found, 2, line);
    EXPECT_EQ(found.err, gone) << line;
    EXPECT_NE(contents(path("a")), "") << line;
    std::filesystem::remove(path("a"));
  }
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  const outcome named =
      run("true < pipe & tropic convert kron:14 pipe --to wel --json; echo $?; wait");
  EXPECT_EQ(lines_of(named.out).back(), "2");
  EXPECT_TRUE(named.out.starts_with("{")) << named.out;
  EXPECT_EQ(named.err, "tropic: pipe: cannot write: its reader has closed it\n");
}

TEST_F(ClosedOutput, OfASummaryIsNoFailure) {
  for (const char* line : {"tropic bfs g.el --output a", "tropic convert g.el a --to el",
                           "tropic explain g.el --device reference --picture a"}) {
    const outcome found = run_closed(line);
    expect_end(found, 0, line);
    EXPECT_NE(contents(path("a")), "") << line;
    std::filesystem::remove(path("a"));
  }
}

TEST_F(ClosedOutput, KeepsTheExitCodeOfAFailedCheck) {
  const std::string failing = "tropic sssp u.wel --distances uint8 --verify --device cpu";
  for (const char* options : {"", " --quiet --output -", " --json", " --output a",
                              " --output a --output-parents -", " --output a --json"}) {
    expect_end(run_closed(failing + options), 1, failing + options);
    if (std::string(options).find(" a") != std::string::npos) {
      EXPECT_EQ(contents(path("a")), "0 0\n1 200\n2 254\n") << options;
      std::filesystem::remove(path("a"));
    }
  }
}

TEST_F(ClosedOutput, OfHalfALdbcGraphLeavesNoOtherHalf) {
  ASSERT_EQ(::mkfifo(path("k.v").c_str(), 0666), 0);
  const outcome found = run("true < k.v & tropic convert kron:14 k.e; echo $?; wait");
  EXPECT_EQ(found.out, "2\n");
  EXPECT_NE(found.err.find("k.v: cannot write: its reader has closed it"), std::string::npos);
  EXPECT_TRUE(unexpected_files({"g.el", "u.wel", "k.v"}).empty());
}

}  // namespace
}  // namespace cli_tests
