// SPDX-License-Identifier: Apache-2.0

// The folder, the shell and the program; see program.hpp.

#include "program.hpp"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace cli_tests {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> joined(std::vector<std::string> list,
                                const std::vector<std::string>& added) {
  list.insert(list.end(), added.begin(), added.end());
  return list;
}

std::map<long long, std::string> values_of(const std::string& text) {
  std::map<long long, std::string> values;
  for (const std::string& line : lines_of(text)) {
    const std::size_t space = line.find(' ');
    if (space != std::string::npos) values[std::stoll(line)] = line.substr(space + 1);
  }
  return values;
}

fs::path shared_file(const std::string& name) {
  const fs::path found = fs::path(TROPIC_SHARED_DATA) / name;
  return fs::exists(found) ? found : fs::path();
}

Program::Program() : Program("tropic", TROPIC_PROGRAM) {}

Program::Program(std::string name, const fs::path& file) : name_(std::move(name)) {
  std::string pattern = (fs::temp_directory_path() / "tropic-cli-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  scratch_ = pattern;
  folder_ = scratch_ / "work";
  fs::create_directories(folder_);
  fs::create_directories(scratch_ / "bin");
  fs::create_symlink(TROPIC_PROGRAM, scratch_ / "bin" / "tropic");
  if (name_ != "tropic") fs::create_symlink(file, scratch_ / "bin" / name_);
}

Program::~Program() {
  std::error_code ignored;
  fs::remove_all(scratch_, ignored);
}

outcome Program::run(const std::string& command) const {
  const std::string script = "cd '" + folder_.string() + "' && export PATH='" +
                             (scratch_ / "bin").string() + "':\"$PATH\" && { " + command +
                             "\n} >'" + (scratch_ / "out").string() + "' 2>'" +
                             (scratch_ / "err").string() + "' </dev/null";
  ::setenv("TROPIC_SCRIPT", script.c_str(), 1);
  const int status = std::system("exec bash -c \"$TROPIC_SCRIPT\"");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          contents(scratch_ / "out"), contents(scratch_ / "err")};
}

void Program::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::vector<std::string> Program::unexpected_files(const std::vector<std::string>& expected) const {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (std::find(expected.begin(), expected.end(), name) == expected.end()) found.push_back(name);
  }
  return found;
}

int Program::start(const std::vector<std::string>& arguments, bool is_traced) const {
  const int child = ::fork();
  if (child != 0) return child;
  if (::chdir(folder_.c_str()) != 0) ::_exit(126);
  for (const auto& [name, number] : {std::pair{"out", 1}, std::pair{"err", 2}}) {
    const int file = ::open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(file, number);
  }
  std::vector<char*> words{const_cast<char*>("tropic")};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  if (is_traced) ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  ::execv(TROPIC_PROGRAM, words.data());
  ::_exit(127);
}

nlohmann::json Program::parse(const std::string& command) const {
  const outcome found = run(name_ + " " + command + " --json");
  EXPECT_EQ(found.exit_code, 0) << command << "\n" << found.err;
  nlohmann::json object = nlohmann::json::parse(found.out, nullptr, false);
  EXPECT_TRUE(object.is_object()) << command << "\n" << found.out;
  return object;
}

std::vector<std::string> Program::commands(const std::string& group) const {
  std::vector<std::string> found;
  bool are_listed = false;
  for (const std::string& line : lines_of(run("tropic " + group + " --help").out)) {
    if (line == "Subcommands:")
      are_listed = true;
    else if (line.empty())
      are_listed = false;
    else if (are_listed && line.starts_with("  ") && line[2] != ' ')
      found.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  EXPECT_GT(found.size(), 3U);
  return found;
}

std::vector<std::string> Program::graph_commands(const std::string& option) const {
  std::vector<std::string> found;
  for (const std::string& command : commands()) {
    const std::string help = run("tropic " + command + " --help").out;
    const auto has = [&](const std::string& name) {
      return help.find("\n  " + name + " ") != std::string::npos;
    };
    if (has("--verify") && has("--permute") && !has("--kernel") && has(option))
      found.push_back(command);
  }
  EXPECT_GE(found.size(), 3U);
  return found;
}

std::vector<std::string> Program::graph_benchmarks() const {
  std::vector<std::string> found;
  for (const std::string& command : commands("bench"))
    if (command != "tune") found.push_back("bench " + command);
  return found;
}

std::vector<std::string> Program::devices() const {
  std::vector<std::string> all{"cpu", "reference"};
  if (run("tropic spmv kron:4 --device opencl").exit_code == 0) all.push_back("opencl");
  return all;
}

void Program::expect_refused(const std::string& command, const std::string& part) const {
  const outcome found = run(command);
  EXPECT_EQ(found.exit_code, 2) << command << "\n" << found.err;
  EXPECT_EQ(found.out, "") << command;
  const std::vector<std::string> lines = lines_of(found.err);
  ASSERT_EQ(lines.size(), 1U) << command << "\n" << found.err;
  EXPECT_TRUE(lines.front().starts_with(name_ + ": ")) << command << "\n" << lines.front();
  EXPECT_NE(lines.front().find(part), std::string::npos)
      << command << "\n"
      << lines.front() << "\nshould say: " << part;
}

}  // namespace cli_tests
