/* SPDX-License-Identifier: Apache-2.0 */

/* Names, contexts, callbacks, and arguments that are not what they should be. */

#include <stddef.h>

#include "check.h"

void test_names(tropic_context* context) {
  char version[64];
  char* json = NULL;
  (void)context;
  sprintf(version, "%d.%d.%d", TROPIC_VERSION_MAJOR, TROPIC_VERSION_MINOR, TROPIC_VERSION_PATCH);
  CHECK(strcmp(version, tropic_version()) == 0);
  CHECK(strcmp(tropic_type_name(TROPIC_UINT16), "uint16") == 0);
  CHECK(tropic_type_name((tropic_type)11) == NULL && tropic_type_size((tropic_type)-1) == 0);
  CHECK(tropic_type_size(TROPIC_FP32) == 4 && tropic_type_size(TROPIC_BOOL) == 1);
  CHECK(strcmp(tropic_status_name(TROPIC_OUT_OF_MEMORY), "out_of_memory") == 0);
  CHECK(strcmp(tropic_status_name((tropic_status)99), "unknown") == 0);
  OK(tropic_devices(&json));
  CHECK(strstr(json, "\"name\": \"cpu\"") != NULL);
  tropic_string_free(json);
}

/* Every struct with a size refuses one that no version of it had. */
static void test_sizes(void) {
  tropic_context *context = NULL, *other = NULL;
  tropic_context_options of_context = TROPIC_CONTEXT_OPTIONS_INIT;
  tropic_csr csr = TROPIC_CSR_INIT;
  tropic_coo coo = TROPIC_COO_INIT;
  tropic_read_options reading = TROPIC_READ_OPTIONS_INIT;
  tropic_product_options product = TROPIC_PRODUCT_OPTIONS_INIT;
  tropic_sssp_options sssp = TROPIC_SSSP_OPTIONS_INIT;
  tropic_pagerank_options pagerank = TROPIC_PAGERANK_OPTIONS_INIT;
  tropic_matrix *graph = NULL, *result = NULL;
  tropic_vector *u = NULL, *w = NULL;
  tropic_semiring* semiring = NULL;
  size_t size;
  OK(tropic_context_new("cpu", NULL, &context));
  graph = roads(context, TROPIC_FP64);
  OK(tropic_vector_new(context, TROPIC_FP64, 5, &u));
  OK(tropic_semiring_named(context, "min_plus", TROPIC_FP64, &semiring));
  for (size = 0; size < 128; ++size) {
    of_context.size = csr.size = coo.size = reading.size = product.size = sssp.size = size;
    pagerank.size = size;
    if (size != sizeof of_context && size != offsetof(tropic_context_options, text_compiler))
      FAILS(TROPIC_USAGE, "options->size is ", tropic_context_new("cpu", &of_context, &other));
    if (size != sizeof csr)
      FAILS(TROPIC_USAGE, "csr->size is ", tropic_matrix_from_csr(context, &csr, &result));
    if (size != sizeof coo)
      FAILS(TROPIC_USAGE, "coo->size is ", tropic_matrix_from_coo(context, &coo, &result));
    if (size != sizeof reading && size != offsetof(tropic_read_options, memory_limit))
      FAILS(TROPIC_USAGE, "options->size is ",
            tropic_matrix_read(context, "grid:3", &reading, &result));
    if (size != sizeof product)
      FAILS(TROPIC_USAGE, "options->size is ", tropic_mxv(u, semiring, graph, u, &product));
    if (size != sizeof sssp && size != offsetof(tropic_sssp_options, choose_type) &&
        size != offsetof(tropic_sssp_options, limit))
      FAILS(TROPIC_USAGE, "options->size is ", tropic_sssp(graph, 0, &sssp, &w, NULL));
    if (size != sizeof pagerank)
      FAILS(TROPIC_USAGE, "options->size is ", tropic_pagerank(graph, &pagerank, &w, NULL, NULL));
  }
  CHECK(other == NULL && result == NULL && w == NULL);
  /* An earlier version has no compiler: what lies behind its end is not read. */
  of_context.size = offsetof(tropic_context_options, text_compiler);
  of_context.text_compiler = (const char*)1;
  OK(tropic_context_new("cpu", &of_context, &other));
  tropic_context_free(other);
  tropic_semiring_free(semiring);
  tropic_vector_free(u);
  tropic_matrix_free(graph);
  tropic_context_free(context);
}

