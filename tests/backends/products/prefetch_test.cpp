// SPDX-License-Identifier: Apache-2.0

// Pulls that load elements of u ahead of time, and pulls of short rows, which read entries behind
// them (include/tropic/detail/cpu/rows_ahead.hpp), against the reference. The columns and values of
// the matrix end where readable memory ends.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <set>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "support/cases.hpp"

namespace tropic::testing {
namespace prefetch_test {
namespace {

// A copy of values whose last byte is followed by a page that cannot be read.
template <class T>
class guarded_copy {
 public:
  explicit guarded_copy(const std::vector<T>& values) : count_(values.size()) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = count_ * sizeof(T);
    const std::size_t usable = (bytes + page - 1) / page * page;
    length_ = usable + page;
    start_ = mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start_ == MAP_FAILED) throw std::bad_alloc();
    auto* first = static_cast<std::byte*>(start_);
    if (mprotect(first + usable, page, PROT_NONE) != 0) throw std::bad_alloc();
    values_ = first + usable - bytes;
    std::memcpy(values_, values.data(), bytes);
  }
  guarded_copy(const guarded_copy&) = delete;
  guarded_copy& operator=(const guarded_copy&) = delete;
  ~guarded_copy() { munmap(start_, length_); }

  array_view<T> view() const { return {{reinterpret_cast<const T*>(values_), count_}, nullptr}; }

 private:
  std::size_t count_, length_ = 0;
  void* start_ = nullptr;
  std::byte* values_ = nullptr;
};

constexpr index_t columns = 1'100'000;  // 4.2 MiB of four bytes each: elements are loaded ahead

struct pattern {
  std::vector<std::uint32_t> offsets{0}, indices;

  // Every `step`-th column or so, `length` times.
  void add_row(std::size_t length, std::uint32_t step, dice& random) {
    std::uint32_t column = static_cast<std::uint32_t>(random.roll(static_cast<int>(step)));
    for (std::size_t e = 0; e < length; ++e) {
      indices.push_back(column);
      column += 1 + static_cast<std::uint32_t>(random.roll(2 * static_cast<int>(step) - 1));
      if (column >= columns) break;
    }
    offsets.push_back(static_cast<std::uint32_t>(indices.size()));
  }
};

// Rows of all lengths around 0 to 300 entries, in several parts; the last rows decide how close to
// the end of the columns the last part begins.
pattern short_rows(int last_rows, dice& random) {
  pattern p;
  for (int n = 0; n < 400; ++n) p.add_row(static_cast<std::size_t>(random.roll(300)), 200, random);
  for (int n = 0; n < last_rows; ++n) p.add_row(3, 20'000, random);
  return p;
}
// A row of several parts is cut into pieces.
pattern long_last_row(dice& random) {
  pattern p;
  for (int n = 0; n < 100; ++n) p.add_row(200, 300, random);
  p.add_row(columns, 1, random);
  return p;
}

template <class T>
matrix<T> matrix_of(const context& where, const pattern& p,
                    const guarded_copy<std::uint32_t>& indices, const guarded_copy<T>& values) {
  return matrix<T>::from_csr(where, static_cast<index_t>(p.offsets.size()) - 1, columns,
                             array_view<std::uint32_t>{p.offsets, nullptr}, indices.view(),
                             values.view());
}

template <class T>
class Prefetch : public ::testing::Test {
 protected:
  Prefetch() {
    std::vector<T> operand(columns);
    for (std::size_t i = 0; i < operand.size(); ++i) operand[i] = element(i);
    for (const int threads : {1, 2})
      operands_.push_back(vector<T>::from_array(context::cpu({.threads = threads}), operand));
  }
  // The products on the CPU against that of the reference, whose operand has entries only in the
  // columns of the matrix.
  template <class Semiring>
  void check(const pattern& p, const std::string& what, Semiring semiring) const {
    const guarded_copy indices(p.indices);
    std::vector<T> numbers(p.indices.size());
    for (std::size_t e = 0; e < numbers.size(); ++e) numbers[e] = static_cast<T>(e % 7);
    const guarded_copy values(numbers);
    const auto product = [&](const vector<T>& u) {
      vector<T> w(u.where(), static_cast<index_t>(p.offsets.size()) - 1);
      mxv(w, semiring, matrix_of(u.where(), p, indices, values), u);
      return w;
    };
    const std::set<std::uint32_t> used(p.indices.begin(), p.indices.end());
    std::vector<T> elements;
    for (const std::uint32_t i : used) elements.push_back(element(i));
    const vector<T> expected = product(vector<T>::from_sparse(
        context::reference(), columns, std::vector(used.begin(), used.end()), elements));
    for (const vector<T>& u : operands_) {
      const vector<T> found = product(u);
      ASSERT_EQ(expected.nvals(), found.nvals()) << what;
      for (const auto& e : expected.entries())
        ASSERT_EQ(e.value, found.get(e.index).value()) << what << ", row " << e.index;
    }
  }

 private:
  static T element(std::size_t i) { return static_cast<T>(i % 11); }
  std::vector<vector<T>> operands_;  // full, on one thread and on two
};
using types = ::testing::Types<std::int32_t, float, double>;
TYPED_TEST_SUITE(Prefetch, types);

TYPED_TEST(Prefetch, StaysWithinTheColumns) {
  using T = TypeParam;
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const int last_rows : {0, 1, 42, 43, 44, 6000}) {
    const pattern p = short_rows(last_rows, random);
    const std::string what = std::to_string(last_rows) + " rows of 3 at the end";
    this->check(p, what, plus_times<T>{});
    this->check(p, what, min_plus<T>{});
    this->check(p, what, max_min<T>{});
  }
  const pattern p = long_last_row(random);
  this->check(p, "a long last row", plus_times<T>{});
  this->check(p, "a long last row", min_plus<T>{});
}

// A few rows, of which the last ones have no entries, or one to five.
TYPED_TEST(Prefetch, ShortRowsReadNoEntryBehindTheLast) {
  using T = TypeParam;
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (std::size_t last_length = 0; last_length <= 5; ++last_length)
    for (const int last_rows : {1, 3}) {
      pattern p;
      for (std::size_t n = 0; n < 40; ++n) p.add_row(n % 9, 1000, random);
      for (int n = 0; n < last_rows; ++n) p.add_row(last_length, 1000, random);
      const std::string what =
          std::to_string(last_rows) + " last rows of " + std::to_string(last_length) + " entries";
      this->check(p, what, plus_times<T>{});
      this->check(p, what, plus_min<T>{});
      this->check(p, what, min_plus<T>{});
      this->check(p, what, max_min<T>{});
      this->check(p, what, max_second<T>{});
    }
}

}  // namespace
}  // namespace prefetch_test
}  // namespace tropic::testing
