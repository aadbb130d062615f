// SPDX-License-Identifier: Apache-2.0
#pragma once

// A serial loop over arrays that follows the documentation of iterate_until, and comparisons with
// it.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tropic/generators.hpp>
#include <tropic/tropic.hpp>

#include "backends/buckets.hpp"
#include "support/cases.hpp"

namespace tropic::testing {

inline constexpr const char* graphs_of_loops[] = {"grid:9", "grid:40", "path",     "star",
                                                  "none",   "kron:7",  "urand:9:4"};

template <class T>
using sparse = std::vector<std::optional<T>>;

// One loop, and its effect on arrays.
template <class T>
struct loop {
  index_t n = 0;
  std::vector<std::uint32_t> from, to;
  std::vector<T> weight;
  std::function<T(T, T)> add;
  std::function<T(index_t, T, T)> multiply;  // (k, u(k), A(k, j))
  std::function<bool(T, T)> improves{};
  std::function<bool(T)> keep{};
  index_t max_rounds = std::numeric_limits<index_t>::max();
  std::optional<T> bucket_width{};

  sparse<T> w, frontier, beyond;
  sparse<index_t> rounds;
  std::vector<sparse<T>> changes;
  index_t done = 0;

  void run() {
    beyond.resize(w.size());
    rounds.resize(w.size());
    if (bucket_width) return run_in_buckets();
    run_rounds();
  }

  // The lowest bucket that holds an entry, until none of its values changes.
  void run_in_buckets() {
    sparse<T> waiting = frontier;
    frontier.assign(w.size(), {});
    while (done < max_rounds &&
           std::ranges::any_of(waiting, [](const auto& x) { return x.has_value(); })) {
      std::optional<T> least;
      for (const auto& x : waiting)
        if (x && (!least || *x < *least)) least = x;
      const auto width = static_cast<double>(*bucket_width);
      const T end = static_cast<T>((std::floor(static_cast<double>(*least) / width) + 1) * width);
      keep = [end](T x) { return x < end; };
      for (std::size_t j = 0; j < w.size(); ++j) {
        if (!waiting[j] || !keep(*waiting[j])) continue;
        if (*waiting[j] == *w[j]) frontier[j] = waiting[j];
        waiting[j].reset();
      }
      beyond = waiting;
      run_rounds();
      waiting = beyond;
    }
    for (std::size_t j = 0; j < w.size(); ++j)
      if (waiting[j] && *waiting[j] == *w[j]) frontier[j] = waiting[j];
    beyond.assign(w.size(), {});
  }

  void run_rounds() {
    while (done < max_rounds &&
           std::ranges::any_of(frontier, [](const auto& f) { return f.has_value(); })) {
      sparse<T> sums(w.size()), next(w.size());
      for (std::size_t e = 0; e < from.size(); ++e) {
        if (!frontier[from[e]]) continue;
        const T product = multiply(from[e], *frontier[from[e]], weight[e]);
        std::optional<T>& sum = sums[to[e]];
        sum = sum ? add(*sum, product) : product;
      }
      ++done;
      sparse<T> changed(w.size());
      for (std::size_t j = 0; j < w.size(); ++j) {
        if (!sums[j] || (w[j] && !(improves && improves(*sums[j], *w[j])))) continue;
        w[j] = changed[j] = sums[j];
        rounds[j] = done;
        (!keep || keep(*sums[j]) ? next : beyond)[j] = sums[j];
      }
      frontier = next;
      if (std::ranges::any_of(changed, [](const auto& x) { return x.has_value(); }))
        changes.push_back(changed);
    }
  }

  // iterate_back over these changes.
  std::vector<T> back(std::vector<T> x, const std::function<T(T, T)>& give,
                      const std::function<T(T, T)>& take) const {
    for (std::size_t k = changes.size(); k-- > 1;) {
      sparse<T> part(x.size()), sums(x.size());
      for (std::size_t j = 0; j < x.size(); ++j)
        if (changes[k][j]) part[j] = give(*changes[k][j], x[j]);
      for (std::size_t e = 0; e < from.size(); ++e) {
        if (!part[to[e]] || !changes[k - 1][from[e]]) continue;
        const T product = weight[e] * *part[to[e]];
        std::optional<T>& sum = sums[from[e]];
        sum = sum ? *sum + product : product;
      }
      for (std::size_t i = 0; i < x.size(); ++i)
        if (sums[i]) x[i] = take(*sums[i], *changes[k - 1][i]);
    }
    return x;
  }
};

template <class T>
sparse<T> entries_of(const vector<T>& v) {
  sparse<T> all(static_cast<std::size_t>(v.size()));
  for (const auto& e : v.entries()) all[static_cast<std::size_t>(e.index)] = e.value;
  return all;
}
template <class T>
vector<T> make(const context& where, const sparse<T>& from) {
  vector<T> result(where, static_cast<index_t>(from.size()));
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i]) result.set(static_cast<index_t>(i), *from[i]);
  return result;
}

