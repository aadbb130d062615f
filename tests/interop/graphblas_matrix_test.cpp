// SPDX-License-Identifier: Apache-2.0

// Matrices from GraphBLAS and back: every type, format, orientation; what is borrowed by address.

#include <gtest/gtest.h>

#include "interop/graphblas_objects.hpp"

namespace tropic::testing {
namespace {

constexpr bool narrow_indices = GxB_IMPLEMENTATION_MAJOR >= 10;

const context& here() {
  static const context made = context::cpu();
  return made;
}

template <class Check>
void for_all_matrices(Check check_one) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : all_types)
    for (const held& how : every_way_to_hold_a_matrix())
      for (const auto& [rows, columns] :
           {std::pair<index_t, index_t>{1, 1}, {7, 12}, {13, 5}, {0, 3}, {40, 1}}) {
        const host_matrix data = data_for(describe(code), rows, columns, how, random);
        const graphblas::owned_matrix a = object_of(data, how);
        SCOPED_TRACE(std::string(describe(code).name) + ", " + to_text(how) + ", " +
                     std::to_string(rows) + "x" + std::to_string(columns));
        check_one(code, data, a);
      }
}

TEST(GraphBlasMatrix, IsCopiedByEveryFormatAndStays) {
  for_all_matrices([](type_code code, const host_matrix& data, GrB_Matrix a) {
    for (const std::optional<GrB_Format> format :
         {std::optional<GrB_Format>(), std::optional(GrB_CSR_FORMAT), std::optional(GrB_CSC_FORMAT),
          std::optional(GrB_COO_FORMAT)}) {
      const detail::matrix_base m = copy_matrix(here(), code, a, format);
      ASSERT_EQ(difference(data, read(m)), "") << (format ? *format : -1);
      EXPECT_FALSE(m.wide);
    }
    ASSERT_EQ(difference(data, entries_of(describe(code), a)), "");
  });
}

TEST(GraphBlasMatrix, IsTakenAndGivenBack) {
  for_all_matrices([](type_code code, const host_matrix& data, GrB_Matrix a) {
    int order = -1, order_after = -1;
    TROPIC_GRB(GxB_Matrix_Option_get_INT32(a, GxB_FORMAT, &order));
    detail::matrix_base m = take_matrix(here(), code, a);
    ASSERT_EQ(difference(data, read(m)), "");
    TROPIC_GRB(GxB_Matrix_Option_get_INT32(a, GxB_FORMAT, &order_after));
    EXPECT_EQ(order, order_after);
    const host_matrix left = entries_of(describe(code), a);
    EXPECT_TRUE(left.entries.empty());
    EXPECT_EQ(left.rows, data.rows);
    EXPECT_EQ(left.columns, data.columns);
    EXPECT_EQ(graphblas::internal::type_of(a), peer::type_of(code));
    const graphblas::owned_matrix back = give_matrix(std::move(m));
    ASSERT_EQ(difference(data, entries_of(describe(code), back)), "");
  });
}

TEST(GraphBlasMatrix, IsMadeByEveryFormat) {
  for_all_matrices([](type_code code, const host_matrix& data, GrB_Matrix) {
    const detail::matrix_base m = make(here(), data, false, false);
    for (const GrB_Format format : {GrB_CSR_FORMAT, GrB_CSC_FORMAT, GrB_COO_FORMAT}) {
      const graphblas::owned_matrix made = copy_matrix(m, format);
      ASSERT_EQ(difference(data, entries_of(describe(code), made)), "") << format;
    }
    ASSERT_EQ(difference(data, read(m)), "");
  });
}

TEST(GraphBlasMatrix, OfOurOwnIsGivenWhateverItsWidths) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : all_types)
    for (const bool wide : {false, true})
      for (const bool iso : {false, true}) {
        const host_matrix data = data_for(describe(code), 9, 11, {.iso = iso}, random);
        const graphblas::owned_matrix given = give_matrix(make(here(), data, wide, iso));
        ASSERT_EQ(difference(data, entries_of(describe(code), given)), "");
      }
}

