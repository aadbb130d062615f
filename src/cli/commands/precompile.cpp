// SPDX-License-Identifier: Apache-2.0

// `tropic precompile`: compiles programs for GPUs that need not be there.

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include <tropic/error.hpp>

#include "backends/cuda/precompile.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "io/text.hpp"

namespace tropic::cli {

namespace {

struct precompile_arguments {
  std::string folder;
  // The code of one runs on the later ones of its generation: 8.6 and 8.9, 10.3, 12.1.
  std::string architectures = "sm_75,sm_80,sm_90,sm_100,sm_120";
  std::string programs, only;  // files with lists
};

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream text(list);
  for (std::string name; std::getline(text, name, ',');) names.push_back(name);
  return names;
}

void add_list(std::vector<std::string>& lines, const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw usage_error(io::detail::printable(name) + ": cannot be read");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (std::string& line : detail::lines_of_programs(text)) lines.push_back(std::move(line));
}

exit_code run_precompile(const program& p, const precompile_arguments& o) {
  detail::precompilation asked;
  if (o.only.empty()) asked.lines = detail::builtin_programs();
  if (!o.only.empty()) add_list(asked.lines, o.only);
  if (!o.programs.empty()) {
    std::vector<std::string> lines;
    add_list(lines, o.programs);
    for (std::string& line : detail::with_variants(lines)) asked.lines.push_back(std::move(line));
  }
  asked.architectures = names_in(o.architectures);
  if (asked.architectures.empty()) refuse_option("--arch", "''", "one or several, as sm_80,sm_90");
  asked.folder = o.folder;
  asked.threads = p.common.threads > 0
                      ? p.common.threads
                      : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  asked.cancel = p.cancel;
  p.print_notices();
  const auto archives = detail::precompile(asked);

  report r;
  r.command = "precompile";
  r.device = "cpu";
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const detail::precompiled_architecture& archive : archives) {
    const std::string file = archive.file.string();
    r.text += fmt::format(
        "{}: {} programs, {:.2f} MB of code, {:.2f} MB in the file; compiled in "
        "{:.1f} s\n",
        io::detail::printable(file), archive.programs,
        static_cast<double>(archive.code_bytes) / 1e6,
        static_cast<double>(archive.file_bytes) / 1e6, archive.compiler_seconds);
    list.push_back({{"architecture", archive.architecture},
                    {"file", file},
                    {"programs", archive.programs},
                    {"code_bytes", archive.code_bytes},
                    {"file_bytes", archive.file_bytes},
                    {"compiler_seconds", archive.compiler_seconds}});
  }
  r.extra["architectures"] = list;
  return finish(p, r);
}

}  // namespace

void add_precompile(CLI::App& app, program& p) {
  auto o = std::make_shared<precompile_arguments>();
  command cmd(
      app, p, "precompile", "compile CUDA programs ahead, without a GPU", {},
      {"tropic precompile --arch sm_90 programs",
       "TROPIC_PROGRAM_LIST=used.list tropic spmv g.mtx --device cuda:0 --add 't_max(x, y)' "
       "--identity 0 --multiply 'x * y'",
       "tropic precompile --arch sm_90 --programs used.list programs",
       "TROPIC_PROGRAMS=programs tropic bfs kron:14 --device cuda:0"});
  cmd.argument("FOLDER", o->folder, "where the archives go, one for each architecture");
  cmd.text(
      "--arch", "LIST", o->architectures,
      "architectures [" + o->architectures + "]; each serves the later ones of its generation");
  cmd.text("--programs", "FILE", o->programs,
           "also compile the programs in FILE, a list recorded with $TROPIC_PROGRAM_LIST");
  cmd.text("--only", "FILE", o->only,
           "compile only the programs in such a list, not the built-in ones");
  cmd.excludes("--programs", "--only");
  cmd.runs([&p, o] { return run_precompile(p, *o); });
}

}  // namespace tropic::cli
