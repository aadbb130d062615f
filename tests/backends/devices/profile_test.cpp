// SPDX-License-Identifier: Apache-2.0

// The profile of a context: every operation is counted and timed, only on request, and gives the
// same result as without.

#include <map>

#include <tropic/tropic.hpp>

#include "backends/profiled_backend.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using number = std::int64_t;

class Profile : public OnContext {
 protected:
  context profiled() const { return *make_context(GetParam(), {.profile = true}).where; }
  bool on_device() const { return where().name().find(':') != std::string::npos; }

  // Each operation at least once, on vectors and on matrices; their results in order.
  static std::vector<host_vector> run(const context& where) {
    dice random(5);
    const matrix<number> a(
        make(where, random_matrix(describe<number>(), 30, 30, 0.2, flavour::small, random), false,
             false));
    const vector<number> u(where, 30, 2);
    vector<number> w(where, 30);
    std::vector<host_vector> found;
    const auto keep = [&] { found.push_back(read(w.base())); };
    mxv(w, plus_times<number>{}, a, u), keep();
    mxv(w, min_plus<number>{}, a, w), keep();
    vxm(w, plus_times<number>{}, u, a), keep();
    ewise_add(w, plus{}, w, u), keep();
    ewise_multiply(w, times{}, w, u), keep();
    apply(w, negate{}, w), keep();
    select(w, bind_second(less{}, number{0}), w), keep();
    assign(w, number{7}, {.mask = structure(w)}), keep();
    assign(w, u), keep();
    reduce(w, plus_monoid<number>{}, a), keep();
    assign(w, reduce(plus_monoid<number>{}, w)), keep();
    matrix<number> c(where, 30, 30);
    transpose(c, a);
    ewise_add(c, plus{}, c, a);
    apply(c, negate{}, c);
    select(c, upper_triangle{}, c);
    assign(w, reduce(plus_monoid<number>{}, c)), keep();
    return found;
  }
};

TEST_P(Profile, CountsAndTimesEveryOperation) {
  const context noting = profiled();
  EXPECT_TRUE(noting.profile().empty());
  run(noting);
  // A device makes a vector of one value by assigning it.
  const std::uint64_t assigns = noting.state()->device_memory != nullptr ? 5 : 4;
  const std::map<std::string, std::uint64_t> expected{
      {"mxv", 2},    {"vxm", 1},          {"ewise", 3},  {"apply", 2},
      {"select", 2}, {"assign", assigns}, {"reduce", 3}, {"transpose", 1}};
  std::map<std::string, std::uint64_t> found;
  const std::vector<operation_profile> profile = noting.profile();
  std::uint64_t launches = 0;
  for (std::size_t n = 0; n < profile.size(); ++n) {
    const operation_profile& o = profile[n];
    found[o.operation] = o.calls;
    launches += o.launches;
    EXPECT_GT(o.seconds, 0) << o.operation;
    EXPECT_TRUE(n == 0 || o.seconds <= profile[n - 1].seconds) << o.operation << " comes too late";
    EXPECT_TRUE(on_device() || o.launches + o.bytes_copied == 0) << o.operation;
    EXPECT_TRUE(!on_device() || o.operation != "mxv" || o.launches >= 2) << o.launches;
  }
  EXPECT_EQ(found, expected);
  EXPECT_LE(launches, noting.traffic().launches);
  noting.forget_profile();
  EXPECT_TRUE(noting.profile().empty());
  run(noting);
  EXPECT_EQ(noting.profile().size(), expected.size());
}

TEST_P(Profile, ChangesNoResult) {
  const std::vector<host_vector> expected = run(where()), found = run(profiled());
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t n = 0; n < found.size(); ++n)
    EXPECT_EQ(difference(expected[n], found[n]), "") << "result " << n;
}

TEST_P(Profile, CountsRoundsDoneTogetherAsOneCall) {
  const context noting = profiled();
  const std::vector<std::uint32_t> from{0, 1, 2, 3, 4}, to{1, 2, 3, 4, 5};
  const auto way = matrix<number>::from_entries(noting, 6, 6, from, to, std::vector<number>(5, 1));
  vector<number> reached(noting, 6), frontier(noting, 6);
  reached.set(0, 0);
  frontier.set(0, 0);
  EXPECT_EQ(iterate_until(reached, min_plus<number>{}, frontier, way), 6);
  EXPECT_EQ(reached.dense(-1), (std::vector<number>{0, 1, 2, 3, 4, 5}));
  std::map<std::string, std::uint64_t> calls;
  for (const operation_profile& o : noting.profile()) calls[o.operation] = o.calls;
  const bool together = where().name() != "reference";
  EXPECT_EQ(calls["iterate_until"], together ? 1u : 0u);
  EXPECT_EQ(calls["vxm"], together ? 0u : 6u);
}

TEST_P(Profile, IsNotedOnRequestAlone) {
  run(where());
  EXPECT_TRUE(where().profile().empty());
  where().forget_profile();
}

TEST_P(Profile, LeavesOutWhatWasRefused) {
  const context noting = profiled();
  const matrix<number> a(noting, 3, 4);
  const vector<number> u(noting, 3);
  vector<number> w(noting, 3);
  EXPECT_THROW(mxv(w, plus_times<number>{}, a, u), usage_error);
  EXPECT_TRUE(noting.profile().empty());
}

TEST_P(Profile, LeavesOutTheLibrarysOwnWork) {
  const context noting = profiled();
  {
    const detail::unprofiled_scope own_work;
    run(noting);
  }
  EXPECT_TRUE(noting.profile().empty());
  vector<number> w(noting, 3, 1);
  apply(w, negate{}, w);
  EXPECT_FALSE(noting.profile().empty());
}

TEST_P(Profile, TrafficIsOfDevicesAlone) {
  run(where());
  const device_traffic t = where().traffic();
  if (on_device()) {
    EXPECT_GT(t.to_device, 0u);
    EXPECT_GT(t.to_host, 0u);
    EXPECT_GT(t.launches, 0u);
    EXPECT_GT(t.blocks, 0u);
  } else {
    EXPECT_EQ(t.to_device + t.to_host + t.launches + t.blocks, 0u);
  }
}

TROPIC_ON_EVERY_CONTEXT(Profile);

}  // namespace
}  // namespace tropic::testing
