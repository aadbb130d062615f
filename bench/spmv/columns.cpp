// SPDX-License-Identifier: Apache-2.0

// Products with full matrices of some columns compared with cuSPARSE's SpMM, both row-major.

#include "cusparse.hpp"
#include "full_product.hpp"
#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {

bool columns(const settings& s) {
  const device on(s.device);
  const auto baseline = on.is_cuda() ? cusparse::open() : nullptr;
  csv file(s.output, "matrix,entries,type,columns,entrant,us");
  bool right = true;
  for (const std::string& type : s.types.empty() ? std::vector<std::string>{"fp32"} : s.types) {
    fmt::print(
        "C = A B over plus_times, {}, B full; times in us, the ratio is the better time of "
        "cuSPARSE "
        "divided by Tropic's\n{:<24} {:>10} {:>7} {:>10} {:>10} {:>6}\n",
        type, "matrix", "entries", "columns", "cuSPARSE", "Tropic", "ratio");
    geometric_mean all;
    double least = 0;
    for (const std::string& name : s.all_matrices()) {
      const product p(on, matrix_named(name, s.shrink), semiring_named("plus_times", type));
      for (const int k : s.columns) {
        full_product wide(p, k);
        std::vector<entrant> entrants;
        if (baseline != nullptr) entrants = baseline->entrants(wide);
        entrants.push_back(
            {"tropic", [&](int calls) { wide.run(calls); }, [&] { return wide.is_right(); }});
        check(entrants);
        measure(entrants, s.batches);
        double best = 0;
        for (const entrant& one : entrants) {
          right = right && one.right;
          file.line("{},{},{},{},{},{:.3f}\n", name, p.entries(), type, k, one.name,
                    one.seconds * 1e6);
          if (!one.right) fmt::print("{}: the result of {} is wrong\n", name, one.name);
          if (&one != &entrants.back() && (best == 0 || one.seconds < best)) best = one.seconds;
        }
        const double ours = entrants.back().seconds, ratio = best / ours;
        fmt::print("{:<24} {:>10} {:>7} {:>10.1f} {:>10.1f} {:>6}\n",
                   name.substr(name.rfind('/') + 1), p.entries(), k, best * 1e6, ours * 1e6,
                   best > 0 ? fmt::format("{:.2f}", ratio) : "-");
        std::fflush(stdout);
        if (best == 0) continue;
        all.add(ratio);
        least = least == 0 ? ratio : std::min(least, ratio);
      }
    }
    if (all.empty()) continue;
    print_target("geometric mean", all.value(), ">= 1", all.value() >= 1);
    print_target("least", least, ">= 0.85", least >= 0.85);
  }
  return right;
}

}  // namespace bench
