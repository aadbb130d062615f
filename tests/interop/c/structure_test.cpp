// SPDX-License-Identifier: Apache-2.0

// extract, select by position, diagonals, kronecker, ewise_union, tiles, clear and resize through
// the C ABI, compared with the C++ API; and the arguments that are refused.

#include <tropic/tropic.hpp>

#include "interop/c/handles.hpp"
#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using detail::matrix_base;
using detail::vector_base;

class CStructure : public OnContext {
 protected:
  void SetUp() override {
    OnContext::SetUp();
    if (IsSkipped()) return;
    c_ = handle_of(where());
  }
  matrix<double> random_matrix_of(index_t rows, index_t columns) {
    return matrix<double>(make(
        where(), random_matrix(describe<double>(), rows, columns, 0.4, flavour::small, random_),
        false, false));
  }
  vector<double> random_vector_of(index_t size) {
    return vector<double>(
        make(where(), random_vector(describe<double>(), size, 0.5, flavour::small, random_),
             vector_storage::sparse));
  }
  owned<tropic_matrix> handle(const matrix<double>& m) { return handle_of(c_, m.base()); }
  owned<tropic_vector> handle(const vector<double>& v) { return handle_of(c_, v.base()); }
  static void expect_same(const matrix<double>& expected, const owned<tropic_matrix>& found) {
    EXPECT_EQ(difference(read(expected.base()), read(found->base())), "");
  }
  static void expect_same(const vector<double>& expected, const owned<tropic_vector>& found) {
    EXPECT_EQ(difference(read(expected.base()), read(found->base)), "");
  }
  static void expect_ok(tropic_status status) {
    EXPECT_EQ(status, TROPIC_OK) << tropic_last_error(nullptr);
  }

  owned<tropic_context> c_;
  dice random_{11};
};

TEST_P(CStructure, ExtractsAsCppDoes) {
  const matrix<double> a = random_matrix_of(6, 9);
  const std::vector<index_t> rows{8, 0, 0, 3}, columns{5, 1};
  matrix<double> c = random_matrix_of(4, 2), mask = random_matrix_of(4, 2);
  const auto a_handle = handle(a), c_handle = handle(c), mask_handle = handle(mask);
  extract(c, transpose(a), rows, columns,
          {.mask = complement(structure(mask)), .accumulate = plus{}, .replace = true});
  tropic_mxm_options options = TROPIC_MXM_OPTIONS_INIT;
  options.mask = mask_handle.get();
  options.structure = options.complement = options.replace = options.transpose_a = 1;
  options.accumulate = "plus";
  expect_ok(tropic_matrix_extract(c_handle.get(), a_handle.get(), 4, rows.data(), 2, columns.data(),
                                  &options));
  expect_same(c, c_handle);

  vector<double> w = random_vector_of(6);
  const auto w_handle = handle(w);
  extract(w, a, all, 7);
  expect_ok(tropic_matrix_extract_column(w_handle.get(), a_handle.get(), 0, nullptr, 7, nullptr));
  expect_same(w, w_handle);
  vector<double> row = random_vector_of(4);
  const auto row_handle = handle(row);
  extract(row, transpose(a), rows, 5);
  tropic_product_options turned = TROPIC_PRODUCT_OPTIONS_INIT;
  turned.transpose = 1;
  expect_ok(
      tropic_matrix_extract_column(row_handle.get(), a_handle.get(), 4, rows.data(), 5, &turned));
  expect_same(row, row_handle);

  const vector<double> u = random_vector_of(9);
  vector<double> part(where(), 4);
  const auto u_handle = handle(u), part_handle = handle(part);
  extract(part, u, rows);
  expect_ok(tropic_vector_extract(part_handle.get(), u_handle.get(), 4, rows.data(), nullptr));
  expect_same(part, part_handle);
}

TEST_P(CStructure, SelectsByPositionAndHandlesDiagonals) {
  const matrix<double> a = random_matrix_of(7, 7);
  const auto a_handle = handle(a);
  const auto check = [&](const char* name, const auto& predicate, std::int64_t thunk) {
    matrix<double> c(where(), 7, 7);
    const auto c_handle = handle(c);
    select(c, predicate, a);
    expect_ok(tropic_matrix_select(c_handle.get(), name, thunk, a_handle.get(), nullptr));
    expect_same(c, c_handle);
  };
  check("tril", tril{-1}, -1);
  check("triu", triu{2}, 2);
  check("on_diagonal", on_diagonal{1}, 1);
  check("off_the_diagonal", off_the_diagonal{0}, 0);
  check("rows_up_to", rows_up_to{3}, 3);
  check("rows_after", rows_after{3}, 3);
  check("columns_up_to", columns_up_to{4}, 4);
  check("columns_after", columns_after{4}, 4);

  const vector<double> d = diagonal_of(a, -2);
  const auto d_handle = handle(vector<double>(where(), 5));
  expect_ok(tropic_matrix_extract_diagonal(d_handle.get(), a_handle.get(), -2, nullptr));
  expect_same(d, d_handle);
  const auto back = made_by<tropic_matrix>([&](tropic_matrix** result) {
    return tropic_matrix_from_diagonal(d_handle.get(), -2, result);
  });
  expect_same(diagonal_matrix(d, -2), back);
}

