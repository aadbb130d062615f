// SPDX-License-Identifier: Apache-2.0

// Plain arrays in and out on every context: exported arrays equal the imported ones, in every
// format, value type and index type, and products use the same matrix.

#include <gtest/gtest.h>

#include <numeric>
#include <tropic/tropic.hpp>

#include "interop/plain_arrays.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

class Arrays : public OnContext {};
TROPIC_ON_EVERY_CONTEXT(Arrays);

// Neither square nor symmetric, with empty rows and columns, so that a mix-up of rows and columns
// is detected.
host_matrix sample(const type_description& type, index_t rows = 9, index_t columns = 14) {
  dice random(base_seed());
  host_matrix result = random_matrix(type, rows, columns, 0.3, flavour::weighted, random);
  std::erase_if(result.entries, [&](const auto& e) {
    return e.first.first == 4 || e.first.first == rows - 1 || e.first.second == 0;
  });
  return result;
}

template <class T, class Offset, class Index>
void round_trip(const context& where, const host_matrix& data) {
  const index_t rows = data.rows, columns = data.columns;
  dice random(base_seed());
  const auto by_row = compress<Offset, Index, T>(data, false);
  const auto by_column = compress<Offset, Index, T>(data, true);
  const auto entries = list<Index, Offset, T>(data, random);
  const matrix<T> result[] = {matrix<T>::from_csr(where, rows, columns, lend(by_row.offsets),
                                                  lend(by_row.indices), by_row.values.view()),
                              matrix<T>::from_csc(where, rows, columns, lend(by_column.offsets),
                                                  lend(by_column.indices), by_column.values.view()),
                              matrix<T>::from_entries(where, rows, columns, entries.rows,
                                                      entries.columns, entries.values.span())};
  for (const matrix<T>& m : result) {
    EXPECT_EQ(difference(data, read(m.base())), "");
    EXPECT_EQ(
        difference(data, read_compressed(rows, columns, m.template to_csr<Offset, Index>(), false)),
        "");
    EXPECT_EQ(
        difference(data, read_compressed(rows, columns, m.template to_csc<Offset, Index>(), true)),
        "");
    EXPECT_EQ(difference(data, read_entries(rows, columns, m.template to_coo<Index, Offset>())),
              "");
  }
}

TEST_P(Arrays, OfEveryTypeOfIndices) {
  const host_matrix data = sample(describe<float>());
  for_each_index_type([&]<class Offset>() {
    for_each_index_type([&]<class Index>() { round_trip<float, Offset, Index>(where(), data); });
  });
}

TEST_P(Arrays, OfEveryTypeOfValues) {
  for_each_value_type([&]<class T>() {
    SCOPED_TRACE(std::string(describe<T>().name));
    round_trip<T, std::int64_t, std::int32_t>(where(), sample(describe<T>()));
  });
}

TEST_P(Arrays, ThatAreEmpty) {
  for (const auto& [rows, columns] : {std::pair<index_t, index_t>{0, 0}, {0, 5}, {5, 0}, {3, 4}}) {
    const host_matrix none{&describe<double>(), rows, columns, {}};
    round_trip<double, std::uint32_t, std::uint32_t>(where(), none);
    round_trip<double, std::int64_t, std::int64_t>(where(), none);
  }
}

TEST_P(Arrays, OfOneValueForAll) {
  host_matrix data = sample(describe<double>());
  make_iso(data);
  const auto one = std::make_shared<const double>(value_of<double>(data.entries.begin()->second));
  const auto by_row = compress<std::int64_t, std::int64_t, double>(data, false);
  const auto by_column = compress<std::int64_t, std::int64_t, double>(data, true);
  const array_view<double> values{{one.get(), 1}, one};
  const matrix<double> result[] = {
      matrix<double>::from_csr(where(), data.rows, data.columns, lend(by_row.offsets),
                               lend(by_row.indices), values),
      matrix<double>::from_csc(where(), data.rows, data.columns, lend(by_column.offsets),
                               lend(by_column.indices), values)};
  EXPECT_TRUE(result[0].is_iso());
  EXPECT_EQ(result[0].values().size(), 1u);
  for (const matrix<double>& m : result) {
    EXPECT_EQ(difference(data, read(m.base())), "");
    EXPECT_EQ(difference(data, read_compressed(data.rows, data.columns,
                                               m.to_csr<std::int32_t, std::int32_t>(), false)),
              "");
    EXPECT_EQ(difference(data, read_entries(data.rows, data.columns, m.to_coo<>())), "");
  }
}

TEST_P(Arrays, RepeatedEntriesByRule) {
  const std::vector<std::int64_t> row{2, 0, 2, 2}, column{1, 3, 1, 0};
  const std::vector<double> value{1, 2, 4, 8};
  EXPECT_THROW(matrix<double>::from_entries(where(), 3, 4, row, column, value), usage_error);
  const auto summed =
      matrix<double>::from_entries(where(), 3, 4, row, column, value, duplicates::sum);
  EXPECT_EQ(summed.nvals(), 3);
  EXPECT_EQ(summed.get(2, 1), 5);
  EXPECT_EQ(summed.get(0, 3), 2);
  EXPECT_EQ(matrix<bool>::from_pattern(where(), 3, 4, row, column, true).nvals(), 3);
}

