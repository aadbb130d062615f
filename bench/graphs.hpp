// SPDX-License-Identifier: Apache-2.0
#pragma once

// The common part of bench_cpu and bench_switch: options and graphs.

#include <CLI/CLI.hpp>
#include <string>
#include <tropic/generators.hpp>
#include <tropic/io.hpp>
#include <vector>

namespace bench {

struct graph_settings {
  int rounds = 0;
  int threads = 0;
  std::vector<std::string> graphs{"kron:18", "urand:18", "grid:512"};

  void add_to(CLI::App& app) {
    app.add_option("GRAPH", graphs, "generators (kron:18) and matrix files")->capture_default_str();
    app.add_option("--rounds", rounds, "rounds; medians are reported")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--threads", threads, "0: one per core")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
  }
};

inline tropic::io::coordinates graph_named(const std::string& name) {
  return tropic::is_generator_spec(name) ? tropic::generate(name) : tropic::io::read(name);
}

}  // namespace bench
