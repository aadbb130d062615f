// SPDX-License-Identifier: Apache-2.0

// Vectors from GraphBLAS and back: every type and format; borrowing, by address.

#include <gtest/gtest.h>

#include "interop/graphblas_objects.hpp"

namespace tropic::testing {
namespace {

template <class Check>
void for_all_vectors(Check check_one) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : all_types)
    for (const held& layout : every_way_to_hold_a_vector())
      for (const index_t size : {0, 1, 2, 50}) {
        const host_vector data = data_for(describe(code), size, layout, random);
        const graphblas::owned_vector v = object_of(data, layout);
        SCOPED_TRACE(std::string(describe(code).name) + ", " + to_text(layout) + ", " +
                     std::to_string(size));
        check_one(code, layout, data, v);
      }
}

TEST(GraphBlasVector, IsCopiedAndStays) {
  for_all_vectors([](type_code code, const held&, const host_vector& data, GrB_Vector v) {
    const detail::vector_base copied = copy_vector(here(), code, v);
    ASSERT_EQ(difference(data, read(copied)), "");
    ASSERT_EQ(difference(data, entries_of(describe(code), v)), "");
    const graphblas::owned_vector back = copy_vector(copied);
    ASSERT_EQ(difference(data, entries_of(describe(code), back)), "");
  });
}

TEST(GraphBlasVector, IsTakenAndGivenBack) {
  for_all_vectors([](type_code code, const held&, const host_vector& data, GrB_Vector v) {
    detail::vector_base taken = take_vector(here(), code, v);
    ASSERT_EQ(difference(data, read(taken)), "");
    const host_vector left = entries_of(describe(code), v);
    EXPECT_TRUE(left.entries.empty());
    EXPECT_EQ(left.size, data.size);
    const graphblas::owned_vector back = give_vector(std::move(taken));
    ASSERT_EQ(difference(data, entries_of(describe(code), back)), "");
  });
}

TEST(GraphBlasVector, OfAMovedFromVectorHasNoPositions) {
  vector<double> v(here(), 3, 1.0);
  matrix<double> m(here(), 3, 3);
  m.set(1, 1, 2);
  const graphblas::owned_vector given = graphblas::give(std::move(v));
  const graphblas::owned_matrix a = graphblas::give(std::move(m));
  GrB_Index entries = 0, size = 9, rows = 9;
  GrB_Matrix_nvals(&entries, a.get());
  EXPECT_EQ(entries, 1u);
  GrB_Vector_size(&size, graphblas::copy(v).get());
  GrB_Matrix_nrows(&rows, graphblas::copy(m).get());
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(rows, 0u);
  graphblas::give(std::move(v));
  graphblas::give(std::move(m));
  EXPECT_EQ(v.size(), 0);
  EXPECT_EQ(m.rows(), 0);
}

TEST(GraphBlasVector, OfOurOwnIsGivenInEveryStorage) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : all_types)
    for (const vector_storage storage :
         {vector_storage::sparse, vector_storage::bitmap, vector_storage::full}) {
      const held layout{.format = storage == vector_storage::full ? GxB_FULL : GxB_SPARSE};
      const host_vector data = data_for(describe(code), 40, layout, random);
      const detail::vector_base v = make(here(), data, storage);
      ASSERT_EQ(difference(data, entries_of(describe(code), copy_vector(v))), "");
      ASSERT_EQ(difference(data, entries_of(describe(code), give_vector(v))), "");
      ASSERT_EQ(difference(data, read(v)), "");
    }
}

TEST(GraphBlasVector, IsBorrowedAndReturnedUnchanged) {
  dice random(1);
  for (const type_code code : all_types)
    for (const int format : {GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
      const held layout{.format = format, .by_column = true};
      const host_vector data = data_for(describe(code), 70, layout, random);
      const graphblas::owned_vector v = object_of(data, layout);
      const addresses before = look_at(v);
      if (before.iso) continue;  // booleans may be
      detail::vector_base taken = take_vector(here(), code, v);
      EXPECT_EQ(taken.values->host(), before.values);
      if (taken.present) {
        EXPECT_EQ(taken.present->host(), before.present);
      }
      if (taken.indices && narrow_indices) {
        EXPECT_EQ(taken.indices->host(), before.indices);
      }
      const graphblas::owned_vector back = give_vector(std::move(taken));
      const addresses after = look_at(back);
      EXPECT_EQ(after.values, before.values);
      EXPECT_EQ(after.present, before.present);
      if (narrow_indices) {
        EXPECT_EQ(after.indices, before.indices);
      }
    }
}

TEST(GraphBlasVector, WritesToABorrowedOneStayHere) {
  dice random(2);
  const held layout{.format = GxB_FULL, .by_column = true};
  const host_vector data = data_for(describe<float>(), 20, layout, random);
  const graphblas::owned_vector v = object_of(data, layout);
  vector<float> taken = graphblas::take<float>(here(), v);
  const vector<float> as_it_was = taken;
  taken.set(3, 1e9f);
  EXPECT_EQ(difference(data, read(as_it_was.base())), "");
  EXPECT_EQ(taken.get(3), 1e9f);
  float found = 0;
  const graphblas::owned_vector back = graphblas::give(std::move(taken));
  TROPIC_GRB(GrB_Vector_extractElement_FP32(&found, back, 3));
  EXPECT_EQ(found, 1e9f);
}

TEST(GraphBlasVector, NothingIsTypecast) {
  GrB_Vector result = nullptr;
  TROPIC_GRB(GrB_Vector_new(&result, GrB_INT32, 5));
  const graphblas::owned_vector v(result);
  EXPECT_THROW(graphblas::copy<std::uint32_t>(here(), v), usage_error);
  EXPECT_THROW(graphblas::take<std::uint32_t>(here(), v), usage_error);
  TROPIC_GRB(GrB_Vector_new(&result, GrB_INT32, (GrB_Index{1} << 32) + 1));
  const graphblas::owned_vector too_long(result);
  EXPECT_THROW(graphblas::take<std::int32_t>(here(), too_long), usage_error);
}

#if GxB_IMPLEMENTATION_MAJOR >= 10
TEST(GraphBlasVector, IsLentWithoutACopy) {
  dice random(3);
  for (const vector_storage storage :
       {vector_storage::sparse, vector_storage::bitmap, vector_storage::full}) {
    const held layout{.format = storage == vector_storage::full ? GxB_FULL : GxB_SPARSE};
    const host_vector data = data_for(describe<double>(), 40, layout, random);
    vector<double> v(make(here(), data, storage));
    const graphblas::lent_vector lent = graphblas::lend(v);
    ASSERT_EQ(difference(data, entries_of(describe<double>(), lent.get())), "");
    EXPECT_EQ(look_at(lent.get()).values, v.base().values->host());
    v.set(3, 4711);  // into new arrays
    ASSERT_EQ(difference(data, entries_of(describe<double>(), lent.get())), "");
  }
}
#endif

}  // namespace
}  // namespace tropic::testing
