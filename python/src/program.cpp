// SPDX-License-Identifier: Apache-2.0

// The `tropic` program, which the console script (tropic_program.py) runs.

#include <nanobind/stl/vector.h>

#include <csignal>

#include "cli/command_line.hpp"
#include "core.hpp"

namespace tropic::python {

namespace {

// Bytes, as names of files need not be text.
int run_program(const std::vector<nb::bytes>& words) {
  std::vector<std::string> texts;
  for (const nb::bytes& word : words) texts.emplace_back(word.c_str(), word.size());
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  // Python's handler of Ctrl+C has no effect while the program runs; the program replaces the
  // default action only. An ignored signal stays ignored.
  struct sigaction present {};
  if (::sigaction(SIGINT, nullptr, &present) == 0 && present.sa_handler != SIG_IGN)
    std::signal(SIGINT, SIG_DFL);
  const nb::gil_scoped_release released;
  return cli::run_command_line(static_cast<int>(texts.size()), arguments.data(), false);
}

}  // namespace

void bind_program(nb::module_& m) {
  m.def("run_program", run_program, nb::arg("words"),
        "Run the `tropic` program; return the exit status of the process, which has to end then.");
}

}  // namespace tropic::python
