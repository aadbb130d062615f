// SPDX-License-Identifier: Apache-2.0

// The cancel token, set during the work: the reference's operations and the construction of
// containers end with `cancelled`, and outputs are unchanged; so do the long steps of the CPU.
// Without cancelling, each would take many times longer than the test allows.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "support/cases.hpp"

namespace tropic::testing {
namespace {

context_options with(const cancel_token& cancel) {
  context_options options;
  options.cancel = cancel;
  return options;
}

void expect_cancelled(const cancel_token& cancel, const char* what,
                      const std::function<void()>& run) {
  cancel.reset();
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel.cancel();
  });
  EXPECT_THROW(run(), cancelled) << what;
  canceller.join();
  cancel.reset();
}

TEST(Cancel, EndsEveryOperationOfTheReference) {
  const cancel_token cancel;
  const context where = context::reference(with(cancel));
  const index_t n = 300'000;
  const vector<double> u(where, n, 2.0);
  vector<double> w(where, n, 1.0);
  std::vector<std::uint32_t> positions(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<std::uint32_t>(i);
  const auto a = matrix<double>::from_entries(where, n, n, positions, positions,
                                              std::vector<double>(positions.size(), 3.0));
  auto c = a;
  std::vector<index_t> all(positions.begin(), positions.end());
  const auto ends = [&](const char* what, const std::function<void()>& run) {
    expect_cancelled(cancel, what, run);
  };
  ends("mxv", [&] { mxv(w, plus_times<double>{}, a, u); });
  ends("ewise_add", [&] { ewise_add(w, plus{}, u, u); });
  ends("ewise_multiply", [&] { ewise_multiply(c, plus{}, a, a); });
  ends("apply", [&] { apply(w, negate{}, u); });
  ends("select", [&] { select(c, diagonal{}, a); });
  ends("reduce rows", [&] { reduce(w, plus_monoid<double>{}, a); });
  ends("reduce", [&] { reduce(plus_monoid<double>{}, u); });
  ends("assign a value", [&] { assign(w, 5.0); });
  ends("assign", [&] { assign(w, u, all); });
  ends("transpose", [&] { transpose(c, a); });
  ends("extract", [&] { extract(w, u, all); });
  ends("extract a column", [&] { extract(w, a, all, 0); });
  ends("ewise_union", [&] { ewise_union(w, plus{}, u, 0, u, 0); });
  EXPECT_EQ(w.nvals(), n);
  EXPECT_EQ(w.get(n - 1), 1.0);
  EXPECT_EQ(c.get(n - 1, n - 1), 3.0);
}

TEST(Cancel, EndsBuilding) {
  const cancel_token cancel;
  dice random(1);
  const index_t n = 1 << 20;
  std::vector<std::uint32_t> row, column;
  std::vector<index_t> place;
  for (int e = 0; e < 3'000'000; ++e) {
    row.push_back(static_cast<std::uint32_t>(random.next() % n));
    column.push_back(static_cast<std::uint32_t>(random.next() % n));
    place.push_back(row.back());
  }
  const std::vector<float> values(row.size(), 1.f);
  for (const int threads : {1, 2}) {
    context_options options = with(cancel);
    options.threads = threads;
    const context where = context::cpu(options);
    expect_cancelled(cancel, "a matrix", [&] {
      matrix<float>::from_entries(where, n, n, row, column, values, duplicates::sum);
    });
    expect_cancelled(cancel, "a vector", [&] {
      vector<float>::from_entries(where, n, place, values, duplicates::sum);
    });
    cancel.cancel();
    EXPECT_THROW(matrix<float>::from_entries(where, 0, 0, {}, {}, {}), cancelled);
    EXPECT_THROW(vector<float>::from_entries(where, 0, {}, {}), cancelled);
    cancel.reset();
    EXPECT_EQ(where.memory_used(), 0u);
  }
}

// The steps of the CPU by themselves: an operation looks at the token before it begins.
TEST(Cancel, EndsTheStepsOfTheCpu) {
  const cancel_token cancel;
  constexpr std::uint32_t n = 50'000;
  std::vector<std::uint32_t> row, column, other;
  for (std::uint32_t i = 0; i < n; ++i)
    for (const std::uint32_t distance : {1U, 7U}) {
      row.push_back(i);
      column.push_back((i + distance) % n);
      other.push_back((i + 2 * distance) % n);
    }
  std::vector<std::uint32_t> zeros(n, 0), far;
  for (std::uint32_t k = 0; k < n; ++k) far.push_back(80'000 * k);
  for (const int threads : {1, 2}) {
    context_options options = with(cancel);
    options.threads = threads;
    const context where = context::cpu(options);
    const auto a = matrix<double>::from_pattern(where, n, n, row, column, 2.0);
    const auto b = matrix<double>::from_pattern(where, n, n, row, other, 3.0);
    const auto wide = matrix<double>::from_pattern(where, 1, index_t{1} << 32, zeros, far, 2.0);
    auto c = matrix<double>::from_pattern(where, n, n, std::vector<std::uint32_t>{1},
                                          std::vector<std::uint32_t>{1}, 5.0);
    const vector<double> one(where, 1, 1.0);
    vector<double> w(where, index_t{1} << 32);
    vector<index_t> label(where, n, index_t{5});
    const vector<std::uint32_t> counts(where, n, std::uint32_t{1} << 30);
    const auto semiring = describe_semiring(plus_times<double>{});
    const auto op = describe_operator<double, double, double>(plus{});
    detail::backend& cpu = *where.state()->executor;
    cancel.cancel();
    EXPECT_THROW(cpu.transpose(c.base(), a.base(), {}), cancelled);
    EXPECT_THROW(cpu.ewise(c.base(), detail::combination::set_union, op, a.base(), b.base(), {}),
                 cancelled);
    EXPECT_THROW(cpu.connect(label.base(), a.base()), cancelled);
    EXPECT_THROW(cpu.peel(label.base(), counts.base(), a.base()), cancelled);
    EXPECT_THROW(cpu.find_communities(label.base(), a.base(), false, 1), cancelled);
    EXPECT_THROW(
        cpu.multiply(w.base(), {semiring, wide.base(), one.base(), false, true}, {}, "push"),
        cancelled);
    cancel.reset();
    EXPECT_EQ(c.get(1, 1), 5.0);
    EXPECT_EQ(c.nvals(), 1);
    EXPECT_EQ(label.get(n - 1), 5);
    EXPECT_EQ(w.nvals(), 0);
    cpu.transpose(c.base(), a.base(), {});
    EXPECT_EQ(c.get(1, 0), 2.0);
    EXPECT_EQ(c.nvals(), 2 * index_t{n});
  }
}

TEST(CancelToken, IsSharedByItsCopiesAlone) {
  const cancel_token token, other;
  cancel_token copy = token, moved = std::move(copy);
  EXPECT_FALSE(token.is_cancelled());
  moved.cancel();
  EXPECT_TRUE(token.is_cancelled());
  EXPECT_TRUE(copy.is_cancelled());  // moving copies
  EXPECT_FALSE(other.is_cancelled());
  copy = other;
  EXPECT_FALSE(copy.is_cancelled());
  token.reset();
  EXPECT_FALSE(moved.is_cancelled());
}

TEST(CancelToken, OfOneContextLeavesOthersAlone) {
  context_options options;
  const context first = context::cpu(options), second = context::cpu();
  options.cancel.cancel();
  EXPECT_THROW(first.checkpoint("a step"), cancelled);
  EXPECT_NO_THROW(second.checkpoint("a step"));
  options.cancel.reset();
  EXPECT_NO_THROW(first.checkpoint("a step"));
}

}  // namespace
}  // namespace tropic::testing
