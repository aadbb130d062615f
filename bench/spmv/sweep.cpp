// SPDX-License-Identifier: Apache-2.0

// The paper's figures 7 and 8: the speed of csr_segmented by W, the entries per work-item, or by S,
// the tiles per subgroup, with defaults for the other constants. tropic_bench_plot draws the CSV.

#include <map>

#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {

bool sweep(const settings& s) {
  constexpr int last = 16;
  const device on(s.device);
  fmt::print("{} ({}): csr_segmented by {}, GFlop/s (two operations per entry)\n", s.device,
             on.runtime->traits().name, s.sweep);
  csv file(s.output, "constant,value,series,panel,gflops");
  bool right = true;
  // For the harmonic mean, by type: sums of reciprocals in the order of `all` below.
  std::map<std::string, std::vector<double>> reciprocals;
  std::vector<std::string> series;
  const std::vector<std::string> names =
      s.all_matrices({"paper:ship", "paper:economics", "paper:webbase", "paper:dc2"});
  for (const std::string& name : names) {
    const csr matrix = matrix_named(name, s.shrink);
    for (const std::string& type : s.all_types()) {
      product p(on, matrix, semiring_named(s.semiring, type));
      std::vector<entrant> all;
      for (const std::string rows : {"direct", "speculate"})
        for (int value = 1; value <= last; ++value) {
          const std::string kernel =
              fmt::format("csr_segmented:{}={},rows={}", s.sweep, value, rows);
          all.push_back({rows, [&p, kernel](int calls) { p.run(kernel, calls); },
                         [&p] { return p.is_right(); }});
        }
      check(all);
      measure(all, s.batches);
      auto& sums = reciprocals[type];
      sums.resize(all.size());
      series.clear();
      fmt::print("{} {}\n  {:<10}", name, type, s.sweep);
      for (int value = 1; value <= last; ++value) fmt::print("{:>7}", value);
      for (std::size_t k = 0; k < all.size(); ++k) {
        const int value = static_cast<int>(k % last) + 1;
        const double speed = 2 * static_cast<double>(p.entries()) / all[k].seconds / 1e9;
        if (value == 1) fmt::print("\n  {:<10}", all[k].name);
        fmt::print("{:>7.{}f}", speed, speed < 10 ? 2 : 1);
        if (!all[k].right) fmt::print(" WRONG");
        right = right && all[k].right;
        sums[k] += 1 / speed;
        series.push_back(all[k].name);
        const std::string label =
            published_shape(name) ? std::string(published_shape(name)->name) : name;
        file.line("{},{},{} {},{},{:.4f}\n", s.sweep, value, label, all[k].name, type, speed);
      }
      fmt::print("\n");
      std::fflush(stdout);
    }
  }
  for (const auto& [type, sums] : reciprocals) {
    fmt::print("harmonic mean {}", type);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const int value = static_cast<int>(k % last) + 1;
      const double speed = static_cast<double>(names.size()) / sums[k];
      if (value == 1) fmt::print("\n  {:<10}", series[k]);
      fmt::print("{:>7.{}f}", speed, speed < 10 ? 2 : 1);
      file.line("{},{},harmonic mean {},{},{:.4f}\n", s.sweep, value, series[k], type, speed);
    }
    fmt::print("\n");
  }
  return right;
}

}  // namespace bench
