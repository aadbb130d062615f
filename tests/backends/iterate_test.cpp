// SPDX-License-Identifier: Apache-2.0

// iterate_until on every context against a serial loop over arrays that follows its documentation:
// many rounds of a small frontier, rounds too large for one launch, rows that all work-items share,
// w full, as a bitmap or with a few entries, also with shared buffers.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include <tropic/generators.hpp>
#include <tropic/read_matrix.hpp>
#include <tropic/tropic.hpp>

#include "backends/buckets.hpp"
#include "backends/cpu/rounds/sharing.hpp"
#include "backends/cpu/rounds/spinning_barrier.hpp"
#include "containers/context_state.hpp"
#include "containers/derived_copies.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

TROPIC_BINARY_OPERATOR(grows_below_200, x > y && x < 200);

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

// The entries that each round changes, which makes the loop take other ways.
template <class T, class Semiring>
void check_changes_on(const context& where, loop<T> l, const Semiring& semiring,
                      const iterate_options<T>& given, const std::string& what) {
  const auto a = matrix<T>::from_entries(where, l.n, l.n, l.from, l.to, l.weight);
  vector<T> w = make(where, l.w), frontier = make(where, l.frontier);
  std::vector<vector<T>> changes;
  l.run();
  iterate_options<T> options = given;
  options.max_rounds = l.max_rounds;
  options.bucket_width = l.bucket_width;
  options.changes = &changes;
  EXPECT_EQ(iterate_until(w, semiring, frontier, a, options), l.done) << what;
  EXPECT_EQ(entries_of(w), l.w) << what;
  ASSERT_EQ(changes.size(), l.changes.size()) << what;
  for (std::size_t k = 0; k < changes.size(); ++k)
    ASSERT_EQ(entries_of(changes[k]), l.changes[k]) << what << ": change " << k;
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

class Iterate : public OnContext {
 protected:
  template <class T, class Semiring>
  void check(const loop<T>& l, const Semiring& semiring, const iterate_options<T>& given,
             const std::string& what) {
    check_on(where(), l, semiring, given, what);
  }
};

// A vertex with edges to 9,000 others, more than an owner's messages have room for.
const std::map<std::string, std::uint32_t> hub_of{{"grid:131", 80 * 131 + 60}};

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

constexpr const char* specs[] = {"grid:9", "grid:40", "path",     "star",
                                 "none",   "kron:7",  "urand:9:4"};

TEST_P(Iterate, InsertsMissingPositions) {
  for (const char* spec : specs) {
    auto l = loop_over<index_t>(spec, 3);
    l.add = [](index_t x, index_t y) { return std::min(x, y); };
    l.multiply = [](index_t k, index_t, index_t) { return k; };
    l.w[1] = l.frontier[1] = 1;
    l.w[0] = 0;
    l.frontier[0] = 0;
    check(l, min_secondi<index_t, index_t>{}, {}, spec);
    l.w[1].reset();
    l.w[4] = 7;
    l.max_rounds = 3;
    check(l, min_secondi<index_t, index_t>{}, {}, std::string(spec) + ", three rounds");
  }
}

template <class T>
void bound(loop<T>& l) {
  l.add = [](T x, T y) { return std::min(x, y); };
  l.multiply = [](index_t, T x, T y) { return arithmetic::tropical_plus(x, y); };
  l.improves = [](T x, T y) { return x < y; };
}

TEST_P(Iterate, ImprovesExistingValues) {
  for (const char* spec : specs) {
    auto whole = loop_over<std::int32_t>(spec, 5);
    bound(whole);
    for (auto& x : whole.w) x = arithmetic::largest<std::int32_t>();
    whole.w[0] = whole.frontier[0] = 0;
    check(whole, min_plus<std::int32_t>{}, {.improves = less{}}, std::string(spec) + ", int32");
    auto real = loop_over<float>(spec, 6);
    bound(real);
    real.w[2] = real.frontier[2] = 0;
    real.w[3] = 1.5f;
    check(real, min_plus<float>{}, {.improves = less{}}, std::string(spec) + ", fp32");
    auto small = loop_over<std::uint8_t>(spec, 7);  // four sums per word
    bound(small);
    small.w[2] = small.frontier[2] = 0;
    check(small, min_plus<std::uint8_t>{}, {.improves = less{}}, std::string(spec) + ", uint8");
  }
}

TEST_P(Iterate, KeepsTheEntriesOfItsPredicate) {
  for (const char* spec : specs) {
    auto l = loop_over<double>(spec, 8);
    bound(l);
    for (auto& x : l.w) x = arithmetic::largest<double>();
    l.w[0] = l.frontier[0] = 0;
    l.keep = [](double x) { return x < 21.5; };
    check(l, min_plus<double>{}, {.improves = less{}, .keep = bind_second(less{}, 21.5)}, spec);
    auto grown = loop_over<std::int64_t>(spec, 9);
    grown.add = [](std::int64_t x, std::int64_t y) { return std::max(x, y); };
    grown.multiply = [](index_t, std::int64_t x, std::int64_t y) { return x + y; };
    grown.improves = [](std::int64_t x, std::int64_t y) { return x > y && x < 200; };
    grown.keep = [](std::int64_t x) { return x > 3; };
    grown.w[0] = grown.frontier[0] = 0;
    grown.max_rounds = 60;
    check(grown, max_plus<std::int64_t>{},
          {.improves = grows_below_200{}, .keep = bind_second(greater{}, std::int64_t{3})},
          std::string(spec) + ", max_plus");
    auto sums = loop_over<double>(spec, 10);  // of whole numbers, exact in every order
    sums.add = [](double x, double y) { return x + y; };
    sums.multiply = [](index_t, double x, double y) { return x * y; };
    sums.keep = [](double x) { return x < 50; };
    sums.w[0] = sums.frontier[0] = 1;
    check(sums, plus_times<double>{}, {.keep = bind_second(less{}, 50.0)},
          std::string(spec) + ", plus_times");
  }
}

TEST_P(Iterate, TakesBucketsInOrder) {
  for (const char* spec : specs)
    for (const index_t max_rounds : {std::numeric_limits<index_t>::max(), index_t{5}}) {
      auto whole = loop_over<std::int64_t>(spec, 5);
      bound(whole);
      for (auto& x : whole.w) x = arithmetic::largest<std::int64_t>();
      whole.w[0] = whole.frontier[0] = 0;
      whole.w[3] = whole.frontier[3] = 400;  // in a bucket far away
      whole.w[4] = whole.frontier[4] = 20;
      whole.frontier[5] = 7;  // improved since
      whole.max_rounds = max_rounds;
      for (const std::int64_t width : {1, 4, 1000}) {
        whole.bucket_width = width;
        check(whole, min_plus<std::int64_t>{}, {.improves = less{}},
              std::string(spec) + ", width " + std::to_string(width));
      }
      auto real = loop_over<double>(spec, 6);
      bound(real);
      for (auto& x : real.w) x = arithmetic::largest<double>();
      real.w[2] = real.frontier[2] = 0.1;
      real.max_rounds = max_rounds;
      real.bucket_width = 2.3;
      check(real, min_plus<double>{}, {.improves = less{}}, std::string(spec) + ", fp64");
    }
}

TEST_P(Iterate, BucketsEndWithTheirType) {
  // Sums are clamped at 254, 255 represents no path: the last bucket has no end.
  const auto a = matrix<std::uint8_t>::from_entries(
      where(), 4, 4, std::vector<std::uint32_t>{0, 1, 2}, std::vector<std::uint32_t>{1, 2, 3},
      std::vector<std::uint8_t>{200, 50, 50});
  vector<std::uint8_t> w(where(), 4, 255), frontier(where(), 4);
  w.set(0, 0);
  frontier.set(0, 0);
  EXPECT_EQ(iterate_until(w, min_plus<std::uint8_t>{}, frontier, a,
                          {.improves = less{}, .bucket_width = 100}),
            4);  // the last one finds nothing
  EXPECT_EQ(w.dense(0), (std::vector<std::uint8_t>{0, 200, 250, 254}));
}

TEST(Buckets, EndAtTheNextMultipleOfTheirWidth) {
  for (int width = 1; width <= 127; ++width)
    for (int value = -128; value <= 127; ++value) {
      int end = value + 1;
      while (end % width != 0) ++end;
      const detail::buckets<std::int8_t> buckets{static_cast<std::int8_t>(width)};
      ASSERT_EQ(buckets.end(static_cast<std::int8_t>(value)), std::min(end, 127))
          << value << " of width " << width;
    }
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(detail::buckets<std::int64_t>{1000}.end(least), least / 1000 * 1000);
  EXPECT_EQ(detail::buckets<std::uint64_t>{1000}.end(999), 1000u);
}

// The least value of a type is in the bucket that ends at the next multiple of the width.
TEST_P(Iterate, BucketsBeginWithTheirType) {
  constexpr auto least = std::numeric_limits<std::int32_t>::min();
  const auto a = matrix<std::int32_t>::from_entries(
      where(), 4, 4, std::vector<std::uint32_t>{0, 1, 2}, std::vector<std::uint32_t>{1, 2, 3},
      std::vector<std::int32_t>{5, 5, 5});
  vector<std::int32_t> w(where(), 4, 0), frontier(where(), 4);
  w.set(0, least);
  frontier.set(0, least);
  w.set(3, least + 9);
  frontier.set(3, least + 9);
  // Vertex 3 waits for its bucket, and vertex 0 for none.
  EXPECT_EQ(iterate_until(w, min_plus<std::int32_t>{}, frontier, a,
                          {.improves = less{}, .max_rounds = 1, .bucket_width = 3}),
            1);
  EXPECT_EQ(w.dense(0), (std::vector<std::int32_t>{least, least + 5, 0, least + 9}));
  EXPECT_EQ(frontier.get(3), least + 9);
  EXPECT_EQ(frontier.get(1), least + 5);
  EXPECT_EQ(frontier.nvals(), 2);
  iterate_until(w, min_plus<std::int32_t>{}, frontier, a, {.improves = less{}, .bucket_width = 3});
  EXPECT_EQ(w.dense(0), (std::vector<std::int32_t>{least, least + 5, least + 10, least + 9}));
}

// Hundreds of rounds of many buckets, in few launches.
TEST_P(Iterate, RunsTheRoundsOfManyBucketsTogether) {
  if (where().state()->device_memory == nullptr || where().name() == "fake")
    GTEST_SKIP() << "no device with memory of its own";
  auto paths = loop_over<std::int64_t>("grid:90", 5);
  bound(paths);
  for (auto& x : paths.w) x = arithmetic::largest<std::int64_t>();
  paths.w[0] = paths.frontier[0] = 0;
  paths.bucket_width = 6;
  const auto a = matrix<std::int64_t>::from_entries(where(), paths.n, paths.n, paths.from, paths.to,
                                                    paths.weight);
  vector<std::int64_t> w = make(where(), paths.w), frontier = make(where(), paths.frontier);
  where().synchronize();
  const device_traffic before = where().traffic();
  const index_t rounds = iterate_until(w, min_plus<std::int64_t>{}, frontier, a,
                                       {.improves = less{}, .bucket_width = 6});
  where().synchronize();
  EXPECT_LE(where().traffic().launches - before.launches, 30u);
  paths.run();
  EXPECT_GT(rounds, 150);
  EXPECT_EQ(rounds, paths.done);
  EXPECT_EQ(entries_of(w), paths.w);
}

// Products that are the neutral value, alone and with others, of an add that repeats nothing and of
// one that does.
TEST_P(Iterate, TakesNeutralProducts) {
  for (const char* spec : {"grid:9", "kron:7"}) {
    auto l = loop_over<std::int32_t>(spec, 5);
    bound(l);
    for (std::size_t e = 0; e < l.weight.size(); ++e)
      if (e % 3 == 0) l.weight[e] = arithmetic::largest<std::int32_t>();
    l.w[0] = l.frontier[0] = 0;
    check(l, min_plus<std::int32_t>{}, {.improves = less{}}, std::string(spec) + ", min_plus");
    auto sums = loop_over<std::int32_t>(spec, 6);
    sums.add = [](std::int32_t x, std::int32_t y) { return x + y; };
    sums.multiply = [](index_t, std::int32_t x, std::int32_t y) { return x * y; };
    for (std::size_t e = 0; e < sums.weight.size(); ++e)
      sums.weight[e] = e % 3 == 0 ? 0 : e % 3 == 1 ? 1 : -1;
    sums.w[0] = sums.frontier[0] = 1;
    check(sums, plus_times<std::int32_t>{}, {}, std::string(spec) + ", plus_times");
  }
}

// Rounds that several threads share, rows among them, and rounds that pull: the same for any number
// of threads.
TEST(IterateOnCpu, ManyEdges) {
  for (const int threads : {1, 2, 3, 7}) {
    context_options options;
    options.threads = threads;
    const context where = context::cpu(options);
    for (const char* spec : {"kron:11", "urand:12:9", "grid:90", "wide star"}) {
      const std::string what = std::string(spec) + " by " + std::to_string(threads);
      auto tree = loop_over<index_t>(spec, 3);
      tree.add = [](index_t x, index_t y) { return std::min(x, y); };
      tree.multiply = [](index_t k, index_t, index_t) { return k; };
      tree.w[1] = tree.frontier[1] = 1;
      check_on(where, tree, min_secondi<index_t, index_t>{}, {}, what);
      auto counts = tree;  // of shortest paths: sums that no first product ends
      counts.add = [](index_t x, index_t y) { return x + y; };
      counts.multiply = [](index_t, index_t x, index_t) { return x; };
      check_on(where, counts, plus_first<index_t>{}, {}, what + ", counts");
      tree.frontier[2] = tree.frontier[3] = 2;  // which w lacks
      tree.max_rounds = 2;
      check_on(where, tree, min_secondi<index_t, index_t>{}, {}, what + ", two rounds");
      auto paths = loop_over<std::int32_t>(spec, 5);
      bound(paths);
      for (auto& x : paths.w) x = arithmetic::largest<std::int32_t>();
      paths.w[0] = paths.frontier[0] = 0;
      check_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}}, what + ", paths");
      for (std::int32_t& x : paths.weight)
        if (x > 6) x *= 70;  // to buckets far away
      paths.bucket_width = 6;
      check_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}}, what + ", buckets");
      // In calls of a few rounds, each from what the last one left.
      const auto a = matrix<std::int32_t>::from_entries(where, paths.n, paths.n, paths.from,
                                                        paths.to, paths.weight);
      vector<std::int32_t> w = make(where, paths.w), frontier = make(where, paths.frontier);
      index_t done = 0;
      while (frontier.nvals() > 0)
        done += iterate_until(w, min_plus<std::int32_t>{}, frontier, a,
                              {.improves = less{}, .max_rounds = 3, .bucket_width = 6});
      paths.run();
      EXPECT_EQ(done, paths.done) << what;
      EXPECT_EQ(entries_of(w), paths.w) << what;
    }
  }
}

