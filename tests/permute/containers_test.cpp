// SPDX-License-Identifier: Apache-2.0

// Matrices and vectors permuted and restored: every type, storage and context, bit-identical.

#include <cstring>

#include <tropic/apply.hpp>
#include <tropic/generators.hpp>
#include <tropic/permute.hpp>
#include <tropic/product.hpp>
#include <tropic/read_matrix.hpp>
#include <tropic/semirings/builtins.hpp>

#include "support/compare.hpp"
#include "support/host_data.hpp"
#include "support/messages.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

permutation random_of(index_t size, std::uint64_t seed) {
  return make_permutation(matrix<bool>(context::cpu(), size, 1), permutation_kind::random_row, seed)
      .rows;
}

host_matrix moved(const host_matrix& a, const permutation& rows, const permutation& columns) {
  host_matrix result{a.type, a.rows, a.columns, {}};
  for (const auto& [at, value] : a.entries)
    result.entries.emplace(std::pair{rows.new_position(at.first), columns.new_position(at.second)},
                           value);
  return result;
}

host_vector moved(const host_vector& u, const permutation& p) {
  host_vector result{u.type, u.size, {}};
  for (const auto& [i, value] : u.entries) result.entries.emplace(p.new_position(i), value);
  return result;
}

std::vector<std::byte> bytes_of(const detail::buffer_pointer& b) {
  if (b == nullptr || b->bytes() == 0) return {};
  const auto* from = static_cast<const std::byte*>(b->host());
  return {from, from + b->bytes()};
}
void expect_same_bits(const detail::matrix_base& a, const detail::matrix_base& b) {
  EXPECT_EQ(bytes_of(a.offsets), bytes_of(b.offsets));
  EXPECT_EQ(bytes_of(a.column_indices), bytes_of(b.column_indices));
  EXPECT_EQ(bytes_of(a.values), bytes_of(b.values));
}

std::vector<const type_description*> some_types() {
  return {&describe<bool>(),         &describe<std::int16_t>(), &describe<float>(),
          &describe<std::int64_t>(), &describe<double>(),       &describe<test_path>()};
}

// 10 + i at position i, created on the device.
TROPIC_UNARY_OPERATOR(ten_and_position, 5 * x + i);
void set_known(vector<double>& u) {
  apply(u, ten_and_position{}, u);
}

class PermuteContainers : public OnContext {};

TEST_P(PermuteContainers, MatricesOfEveryTypeGoThereAndBackToTheBit) {
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  for (const type_description* type : some_types())
    for (const auto& [rows, columns] :
         {std::pair<index_t, index_t>{1, 1}, {7, 7}, {20, 33}, {40, 3}, {5, 0}, {0, 5}})
      for (const bool wide : {false, true})
        for (const bool iso : {false, true}) {
          host_matrix a = random_matrix(*type, rows, columns, 0.3, flavour::edge, random);
          if (iso) make_iso(a);
          const detail::matrix_base given = make(where(), a, wide, iso);
          const permutation p = random_of(rows, random.next()),
                            q = random_of(columns, random.next());
          const detail::matrix_base there = detail::permute(given, p, q);
          EXPECT_EQ(difference(moved(a, p, q), read(there)), "") << type->name;
          EXPECT_TRUE(there.context == given.context);
          EXPECT_EQ(there.wide, given.wide);
          EXPECT_EQ(there.iso, given.iso);
          expect_same_bits(detail::permute(there, p.inverse(), q.inverse()), given);
          // Only rows or only columns.
          const permutation stay = permutation::identity(columns);
          EXPECT_EQ(difference(moved(a, p, stay), read(detail::permute(given, p, stay))), "");
        }
}

