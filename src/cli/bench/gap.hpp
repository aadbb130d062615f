// SPDX-License-Identifier: Apache-2.0
#pragma once

// An algorithm on a graph by the rules of the GAP benchmark suite (Beamer, Asanovic and Patterson,
// 2015): many trials from sources drawn by a seed, each timed until the device is done, each
// verified outside the time. Edges traversed are those that leave the vertices reached; where the
// matrix is symmetric an edge stands in it twice and counts once. Their number over the seconds is
// the trial's TEPS, of which the harmonic mean is told.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/options.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

/// What a trial came to.
struct trial_facts {
  index_t iterations = 0;
  double edges = 0;         // traversed
  std::string complaint{};  // of the verifier; empty where all is well
};

/// An algorithm on its graph, as the benchmark sees it.
class benched_algorithm {
 public:
  explicit benched_algorithm(const detail::matrix_base& graph);
  virtual ~benched_algorithm() = default;

  /// What is timed. The result is kept until it is looked at.
  virtual void run(index_t source) = 0;
  /// Looks at the last run's result and lets it go.
  virtual trial_facts look(index_t source, bool verify) = 0;
  /// Adds to the report what is known after the trials.
  virtual void add_to(report&) const {}

 protected:
  /// Edges that leave the vertices v for which `reached(v)`.
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
  std::string file;
  int trials = 64;
  std::uint64_t seed = 1;
  bool no_verify = false, profile = false;
};

/// What tells one algorithm's benchmark from another's.
struct graph_bench {
  std::string name;   // "bfs"
  std::string check;  // what its verifier checks: "levels_and_parents"
  bool sources = true;
  std::function<std::unique_ptr<benched_algorithm>(const detail::matrix_base&)> make;
};

/// --no-verify and --profile; with `sources` --sources and --seed, else --trials.
void add_graph_bench_options(command& to, graph_bench_options& target, bool sources);

/// Runs the trials and prints what they came to. Throws input_error where a source is needed and no
/// vertex has an edge; cancelled.
exit_code run_graph_bench(const program& p, const context& where, const loaded& graph,
                          const graph_bench_options& o, const graph_bench& b);

/// Adds the operations of one more trial, in a context of its own, to the report.
void add_profile(const program& p, report& r, const context& where, const loaded& graph,
                 const graph_bench& b, index_t source);

}  // namespace tropic::cli