// How threads share rounds, until the end of a scope.
class ChosenSharing {
 public:
  explicit ChosenSharing(const detail::on_cpu::round_sharing::settings& chosen) {
    rule().choose(chosen);
  }
  ChosenSharing(const ChosenSharing&) = delete;
  ChosenSharing& operator=(const ChosenSharing&) = delete;
  ~ChosenSharing() { rule().choose(before_); }

  static detail::on_cpu::round_sharing& rule() {
    return detail::on_cpu::round_sharing::of_process();
  }

 private:
  detail::on_cpu::round_sharing::settings before_ = rule().chosen();
};

context with_threads(int threads) {
  context_options options;
  options.threads = threads;
  return context::cpu(options);
}

loop<std::int32_t> paths_over(const std::string& spec) {
  auto paths = loop_over<std::int32_t>(spec, 5);
  bound(paths);
  for (auto& x : paths.w) x = arithmetic::largest<std::int32_t>();
  paths.w[0] = paths.frontier[0] = 0;
  return paths;
}

// Hundreds of rounds of some hundred edges, which threads share by position: with and without a row
// longer than the room for messages, and in calls that end between them.
void check_many_rounds(int threads, const std::string& how) {
  const context where = with_threads(threads);
  for (const char* spec : {"grid:130", "grid:131"}) {
    const std::string what = std::string(spec) + " by " + std::to_string(threads) + how;
    auto tree = loop_over<index_t>(spec, 3);
    tree.add = [](index_t x, index_t y) { return std::min(x, y); };
    tree.multiply = [](index_t k, index_t, index_t) { return k; };
    tree.w[1] = tree.frontier[1] = 1;
    tree.w[9000] = 7;  // which no round changes
    check_on(where, tree, min_secondi<index_t, index_t>{}, {}, what);
    auto counts = tree;  // an edge taken twice shows
    counts.add = [](index_t x, index_t y) { return arithmetic::add(x, y); };
    counts.multiply = [](index_t, index_t x, index_t) { return x; };
    check_on(where, counts, plus_first<index_t>{}, {}, what + ", counts");
    check_changes_on(where, counts, plus_first<index_t>{}, {}, what + ", changes");
    tree.max_rounds = 100;
    check_on(where, tree, min_secondi<index_t, index_t>{}, {}, what + ", 100 rounds");
    auto paths = paths_over(spec);
    check_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}}, what + ", paths");
    for (const index_t rounds : {std::numeric_limits<index_t>::max(), index_t{150}}) {
      paths.max_rounds = rounds;
      paths.bucket_width = 40;
      check_on(where, paths, min_plus<std::int32_t>{}, {.improves = less{}},
               what + ", buckets, " + std::to_string(rounds) + " rounds");
    }
  }
}

