/* SPDX-License-Identifier: Apache-2.0 */

/* Breadth-first searches and shortest paths. */

#include <stddef.h>

#include "check.h"

static void test_searches(tropic_context* context) {
  static const int64_t reached[] = {0, 1, 2, 3}, levels[] = {0, 1, 1, 2}, parents[] = {0, 0, 0, 1};
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_vector *level = NULL, *parent = NULL;
  OK(tropic_bfs(graph, 0, &level, &parent));
  check_int64("levels", level, 4, reached, levels);
  check_int64("parents", parent, 4, reached, parents);
  OK(tropic_bfs(graph, 0, NULL, &parent));
  check_int64("parents alone", parent, 4, reached, parents);
  OK(tropic_bfs(graph, 0, NULL, NULL));
  FAILS(TROPIC_USAGE, "source 5, the graph has vertices 0 to 4",
        tropic_bfs(graph, 5, &level, NULL));
  CHECK(level == NULL);
  tropic_matrix_free(graph);
}

static void test_many_searches(tropic_context* context) {
  static const int64_t sources[] = {0, 3, 0}, outside[] = {1, 5};
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_full *level = NULL, *parent = NULL;
  int64_t rows = 0, columns = 0, count = 0, value = -1, lower = -1, upper = -1, ends[2] = {-2, -2};
  int found = 0;
  OK(tropic_bfs_batch(graph, sources, 3, &level, &parent));
  OK(tropic_full_shape(level, &rows, &columns, &count));
  CHECK(rows == 5 && columns == 3 && count == 9); /* 0 reaches four vertices, 3 itself */
  OK(tropic_full_get(level, 3, 2, TROPIC_INT64, &value, &found));
  CHECK(found && value == 2);
  OK(tropic_full_get(parent, 3, 0, TROPIC_INT64, &value, &found));
  CHECK(found && value == 1);
  OK(tropic_full_get(parent, 0, 1, TROPIC_INT64, &value, &found));
  CHECK(!found);
  tropic_full_free(level);
  tropic_full_free(parent);
  OK(tropic_bfs_batch(graph, NULL, 0, NULL, NULL));
  FAILS(TROPIC_USAGE, "source 5, the graph has vertices 0 to 4",
        tropic_bfs_batch(graph, outside, 2, &level, &parent));
  CHECK(level == NULL && parent == NULL);
  FAILS(TROPIC_USAGE, "sources is NULL", tropic_bfs_batch(graph, NULL, 1, &level, NULL));
  FAILS(TROPIC_USAGE, "count is -1", tropic_bfs_batch(graph, sources, -1, &level, NULL));
  FAILS(TROPIC_USAGE, "two of the outputs level, parent are one pointer",
        tropic_bfs_batch(graph, sources, 1, &level, &level));
  FAILS(TROPIC_USAGE, "graph", tropic_bfs_batch(NULL, sources, 1, &level, NULL));
  /* In both directions 0, 1 and 2 are a triangle, and 3 is next to 1. */
  OK(tropic_diameter(graph, 1, &lower, &upper, ends));
  CHECK(lower == 2 && upper == 2 && (ends[0] == 3 || ends[1] == 3));
  OK(tropic_diameter(graph, 0, NULL, &upper, NULL));
  CHECK(upper >= 2);
  FAILS(TROPIC_USAGE, "two of the outputs lower, upper, ends are one pointer",
        tropic_diameter(graph, 0, &lower, &lower, NULL));
  FAILS(TROPIC_USAGE, "graph", tropic_diameter(NULL, 0, &lower, &upper, ends));
  tropic_matrix_free(graph);
}

