// SPDX-License-Identifier: Apache-2.0

// Numbers of threads that the machine or the process cannot provide are rejected, however they are
// given: OpenMP itself would end the process.

#include <algorithm>
#include <thread>

#include "program.hpp"

namespace cli_tests {
namespace {

class Threads : public Program {
 protected:
  Threads() { write("g.el", "0 1\n1 2\n"); }
  const std::string limit = std::to_string(std::max(256u, 4 * std::thread::hardware_concurrency()));
};

TEST_F(Threads, PastTheLimitAreRefused) {
  for (const char* number : {"65536", "40000", "1073741824", "99999999999"})
    for (const std::string command :
         {"bfs grid:300 --device cpu", "info g.el", "convert g.el o.mtx", "generate kron 10 o.mtx",
          "bench bfs g.el", "pagerank g.el", "spmv g.el"})
      expect_refused("tropic " + command + " --threads " + number,
                     std::string("--threads: found '") + number +
                         "', expected a whole number from 0 to " + limit);
}

TEST_F(Threads, UpToTheLimitRun) {
  EXPECT_EQ(run("tropic bfs grid:100 --device cpu --quiet --verify --threads " + limit).exit_code,
            0);
}

TEST_F(Threads, OfTheEnvironmentAreChecked) {
  for (const std::string command : {"bfs grid:300 --device cpu", "bfs g.el", "info kron:10"}) {
    expect_refused("env OMP_NUM_THREADS=65536 tropic " + command,
                   "OMP_NUM_THREADS: found 65536, expected 1 to " + limit);
    EXPECT_EQ(run("env OMP_NUM_THREADS=3 tropic " + command + " --quiet").exit_code, 0);
  }
  const outcome small = run("env OMP_STACKSIZE=64K tropic bfs grid:5 --device cpu --threads 2");
  EXPECT_EQ(small.exit_code, 2) << small.err;
  EXPECT_NE(small.err.find("OMP_STACKSIZE: found 65536 bytes, expected 262144 or more"),
            std::string::npos)
      << small.err;
  // Commands that use no threads still work.
  const outcome listed = run("env OMP_NUM_THREADS=65536 tropic devices");
  EXPECT_EQ(listed.exit_code, 0);
  EXPECT_NE(listed.out.find("OMP_NUM_THREADS: found 65536"), std::string::npos) << listed.out;
}

TEST_F(Threads, ThatTheProcessCannotStartAreRefused) {
  // Address space for the program and some stacks of 64 MB, but not for 200.
  const outcome found =
      run("(ulimit -v 3000000; OMP_STACKSIZE=64M tropic bfs grid:50 --device cpu --threads 200)");
  EXPECT_EQ(found.exit_code, 2) << found.err;
  EXPECT_NE(found.err.find("threads: found 200, expected 0 to "), std::string::npos) << found.err;
  EXPECT_NE(found.err.find(", which this process can start"), std::string::npos) << found.err;
  EXPECT_EQ(found.err.find("libgomp"), std::string::npos) << found.err;
  // Without a number as many as possible.
  const outcome fewer = run(
      "(ulimit -v 3000000; OMP_NUM_THREADS=200 OMP_STACKSIZE=64M tropic bfs grid:50 --device cpu)");
  EXPECT_EQ(fewer.exit_code, 0) << fewer.err;
  EXPECT_NE(fewer.err.find(" of 200, because this process cannot start more"), std::string::npos)
      << fewer.err;
}

}  // namespace
}  // namespace cli_tests
