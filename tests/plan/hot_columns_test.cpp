// SPDX-License-Identifier: Apache-2.0

// Hot columns: identical on every backend, and results do not change.

#include <gtest/gtest.h>

#include <numeric>

#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "permute/hot_columns.hpp"
#include "plan/hot_copy.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

TEST(HotColumns, AreAllThereTheFullestFirst) {
  context_options three, one;
  three.threads = 3;
  one.threads = 1;
  const context where = context::cpu(three), single = context::cpu(one);
  dice random(base_seed());
  for (const auto& [rows, columns, density] : {std::tuple<index_t, index_t, double>{0, 0, 0},
                                               {1, 1, 1},
                                               {5, 0, 0},
                                               {7, 90, 0},
                                               {300, 200, 0.1},
                                               {50, 700, 0.4},
                                               {2000, 3, 0.7}}) {
    const host_matrix from =
        random_matrix(describe<std::int64_t>(), rows, columns, density, flavour::weighted, random);
    for (const bool iso : {false, true}) {
      host_matrix same = from;
      if (iso) make_iso(same);
      const matrix_base m = make(where, same, false, iso);
      const hot_columns hot = to_hot_columns(m),
                        alone = to_hot_columns(make(single, same, false, iso));
      const auto* order = static_cast<const std::uint32_t*>(hot.order->host());
      std::vector<std::size_t> count(static_cast<std::size_t>(columns));
      for (const auto& [position, value] : same.entries)
        ++count[static_cast<std::size_t>(position.second)];
      std::vector<bool> seen(count.size());
      for (std::size_t k = 0; k < count.size(); ++k) {
        ASSERT_FALSE(seen[order[k]]);
        seen[order[k]] = true;
        if (k > 0) {
          ASSERT_GE(count[order[k - 1]], count[order[k]]);
          if (count[order[k - 1]] == count[order[k]]) {
            ASSERT_LT(order[k - 1], order[k]);
          }
        }
      }
      host_matrix back = read(*hot.matrix);
      host_matrix renamed{back.type, back.rows, back.columns, {}};
      for (const auto& [position, value] : back.entries)
        renamed.entries[{position.first, order[position.second]}] = value;
      EXPECT_EQ(difference(same, renamed), "") << seed_trace();
      EXPECT_EQ(difference(back, read(*alone.matrix)), "");
    }
  }
}

class HotCopy : public AgainstReference {
 protected:
  static bool is_equal(const buffer_pointer& a, const buffer_pointer& b) {
    return a->bytes() == b->bytes() &&
           (a->bytes() == 0 || std::memcmp(a->host(), b->host(), a->bytes()) == 0);
  }
  // Bit-identical with the host's.
  void check(const host_matrix& from, bool wide, bool iso) {
    const matrix_base here = make(where(), from, wide, iso), spec = make(host_, from, wide, iso);
    const hot_columns found = make_hot_columns(*where().state()->executor, here),
                      expected = to_hot_columns(spec);
    ASSERT_TRUE(is_equal(found.order, expected.order));
    const matrix_base &a = *found.matrix, &b = *expected.matrix;
    ASSERT_EQ(a.offsets, here.offsets) << "shared with the matrix";
    ASSERT_TRUE(is_equal(a.column_indices, b.column_indices));
    ASSERT_TRUE(is_equal(a.values, b.values));
    EXPECT_EQ(std::tuple(a.rows, a.columns, a.nnz, a.wide, a.iso, a.longest_row, a.empty_rows),
              std::tuple(b.rows, b.columns, b.nnz, b.wide, b.iso, b.longest_row, b.empty_rows));
    if (a.nnz == 0) return;
    EXPECT_NE(a.derived, here.derived);
    EXPECT_EQ(difference(from, read(here)), "") << "the matrix itself stays";
  }

 private:
  context host_ = context::cpu();
};
TROPIC_ON_EVERY_CONTEXT(HotCopy);

TEST_P(HotCopy, EqualsTheHostsForEveryShape) {
  dice random(base_seed());
  const auto& type = describe<float>();
  for (const auto& [rows, columns, density] : {std::tuple<index_t, index_t, double>{0, 0, 0},
                                               {5, 0, 0},
                                               {0, 7, 0},
                                               {7, 90, 0},
                                               {1, 1, 1},
                                               {1, 5000, 1},
                                               {5000, 1, 0.9},
                                               {300, 200, 0.1},
                                               {50, 1025, 0.4},
                                               {2000, 3, 0.7},
                                               {16, 16, 1},
                                               {3000, 3000, 0.001}}) {
    SCOPED_TRACE(::testing::Message() << rows << "x" << columns << " " << seed_trace());
    const host_matrix m = random_matrix(type, rows, columns, density, flavour::weighted, random);
    for (const bool wide : {false, true}) check(m, wide, false);
    if (HasFatalFailure()) return;
  }
}

TEST_P(HotCopy, EqualsTheHostsForEveryValueType) {
  dice random(base_seed());
  for (const type_description* type :
       {&describe<bool>(), &describe<std::int16_t>(), &describe<double>(), &describe<test_path>()})
    for (const bool iso : {false, true}) {
      SCOPED_TRACE(::testing::Message() << type->name << (iso ? ", iso " : " ") << seed_trace());
      host_matrix m = random_matrix(*type, 150, 130, 0.2, flavour::weighted, random);
      // One column with an entry in every row; it comes first.
      for (index_t i = 0; i < m.rows; ++i) m.entries[{i, 77}] = m.entries.begin()->second;
      if (iso) make_iso(m);
      check(m, false, iso);
      if (HasFatalFailure()) return;
    }
}

