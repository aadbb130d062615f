// SPDX-License-Identifier: Apache-2.0

// The cost of semirings relative to plus_times: min_plus, or_and over bytes and a semiring given as
// text, compared over values of the same width; plus_second and min_second, which read no values of
// the matrix, and or_and and xor_and over patterns by csr_bits, compared with fp32.

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
  double target = 0.93;  // the least ratio; 0: none
  boolean_contents of = {};
  std::string kernel = {};  // empty: that of the others
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
                 {"min_second fp32", semiring_named("min_second", "fp32"), 1.2}});
  // Over patterns; those that may end early also by the kernel that is chosen for them.
  const auto or_and = semiring_named("or_and", "bool"), xor_and = semiring_named("xor_and", "bool");
  all.push_back({{"plus_times fp32", semiring_named("plus_times", "fp32")},
                 {"or_and, none true", or_and, 3, {true, 0}, "csr_bits"},
                 {"or_and, 1 of 64 true", or_and, 0, {true, 64}, "csr_bits"},
                 {"or_and, 1 of 64 true, csr_vector", or_and, 0, {true, 64}, "csr_vector"},
                 {"or_and, 1 of 2 true", or_and, 0, {true, 2}, "csr_bits"},
                 {"or_and, 1 of 2 true, csr_vector", or_and, 0, {true, 2}, "csr_vector"},
                 {"xor_and, 1 of 2 true", xor_and, 3, {true, 2}, "csr_bits"}});
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
      if (!s.semiring.empty() && std::ranges::none_of(width, [&](const rival& one) {
            return one.name.starts_with(s.semiring);
          }))
        continue;
      std::deque<product> products;
      for (const rival& one : width) products.emplace_back(on, matrix, one.semiring, one.of);
      for (const std::string& kernel : kernels) {
        std::vector<entrant> all;
        for (std::size_t k = 0; k < width.size(); ++k) {
          product& p = products[k];
          const std::string by = width[k].kernel.empty() ? kernel : width[k].kernel;
          all.push_back({width[k].name, [&p, by](int calls) { p.run(by, calls); },
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
    if (found.target == 0) continue;
    if (found.target < 1) print_target(what + ", geometric mean", mean, ">= 0.97", mean >= 0.97);
    print_target(what + ", least, " + found.matrix, found.least, fmt::format(">= {}", found.target),
                 found.least >= found.target);
  }
  return right;
}

}  // namespace bench
