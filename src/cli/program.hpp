// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the commands share. run_program() makes one `program`. Each command adds its options to the
// command line and, if it is the selected one, sets `run`. All options are parsed before anything
// runs, so that an error in them costs no time.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tropic/context.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/io.hpp>

namespace CLI {
class App;
}

namespace tropic::cli {

enum exit_code : int { success = 0, failed_check = 1, bad_usage = 2, interrupted = 130 };

struct common_options {
  std::string device = "auto";
  int threads = 0;
  std::optional<type_code> type;
  bool undirected = false;
  std::optional<tropic::duplicates> duplicates;
  bool json = false;
  bool quiet = false;
  std::size_t memory_limit = 0;
  std::optional<std::size_t> unpack_ratio;
  bool trusted = false;
  std::string text_compiler;
  /// --format, --names, --header, --columns and --separator.
  io::read_options text;
};

struct program {
  program();

  common_options common;
  /// Set by Ctrl+C; every long-running step checks it.
  cancel_token cancel{};
  /// The selected command.
  std::function<exit_code()> run;

  /// Prints a message of the library on standard error, each message once and none with --quiet.
  /// Messages are kept until print_notices(), so that an error in the input is the only output.
  void notice(std::string_view message) const;
  /// The input is valid and the work begins: prints the notices so far and all later ones.
  void print_notices() const;
  /// The context that --device, --threads and --memory-limit select.
  context make_context() const;
  /// A CPU context, for commands without --device.
  context make_host_context() const;
  /// A second context on the device of `like`, which records its operations.
  context make_profiled_context(const context& like) const;
  /// Throws cancelled after Ctrl+C.
  void check_cancelled() const;

 private:
  context_options options() const;
  struct notices;
  std::shared_ptr<notices> notices_;
};

/// A program: the name that its messages begin with, and its commands or options.
struct program_setup {
  const char* name;
  void (*add_commands)(CLI::App& app, program& p);
};

/// Parses the command line and runs the selected command; prints the help if there is none. Returns
/// the exit code for main(): 0; 1 a check failed; 2 bad usage or bad input, with one line on
/// standard error; 128 + N after signal N, as 130 after Ctrl+C (signals.hpp). `may_restart`: see
/// command_line.hpp.
int run_program(const program_setup& setup, int count, char** arguments, bool may_restart = true);

// The commands of `tropic` (command_line.cpp), each in a file of its name; those of closeness to
// hits are in commands/centrality.cpp.
void add_bfs(CLI::App& app, program& p);
void add_sssp(CLI::App& app, program& p);
void add_pagerank(CLI::App& app, program& p);
void add_components(CLI::App& app, program& p);
void add_triangles(CLI::App& app, program& p);
void add_cores(CLI::App& app, program& p);
void add_strong_components(CLI::App& app, program& p);
void add_clustering(CLI::App& app, program& p);
void add_truss(CLI::App& app, program& p);
void add_independent_set(CLI::App& app, program& p);
void add_coloring(CLI::App& app, program& p);
void add_spanning_forest(CLI::App& app, program& p);
void add_betweenness(CLI::App& app, program& p);
void add_label_propagation(CLI::App& app, program& p);
void add_closeness(CLI::App& app, program& p);
void add_eigenvector(CLI::App& app, program& p);
void add_katz(CLI::App& app, program& p);
void add_hits(CLI::App& app, program& p);
void add_louvain(CLI::App& app, program& p);
void add_leiden(CLI::App& app, program& p);
void add_similarity(CLI::App& app, program& p);
void add_diameter(CLI::App& app, program& p);
void add_spmv(CLI::App& app, program& p);
void add_spgemm(CLI::App& app, program& p);
void add_calibrate(CLI::App& app, program& p);
void add_precompile(CLI::App& app, program& p);
void add_explain(CLI::App& app, program& p);
void add_info(CLI::App& app, program& p);
void add_convert(CLI::App& app, program& p);
void add_generate(CLI::App& app, program& p);
void add_devices(CLI::App& app, program& p);
// Those of `tropic bench`.
void add_bench_bfs(CLI::App& bench, program& p);
void add_bench_sssp(CLI::App& bench, program& p);
void add_bench_pagerank(CLI::App& bench, program& p);
void add_bench_components(CLI::App& bench, program& p);
void add_bench_betweenness(CLI::App& bench, program& p);
void add_bench_triangles(CLI::App& bench, program& p);
void add_bench_cores(CLI::App& bench, program& p);
void add_bench_tune(CLI::App& bench, program& p);

}  // namespace tropic::cli