TEST(GraphBlasMatrix, ByRowIsBorrowedAndGoesBackAsItIs) {
  dice random(1);
  for (const type_code code : all_types)
    for (const bool iso : {false, true}) {
      const held how{.iso = iso};
      const host_matrix data = data_for(describe(code), 30, 20, how, random);
      const graphblas::owned_matrix a = object_of(data, how);
      const addresses before = look_at(a);
      detail::matrix_base m = take_matrix(here(), code, a);
      EXPECT_EQ(m.iso, iso || before.iso);  // booleans may be
      EXPECT_EQ(m.values->host(), before.values);
      EXPECT_EQ(m.offsets->host(), before.offsets);
      EXPECT_EQ(m.wide, !narrow_indices);
      if (narrow_indices) {
        EXPECT_EQ(m.column_indices->host(), before.indices);
      }
      const graphblas::owned_matrix back = give_matrix(std::move(m));
      const addresses after = look_at(back);
      EXPECT_EQ(after.values, before.values);
      EXPECT_EQ(after.offsets, before.offsets);
      if (narrow_indices) {
        EXPECT_EQ(after.indices, before.indices);
      }
      ASSERT_EQ(difference(data, entries_of(describe(code), back)), "");
    }
}

TEST(GraphBlasMatrix, HypersparseAndFullKeepTheirValues) {
  dice random(2);
  for (const int format : {GxB_HYPERSPARSE, GxB_FULL}) {
    const held how{.format = format};
    const host_matrix data = data_for(describe<double>(), 8, 9, how, random);
    const graphblas::owned_matrix a = object_of(data, how);
    const void* values = look_at(a).values;
    const matrix<double> m = graphblas::take<double>(here(), a);
    EXPECT_EQ(m.values().data.data(), values);
    EXPECT_EQ(difference(data, read(m.base())), "");
  }
}

TEST(GraphBlasMatrix, ArraysThatOthersSeeAreCopied) {
  dice random(3);
  const host_matrix data = data_for(describe<float>(), 20, 20, {}, random);
  const graphblas::owned_matrix a = object_of(data, {});
  matrix<float> m = graphblas::take<float>(here(), a);
  const matrix<float> other = m;
  const graphblas::owned_matrix back = graphblas::give(std::move(m));
  EXPECT_NE(look_at(back).values, other.values().data.data());
  EXPECT_EQ(difference(data, read(other.base())), "");
  EXPECT_EQ(difference(data, entries_of(describe<float>(), back)), "");
}

TEST(GraphBlasMatrix, TakenOutlivesItsObject) {
  dice random(4);
  const host_matrix data = data_for(describe<float>(), 20, 20, {}, random);
  std::optional<matrix<float>> m;
  {
    const graphblas::owned_matrix a = object_of(data, {});
    m = graphblas::take<float>(here(), a);
  }
  EXPECT_EQ(difference(data, read(m->base())), "");
  const matrix<float> elsewhere = m->to(context::fake_device());
  EXPECT_EQ(difference(data, read(elsewhere.base())), "");
}

// In COO the rows come first, whatever the comments of GraphBLAS.h say before 10.2.
TEST(GraphBlasMatrix, CooIsNotTransposed) {
  const GrB_Index rows[] = {0, 2, 2}, columns[] = {3, 0, 1};
  const float values[] = {5, 6, 7};
  GrB_Matrix made = nullptr;
  TROPIC_GRB(GrB_Matrix_new(&made, GrB_FP32, 3, 4));
  const graphblas::owned_matrix a(made);
  TROPIC_GRB(GrB_Matrix_build_FP32(a, rows, columns, values, 3, GrB_PLUS_FP32));
  const matrix<float> m = graphblas::copy<float>(here(), a, GrB_COO_FORMAT);
  EXPECT_EQ(m.rows(), 3);
  EXPECT_EQ(m.columns(), 4);
  EXPECT_EQ(m.get(0, 3), 5.0f);
  EXPECT_EQ(m.get(2, 0), 6.0f);
  EXPECT_EQ(m.get(2, 1), 7.0f);
  const graphblas::owned_matrix back = graphblas::copy(m, GrB_COO_FORMAT);
  float found = 0;
  TROPIC_GRB(GrB_Matrix_extractElement_FP32(&found, back, 0, 3));
  EXPECT_EQ(found, 5.0f);
  TROPIC_GRB(GrB_Matrix_extractElement_FP32(&found, back, 2, 1));
  EXPECT_EQ(found, 7.0f);
}