TEST(IterateOnCpu, ManyRoundsOfSomeHundredEdges) {
  const ChosenSharing always({.processors = 4, .rest = 0, .edges_of_others = 256});
  for (const int threads : {1, 2, 3, 6}) check_many_rounds(threads, "");
}

// Sharing stops and starts after any round, as threads happen to wait for each other.
TEST(IterateOnCpu, ManyRoundsSharedNowAndThen) {
  using std::chrono::microseconds;
  const ChosenSharing now_and_then(
      {.processors = 4, .patience = microseconds{0}, .rest = 1, .edges_of_others = 256});
  for (const int threads : {2, 4}) check_many_rounds(threads, ", now and then");
}

TEST(IterateOnCpu, StopsSharingRoundsWhenThatIsSlow) {
  using std::chrono::microseconds;
  const ChosenSharing impatient({.processors = 2, .patience = microseconds{0}, .rest = 1 << 30});
  const auto& rule = ChosenSharing::rule();
  const auto rests = [&] { return rule.rests(detail::on_cpu::round_sharing::clock::now()); };
  const auto paths = paths_over("grid:130");
  check_on(with_threads(1), paths, min_plus<std::int32_t>{}, {.improves = less{}}, "one thread");
  EXPECT_FALSE(rests());
  check_on(with_threads(2), paths, min_plus<std::int32_t>{}, {.improves = less{}}, "two threads");
  EXPECT_TRUE(rests());
}

