// SPDX-License-Identifier: Apache-2.0

// Matrices from entries in any order, compared with a stable sort of the same entries: at numbers
// of entries and rows around those that add a thread, a bucket or a slice, in orders that take each
// path, and with values that show the order in which repeated entries are merged.

#include <algorithm>
#include <numeric>
#include <tropic/detail/random_bits.hpp>
#include <tropic/matrix.hpp>

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

enum class order { any, rows, rows_and_columns };

struct entry_list {
  std::uint32_t rows = 1, columns = 1;
  std::vector<std::uint32_t> row, column;

  places list() const {
    places all;
    for (std::size_t e = 0; e < row.size(); ++e) all.emplace_back(row[e], column[e]);
    return all;
  }
  void set(const places& all) {
    row.clear();
    column.clear();
    for (const auto& [r, c] : all) {
      row.push_back(r);
      column.push_back(c);
    }
  }
};

/// `hub`: the share of entries in row 0, in percent.
entry_list drawn(std::size_t count, std::uint32_t rows, std::uint32_t columns, unsigned hub,
                 order in) {
  entry_list result{rows, columns, {}, {}};
  places all;
  for (std::uint64_t e = 0; e < count; ++e) {
    const std::uint64_t row_bits = tropic::detail::random_bits(count + rows, 2 * e);
    const std::uint64_t column_bits = tropic::detail::random_bits(count + rows, 2 * e + 1);
    const auto r = static_cast<std::uint32_t>(row_bits % 100 < hub ? 0 : (row_bits >> 20) % rows);
    all.emplace_back(r, static_cast<std::uint32_t>((column_bits >> 20) % columns));
  }
  if (in == order::rows)
    std::stable_sort(all.begin(), all.end(), [](auto a, auto b) { return a.first < b.first; });
  if (in == order::rows_and_columns) std::stable_sort(all.begin(), all.end());
  result.set(all);
  return result;
}

/// Keeps the first entry of each position.
void make_distinct(entry_list& entries) {
  places all = entries.list();
  all.erase(std::unique(all.begin(), all.end()), all.end());
  entries.set(all);
}

template <class T>
tropic::detail::matrix_base built(const context& where, const entry_list& entries,
                                  const std::vector<T>& values, duplicates rule) {
  return tropic::detail::build_matrix(where.state(), describe<T>(), entries.rows, entries.columns,
                                      entries.row, entries.column, values.data(),
                                      tropic::detail::value_layout::per_entry, rule);
}

template <class T, class Combine>
void expect_built(const entry_list& entries, duplicates rule, Combine&& combine,
                  const std::string& what) {
  const std::size_t count = entries.row.size();
  std::vector<T> values(count);
  for (std::size_t e = 0; e < count; ++e)
    values[e] = static_cast<T>(tropic::detail::random_bits(5, e) % 100 * (e % 3 == 0 ? 1000 : 1));
  std::vector<std::size_t> sorted(count);
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  const auto at = [&](std::size_t e) { return std::pair(entries.row[e], entries.column[e]); };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::size_t a, std::size_t b) { return at(a) < at(b); });
  places expected;
  std::vector<T> merged;
  for (const std::size_t e : sorted) {
    if (!expected.empty() && expected.back() == at(e)) {
      merged.back() = combine(merged.back(), values[e]);
    } else {
      expected.push_back(at(e));
      merged.push_back(values[e]);
    }
  }
  for (const int threads : {1, 2, 5}) {
    const context where = context::cpu({.threads = threads});
    const auto m = built(where, entries, values, rule);
    ASSERT_EQ(m.nnz, static_cast<index_t>(expected.size())) << what;
    const auto* const column = static_cast<const std::uint32_t*>(m.column_indices->host());
    const auto* const value = static_cast<const T*>(m.values->host());
    places found;
    for (index_t r = 0; r < m.rows; ++r)
      for (index_t e = tropic::detail::offset_at(m, r); e < tropic::detail::offset_at(m, r + 1);
           ++e)
        found.emplace_back(static_cast<std::uint32_t>(r), column[e]);
    ASSERT_TRUE(found == expected) << what << ", " << threads << " threads";
    ASSERT_TRUE(std::equal(merged.begin(), merged.end(), value)) << what << ", " << threads;
  }
}

constexpr auto first = [](auto a, auto) { return a; };
constexpr auto last = [](auto, auto b) { return b; };
constexpr auto sum = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };

