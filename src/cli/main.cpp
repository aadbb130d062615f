// SPDX-License-Identifier: Apache-2.0

// The `tropic` program: the command line and the exit code.
//
// Exit codes: 0; 1 a check failed; 2 bad usage or bad input, with one line on standard error;
// 128 + N after signal N, as 130 after Ctrl+C (signals.hpp).

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <set>

#include <CLI/CLI.hpp>

#include <tropic/error.hpp>

#include "cli/errors.hpp"
#include "cli/options.hpp"
#include "cli/signals.hpp"

namespace tropic::cli {

namespace {

// OpenMP's threads spin between parallel regions unless told otherwise, and are told when their
// library is loaded: before main. So the program starts itself again, once, with its word for it
// set. PageRank on two threads of two processors, seconds spinning / waiting passively:
//
//                          kron:10            kron:13             kron:17
//   idle machine           0.003 / 0.005      0.011 / 0.014       0.084 / 0.094
//   other programs run     1.2   / 0.005      0.126 / 0.015       2.1   / 0.26
//
// GOMP_SPINCOUNT from 1000 to 100000 lies between the two in both cases. On a machine of one's own
// OMP_WAIT_POLICY=active gains what the first line shows; whatever the user has set stays.
void wait_passively(char** arguments) {
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"})
    if (std::getenv(name) != nullptr) return;
  if (::setenv("OMP_WAIT_POLICY", "passive", 1) != 0) return;
  ::execv("/proc/self/exe", arguments);
  // Where there is no /proc, it spins.
}

// Kernels and threads take more than what `ulimit -s 64` leaves, and end by SIGSEGV there.
void require_stack() {
  constexpr rlim_t least = rlim_t{256} << 10, usual = rlim_t{8} << 20;
  struct rlimit stack {};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= least) return;
  if (stack.rlim_max < least)
    throw usage_error("found a stack of " + std::to_string(stack.rlim_max >> 10) +
                      " KiB, expected at least 256 (ulimit -s)");
  stack.rlim_cur = std::min(stack.rlim_max, usual);
  ::setrlimit(RLIMIT_STACK, &stack);
  // Threads have what the limit was when the program began.
  pthread_attr_t threads;
  if (::pthread_attr_init(&threads) != 0) return;
  ::pthread_attr_setstacksize(&threads, static_cast<std::size_t>(stack.rlim_cur));
  ::pthread_setattr_default_np(&threads);
  ::pthread_attr_destroy(&threads);
}

constexpr const char* description =
    "Tropic: graphs and sparse matrices over any semiring, on the CPU and on GPUs.";

constexpr const char* footer =
    "Files: Matrix Market .mtx, DIMACS .gr, edge lists .el .wel, SNAP .txt, tables .csv .tsv, "
    "METIS\n"
    ".graph, LDBC Graphalytics .v with .e, and Tropic's own .tropic, which is used in place; each\n"
    "also packed as .gz, .xz or .zst. '-' is standard input: Matrix Market, or what --format "
    "says;\n"
    "as an output it is standard output. Vertices count from 0; DIMACS and LDBC keep their own\n"
    "numbers; with --names the vertices of tables and edge lists are names.\n"
    "\n"
    "Wherever FILE stands, kron:SCALE[:DEGREE[:SEED]], urand:SCALE[:DEGREE[:SEED]] or grid:SIDE\n"
    "generate a graph instead, paper:NAME a matrix of the shape of dc2, webbase, ... that kernels\n"
    "are compared by. 'tropic COMMAND --help' says more about a command.\n"
    "\n"
    "Examples:\n"
    "  tropic bfs kron:16 --source 3 --verify\n"
    "  tropic sssp roads.gr --source 1 --output distances.txt\n"
    "  tropic pagerank graph.mtx --tolerance 1e-9\n"
    "  tropic spmv graph.mtx --semiring min_plus --type fp32 --kernel all --verify\n"
    "\n"
    "Exit codes: 0; 1 a check failed; 2 bad usage or bad input; 128 + N\n"
    "ended by signal N (130: Ctrl+C).";

exit_code run(int count, char** arguments) {
  program p;
  install_signals(p.cancel);
  CLI::App app(description, "tropic");
  app.footer(footer);
  app.formatter(plain_formatter());
  app.set_version_flag("--version", std::string("tropic ") + TROPIC_VERSION);
  app.require_subcommand(0, 1);
  add_bfs(app, p);
  add_sssp(app, p);
  add_pagerank(app, p);
  add_spmv(app, p);
  add_info(app, p);
  add_explain(app, p);
  add_convert(app, p);
  add_generate(app, p);
  add_devices(app, p);
  add_calibrate(app, p);
  add_bench(app, p);

  if (count > 1 && arguments[1][0] != '-') {
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
    const std::string named = arguments[1];
    if (std::find(known.begin(), known.end(), named) == known.end()) {
      const std::string meant = nearest(named, known);
      std::string all;
      for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
      throw usage_error("found the unknown command '" + named + "', expected " +
                        (meant.empty() ? "one of " + all : "perhaps '" + meant + "'"));
    }
  }
  refuse_values_of_flags(app, std::span(arguments, static_cast<std::size_t>(count)).subspan(1));
  try {
    app.parse(count, arguments);
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return success;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return success;
  } catch (const CLI::ParseError& failure) {
    throw usage_error(in_our_words(app, failure));
  }
  if (!p.run) {
    print(app.help());
    return success;
  }
  return p.run();
}

}  // namespace

struct program::notices {
  std::mutex guard;
  std::set<std::string> logged;
  std::vector<std::string> pending;
  bool may_speak = false;

  void flush() {
    for (const std::string& line : pending) complain_in_lines(line);
    pending.clear();
  }
};

program::program() : notices_(std::make_shared<notices>()) {}

void program::notice(std::string_view message) const {
  const std::lock_guard lock(notices_->guard);
  if (common.quiet || !notices_->logged.emplace(message).second) return;
  notices_->pending.emplace_back(message);
  if (notices_->may_speak) notices_->flush();
}

void program::speak() const {
  const std::lock_guard lock(notices_->guard);
  notices_->may_speak = true;
  notices_->flush();
}

void program::check_cancelled() const {
  if (cancel.is_cancelled()) throw cancelled();
}

context_options program::options() const {
  context_options options;
  options.threads = common.threads;
  options.memory_limit = common.memory_limit;
  options.cancel = cancel;
  options.log = [this](std::string_view message) { notice(message); };
  return options;
}

context program::make_context() const {
  return context::named(common.device, options());
}

context program::make_profiled_context(const context& like) const {
  context_options noting = options();
  noting.profile = true;
  return context::named(like.name(), std::move(noting));
}

}  // namespace tropic::cli

int main(int count, char** arguments) {
  try {
    tropic::cli::require_stack();
    tropic::cli::wait_passively(arguments);
    return tropic::cli::end_with(tropic::cli::run(count, arguments));
  } catch (...) {
    return tropic::cli::end_with(tropic::cli::explain_exception());
  }
}