TEST_P(CStructure, CombinesAsCppDoes) {
  const matrix<double> a = random_matrix_of(3, 4), b = random_matrix_of(3, 4);
  const auto a_handle = handle(a), b_handle = handle(b);
  matrix<double> product(where(), 12, 12), sum(where(), 3, 4);
  const auto product_handle = handle(product), sum_handle = handle(sum);
  kronecker(product, minus{}, a, transpose(b));
  tropic_mxm_options turned = TROPIC_MXM_OPTIONS_INIT;
  turned.transpose_b = 1;
  expect_ok(
      tropic_kronecker(product_handle.get(), "x - y", a_handle.get(), b_handle.get(), &turned));
  expect_same(product, product_handle);
  const double three = 3, five = 5;
  ewise_union(sum, minus{}, a, 3, b, 5);
  expect_ok(tropic_matrix_ewise_union(sum_handle.get(), "minus", a_handle.get(), &three,
                                      b_handle.get(), &five, nullptr));
  expect_same(sum, sum_handle);
  const vector<double> u = random_vector_of(9), v = random_vector_of(9);
  vector<double> w(where(), 9);
  const auto u_handle = handle(u), v_handle = handle(v), w_handle = handle(w);
  ewise_union(w, minus{}, u, 3, v, 5);
  expect_ok(tropic_vector_ewise_union(w_handle.get(), "minus", u_handle.get(), &three,
                                      v_handle.get(), &five, nullptr));
  expect_same(w, w_handle);
}

TEST_P(CStructure, PutsTogetherAndTakesApart) {
  const matrix<double> a = random_matrix_of(3, 4), b = random_matrix_of(3, 2);
  const auto a_handle = handle(a), b_handle = handle(b);
  const tropic_matrix* const tiles[] = {a_handle.get(), b_handle.get()};
  const auto whole = made_by<tropic_matrix>(
      [&](tropic_matrix** result) { return tropic_matrix_concatenate(1, 2, tiles, result); });
  expect_same(concatenate({&a, &b}, 2), whole);
  const std::int64_t heights[] = {3}, widths[] = {4, 2};
  tropic_matrix* parts[2];
  expect_ok(tropic_matrix_split(whole.get(), 1, heights, 2, widths, parts));
  const owned<tropic_matrix> first(parts[0]), second(parts[1]);
  expect_same(a, first);
  expect_same(b, second);

  const vector<double> u = random_vector_of(5), v = random_vector_of(3);
  const auto u_handle = handle(u), v_handle = handle(v);
  const tropic_vector* const ends[] = {u_handle.get(), v_handle.get()};
  const auto both = made_by<tropic_vector>(
      [&](tropic_vector** result) { return tropic_vector_concatenate(2, ends, result); });
  expect_same(concatenate({&u, &v}), both);
}

TEST_P(CStructure, ChangesShapes) {
  matrix<double> a = random_matrix_of(5, 5);
  vector<double> u = random_vector_of(5);
  const auto a_handle = handle(a);
  const auto u_handle = handle(u);
  resize(a, 3, 8);
  resize(u, 9);
  expect_ok(tropic_matrix_resize(a_handle.get(), 3, 8));
  expect_ok(tropic_vector_resize(u_handle.get(), 9));
  expect_same(a, a_handle);
  expect_same(u, u_handle);
  expect_ok(tropic_matrix_clear(a_handle.get()));
  expect_ok(tropic_vector_clear(u_handle.get()));
  expect_same(matrix<double>(where(), 3, 8), a_handle);
  expect_same(vector<double>(where(), 9), u_handle);
}

TEST_P(CStructure, RefusesWhatDoesNotFit) {
  const auto a = handle(random_matrix_of(3, 4)), c = handle(matrix<double>(where(), 2, 2));
  const auto w = handle(vector<double>(where(), 2));
  const double zero = 0;
  const auto expect_refused = [](tropic_status status, const std::string& message) {
    EXPECT_EQ(status, TROPIC_USAGE);
    EXPECT_EQ(tropic_last_error(nullptr), message);
  };
  const std::int64_t list[] = {1, 3};
  expect_refused(tropic_matrix_extract(nullptr, a.get(), 2, list, 2, list, nullptr),
                 "tropic_matrix_extract: c is NULL");
  expect_refused(tropic_matrix_extract(c.get(), a.get(), 2, list, 2, list, nullptr),
                 "extract: row 3 of 3");
  expect_refused(tropic_matrix_extract(c.get(), a.get(), -1, list, 2, list, nullptr),
                 "tropic_matrix_extract: row_count is -1");
  tropic_mxm_options turned = TROPIC_MXM_OPTIONS_INIT;
  turned.transpose_b = 1;
  expect_refused(tropic_matrix_extract(c.get(), a.get(), 2, list, 2, list, &turned),
                 "tropic_matrix_extract: options->transpose_b is not supported");
  expect_refused(tropic_matrix_select(c.get(), "trill", 0, a.get(), nullptr),
                 "tropic_matrix_select: predicate is 'trill', predicates are tril, triu, "
                 "on_diagonal, off_the_diagonal, rows_up_to, rows_after, columns_up_to, "
                 "columns_after");
  expect_refused(tropic_kronecker(c.get(), "i", a.get(), a.get(), nullptr),
                 "tropic_kronecker: op is 'i', operators are plus, minus, times, divide, minimum, "
                 "maximum, first, second, any, logical_or, logical_and, logical_xor; or text as "
                 "'x + 2 * y'");
  expect_refused(
      tropic_vector_ewise_union(w.get(), "plus", w.get(), nullptr, w.get(), &zero, nullptr),
      "tropic_vector_ewise_union: missing_u is NULL");
  tropic_matrix* result = c.get();
  expect_refused(tropic_matrix_concatenate(0, 1, nullptr, &result),
                 "tropic_matrix_concatenate: rows is 0, allowed are 1 to 2^24");
  EXPECT_EQ(result, nullptr);
  expect_refused(tropic_matrix_resize(a.get(), -1, 2), "dimension -1, allowed are 0 to 4294967296");
}

TROPIC_ON_EVERY_CONTEXT(CStructure);

}  // namespace
}  // namespace tropic::testing