// On a device, a symmetric matrix in one order of its rows and columns is sorted once instead of
// twice.
TEST_P(PermuteContainers, SymmetricMatricesGoThereAndBackToTheBit) {
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  for (const type_description* type : some_types())
    for (const index_t size : {1, 2, 31, 33, 140})
      for (const bool iso : {false, true}) {
        host_matrix a = random_matrix(*type, size, size, 0.3, flavour::edge, random);
        if (iso) make_iso(a);
        std::erase_if(a.entries, [](const auto& e) { return e.first.first > e.first.second; });
        const host_matrix upper = a;
        for (const auto& [at, value] : upper.entries)
          a.entries.emplace(std::pair{at.second, at.first}, value);
        detail::matrix_base given = make(where(), a, false, iso);
        given.symmetric = true;
        const permutation p = random_of(size, random.next()), q = random_of(size, random.next());
        const detail::matrix_base there = detail::permute(given, p, p);
        EXPECT_TRUE(there.symmetric);
        EXPECT_EQ(difference(moved(a, p, p), read(there)), "") << type->name;
        EXPECT_EQ(there.longest_row, given.longest_row);
        expect_same_bits(detail::permute(there, p.inverse(), p.inverse()), given);
        if (size > 2) {
          const detail::matrix_base other = detail::permute(given, p, q);
          EXPECT_FALSE(other.symmetric);
          EXPECT_EQ(difference(moved(a, p, q), read(other)), "") << type->name;
        }
      }
}

TEST_P(PermuteContainers, VectorsOfEveryStorageGoThereAndBackToTheBit) {
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  for (const type_description* type : some_types())
    for (const index_t size : {1, 2, 100, 1000})
      for (const vector_storage storage :
           {vector_storage::sparse, vector_storage::bitmap, vector_storage::full}) {
        const double density = storage == vector_storage::full     ? 1
                               : storage == vector_storage::sparse ? 0.02
                                                                   : 0.5;
        const host_vector u = random_vector(*type, size, density, flavour::edge, random);
        const detail::vector_base given = make(where(), u, storage);
        const permutation p = random_of(size, random.next());
        const detail::vector_base there = detail::permute(given, p);
        EXPECT_EQ(difference(moved(u, p), read(there)), "") << type->name << " of " << size;
        if (storage == vector_storage::full) {
          EXPECT_TRUE(there.storage == vector_storage::full);
        }
        const host_vector back = read(detail::permute(there, p.inverse()));
        ASSERT_EQ(back.entries.size(), u.entries.size());
        for (const auto& [i, value] : u.entries)
          EXPECT_EQ(std::memcmp(back.entries.at(i).data(), value.data(), type->size), 0);
      }
  const vector<double> empty(where(), 40);
  EXPECT_EQ(permute(empty, random_of(40, 1)).nvals(), 0);
  EXPECT_EQ(permute(vector<double>(where(), 0), permutation()).size(), 0);
}

TEST_P(PermuteContainers, APermutedProductIsTheProductPermuted) {
  // Small integers: sums are exact in any order.
  dice random(base_seed());
  SCOPED_TRACE(seed_trace());
  for (const permutation_kind kind : permutation_kinds()) {
    const auto a = matrix<double>(
        make(where(), random_matrix(describe<double>(), 30, 30, 0.2, flavour::small, random), false,
             false));
    const auto x = vector<double>(
        make(where(), random_vector(describe<double>(), 30, 0.7, flavour::small, random),
             vector_storage::bitmap));
    const row_column_permutation p = make_permutation(a, kind, 5);
    vector<double> y(where(), 30), permuted(where(), 30);
    mxv(y, plus_times<double>{}, a, x);
    mxv(permuted, plus_times<double>{}, permute(a, p), permute(x, p.columns));
    EXPECT_EQ(difference(read(permute(y, p.rows).base()), read(permuted.base())), "")
        << name_of(kind);
    EXPECT_EQ(difference(read(y.base()), read(permute(permuted, p.rows.inverse()).base())), "");
  }
}

TEST_P(PermuteContainers, AVectorOfADeviceDoesNotComeToTheHost) {
  const permutation p = random_of(5000, 3);
  vector<double> u(where(), 5000, 2.0);
  set_known(u);
  where().synchronize();
  const device_traffic before = where().traffic();
  vector<double> there = permute(permute(u, p), p.inverse());
  where().synchronize();
  EXPECT_EQ(where().traffic().to_host, before.to_host);
  for (const index_t i : {0, 7, 4999}) EXPECT_EQ(there.get(i), 10.0 + static_cast<double>(i));
}

TROPIC_ON_EVERY_CONTEXT(PermuteContainers);

