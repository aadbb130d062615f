// SPDX-License-Identifier: Apache-2.0

// The cost of semirings relative to plus_times: min_plus, or_and over bytes and a semiring given as
// text, compared over values of the same width; plus_second and min_second, which read no values of
// the matrix, and or_and, compared with fp32.

#include <deque>
#include <map>
#include <tropic/semirings/from_text.hpp>

#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {
namespace {

struct rival {
  std::string name;
  tropic::semiring_description semiring;
  double target = 0.93;  // the least ratio
};

/// Groups of semirings; the first of a group is what the others are compared with.
std::vector<std::vector<rival>> rivals() {
  std::vector<std::vector<rival>> all;
  for (const std::string type : {"fp32", "fp64"}) {
    const auto plus_times = semiring_named("plus_times", type);
    all.push_back({{"plus_times " + type, plus_times},
                   {"min_plus " + type, semiring_named("min_plus", type)},
                   {"user-defined min of |x - y| " + type,
                    tropic::semiring_from_text("t_min(x, y)", "t_inf", "x > y ? x - y : y - x",
                                               plus_times.z())}});
  }
  all.push_back({{"plus_times int32", semiring_named("plus_times", "int32")},
                 {"min_plus int32", semiring_named("min_plus", "int32")}});
  all.push_back({{"plus_times uint8", semiring_named("plus_times", "uint8")},
                 {"or_and bool", semiring_named("or_and", "bool")}});
  all.push_back({{"plus_times fp32", semiring_named("plus_times", "fp32")},
                 {"plus_second fp32", semiring_named("plus_second", "fp32"), 1.2},
                 {"min_second fp32", semiring_named("min_second", "fp32"), 1.2},
                 {"or_and bool beside fp32", semiring_named("or_and", "bool"), 3}});
  return all;
}

/// The ratios of one semiring and kernel over the matrices.
struct outcome {
  double target = 0, least = 0;
  std::string matrix;  // that of `least`
  geometric_mean mean;

  void add(double ratio, const std::string& name) {
    mean.add(ratio);
    if (!matrix.empty() && ratio >= least) return;
    least = ratio;
    matrix = name;
  }
};

}  // namespace

bool semirings(const settings& s) {
  const device on(s.device);
  fmt::print("{} ({}): ratios are the time of plus_times divided by that of the semiring\n",
             s.device, on.runtime->traits().name);
  const std::vector<std::string> kernels =
      s.kernels.empty() ? std::vector<std::string>{"csr_segmented", "csr_vector"} : s.kernels;
  csv file(s.output, "matrix,kernel,semiring,microseconds,ratio");
  bool right = true;
  std::map<std::string, outcome> outcomes;
  for (const std::string& name : s.all_matrices({"kron:18", "paper:cantilever"})) {
    const csr matrix = matrix_named(name, s.shrink);
    fmt::print("{} {} x {}, {} entries\n", name, matrix.rows, matrix.columns, matrix.entries());
    for (const std::vector<rival>& width : rivals()) {
      std::deque<product> products;
      for (const rival& one : width) products.emplace_back(on, matrix, one.semiring);
      for (const std::string& kernel : kernels) {
        std::vector<entrant> all;
        for (std::size_t k = 0; k < width.size(); ++k) {
          product& p = products[k];
          all.push_back({width[k].name, [&p, kernel](int calls) { p.run(kernel, calls); },
                         [&p] { return p.is_right(); }});
        }
        check(all);
        measure(all, s.batches);
        for (const entrant& one : all) {
          fmt::print("  {:<16} {:<32} {:>10.1f} us {:>6.3f}{}\n", kernel, one.name,
                     one.seconds * 1e6, 1 / one.ratio, one.right ? "" : "  WRONG");
          file.line("{},{},{},{:.3f},{:.4f}\n", name, kernel, one.name, one.seconds * 1e6,
                    1 / one.ratio);
          right = right && one.right;
        }
        for (std::size_t k = 1; k < all.size(); ++k) {
          outcome& found = outcomes[all[k].name + ", " + kernel];
          found.target = width[k].target;
          found.add(1 / all[k].ratio, name);
        }
        std::fflush(stdout);
      }
    }
  }
  fmt::print("\n");
  for (const auto& [what, found] : outcomes) {
    const double mean = found.mean.value();
    if (found.target < 1) print_target(what + ", geometric mean", mean, ">= 0.97", mean >= 0.97);
    print_target(what + ", least, " + found.matrix, found.least, fmt::format(">= {}", found.target),
                 found.least >= found.target);
  }
  return right;
}

}  // namespace bench
