// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tropic_bench_spmv can do, each mode in a file of its own. Each returns whether every result
// was right; that a bar is missed is only printed.

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
  bool list = false, semirings = false, strips = false, startup = false, startup_child = false;
  std::int64_t shrink = 1;
  patience how;

  /// Those named and those of the sets; `fallback`, or the set of all, where there are none.
  std::vector<std::string> all_matrices(const std::vector<std::string>& fallback = {}) const;
  std::vector<std::string> all_types() const;
};

bool list(const settings&);       // the matrices, without a device
bool race(const settings&);       // kernels beside cuSPARSE
bool semirings(const settings&);  // others beside plus_times of the same width
bool strips(const settings&);     // rows in strips beside other formats, and what these cost
bool sweep(const settings&);      // csr_segmented by its items or tiles
bool startup(const settings&, const std::string& own_path);  // what the first use costs
bool startup_child(const settings&);

/// A line of CSV at a time; nowhere where no file is named.
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

/// A column of factors.
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

inline void print_bar(std::string_view what, double found, std::string_view bar, bool met) {
  fmt::print("  {:<72} {:>7.3f}  {:<8} {}\n", what, found, bar, met ? "met" : "missed");
}

}  // namespace bench
