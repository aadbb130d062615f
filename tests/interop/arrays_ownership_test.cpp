// SPDX-License-Identifier: Apache-2.0

// Ownership of arrays, by the table of docs/arrays.md: borrowed arrays are used in place without
// extra memory, owners are released once and not before the last user, and arrays are never
// written.

#include <gtest/gtest.h>

#include <cstdlib>
#include <tropic/tropic.hpp>

#include "interop/failing_allocations.hpp"
#include "interop/plain_arrays.hpp"

namespace tropic::testing {
namespace {

template <class Offset, class Index>
class shared_arrays {
 public:
  explicit shared_arrays(const host_matrix& data)
      : held(std::make_shared<plain_matrix<Offset, Index, double>>(
            compress<Offset, Index, double>(data, false))) {}
  matrix<double> take(const context& where, const host_matrix& data) const {
    return matrix<double>::from_csr(
        where, data.rows, data.columns, array_view<Offset>{held->offsets, held},
        array_view<Index>{held->indices, held}, array_view<double>{held->values.span(), held});
  }
  std::shared_ptr<plain_matrix<Offset, Index, double>> held;
};

class ArrayOwners : public ::testing::Test {
 protected:
  context where = context::cpu();
  host_matrix data = [] {
    dice random(3);
    return random_matrix(describe<double>(), 30, 20, 0.3, flavour::weighted, random);
  }();
};

TEST_F(ArrayOwners, ArraysOfTheLibrarysWidthsAreBorrowed) {
  const auto borrows = [&]<class Offset, class Index>() {
    shared_arrays<Offset, Index> given(data);
    const std::size_t before = where.memory_used();
    const auto m = given.take(where, data);
    EXPECT_EQ(where.memory_used(), before);
    EXPECT_EQ(given.held.use_count(), 4);
    const auto out = m.template to_csr<Offset, Index>();
    EXPECT_EQ(out.offsets.data.data(), given.held->offsets.data());
    EXPECT_EQ(out.indices.data.data(), given.held->indices.data());
    EXPECT_EQ(out.values.data.data(), given.held->values.at);
    EXPECT_EQ(m.column_indices().data.data(), static_cast<const void*>(given.held->indices.data()));
    EXPECT_EQ(m.template to_coo<>().columns.data.data(),
              static_cast<const void*>(given.held->indices.data()));
  };
  borrows.operator()<std::uint32_t, std::uint32_t>();
  borrows.operator()<std::int32_t, std::int32_t>();
  borrows.operator()<std::int64_t, std::int32_t>();
  borrows.operator()<std::uint64_t, std::uint32_t>();
}

TEST_F(ArrayOwners, OtherIndexTypesAreNarrowedAndReleased) {
  shared_arrays<std::int64_t, std::int64_t> given(data);
  const std::size_t before = where.memory_used();
  const auto m = given.take(where, data);
  EXPECT_EQ(where.memory_used(), before + data.entries.size() * 4);
  EXPECT_EQ(given.held.use_count(), 3);  // offsets and values
  EXPECT_EQ(m.offsets<std::uint64_t>().data.data(),
            static_cast<const void*>(given.held->offsets.data()));
  EXPECT_EQ(m.values().data.data(), given.held->values.at);
}

TEST_F(ArrayOwners, CscArraysAreReadAndReleased) {
  const auto given = std::make_shared<plain_matrix<std::int32_t, std::int32_t, double>>(
      compress<std::int32_t, std::int32_t, double>(data, true));
  const auto m = matrix<double>::from_csc(where, data.rows, data.columns,
                                          array_view<std::int32_t>{given->offsets, given},
                                          array_view<std::int32_t>{given->indices, given},
                                          array_view<double>{given->values.span(), given});
  EXPECT_EQ(given.use_count(), 1);
  EXPECT_EQ(difference(data, read(m.base())), "");
  // Without a copy they are the transpose.
  const auto t = matrix<double>::from_csr(where, data.columns, data.rows,
                                          array_view<std::int32_t>{given->offsets, given},
                                          array_view<std::int32_t>{given->indices, given},
                                          array_view<double>{given->values.span(), given});
  EXPECT_EQ(t.values().data.data(), given->values.at);
  vector<double> a(where, data.rows), b(where, data.rows);
  const vector<double> u(where, data.columns, 1.);
  mxv(a, plus_times<double>{}, m, u);
  mxv(b, plus_times<double>{}, transpose(t), u);
  EXPECT_EQ(a.dense(0), b.dense(0));
}

TEST_F(ArrayOwners, ExportedArraysKeepTheContextAlive) {
  std::optional<context> where(context::cpu());
  std::optional<shared_arrays<std::uint32_t, std::uint32_t>> given(data);
  const std::weak_ptr<const void> watch = given->held;
  std::optional<matrix<double>> m = given->take(*where, data);
  given.reset();
  auto out = std::make_optional(m->to_csr<std::uint32_t>());
  auto columns = std::make_optional(m->to_csc<std::int64_t, std::int64_t>());
  m.reset();
  where.reset();
  EXPECT_EQ(difference(data, read_compressed(data.rows, data.columns, *out, false)), "");
  EXPECT_EQ(difference(data, read_compressed(data.rows, data.columns, *columns, true)), "");
  columns.reset();
  EXPECT_FALSE(watch.expired());
  out.reset();
  EXPECT_TRUE(watch.expired());
}

TEST_F(ArrayOwners, BorrowedArraysAreNeverWritten) {
  std::vector<double> values{1, 2, 3};
  std::vector<std::int32_t> indices{0, 4, 7};
  auto full = vector<double>::from_array(where, lend(values));
  auto sparse = vector<double>::from_sparse(where, 9, lend(indices), lend(values));
  EXPECT_EQ(sparse.to_sparse().indices.data.data(), static_cast<const void*>(indices.data()));
  EXPECT_EQ(sparse.to_sparse().values.data.data(), values.data());
  full.set(1, 9.);
  sparse.set(4, 8.);
  sparse.remove(0);
  apply(full, bind_second(plus{}, 1.), full);
  EXPECT_EQ(values, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(indices, (std::vector<std::int32_t>{0, 4, 7}));
  EXPECT_EQ(full.dense(0), (std::vector<double>{2, 10, 4}));
  EXPECT_EQ(sparse.nvals(), 2);
}

TEST_F(ArrayOwners, ExportedArraysKeepTheirValues) {
  vector<double> v(where, 3, 1.);
  const array_view<double> before = v.to_array();
  v.set(0, 5.);
  apply(v, bind_second(plus{}, 1.), v);
  EXPECT_EQ(before[0], 1);
  EXPECT_EQ(v.get(0), 6);
}

TEST_F(ArrayOwners, AdoptedArraysGoOnceByTheirOwnFunction) {
  int freed = 0;
  auto* values = static_cast<double*>(std::malloc(3 * sizeof(double)));
  values[0] = values[1] = values[2] = 1;
  {
    const auto v = vector<double>::from_array(where, adopt(values, 3, std::free));
    vector<double> copy = v;
    copy.set(0, 2.);
    EXPECT_EQ(v.to_array().data.data(), values);
  }
  std::vector<float> held{1, 2};
  {
    const auto release = [&](float* p) {
      EXPECT_EQ(p, held.data());
      ++freed;
    };
    const auto v = vector<float>::from_array(where, adopt(held.data(), 2, release));
    const auto w = v;
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
  const float* lent = held.data();
  {
    const auto v = vector<float>::from_array(where, adopt(std::move(held)));
    EXPECT_EQ(v.to_array().data.data(), lent);
  }
  const auto none =
      vector<float>::from_array(where, adopt(static_cast<float*>(nullptr), 0, [&] { ++freed; }));
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(freed, 2);
}

// The fake device has separate pointers, so a copy would be visible: nothing is copied to the host.
TEST(DeviceArrayOwners, ADevicesArraysStayThere) {
  const context where = context::fake_device();
  std::vector<double> values{1, 2, 3};
  int released = 0;
  {
    const auto v = vector<double>::from_array(
        where, adopt_device<double>(values.data(), 3, [&] { ++released; }));
    EXPECT_TRUE(v.base().values->device_valid());
    EXPECT_FALSE(v.base().values->host_valid());
    EXPECT_EQ(where.memory_used(), 0u);
    const auto out = v.to_device_array();
    EXPECT_EQ(out.handle, values.data());
    EXPECT_FALSE(v.base().values->host_valid());
    vector<double> w = v;
    apply(w, bind_second(plus{}, 1.), v);
    EXPECT_FALSE(v.base().values->host_valid());
    EXPECT_FALSE(w.base().values->host_valid());
    w.set(0, 7.);
    EXPECT_EQ(w.dense(0), (std::vector<double>{7, 3, 4}));
    EXPECT_EQ(v.dense(0), (std::vector<double>{1, 2, 3}));  // this copies it
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
  EXPECT_EQ(where.memory_used(), 0u);
  EXPECT_EQ(values, (std::vector<double>{1, 2, 3}));
}

TEST(DeviceArrayOwners, MatricesOfADevicesArrays) {
  const context where = context::fake_device();
  dice random(5);
  const host_matrix data = random_matrix(describe<double>(), 9, 14, 0.3, flavour::weighted, random);
  const auto check = [&]<class Offset, class Index>() {
    auto held = compress<Offset, Index, double>(data, false);
    auto turned = compress<Offset, Index, double>(data, true);
    const auto on_device = [](auto& v) {
      using T = typename std::remove_cvref_t<decltype(v)>::value_type;
      return device_array<T>{v.data(), v.size()};
    };
    const device_array<double> values{held.values.at, held.values.size},
        turned_values{turned.values.at, turned.values.size};
    const auto m = matrix<double>::from_csr(where, 9, 14, on_device(held.offsets),
                                            on_device(held.indices), values);
    EXPECT_EQ(difference(data, read(m.base())), "");
    const auto out = m.template to_device_csr<Offset>();
    EXPECT_EQ(out.offsets.handle, held.offsets.data());
    EXPECT_EQ(out.values.handle, values.handle);
    if (sizeof(Index) == 4) {
      EXPECT_EQ(out.indices.handle, static_cast<void*>(held.indices.data()));
    }
    EXPECT_EQ(
        difference(data, read(matrix<double>::from_csc(where, 9, 14, on_device(turned.offsets),
                                                       on_device(turned.indices), turned_values)
                                  .base())),
        "");
    held.indices[3] = static_cast<Index>(14);
    EXPECT_THROW(matrix<double>::from_csr(where, 9, 14, on_device(held.offsets),
                                          on_device(held.indices), values),
                 usage_error);
  };
  for_each_index_type([&]<class Offset>() {
    for_each_index_type([&]<class Index>() { check.template operator()<Offset, Index>(); });
  });
}

// --- every allocation fails once -----------------------------------------------------------------

class ArrayFaults : public ArrayOwners {
 protected:
  using steps = allocations::steps;
  int released = 0;
  template <class T>
  array_view<T> counted(std::vector<T>& v) {
    return adopt(v.data(), v.size(), [this] { ++released; });
  }
};

TEST_F(ArrayFaults, EveryArrayIsReleasedExactlyOnce) {
  auto wide = compress<std::int64_t, std::int64_t, double>(data, false);
  auto narrow = compress<std::uint32_t, std::uint32_t, double>(data, false);
  auto by_column = compress<std::int64_t, std::int64_t, double>(data, true);
  std::vector<double> values(wide.values.span().begin(), wide.values.span().end()),
      column_values(by_column.values.span().begin(), by_column.values.span().end());
  std::optional<matrix<double>> m;
  const auto check = [&](auto& source, std::vector<double>& of, bool csc) {
    int expected = 0;
    allocations::with_every_allocation_failing(
        where,
        {[&] {
           m.reset();
           released = 0;
           expected = 3;
         },
         [&] {
           if (csc)
             m = matrix<double>::from_csc(where, data.rows, data.columns, counted(source.offsets),
                                          counted(source.indices), counted(of));
           else
             m = matrix<double>::from_csr(where, data.rows, data.columns, counted(source.offsets),
                                          counted(source.indices), counted(of));
         },
         [&] {
           EXPECT_LE(released, 3);  // fewer if the failure came before an array was ready
           EXPECT_FALSE(m);
           expected += released;
         },
         [&] {
           EXPECT_EQ(difference(data, read(m->base())), "");
           m.reset();
           EXPECT_EQ(released, expected);
         }});
  };
  check(wide, values, false);
  check(narrow, values, false);
  check(by_column, column_values, true);
}

TEST_F(ArrayFaults, AMatrixThatCannotBeShownStays) {
  shared_arrays<std::int64_t, std::int64_t> given(data);
  const auto m = given.take(where, data);
  host_matrix found;
  const auto show = [&](auto act) {
    const int failures = allocations::with_every_allocation_failing(
        where, {[] {}, act, [&] { EXPECT_EQ(difference(data, read(m.base())), ""); },
                [&] { EXPECT_EQ(difference(data, read(m.base())), ""); }});
    EXPECT_GE(failures, 2);
  };
  show([&] { m.to_csr<std::int32_t, std::int64_t>(); });
  show([&] { m.to_csc<std::int64_t, std::int64_t>(); });
  show([&] { m.to_coo<std::int64_t, std::int64_t>(); });
}

TEST_F(ArrayFaults, VectorsAndEntries) {
  std::vector<std::int64_t> indices{3, 5, 9};
  std::vector<std::uint32_t> narrow{3, 5, 9};
  std::vector<double> values{1, 2, 3};
  std::optional<vector<double>> v;
  const auto check = [&](auto act) {
    const int failures = allocations::with_every_allocation_failing(
        where, {[&] { v.reset(); }, act, [&] { EXPECT_FALSE(v); },
                [&] {
                  ASSERT_TRUE(v);
                  EXPECT_EQ(v->get(5), 2);
                }});
    EXPECT_GE(failures, 2);
  };
  check([&] { v = vector<double>::from_sparse(where, 10, lend(indices), lend(values)); });
  check([&] { v = vector<double>::from_sparse(where, 10, lend(narrow), lend(values)); });
  check([&] { v = vector<double>::from_entries(where, 10, narrow, values); });
  std::optional<matrix<double>> m;
  allocations::with_every_allocation_failing(
      where, {[&] { m.reset(); },
              [&] { m = matrix<double>::from_entries(where, 10, 10, indices, narrow, values); },
              [&] { EXPECT_FALSE(m); }, [&] { EXPECT_EQ(m->get(9, 9), 3); }});
}

}  // namespace
}  // namespace tropic::testing
