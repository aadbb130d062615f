// SPDX-License-Identifier: Apache-2.0

// Products whose rows end early, under a mask that leaves many rows out, of a vector with gaps, as
// in a traversal: against a serial loop. Sizes on both sides of a group's block, several rows a
// work-item, empty rows, few entries of u, and rows that end so late that a subgroup shares them.
// The same by pushing, whose sums are counted as they are made.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

struct graph {
  index_t n;
  std::vector<std::uint32_t> row, column;
  std::vector<std::uint8_t> visited, in_u;

  // Columns with a remainder of 2 are in u. A third of the rows is empty, and every 500th is long:
  // it meets u in its last entries, or not at all.
  explicit graph(index_t size, dice& random) : n(size) {
    visited.resize(as_size(n));
    in_u.resize(as_size(n));
    for (index_t i = 0; i < n; ++i) {
      visited[as_size(i)] = random.roll(3) == 1;
      in_u[as_size(i)] = i % 5 == 2;
      if (i % 3 == 0) continue;
      if (i % 500 == 1 && n > 1000) {
        const index_t entries = 60 + random.roll(n > 10'000 ? 900 : 140);
        for (index_t k = 0; k < entries; ++k) add(i, 5 * k);
        if (random.roll(2) == 0) continue;
        add(i, 5 * entries + 2);
        for (index_t k = entries + 2 + random.roll(40); 5 * k + 2 < n && k < entries + 90; ++k)
          add(i, 5 * k + 2);
        continue;
      }
      const int entries = random.roll(7);
      index_t at = -1;
      for (int k = 0; k < entries && at + 1 < n; ++k) {
        at += 1 + random.roll(static_cast<int>(std::max<index_t>(n / 8, 1)));
        if (at < n) add(i, at);
      }
    }
  }

  // Leaves some eight columns at most in u, far apart.
  void thin_out() {
    for (index_t i = 0; i < n; ++i)
      if (i % 300 != 297) in_u[as_size(i)] = 0;
  }

  template <class T>
  matrix<T> as_matrix(const context& where, bool transposed) const {
    const std::vector<T> ones(row.size(), T{1});
    return transposed ? matrix<T>::from_entries(where, n, n, column, row, ones, duplicates::first)
                      : matrix<T>::from_entries(where, n, n, row, column, ones, duplicates::first);
  }
  template <class T>
  vector<T> vector_of(const context& where, const std::vector<std::uint8_t>& flags) const {
    std::vector<std::uint32_t> at;
    for (index_t i = 0; i < n; ++i)
      if (flags[as_size(i)] != 0) at.push_back(static_cast<std::uint32_t>(i));
    const std::vector<T> ones(at.size(), T{1});
    return vector<T>::from_entries(where, n, at, ones);
  }
  // The first column of u in a row that the mask includes; -1: there is none.
  std::vector<index_t> first_columns(bool masked) const {
    std::vector<index_t> result(as_size(n), -1);
    for (std::size_t e = 0; e < row.size(); ++e) {
      index_t& first = result[row[e]];
      if (in_u[column[e]] == 0 || (masked && visited[row[e]] != 0)) continue;
      if (first < 0 || column[e] < first) first = column[e];
    }
    return result;
  }

 private:
  static std::size_t as_size(index_t i) { return static_cast<std::size_t>(i); }
  void add(index_t i, index_t j) {
    row.push_back(static_cast<std::uint32_t>(i));
    column.push_back(static_cast<std::uint32_t>(j));
  }
};

constexpr index_t sizes[] = {1, 15, 64, 65, 1023, 2000, 40'000};

class WantedRows : public OnContext {
 protected:
  bool is_device() const { return where().name().find(':') != std::string::npos; }
  // By the default on the CPU, whose kernels have other names.
  std::optional<plan> by(const char* kernel) const {
    return is_device() ? std::optional<plan>(plan{.kernel = kernel}) : std::nullopt;
  }
  template <class T>
  void expect(const vector<T>& w, const std::vector<index_t>& firsts, bool positions,
              const std::string& what) {
    index_t entries = 0;
    for (const index_t first : firsts) entries += first >= 0;
    ASSERT_EQ(w.nvals(), entries) << what;
    const auto found = w.to_sparse();
    ASSERT_EQ(static_cast<index_t>(found.indices.size()), entries) << what;
    for (std::size_t k = 0; k < found.indices.size(); ++k) {
      const index_t first = firsts[found.indices[k]];
      ASSERT_EQ(static_cast<index_t>(found.values[k]), positions ? first : first >= 0)
          << what << ", row " << found.indices[k];
    }
  }
};

TEST_P(WantedRows, EndAtTheirFirstEntry) {
  dice random(base_seed());
  for (const index_t n : sizes) {
    graph g(n, random);
    if (n == 2000) g.thin_out();
    const auto visited = g.vector_of<std::int64_t>(where(), g.visited);
    for (const bool masked : {true, false}) {
      const std::string what = std::to_string(n) + " rows, " + (masked ? "masked" : "all");
      const auto firsts = g.first_columns(masked);
      for (const char* kernel : {"csr_vector", "push"}) {
        const auto chosen = by(kernel);
        const plan* const forced = chosen ? &*chosen : nullptr;
        {
          // Whose products are those of a column with a row: k is the column.
          vector<index_t> w(where(), n);
          const auto a = g.as_matrix<index_t>(where(), true);
          const auto u = g.vector_of<index_t>(where(), g.in_u);
          if (masked)
            vxm(w, min_secondi<index_t, index_t>{}, u, a,
                {.mask = complement(structure(visited)), .plan = forced});
          else
            vxm(w, min_secondi<index_t, index_t>{}, u, a, {.plan = forced});
          expect(w, firsts, true, what + ", first, " + kernel + seed_trace());
        }
        vector<bool> w(where(), n);
        const auto a = g.as_matrix<bool>(where(), false);
        const auto u = g.vector_of<bool>(where(), g.in_u);
        if (masked)
          mxv(w, or_and<bool>{}, a, u, {.mask = complement(structure(visited)), .plan = forced});
        else
          mxv(w, or_and<bool>{}, a, u, {.plan = forced});
        expect(w, firsts, false, what + ", or, " + kernel + seed_trace());
      }
    }
  }
}

TROPIC_ON_EVERY_CONTEXT(WantedRows);

}  // namespace
}  // namespace tropic::testing
