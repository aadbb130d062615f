// SPDX-License-Identifier: Apache-2.0

// iterate_until on every context beside a serial loop over arrays that does what its documentation
// says: many rounds of a small frontier, rounds too large for one launch, rows that all work-items
// share, w full, as a bitmap or with a few entries, held by someone else too.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include <tropic/generators.hpp>
#include <tropic/read_matrix.hpp>
#include <tropic/tropic.hpp>

#include "containers/context_state.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

TROPIC_BINARY_OPERATOR(grows_below_200, x > y && x < 200);

template <class T>
using sparse = std::vector<std::optional<T>>;

// One loop, and what it does to arrays.
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

  sparse<T> w, frontier, beyond;
  sparse<index_t> rounds;
  index_t done = 0;

  void run() {
    beyond.resize(w.size());
    rounds.resize(w.size());
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
      for (std::size_t j = 0; j < w.size(); ++j) {
        if (!sums[j] || (w[j] && !(improves && improves(*sums[j], *w[j])))) continue;
        w[j] = sums[j];
        rounds[j] = done;
        (!keep || keep(*sums[j]) ? next : beyond)[j] = sums[j];
      }
      frontier = next;
    }
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
  vector<T> made(where, static_cast<index_t>(from.size()));
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i]) made.set(static_cast<index_t>(i), *from[i]);
  return made;
}

class Iterate : public OnContext {
 protected:
  template <class T, class Semiring>
  void check(loop<T> l, const Semiring& semiring, const iterate_options<T>& given,
             const std::string& what) {
    const auto a = matrix<T>::from_entries(where(), l.n, l.n, l.from, l.to, l.weight);
    vector<T> w = make(where(), l.w), frontier = make(where(), l.frontier), beyond(where(), l.n);
    vector<index_t> rounds(where(), l.n);
    const vector<T> also = w;  // who else holds it sees no change
    const sparse<T> before = l.w;
    l.run();
    iterate_options<T> options = given;
    options.max_rounds = l.max_rounds;
    if (l.keep) options.beyond = &beyond;
    options.rounds = &rounds;
    EXPECT_EQ(iterate_until(w, semiring, frontier, a, options), l.done) << what;
    EXPECT_EQ(entries_of(w), l.w) << what;
    EXPECT_EQ(w.nvals(), std::ranges::count_if(l.w, [](const auto& x) { return x.has_value(); }))
        << what;
    EXPECT_EQ(entries_of(frontier), l.frontier) << what << ": frontier";
    EXPECT_EQ(entries_of(rounds), l.rounds) << what << ": rounds";
    EXPECT_EQ(entries_of(beyond), l.beyond) << what << ": beyond";
    EXPECT_EQ(entries_of(also), before) << what << ": a copy";
  }
};

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
  } else if (spec == "star") {  // more edges than one launch takes, and then one each
    l.n = 5000;
    for (index_t i = 1; i < l.n; ++i) add(0, i), add(i, i % 70);
  } else if (spec == "none") {
    l.n = 40;
  } else {
    const io::coordinates made = generate(spec);
    l.n = made.rows;
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::size_t e = 0; e < made.row.size(); ++e) edges.emplace(made.row[e], made.column[e]);
    for (const auto& [i, j] : edges) add(i, j);
  }
  l.w.resize(static_cast<std::size_t>(l.n));
  l.frontier = l.w;
  return l;
}

constexpr const char* specs[] = {"grid:9", "grid:40", "path",     "star",
                                 "none",   "kron:7",  "urand:9:4"};

TEST_P(Iterate, FindsWhatWasNotThere) {
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

TEST_P(Iterate, ImprovesWhatWasThere) {
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
    auto small = loop_over<std::uint8_t>(spec, 7);  // four sums a word
    bound(small);
    small.w[2] = small.frontier[2] = 0;
    check(small, min_plus<std::uint8_t>{}, {.improves = less{}}, std::string(spec) + ", uint8");
  }
}

TEST_P(Iterate, KeepsWhatIsAsked) {
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
  }
}

// Sums that depend on their order are made by one operation after the other.
TEST_P(Iterate, SumsInAnyMonoid) {
  auto l = loop_over<double>("grid:9", 10);
  l.add = [](double x, double y) { return x + y; };
  l.multiply = [](index_t, double x, double y) { return x * y; };
  l.w[0] = l.frontier[0] = 1;
  check(l, plus_times<double>{}, {}, "plus_times");
}

// Wherever memory runs out, the vectors are in some state between two rounds' steps, and whole.
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
  // Every vector that is written is one of its own.
  const matrix<index_t> b(where(), 3, 3);
  vector<index_t> v(where(), 3), start(where(), 3), rest(where(), 3);
  const min_plus<index_t> sums;
  for (vector<index_t>* rounds : {&v, &start, &rest})
    EXPECT_THROW(iterate_until(v, sums, start, b, {.beyond = &rest, .rounds = rounds}),
                 usage_error);
  EXPECT_EQ(iterate_until(w, semiring, frontier, a), 0);
}

TROPIC_ON_EVERY_CONTEXT(Iterate);

}  // namespace
}  // namespace tropic::testing