// The second thread comes when the first one has begun to wait, unless that was not running.
TEST(SpinningBarrier, TellsLongWaits) {
  using namespace std::chrono_literals;
  const auto waits_long_for_another = [] {
    detail::on_cpu::spinning_barrier barrier(2, 1ms);
    std::atomic<bool> begun{false};
    std::thread other([&] {
      while (!begun) std::this_thread::yield();
      std::this_thread::sleep_for(20ms);
      barrier.wait();
    });
    begun = true;
    const bool long_wait = barrier.wait();
    other.join();
    return long_wait;
  };
  bool long_wait = waits_long_for_another();
  for (int times = 0; !long_wait && times < 50; ++times) long_wait = waits_long_for_another();
  EXPECT_TRUE(long_wait);
}

TEST(RoundSharing, RestsInProportionToALoss) {
  using namespace std::chrono_literals;
  detail::on_cpu::round_sharing rule({.processors = 2, .rest = 20});
  const detail::on_cpu::round_sharing::clock::time_point start{1h};
  EXPECT_FALSE(rule.rests(start));
  rule.note_loss(-4ms, start);
  EXPECT_FALSE(rule.rests(start));
  rule.note_loss(4ms, start);
  EXPECT_TRUE(rule.rests(start + 79ms));
  EXPECT_FALSE(rule.rests(start + 80ms));
  rule.note_loss(1ms, start + 1ms);  // ends earlier
  EXPECT_TRUE(rule.rests(start + 79ms));
  rule.note_loss(1ms, start + 70ms);
  EXPECT_TRUE(rule.rests(start + 89ms));
  EXPECT_FALSE(rule.rests(start + 90ms));
  rule.choose(rule.chosen());
  EXPECT_FALSE(rule.rests(start));
}

