// SPDX-License-Identifier: Apache-2.0

// Ctrl+C: exit code 130, one line, and no file that is not complete.

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "program.hpp"

namespace cli_tests {
namespace {

class Signals : public Program {
 protected:
  // Until the program catches SIGINT: on a busy machine that takes its time.
  static void wait_for_handler(int child) {
    const std::string status = "/proc/" + std::to_string(child) + "/status";
    for (int n = 0; n < 1000; ++n) {
      for (const std::string& line : lines_of(contents(status)))
        if (line.starts_with("SigCgt:") &&
            (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0)
          return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  // Starts the program, interrupts it after a while and waits for it.
  void expect_interrupted(const std::vector<std::string>& arguments,
                          std::chrono::milliseconds after) const {
    const int child = start(arguments);
    wait_for_handler(child);
    std::this_thread::sleep_for(after);
    ASSERT_EQ(::kill(child, SIGINT), 0);
    int status = 0;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    int ended = 0;
    while ((ended = ::waitpid(child, &status, WNOHANG)) == 0 &&
           std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (ended == 0) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      FAIL() << "still running 20 seconds after the interrupt";
    }
    ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 130) << contents(path("err"));
    EXPECT_NE(contents(path("err")).find("tropic: interrupted\n"), std::string::npos);
    EXPECT_EQ(contents(path("out")), "");
  }
};

TEST_F(Signals, StopAnAlgorithm) {
  write("finished", "old\n");
  expect_interrupted({"pagerank", "kron:12", "--iterations", "100000000", "--output", "finished"},
                     std::chrono::milliseconds(700));
  EXPECT_EQ(contents(path("finished")), "old\n");
  EXPECT_TRUE(unexpected_files({"finished", "out", "err"}).empty());
}

TEST_F(Signals, OfALimitOfFilesLeavesNothingBehind) {
  const outcome found = run("(ulimit -f 8; tropic generate grid 200 big.el)");
  EXPECT_EQ(found.exit_code, 2);
  EXPECT_NE(found.err.find("big.el: cannot write: File too large"), std::string::npos) << found.err;
  EXPECT_TRUE(unexpected_files({"out", "err"}).empty());
}

TEST_F(Signals, StopTrials) {
  expect_interrupted({"sssp", "kron:10", "--trials", "100000000", "--output", "o"},
                     std::chrono::milliseconds(500));
  expect_interrupted({"spmv", "kron:10", "--trials", "100000000"}, std::chrono::milliseconds(500));
  for (const char* command : {"bfs", "sssp"})
    expect_interrupted({"bench", command, "kron:10", "--sources", "100000000"},
                       std::chrono::milliseconds(500));
  expect_interrupted({"bench", "pagerank", "kron:10", "--trials", "100000000"},
                     std::chrono::milliseconds(500));
  EXPECT_TRUE(unexpected_files({"out", "err"}).empty());
}

TEST_F(Signals, StopALoadAndAWrite) {
  expect_interrupted({"generate", "kron", "22", "k.mtx"}, std::chrono::milliseconds(400));
  EXPECT_TRUE(unexpected_files({"out", "err"}).empty());
}

TEST_F(Signals, StopAWaitForAReader) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  expect_interrupted({"bfs", "kron:4", "--output", "pipe"}, std::chrono::milliseconds(700));
  expect_interrupted({"generate", "grid", "4", "pipe", "--to", "el"},
                     std::chrono::milliseconds(700));
  EXPECT_TRUE(unexpected_files({"pipe", "out", "err"}).empty());
}

TEST_F(Signals, StopAWaitForInput) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  write("g.el", "0 1\n");
  // Nothing writes to it.
  expect_interrupted({"info", "pipe", "--format", "el"}, std::chrono::milliseconds(700));
  expect_interrupted({"pagerank", "g.el", "--personalize", "pipe"}, std::chrono::milliseconds(700));
  // Something does, but sends nothing.
  const int writer = ::open(path("pipe").c_str(), O_RDWR);
  ASSERT_GE(writer, 0);
  expect_interrupted({"info", "pipe", "--format", "el"}, std::chrono::milliseconds(700));
  ASSERT_EQ(::write(writer, "0 1\n", 4), 4);
  expect_interrupted({"info", "pipe", "--format", "el"}, std::chrono::milliseconds(700));
  expect_interrupted({"pagerank", "g.el", "--personalize", "pipe"}, std::chrono::milliseconds(700));
  ::close(writer);
  EXPECT_TRUE(unexpected_files({"pipe", "g.el", "out", "err"}).empty());
}

}  // namespace
}  // namespace cli_tests