void test_contexts(tropic_context* context) {
  const char* name = NULL;
  int threads = 0;
  size_t used = 0, before = 0, limit = 1;
  tropic_vector *v = NULL, *of_other = NULL;
  tropic_context* other = NULL;
  tropic_context_options options = TROPIC_CONTEXT_OPTIONS_INIT;
  static const double values[2000] = {0};
  double copied[100];
  OK(tropic_context_name(context, &name));
  OK(tropic_context_threads(context, &threads));
  CHECK(strlen(name) >= 3 && threads >= 1);
  OK(tropic_context_memory(context, &before, &limit));
  CHECK(limit == 0);
  OK(tropic_vector_from_dense(context, TROPIC_FP64, 1000, values, &v));
  OK(tropic_context_memory(context, &used, NULL));
  CHECK(used >= before + 8000);
  OK(tropic_context_synchronize(context));
  CHECK(strcmp(tropic_last_error(context), "") == 0);

  /* What a context cannot hold is refused, and what fits goes on. */
  options.memory_limit = 10000;
  OK(tropic_context_new(name, &options, &other));
  OK(tropic_vector_from_dense(other, TROPIC_FP64, 100, values, &of_other));
  tropic_vector_free(of_other);
  FAILS(TROPIC_OUT_OF_MEMORY, "16000 bytes required",
        tropic_vector_from_dense(other, TROPIC_FP64, 2000, values, &of_other));
  CHECK(of_other == NULL);
  CHECK(strstr(tropic_last_error(other), "bytes required") != NULL);
  CHECK(strcmp(tropic_last_error(context), "") == 0);
  OK(tropic_vector_from_dense(other, TROPIC_FP64, 100, values, &of_other));

  /* Containers may outlive the handle of their context. */
  tropic_context_free(other);
  OK(tropic_context_new(name, NULL, &other));
  OK(tropic_vector_export_dense(of_other, TROPIC_FP64, NULL, 100, copied));
  FAILS(TROPIC_USAGE, "size is NULL", tropic_vector_size(of_other, NULL));
  tropic_vector_free(of_other);
  tropic_context_free(other);
  tropic_context_free(NULL);
  tropic_vector_free(v);

  FAILS(TROPIC_USAGE, "device 'gpu', expected auto", tropic_context_new("gpu", NULL, &other));
  CHECK(other == NULL);
  FAILS(TROPIC_USAGE, "device is NULL", tropic_context_new(NULL, NULL, &other));
  FAILS(TROPIC_USAGE, "result is NULL", tropic_context_new("cpu", NULL, NULL));
  options.threads = -1;
  FAILS(TROPIC_USAGE, "threads: found -1, expected 0 to ",
        tropic_context_new("cpu", &options, &other));
  options.threads = 1 << 30;
  FAILS(TROPIC_USAGE, "threads: found 1073741824, expected 0 to ",
        tropic_context_new("cpu", &options, &other));
  CHECK(other == NULL);
  options.threads = 0;
  options.queue = &options;
  FAILS(TROPIC_USAGE, "device cpu: found a borrowed queue",
        tropic_context_new("cpu", &options, &other));
  FAILS(TROPIC_USAGE, "device reference: found a borrowed queue",
        tropic_context_new("reference", &options, &other));
  options.queue = NULL;
  options.size = 0;
  FAILS(TROPIC_USAGE, "options->size is 0", tropic_context_new("cpu", &options, &other));
  options.size = sizeof options + 8;
  FAILS(TROPIC_USAGE, "options->size", tropic_context_new("cpu", &options, &other));
  test_sizes();
}

