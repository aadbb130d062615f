/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TROPIC_TESTS_INTEROP_C_CHECK_H
#define TROPIC_TESTS_INTEROP_C_CHECK_H

/* A test program in C99: what fails is printed with its place, and the count is the exit code. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tropic/c/tropic.h>

extern int failures;

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                    \
    }                                                                \
  } while (0)

/* The call succeeds. */
#define OK(call)                                                                            \
  do {                                                                                      \
    const tropic_status status_ = (call);                                                   \
    if (status_ != TROPIC_OK) {                                                             \
      printf("%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, tropic_status_name(status_), \
             tropic_last_error(NULL));                                                      \
      ++failures;                                                                           \
    }                                                                                       \
  } while (0)

/* The call fails so, with a message that has this text. */
#define FAILS(expected, text, call)                                                         \
  do {                                                                                      \
    const tropic_status status_ = (call);                                                   \
    if (status_ != (expected) || strstr(tropic_last_error(NULL), (text)) == NULL) {         \
      printf("%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, tropic_status_name(status_), \
             status_ == TROPIC_OK ? "" : tropic_last_error(NULL));                          \
      ++failures;                                                                           \
    }                                                                                       \
  } while (0)

/* The roads of most tests: 0 -> 1 (4), 0 -> 2 (1), 1 -> 3 (5), 2 -> 1 (2); nothing leads to 4. */
tropic_matrix* roads(tropic_context* context, tropic_type type);
/* Pairs of an fp64 or int64 vector are exactly these; the vector is freed. */
void check_fp64(const char* what, tropic_vector* v, int64_t count, const int64_t* indices,
                const double* values);
void check_int64(const char* what, tropic_vector* v, int64_t count, const int64_t* indices,
                 const int64_t* values);

void test_names(tropic_context* context);
void test_contexts(tropic_context* context);
void test_matrices(tropic_context* context);
void test_vectors(tropic_context* context);
void test_products(tropic_context* context);
void test_options(tropic_context* context);
void test_texts(tropic_context* context);
void test_plans(tropic_context* context);
void test_algorithms(tropic_context* context);
void test_search(tropic_context* context);
void test_centrality(tropic_context* context);
void test_files(tropic_context* context);
void test_callbacks(tropic_context* context);
void test_misuse(tropic_context* context);

#endif
