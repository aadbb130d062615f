// SPDX-License-Identifier: Apache-2.0
#pragma once

// Products of sparse matrices on a device and, for comparison, on the CPU with one thread.

#include <cstdint>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/mxm/mxm_limits.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {

struct entries {
  std::vector<std::uint32_t> row, column;
  std::vector<double> value;

  void add(index_t i, index_t j, double x) {
    row.push_back(static_cast<std::uint32_t>(i));
    column.push_back(static_cast<std::uint32_t>(j));
    value.push_back(x);
  }
  matrix<double> in(const context& where, index_t rows, index_t columns) const {
    return matrix<double>::from_entries(where, rows, columns, row, column, value, duplicates::last);
  }
};

inline entries scattered(index_t rows, index_t columns, int count, std::uint64_t seed) {
  dice random(seed);
  entries result;
  for (int n = 0; n < count; ++n)
    result.add(random.roll(static_cast<int>(rows)), random.roll(static_cast<int>(columns)),
               1 + random.roll(1000) / 7.0);
  return result;
}

class MxmOnDevice : public OnContext {
 protected:
  const context& host() const { return host_; }
  detail::mxm_limits& limits() { return *mxm_limits_of(where()); }

  // plus_times over fp64, so that another order of sums shows in their bits.
  static matrix<double> product(const context& there, const entries& a, const entries& b,
                                index_t rows, index_t inner, index_t columns) {
    matrix<double> c(there, rows, columns);
    mxm(c, plus_times<double>{}, a.in(there, rows, inner), b.in(there, inner, columns));
    return c;
  }
  std::string differs(const entries& a, const entries& b, index_t rows, index_t inner,
                      index_t columns) const {
    return difference(read(product(host(), a, b, rows, inner, columns).base()),
                      read(product(where(), a, b, rows, inner, columns).base()));
  }

 private:
  context host_ = context::cpu({.threads = 1});
};

}  // namespace tropic::testing
