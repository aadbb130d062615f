// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a program as a user does: by its name, through a shell, in a folder of its own.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cli_tests {

struct outcome {
  int exit_code = -1;
  std::string out, err;
};

std::string contents(const std::filesystem::path& file);
std::vector<std::string> lines_of(const std::string& text);
/// `list`, then `added`.
std::vector<std::string> joined(std::vector<std::string> list,
                                const std::vector<std::string>& added);
/// `vertex value` lines as a map.
std::map<long long, std::string> values_of(const std::string& text);
/// A file of ../shared/data, or an empty path where there is none.
std::filesystem::path shared_file(const std::string& name);

class Program : public testing::Test {
 protected:
  /// A test of `tropic`.
  Program();
  /// A test of another program, with its file; `tropic` can be run as well.
  Program(std::string name, const std::filesystem::path& file);
  ~Program() override;

  /// `command` may be any shell line; `tropic` is the program.
  outcome run(const std::string& command) const;
  void write(const std::string& name, const std::string& text) const;
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  /// Files in the folder that are not among `expected`.
  std::vector<std::string> unexpected_files(const std::vector<std::string>& expected) const;
  /// The process id; output goes to `out` and `err` in the folder. `is_traced`: by this process,
  /// and it stops before its first instruction.
  int start(const std::vector<std::string>& arguments, bool is_traced = false) const;

  /// What `PROGRAM COMMAND --json` prints, an object, with exit 0.
  nlohmann::json parse(const std::string& command) const;
  /// The commands of `tropic`, or of its command `group`, in the order of the help.
  std::vector<std::string> commands(const std::string& group = "") const;
  /// Those that run an algorithm on a graph (--verify and --permute, but no --kernel), of them
  /// those that have `option`.
  std::vector<std::string> graph_commands(const std::string& option = "--verify") const;
  /// "bench bfs" ...: those that time an algorithm on a graph.
  std::vector<std::string> graph_benchmarks() const;
  /// Those that every machine has, and OpenCL if it is available.
  std::vector<std::string> devices() const;

  /// Exit 2 and exactly one line that begins with the name of the program.
  void expect_refused(const std::string& command, const std::string& part) const;

 private:
  std::string name_;
  std::filesystem::path folder_, scratch_;
};

}  // namespace cli_tests

/// Skips a test that needs ../shared/data.
#define NEEDS_SHARED_DATA()                        \
  if (cli_tests::shared_file("README.md").empty()) \
  GTEST_SKIP() << "needs ../shared/data, which is not on this machine"
