// SPDX-License-Identifier: Apache-2.0

// A moved-from container is an empty container: every member function and operation treats it as
// one of size 0, or rejects the size with a message. The address sanitizer detects what results do
// not show.

#include <gtest/gtest.h>

#include <functional>

#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/relabelled/graph.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/algorithms/verify/bfs.hpp>
#include <tropic/algorithms/verify/pagerank.hpp>
#include <tropic/algorithms/verify/sssp.hpp>
#include <tropic/measures.hpp>
#include <tropic/permute.hpp>
#include <tropic/tropic.hpp>

#include "backends/backend.hpp"
#include "plan/calibration.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using number = std::int64_t;

// Four operands, any of which may have been moved from.
struct operands {
  context where;
  vector<number> u, v;
  matrix<number> a, b;
  vector<double> preference;

  explicit operands(const context& on)
      : where(on),
        u(where, 3, 2),
        v(where, 3),
        a(where, 3, 3),
        b(where, 3, 3),
        preference(where, 3, 1.0) {
    v.set(1, 5);
    a.set(0, 1, 1);
    a.set(1, 2, 1);
    b.set(2, 2, 4);
    b.nvals();
    a.set(2, 0, 1);  // not merged yet
  }
  void move_away(int roles) {
    if (roles & 1) [[maybe_unused]]
      auto gone = std::move(u);
    if (roles & 2) [[maybe_unused]]
      auto gone = std::move(v);
    if (roles & 4) [[maybe_unused]]
      auto gone = std::move(a);
    if (roles & 8) [[maybe_unused]]
      auto gone = std::move(b);
    if (roles & 1) [[maybe_unused]]
      auto gone = std::move(preference);
  }
};

struct use {
  const char* name;
  std::function<void(operands&)> run;
};

