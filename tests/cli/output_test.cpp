// SPDX-License-Identifier: Apache-2.0

// Output files: `vertex value`, every vertex once, ascending; the format of values; conversions.

#include "program.hpp"

namespace cli_tests {
namespace {

class Output : public Program {
 protected:
  // 0 -> 1 -> 2, 0 -> 2; 3 is isolated. Two edges 0 -> 2, of weights 9 and 4.
  Output() {
    write("int.mtx",
          "%%MatrixMarket matrix coordinate integer general\n4 4 4\n1 2 3\n2 3 2\n1 3 9\n1 3 4\n");
    write("real.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.1\n2 3 0.2\n");
    write("pattern.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n");
  }
  std::string result(const std::string& command) const {
    const outcome found = run("tropic " + command + " --quiet --output o");
    EXPECT_EQ(found.exit_code, 0) << command << "\n" << found.err;
    EXPECT_EQ(found.out + found.err, "");
    return contents(path("o"));
  }
};

TEST_F(Output, LevelsAndParentsAreWritten) {
  EXPECT_EQ(result("bfs int.mtx --source 0 --output-parents p"), "0 0\n1 1\n2 1\n3 -1\n");
  EXPECT_EQ(contents(path("p")), "0 0\n1 0\n2 0\n3 -1\n");
}

TEST_F(Output, OfDistancesIsOneLineForEachVertex) {
  EXPECT_EQ(result("sssp int.mtx --source 0 --output-parents p"), "0 0\n1 3\n2 4\n3 inf\n");
  EXPECT_EQ(contents(path("p")), "0 0\n1 0\n2 0\n3 -1\n");
  EXPECT_EQ(result("sssp int.mtx --source 0 --duplicates max"), "0 0\n1 3\n2 5\n3 inf\n");
  EXPECT_EQ(result("sssp int.mtx --source 0 --duplicates sum"), "0 0\n1 3\n2 5\n3 inf\n");
  EXPECT_EQ(result("sssp int.mtx --source 0 --duplicates last"), "0 0\n1 3\n2 4\n3 inf\n");
  EXPECT_EQ(result("sssp real.mtx --source 0"),
            "0 0\n1 0.10000000000000001\n2 0.30000000000000004\n");
  EXPECT_EQ(result("sssp real.mtx --source 0 --type fp32"), "0 0\n1 0.100000001\n2 0.300000012\n");
  EXPECT_EQ(result("sssp pattern.mtx --source 0"), "0 0\n1 1\n2 2\n");
  for (const char* type :
       {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"})
    EXPECT_EQ(result(std::string("sssp int.mtx --source 0 --verify --type ") + type),
              "0 0\n1 3\n2 4\n3 inf\n")
        << type;
}

TEST_F(Output, MirrorsUndirectedEdges) {
  EXPECT_EQ(result("sssp int.mtx --source 2 --undirected"), "0 4\n1 2\n2 0\n3 inf\n");
  write("g.el", "0 1\n2 1\n");
  EXPECT_EQ(result("bfs g.el --source 2 --undirected"), "0 2\n1 1\n2 0\n");
}

TEST_F(Output, KeepsTheFilesOwnVertexNumbers) {
  write("g.gr", "p sp 3 2\na 1 2 7\na 2 3 1\n");
  EXPECT_EQ(result("sssp g.gr --source 1 --output-parents p"), "1 0\n2 7\n3 8\n");
  EXPECT_EQ(contents(path("p")), "1 1\n2 1\n3 2\n");
  expect_refused("tropic sssp g.gr --source 0", "1 to 3");
  write("l.v", "-5\n10\n30\n");
  write("l.e", "30 10\n10 -5\n");
  EXPECT_EQ(result("bfs l.e --source 30 --output-parents p"), "-5 2\n10 1\n30 0\n");
  EXPECT_EQ(contents(path("p")), "-5 10\n10 30\n30 30\n");
  // ... also through a .tropic file, which is used in place.
  EXPECT_EQ(run("tropic convert l.e l.tropic").exit_code, 0);
  EXPECT_EQ(result("bfs l.tropic --source 30"), "-5 2\n10 1\n30 0\n");
}

TEST_F(Output, IsTheSameForEveryThreadCountAndDevice) {
  EXPECT_EQ(run("tropic generate kron 11 k.tropic --weights --seed 5").exit_code, 0);
  for (const std::string& command : joined(graph_commands("--output"), {"pagerank --weighted"})) {
    const std::string one = result(command + " k.tropic --threads 1");
    EXPECT_EQ(one, result(command + " k.tropic --threads 2")) << command;
    EXPECT_EQ(lines_of(one).size(), 2048U);
  }
  const std::string expected = result("sssp kron:7 --device cpu");
  EXPECT_EQ(expected, result("sssp kron:7 --device reference"));
}

TEST_F(Output, IsWrittenToPipesAndCompressedFiles) {
  EXPECT_EQ(run("tropic bfs int.mtx --quiet --output -").out, "0 0\n1 1\n2 1\n3 -1\n");
  EXPECT_EQ(run("cat int.mtx | tropic bfs - --quiet --output /dev/stdout | cat").out,
            "0 0\n1 1\n2 1\n3 -1\n");
  EXPECT_EQ(run("tropic bfs int.mtx --quiet --output o.gz && gzip -dc o.gz").out,
            "0 0\n1 1\n2 1\n3 -1\n");
}

TEST_F(Output, ReplacesAFileOnlyWhenItIsComplete) {
  write("o", "old\n");
  EXPECT_EQ(run("tropic bfs int.mtx --source 9 --output o").exit_code, 2);
  EXPECT_EQ(contents(path("o")), "old\n");
  std::filesystem::create_symlink("o", path("link"));
  EXPECT_EQ(run("tropic bfs int.mtx --output link --quiet").exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(contents(path("o")), "0 0\n1 1\n2 1\n3 -1\n");
}

TEST_F(Output, OfConversionsHoldsTheSameMatrix) {
  EXPECT_EQ(run("tropic convert real.mtx a.tropic && tropic convert a.tropic b.wel && "
                "tropic convert b.wel c.mtx.gz")
                .exit_code,
            0);
  EXPECT_EQ(result("sssp c.mtx.gz --source 0"), result("sssp real.mtx --source 0"));
  // Repeated entries are summed.
  EXPECT_EQ(run("tropic convert int.mtx sum.mtx").exit_code, 0);
  EXPECT_EQ(result("sssp sum.mtx --source 0 --duplicates error"), "0 0\n1 3\n2 5\n3 inf\n");
  EXPECT_EQ(run("tropic convert real.mtx typed.mtx --type int32").exit_code, 2);
}

TEST_F(Output, OfPersonalRanksStaysWithThePreferred) {
  write("seeds.txt", "3 1\n");
  // Vertex 3 has no edge: its rank goes back to it.
  EXPECT_EQ(result("pagerank int.mtx --verify --personalize seeds.txt"), "0 0\n1 0\n2 0\n3 1\n");
}

}  // namespace
}  // namespace cli_tests
