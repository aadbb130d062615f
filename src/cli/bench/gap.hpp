// SPDX-License-Identifier: Apache-2.0
#pragma once

// Algorithms measured by the rules of the GAP benchmark suite (Beamer, Asanovic and Patterson,
// 2015): many trials from random sources, each timed until the device has finished and verified
// outside the time. The edges traversed are those that leave reached vertices; an undirected edge,
// of which a symmetric matrix has two entries, counts once. Edges / seconds are the TEPS of a
// trial; the harmonic mean over trials is reported.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/options.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

/// The outcome of a trial.
struct trial_facts {
  index_t iterations = 0;
  double edges = 0;         // traversed
  std::string complaint{};  // of the verifier; empty if the result is correct
};

/// An algorithm on its graph.
class benched_algorithm {
 public:
  explicit benched_algorithm(const detail::matrix_base& graph);
  virtual ~benched_algorithm() = default;

  /// The timed part, from graph_bench::sources vertices. Keeps the result.
  virtual void run(std::span<const index_t> sources) = 0;
  /// Evaluates and releases the result of the last run.
  virtual trial_facts look(std::span<const index_t> sources, bool verify) = 0;
  /// Adds options and results of its own to the report, after the trials.
  virtual void add_to(report&) const {}

 protected:
  /// The number of edges that leave the vertices v with `reached(v)`.
  template <class Reached>
  double edges_of(const Reached& reached) const {
    double sum = 0;
    for (std::size_t v = 0; v < degrees_.size(); ++v)
      if (reached(v)) sum += degrees_[v];
    return symmetric_ ? sum / 2 : sum;
  }

 private:
  std::vector<std::uint32_t> degrees_;
  bool symmetric_;
};

struct graph_bench_options {
  std::string file, from;
  int trials = 64;
  std::uint64_t seed = 1;
  bool no_verify = false, profile = false;
};

/// The benchmark of one algorithm.
struct graph_bench {
  std::string name;   // "bfs"
  std::string check;  // the name of its check: "levels_and_parents"
  int sources = 1;    // different vertices that a trial starts from
  std::function<std::unique_ptr<benched_algorithm>(const detail::matrix_base&)> make;
};

/// --no-verify and --profile; --sources if trials start from one vertex, otherwise --trials; --seed
/// and --from if they start from any.
void add_graph_bench_options(command& to, graph_bench_options& target, int sources);

/// Runs the trials and prints the report. Throws input_error if fewer vertices have an edge than a
/// trial starts from, or the file of --from does not have those of whole trials; cancelled.
exit_code run_graph_bench(const program& p, const context& where, const loaded& graph,
                          const graph_bench_options& o, const graph_bench& b);

}  // namespace tropic::cli