std::vector<use> uses() {
  constexpr auto kind = permutation_kind::degree;
  return {
      {"vector get", [](operands& o) { o.u.get(0); }},
      {"vector set", [](operands& o) { o.u.set(0, 1); }},
      {"vector remove", [](operands& o) { o.u.remove(0); }},
      {"vector clear", [](operands& o) { o.u.clear(); }},
      {"vector entries", [](operands& o) { o.u.entries(); }},
      {"vector dense", [](operands& o) { o.u.dense(0); }},
      {"to_array", [](operands& o) { o.u.to_array(); }},
      {"to_sparse", [](operands& o) { o.u.to_sparse(); }},
      {"to_device_array", [](operands& o) { o.u.to_device_array(); }},
      {"to_device_sparse", [](operands& o) { o.u.to_device_sparse(); }},
      {"expect_dense", [](operands& o) { o.u.expect_dense(); }},
      {"vector to", [](operands& o) { o.u.to(context::cpu()); }},
      {"vector to itself", [](operands& o) { o.u.to(o.u.where()); }},
      {"vector bytes", [](operands& o) { o.u.bytes(); }},
      {"vector copy", [](operands& o) { o.v = o.u; }},
      {"vector swap", [](operands& o) { std::swap(o.u, o.v); }},
      {"vector where", [](operands& o) { o.u.where().synchronize(); }},
      {"matrix get", [](operands& o) { o.a.get(0, 0); }},
      {"matrix set", [](operands& o) { o.a.set(0, 0, 1); }},
      {"matrix remove", [](operands& o) { o.a.remove(0, 0); }},
      {"longest_row", [](operands& o) { o.a.longest_row(); }},
      {"empty_rows", [](operands& o) { o.a.empty_rows(); }},
      {"is_iso", [](operands& o) { o.a.is_iso(); }},
      {"assume_symmetric", [](operands& o) { o.a.assume_symmetric(); }},
      {"is_symmetric", [](operands& o) { o.a.is_symmetric(); }},
      {"matrix bytes", [](operands& o) { o.a.bytes(); }},
      {"offset", [](operands& o) { o.a.offset(0); }},
      {"column_indices", [](operands& o) { o.a.column_indices(); }},
      {"values", [](operands& o) { o.a.values(); }},
      {"offsets", [](operands& o) { o.a.offsets<std::uint32_t>(); }},
      {"to_csr", [](operands& o) { o.a.to_csr<std::int32_t>(); }},
      {"to_csr of 64 bits", [](operands& o) { o.a.to_csr<std::int64_t, std::int64_t>(); }},
      {"to_csc", [](operands& o) { o.a.to_csc<std::int32_t>(); }},
      {"to_coo", [](operands& o) { o.a.to_coo(); }},
      {"to_device_csr", [](operands& o) { o.a.to_device_csr<std::uint32_t>(); }},
      {"matrix to", [](operands& o) { o.a.to(context::cpu()); }},
      {"matrix copy", [](operands& o) { o.b = o.a; }},
      {"matrix swap", [](operands& o) { std::swap(o.a, o.b); }},
      {"matrix where", [](operands& o) { o.a.where().synchronize(); }},
      {"mxv", [](operands& o) { mxv(o.v, plus_times<number>{}, o.a, o.u); }},
      {"mxv by transpose",
       [](operands& o) { mxv(o.v, plus_times<number>{}, transpose(o.a), o.u); }},
      {"vxm", [](operands& o) { vxm(o.v, min_plus<number>{}, o.u, o.a); }},
      {"mxv, masked", [](operands& o) { mxv(o.v, plus_times<number>{}, o.a, o.v, {.mask = o.u}); }},
      {"mxv, accumulated",
       [](operands& o) { mxv(o.v, plus_times<number>{}, o.a, o.u, {.accumulate = plus{}}); }},
      {"inspect", [](operands& o) { inspect(plus_times<number>{}, o.a, o.u, 100); }},
      {"inspected product",
       [](operands& o) {
         const plan p = inspect(plus_times<number>{}, o.a, o.u, 100);
         mxv(o.v, plus_times<number>{}, o.a, o.u, {.plan = &p});
       }},
      {"ewise_add", [](operands& o) { ewise_add(o.v, plus{}, o.u, o.v); }},
      {"ewise_multiply, masked",
       [](operands& o) {
         ewise_multiply(o.v, plus{}, o.v, o.v,
                        {.mask = complement(structure(o.u)), .replace = true});
       }},
      {"ewise_add of matrices", [](operands& o) { ewise_add(o.b, plus{}, o.a, o.b); }},
      {"ewise_multiply of matrices, masked",
       [](operands& o) { ewise_multiply(o.b, plus{}, o.b, o.b, {.mask = o.a}); }},
      {"apply", [](operands& o) { apply(o.v, identity{}, o.u); }},
      {"apply in place", [](operands& o) { apply(o.u, identity{}, o.u); }},
      {"apply to a matrix", [](operands& o) { apply(o.b, identity{}, o.a); }},
      {"select", [](operands& o) { select(o.v, logical_not{}, o.u); }},
      {"select of a matrix", [](operands& o) { select(o.b, logical_not{}, o.a); }},
      {"reduce", [](operands& o) { reduce(plus_monoid<number>{}, o.u); }},
      {"reduce of a matrix", [](operands& o) { reduce(plus_monoid<number>{}, o.a); }},
      {"reduce rows", [](operands& o) { reduce(o.v, plus_monoid<number>{}, o.a); }},
      {"reduce columns", [](operands& o) { reduce(o.v, plus_monoid<number>{}, transpose(o.a)); }},
      {"assign a value", [](operands& o) { assign(o.u, number{1}); }},
      {"assign a vector", [](operands& o) { assign(o.v, o.u); }},
      {"assign to a list",
       [](operands& o) {
         const index_t list[] = {0};
         assign(o.u, number{1}, std::span<const index_t>(list));
       }},
      {"assign to a matrix", [](operands& o) { assign(o.a, number{1}, {.mask = o.b}); }},
      {"assign a matrix", [](operands& o) { assign(o.b, o.a); }},
      {"transpose", [](operands& o) { transpose(o.b, o.a); }},
      {"extract", [](operands& o) { extract(o.b, transpose(o.a), all, all); }},
      {"extract nothing",
       [](operands& o) {
         matrix<number> none(o.where, 0, 0);
         extract(none, o.a, std::vector<index_t>{}, range(0, 0));
       }},
      {"extract a vector", [](operands& o) { extract(o.v, o.u, all); }},
      {"extract a column", [](operands& o) { extract(o.v, o.a, all, 0); }},
      {"a diagonal", [](operands& o) { diagonal_of(o.a, 0); }},
      {"a diagonal matrix", [](operands& o) { diagonal_matrix(o.u, 1); }},
      {"kronecker",
       [](operands& o) {
         matrix<number> product(o.where, o.a.rows() * o.b.rows(), o.a.columns() * o.b.columns());
         kronecker(product, plus{}, o.a, o.b);
       }},
      {"ewise_union", [](operands& o) { ewise_union(o.v, plus{}, o.u, 0, o.v, 0); }},
      {"ewise_union of matrices", [](operands& o) { ewise_union(o.b, plus{}, o.a, 0, o.b, 0); }},
      {"concatenate",
       [](operands& o) {
         concatenate({&o.a, &o.b}, 1);
       }},
      {"concatenate vectors",
       [](operands& o) {
         concatenate({&o.u, &o.v});
       }},
      {"resize", [](operands& o) { resize(o.a, 4, 5); }},
      {"resize a vector", [](operands& o) { resize(o.u, 4); }},
      {"matrix clear", [](operands& o) { o.a.clear(); }},
      {"iterate_until", [](operands& o) { iterate_until(o.v, min_plus<number>{}, o.u, o.a); }},
      {"iterate_until, with all it takes",
       [](operands& o) {
         vector<number> frontier(o.where, 3, 1), beyond = o.u;
         iterate_until(o.v, min_plus<number>{}, frontier, o.a, {.beyond = &beyond, .rounds = &o.u});
       }},
      {"permute", [](operands& o) { permute(o.a, make_permutation(o.a, kind)); }},
      {"permute a vector", [](operands& o) { permute(o.u, permutation::identity(0)); }},
      {"relabel", [](operands& o) { make_relabelling(o.a, kind); }},
      {"relabelled_graph", [](operands& o) { relabelled_graph<number>(o.a, kind); }},
      {"partition_dense", [](operands& o) { partition_dense(o.a); }},
      {"row_counts", [](operands& o) { row_counts(o.a); }},
      {"column_counts", [](operands& o) { column_counts(o.a); }},
      {"block_counts", [](operands& o) { block_counts(o.a, 2); }},
      {"equal_row_imbalance", [](operands& o) { equal_row_imbalance(o.a, 2); }},
      {"bfs", [](operands& o) { bfs(o.a, 0); }},
      {"sssp", [](operands& o) { sssp(o.a, 0); }},
      {"pagerank", [](operands& o) { pagerank(o.a); }},
      {"personal pagerank", [](operands& o) { pagerank(o.a, o.preference); }},
      {"verify_bfs",
       [](operands& o) {
         bfs_result found{o.u, o.v};
         EXPECT_NE(verify_bfs(o.a, 0, found), "");
       }},
      {"verify_sssp",
       [](operands& o) {
         sssp_result<number> found{o.u, o.v};
         EXPECT_NE(verify_sssp(o.a, 0, found), "");
       }},
      {"verify_pagerank",
       [](operands& o) {
         pagerank_result found{o.preference};
         verify_pagerank(o.a, found);
       }},
  };
}

