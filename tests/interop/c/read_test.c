/* SPDX-License-Identifier: Apache-2.0 */

/* Matrices from files and generators. */

#include <stddef.h>

#include "check.h"

static void write_file(const char* name, const char* text) {
  FILE* file = fopen(name, "w");
  CHECK(file != NULL);
  if (file == NULL) return;
  fputs(text, file);
  fclose(file);
}

/* A tiny file of a huge shape, by the limit of the options, or of the context. */
static void test_read_limits(const char* name) {
  tropic_context_options small = TROPIC_CONTEXT_OPTIONS_INIT;
  tropic_read_options options = TROPIC_READ_OPTIONS_INIT;
  tropic_context *limited = NULL, *free_one = NULL;
  tropic_matrix* m = NULL;
  write_file(name,
             "%%MatrixMarket matrix coordinate real general\n4294967296 4294967296 1\n1 1 5\n");
  small.memory_limit = 1000000;
  OK(tropic_context_new("cpu", &small, &limited));
  OK(tropic_context_new("cpu", NULL, &free_one));
  FAILS(TROPIC_OUT_OF_MEMORY, name, tropic_matrix_read(limited, name, NULL, &m));
  FAILS(TROPIC_OUT_OF_MEMORY, "within the memory limit of 1000000 bytes",
        tropic_matrix_read(limited, name, NULL, &m));
  options.memory_limit = 2000000;
  FAILS(TROPIC_OUT_OF_MEMORY, "within the memory limit of 2000000 bytes",
        tropic_matrix_read(free_one, name, &options, &m));
  CHECK(m == NULL);
  /* A program compiled before these options: the context's limit holds. */
  options.size = offsetof(tropic_read_options, memory_limit);
  FAILS(TROPIC_OUT_OF_MEMORY, "within the memory limit of 1000000 bytes",
        tropic_matrix_read(limited, name, &options, &m));
  write_file(name, "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 5\n");
  OK(tropic_matrix_read(limited, name, NULL, &m));
  tropic_matrix_free(m);
  tropic_context_free(limited);
  tropic_context_free(free_one);
}

void test_files(tropic_context* context) {
  char name[64];
  tropic_matrix* m = NULL;
  tropic_type type = TROPIC_BOOL;
  tropic_read_options options = TROPIC_READ_OPTIONS_INIT;
  int64_t rows = 0, nnz = 0;
  float value = 0;
  int present = 0;
  const char* device = NULL;
  OK(tropic_context_name(context, &device));
  sprintf(name, "tropic_c_test_%.20s.mtx", device); /* one for each program that runs beside */
  write_file(name,
             "%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 5\n1 2 6\n3 1 7\n");
  OK(tropic_matrix_read(context, name, NULL, &m));
  OK(tropic_matrix_shape(m, &rows, NULL, &nnz));
  OK(tropic_matrix_type(m, &type));
  CHECK(rows == 3 && nnz == 2 && type == TROPIC_INT64);
  tropic_matrix_free(m);
  options.convert = 1;
  options.type = TROPIC_FP32;
  options.undirected = 1;
  options.duplicates = TROPIC_DUPLICATES_MAX;
  OK(tropic_matrix_read(context, name, &options, &m));
  OK(tropic_matrix_get(m, 1, 0, TROPIC_FP32, &value, &present));
  CHECK(present == 1 && value == 6);
  tropic_matrix_free(m);
  write_file(name, "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 9 5\n");
  FAILS(TROPIC_BAD_INPUT, ".mtx:3: found ", tropic_matrix_read(context, name, NULL, &m));
  CHECK(m == NULL);
  test_read_limits(name);
  remove(name);
  FAILS(TROPIC_BAD_INPUT, "no/such.mtx", tropic_matrix_read(context, "no/such.mtx", NULL, &m));
  OK(tropic_matrix_read(context, "grid:4", NULL, &m));
  OK(tropic_matrix_shape(m, &rows, NULL, &nnz));
  CHECK(rows == 16 && nnz == 48);
  tropic_matrix_free(m);
  FAILS(TROPIC_USAGE, "kron:x", tropic_matrix_read(context, "kron:x", NULL, &m));
}