TEST(GraphBlasMatrix, PendingWorkIsFinished) {
  GrB_Matrix made = nullptr;
  TROPIC_GRB(GrB_Matrix_new(&made, GrB_INT32, 50, 50));
  const graphblas::owned_matrix a(made);
  for (GrB_Index n = 50; n-- > 0;) TROPIC_GRB(GrB_Matrix_setElement_INT32(a, 3, n, (7 * n) % 50));
  TROPIC_GRB(GrB_Matrix_removeElement(a, 1, 7));
  const matrix<std::int32_t> m = graphblas::take<std::int32_t>(here(), a);
  EXPECT_EQ(m.nvals(), 49);
  EXPECT_EQ(m.get(2, 14), 3);
  EXPECT_EQ(m.get(1, 7), std::nullopt);
}

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const usage_error& e) {
    return e.what();
  }
  return "no usage_error";
}

TEST(GraphBlasMatrix, NothingIsTypecast) {
  dice random(5);
  const host_matrix data = data_for(describe<float>(), 5, 5, {}, random);
  const graphblas::owned_matrix a = object_of(data, {});
  EXPECT_EQ(error_of([&] { graphblas::take<double>(here(), a); }),
            "take: the matrix holds float, expected fp64; nothing is typecast");
  EXPECT_EQ(error_of([&] { graphblas::copy<std::int8_t>(here(), a); }),
            "copy: the matrix holds float, expected int8; nothing is typecast");
  EXPECT_EQ(difference(data, entries_of(describe<float>(), a)), "");

  GrB_Matrix made = nullptr;
  TROPIC_GRB(GrB_Matrix_new(&made, GxB_FC64, 5, 5));
  const graphblas::owned_matrix complex_numbers(made);
  EXPECT_EQ(error_of([&] { graphblas::copy<double>(here(), complex_numbers); }),
            "copy: the matrix holds GxB_FC64_t, expected fp64; nothing is typecast");
}

TEST(GraphBlasMatrix, TypesOfUsersAreRefused) {
  struct pair_of_bytes {
    char first, second;
  };
  GrB_Type type = nullptr;
  TROPIC_GRB(GrB_Type_new(&type, sizeof(pair_of_bytes)));
  GrB_Matrix made = nullptr;
  TROPIC_GRB(GrB_Matrix_new(&made, type, 5, 5));
  {
    const graphblas::owned_matrix a(made);
    EXPECT_THROW(graphblas::copy<std::int16_t>(here(), a), usage_error);
    EXPECT_THROW(graphblas::take<std::int16_t>(here(), a), usage_error);
    EXPECT_THROW(graphblas::resident(a, here()), usage_error);
  }
  GrB_Type_free(&type);
}

TEST(GraphBlasMatrix, ErrorsHaveTheTextOfGraphBlas) {
  GrB_Matrix made = nullptr;
  TROPIC_GRB(GrB_Matrix_new(&made, GrB_FP32, 5, 5));
  const graphblas::owned_matrix a(made);
  try {
    graphblas::internal::check(GrB_Matrix_setElement_FP32(a, 1, 7, 0), "GrB_Matrix_setElement",
                               a.get());
    FAIL() << "row 7 of 5";
  } catch (const graphblas::graphblas_error& e) {
    EXPECT_EQ(e.info, GrB_INVALID_INDEX);
    const std::string text = e.what();
    EXPECT_TRUE(text.starts_with("GrB_Matrix_setElement: GrB_INVALID_INDEX: ")) << text;
    EXPECT_NE(text.find("7"), std::string::npos) << text;
  }
}