struct reported {
  int steps, messages;
  tropic_context* cancel;
};
static void progress(void* data, const char* step, double fraction) {
  struct reported* reported = data;
  CHECK(step != NULL && step[0] != '\0' && fraction <= 1);
  ++reported->steps;
  if (reported->cancel != NULL) tropic_context_cancel(reported->cancel);
}
static void take_notice(void* data, const char* message) {
  CHECK(message != NULL && message[0] != '\0');
  ++((struct reported*)data)->messages;
}

/* A semiring given as text, with a compiler that is not there: a notice, and the result. */
static void test_text_compiler(void) {
  static const double values[] = {1, 2, 3, 4, 5};
  struct reported reported = {0, 0, NULL};
  tropic_context_options options = TROPIC_CONTEXT_OPTIONS_INIT;
  tropic_context* context = NULL;
  tropic_matrix* graph = NULL;
  tropic_vector *u = NULL, *w = NULL;
  tropic_semiring* semiring = NULL;
  int64_t found = 0;
  options.log = take_notice;
  options.data = &reported;
  options.text_compiler = "/nowhere/cc";
  OK(tropic_context_new("cpu", &options, &context));
  graph = roads(context, TROPIC_FP64);
  OK(tropic_vector_from_dense(context, TROPIC_FP64, 5, values, &u));
  OK(tropic_vector_new(context, TROPIC_FP64, 5, &w));
  OK(tropic_semiring_from_text(context, "x + y", "0", "x + 2 * y", TROPIC_FP64, &semiring));
  OK(tropic_mxv(w, semiring, graph, u, NULL));
  OK(tropic_vector_nvals(w, &found));
  CHECK(found > 0 && reported.messages == 1);
  tropic_semiring_free(semiring);
  tropic_vector_free(u);
  tropic_vector_free(w);
  tropic_matrix_free(graph);
  tropic_context_free(context);
}

void test_callbacks(tropic_context* unused) {
  struct reported reported = {0, 0, NULL};
  tropic_context_options options = TROPIC_CONTEXT_OPTIONS_INIT;
  tropic_context* context = NULL;
  tropic_matrix* graph = NULL;
  tropic_vector *rank = NULL, *level = NULL;
  const char* device = NULL;
  OK(tropic_context_name(unused, &device));
  options.progress = progress;
  options.log = take_notice;
  options.data = &reported;
  OK(tropic_context_new("auto", &options, &context));
  CHECK(reported.messages >= 1); /* which device, and why */
  tropic_context_free(context);
  OK(tropic_context_new(device, &options, &context));
  graph = roads(context, TROPIC_FP64);
  OK(tropic_pagerank(graph, NULL, &rank, NULL, NULL));
  tropic_vector_free(rank);
  CHECK(reported.steps > 1);
  reported.cancel = context; /* from now on every step is the last */
  FAILS(TROPIC_CANCELLED, "cancelled", tropic_pagerank(graph, NULL, &rank, NULL, NULL));
  CHECK(rank == NULL);
  reported.cancel = NULL;
  FAILS(TROPIC_CANCELLED, "cancelled", tropic_bfs(graph, 0, &level, NULL));
  tropic_context_resume(context);
  OK(tropic_bfs(graph, 0, &level, NULL));
  tropic_vector_free(level);
  tropic_context_cancel(NULL);
  tropic_context_resume(NULL);
  tropic_matrix_free(graph);
  tropic_context_free(context);
  test_text_compiler();
}