class MovedFrom : public OnContext {
 protected:
  // Plans are made here, but a device need not be measured for them.
  void use_some_constants() const {
    const auto& executor = *where().state()->executor;
    detail::cost_constants some;
    some.device = executor.identity();
    some.origin = "made up";
    for (const detail::kernel_info* kernel : executor.kernels())
      for (const std::size_t bytes : {sizeof(number), sizeof(double)})
        some.of[detail::cost_constants::key(kernel->name, bytes)].call.fill(1e-9);
    detail::use_constants(std::move(some));
  }
};

TEST_P(MovedFrom, ContainersAreEmpty) {
  operands o(where());
  o.move_away(15);
  EXPECT_EQ(o.u.size(), 0);
  EXPECT_EQ(o.u.nvals(), 0);
  EXPECT_EQ(o.u.bytes(), 0u);
  EXPECT_TRUE(o.u.entries().empty());
  EXPECT_TRUE(o.u.dense(7).empty());
  EXPECT_EQ(o.u.where(), where());
  EXPECT_EQ(o.a.rows(), 0);
  EXPECT_EQ(o.a.columns(), 0);
  EXPECT_EQ(o.a.nvals(), 0);
  EXPECT_EQ(o.a.longest_row(), 0);
  EXPECT_EQ(o.a.empty_rows(), 0);
  EXPECT_EQ(o.a.offset(0), 0);
  EXPECT_EQ(o.a.where(), where());
  EXPECT_THROW(o.u.get(0), usage_error);
  EXPECT_THROW(o.u.set(0, 1), usage_error);
  EXPECT_THROW(o.a.get(0, 0), usage_error);
  EXPECT_THROW(o.a.set(0, 0, 1), usage_error);
}