// Of samples of 16 rounds the least counts: in another one the thread was not running for a while.
TEST(RoundSharing, ComparesWithOneThread) {
  using namespace std::chrono_literals;
  detail::on_cpu::cost_of_one_thread cost;
  for (int round = 0; round < 15; ++round) cost.add(10us, 500);
  EXPECT_FALSE(cost.is_known());
  cost.add(10us, 500);
  ASSERT_TRUE(cost.is_known());
  EXPECT_EQ(cost.loss(130us, 5000), 30us);
  EXPECT_EQ(cost.loss(70us, 5000), -30us);
  for (int round = 0; round < 16; ++round) cost.add(round == 3 ? 4ms : 10us, 500);
  EXPECT_EQ(cost.loss(130us, 5000), 30us);
  for (int round = 0; round < 16; ++round) cost.add(5us, 500);
  EXPECT_EQ(cost.loss(130us, 5000), 80us);
}

// The matrix of a directed graph is pulled by columns once pushes have cost more than a transpose.
TEST(IterateOnCpu, PullsADirectedGraphWhenThatPays) {
  const context where = context::cpu();
  auto l = loop_over<index_t>("kron:11", 3);
  for (std::size_t e = 0; e < l.from.size(); ++e)
    if (l.from[e] > l.to[e] && l.from[e] % 3 == 0) l.to[e] = (l.to[e] + 1) % 2048;
  l.add = [](index_t x, index_t y) { return std::min(x, y); };
  l.multiply = [](index_t k, index_t, index_t) { return k; };
  l.w[1] = l.frontier[1] = 1;
  const auto a =
      matrix<index_t>::from_entries(where, l.n, l.n, l.from, l.to, l.weight, duplicates::first);
  l.run();
  for (int times = 0; times < 8; ++times) {
    vector<index_t> w(where, l.n), frontier(where, l.n);
    w.set(1, 1);
    frontier.set(1, 1);
    EXPECT_EQ(iterate_until(w, min_secondi<index_t, index_t>{}, frontier, a), l.done);
    EXPECT_EQ(entries_of(w), l.w) << "time " << times;
  }
  EXPECT_NE(a.base().derived->transpose, nullptr);
}

