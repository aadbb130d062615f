// SPDX-License-Identifier: Apache-2.0

// Ctrl+C and other signals that end the program: it ends by the signal, which a shell reports as
// 130 or similar, with one line, and leaves no incomplete file.

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "program.hpp"

namespace cli_tests {
namespace {

class Signals : public Program {
 protected:
  // No core dumps of signals that make one.
  Signals() {
    const struct rlimit none {};
    ::setrlimit(RLIMIT_CORE, &none);
  }
  // Waits until the program catches SIGINT, which takes some time on a busy machine.
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
  // Waits until it writes a file.
  void wait_for_file() const {
    for (int n = 0; n < 2000 && unexpected_files({"out", "err"}).empty(); ++n)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(unexpected_files({"out", "err"}).empty());
  }
  // The same, for a traced program: it stops after the system call that made the file.
  void stop_at_file(int child) const {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_EXITKILL), 0);
    while (WIFSTOPPED(status) && unexpected_files({"out", "err"}).empty()) {
      ASSERT_EQ(::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr), 0);
      ASSERT_EQ(::waitpid(child, &status, 0), child);
    }
    ASSERT_TRUE(WIFSTOPPED(status));
  }
  static void expect_ended_by(int child, int signal) {
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
    ASSERT_TRUE(WIFSIGNALED(status)) << "exit code " << WEXITSTATUS(status);
    EXPECT_EQ(WTERMSIG(status), signal);
  }
  // Starts the program, interrupts it after a while and waits for it.
  void expect_interrupted(const std::vector<std::string>& arguments,
                          std::chrono::milliseconds after) const {
    const int child = start(arguments);
    wait_for_handler(child);
    std::this_thread::sleep_for(after);
    ASSERT_EQ(::kill(child, SIGINT), 0);
    expect_ended_by(child, SIGINT);
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

TEST_F(Signals, StopRunningTrials) {
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

TEST_F(Signals, StopAWaitForAWriter) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  expect_interrupted({"info", "pipe", "--format", "el"}, std::chrono::milliseconds(300));
  expect_interrupted({"convert", "pipe", "o.el"}, std::chrono::milliseconds(300));
  EXPECT_TRUE(unexpected_files({"pipe", "out", "err"}).empty());
}

TEST_F(Signals, OfEveryKindThatEndsAProgramLeaveNothingBehind) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGXCPU, SIGQUIT}) {
    const int child = start({"generate", "grid", "1500", "big.el.xz"});
    wait_for_file();
    ASSERT_EQ(::kill(child, signal), 0);
    expect_ended_by(child, signal);
    EXPECT_TRUE(unexpected_files({"out", "err"}).empty()) << signal;
    const std::string said = contents(path("err"));
    if (signal == SIGTERM) {
      EXPECT_EQ(said, "tropic: ended by signal 15, Terminated\n");
    }
  }
}

TEST_F(Signals, OfASecondKindEndAtOnceAndLeaveNothingBehind) {
  for (const int second : {SIGTERM, SIGHUP, SIGINT}) {
    const int child = start({"generate", "grid", "1500", "big.el.xz"});
    wait_for_file();
    // Both are pending before it can handle the first.
    ASSERT_EQ(::kill(child, SIGSTOP), 0);
    ASSERT_EQ(::kill(child, SIGALRM) + ::kill(child, second) + ::kill(child, SIGCONT), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_TRUE(unexpected_files({"out", "err"}).empty()) << second;
    EXPECT_EQ(contents(path("err")), "");
  }
}

TEST_F(Signals, OfASecondKindFindTheFileAsSoonAsItExists) {
  const int child = start({"generate", "grid", "15", "small.el"}, true);
  ASSERT_NO_FATAL_FAILURE(stop_at_file(child));
  // To its first thread, which does not go on before it has handled both.
  for (const int signal : {SIGALRM, SIGTERM})
    ASSERT_EQ(::syscall(SYS_tgkill, child, child, signal), 0);
  ASSERT_EQ(::ptrace(PTRACE_DETACH, child, nullptr, nullptr), 0);
  expect_ended_by(child, SIGTERM);
  EXPECT_TRUE(unexpected_files({"out", "err"}).empty());
}

TEST_F(Signals, OfLimitsOfTimeLeaveNothingBehind) {
  const outcome timed =
      run("timeout --preserve-status -k 30 1 tropic generate grid 3000 big.el.xz");
  EXPECT_EQ(timed.exit_code, 128 + SIGTERM) << timed.err;
  const outcome limited = run("(ulimit -S -t 1; tropic generate grid 3000 big.el.xz)");
  EXPECT_EQ(limited.exit_code, 128 + SIGXCPU) << limited.err;
  EXPECT_TRUE(unexpected_files({"out", "err"}).empty());
}

TEST_F(Signals, ThatAreIgnoredStayIgnored) {
  // As with nohup, and in background jobs of scripts. On the CPU, since an OpenCL library may catch
  // signals for a while.
  const outcome found = run(
      "trap '' INT HUP TERM\n"
      "tropic pagerank kron:8 --iterations 100000000 --device cpu --quiet & p=$!\n"
      "caught() { [ $((0x$(sed -n 's/^SigCgt:\t*//p' /proc/$p/status) & 1 << $1 - 1)) != 0 ]; }\n"
      "for n in $(seq 500); do caught 14 && break; sleep 0.02; done\n"
      "for s in 2 1 15; do caught $s && echo $s is caught; kill -$s $p; done\n"
      "sleep 0.3; kill -0 $p && echo goes on\n"
      "kill -ALRM $p; wait $p; echo $?");
  EXPECT_EQ(found.out, "goes on\n142\n") << found.err;
}

TEST_F(Signals, StopAWaitForInput) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  write("g.el", "0 1\n");
  // A pipe without a writer.
  expect_interrupted({"info", "pipe", "--format", "el"}, std::chrono::milliseconds(700));
  expect_interrupted({"pagerank", "g.el", "--personalize", "pipe"}, std::chrono::milliseconds(700));
  // A pipe with a writer that sends nothing.
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
