// SPDX-License-Identifier: Apache-2.0

// Every allocation of GraphBLAS, operator new and a context fails once: nothing is leaked, both
// sides stay usable, and the same call succeeds right afterwards.

#include <gtest/gtest.h>

#include <functional>
#include <new>

#include <tropic/product.hpp>

#include "interop/failing_allocations.hpp"
#include "interop/graphblas_objects.hpp"

namespace tropic::testing {
namespace {

/// The only GraphBLAS error that is expected is lack of memory.
int with_every_allocation_failing(const context& where, allocations::steps s) {
  s.act = [act = std::move(s.act)] {
    try {
      act();
    } catch (const graphblas::graphblas_error& e) {
      if (e.info != GrB_OUT_OF_MEMORY) throw;
      throw std::bad_alloc();
    }
  };
  return allocations::with_every_allocation_failing(where, s);
}

TEST(GraphBlasFault, NoMatrixIsLostWhenTaken) {
  dice random(1);
  const context where = context::cpu();
  for (const held& layout : every_way_to_hold_a_matrix()) {
    SCOPED_TRACE(to_text(layout));
    const host_matrix data = data_for(describe<float>(), 6, 7, layout, random);
    graphblas::owned_matrix a;
    std::optional<matrix<float>> m;
    const int failures = with_every_allocation_failing(
        where, {[&] { a = object_of(data, layout); }, [&] { m = graphblas::take<float>(where, a); },
                [&] {
                  EXPECT_EQ(graphblas::internal::format_of(a.get()), layout.format);
                  EXPECT_EQ(difference(data, entries_of(describe<float>(), a.get())), "");
                },
                [&] {
                  EXPECT_EQ(difference(data, read(m->base())), "");
                  const host_matrix left = entries_of(describe<float>(), a.get());
                  EXPECT_TRUE(left.entries.empty());
                  EXPECT_EQ(left.rows, 6);
                }});
    EXPECT_GE(failures, 3);
  }
}

TEST(GraphBlasFault, NoVectorIsLostWhenTaken) {
  dice random(2);
  const context where = context::cpu();
  for (const held& layout : every_way_to_hold_a_vector()) {
    SCOPED_TRACE(to_text(layout));
    const host_vector data = data_for(describe<double>(), 30, layout, random);
    graphblas::owned_vector v;
    std::optional<vector<double>> taken;
    const int failures = with_every_allocation_failing(
        where,
        {[&] { v = object_of(data, layout); }, [&] { taken = graphblas::take<double>(where, v); },
         [&] { EXPECT_EQ(difference(data, entries_of(describe<double>(), v.get())), ""); },
         [&] {
           EXPECT_EQ(difference(data, read(taken->base())), "");
           const host_vector left = entries_of(describe<double>(), v.get());
           EXPECT_TRUE(left.entries.empty());
           EXPECT_EQ(left.size, 30);
         }});
    EXPECT_GE(failures, 2);
  }
}

TEST(GraphBlasFault, NothingIsLostWhenGiven) {
  dice random(3);
  const context where = context::cpu();
  const host_matrix data = data_for(describe<float>(), 6, 7, {}, random);
  for (const bool taken : {false, true}) {
    std::optional<matrix<float>> m;
    graphblas::owned_matrix a;
    const int failures = with_every_allocation_failing(
        where, {[&] {
                  m = taken ? graphblas::take<float>(where, object_of(data, {}))
                            : matrix<float>(make(where, data, false, false));
                },
                [&] { a = graphblas::give(std::move(*m)); },
                [&] { EXPECT_EQ(difference(data, read(m->base())), ""); },
                [&] { EXPECT_EQ(difference(data, entries_of(describe<float>(), a.get())), ""); }});
    EXPECT_GE(failures, 3);
  }
  const held layout{.by_column = true};
  const host_vector entries = data_for(describe<float>(), 30, layout, random);
  for (const bool taken : {false, true}) {
    std::optional<vector<float>> v;
    graphblas::owned_vector given;
    const int failures = with_every_allocation_failing(
        where,
        {[&] {
           v = taken ? graphblas::take<float>(where, object_of(entries, layout))
                     : vector<float>(make(where, entries, vector_storage::sparse));
         },
         [&] { given = graphblas::give(std::move(*v)); },
         [&] { EXPECT_EQ(difference(entries, read(v->base())), ""); },
         [&] { EXPECT_EQ(difference(entries, entries_of(describe<float>(), given.get())), ""); }});
    EXPECT_GE(failures, 2);
  }
}

TEST(GraphBlasFault, CopiesLeaveBothSides) {
  dice random(4);
  const context where = context::cpu();
  const host_matrix data = data_for(describe<float>(), 6, 7, {}, random);
  const graphblas::owned_matrix a = object_of(data, {});
  for (const GrB_Format format : {GrB_CSR_FORMAT, GrB_CSC_FORMAT, GrB_COO_FORMAT}) {
    std::optional<matrix<float>> m;
    graphblas::owned_matrix back;
    const int failures = with_every_allocation_failing(
        where,
        {[] {},
         [&] {
           m = graphblas::copy<float>(where, a, format);
           back = graphblas::copy(*m, format);
         },
         [&] { EXPECT_EQ(difference(data, entries_of(describe<float>(), a.get())), ""); },
         [&] { EXPECT_EQ(difference(data, entries_of(describe<float>(), back.get())), ""); }});
    EXPECT_GE(failures, 10);
  }
}

TEST(GraphBlasFault, CopiesOfVectorsLeaveBothSides) {
  dice random(7);
  const context where = context::cpu();
  for (const held& layout : every_way_to_hold_a_vector()) {
    const host_vector data = data_for(describe<float>(), 30, layout, random);
    const graphblas::owned_vector v = object_of(data, layout);
    std::optional<vector<float>> copied;
    graphblas::owned_vector back;
    const int failures = with_every_allocation_failing(
        where,
        {[] {},
         [&] {
           copied = graphblas::copy<float>(where, v);
           back = graphblas::copy(*copied);
         },
         [&] { EXPECT_EQ(difference(data, entries_of(describe<float>(), v.get())), ""); },
         [&] { EXPECT_EQ(difference(data, entries_of(describe<float>(), back.get())), ""); }});
    EXPECT_GE(failures, 5);
  }
}

#if GxB_IMPLEMENTATION_MAJOR >= 10
TEST(GraphBlasFault, LendingLeavesTheContainer) {
  dice random(8);
  const context where = context::cpu();
  const host_matrix data = data_for(describe<float>(), 6, 7, {}, random);
  const matrix<float> m(make(where, data, false, false));
  std::optional<graphblas::lent_matrix> lent;
  with_every_allocation_failing(
      where, {[&] { lent.reset(); }, [&] { lent.emplace(graphblas::lend(m)); },
              [&] { EXPECT_EQ(difference(data, read(m.base())), ""); },
              [&] {
                EXPECT_EQ(difference(data, entries_of(describe<float>(), lent->get())), "");
                EXPECT_EQ(difference(data, read(m.base())), "");
              }});
}
#endif

TEST(GraphBlasFault, ProductsLeaveTheirOutputAsItWas) {
  dice random(5);
  const context where = context::cpu();
  const host_matrix data = random_matrix(describe<float>(), 30, 30, 0.2, flavour::small, random);
  const graphblas::owned_matrix a = object_of(data, {});
  const graphblas::resident resident(a, where);
  for (const int format : {GxB_SPARSE, GxB_BITMAP, GxB_FULL}) {
    const held layout{.format = format, .by_column = true};
    const host_vector operand = data_for(describe<float>(), 30, layout, random);
    const host_vector former = random_vector(describe<float>(), 30, 0.4, flavour::small, random);
    const graphblas::owned_vector u = object_of(operand, layout);
    graphblas::owned_vector w;
    const auto multiply = [&] {
      graphblas::mxv(w, u, GrB_PLUS_FP32, GrB_MIN_PLUS_SEMIRING_FP32, resident, u, GrB_DESC_S);
    };
    w = object_of(former, {GxB_SPARSE, true});
    multiply();
    const host_vector expected = entries_of(describe<float>(), w.get());
    const int failures = with_every_allocation_failing(
        where,
        {[&] {
           w = object_of(former, {GxB_SPARSE, true});
         },
         multiply,
         [&] { EXPECT_EQ(difference(former, entries_of(describe<float>(), w.get())), ""); },
         [&] { EXPECT_EQ(difference(expected, entries_of(describe<float>(), w.get())), ""); }});
    EXPECT_GE(failures, 10);
  }
}

TEST(GraphBlasFault, ProductsOfMatricesLeaveTheirOutputAsItWas) {
  dice random(9);
  const context where = context::cpu();
  const host_matrix data = random_matrix(describe<float>(), 30, 30, 0.2, flavour::small, random);
  const host_matrix former = random_matrix(describe<float>(), 30, 30, 0.1, flavour::small, random);
  const graphblas::owned_matrix a = object_of(data, {});
  const graphblas::resident resident(a, where);
  for (const bool by_column : {false, true}) {
    const held layout{.by_column = by_column};
    graphblas::owned_matrix c;
    const auto multiply = [&] {
      graphblas::mxm(c, a.get(), GrB_PLUS_FP32, GrB_MIN_PLUS_SEMIRING_FP32, resident, resident,
                     GrB_DESC_ST1);
    };
    c = object_of(former, layout);
    multiply();
    const host_matrix expected = entries_of(describe<float>(), c.get());
    const int failures = with_every_allocation_failing(
        where,
        {[&] { c = object_of(former, layout); }, multiply,
         [&] { EXPECT_EQ(difference(former, entries_of(describe<float>(), c.get())), ""); },
         [&] { EXPECT_EQ(difference(expected, entries_of(describe<float>(), c.get())), ""); }});
    EXPECT_GE(failures, 10);
  }
}

TEST(GraphBlasFault, AResidentThatCannotBeRefreshedStays) {
  dice random(6);
  const context where = context::fake_device();
  const host_matrix data = random_matrix(describe<float>(), 10, 10, 0.4, flavour::small, random);
  const graphblas::owned_matrix a = object_of(data, {});
  graphblas::resident resident(a, where);
  const auto& held = resident.operand_of(describe_semiring(plus_times<float>{}));
  EXPECT_EQ(difference(data, read(held)), "");
  with_every_allocation_failing(
      where,
      {[] {}, [&] { resident.refresh(); },
       [&] {
         EXPECT_EQ(
             difference(data, read(resident.operand_of(describe_semiring(plus_times<float>{})))),
             "");
       },
       [&] {
         EXPECT_EQ(
             difference(data, read(resident.operand_of(describe_semiring(plus_times<float>{})))),
             "");
       }});
}

}  // namespace
}  // namespace tropic::testing
