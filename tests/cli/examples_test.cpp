// SPDX-License-Identifier: Apache-2.0

// Examples in the help texts: every line that starts with "tropic " runs successfully.

#include <algorithm>

#include "program.hpp"

namespace cli_tests {
namespace {

class Examples : public Program {
 protected:
  Examples() {
    write("graph.mtx",
          "%%MatrixMarket matrix coordinate integer general\n4 4 5\n1 2 3\n1 3 1\n3 2 1\n2 4 2\n"
          "4 1 5\n");
    write("roads.gr", "p sp 4 5\na 1 2 3\na 1 3 1\na 3 2 1\na 2 4 2\na 4 1 5\n");
    write("seeds.txt", "# two vertices\n0 2\n3\n");
    write("sources.txt", "0 1\n3\n");
    write("groups.txt", "0 1\n3\n");
    write("pairs.txt", "0 3\n2 1\n");
  }
  void run_examples(const std::string& help) const {
    int count = 0;
    for (const std::string& line : lines_of(help)) {
      if (!line.starts_with("  tropic ")) continue;
      ++count;
      const outcome found = run(line);
      EXPECT_EQ(found.exit_code, 0) << line << "\n" << found.out << found.err;
    }
    EXPECT_GT(count, 0) << help;
  }
};

TEST_F(Examples, OfTheProgramRun) {
  const outcome help = run("tropic --help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  run_examples(help.out);
  // Without arguments the same is printed.
  const outcome bare = run("tropic");
  EXPECT_EQ(bare.exit_code, 0);
  EXPECT_EQ(bare.out, help.out);
}

TEST_F(Examples, ListTheCommands) {
  // Lists that other tests take from the help.
  for (const char* command : {"bfs", "sssp", "pagerank"}) {
    const auto has = [](const std::vector<std::string>& list, const std::string& name) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    EXPECT_TRUE(has(graph_commands(), command));
    EXPECT_TRUE(has(graph_commands("--output"), command));
    EXPECT_TRUE(has(graph_benchmarks(), std::string("bench ") + command));
  }
  EXPECT_EQ(commands().back(), "bench");
  EXPECT_EQ(commands("bench").back(), "tune");
}

TEST_F(Examples, OfEveryCommandRun) {
  for (const std::string& command : joined(joined(graph_commands(), graph_benchmarks()),
                                           {"spmv", "info", "convert", "generate", "devices"})) {
    const outcome help = run("tropic " + command + " --help");
    EXPECT_EQ(help.exit_code, 0) << command;
    run_examples(help.out);
  }
}

TEST_F(Examples, AGroupOfCommandsListsThem) {
  const outcome bench = run("tropic bench");
  EXPECT_EQ(bench.exit_code, 0);
  for (const char* command : {"bfs", "sssp", "pagerank", "tune"})
    EXPECT_NE(bench.out.find(command), std::string::npos) << bench.out;
  EXPECT_EQ(run("tropic bench tune --help").exit_code, 0);
}

TEST_F(Examples, NameTheVersion) {
  const outcome version = run("tropic --version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("tropic 0.")) << version.out;
}

}  // namespace
}  // namespace cli_tests