TEST_P(Arrays, ProductsSeeThem) {
  const host_matrix data = sample(describe<double>());
  const auto by_row = compress<std::int64_t, std::int64_t, double>(data, false);
  const auto by_column = compress<std::int32_t, std::int32_t, double>(data, true);
  const auto a = matrix<double>::from_csr(where(), 9, 14, lend(by_row.offsets),
                                          lend(by_row.indices), by_row.values.view());
  const auto b = matrix<double>::from_csc(where(), 9, 14, lend(by_column.offsets),
                                          lend(by_column.indices), by_column.values.view());
  std::vector<double> expected(9, -1);
  for (const auto& [at, value] : data.entries) {
    double& sum = expected[static_cast<std::size_t>(at.first)];
    sum = (sum < 0 ? 0 : sum) + value_of<double>(value);
  }
  const vector<double> u(where(), 14, 1.);
  for (const auto* m : {&a, &b}) {
    vector<double> w(where(), 9);
    mxv(w, plus_times<double>{}, *m, u);
    EXPECT_EQ(w.dense(-1), expected);
    vxm(w, plus_times<double>{}, u, transpose(*m));
    EXPECT_EQ(w.dense(-1), expected);
  }
}

template <class T, class Index>
void vector_round_trip(const context& where, const host_vector& data) {
  std::vector<Index> indices;
  plain_values<T> values(data.entries.size());
  for (const auto& [at, value] : data.entries) {
    values.at[indices.size()] = value_of<T>(value);
    indices.push_back(static_cast<Index>(at));
  }
  const auto sparse = vector<T>::from_sparse(where, data.size, lend(indices), values.view());
  EXPECT_EQ(difference(data, read(sparse.base())), "");
  const auto out = sparse.to_sparse();
  ASSERT_EQ(out.indices.size(), indices.size());
  for (std::size_t n = 0; n < indices.size(); ++n) {
    EXPECT_EQ(static_cast<Index>(out.indices[n]), indices[n]);
    EXPECT_EQ(std::memcmp(&out.values[n], &values.at[n], sizeof(T)), 0);
  }
  std::vector<Index> turned(indices.rbegin(), indices.rend());
  plain_values<T> turned_values(values.size);
  std::reverse_copy(values.at, values.at + values.size, turned_values.at);
  EXPECT_EQ(
      difference(
          data,
          read(vector<T>::from_entries(where, data.size, turned, turned_values.span()).base())),
      "");
}

TEST_P(Arrays, OfVectorsComeBackUnchanged) {
  dice random(base_seed());
  for_each_index_type([&]<class Index>() {
    vector_round_trip<double, Index>(
        where(), random_vector(describe<double>(), 40, 0.3, flavour::weighted, random));
  });
  for_each_value_type([&]<class T>() {
    SCOPED_TRACE(std::string(describe<T>().name));
    const host_vector some = random_vector(describe<T>(), 40, 0.3, flavour::weighted, random);
    vector_round_trip<T, std::int64_t>(where(), some);
    const host_vector all = random_vector(describe<T>(), 40, 1, flavour::weighted, random);
    plain_values<T> values(40);
    for (const auto& [at, value] : all.entries)
      values.at[static_cast<std::size_t>(at)] = value_of<T>(value);
    const auto full = vector<T>::from_array(where(), values.view());
    EXPECT_EQ(difference(all, read(full.base())), "");
    EXPECT_EQ(full.to_array().data.data(), values.at);
  });
}

TEST_P(Arrays, LargeEnoughForManyThreads) {
  constexpr index_t rows = 3000, entries_per_row = 40;
  std::vector<std::int64_t> offsets, columns;
  std::vector<double> values;
  for (index_t row = 0; row < rows; ++row) {
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
    for (index_t k = 0; k < entries_per_row; ++k) {
      columns.push_back(row % 7 + 3 * k);
      values.push_back(static_cast<double>(row + k));
    }
  }
  offsets.push_back(static_cast<std::int64_t>(columns.size()));
  const auto m =
      matrix<double>::from_csr(where(), rows, 200, lend(offsets), lend(columns), lend(values));
  const auto out = m.to_csr<std::int64_t, std::int64_t>();
  EXPECT_TRUE(std::ranges::equal(out.offsets, offsets));
  EXPECT_TRUE(std::ranges::equal(out.indices, columns));
  EXPECT_TRUE(std::ranges::equal(out.values, values));
  const auto coo = m.to_coo<std::int32_t, std::int64_t>();
  for (std::size_t e = 0; e < columns.size(); e += 977)
    EXPECT_EQ(coo.rows[e], static_cast<std::int32_t>(e / entries_per_row));
  const auto csc = m.to_csc<std::uint32_t, std::int32_t>();
  const auto again =
      matrix<double>::from_csc(where(), rows, 200, csc.offsets, csc.indices, csc.values)
          .to_csr<std::int64_t, std::int64_t>();
  EXPECT_TRUE(std::ranges::equal(again.indices, columns));
  EXPECT_TRUE(std::ranges::equal(again.values, values));
  const auto by_entries = matrix<double>::from_entries(where(), rows, 200, coo.rows.data,
                                                       coo.columns.data, coo.values.data);
  EXPECT_TRUE(std::ranges::equal(by_entries.to_csr<std::int64_t, std::int64_t>().values, values));
}

}  // namespace
}  // namespace tropic::testing
