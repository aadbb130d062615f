/* SPDX-License-Identifier: Apache-2.0 */

/* tropic_interop_c_tests DEVICE: every test on that device; 77 where this machine does not have it.
 */

#include "check.h"

int failures = 0;

tropic_matrix* roads(tropic_context* context, tropic_type type) {
  static const int32_t rows[] = {0, 0, 1, 2}, columns[] = {1, 2, 3, 1};
  static const double fp64[] = {4, 1, 5, 2};
  static const float fp32[] = {4, 1, 5, 2};
  static const int64_t int64[] = {4, 1, 5, 2};
  static const int8_t int8[] = {4, 1, 5, 2};
  tropic_coo coo = TROPIC_COO_INIT;
  tropic_matrix* result = NULL;
  coo.rows = coo.columns = 5;
  coo.count = 4;
  coo.row_indices = rows;
  coo.column_indices = columns;
  coo.type = type;
  coo.values = type == TROPIC_FP64    ? (const void*)fp64
               : type == TROPIC_FP32  ? (const void*)fp32
               : type == TROPIC_INT64 ? (const void*)int64
               : type == TROPIC_INT8  ? (const void*)int8
                                      : NULL;
  OK(tropic_matrix_from_coo(context, &coo, &result));
  return result;
}

void check_fp64(const char* what, tropic_vector* v, int64_t count, const int64_t* indices,
                const double* values) {
  int64_t found = 0, at[16], n;
  double value[16];
  OK(tropic_vector_export_pairs(v, TROPIC_FP64, 16, at, value, &found));
  if (found != count) {
    printf("%s: %ld entries, expected %ld\n", what, (long)found, (long)count);
    ++failures;
  }
  for (n = 0; n < found && n < count; ++n)
    if (at[n] != indices[n] || !(fabs(value[n] - values[n]) < 1e-9)) {
      printf("%s: %g at %ld, expected %g at %ld\n", what, value[n], (long)at[n], values[n],
             (long)indices[n]);
      ++failures;
    }
  tropic_vector_free(v);
}

void check_int64(const char* what, tropic_vector* v, int64_t count, const int64_t* indices,
                 const int64_t* values) {
  int64_t found = 0, at[16], value[16], n;
  OK(tropic_vector_export_pairs(v, TROPIC_INT64, 16, at, value, &found));
  if (found != count) {
    printf("%s: %ld entries, expected %ld\n", what, (long)found, (long)count);
    ++failures;
  }
  for (n = 0; n < found && n < count; ++n)
    if (at[n] != indices[n] || value[n] != values[n]) {
      printf("%s: %ld at %ld, expected %ld at %ld\n", what, (long)value[n], (long)at[n],
             (long)values[n], (long)indices[n]);
      ++failures;
    }
  tropic_vector_free(v);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(tropic_context*);
  } tests[] = {{"names", test_names},           {"contexts", test_contexts},
               {"matrices", test_matrices},     {"vectors", test_vectors},
               {"products", test_products},     {"options", test_options},
               {"texts", test_texts},           {"plans", test_plans},
               {"algorithms", test_algorithms}, {"search", test_search},
               {"centrality", test_centrality}, {"files", test_files},
               {"callbacks", test_callbacks},   {"misuse", test_misuse}};
  const char* device = argc > 1 ? argv[1] : "cpu";
  size_t n;
  for (n = 0; n < sizeof tests / sizeof *tests; ++n) {
    const int before = failures;
    tropic_context_options options = TROPIC_CONTEXT_OPTIONS_INIT;
    tropic_context* context = NULL;
    tropic_status status;
    options.threads = 2;
    status = tropic_context_new(device, &options, &context);
    if (status == TROPIC_DEVICE) {
      printf("skipped: %s\n", tropic_last_error(NULL));
      return 77;
    }
    OK(status);
    if (status != TROPIC_OK) return 1;
    tests[n].run(context);
    tropic_context_free(context);
    printf("%-10s %s\n", tests[n].name, failures == before ? "ok" : "FAILED");
  }
  return failures == 0 ? 0 : 1;
}