TEST(GraphBlasMatrix, AbsentAndPastOurDimensionsIsRefusedByName) {
  EXPECT_EQ(error_of([] { graphblas::take<float>(here(), GrB_Matrix{}); }),
            "take: the matrix is GrB_NULL");
  GrB_Matrix made = nullptr;
  TROPIC_GRB(GrB_Matrix_new(&made, GrB_FP32, GrB_Index{1} << 33, 4));
  const graphblas::owned_matrix a(made);
  TROPIC_GRB(GrB_Matrix_setElement_FP32(a, 1, 5, 2));
  EXPECT_EQ(error_of([&] { graphblas::take<float>(here(), a); }),
            "take: the matrix is 8589934592x4, Tropic's maximum dimension is 2^32");
  EXPECT_EQ(error_of([&] { graphblas::copy<float>(here(), a); }),
            "copy: the matrix is 8589934592x4, Tropic's maximum dimension is 2^32");
}

TEST(GraphBlasMatrix, HypersparseIsExpandedWithinTheLimit) {
  const context small = context::cpu({.memory_limit = std::size_t{1} << 20});
  GrB_Matrix made = nullptr;
  TROPIC_GRB(GrB_Matrix_new(&made, GrB_FP32, GrB_Index{1} << 31, 4));
  const graphblas::owned_matrix a(made);
  TROPIC_GRB(GrB_Matrix_setElement_FP32(a, 1, 5, 2));
  TROPIC_GRB(GrB_Matrix_setElement_FP32(a, 2, 2000000000, 3));
  EXPECT_THROW(graphblas::take<float>(small, a), out_of_memory);
  EXPECT_THROW(graphblas::copy<float>(small, a), out_of_memory);
  float found = 0;
  TROPIC_GRB(GrB_Matrix_extractElement_FP32(&found, a, 2000000000, 3));
  EXPECT_EQ(found, 2.0f);
  EXPECT_LE(small.memory_used(), std::size_t{1} << 10);
}

TEST(GraphBlasMatrix, OfOneRowAndOneColumnAtTheEdge) {
  for (const auto& [rows, columns] :
       {std::pair<GrB_Index, GrB_Index>{1, GrB_Index{1} << 32}, {3, GrB_Index{1} << 32}}) {
    GrB_Matrix made = nullptr;
    TROPIC_GRB(GrB_Matrix_new(&made, GrB_FP32, rows, columns));
    const graphblas::owned_matrix a(made);
    TROPIC_GRB(GrB_Matrix_setElement_FP32(a, 3, 0, columns - 1));
    const matrix<float> copied = graphblas::copy<float>(here(), a);
    EXPECT_EQ(copied.get(0, copied.columns() - 1), 3.0f);
    const matrix<float> m = graphblas::take<float>(here(), a);
    EXPECT_EQ(m.get(0, m.columns() - 1), 3.0f);
  }
}

#if GxB_IMPLEMENTATION_MAJOR >= 10
TEST(GraphBlasMatrix, IsLentWithoutACopyAndNotWritten) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const bool wide : {false, true})
    for (const bool iso : {false, true}) {
      const host_matrix data = data_for(describe<double>(), 12, 13, {.iso = iso}, random);
      matrix<double> m(make(here(), data, wide, iso));
      const auto lent = std::make_unique<graphblas::lent_matrix>(graphblas::lend(m));
      ASSERT_EQ(difference(data, entries_of(describe<double>(), lent->get())), "");
      EXPECT_EQ(look_at(lent->get()).values, m.base().values->host());
      EXPECT_EQ(look_at(lent->get()).indices, m.base().column_indices->host());
      EXPECT_EQ(look_at(lent->get()).offsets, m.base().offsets->host());
      EXPECT_NE(GrB_Matrix_setElement_FP64(lent->get(), 1, 0, 0), GrB_SUCCESS);
      // What is read-only is copied when it is taken.
      const matrix<double> taken = graphblas::take<double>(here(), lent->get());
      EXPECT_EQ(difference(data, read(taken.base())), "");
      EXPECT_NE(taken.base().values->host(), m.base().values->host());
      m = matrix<double>(here(), 1, 1);
      EXPECT_EQ(difference(data, read(taken.base())), "");
    }
}
#endif

}  // namespace
}  // namespace tropic::testing