TROPIC_BINARY_OPERATOR(first_and_twice, x + 2 * y);
TROPIC_BINARY_OPERATOR(less_second, x - y);
TROPIC_BINARY_OPERATOR(share_of, (1 + y) / x);

TEST_P(Iterate, ListsTheChangesOfEachRound) {
  for (const char* spec : {"grid:9", "kron:7", "star", "none"}) {
    auto tree = loop_over<index_t>(spec, 3);
    tree.add = [](index_t x, index_t y) { return std::min(x, y); };
    tree.multiply = [](index_t k, index_t, index_t) { return k; };
    tree.w[1] = tree.frontier[1] = 1;
    check_changes_on(where(), tree, min_secondi<index_t, index_t>{}, {}, spec);
    auto paths = loop_over<std::int32_t>(spec, 5);
    bound(paths);
    for (auto& x : paths.w) x = arithmetic::largest<std::int32_t>();
    paths.w[0] = paths.frontier[0] = 0;
    check_changes_on(where(), paths, min_plus<std::int32_t>{}, {.improves = less{}},
                     std::string(spec) + ", improving");
    paths.bucket_width = 4;
    check_changes_on(where(), paths, min_plus<std::int32_t>{}, {.improves = less{}},
                     std::string(spec) + ", buckets");
    paths.bucket_width.reset();
    paths.keep = [](std::int32_t x) { return x < 20; };
    check_changes_on(where(), paths, min_plus<std::int32_t>{},
                     {.improves = less{}, .keep = bind_second(less{}, std::int32_t{20})},
                     std::string(spec) + ", keeping");
  }
}