TEST_P(MovedFrom, WhatWasMovedIsWhole) {
  operands o(where());
  const vector<number> u = std::move(o.u);
  matrix<number> a = std::move(o.a);
  EXPECT_EQ(u.nvals(), 3);
  EXPECT_EQ(a.nvals(), 3);  // including a change that was not merged
  o.a = std::move(a);
  EXPECT_EQ(o.a.get(2, 0), 1);
  matrix<number>& same = o.a;
  o.a = std::move(same);
  EXPECT_EQ(o.a.nvals(), 3);
  vector<number>& itself = o.v;
  o.v = std::move(itself);
  EXPECT_EQ(o.v.get(1), 5);
}

TEST_P(MovedFrom, NoUseCrashes) {
  use_some_constants();
  int refused = 0, taken = 0;
  for (const use& one : uses())
    for (int roles = 0; roles < 16; ++roles) {
      operands o(where());
      o.move_away(roles);
      try {
        one.run(o);
        ++taken;
      } catch (const error& e) {
        ++refused;
        EXPECT_TRUE(roles != 0 || std::string(one.name).find("device") != std::string::npos ||
                    std::string(one.name).starts_with("permute"))
            << one.name << ": " << e.what();
        EXPECT_NE(std::string(e.what()), "") << one.name;
      }
      // All of them can be assigned to.
      o.u = vector<number>(where(), 4, 1);
      o.a = matrix<number>(where(), 4, 4);
      o.a.set(3, 3, 2);
      o.v = o.u;
      o.b = o.a;
      mxv(o.v, plus_times<number>{}, o.b, o.u);
      ASSERT_EQ(o.v.get(3), 2) << one.name << ", " << roles;
    }
  EXPECT_GT(refused, 100);
  EXPECT_GT(taken, 100);
}

TEST_P(MovedFrom, ASharedEmptyVectorIsReadByThreads) {
  // Copies of an empty container share its buffers, and stay independent.
  vector<number> u(where(), 3, 1);
  [[maybe_unused]] const vector<number> gone = std::move(u);
  vector<number> v = u;
  EXPECT_EQ(v.size(), 0);
  v = vector<number>(where(), 2, 5);
  EXPECT_EQ(u.size(), 0);
  EXPECT_EQ(v.nvals(), 2);
}

TROPIC_ON_EVERY_CONTEXT(MovedFrom);

TEST(MovedFromHandles, ContextsAndPermutationsStayWhatTheyAre) {
  context where = context::cpu();
  const context other = std::move(where);
  EXPECT_EQ(where.name(), "cpu");
  EXPECT_EQ(where, other);
  permutation p = permutation::identity(3);
  const permutation q = std::move(p);
  EXPECT_EQ(p.size(), 3);
  EXPECT_EQ(p, q);
}

}  // namespace
}  // namespace tropic::testing
