// SPDX-License-Identifier: Apache-2.0

// Two outputs that are one file, and outputs that are inputs, under any names: rejected before any
// work. Targets that may be given twice, such as devices, are accepted.

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "program.hpp"

namespace cli_tests {
namespace {

namespace fs = std::filesystem;

class OneFile : public Program {
 protected:
  OneFile() { write("g.el", "0 1\n1 2\n"); }
  static constexpr const char* levels = "0 0\n1 1\n2 2\n";

  void expect_two(const std::string& a, const std::string& b, const std::string& behind = "") {
    const std::string line =
        "set -o pipefail; timeout 10 tropic bfs g.el --output " + a + " --output-parents " + b;
    expect_refused(line + behind, b + ": found the same file as the output " + a);
  }
};

TEST_F(OneFile, IsRefusedForTwoOutputs) {
  fs::create_directory(path("d"));
  fs::create_directory_symlink("d", path("e"));
  fs::create_symlink("a.txt", path("l"));
  fs::create_symlink("l", path("m"));
  for (const bool exists : {false, true}) {
    if (exists) write("a.txt", "old\n"), write("d/n", "old\n");
    expect_two("a.txt", "a.txt");
    expect_two("a.txt", "./a.txt");
    expect_two("./a.txt", "d/../a.txt");
    expect_two("a.txt", path("a.txt").string());
    expect_two("a.txt", "l");
    expect_two("m", "l");
    expect_two("d/n", "e/n");
    expect_two("e/n", "d/./n");
    const std::string found = contents(path("a.txt")) + contents(path("d/n"));
    EXPECT_EQ(found, exists ? "old\nold\n" : "");
    EXPECT_EQ(fs::exists(path("a.txt")), exists);
  }
  fs::create_hard_link(path("a.txt"), path("h"));
  expect_two("a.txt", "h");
  fs::create_directory(path("d/a.txt"));
  EXPECT_EQ(run("tropic bfs g.el --quiet --output a.txt --output-parents d/b.txt").exit_code, 0);
  EXPECT_EQ(contents(path("a.txt")), levels);
}

TEST_F(OneFile, IsRefusedForStandardOutputByTwoNames) {
  fs::create_symlink("/proc/self/fd/1", path("out"));
  expect_two("-", "out", " | cat");
  expect_two("out", "/proc/self/fd/1", " | cat");
  expect_two("-", "/dev/fd/3", " 3>&1 | cat");
  expect_refused("tropic bfs g.el --output - --output-parents -", "found two things to print");
  expect_refused("set -o pipefail; tropic bfs g.el --output out --json | cat",
                 "found two things to print");
  expect_refused("tropic bfs g.el --output f > f", "f: found the file that standard output goes");
  expect_refused("tropic convert g.el f.el > f.el", "the file that standard output goes to");
  const outcome aside = run("tropic bfs g.el --output f 2> f");
  EXPECT_EQ(aside.exit_code, 2);
  EXPECT_NE(contents(path("f")).find("f: found the file that standard error goes to"),
            std::string::npos);
}

TEST_F(OneFile, IsRefusedForPipesAndNotForDevices) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  fs::create_symlink("pipe", path("to_pipe"));
  expect_two("pipe", "to_pipe");
  expect_two("f", "/dev/fd/3", " 3>>f");
  expect_two("/dev/fd/3", "/dev/fd/4", " 3>>f 4>&3");
  EXPECT_EQ(run("tropic bfs g.el --quiet --output - --output-parents o >/dev/null").exit_code, 0);
  if (::mknod(path("null").c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0 ||
      run(": > null").exit_code != 0)
    GTEST_SKIP() << "makes device nodes, which this user or file system does not allow";
  EXPECT_EQ(run("tropic bfs g.el --quiet --output null --output-parents ./null").exit_code, 0);
  EXPECT_EQ(run("tropic bfs g.el --quiet --output - --output-parents null > null").exit_code, 0);
  EXPECT_EQ(run("tropic convert null null --to mtx").err.find("the same file"), std::string::npos);
  EXPECT_TRUE(fs::is_character_file(path("null")));
}

TEST_F(OneFile, IsRefusedForAnInputAndAnOutput) {
  const auto expect_input = [&](const std::string& line, const std::string& in,
                                const std::string& out) {
    expect_refused("tropic " + line, out + ": found the same file as the input " + in);
  };
  fs::create_symlink("g.el", path("l.el"));
  fs::create_hard_link(path("g.el"), path("h.el"));
  write("seeds", "0 1\n");
  write("v.v", "0\n1\n");
  write("v.e", "0 1\n");
  const std::string before = contents(path("g.el"));
  for (const char* name : {"g.el", "./g.el", "l.el", "h.el"}) {
    const std::string out = name;
    expect_input("bfs g.el --output " + out, "g.el", out);
    expect_input("bfs g.el --output x --output-parents " + out, "g.el", out);
    expect_input("sssp l.el --output " + out, "l.el", out);
    expect_input("convert g.el " + out, "g.el", out);
    expect_input("convert g.el --to mtx " + out, "g.el", out);
    expect_input("explain g.el --device reference --picture " + out, "g.el", out);
    expect_refused("tropic bfs - --output " + out + " < g.el", "the same file as the input -");
  }
  expect_input("pagerank g.el --personalize seeds --output ./seeds", "seeds", "./seeds");
  expect_input("bfs v.v --output v.e", "v.v", "v.e");
  expect_input("convert v.e v.v", "v.e", "v.v");
  expect_input("convert v.v --to mtx v.e", "v.v", "v.e");
  expect_input("convert g.el - --to el >> g.el", "g.el", "-");
  EXPECT_EQ(run("gzip -c g.el > g.el.gz && tropic convert g.el.gz other.el --quiet").exit_code, 0);
  expect_input("bfs g.el.gz --output ./g.el.gz", "g.el.gz", "./g.el.gz");
  EXPECT_EQ(contents(path("h.el")), before);
  EXPECT_EQ(contents(path("seeds")) + contents(path("v.v")) + contents(path("v.e")),
            "0 1\n0\n1\n0 1\n");
  // A device may be both, and an equal name in another folder is another file.
  fs::create_directory(path("d"));
  EXPECT_EQ(run("tropic convert g.el d/g.el --quiet").exit_code, 0);
}

TEST_F(OneFile, IsRefusedForTheHalvesOfAnLdbcGraph) {
  write("x.v", "old\n");
  fs::create_symlink("x.v", path("x.e"));
  expect_refused("tropic convert g.el x.e", "x.e: found the same file as the output x.v");
  EXPECT_EQ(contents(path("x.v")), "old\n");
}

}  // namespace
}  // namespace cli_tests
