// SPDX-License-Identifier: Apache-2.0
#pragma once

// The modes of tropic_bench_spmv, each in a file of its own. They return whether every result was
// right; a missed target is only printed.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "product.hpp"

namespace bench {

struct settings {
  std::string device = "cuda:0", data = "data", semiring = "plus_times", sweep, output;
  std::vector<std::string> sets, matrices, types, kernels;
  bool list = false, semirings = false, strips = false, plan = false, startup = false,
       startup_child = false;
  std::vector<int> columns;
  std::int64_t shrink = 1;
  batch_options batches;

  /// The given matrices and those of the given sets; by default `fallback`, or the set `all`.
  std::vector<std::string> all_matrices(const std::vector<std::string>& fallback = {}) const;
  std::vector<std::string> all_types() const;
};

bool list(const settings&);       // the matrices, without a device
bool race(const settings&);       // kernels compared with cuSPARSE
bool semirings(const settings&);  // compared with plus_times of the same width
bool strips(const settings&);     // strips of rows compared with other formats, and their costs
bool planned(const settings&);    // planned products compared with cuSPARSE
bool columns(const settings&);    // products with full matrices compared with cuSPARSE
bool sweep(const settings&);      // csr_segmented over its items or tiles
bool startup(const settings&, const std::string& program_path);  // the cost of first uses
bool startup_child(const settings&);

/// Writes lines of CSV; discards them if `path` is empty.
class csv {
 public:
  csv(const std::string& path, std::string_view heading);
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    if (file_) {
      fmt::print(file_.get(), format, std::forward<Values>(values)...);
      std::fflush(file_.get());
    }
  }

 private:
  struct closer {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::unique_ptr<std::FILE, closer> file_;
};

class geometric_mean {
 public:
  void add(double factor) {
    sum_ += std::log(factor);
    ++count_;
  }
  bool empty() const { return count_ == 0; }
  double value() const { return std::exp(sum_ / count_); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

inline void print_target(std::string_view what, double found, std::string_view target, bool met) {
  fmt::print("  {:<72} {:>7.3f}  {:<8} {}\n", what, found, target, met ? "met" : "missed");
}

}  // namespace bench
