// SPDX-License-Identifier: Apache-2.0

// tropic_bench_spmv: products y = A x on one device. By default plus_times, kernel by kernel,
// compared with cuSPARSE on the same arrays in the same process; --help lists the other modes.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {

std::vector<std::string> settings::all_matrices(const std::vector<std::string>& fallback) const {
  std::vector<std::string> names = matrices, missing;
  for (const std::string& set : sets)
    for (std::string& name : matrices_of_set(set, data, missing))
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  if (names.empty()) names = fallback;
  if (names.empty()) names = matrices_of_set("all", data, missing);
  for (const std::string& file : missing) fmt::print("skipped, {} does not exist\n", file);
  return names;
}

std::vector<std::string> settings::all_types() const {
  return types.empty() ? std::vector<std::string>{"fp32", "fp64"} : types;
}

csv::csv(const std::string& path, std::string_view heading) {
  if (path.empty()) return;
  file_.reset(std::fopen(path.c_str(), "w"));
  if (!file_) throw tropic::usage_error("cannot write " + path);
  line("{}\n", heading);
}

}  // namespace bench

int main(int argc, char** argv) {
  bench::settings s;
  CLI::App app("Products y = A x on one device, compared with cuSPARSE on the same arrays");
  app.add_option("MATRIX", s.matrices,
                 "files, generators (kron:18), synthetic matrices of published shapes "
                 "(paper:ins2), rows of equal length "
                 "(even:30) or a permutation (permutation:4000000)");
  app.add_option("--set", s.sets, "sets of matrices [all]")
      ->check(CLI::IsMember({"paper", "published", "all"}));
  app.add_option("--data", s.data, "folder with the files of the sets [data]");
  app.add_option("--device", s.device, "[cuda:0]");
  app.add_option("--type", s.types, "value types [fp32 fp64]");
  app.add_option("--kernel", s.kernels,
                 "kernels with their constants; csr_vector runs all its widths "
                 "[csr_vector csr_segmented]");
  app.add_option("--semiring", s.semiring,
                 "with --semirings only what is compared with a semiring so named [plus_times]");
  app.add_flag("--list", s.list, "only generate the matrices and print their shapes");
  auto* semirings = app.add_flag(
      "--semirings", s.semirings,
      "min_plus, or_and, patterns and a user-defined semiring compared with plus_times");
  auto* strips = app.add_flag("--strips", s.strips,
                              "cmrs by mean row length, its model, other formats and conversions")
                     ->excludes(semirings);
  app.add_flag("--plan", s.plan, "a plan for 1,000 calls, and no plan, compared with cuSPARSE")
      ->excludes(semirings)
      ->excludes(strips);
  app.add_option(
         "--columns", s.columns,
         "fp32 or fp64 products with full matrices of so many columns compared with cuSPARSE")
      ->check(CLI::Range(1, 1024))
      ->excludes(semirings)
      ->excludes(strips);
  auto* sweep = app.add_option("--sweep", s.sweep, "csr_segmented over a constant")
                    ->check(CLI::IsMember({"items", "tiles"}))
                    ->excludes(semirings)
                    ->excludes(strips);
  app.add_flag("--startup", s.startup,
               "the cost of creating a context and of the first use of a program")
      ->excludes(semirings)
      ->excludes(strips)
      ->excludes(sweep);
  app.add_flag("--startup-child", s.startup_child)->group("");
  app.add_option("--output", s.output, "write the results as CSV");
  app.add_option("--rounds", s.batches.rounds, "[7]");
  app.add_option("--calls", s.batches.calls, "maximum number of calls in a batch [20]");
  app.add_option("--shrink", s.shrink,
                 "divide the size of generated matrices by N, for a trial run");
  CLI11_PARSE(app, argc, argv);
  try {
    bool right = true;
    if (s.startup_child)
      right = bench::startup_child(s);
    else if (s.list)
      right = bench::list(s);
    else if (s.startup)
      right = bench::startup(s, std::filesystem::read_symlink("/proc/self/exe").string());
    else if (s.semirings)
      right = bench::semirings(s);
    else if (s.strips)
      right = bench::strips(s);
    else if (!s.columns.empty())
      right = bench::columns(s);
    else if (s.plan)
      right = bench::planned(s);
    else if (!s.sweep.empty())
      right = bench::sweep(s);
    else
      right = bench::race(s);
    return right ? 0 : 1;
  } catch (const std::exception& e) {
    fmt::print(stderr, "tropic_bench_spmv: {}\n", e.what());
    return 2;
  }
}
