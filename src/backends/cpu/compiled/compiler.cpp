// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/compiled/compiler.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include <tropic/error.hpp>

extern char** environ;

namespace tropic::detail::on_cpu {

namespace {

// No contraction, nothing that relaxes arithmetic: results are those of the evaluator. errno and
// the floating-point flags are no results. -O3 gathers loads into vectors, which costs more than it
// saves.
constexpr std::array required{
    "-std=c11",          "-O2", "-fPIC", "-shared", "-w", "-ffp-contract=off", "-fno-math-errno",
    "-fno-trapping-math"};
constexpr std::size_t most_message = 2000;  // bytes of the compiler's messages that are passed on
constexpr auto time_limit = std::chrono::seconds(120);

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The architecture that the compiler compiles for.
std::string architecture() {
  utsname machine{};
  return uname(&machine) == 0 ? machine.machine : "unknown";
}

// Runs a program with nothing to read; its output goes to `output`. Returns its exit status, -1 if
// it was ended by a signal. Throws std::system_error if it cannot be started.
int run(const std::vector<std::string>& command, const std::filesystem::path& output,
        const std::function<void()>& check) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::system_error(failed, std::generic_category());

  const auto end = [&] {
    kill(child, SIGKILL);
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  };
  const auto start = std::chrono::steady_clock::now();
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category());
    try {
      check();
      if (std::chrono::steady_clock::now() - start > time_limit)
        throw error("it has not finished after two minutes");
    } catch (...) {
      end();
      throw;
    }
    poll(nullptr, 0, 2);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

private_folder::private_folder() {
  const char* given = std::getenv("TMPDIR");
  const std::filesystem::path parent = given != nullptr && *given != '\0' ? given : "/tmp";
  std::string name = (parent / "tropic-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw error("no folder can be made in " + parent.string() + ": " +
                std::generic_category().message(errno));
  path_ = name;
}

private_folder::~private_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

c_compiler::c_compiler(const std::string& name, std::function<void()> check)
    : check_(std::move(check)) {
  const private_folder folder;
  const std::filesystem::path output = folder.path() / "version";
  std::vector<std::string> candidates{name};
  if (name == "auto") candidates = {"cc", "gcc", "clang"};
  std::string reasons;
  for (const std::string& candidate : candidates) {
    std::string reason;
    try {
      const int status = run({candidate, "--version"}, output, check_);
      if (status == 0) {
        name_ = candidate;
        break;
      }
      reason = "--version ends with status " + std::to_string(status);
    } catch (const std::system_error& e) {
      reason = e.code().message();
    }
    reasons += (reasons.empty() ? "" : ", ") + candidate + ": " + reason;
  }
  if (name_.empty()) throw error("no C compiler runs: " + reasons);
  identity_ = name_ + '\n' + content(output) + architecture();
  for (const char* option : required) options_ += std::string(option) + ' ';
}

std::vector<unsigned char> c_compiler::compile(const std::string& source) const {
  const private_folder folder;
  const std::filesystem::path text = folder.path() / "products.c",
                              library = folder.path() / "products.so",
                              output = folder.path() / "messages";
  std::ofstream(text, std::ios::binary) << source;
  std::vector<std::string> command{name_};
  command.insert(command.end(), required.begin(), required.end());
  for (const std::string& word :
       {text.string(), std::string("-o"), library.string(), std::string("-lm")})
    command.push_back(word);
  int status = 0;
  try {
    status = run(command, output, check_);
  } catch (const std::system_error& e) {
    throw error(name_ + ": " + e.code().message());
  }
  const std::string bytes = status == 0 ? content(library) : std::string();
  if (bytes.empty()) {
    std::string messages = content(output);
    if (messages.size() > most_message) messages = messages.substr(0, most_message) + "...";
    throw error(name_ + " ends with status " + std::to_string(status) + ": " + messages);
  }
  return {bytes.begin(), bytes.end()};
}

}  // namespace tropic::detail::on_cpu
