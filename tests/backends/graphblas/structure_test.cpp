// SPDX-License-Identifier: Apache-2.0

// The reference backend's extract, kronecker, ewise_union, diagonals, tiles and resize against
// SuiteSparse:GraphBLAS, with all masks, accumulator, replace and transposes; and the operators of
// positions against its index unary operators.

#include <gtest/gtest.h>

#include <tropic/detail/structure.hpp>
#include <tropic/position_operators.hpp>

#include "backends/graphblas/operators.hpp"
#include "support/compare.hpp"

namespace tropic::testing::peer {
namespace {

GrB_Index peer_size(index_t n) {
  return static_cast<GrB_Index>(n);
}

// Positions below `size` in any order, some more than once; sometimes all.
struct random_list {
  random_list(index_t size, dice& random) : all(random.chance(0.2)), count(size) {
    if (all) return;
    for (int n = random.roll(10); n > 0; --n) list.push_back(random.roll(static_cast<int>(size)));
    count = static_cast<index_t>(list.size());
    theirs = peer_list(list);
    theirs.push_back(0);  // an address, also for an empty list
    span = list;
  }
  const std::span<const index_t>* ours() const { return all ? nullptr : &span; }
  const GrB_Index* peer() const { return all ? GrB_ALL : theirs.data(); }

