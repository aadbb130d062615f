// SPDX-License-Identifier: Apache-2.0

// The cancel token, set at the first, the second, ... and the last check of a step: the step ends
// with `cancelled` at each, leaves its operands as they were and holds no memory, and succeeds when
// it is repeated.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "containers/context_state.hpp"
#include "support/cases.hpp"

namespace tropic::testing {
namespace {

using content = std::vector<std::byte>;

void append(content& to, const detail::buffer_pointer& from) {
  if (from == nullptr || from->bytes() == 0) return;
  const auto* const bytes = static_cast<const std::byte*>(from->host());
  to.insert(to.end(), bytes, bytes + from->bytes());
}
content content_of(const detail::matrix_base& m) {
  content all;
  for (const auto* array : {&m.offsets, &m.column_indices, &m.values}) append(all, *array);
  return all;
}
content content_of(const detail::vector_base& v) {
  content all;
  for (const auto* array : {&v.indices, &v.present, &v.values}) append(all, *array);
  return all;
}

class CancelledChecks : public ::testing::TestWithParam<int> {
 protected:
  CancelledChecks() { where_.state()->checks = &checks_; }
  ~CancelledChecks() override { where_.state()->checks = nullptr; }

  static context_options with(const cancel_token& cancel) {
    context_options options;
    options.cancel = cancel;
    options.threads = GetParam();
    return options;
  }
  void let_run(std::size_t cancel_at = 0) {
    cancel_.reset();
    checks_.seen = 0;
    checks_.cancel_at = cancel_at;
  }

  /// Cancels run() at each check, of more than `every` at some; `operands` gives their content. At
  /// least so many checks must be seen.
  void expect_cancelled_at_each(const std::string& what, const std::function<void()>& run,
                                const std::function<content()>& operands, std::size_t least,
                                std::size_t every = 200) {
    SCOPED_TRACE(what);
    let_run();
    const content before = operands();
    std::size_t cancelled_at = 0, number = 1;
    for (;; number += 1 + (number > every ? number / 4 : 0)) {
      let_run(number);
      bool has_ended = false;
      try {
        run();
      } catch (const cancelled&) {
        has_ended = true;
      }
      if (!has_ended) break;
      ++cancelled_at;
      let_run();
      ASSERT_EQ(operands(), before) << "cancelled at check " << number;
    }
    EXPECT_LT(checks_.seen.load(), number) << "the token was seen and ignored";
    EXPECT_GE(cancelled_at, least);
    let_run();
  }

  const cancel_token cancel_;
  const context where_ = context::cpu(with(cancel_));
  detail::context_state::counted_checks checks_;
};

struct positions {
  std::vector<std::uint32_t> row, column;
};
positions scattered(std::uint32_t n, int count, std::uint64_t seed) {
  dice random(seed);
  positions found;
  for (int e = 0; e < count; ++e) {
    found.row.push_back(static_cast<std::uint32_t>(random.next() % n));
    found.column.push_back(static_cast<std::uint32_t>(random.next() % n));
  }
  return found;
}

TEST_P(CancelledChecks, EndAStepAndLeaveItsOperands) {
  struct size {
    std::uint32_t n;
    int entries;
  };
  // A few entries, all checks; and so many that threads share the work and rows come in blocks.
  for (const size s : {size{60, 400}, size{20'000, 60'000}}) {
    SCOPED_TRACE(s.n);
    const positions of_a = scattered(s.n, s.entries, 1), of_b = scattered(s.n, s.entries, 2);
    const auto a = matrix<double>::from_pattern(where_, s.n, s.n, of_a.row, of_a.column, 2.0,
                                                duplicates::first);
    const auto b =
        matrix<double>::from_entries(where_, s.n, s.n, of_b.row, of_b.column,
                                     std::vector<double>(of_b.row.size(), 3.0), duplicates::sum);
    const auto start = matrix<double>::from_pattern(where_, s.n, s.n, std::vector<std::uint32_t>{1},
                                                    std::vector<std::uint32_t>{1}, 5.0);
    auto c = start;
    vector<index_t> label(where_, s.n, index_t{5});
    const auto all = [&] {
      content bytes = content_of(a.base());
      for (const matrix<double>* m : {&b, static_cast<const matrix<double>*>(&c)}) {
        const content part = content_of(m->base());
        bytes.insert(bytes.end(), part.begin(), part.end());
      }
      const content part = content_of(label.base());
      bytes.insert(bytes.end(), part.begin(), part.end());
      return bytes;
    };
    // Each starts from the same outputs: a step that is not cancelled replaces them.
    const auto expect = [&](const std::string& what, const std::function<void()>& run,
                            std::size_t least) {
      expect_cancelled_at_each(what, run, all, least);
      const content once = all();
      c = start;
      label = vector<index_t>(where_, s.n, index_t{5});
      run();
      EXPECT_EQ(all(), once) << what << ", repeated";
      c = start;
      label = vector<index_t>(where_, s.n, index_t{5});
    };
    const bool is_large = s.n > 1000;
    detail::backend& cpu = *where_.state()->executor;
    const auto op = describe_operator<double, double, double>(plus{});
    expect(
        "transpose", [&] { cpu.transpose(c.base(), a.base(), {}); }, is_large ? 12 : 4);
    expect(
        "merge",
        [&] { cpu.ewise(c.base(), detail::combination::set_union, op, a.base(), b.base(), {}); },
        is_large ? 12 : 4);
    expect(
        "intersection",
        [&] {
          cpu.ewise(c.base(), detail::combination::set_intersection, op, a.base(), b.base(), {});
        },
        is_large ? 12 : 4);
    expect(
        "connect", [&] { cpu.connect(label.base(), a.base()); }, is_large ? 4 : 2);
    expect(
        "mxm", [&] { mxm(c, plus_times<double>{}, a, b); }, 3);
    expect(
        "build",
        [&] {
          c = matrix<double>::from_entries(where_, s.n, s.n, of_b.row, of_b.column,
                                           std::vector<double>(of_b.row.size(), 3.0),
                                           duplicates::sum);
        },
        is_large ? 150 : 80);
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, CancelledChecks, ::testing::Values(1, 2, 3));

}  // namespace
}  // namespace tropic::testing