void test_misuse(tropic_context* context) {
  static const double one = 1;
  tropic_matrix* a = roads(context, TROPIC_FP64);
  tropic_vector *u = NULL, *w = NULL, *small = NULL, *none = NULL;
  tropic_semiring *semiring = NULL, *no_semiring = NULL;
  tropic_product_options options = TROPIC_PRODUCT_OPTIONS_INIT;
  float narrow = 0;
  double value = 0;
  int present = 0;
  char* json = NULL;
  OK(tropic_vector_from_dense(context, TROPIC_FP64, 1, &one, &small));
  OK(tropic_vector_new(context, TROPIC_FP64, 5, &u));
  OK(tropic_vector_new(context, TROPIC_FP64, 5, &w));
  OK(tropic_semiring_named(context, "plus_times", TROPIC_FP64, &semiring));
  FAILS(TROPIC_USAGE, "tropic_mxv: w is NULL", tropic_mxv(NULL, semiring, a, u, NULL));
  FAILS(TROPIC_USAGE, "tropic_mxv: semiring is NULL", tropic_mxv(w, NULL, a, u, NULL));
  FAILS(TROPIC_USAGE, "tropic_mxv: a is NULL", tropic_mxv(w, semiring, NULL, u, NULL));
  FAILS(TROPIC_USAGE, "tropic_vxm: u is NULL", tropic_vxm(w, semiring, NULL, a, NULL));
  FAILS(TROPIC_USAGE, "A is 5x5, u has size 1, needs 5", tropic_mxv(w, semiring, a, small, NULL));
  FAILS(TROPIC_USAGE, "A is 5x5, w has size 1, needs 5", tropic_vxm(small, semiring, u, a, NULL));
  options.accumulate = "plsu";
  FAILS(TROPIC_USAGE, "options->accumulate is 'plsu', operators are plus, minus",
        tropic_mxv(w, semiring, a, u, &options));
  options.accumulate = "x +";
  FAILS(TROPIC_USAGE, "options->accumulate: ", tropic_mxv(w, semiring, a, u, &options));
  options.accumulate = NULL;
  options.complement = 1;
  FAILS(TROPIC_USAGE, "options->complement needs a mask", tropic_mxv(w, semiring, a, u, &options));
  options.complement = 0;
  options.expected_calls = 0;
  FAILS(TROPIC_USAGE, "options->expected_calls is 0", tropic_mxv(w, semiring, a, u, &options));
  options.expected_calls = 1;
  options.kernel = "";
  FAILS(TROPIC_USAGE, "options->kernel is empty", tropic_mxv(w, semiring, a, u, &options));
  FAILS(TROPIC_USAGE, "name is 'plus_tiems', expected one of plus_times",
        tropic_semiring_named(context, "plus_tiems", TROPIC_FP64, &no_semiring));
  FAILS(TROPIC_USAGE, "type is bool, plus_times is built in for int8",
        tropic_semiring_named(context, "plus_times", TROPIC_BOOL, &no_semiring));
  FAILS(TROPIC_USAGE, "type is 42, types are 0 to 10",
        tropic_semiring_named(context, "plus_times", (tropic_type)42, &no_semiring));
  FAILS(TROPIC_USAGE, "context is NULL",
        tropic_semiring_named(NULL, "plus_times", TROPIC_FP64, &no_semiring));
  FAILS(TROPIC_USAGE, "vector holds fp64, type is fp32",
        tropic_vector_set(w, 0, TROPIC_FP32, &narrow));
  FAILS(TROPIC_USAGE, "position 5, the vector has 5 positions",
        tropic_vector_set(w, 5, TROPIC_FP64, &one));
  FAILS(TROPIC_USAGE, "position -1", tropic_vector_get(w, -1, TROPIC_FP64, &value, &present));
  FAILS(TROPIC_USAGE, "position (5, 0)", tropic_matrix_get(a, 5, 0, TROPIC_FP64, &value, &present));
  FAILS(TROPIC_USAGE, "value is NULL", tropic_vector_set(w, 0, TROPIC_FP64, NULL));
  FAILS(TROPIC_USAGE, "size is -1", tropic_vector_new(context, TROPIC_FP64, -1, &none));
  FAILS(TROPIC_USAGE, "expected_calls is 0", tropic_explain(semiring, a, u, 0, &json));
  FAILS(TROPIC_USAGE, "u has 1 positions, needs 5", tropic_explain(semiring, a, small, 1, &json));
  CHECK(json == NULL && none == NULL && no_semiring == NULL);
  CHECK(strstr(tropic_last_error(context), "needs 5") != NULL);
  tropic_semiring_free(semiring);
  tropic_vector_free(small);
  tropic_vector_free(u);
  tropic_vector_free(w);
  tropic_matrix_free(a);
}