  bool all;
  index_t count;
  std::vector<index_t> list;
  std::vector<GrB_Index> theirs;
  std::span<const index_t> span;
};

struct both_matrices {
  both_matrices(const type_description& type, index_t rows, index_t columns, dice& random,
                double density = 0.4)
      : host(random_matrix(type, rows, columns, density, flavour::small, random)),
        ours(make(where(), host, false, false)),
        theirs(to_peer(host)) {}
  host_matrix host;
  matrix_base ours;
  peer_matrix theirs;
};
struct both_vectors {
  both_vectors(const type_description& type, index_t size, dice& random, double density = 0.4)
      : host(random_vector(type, size, density, flavour::small, random)),
        ours(make(where(), host, vector_storage::sparse)),
        theirs(to_peer(host)) {}
  host_vector host;
  vector_base ours;
  peer_vector theirs;
};

// Mask, accumulator and replace of both libraries.
template <class Both, class Base>
struct both_rules {
  both_rules(type_code code, const rules& given, Both of)
      : r(given), mask(std::move(of)), minus_of_ours(over(code, minus{})) {
    if (r.has_mask()) options.mask = {&mask.ours, r.structural(), r.complemented()};
    if (r.accumulate) options.accumulator = &minus_of_ours;
    options.replace = r.replace;
    peer_mask = r.has_mask() ? mask.theirs.get() : nullptr;
    peer_minus = r.accumulate ? objects_of(code).minus : nullptr;
  }
  both_rules(const both_rules&) = delete;
  rules r;
  Both mask;
  operator_description minus_of_ours;
  output_options<Base> options;
  decltype(mask.theirs.get()) peer_mask;
  GrB_BinaryOp peer_minus;
};
using matrix_rules = both_rules<both_matrices, matrix_base>;
using vector_rules = both_rules<both_vectors, vector_base>;

matrix_rules rules_for(type_code code, const rules& r, const both_matrices& c, dice& random) {
  return {code, r, both_matrices(describe<float>(), c.ours.rows, c.ours.columns, random, 0.6)};
}
vector_rules rules_for(type_code code, const rules& r, const both_vectors& w, dice& random) {
  return {code, r, both_vectors(describe<float>(), w.ours.size, random, 0.6)};
}

void expect_same(const both_matrices& c, const char* what) {
  ASSERT_EQ(difference(from_peer(*c.host.type, c.theirs.get()), read(c.ours)), "") << what;
}
void expect_same(const both_vectors& w, const char* what) {
  ASSERT_EQ(difference(from_peer(*w.host.type, w.theirs.get()), read(w.ours)), "") << what;
}

void compare_extract(type_code code, const rules& r, dice& random) {
  const type_description& type = describe(code);
  const both_matrices a(type, 1 + random.roll(7), 1 + random.roll(7), random);
  const bool turned = random.chance(0.5);
  const index_t height = turned ? a.ours.columns : a.ours.rows;
  const index_t width = turned ? a.ours.rows : a.ours.columns;
  const random_list rows(height, random), columns(width, random);
  both_matrices c(type, rows.count, columns.count, random);
  const matrix_rules to = rules_for(code, r, c, random);
  extract(c.ours, {.matrix = a.ours, .transposed = turned}, rows.ours(), columns.ours(),
          to.options);
  TROPIC_GRB(GrB_Matrix_extract(c.theirs, to.peer_mask, to.peer_minus, a.theirs, rows.peer(),
                                peer_size(rows.count), columns.peer(), peer_size(columns.count),
                                descriptor(r, turned)));
  expect_same(c, "a submatrix");

  const index_t j = random.roll(static_cast<int>(width));
  both_vectors w(type, rows.count, random);
  const vector_rules into_w = rules_for(code, r, w, random);
  extract(w.ours, {.matrix = a.ours, .transposed = turned}, rows.ours(), j, into_w.options);
  TROPIC_GRB(GrB_Col_extract(w.theirs, into_w.peer_mask, into_w.peer_minus, a.theirs, rows.peer(),
                             peer_size(rows.count), peer_size(j), descriptor(r, turned)));
  expect_same(w, "a column");

  const both_vectors u(type, height, random);
  both_vectors part(type, rows.count, random);
  const vector_rules into_part = rules_for(code, r, part, random);
  extract(part.ours, u.ours, rows.ours(), into_part.options);
  TROPIC_GRB(GrB_Vector_extract(part.theirs, into_part.peer_mask, into_part.peer_minus, u.theirs,
                                rows.peer(), peer_size(rows.count), descriptor(r)));
  expect_same(part, "a subvector");
}

void compare_kronecker(type_code code, const rules& r, dice& random) {
  const type_description& type = describe(code);
  const both_matrices a(type, 1 + random.roll(4), 1 + random.roll(4), random),
      b(type, 1 + random.roll(4), 1 + random.roll(4), random);
  const bool a_turned = random.chance(0.5), b_turned = random.chance(0.5);
  const auto size = [](const both_matrices& m, bool columns) {
    return columns ? m.ours.columns : m.ours.rows;
  };
  both_matrices c(type, size(a, a_turned) * size(b, b_turned),
                  size(a, !a_turned) * size(b, !b_turned), random);
  const matrix_rules to = rules_for(code, r, c, random);
  kronecker(c.ours, over(code, minus{}), {.matrix = a.ours, .transposed = a_turned},
            {.matrix = b.ours, .transposed = b_turned}, to.options);
  TROPIC_GRB(GrB_Matrix_kronecker_BinaryOp(c.theirs, to.peer_mask, to.peer_minus,
                                           objects_of(code).minus, a.theirs, b.theirs,
                                           descriptor(r, a_turned, b_turned)));
  expect_same(c, "kronecker");
}

void compare_union(type_code code, const rules& r, dice& random) {
  const type_description& type = describe(code);
  const index_t rows = 1 + random.roll(7), columns = 1 + random.roll(7);
  const scalar_bytes x = random_value(type, flavour::small, random),
                     y = random_value(type, flavour::small, random);
  const both_matrices a(type, rows, columns, random), b(type, rows, columns, random);
  both_matrices c(type, rows, columns, random);
  const matrix_rules to = rules_for(code, r, c, random);
  ewise_union(c.ours, over(code, minus{}), a.ours, x.data(), b.ours, y.data(), to.options);
  TROPIC_GRB(GxB_Matrix_eWiseUnion(c.theirs, to.peer_mask, to.peer_minus, objects_of(code).minus,
                                   a.theirs, to_peer(type, x), b.theirs, to_peer(type, y),
                                   descriptor(r)));
  expect_same(c, "a union of matrices");

  const both_vectors u(type, rows, random), v(type, rows, random);
  both_vectors w(type, rows, random);
  const vector_rules into_w = rules_for(code, r, w, random);
  ewise_union(w.ours, over(code, minus{}), u.ours, x.data(), v.ours, y.data(), into_w.options);
  TROPIC_GRB(GxB_Vector_eWiseUnion(w.theirs, into_w.peer_mask, into_w.peer_minus,
                                   objects_of(code).minus, u.theirs, to_peer(type, x), v.theirs,
                                   to_peer(type, y), descriptor(r)));
  expect_same(w, "a union of vectors");
}

TEST(GraphBlas, AgreesOnExtract) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for_all_rules([&](type_code code, const rules& r) { compare_extract(code, r, random); });
}
TEST(GraphBlas, AgreesOnKronecker) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for_all_rules([&](type_code code, const rules& r) { compare_kronecker(code, r, random); });
}
TEST(GraphBlas, AgreesOnUnionsWithFillValues) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for_all_rules([&](type_code code, const rules& r) { compare_union(code, r, random); });
}

TEST(GraphBlas, AgreesOnDiagonals) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : number_types)
    for (index_t k = -8; k <= 8; ++k) {
      const type_description& type = describe(code);
      const both_matrices a(type, 1 + random.roll(8), 1 + random.roll(8), random);
      if (k >= -a.ours.rows && k <= a.ours.columns) {
        both_vectors w(type, diagonal_length({.matrix = a.ours}, k), random);
        extract_diagonal(w.ours, {.matrix = a.ours}, k, {});
        TROPIC_GRB(GxB_Vector_diag(w.theirs, a.theirs, k, nullptr));
        expect_same(w, "the diagonal of a matrix");
      }
      const both_vectors v(type, 1 + random.roll(8), random);
      GrB_Matrix theirs = nullptr;
      TROPIC_GRB(GrB_Matrix_diag(&theirs, v.theirs, k));
      const peer_matrix holder(theirs);
      ASSERT_EQ(difference(from_peer(type, theirs), read(diagonal_matrix(v.ours, k))), "") << k;
    }
}

