// SPDX-License-Identifier: Apache-2.0

// A frontier that a device divides at the end of a bucket.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

class Buckets : public OnContext {
 protected:
  template <class T>
  using positions_of = std::vector<std::optional<T>>;

  template <class T>
  vector<T> vector_of(const positions_of<T>& from, bool is_bitmap) const {
    vector<T> result(where(), static_cast<index_t>(from.size()));
    if (is_bitmap) result.expect_dense();
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i]) result.set(static_cast<index_t>(i), *from[i]);
    return result;
  }
  template <class T>
  static positions_of<T> read(const detail::vector_base& base) {
    positions_of<T> result(static_cast<std::size_t>(base.size));
    for (const auto& e : vector<T>(base).entries())
      result[static_cast<std::size_t>(e.index)] = e.value;
    return result;
  }

  // Frontiers with an entry at every `step`-th position, every third of which w has improved.
  template <class T>
  void check(std::size_t n, std::size_t step, bool w_is_full, bool is_bitmap) const {
    const T end = 50;
    positions_of<T> frontier(n), w(n), inside(n), waiting(n);
    index_t inside_count = 0, waiting_count = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (w_is_full || i % 7 != 0) w[i] = static_cast<T>(i * 31 % 100);
      if (i % step != 0) continue;
      frontier[i] = static_cast<T>(i * 31 % 100);
      if (w[i] && i % 3 == 0) *w[i] = static_cast<T>(*w[i] / 2);
      if (*frontier[i] >= end) {
        waiting[i] = frontier[i];
        ++waiting_count;
      } else if (w[i] == frontier[i]) {
        inside[i] = frontier[i];
        ++inside_count;
      }
    }
    const vector<T> of_frontier = vector_of(frontier, is_bitmap), of_w = vector_of(w, true);
    detail::vector_base now = of_frontier.base(), later = vector<T>(where(), of_w.size()).base();
    ASSERT_TRUE(
        where().state()->executor->divide_frontier(now, later, of_w.base(), scalar_bytes::of(end)));
    EXPECT_EQ(index_t{now.nvals}, inside_count);
    EXPECT_EQ(index_t{later.nvals}, waiting_count);
    EXPECT_EQ(read<T>(now), inside) << n << " " << step;
    EXPECT_EQ(read<T>(later), waiting) << n << " " << step;
    EXPECT_EQ(read<T>(of_frontier.base()), frontier);
    EXPECT_EQ(read<T>(of_w.base()), w);
  }
  template <class T>
  void check_all() const {
    for (const std::size_t n : {1U, 127U, 128U, 129U, 5000U})
      for (const std::size_t step : {1U, 3U, 1000U})
        for (const bool w_is_full : {false, true})
          for (const bool is_bitmap : {false, true}) check<T>(n, step, w_is_full, is_bitmap);
  }
};

TEST_P(Buckets, AreDividedAtTheirEnd) {
  check_all<std::int8_t>();
  check_all<std::uint16_t>();
  check_all<std::int32_t>();
  check_all<std::int64_t>();
  check_all<std::uint64_t>();
  check_all<float>();
  check_all<double>();
}

// Not a number is in no bucket, as for the operations that do the same.
TEST_P(Buckets, HaveNoNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const vector<float> w(where(), 4, 1.0f);
  vector<float> frontier(where(), 4, 1.0f);
  frontier.set(2, nan);
  frontier.set(3, 9.0f);
  detail::vector_base now = frontier.base(), later = vector<float>(where(), 4).base();
  ASSERT_TRUE(
      where().state()->executor->divide_frontier(now, later, w.base(), scalar_bytes::of(5.0f)));
  EXPECT_EQ(read<float>(now), (positions_of<float>{1.0f, 1.0f, {}, {}}));
  EXPECT_EQ(read<float>(later), (positions_of<float>{{}, {}, {}, 9.0f}));
}

INSTANTIATE_TEST_SUITE_P(Contexts, Buckets, ::testing::Values("opencl_0", "cuda_0"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tropic::testing