static void test_paths(tropic_context* context) {
  static const int64_t reached[] = {0, 1, 2, 3}, parents[] = {0, 2, 0, 1}, whole[] = {0, 3, 1, 8};
  static const double lengths[] = {0, 3, 1, 8};
  static const int32_t offsets[] = {0, 1, 2}, columns[] = {1, 0}, negative[] = {1, -2};
  tropic_matrix* graph = roads(context, TROPIC_FP64);
  tropic_vector *distance = NULL, *parent = NULL;
  tropic_sssp_options options = TROPIC_SSSP_OPTIONS_INIT;
  tropic_csr csr = TROPIC_CSR_INIT;
  OK(tropic_sssp(graph, 0, NULL, &distance, &parent));
  check_fp64("distances", distance, 4, reached, lengths);
  check_int64("parents", parent, 4, reached, parents);
  options.delta = 2;
  OK(tropic_sssp(graph, 0, &options, &distance, NULL));
  check_fp64("distances alone", distance, 4, reached, lengths);
  options.limit = 3; /* what is farther is as what is not reachable */
  OK(tropic_sssp(graph, 0, &options, &distance, &parent));
  check_fp64("distances up to a limit", distance, 3, reached, lengths);
  check_int64("parents up to a limit", parent, 3, reached, parents);
  options.limit = -2;
  FAILS(TROPIC_USAGE, "the limit is -2", tropic_sssp(graph, 0, &options, &distance, NULL));
  /* A caller whose struct ends before the limit. */
  options.size = offsetof(tropic_sssp_options, limit);
  OK(tropic_sssp(graph, 0, &options, &distance, NULL));
  check_fp64("distances without a limit", distance, 4, reached, lengths);
  options.size = sizeof(options);
  options.limit = -1;
  options.delta = -1;
  FAILS(TROPIC_USAGE, "delta is -1", tropic_sssp(graph, 0, &options, &distance, NULL));
  options.delta = INFINITY;
  FAILS(TROPIC_USAGE, "delta is inf", tropic_sssp(graph, 0, &options, &distance, NULL));
  tropic_matrix_free(graph);

  graph = roads(context, TROPIC_INT8); /* distances are int64 */
  OK(tropic_sssp(graph, 0, NULL, &distance, &parent));
  check_int64("whole distances", distance, 4, reached, whole);
  check_int64("their parents", parent, 4, reached, parents);
  tropic_matrix_free(graph);

  csr.rows = csr.columns = 2;
  csr.offsets = offsets;
  csr.column_indices = columns;
  csr.type = TROPIC_INT32;
  csr.values = negative;
  OK(tropic_matrix_from_csr(context, &csr, &graph));
  FAILS(TROPIC_BAD_INPUT, "a negative cycle goes through vertex",
        tropic_sssp(graph, 0, NULL, &distance, &parent));
  CHECK(distance == NULL && parent == NULL);
  options.delta = 0;
  options.limit = 5;
  FAILS(TROPIC_USAGE, "a limit needs weights from 0",
        tropic_sssp(graph, 0, &options, &distance, &parent));
  tropic_matrix_free(graph);
}

