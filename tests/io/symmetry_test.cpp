// SPDX-License-Identifier: Apache-2.0

// Sums of hashes over compressed rows, whose loops use vectors: rows of every length up to those of
// several vectors, with entries on, above and below the diagonal, and values of every type.

#include "io/symmetry.hpp"

#include <fstream>
#include <limits>
#include <string>

#include "io/binary/symmetric_rows.hpp"
#include "samples.hpp"

namespace tropic::io::samples {
namespace {

/// The entries (i, j) with |i - j| below `band`, as arrays of a `.tropic` file.
template <class T>
struct banded {
  std::vector<std::uint32_t> offsets{0}, column;
  std::vector<std::byte> values;
  mapped_csr m;

  banded(std::uint32_t rows, std::uint32_t band, bool complex = false) {
    for (std::uint32_t i = 0; i < rows; ++i) {
      for (std::uint32_t j = 0; j < rows; ++j) {
        if (std::max(i, j) - std::min(i, j) >= band) continue;
        column.push_back(j);
        for (int part = 0; part < (complex ? 2 : 1); ++part) {
          const T value = static_cast<T>((i * j + i + j + static_cast<std::uint32_t>(part)) % 2);
          values.resize(values.size() + sizeof(T));
          std::memcpy(&values[values.size() - sizeof(T)], &value, sizeof(T));
        }
      }
      offsets.push_back(static_cast<std::uint32_t>(column.size()));
    }
    m.rows = m.columns = rows;
    m.entries = static_cast<index_t>(column.size());
    m.type = builtin_code<T>();
    m.complex = complex;
    m.offsets32 = offsets;
    m.column = column;
    m.values = values;
  }
  std::size_t at(std::uint32_t i, std::uint32_t j) const {
    std::size_t k = offsets[i];
    while (column[k] != j) ++k;
    return k;
  }
  /// Adds one to a value.
  void change(std::size_t number) {
    T value;
    std::memcpy(&value, &values[number * sizeof(T)], sizeof(T));
    value = static_cast<T>(value + T{1});
    std::memcpy(&values[number * sizeof(T)], &value, sizeof(T));
  }
};

/// By the sum of hashes, and by the pass over rows where the processor has its instructions.
bool is_symmetric(const mapped_csr& m, int threads) {
  const bool symmetric = detail::is_symmetric(m, threads);
  const detail::symmetric_rows_pass pass = detail::pass_over_symmetric_rows(m);
  if (pass == nullptr) return symmetric;
  const std::vector<std::uint64_t> wide_offsets(m.offsets32.begin(), m.offsets32.end());
  mapped_csr wide = m;
  wide.offsets32 = {};
  wide.offsets64 = wide_offsets;
  for (const mapped_csr* one : {&m, static_cast<const mapped_csr*>(&wide)}) {
    detail::hash_sum sum{};
    const auto rows = static_cast<std::size_t>(m.rows);
    for (std::size_t begin = 0; begin < rows; begin += 13)
      EXPECT_TRUE(pass(*one, begin, std::min(rows, begin + 13), sum));
    EXPECT_EQ(sum == detail::hash_sum{}, symmetric);
  }
  return symmetric;
}

template <class T>
void expect_one_change_is_seen() {
  for (const std::uint32_t band : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 17U, 40U})
    for (const int threads : {1, 3}) {
      const banded<T> whole(41, band);
      EXPECT_TRUE(is_symmetric(whole.m, threads)) << band;
      banded<T> diagonal(41, band);
      diagonal.change(diagonal.at(20, 20));
      EXPECT_TRUE(is_symmetric(diagonal.m, threads)) << band;
      for (const std::uint32_t i : {0U, 7U, 40U})
        for (const std::uint32_t j : {1U, 8U, 39U}) {
          if (std::max(i, j) - std::min(i, j) >= band) continue;
          banded<T> changed(41, band);
          changed.change(changed.at(i, j));
          EXPECT_FALSE(is_symmetric(changed.m, threads)) << band << ", " << i << ", " << j;
        }
    }
}

TEST(Symmetry, SeesOneChangedValueOfEveryTypeInRowsOfEveryLength) {
  expect_one_change_is_seen<std::int8_t>();
  expect_one_change_is_seen<std::uint16_t>();
  expect_one_change_is_seen<std::int32_t>();
  expect_one_change_is_seen<std::uint64_t>();
  expect_one_change_is_seen<float>();
  expect_one_change_is_seen<double>();
}

TEST(Symmetry, SeesOneChangedPartOfComplexValues) {
  for (const std::size_t part : {0U, 1U}) {
    banded<double> m(41, 9, true);
    EXPECT_TRUE(is_symmetric(m.m, 2));
    m.change(2 * m.at(30, 31) + part);
    EXPECT_FALSE(is_symmetric(m.m, 2));
  }
}

TEST(Symmetry, SeesOneChangedPositionOfAPattern) {
  banded<bool> m(41, 9);
  m.m.pattern = true;
  EXPECT_TRUE(is_symmetric(m.m, 2));
  m.column[m.at(3, 11)] = 12;
  EXPECT_FALSE(is_symmetric(m.m, 2));
}

TEST(Symmetry, TakesZerosOfBothSignsAndAllNansForEqual) {
  banded<double> m(41, 9);
  const double a[] = {0.0, -0.0}, nan = std::numeric_limits<double>::quiet_NaN();
  const auto set = [&](std::uint32_t i, std::uint32_t j, double value) {
    std::memcpy(&m.values[m.at(i, j) * sizeof(double)], &value, sizeof(double));
  };
  set(5, 6, a[0]);
  set(6, 5, a[1]);
  set(7, 8, nan);
  set(8, 7, -nan);
  EXPECT_TRUE(is_symmetric(m.m, 2));
  set(8, 7, 0);
  EXPECT_FALSE(is_symmetric(m.m, 2));
}

/// By the kernel's list, not by the library's own question; false where there is no such list.
bool processor_lists(const std::string& flag) {
  std::ifstream list("/proc/cpuinfo");
  for (std::string line; std::getline(list, line);)
    if (line.starts_with("flags")) return (line + ' ').find(flag + ' ') != std::string::npos;
  return false;
}

TEST(Symmetry, ThePassRefusesEveryWrongOffsetAndColumn) {
  for (const std::uint32_t band : {1U, 2U, 4U, 6U, 11U}) {
    banded<float> m(23, band);
    const detail::symmetric_rows_pass pass = detail::pass_over_symmetric_rows(m.m);
    if (pass == nullptr) {
      ASSERT_FALSE(processor_lists(" vaes") && processor_lists(" avx2"));
      GTEST_SKIP() << "the processor lacks the instructions; tests of files cover the other checks";
    }
    const auto is_valid = [&] {
      detail::hash_sum sum{};
      const bool valid = pass(m.m, 0, 23, sum);
      EXPECT_TRUE(valid || sum == detail::hash_sum{});
      return valid;
    };
    ASSERT_TRUE(is_valid());
    for (std::uint32_t row = 0; row < 23; ++row)
      for (std::uint32_t k = m.offsets[row]; k < m.offsets[row + 1]; ++k) {
        const std::uint32_t column = m.column[k];
        if (k > m.offsets[row]) {
          m.column[k] = m.column[k - 1];
          EXPECT_FALSE(is_valid()) << row << ", " << k;
        }
        // The highest bit does not make a column negative.
        for (const std::uint32_t beyond : {23U, 0x80000000U, 0xffffffffU}) {
          m.column[k] = beyond;
          EXPECT_FALSE(is_valid()) << row << ", " << k;
        }
        m.column[k] = column;
      }
    ASSERT_TRUE(is_valid());
    for (std::size_t r = 0; r <= 23; ++r) {
      const std::uint32_t offset = m.offsets[r];
      for (const std::uint32_t wrong : {m.offsets[23] + 1, 0xffffffffU}) {
        m.offsets[r] = wrong;
        EXPECT_FALSE(is_valid()) << r;
      }
      m.offsets[r] = offset;
    }
  }
}

}  // namespace
}  // namespace tropic::io::samples
