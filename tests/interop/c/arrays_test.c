/* SPDX-License-Identifier: Apache-2.0 */

/* Matrices and vectors, from arrays and back. */

#include "check.h"

static void count_release(void* data) {
  ++*(int*)data;
}

static void check_csr(const char* what, const tropic_matrix* m, const int64_t* offsets,
                      const int64_t* columns, const double* values) {
  int64_t rows = 0, nnz = 0, got_offsets[8], got_columns[8], n;
  double got_values[8];
  OK(tropic_matrix_shape(m, &rows, NULL, &nnz));
  CHECK(nnz == offsets[rows]);
  OK(tropic_matrix_export_csr(m, TROPIC_INT64, got_offsets, TROPIC_INT64, got_columns, TROPIC_FP64,
                              got_values));
  for (n = 0; n <= rows; ++n)
    if (got_offsets[n] != offsets[n]) printf("%s: offset %ld\n", what, (long)n), ++failures;
  for (n = 0; n < nnz; ++n)
    if (got_columns[n] != columns[n] || got_values[n] != values[n])
      printf("%s: entry %ld\n", what, (long)n), ++failures;
}

static void test_csr(tropic_context* context) {
  static const int32_t offsets32[] = {0, 2, 2, 4};
  static const int64_t offsets64[] = {0, 2, 2, 4}, columns64[] = {0, 3, 1, 2};
  static const uint32_t columns32[] = {0, 3, 1, 2};
  static const uint64_t wide[] = {0, 3, 1, 2};
  static const double values[] = {1.5, -2, 3, 4}, ones[] = {1, 1, 1, 1}, sevens[] = {7, 7, 7, 7};
  static const double seven = 7;
  tropic_csr csr = TROPIC_CSR_INIT;
  tropic_matrix* m = NULL;
  tropic_type type = TROPIC_BOOL;
  int64_t columns = 0;
  int released = 0, present = 0;
  int32_t out32[4];
  uint32_t outu32[4];
  uint64_t outu64[4];
  double value = 0;
  csr.rows = 3;
  csr.columns = 4;
  csr.offsets = offsets32;
  csr.column_type = TROPIC_UINT32;
  csr.column_indices = columns32;
  csr.values = values;
  OK(tropic_matrix_from_csr(context, &csr, &m));
  check_csr("int32 offsets, uint32 columns", m, offsets64, columns64, values);
  OK(tropic_matrix_shape(m, NULL, &columns, NULL));
  CHECK(columns == 4);
  OK(tropic_matrix_type(m, &type));
  CHECK(type == TROPIC_FP64);
  OK(tropic_matrix_get(m, 0, 3, TROPIC_FP64, &value, &present));
  CHECK(present == 1 && value == -2);
  OK(tropic_matrix_get(m, 1, 3, TROPIC_FP64, &value, &present));
  CHECK(present == 0);
  OK(tropic_matrix_export_csr(m, TROPIC_INT32, out32, TROPIC_UINT64, outu64, TROPIC_FP64, NULL));
  CHECK(out32[3] == 4 && outu64[1] == 3);
  OK(tropic_matrix_export_csr(m, TROPIC_UINT32, NULL, TROPIC_UINT32, outu32, TROPIC_FP64, NULL));
  CHECK(outu32[1] == 3);
  tropic_matrix_free(m);

  csr.offset_type = TROPIC_INT64;
  csr.offsets = offsets64;
  csr.column_type = TROPIC_UINT64;
  csr.column_indices = wide;
  csr.values = NULL;
  csr.flags = TROPIC_TRUSTED;
  OK(tropic_matrix_from_csr(context, &csr, &m));
  check_csr("a pattern", m, offsets64, columns64, ones);
  tropic_matrix_free(m);

  csr.values = &seven;
  csr.iso = 1;
  csr.column_type = TROPIC_INT32;
  csr.column_indices = columns32;
  csr.flags = TROPIC_BORROW;
  csr.release = count_release;
  csr.data = &released;
  OK(tropic_matrix_from_csr(context, &csr, &m));
  check_csr("borrowed, one value", m, offsets64, columns64, sevens);
  CHECK(released == 0);
  tropic_matrix_free(m);
  CHECK(released == 1);
  csr.columns = 3; /* which is refused: nothing is released */
  FAILS(TROPIC_USAGE, "csr->column_indices[1] is 3 in row 0, the matrix has 3 columns",
        tropic_matrix_from_csr(context, &csr, &m));
  CHECK(m == NULL && released == 1);
}