class Gather : public AgainstReference {};
TROPIC_ON_EVERY_CONTEXT(Gather);

TEST_P(Gather, PutsValuesInAnotherOrder) {
  dice random(base_seed());
  for (const type_description* type :
       {&describe<bool>(), &describe<std::int16_t>(), &describe<float>(), &describe<double>(),
        &describe<test_path>()})
    for (const index_t size : {index_t{1}, index_t{7}, index_t{40000}}) {
      const host_vector from = random_vector(*type, size, 1, flavour::weighted, random);
      const vector_base u = make(where(), from, vector_storage::full);
      vector_base to = u;
      to.values = make_buffer(where().state(), u.values->bytes());
      std::vector<std::uint32_t> order(static_cast<std::size_t>(size));
      std::iota(order.begin(), order.end(), 0u);
      for (std::size_t k = order.size(); k > 1; --k)
        std::swap(order[k - 1], order[static_cast<std::size_t>(random.roll(static_cast<int>(k)))]);
      const buffer_pointer list = make_buffer(where().state(), 4 * order.size());
      std::memcpy(list->host_write(), order.data(), list->bytes());
      where().state()->executor->gather(to, u, list);
      host_vector expected{type, size, {}};
      for (std::size_t k = 0; k < order.size(); ++k)
        expected.entries[static_cast<index_t>(k)] = from.entries.at(order[k]);
      ASSERT_EQ(difference(expected, read(to)), "") << type->name << " " << size;
    }
}

class HotProduct : public AgainstReference {
 protected:
  // The kernels that plans consider with hot columns.
  std::vector<std::string> kernels() const {
    std::vector<std::string> found;
    for (const kernel_info* kernel : where().state()->executor->kernels())
      if (kernel->suits_frequency_order) found.emplace_back(kernel->name);
    if (found.empty()) found.emplace_back(where().state()->executor->kernels().front()->name);
    return found;
  }
};
TROPIC_ON_EVERY_CONTEXT(HotProduct);

// Forced on every context: with masks, accumulators and replace, sums that do not round.
TEST_P(HotProduct, IsThePlainOne) {
  dice random(base_seed());
  const auto check = [&]<class S>(const S& semiring) {
    using T = typename S::z_type;
    const host_matrix from = random_matrix(describe<T>(), 120, 90, 0.1, flavour::small, random);
    const host_vector full = random_vector(describe<T>(), 90, 1, flavour::small, random),
                      old = random_vector(describe<T>(), 120, 0.5, flavour::small, random),
                      mask = random_vector(describe<bool>(), 120, 0.5, flavour::small, random);
    for (int choice = 0; choice < 8; ++choice) {
      const auto run = [&](const context& c, const plan* p) {
        const matrix<T> a(make(c, from, false, false));
        const vector<T> u(make(c, full, vector_storage::full));
        vector<T> w(make(c, old, vector_storage::bitmap));
        const vector<bool> m(make(c, mask, vector_storage::bitmap));
        vector_options<T> options;
        if (choice & 1) options.mask = m;
        if (choice & 2) options.accumulate = plus{};
        options.replace = (choice & 4) != 0;
        options.plan = p;
        mxv(w, semiring, a, u, options);
        return read(w.base());
      };
      const host_vector expected = run(reference(), nullptr);
      for (const std::string& kernel : kernels()) {
        const plan forced{.kernel = kernel, .hot_columns = true};
        ASSERT_EQ(difference(expected, run(where(), &forced)), "")
            << kernel << " " << choice << " " << seed_trace();
      }
    }
  };
  check(plus_times<std::int64_t>{});
  check(min_plus<std::int32_t>{});
  check(max_min<std::int64_t>{});
}

// Nothing of the matrix, the copy, u or the result is copied to the host.
TEST_P(HotProduct, StaysWhereItIs) {
  dice random(base_seed());
  const auto& type = describe<std::int32_t>();
  const matrix<std::int32_t> a(
      make(where(), random_matrix(type, 700, 900, 0.05, flavour::small, random), false, false));
  const vector<std::int32_t> u(
      make(where(), random_vector(type, 900, 1, flavour::small, random), vector_storage::full));
  vector<std::int32_t> w(where(), 700), plain(where(), 700);
  mxv(plain, plus_times<std::int32_t>{}, a, u);
  mxv(w, plus_times<std::int32_t>{}, a, u);
  where().synchronize();
  const plan forced{.kernel = kernels().front(), .hot_columns = true};
  const device_traffic before = where().traffic();
  for (int n = 0; n < 3; ++n) mxv(w, plus_times<std::int32_t>{}, a, u, {.plan = &forced});
  where().synchronize();
  EXPECT_LE(where().traffic().to_host - before.to_host, 64u);
  EXPECT_LE(where().traffic().to_device - before.to_device, 64u);
  EXPECT_NE(a.base().derived->hot, nullptr);
  EXPECT_EQ(difference(read(plain.base()), read(w.base())), "");
}

}  // namespace
}  // namespace tropic::testing
