// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the commands share. main() makes one `program`; each command adds its options to the
// command line and, when it is the one that was named, sets `run`. Options are parsed before
// anything runs, so that a mistake costs no time.

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
  /// --format, --names, --header, --columns and --separator.
  io::read_options text;
};

struct program {
  program();

  common_options common;
  /// Set by Ctrl+C. Whatever takes long looks at it.
  cancel_token cancel{};
  /// The command that was named.
  std::function<exit_code()> run;

  /// What the library has to say, once each: printed on standard error, unless --quiet, but not
  /// before `speak`, so that a mistake in the input stays the only line there.
  void notice(std::string_view message) const;
  /// The input is sound and the work begins.
  void speak() const;
  /// The context that --device, --threads and --memory-limit ask for.
  context make_context() const;
  /// Another one on the device of `like`, which notes its operations.
  context make_profiled_context(const context& like) const;
  /// Throws cancelled after Ctrl+C.
  void check_cancelled() const;

 private:
  context_options options() const;
  struct notices;
  std::shared_ptr<notices> notices_;
};

void add_bfs(CLI::App& app, program& p);
void add_sssp(CLI::App& app, program& p);
void add_pagerank(CLI::App& app, program& p);
void add_spmv(CLI::App& app, program& p);
void add_calibrate(CLI::App& app, program& p);
void add_explain(CLI::App& app, program& p);
void add_info(CLI::App& app, program& p);
void add_convert(CLI::App& app, program& p);
void add_generate(CLI::App& app, program& p);
void add_devices(CLI::App& app, program& p);
/// `tropic bench` and what is below it.
void add_bench(CLI::App& app, program& p);
void add_bench_bfs(CLI::App& bench, program& p);
void add_bench_sssp(CLI::App& bench, program& p);
void add_bench_pagerank(CLI::App& bench, program& p);
void add_bench_permute(CLI::App& bench, program& p);
void add_bench_regret(CLI::App& bench, program& p);
void add_bench_tune(CLI::App& bench, program& p);

}  // namespace tropic::cli