static void test_coo(tropic_context* context) {
  static const int64_t rows[] = {2, 0, 2, 0}, columns[] = {1, 0, 1, 3};
  static const float values[] = {1, 2, 10, 4};
  static const float expected[] = {11, 1, 10, 1, 10};
  float value = 0;
  int present = 0, rule;
  tropic_coo coo = TROPIC_COO_INIT;
  tropic_matrix* m = NULL;
  coo.rows = 3;
  coo.columns = 4;
  coo.count = 4;
  coo.index_type = TROPIC_INT64;
  coo.row_indices = rows;
  coo.column_indices = columns;
  coo.type = TROPIC_FP32;
  coo.values = values;
  FAILS(TROPIC_USAGE, "a second entry at (2, 1)", tropic_matrix_from_coo(context, &coo, &m));
  for (rule = TROPIC_DUPLICATES_SUM; rule <= TROPIC_DUPLICATES_LAST; ++rule) {
    int64_t nnz = 0;
    coo.duplicates = (tropic_duplicates)rule;
    OK(tropic_matrix_from_coo(context, &coo, &m));
    OK(tropic_matrix_shape(m, NULL, NULL, &nnz));
    CHECK(nnz == 3);
    OK(tropic_matrix_get(m, 2, 1, TROPIC_FP32, &value, &present));
    CHECK(present == 1 && value == expected[rule - 1]);
    tropic_matrix_free(m);
  }
  coo.count = 0;
  coo.row_indices = coo.column_indices = coo.values = NULL;
  OK(tropic_matrix_from_coo(context, &coo, &m));
  tropic_matrix_free(m);
}

static void test_empty(tropic_context* context) {
  static const int32_t zero = 0;
  tropic_csr csr = TROPIC_CSR_INIT;
  tropic_matrix* m = NULL;
  int64_t rows = 1, nnz = 1;
  int32_t offset = 7;
  csr.offsets = &zero;
  OK(tropic_matrix_from_csr(context, &csr, &m));
  OK(tropic_matrix_shape(m, &rows, NULL, &nnz));
  CHECK(rows == 0 && nnz == 0);
  OK(tropic_matrix_export_csr(m, TROPIC_INT32, &offset, TROPIC_INT32, NULL, TROPIC_FP64, NULL));
  CHECK(offset == 0);
  tropic_matrix_free(m);
  tropic_matrix_free(NULL);
}

void test_matrices(tropic_context* context) {
  test_csr(context);
  test_coo(context);
  test_empty(context);
}

void test_vectors(tropic_context* context) {
  static const int64_t at[] = {4, 1, 4}, sorted[] = {1, 4}, after[] = {0, 4};
  static const double values[] = {2, 3, 5}, summed[] = {3, 7}, changed[] = {9, 7};
  static const uint8_t truths[] = {0, 1, 255};
  const double missing = -1, nine = 9;
  tropic_vector *v = NULL, *copy = NULL;
  int64_t size = 0, nvals = -1, count = 0, indices[2];
  double dense[6], value = 0;
  uint8_t bools[3];
  tropic_type type = TROPIC_BOOL;
  int present = 0, n;

  OK(tropic_vector_new(context, TROPIC_FP64, 6, &v));
  OK(tropic_vector_size(v, &size));
  OK(tropic_vector_nvals(v, &nvals));
  OK(tropic_vector_type(v, &type));
  CHECK(size == 6 && nvals == 0 && type == TROPIC_FP64);
  OK(tropic_vector_export_pairs(v, TROPIC_FP64, 0, NULL, NULL, &count));
  CHECK(count == 0);
  tropic_vector_free(v);

  FAILS(TROPIC_USAGE, "a second entry at 4",
        tropic_vector_from_pairs(context, TROPIC_FP64, 6, 3, at, values, TROPIC_DUPLICATES_ERROR,
                                 &v));
  CHECK(v == NULL);
  OK(tropic_vector_from_pairs(context, TROPIC_FP64, 6, 3, at, values, TROPIC_DUPLICATES_SUM, &v));
  OK(tropic_vector_copy(v, &copy));
  OK(tropic_vector_export_dense(v, TROPIC_FP64, &missing, 6, dense));
  for (n = 0; n < 6; ++n) CHECK(dense[n] == (n == 1 ? 3 : n == 4 ? 7 : -1));
  FAILS(TROPIC_USAGE, "4 of 6 positions have no entry",
        tropic_vector_export_dense(v, TROPIC_FP64, NULL, 6, dense));
  FAILS(TROPIC_USAGE, "capacity is 5, the vector has 6 positions",
        tropic_vector_export_dense(v, TROPIC_FP64, &missing, 5, dense));
  count = 0;
  FAILS(TROPIC_USAGE, "capacity is 1, the vector has 2 entries",
        tropic_vector_export_pairs(v, TROPIC_FP64, 1, indices, dense, &count));
  CHECK(count == 2);
  OK(tropic_vector_set(v, 0, TROPIC_FP64, &nine));
  OK(tropic_vector_remove(v, 1));
  OK(tropic_vector_get(v, 0, TROPIC_FP64, &value, &present));
  CHECK(present == 1 && value == 9);
  OK(tropic_vector_get(v, 1, TROPIC_FP64, &value, &present));
  CHECK(present == 0);
  check_fp64("a vector that was written to", v, 2, after, changed);
  check_fp64("its copy", copy, 2, sorted, summed);

  OK(tropic_vector_from_dense(context, TROPIC_BOOL, 3, truths, &v));
  OK(tropic_vector_export_dense(v, TROPIC_BOOL, NULL, 3, bools));
  CHECK(bools[0] == 0 && bools[1] == 1 && bools[2] == 1);
  tropic_vector_free(v);
  tropic_vector_free(NULL);
}