TEST(Permute, KnowsWhatStaysSymmetric) {
  const auto a = make_matrix<bool>(context::cpu(), kron(6, 4, 1));
  ASSERT_TRUE(a.is_symmetric());
  const permutation p = random_of(64, 1), q = random_of(64, 2);
  EXPECT_TRUE(permute(a, p, p).is_symmetric());
  EXPECT_FALSE(permute(a, p, q).is_symmetric());
  EXPECT_FALSE(permute(a, p, permutation::identity(64)).is_symmetric());
  // ... and its transpose is rebuilt.
  EXPECT_NE(permute(a, p, p).base().derived, a.base().derived);
}

TEST(Permute, SortsLongRowsByTheirDigits) {
  // Rows of 255, 256 and 300 000 entries, and columns past 2^11 and 2^22 / 16.
  const index_t columns = 300000;
  std::vector<std::uint32_t> row, column;
  for (std::uint32_t j = 0; j < columns; ++j) {
    row.push_back(0);
    column.push_back(j);
    if (j % 1176 == 0) {
      row.push_back(1);
      column.push_back(j);
    }
    if (j % 1172 == 0) {
      row.push_back(2);
      column.push_back(j);
    }
  }
  std::vector<std::int32_t> values(row.size());
  for (std::size_t e = 0; e < values.size(); ++e)
    values[e] = static_cast<std::int32_t>(10 * column[e] + row[e]);
  const auto a = matrix<std::int32_t>::from_entries(context::cpu({.threads = 2}), 3, columns, row,
                                                    column, values);
  const permutation p = random_of(columns, 3);
  const auto there = permute(a, permutation::identity(3), p);
  const auto indices = there.column_indices();
  const auto found = there.values();
  for (index_t i = 0; i < 3; ++i)
    for (index_t e = there.offset(i); e < there.offset(i + 1); ++e) {
      const auto at = static_cast<std::size_t>(e);
      if (e > there.offset(i)) {
        ASSERT_LT(indices[at - 1], indices[at]);
      }
      ASSERT_EQ(found[at], 10 * p.old_position(indices[at]) + i);
    }
  expect_same_bits(permute(there, permutation::identity(3), p.inverse()).base(), a.base());
}

TEST(Permute, IsTheSameOnAnyNumberOfThreads) {
  const auto entries = kron(12, 16, 3);
  const auto one = make_matrix<bool>(context::cpu({.threads = 1}), entries);
  const row_column_permutation p = make_permutation(one, permutation_kind::random_row_column, 9);
  const auto expected = permute(one, p);
  for (const int threads : {2, 3, 7})
    expect_same_bits(
        permute(make_matrix<bool>(context::cpu({.threads = threads}), entries), p).base(),
        expected.base());
}

TEST(Permute, RefusesWhatDoesNotFitAndStopsWhenItIsCancelled) {
  context_options options;
  const context where = context::cpu(options);
  const matrix<double> a(where, 3, 4);
  const vector<double> u(where, 3);
  EXPECT_EQ(message_of([&] { permute(a, permutation::identity(3), permutation::identity(3)); }),
            "permute: A is 3x4, the permutations are of 3 rows and 3 columns");
  EXPECT_THROW(permute(u, permutation::identity(4)), usage_error);
  options.cancel.cancel();
  EXPECT_THROW(permute(a, permutation::identity(3), permutation::identity(4)), cancelled);
  EXPECT_THROW(permute(u, permutation::identity(3)), cancelled);
  EXPECT_THROW(make_permutation(a, permutation_kind::degree), cancelled);
}

TEST(Permute, OfAVectorLeavesItOnTheDevice) {
  const context where = context::fake_device();
  dice random(5);
  for (const vector_storage storage :
       {vector_storage::sparse, vector_storage::bitmap, vector_storage::full}) {
    const detail::vector_base u =
        make(where, random_vector(describe<double>(), 60, 1, flavour::small, random), storage);
    const detail::vector_base there = detail::permute(u, random_of(60, 3));
    for (const detail::buffer_pointer& part : {there.indices, there.present, there.values})
      if (part != nullptr && part->bytes() > 0) {
        EXPECT_TRUE(part->device_valid() && !part->host_valid());
      }
  }
}

}  // namespace
}  // namespace tropic::testing