/* Distances of narrow integers are int64, unless the narrow type is asked for. */
static void test_pairs(tropic_context* context) {
  static const int64_t from[] = {0, 2, 0, 4, 0}, to[] = {3, 1, 0, 0, 3}, outside[] = {0, 5};
  static const int64_t connected[] = {0, 1, 2, 4};
  static const int64_t lengths[] = {8, 2, 0, 8};
  static const double real[] = {8, 2, 0, 8};
  tropic_matrix* graph = roads(context, TROPIC_INT8);
  tropic_vector* distance = NULL;
  int64_t saturated = -1;
  tropic_sssp_options options = TROPIC_SSSP_OPTIONS_INIT;
  OK(tropic_sssp_between(graph, from, to, 5, NULL, &distance));
  check_int64("distances of pairs", distance, 4, connected, lengths);
  OK(tropic_sssp_between(graph, NULL, NULL, 0, NULL, &distance));
  tropic_vector_free(distance);
  options.choose_type = 1;
  options.type = TROPIC_FP64;
  options.saturated = &saturated;
  options.delta = 2;
  OK(tropic_sssp_between(graph, from, to, 5, &options, &distance));
  check_fp64("real distances of pairs", distance, 4, connected, real);
  CHECK(saturated == 0);
  options.limit = 7;
  OK(tropic_sssp_between(graph, from, to, 5, &options, &distance));
  check_fp64("distances of near pairs", distance, 2, connected + 1, real + 1);
  options.limit = -1;
  FAILS(TROPIC_USAGE, "vertex 5 of a pair, the graph has 5 vertices",
        tropic_sssp_between(graph, from, outside, 2, NULL, &distance));
  CHECK(distance == NULL);
  FAILS(TROPIC_USAGE, "pairs is -1", tropic_sssp_between(graph, from, to, -1, NULL, &distance));
  FAILS(TROPIC_USAGE, "to is NULL", tropic_sssp_between(graph, from, NULL, 1, NULL, &distance));
  FAILS(TROPIC_USAGE, "distance is NULL", tropic_sssp_between(graph, from, to, 1, NULL, NULL));
  FAILS(TROPIC_USAGE, "graph is NULL", tropic_sssp_between(NULL, from, to, 1, NULL, &distance));
  options.saturated = (int64_t*)&distance;
  FAILS(TROPIC_USAGE, "two of the outputs distance, options->saturated are one pointer",
        tropic_sssp_between(graph, from, to, 1, &options, &distance));
  options.saturated = NULL;
  options.type = TROPIC_BOOL;
  FAILS(TROPIC_USAGE, "tropic_sssp_between: options->type is bool",
        tropic_sssp_between(graph, from, to, 1, &options, &distance));
  tropic_matrix_free(graph);
}

static void test_distances(tropic_context* context) {
  static const int64_t reached[] = {0, 1, 2}, whole[] = {0, 200, 300};
  static const int32_t offsets[] = {0, 1, 2, 2}, columns[] = {1, 2};
  static const uint8_t bytes[] = {200, 100}, clamped[] = {0, 200, 254};
  static const uint64_t far[] = {UINT64_MAX / 2, 5};
  static const int64_t none[] = {1, INT64_MAX};
  tropic_matrix* graph = NULL;
  tropic_vector *distance = NULL, *parent = NULL;
  tropic_sssp_options options = TROPIC_SSSP_OPTIONS_INIT;
  tropic_csr csr = TROPIC_CSR_INIT;
  tropic_type type = TROPIC_BOOL;
  int64_t saturated = -1, long_distance = 0;
  uint64_t last = 0;
  uint8_t found[3] = {0, 0, 0};
  int present = 0;
  csr.rows = csr.columns = 3;
  csr.offsets = offsets;
  csr.column_indices = columns;
  csr.type = TROPIC_UINT8;
  csr.values = bytes;
  OK(tropic_matrix_from_csr(context, &csr, &graph));
  options.saturated = &saturated;
  OK(tropic_sssp(graph, 0, &options, &distance, NULL));
  CHECK(saturated == 0);
  check_int64("distances of bytes", distance, 3, reached, whole);
  options.choose_type = 1;
  options.type = TROPIC_UINT8;
  OK(tropic_sssp(graph, 0, &options, &distance, &parent));
  CHECK(saturated == 1);
  OK(tropic_vector_export_dense(distance, TROPIC_UINT8, NULL, 3, found));
  CHECK(memcmp(found, clamped, 3) == 0);
  tropic_vector_free(distance);
  tropic_vector_free(parent);
  options.type = TROPIC_INT16; /* converted */
  OK(tropic_sssp(graph, 0, &options, &distance, NULL));
  OK(tropic_vector_type(distance, &type));
  CHECK(type == TROPIC_INT16 && saturated == 0);
  tropic_vector_free(distance);
  saturated = 77;
  options.type = TROPIC_INT8;
  FAILS(TROPIC_USAGE, "a weight is 200, distances are int8",
        tropic_sssp(graph, 0, &options, &distance, NULL));
  options.type = TROPIC_BOOL;
  FAILS(TROPIC_USAGE, "options->type is bool", tropic_sssp(graph, 0, &options, &distance, NULL));
  CHECK(distance == NULL && saturated == 77);
  /* An older caller, whose struct ends before the type. */
  options.size = offsetof(tropic_sssp_options, choose_type);
  OK(tropic_sssp(graph, 0, &options, &distance, NULL));
  check_int64("distances of an older caller", distance, 3, reached, whole);
  CHECK(saturated == 77);
  tropic_matrix_free(graph);

  csr.type = TROPIC_UINT64;
  csr.values = far;
  OK(tropic_matrix_from_csr(context, &csr, &graph));
  OK(tropic_sssp(graph, 0, NULL, &distance, NULL));
  OK(tropic_vector_get(distance, 2, TROPIC_UINT64, &last, &present));
  CHECK(present == 1 && last == UINT64_MAX / 2 + 5);
  tropic_vector_free(distance);
  tropic_matrix_free(graph);

  csr.type = TROPIC_INT64;
  csr.values = none;
  OK(tropic_matrix_from_csr(context, &csr, &graph));
  FAILS(TROPIC_USAGE, "the edge from 1 to 2 weighs 9223372036854775807",
        tropic_sssp(graph, 0, NULL, &distance, NULL));
  CHECK(distance == NULL);
  tropic_matrix_free(graph);

  csr.type = TROPIC_INT32; /* its largest value is a length like others */
  csr.values = NULL;
  csr.iso = 0;
  OK(tropic_matrix_from_csr(context, &csr, &graph));
  OK(tropic_sssp(graph, 0, NULL, &distance, NULL));
  OK(tropic_vector_get(distance, 2, TROPIC_INT64, &long_distance, &present));
  CHECK(long_distance == 2);
  tropic_vector_free(distance);
  tropic_matrix_free(graph);
}