std::string words_for(const entry_list& entries, unsigned hub, order in) {
  return std::to_string(entries.row.size()) + " entries of " + std::to_string(entries.rows) +
         " rows, " + std::to_string(hub) + " % in one, order " +
         std::to_string(static_cast<int>(in));
}

TEST(BuildMatrix, SortsEntriesInEveryOrderAtEveryBoundary) {
  for (const std::size_t count : {0U, 1U, 2U, 32767U, 32768U, 32769U, 65537U, 524288U, 524289U})
    for (const std::uint32_t rows : {1U, 17U, 65536U, 65537U, 1U << 20})
      for (const order in : {order::any, order::rows, order::rows_and_columns}) {
        if (count > 100'000 && (rows < 65536 || in == order::rows_and_columns)) continue;
        const entry_list entries = drawn(count, rows, 3000, 2, in);
        expect_built<std::int32_t>(entries, duplicates::last, last, words_for(entries, 2, in));
      }
}

TEST(BuildMatrix, MergesRepeatedEntriesInTheirOrder) {
  // Few columns: most positions are repeated. The sums of floats round, and depend on the order.
  for (const unsigned hub : {0U, 5U, 90U})
    for (const order in : {order::any, order::rows, order::rows_and_columns}) {
      const entry_list entries = drawn(100'000, 40'000, 7, hub, in);
      const std::string what = words_for(entries, hub, in);
      expect_built<std::uint8_t>(entries, duplicates::first, first, what);
      expect_built<std::int16_t>(entries, duplicates::last, last, what);
      expect_built<float>(
          entries, duplicates::sum, [](float a, float b) { return a + b; }, what);
      expect_built<std::uint64_t>(entries, duplicates::sum, sum, what);
    }
}

TEST(BuildMatrix, SortsLongRowsByAllDigitsOfTheirColumns) {
  for (const std::uint32_t columns : {1023U, 2048U, 2049U, 1U << 22, (1U << 22) + 1, 0xffffffffU})
    for (const std::size_t count : {1024U, 1025U, 40'000U}) {
      const entry_list entries = drawn(count, 1, columns, 100, order::any);
      expect_built<std::int64_t>(entries, duplicates::last, last,
                                 std::to_string(count) + " of " + std::to_string(columns));
    }
}

TEST(BuildMatrix, CopiesEntriesThatAscend) {
  for (const std::size_t count : {1U, 2U, 32768U, 65535U, 65536U, 65537U, 200'000U}) {
    entry_list entries = drawn(count, 5000, 100'000, 10, order::rows_and_columns);
    make_distinct(entries);
    expect_built<double>(entries, duplicates::error, first, words_for(entries, 10, order::rows));
  }
}

TEST(BuildMatrix, NamesTheFirstEntryOutsideAndTheFirstRepeatedOne) {
  entry_list entries = drawn(300'000, 70'000, 100'000, 0, order::any);
  std::vector<std::int32_t> values(entries.row.size(), 1);
  std::vector<std::int32_t> one{1};
  for (const int threads : {1, 3}) {
    const context where = context::cpu({.threads = threads});
    entry_list outside = entries;
    outside.column[65'536] = 100'000;
    outside.row[65'537] = 70'000;
    outside.row[299'999] = 80'000;
    EXPECT_EQ(message_of([&] { built(where, outside, values, duplicates::sum); }),
              "matrix: entry (" + std::to_string(outside.row[65'536]) +
                  ", 100000) outside a 70000x100000 matrix");
    // The smallest position that occurs twice, wherever it is in the list.
    places all = entries.list();
    std::sort(all.begin(), all.end());
    const auto twice = std::adjacent_find(all.begin(), all.end());
    ASSERT_NE(twice, all.end());
    EXPECT_EQ(message_of([&] { built(where, entries, values, duplicates::error); }),
              "matrix: a second entry at (" + std::to_string(twice->first) + ", " +
                  std::to_string(twice->second) + ")");
  }
}

TEST(BuildMatrix, CanBeCancelled) {
  const entry_list entries = drawn(300'000, 70'000, 1000, 0, order::any);
  const std::vector<std::int32_t> values(entries.row.size(), 1);
  context_options options;
  options.cancel.cancel();
  const context where = context::cpu(options);
  EXPECT_THROW(built(where, entries, values, duplicates::sum), cancelled);
}

}  // namespace
}  // namespace tropic::io::samples