TEST(GraphBlas, AgreesOnTiles) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : number_types)
    for (int repeat = 0; repeat < 10; ++repeat) {
      const type_description& type = describe(code);
      const std::size_t m = 1 + random.next() % 3, n = 1 + random.next() % 3;
      std::vector<index_t> heights, widths;
      for (std::size_t i = 0; i < m; ++i) heights.push_back(1 + random.roll(6));
      for (std::size_t j = 0; j < n; ++j) widths.push_back(1 + random.roll(6));
      std::vector<both_matrices> tiles;
      for (const index_t height : heights)
        for (const index_t width : widths) tiles.emplace_back(type, height, width, random);
      std::vector<const matrix_base*> ours;
      std::vector<GrB_Matrix> theirs;
      for (const both_matrices& tile : tiles) {
        ours.push_back(&tile.ours);
        theirs.push_back(tile.theirs.get());
      }
      const matrix_base whole = concatenate(ours, n);
      both_matrices peer_whole(type, whole.rows, whole.columns, random, 0);
      TROPIC_GRB(GxB_Matrix_concat(peer_whole.theirs, theirs.data(), m, n, nullptr));
      ASSERT_EQ(difference(from_peer(type, peer_whole.theirs.get()), read(whole)), "");
      std::vector<GrB_Matrix> parts(m * n, nullptr);
      TROPIC_GRB(GxB_Matrix_split(parts.data(), m, n, peer_list(heights).data(),
                                  peer_list(widths).data(), peer_whole.theirs, nullptr));
      const std::vector<matrix_base> our_parts = split(whole, heights, widths);
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const peer_matrix holder(parts[p]);
        ASSERT_EQ(difference(from_peer(type, parts[p]), read(our_parts[p])), "") << p;
      }
    }
}

TEST(GraphBlas, AgreesOnResize) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (const type_code code : number_types)
    for (int repeat = 0; repeat < 20; ++repeat) {
      const type_description& type = describe(code);
      both_matrices a(type, 1 + random.roll(8), 1 + random.roll(8), random);
      const index_t rows = 1 + random.roll(8), columns = 1 + random.roll(8);
      resize(a.ours, rows, columns);
      TROPIC_GRB(GrB_Matrix_resize(a.theirs, peer_size(rows), peer_size(columns)));
      expect_same(a, "a matrix");
      both_vectors v(type, 1 + random.roll(8), random);
      resize(v.ours, rows);
      TROPIC_GRB(GrB_Vector_resize(v.theirs, peer_size(rows)));
      expect_same(v, "a vector");
    }
}

template <class Op>
void compare_selection(const Op& ours, GrB_IndexUnaryOp theirs, std::int64_t thunk, dice& random) {
  const type_code code = type_code::fp64;
  const both_matrices a(describe(code), 1 + random.roll(8), 1 + random.roll(8), random, 0.7);
  both_matrices c(describe(code), a.ours.rows, a.ours.columns, random);
  select(c.ours, describe_unary<bool, double>(ours), a.ours, {});
  TROPIC_GRB(GrB_Matrix_select_INT64(c.theirs, nullptr, nullptr, theirs, a.theirs, thunk, nullptr));
  expect_same(c, Op::tropic_name.data());
}
template <class Op>
void compare_numbers(const Op& ours, GrB_IndexUnaryOp theirs, std::int64_t thunk, dice& random) {
  const both_matrices a(describe<double>(), 1 + random.roll(8), 1 + random.roll(8), random, 0.7);
  both_matrices c(describe<std::int64_t>(), a.ours.rows, a.ours.columns, random);
  apply(c.ours, describe_unary<std::int64_t, double>(ours), a.ours, {});
  TROPIC_GRB(
      GrB_Matrix_apply_IndexOp_INT64(c.theirs, nullptr, nullptr, theirs, a.theirs, thunk, nullptr));
  expect_same(c, Op::tropic_name.data());
}

TEST(GraphBlas, AgreesOnOperatorsOfPositions) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (std::int64_t n = -9; n <= 9; ++n) {
    compare_selection(tril{n}, GrB_TRIL, n, random);
    compare_selection(triu{n}, GrB_TRIU, n, random);
    compare_selection(on_diagonal{n}, GrB_DIAG, n, random);
    compare_selection(off_the_diagonal{n}, GrB_OFFDIAG, n, random);
    compare_selection(rows_up_to{n}, GrB_ROWLE, n, random);
    compare_selection(rows_after{n}, GrB_ROWGT, n, random);
    compare_selection(columns_up_to{n}, GrB_COLLE, n, random);
    compare_selection(columns_after{n}, GrB_COLGT, n, random);
    compare_numbers(row_number{n}, GrB_ROWINDEX_INT64, n, random);
    compare_numbers(column_number{n}, GrB_COLINDEX_INT64, n, random);
    compare_numbers(diagonal_number{n}, GrB_DIAGINDEX_INT64, n, random);
  }
}

}  // namespace
}  // namespace tropic::testing::peer
