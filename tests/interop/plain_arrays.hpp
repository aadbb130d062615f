// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices as other programs store them: plain arrays in CSR, CSC or COO, of any index types.

#include <cstring>
#include <memory>
#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>
#include <vector>

#include "support/compare.hpp"
#include "support/host_data.hpp"

namespace tropic::testing {

/// An array type that also exists for bool.
template <class T>
struct plain_values {
  explicit plain_values(std::size_t count)
      : held(std::make_shared<T[]>(count)), at(held.get()), size(count) {}
  std::shared_ptr<T[]> held;
  T* at;
  std::size_t size;

  std::span<const T> span() const { return {at, size}; }
  array_view<T> view() const { return {span(), held}; }
};

template <class T>
T value_of(const scalar_bytes& from) {
  T value;
  std::memcpy(&value, from.data(), sizeof(value));
  return value;
}

template <class Offset, class Index, class T>
struct plain_matrix {
  std::vector<Offset> offsets;
  std::vector<Index> indices;
  plain_values<T> values;
};
/// By column: CSC.
template <class Offset, class Index, class T>
plain_matrix<Offset, Index, T> compress(const host_matrix& from, bool by_column) {
  const std::size_t majors = static_cast<std::size_t>(by_column ? from.columns : from.rows);
  plain_matrix<Offset, Index, T> result{
      std::vector<Offset>(majors + 1), {}, plain_values<T>(from.entries.size())};
  std::map<std::pair<index_t, index_t>, scalar_bytes> sorted;
  for (const auto& [at, value] : from.entries)
    sorted.emplace(by_column ? std::pair{at.second, at.first} : at, value);
  for (const auto& [at, value] : sorted) {
    ++result.offsets[static_cast<std::size_t>(at.first) + 1];
    result.values.at[result.indices.size()] = value_of<T>(value);
    result.indices.push_back(static_cast<Index>(at.second));
  }
  for (std::size_t n = 0; n < majors; ++n) result.offsets[n + 1] += result.offsets[n];
  return result;
}

template <class Row, class Column, class T>
struct plain_entries {
  std::vector<Row> rows;
  std::vector<Column> columns;
  plain_values<T> values;
};
/// In random order.
template <class Row, class Column, class T>
plain_entries<Row, Column, T> list(const host_matrix& from, dice& random) {
  std::vector<std::pair<std::pair<index_t, index_t>, scalar_bytes>> all(from.entries.begin(),
                                                                        from.entries.end());
  for (std::size_t n = all.size(); n > 1; --n)
    std::swap(all[n - 1], all[static_cast<std::size_t>(random.roll(static_cast<int>(n)))]);
  plain_entries<Row, Column, T> result{{}, {}, plain_values<T>(all.size())};
  for (const auto& [at, value] : all) {
    result.values.at[result.rows.size()] = value_of<T>(value);
    result.rows.push_back(static_cast<Row>(at.first));
    result.columns.push_back(static_cast<Column>(at.second));
  }
  return result;
}

template <class T>
array_view<T> lend(const std::vector<T>& v) {
  return {v, nullptr};
}

/// The contents of exported arrays, as a map.
template <class Row, class Column, class T>
host_matrix read_entries(index_t rows, index_t columns,
                         const coordinate_arrays<Row, Column, T>& a) {
  host_matrix result{&describe<T>(), rows, columns, {}};
  EXPECT_EQ(a.rows.size(), a.values.size());
  EXPECT_EQ(a.columns.size(), a.values.size());
  for (std::size_t e = 0; e < a.values.size(); ++e)
    result.entries[{static_cast<index_t>(a.rows[e]), static_cast<index_t>(a.columns[e])}] =
        scalar_bytes::of(a.values[e]);
  EXPECT_EQ(result.entries.size(), a.values.size()) << "an entry came twice";
  return result;
}
template <class Arrays>
host_matrix read_compressed(index_t rows, index_t columns, const Arrays& a, bool by_column) {
  using T = std::remove_cvref_t<decltype(a.values[0])>;
  host_matrix result{&describe<T>(), rows, columns, {}};
  const index_t majors = by_column ? columns : rows;
  EXPECT_EQ(a.offsets.size(), static_cast<std::size_t>(majors) + 1);
  for (index_t n = 0; n < majors; ++n)
    for (auto e = static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(n)]);
         e < static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(n) + 1]); ++e) {
      const auto minor = static_cast<index_t>(a.indices[e]);
      result.entries[by_column ? std::pair{minor, n} : std::pair{n, minor}] =
          scalar_bytes::of(a.values[e]);
    }
  EXPECT_EQ(result.entries.size(), a.values.size());
  return result;
}

/// Calls f.operator()<I>() for every type of indices.
template <class F>
void for_each_index_type(F f) {
  f.template operator()<std::int32_t>();
  f.template operator()<std::uint32_t>();
  f.template operator()<std::int64_t>();
  f.template operator()<std::uint64_t>();
}
/// And for every type of values.
template <class F>
void for_each_value_type(F f) {
  for (int code = 0; code < builtin_type_count; ++code)
    with_builtin_type(static_cast<type_code>(code), f);
  f.template operator()<test_path>();
}

}  // namespace tropic::testing