/* One pointer for two outputs is refused, and nothing is written to it. */
static void test_outputs(tropic_context* context) {
  static const double one = 1;
  tropic_matrix* graph = roads(context, TROPIC_FP64);
  tropic_vector* both = NULL;
  tropic_semiring* semiring = NULL;
  tropic_type type = TROPIC_BOOL;
  int64_t number = 77, numbers[8] = {0};
  size_t bytes = 77;
  FAILS(TROPIC_USAGE, "tropic_bfs: two of the outputs level, parent are one pointer",
        tropic_bfs(graph, 0, &both, &both));
  CHECK(both == NULL);
  FAILS(TROPIC_USAGE, "distance, parent", tropic_sssp(graph, 0, NULL, &both, &both));
  CHECK(both == NULL);
  FAILS(TROPIC_USAGE, "rows, columns, nnz", tropic_matrix_shape(graph, &number, NULL, &number));
  FAILS(TROPIC_USAGE, "rows, columns, nnz", tropic_matrix_shape(graph, &number, &number, NULL));
  CHECK(number == 77);
  FAILS(TROPIC_USAGE, "offsets, column_indices, values",
        tropic_matrix_export_csr(graph, TROPIC_INT64, numbers, TROPIC_INT64, numbers, TROPIC_FP64,
                                 NULL));
  CHECK(numbers[0] == 0 && numbers[1] == 0);
  FAILS(TROPIC_USAGE, "used, limit", tropic_context_memory(context, &bytes, &bytes));
  CHECK(bytes == 77);
  OK(tropic_semiring_named(context, "min_plus", TROPIC_FP64, &semiring));
  FAILS(TROPIC_USAGE, "first, second, sum", tropic_semiring_types(semiring, &type, NULL, &type));
  tropic_semiring_free(semiring);
  OK(tropic_vector_from_dense(context, TROPIC_FP64, 1, &one, &both));
  FAILS(TROPIC_USAGE, "indices, values, count",
        tropic_vector_export_pairs(both, TROPIC_FP64, 8, numbers, numbers, &number));
  FAILS(TROPIC_USAGE, "indices, values, count",
        tropic_vector_export_pairs(both, TROPIC_FP64, 8, &number, NULL, &number));
  CHECK(number == 77);
  tropic_vector_free(both);
  tropic_matrix_free(graph);
}

void test_search(tropic_context* context) {
  test_searches(context);
  test_many_searches(context);
  test_paths(context);
  test_pairs(context);
  test_distances(context);
  test_outputs(context);
}