// Integers, whose sums have one value on every context.
TEST_P(Iterate, GoesBackThroughTheRounds) {
  using T = std::uint64_t;
  for (const char* spec : specs) {
    auto l = loop_over<T>(spec, 4);
    l.add = [](T x, T y) { return x + y; };
    l.multiply = [](index_t, T x, T) { return x; };
    l.w[1] = l.frontier[1] = 1;
    const auto a = matrix<T>::from_entries(where(), l.n, l.n, l.from, l.to, l.weight);
    vector<T> w = make(where(), l.w), frontier = make(where(), l.frontier);
    std::vector<vector<T>> changes;
    iterate_until(w, plus_first<T>{}, frontier, a, {.changes = &changes});
    vector<T> x(where(), l.n, 3);
    const vector<T> also = x;  // who else holds it sees no change
    iterate_back(x, plus_times<T>{}, a, changes, first_and_twice{}, less_second{});
    l.run();
    const auto expected = l.back(
        std::vector<T>(static_cast<std::size_t>(l.n), 3), [](T c, T y) { return c + 2 * y; },
        [](T sum, T c) { return sum - c; });
    EXPECT_EQ(x.dense(0), expected) << spec;
    EXPECT_EQ(also.dense(0), std::vector<T>(static_cast<std::size_t>(l.n), 3)) << spec;
    // Again, in an x that shares no array.
    iterate_back(x, plus_times<T>{}, a, changes, first_and_twice{}, less_second{});
    EXPECT_EQ(x.dense(0),
              l.back(
                  expected, [](T c, T y) { return c + 2 * y; }, [](T sum, T c) { return sum - c; }))
        << spec << ", again";
  }
}

TEST_P(Iterate, GoesBackOnlyWhereEverythingFits) {
  const matrix<double> a(where(), 3, 3), wide(where(), 3, 4);
  vector<double> x(where(), 3, 0.0), partial(where(), 3), longer(where(), 4, 0.0);
  const std::vector<vector<double>> changes(2, partial), others(2, longer);
  const auto back = [&](vector<double>& to, const matrix<double>& of, const auto& rounds) {
    iterate_back(to, plus_times<double>{}, of, rounds, share_of{}, times{});
  };
  EXPECT_NO_THROW(back(x, a, changes));
  EXPECT_THROW(back(x, wide, changes), usage_error);
  EXPECT_THROW(back(longer, a, changes), usage_error);
  EXPECT_THROW(back(partial, a, changes), usage_error);
  EXPECT_THROW(back(x, a, others), usage_error);
}

// Rounding shows the order of sums: the same for any number of threads, and as by one operation
// after the other.
TEST(IterateOnCpu, SumsInTheOrderOfTheFrontier) {
  for (const char* spec : {"kron:11", "kron:13", "urand:12:9", "grid:90", "wide star"}) {
    auto l = loop_over<double>(spec, 3);
    for (std::size_t e = 0; e < l.weight.size(); ++e)
      l.weight[e] = 0.1 * (1 + (l.from[e] + l.to[e]) % 9);
    l.add = [](double x, double y) { return x + y; };
    l.multiply = [](index_t, double x, double y) { return x * y; };
    l.w[1] = l.frontier[1] = 1;
    auto after = l;
    after.run();
    const auto expected = after.back(
        std::vector<double>(static_cast<std::size_t>(l.n), 0.0),
        [](double c, double y) { return (1 + y) / c; }, std::multiplies<>{});
    const std::string name = spec;
    const bool is_undirected = name != "wide star";
    for (const bool symmetric : {false, is_undirected})  // which can be pulled
      for (const int threads : {1, 2, 7}) {
        const context where = context::cpu({.threads = threads});
        const std::string what = std::string(spec) + " by " + std::to_string(threads);
        check_on(where, l, plus_times<double>{}, {}, what);
        check_changes_on(where, l, plus_times<double>{}, {}, what);
        auto a = matrix<double>::from_entries(where, l.n, l.n, l.from, l.to, l.weight);
        if (symmetric) a.assume_symmetric();
        vector<double> w = make(where, l.w), frontier = make(where, l.frontier);
        std::vector<vector<double>> changes;
        iterate_until(w, plus_times<double>{}, frontier, a, {.changes = &changes});
        EXPECT_EQ(entries_of(w), after.w) << what;
        vector<double> x(where, l.n, 0.0);
        iterate_back(x, plus_times<double>{}, a, changes, share_of{}, times{});
        EXPECT_EQ(x.dense(0), expected) << what;
      }
  }
}

