// SPDX-License-Identifier: Apache-2.0

// The program restarts itself so that OpenMP's threads wait passively: once, unless the user has
// chosen a policy, with its arguments and its input.

#include "program.hpp"

namespace cli_tests {
namespace {

class Waiting : public Program {
 protected:
  // The number of starts, as reported by the loader, for any OpenMP library.
  int starts(const std::string& settings) const {
    const outcome found = run(unset + settings + " LD_DEBUG=libs tropic --version");
    EXPECT_EQ(found.exit_code, 0);
    EXPECT_TRUE(found.out.starts_with("tropic ")) << found.out;
    int count = 0;
    for (const std::string& line : lines_of(found.err))
      count += line.find("initialize program:") != std::string::npos;
    return count;
  }

  const std::string unset = "env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT -u KMP_BLOCKTIME ";
};

TEST_F(Waiting, IsSetOnceUnlessTheUserHasSetIt) {
  EXPECT_EQ(starts(""), 2);
  EXPECT_EQ(starts("OMP_WAIT_POLICY=active"), 1);
  EXPECT_EQ(starts("OMP_WAIT_POLICY=passive"), 1);
  EXPECT_EQ(starts("GOMP_SPINCOUNT=100"), 1);
}

TEST_F(Waiting, KeepsTheNameOfTheProcess) {
  const outcome found =
      run(unset + "tropic pagerank kron:8 --iterations 100000000 --device cpu --quiet & p=$!\n" +
          "for n in $(seq 500); do\n"
          "  grep -qz OMP_WAIT_POLICY=passive /proc/$p/environ && break; sleep 0.02\n"
          "done\n"
          "cat /proc/$p/comm; kill -KILL $p");
  EXPECT_EQ(found.out, "tropic\n") << found.err;
}

TEST_F(Waiting, KeepsArgumentsInputAndExitCode) {
  write("a b.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n");
  const std::string expected = "0 0\n1 1\n2 2\n";
  EXPECT_EQ(run(unset + "tropic bfs 'a b.mtx' --source 0 --output -").out, expected);
  EXPECT_EQ(run("cat 'a b.mtx' | " + unset + "tropic bfs - --source 0 --output - | cat").out,
            expected);
  EXPECT_EQ(run(unset + "tropic bfs 'not there.mtx'").exit_code, 2);
}

}  // namespace
}  // namespace cli_tests