// w and the frontier alone, without the numbers of rounds, which makes the loop take other ways.
template <class T, class Semiring>
void check_alone_on(const context& where, loop<T> l, const Semiring& semiring,
                    const iterate_options<T>& given, const std::string& what) {
  const auto a = matrix<T>::from_entries(where, l.n, l.n, l.from, l.to, l.weight);
  vector<T> w = make(where, l.w), frontier = make(where, l.frontier);
  l.run();
  iterate_options<T> options = given;
  options.max_rounds = l.max_rounds;
  options.bucket_width = l.bucket_width;
  EXPECT_EQ(iterate_until(w, semiring, frontier, a, options), l.done) << what;
  EXPECT_EQ(entries_of(w), l.w) << what;
  EXPECT_EQ(entries_of(frontier), l.frontier) << what << ": frontier";
}

// Where w has all entries from the start, as a full vector, and without the numbers of the rounds:
// both make the loop take other ways, too.
template <class T, class Semiring>
void check_full_on(const context& where, loop<T> l, const Semiring& semiring,
                   const iterate_options<T>& given, const std::string& what) {
  const auto a = matrix<T>::from_entries(where, l.n, l.n, l.from, l.to, l.weight);
  vector<T> w(where, l.n, T{}), frontier = make(where, l.frontier);
  for (index_t j = 0; j < l.n; ++j) w.set(j, l.w[static_cast<std::size_t>(j)].value());
  l.run();
  iterate_options<T> options = given;
  options.max_rounds = l.max_rounds;
  options.bucket_width = l.bucket_width;
  EXPECT_EQ(iterate_until(w, semiring, frontier, a, options), l.done) << what;
  EXPECT_EQ(entries_of(w), l.w) << what;
  EXPECT_EQ(entries_of(frontier), l.frontier) << what << ": frontier";
}

template <class T, class Semiring>
void check_on(const context& where, loop<T> l, const Semiring& semiring,
              const iterate_options<T>& given, const std::string& what) {
  const auto a = matrix<T>::from_entries(where, l.n, l.n, l.from, l.to, l.weight);
  vector<T> w = make(where, l.w), frontier = make(where, l.frontier), beyond(where, l.n);
  vector<index_t> rounds(where, l.n);
  const vector<T> also = w;  // who else holds it sees no change
  const sparse<T> before = l.w;
  l.run();
  iterate_options<T> options = given;
  options.max_rounds = l.max_rounds;
  if (l.keep && !l.bucket_width) options.beyond = &beyond;
  options.rounds = &rounds;
  options.bucket_width = l.bucket_width;
  EXPECT_EQ(iterate_until(w, semiring, frontier, a, options), l.done) << what;
  EXPECT_EQ(entries_of(w), l.w) << what;
  EXPECT_EQ(w.nvals(), std::ranges::count_if(l.w, [](const auto& x) { return x.has_value(); }))
      << what;
  EXPECT_EQ(entries_of(frontier), l.frontier) << what << ": frontier";
  EXPECT_EQ(entries_of(rounds), l.rounds) << what << ": rounds";
  EXPECT_EQ(entries_of(beyond), l.beyond) << what << ": beyond";
  EXPECT_EQ(entries_of(also), before) << what << ": a copy";
}

// A vertex with edges to 9,000 others, more than an owner's messages have room for.
inline const std::map<std::string, std::uint32_t> hub_of{{"grid:131", 80 * 131 + 60}};

template <class T>
loop<T> loop_over(const std::string& spec, unsigned seed) {
  loop<T> l;
  dice random(seed);
  const auto add = [&](index_t i, index_t j) {
    l.from.push_back(static_cast<std::uint32_t>(i));
    l.to.push_back(static_cast<std::uint32_t>(j));
    l.weight.push_back(static_cast<T>(1 + random.roll(9)));
  };
  if (spec == "path") {  // more rounds than one launch runs
    l.n = 1300;
    for (index_t i = 0; i + 1 < l.n; ++i) add(i, i + 1);
  } else if (spec == "star") {  // more edges than one launch takes, and then one per round
    l.n = 5000;
    for (index_t i = 1; i < l.n; ++i) add(0, i), add(i, i % 70);
  } else if (spec == "wide star") {  // rows that threads share
    l.n = 30000;
    for (index_t i = 1; i < l.n; ++i) add(0, i), add(i, i % 3);
  } else if (spec == "none") {
    l.n = 40;
  } else {
    const io::coordinates result = generate(spec);
    l.n = result.rows;
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::size_t e = 0; e < result.row.size(); ++e)
      edges.emplace(result.row[e], result.column[e]);
    for (const auto& [i, j] : edges) add(i, j);
    if (const auto hub = hub_of.find(spec); hub != hub_of.end())
      for (index_t j = 0; j < 9000; ++j)
        if (!edges.contains({hub->second, static_cast<std::uint32_t>(j)})) add(hub->second, j);
  }
  l.w.resize(static_cast<std::size_t>(l.n));
  l.frontier = l.w;
  return l;
}

template <class T>
void bound(loop<T>& l) {
  l.add = [](T x, T y) { return std::min(x, y); };
  l.multiply = [](index_t, T x, T y) { return arithmetic::tropical_plus(x, y); };
  l.improves = [](T x, T y) { return x < y; };
}

}  // namespace tropic::testing