// The first product is the sum, not added to a neutral value: -0 stays.
TEST_P(Iterate, KeepsNegativeZeros) {
  const auto a = matrix<double>::from_entries(where(), 3, 3, {0, 1}, {1, 2}, {-0.0, 1.0});
  vector<double> w(where(), 3), frontier(where(), 3);
  w.expect_dense();
  w.set(0, 1), frontier.set(0, 1);
  iterate_until(w, plus_times<double>{}, frontier, a);
  EXPECT_TRUE(std::signbit(w.get(1).value()));
  EXPECT_TRUE(std::signbit(w.get(2).value()));
}

TEST_P(Iterate, SumsInAnyMonoid) {
  auto l = loop_over<double>("grid:9", 10);
  l.add = [](double x, double y) { return x + y; };
  l.multiply = [](index_t, double x, double y) { return x * y; };
  l.w[0] = l.frontier[0] = 1;
  check(l, plus_times<double>{}, {}, "plus_times");
}

// Wherever memory runs out, the vectors are in a consistent state between the steps of two rounds.
TEST_P(Iterate, AFailedAllocationLeavesWholeVectors) {
  const auto graph = make_matrix<std::int64_t>(where(), kron(5, 4, 1, {.weighted = true}));
  bool done = false;
  for (int n = 0; n < 400 && !done; ++n) {
    vector<index_t> parent(where(), 32), level(where(), 32), frontier(where(), 32);
    parent.set(1, 1), level.set(1, 0), frontier.set(1, 1);
    where().state()->account.fail_after(n);
    try {
      iterate_until(parent, min_secondi<index_t, std::int64_t>{}, frontier, graph,
                    {.rounds = &level});
      done = true;
    } catch (const out_of_memory&) {
    }
    where().state()->account.fail_after(-1);
    for (const vector<index_t>* v : {&parent, &level, &frontier}) {
      const auto all = entries_of(*v);
      EXPECT_EQ(v->nvals(), std::ranges::count_if(all, [](const auto& x) { return x.has_value(); }))
          << "allocation " << n;
    }
  }
  EXPECT_TRUE(done);
}

TEST_P(Iterate, RefusesWhatDoesNotFit) {
  const matrix<double> a(where(), 3, 3), wide(where(), 3, 4);
  vector<double> w(where(), 3), frontier(where(), 3), longer(where(), 4);
  const min_plus<double> semiring;
  EXPECT_THROW(iterate_until(w, semiring, frontier, wide), usage_error);
  EXPECT_THROW(iterate_until(w, semiring, longer, a), usage_error);
  EXPECT_THROW(iterate_until(w, semiring, w, a), usage_error);
  EXPECT_THROW(iterate_until(w, semiring, frontier, a, {.beyond = &longer}), usage_error);
  EXPECT_THROW(iterate_until(w, semiring, frontier, a, {.beyond = &w}), usage_error);
  // All written vectors must be different.
  const matrix<index_t> b(where(), 3, 3);
  vector<index_t> v(where(), 3), start(where(), 3), rest(where(), 3);
  const min_plus<index_t> sums;
  for (vector<index_t>* rounds : {&v, &start, &rest})
    EXPECT_THROW(iterate_until(v, sums, start, b, {.beyond = &rest, .rounds = rounds}),
                 usage_error);
  EXPECT_EQ(iterate_until(w, semiring, frontier, a), 0);
  // Buckets need an order, and a width.
  for (const double width : {0.0, -1.0, std::nan("")})
    EXPECT_THROW(
        iterate_until(w, semiring, frontier, a, {.improves = less{}, .bucket_width = width}),
        usage_error);
  EXPECT_THROW(iterate_until(w, semiring, frontier, a, {.bucket_width = 1.0}), usage_error);
  EXPECT_THROW(
      iterate_until(w, semiring, frontier, a, {.improves = greater{}, .bucket_width = 1.0}),
      usage_error);
  vector<double> rest_of(where(), 3);
  EXPECT_THROW(iterate_until(w, semiring, frontier, a,
                             {.improves = less{}, .beyond = &rest_of, .bucket_width = 1.0}),
               usage_error);
}

TROPIC_ON_EVERY_CONTEXT(Iterate);

}  // namespace
}  // namespace tropic::testing
