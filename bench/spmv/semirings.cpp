// SPDX-License-Identifier: Apache-2.0

// The cost of semirings relative to plus_times over values of the same width: min_plus, or_and over
// bytes, and a semiring given as text.

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
};

/// Semirings of equal width, plus_times first.
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
  return all;
}

}  // namespace

bool semirings(const settings& s) {
  const device on(s.device);
  fmt::print("{} ({}): ratios are the time of plus_times divided by that of the semiring\n",
             s.device, on.runtime->traits().name);
  const std::vector<std::string> kernels =
      s.kernels.empty() ? std::vector<std::string>{"csr_segmented", "csr_vector"} : s.kernels;
  csv file(s.output, "matrix,kernel,semiring,microseconds,ratio");
  bool right = true;
  // The minimum ratio of each semiring and kernel, and its matrix.
  std::map<std::string, std::pair<double, std::string>> minima;
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
          if (&one == &all.front()) continue;
          auto& [ratio, where] = minima[one.name + ", " + kernel];
          if (where.empty() || 1 / one.ratio < ratio) {
            ratio = 1 / one.ratio;
            where = name;
          }
        }
        std::fflush(stdout);
      }
    }
  }
  fmt::print("\n");
  for (const auto& [what, found] : minima)
    print_target(what + ", the minimum, " + found.second, found.first, ">= 0.95",
                 found.first >= 0.95);
  return right;
}

}  // namespace bench
