/* SPDX-License-Identifier: Apache-2.0 */

/* Searches, shortest paths and ranks, from arrays and from files. */

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

static void test_components(tropic_context* context) {
  static const int64_t all[] = {0, 1, 2, 3, 4}, labels[] = {0, 0, 0, 0, 4};
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_vector* label = NULL;
  int64_t count = -1;
  OK(tropic_connected_components(graph, &label, &count));
  CHECK(count == 2);
  check_int64("labels", label, 5, all, labels);
  OK(tropic_connected_components(graph, &label, NULL));
  check_int64("labels alone", label, 5, all, labels);
  count = -1;
  OK(tropic_connected_components(graph, NULL, &count));
  CHECK(count == 2);
  OK(tropic_connected_components(graph, NULL, NULL));
  FAILS(TROPIC_USAGE, "two of the outputs label, components are one pointer",
        tropic_connected_components(graph, (tropic_vector**)(void*)&count, &count));
  FAILS(TROPIC_USAGE, "graph", tropic_connected_components(NULL, &label, &count));
  CHECK(label == NULL);
  tropic_matrix_free(graph);
}

static void test_triangles(tropic_context* context) {
  static const int64_t first_three[] = {0, 1, 2}, ones[] = {1, 1, 1};
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_vector* per_vertex = NULL;
  int64_t count = -1;
  /* Roads 0-1, 0-2, 1-3 and 2-1: the triangle 0, 1, 2. */
  OK(tropic_triangle_count(graph, &count, &per_vertex));
  CHECK(count == 1);
  check_int64("triangles", per_vertex, 3, first_three, ones);
  OK(tropic_triangle_count(graph, &count, NULL));
  CHECK(count == 1);
  OK(tropic_triangle_count(graph, NULL, &per_vertex));
  check_int64("triangles alone", per_vertex, 3, first_three, ones);
  OK(tropic_triangle_count(graph, NULL, NULL));
  FAILS(TROPIC_USAGE, "two of the outputs count, per_vertex are one pointer",
        tropic_triangle_count(graph, &count, (tropic_vector**)(void*)&count));
  FAILS(TROPIC_USAGE, "graph", tropic_triangle_count(NULL, &count, &per_vertex));
  CHECK(per_vertex == NULL);
  tropic_matrix_free(graph);
}

static void test_cores(tropic_context* context) {
  static const int64_t all[] = {0, 1, 2, 3, 4}, cores[] = {2, 2, 2, 1, 0};
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_vector* core = NULL;
  int64_t degeneracy = -1;
  /* Roads 0-1, 0-2, 1-3 and 2-1: a triangle, a vertex beside it, and one alone. */
  OK(tropic_core_numbers(graph, &core, &degeneracy));
  CHECK(degeneracy == 2);
  check_int64("cores", core, 5, all, cores);
  OK(tropic_core_numbers(graph, &core, NULL));
  check_int64("cores alone", core, 5, all, cores);
  degeneracy = -1;
  OK(tropic_core_numbers(graph, NULL, &degeneracy));
  CHECK(degeneracy == 2);
  OK(tropic_core_numbers(graph, NULL, NULL));
  FAILS(TROPIC_USAGE, "two of the outputs core, degeneracy are one pointer",
        tropic_core_numbers(graph, (tropic_vector**)(void*)&degeneracy, &degeneracy));
  FAILS(TROPIC_USAGE, "graph", tropic_core_numbers(NULL, &core, &degeneracy));
  CHECK(core == NULL);
  tropic_matrix_free(graph);
}

static void test_strong_components(tropic_context* context) {
  static const int64_t all[] = {0, 1, 2, 3, 4}, labels[] = {0, 0, 0, 3, 4};
  static const int32_t from[] = {0, 1, 2, 2, 3}, to[] = {1, 2, 0, 3, 4};
  tropic_coo coo = TROPIC_COO_INIT;
  tropic_matrix* graph = NULL;
  tropic_vector* label = NULL;
  int64_t count = -1;
  coo.rows = coo.columns = coo.count = 5;
  coo.row_indices = from;
  coo.column_indices = to;
  OK(tropic_matrix_from_coo(context, &coo, &graph));
  OK(tropic_strong_components(graph, &label, &count));
  CHECK(count == 3);
  check_int64("strong labels", label, 5, all, labels);
  OK(tropic_strong_components(graph, &label, NULL));
  check_int64("strong labels alone", label, 5, all, labels);
  count = -1;
  OK(tropic_strong_components(graph, NULL, &count));
  CHECK(count == 3);
  OK(tropic_strong_components(graph, NULL, NULL));
  FAILS(TROPIC_USAGE, "two of the outputs label, components are one pointer",
        tropic_strong_components(graph, (tropic_vector**)(void*)&count, &count));
  FAILS(TROPIC_USAGE, "graph", tropic_strong_components(NULL, &label, &count));
  CHECK(label == NULL);
  tropic_matrix_free(graph);
}

static void test_clustering(tropic_context* context) {
  static const int64_t all[] = {0, 1, 2, 3, 4};
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_matrix* support = NULL;
  tropic_vector* coefficient = NULL;
  int64_t edges = -1, rows, columns, nnz;
  /* Roads 0-1, 0-2, 1-3 and 2-1: neighbours of 0 are 1 and 2, of 1 also 3. */
  const double shares[] = {1.0 / 2, 1.0 / 6, 1.0 / 2, 0, 0};
  OK(tropic_local_clustering(graph, &coefficient));
  check_fp64("clustering", coefficient, 5, all, shares);
  FAILS(TROPIC_USAGE, "coefficient is NULL", tropic_local_clustering(graph, NULL));
  FAILS(TROPIC_USAGE, "graph", tropic_local_clustering(NULL, &coefficient));
  CHECK(coefficient == NULL);

  OK(tropic_k_truss(graph, 3, &support, &edges));
  CHECK(edges == 3);
  OK(tropic_matrix_shape(support, &rows, &columns, &nnz));
  CHECK(rows == 5 && columns == 5 && nnz == 6);
  tropic_matrix_free(support);
  OK(tropic_k_truss(graph, 4, &support, NULL));
  OK(tropic_matrix_shape(support, &rows, &columns, &nnz));
  CHECK(nnz == 0);
  tropic_matrix_free(support);
  OK(tropic_k_truss(graph, 3, NULL, &edges));
  CHECK(edges == 3);
  OK(tropic_k_truss(graph, 3, NULL, NULL));
  FAILS(TROPIC_USAGE, "k is 2, expected 3 or more", tropic_k_truss(graph, 2, &support, NULL));
  CHECK(support == NULL);
  FAILS(TROPIC_USAGE, "two of the outputs support, edges are one pointer",
        tropic_k_truss(graph, 3, (tropic_matrix**)(void*)&edges, &edges));
  FAILS(TROPIC_USAGE, "graph", tropic_k_truss(NULL, 3, &support, &edges));
  tropic_matrix_free(graph);
}

static void test_greedy(tropic_context* context) {
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_vector *members = NULL, *color = NULL;
  int64_t size = -1, colors = -1, i, again = -1;
  int64_t at[5], found[5];
  /* Roads 0-1, 0-2, 1-3 and 2-1; vertex 4 is alone. */
  OK(tropic_maximal_independent_set(graph, 1, &members, &size));
  OK(tropic_vector_export_pairs(members, TROPIC_BOOL, 5, at, found, &again));
  CHECK(again == size && (size == 2 || size == 3) && at[size - 1] == 4);
  tropic_vector_free(members);
  OK(tropic_maximal_independent_set(graph, 1, NULL, &again));
  CHECK(again == size);
  OK(tropic_maximal_independent_set(graph, 1, &members, NULL));
  tropic_vector_free(members);
  OK(tropic_maximal_independent_set(graph, 1, NULL, NULL));
  FAILS(TROPIC_USAGE, "two of the outputs members, size are one pointer",
        tropic_maximal_independent_set(graph, 1, (tropic_vector**)(void*)&size, &size));
  FAILS(TROPIC_USAGE, "graph", tropic_maximal_independent_set(NULL, 1, &members, &size));
  CHECK(members == NULL);

  OK(tropic_greedy_coloring(graph, 1, &color, &colors));
  CHECK(colors == 3);
  OK(tropic_vector_export_pairs(color, TROPIC_INT64, 5, at, found, &size));
  CHECK(size == 5);
  for (i = 0; i < size; ++i) CHECK(found[i] >= 0 && found[i] < 3);
  CHECK(found[0] != found[1] && found[0] != found[2] && found[1] != found[2]);
  CHECK(found[1] != found[3] && found[4] == 0);
  tropic_vector_free(color);
  OK(tropic_greedy_coloring(graph, 1, &color, NULL));
  tropic_vector_free(color);
  OK(tropic_greedy_coloring(graph, 1, NULL, &colors));
  CHECK(colors == 3);
  OK(tropic_greedy_coloring(graph, 1, NULL, NULL));
  FAILS(TROPIC_USAGE, "two of the outputs color, colors are one pointer",
        tropic_greedy_coloring(graph, 1, (tropic_vector**)(void*)&colors, &colors));
  FAILS(TROPIC_USAGE, "graph", tropic_greedy_coloring(NULL, 1, &color, &colors));
  CHECK(color == NULL);
  tropic_matrix_free(graph);
}

static void test_forest(tropic_context* context) {
  tropic_matrix *graph = roads(context, TROPIC_INT8), *forest = NULL;
  int64_t trees = -1, rows, columns, nnz;
  double weight = 0, nan = NAN;
  tropic_coo coo = TROPIC_COO_INIT;
  static const int32_t from[] = {0}, to[] = {1};
  /* Of the triangle 0, 1, 2 the road 0-1 of weight 4 is left out. */
  OK(tropic_minimum_spanning_forest(graph, &forest, &weight, &trees));
  CHECK(weight == 8 && trees == 2);
  OK(tropic_matrix_shape(forest, &rows, &columns, &nnz));
  CHECK(rows == 5 && columns == 5 && nnz == 3);
  tropic_matrix_free(forest);
  OK(tropic_minimum_spanning_forest(graph, &forest, NULL, NULL));
  tropic_matrix_free(forest);
  OK(tropic_minimum_spanning_forest(graph, NULL, &weight, NULL));
  OK(tropic_minimum_spanning_forest(graph, NULL, NULL, &trees));
  CHECK(weight == 8 && trees == 2);
  FAILS(TROPIC_USAGE, "two of the outputs forest, weight, trees are one pointer",
        tropic_minimum_spanning_forest(graph, NULL, (double*)(void*)&trees, &trees));
  FAILS(TROPIC_USAGE, "graph", tropic_minimum_spanning_forest(NULL, &forest, &weight, &trees));
  CHECK(forest == NULL);
  tropic_matrix_free(graph);
  coo.rows = coo.columns = 2;
  coo.count = 1;
  coo.row_indices = from;
  coo.column_indices = to;
  coo.values = &nan;
  OK(tropic_matrix_from_coo(context, &coo, &graph));
  FAILS(TROPIC_USAGE, "the weight of edge 0 1 is NaN, expected a number",
        tropic_minimum_spanning_forest(graph, &forest, NULL, NULL));
  CHECK(forest == NULL);
  tropic_matrix_free(graph);
}

static void test_betweenness(tropic_context* context) {
  static const int64_t all[] = {0, 1, 2, 3, 4}, sources[] = {0, 2}, twice[] = {2, 2};
  /* Paths 0-1-3, 0-1, 0-2, 1-3, 2-1 and 2-1-3. */
  static const double pairs[] = {0, 2, 0, 0, 0}, parts[] = {0, 2.0 / 12, 0, 0, 0},
                      ends[] = {3.0 / 20, 5.0 / 20, 3.0 / 20, 3.0 / 20, 0},
                      sampled[] = {0, 2.0 / (2 * 3), 0, 0, 0};
  tropic_betweenness_options options = TROPIC_BETWEENNESS_OPTIONS_INIT;
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_vector* centrality = NULL;
  OK(tropic_betweenness(graph, NULL, &centrality));
  check_fp64("betweenness", centrality, 5, all, parts);
  options.normalized = 0;
  OK(tropic_betweenness(graph, &options, &centrality));
  check_fp64("betweenness in pairs", centrality, 5, all, pairs);
  options.normalized = 1;
  options.sources = sources;
  options.source_count = 2;
  OK(tropic_betweenness(graph, &options, &centrality));
  check_fp64("sampled betweenness", centrality, 5, all, sampled);
  options.sources = twice;
  FAILS(TROPIC_USAGE, "source 2 is listed twice", tropic_betweenness(graph, &options, &centrality));
  CHECK(centrality == NULL);
  options.sources = NULL;
  options.endpoints = 1;
  OK(tropic_betweenness(graph, &options, &centrality));
  check_fp64("betweenness with ends", centrality, 5, all, ends);
  options.directed = 2;
  FAILS(TROPIC_USAGE, "options->directed is 2", tropic_betweenness(graph, &options, &centrality));
  FAILS(TROPIC_USAGE, "graph", tropic_betweenness(NULL, NULL, &centrality));
  FAILS(TROPIC_USAGE, "centrality is NULL", tropic_betweenness(graph, NULL, NULL));
  tropic_matrix_free(graph);
}

static void test_labels(tropic_context* context) {
  static const int64_t all[] = {0, 1, 2, 3, 4}, first[] = {1, 0, 0, 1, 4},
                       second[] = {0, 1, 0, 0, 4};
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_vector* label = NULL;
  int64_t count = -1;
  /* Roads 0-1, 0-2, 1-3 and 2-1: 1 sees the labels 0, 2 and 3. */
  OK(tropic_label_propagation(graph, 1, &label, &count));
  CHECK(count == 3);
  check_int64("labels after one iteration", label, 5, all, first);
  OK(tropic_label_propagation(graph, 2, &label, NULL));
  check_int64("labels after two", label, 5, all, second);
  OK(tropic_label_propagation(graph, 0, NULL, &count));
  CHECK(count == 5);
  FAILS(TROPIC_USAGE, "-1 iterations", tropic_label_propagation(graph, -1, &label, &count));
  FAILS(TROPIC_USAGE, "two of the outputs label, labels are one pointer",
        tropic_label_propagation(graph, 1, (tropic_vector**)(void*)&count, &count));
  FAILS(TROPIC_USAGE, "graph", tropic_label_propagation(NULL, 1, &label, &count));
  CHECK(label == NULL);
  tropic_matrix_free(graph);
}

static void test_centralities(tropic_context* context) {
  static const int64_t all[] = {0, 1, 2, 3, 4};
  /* Roads 0-1, 0-2, 1-3 and 2-1: 1 is one edge from 0 and 2; 3 is 1, 2 and 2 edges from 1, 0, 2. */
  static const double near_to[] = {0, 1.0 * 2 / 4, 1.0 / 4, 3.0 / 5 * 3 / 4, 0};
  static const double within[] = {0, 1, 1, 3.0 / 5, 0};
  /* By alpha 0.5: 1, 1 + (1 + 1.5) / 2, 1 + 1 / 2, 1 + 2.25 / 2, 1. */
  const double length = sqrt(19), heavy_length = sqrt(91);
  const double first[] = {1 / length, 3 / length, 2 / length, 2 / length, 1 / length};
  const double heavy[] = {1 / heavy_length, 7 / heavy_length, 2 / heavy_length, 6 / heavy_length,
                          1 / heavy_length};
  static const double walks[] = {1, 2.25, 1.5, 2.125, 1};
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_vector *values = NULL, *others = NULL;
  tropic_power_options options = TROPIC_KATZ_OPTIONS_INIT;
  int64_t iterations = -1;
  OK(tropic_closeness(graph, 1, &values));
  check_fp64("closeness", values, 5, all, near_to);
  OK(tropic_closeness(graph, 0, &values));
  check_fp64("closeness within", values, 5, all, within);
  options.alpha = 0.5;
  options.normalized = 0;
  OK(tropic_katz_centrality(graph, &options, &values, &iterations));
  CHECK(iterations == 5); /* the longest walk has three edges */
  check_fp64("katz", values, 5, all, walks);
  options.max_iterations = 2;
  FAILS(TROPIC_BAD_INPUT, "katz: no convergence in 2 iterations",
        tropic_katz_centrality(graph, &options, &values, &iterations));
  CHECK(values == NULL && iterations == 5);
  options = (tropic_power_options)TROPIC_EIGENVECTOR_OPTIONS_INIT;
  options.tolerance = 1; /* one iteration: 1, 3, 2, 2, 1 by their length */
  OK(tropic_eigenvector_centrality(graph, &options, &values, &iterations));
  CHECK(iterations == 1);
  check_fp64("eigenvector", values, 5, all, first);
  options.weighted = 1; /* 1, 7, 2, 6, 1 */
  OK(tropic_eigenvector_centrality(graph, &options, &values, NULL));
  check_fp64("weighted eigenvector", values, 5, all, heavy);
  OK(tropic_hits(graph, NULL, &values, &others, &iterations));
  CHECK(iterations > 1);
  tropic_vector_free(values);
  tropic_vector_free(others);
  FAILS(TROPIC_USAGE, "two of the outputs hubs, authorities, iterations are one pointer",
        tropic_hits(graph, NULL, &values, &values, NULL));
  FAILS(TROPIC_USAGE, "centrality is NULL", tropic_closeness(graph, 1, NULL));
  FAILS(TROPIC_USAGE, "graph", tropic_eigenvector_centrality(NULL, NULL, &values, NULL));
  tropic_matrix_free(graph);
}

static void test_similarity(tropic_context* context) {
  static const int64_t all[] = {0, 1, 2}, from[] = {0, 0, 3}, to[] = {2, 3, 3};
  static const int64_t five[] = {5};
  static const double jaccard[] = {0.5, 0, 0}, overlap[] = {1, 0, 0};
  /* Roads 0 to 1 and 2, 1 to 3, 2 to 1: vertices 0 and 2 share the neighbour 1. */
  tropic_matrix *graph = roads(context, TROPIC_FP32), *pairs = NULL;
  tropic_vector* value = NULL;
  int64_t count = -1;
  OK(tropic_similarity(graph, TROPIC_JACCARD, from, to, 3, &value));
  check_fp64("jaccard", value, 3, all, jaccard);
  OK(tropic_similarity(graph, TROPIC_OVERLAP, from, to, 3, &value));
  check_fp64("overlap", value, 3, all, overlap);
  OK(tropic_similarity(graph, TROPIC_COSINE, NULL, NULL, 0, &value));
  tropic_vector_free(value);
  value = NULL;
  FAILS(TROPIC_USAGE, "from is NULL", tropic_similarity(graph, 0, NULL, to, 3, &value));
  FAILS(TROPIC_USAGE, "pairs is -1", tropic_similarity(graph, 0, from, to, -1, &value));
  FAILS(TROPIC_USAGE, "measure is 3", tropic_similarity(graph, 3, from, to, 3, &value));
  FAILS(TROPIC_USAGE, "graph", tropic_similarity(NULL, 0, from, to, 3, &value));
  FAILS(TROPIC_USAGE, "vertex 5 of a pair, the graph has 5 vertices",
        tropic_similarity(graph, TROPIC_COSINE, from, five, 1, &value));
  CHECK(value == NULL);
  OK(tropic_similar_pairs(graph, TROPIC_COSINE, 0.5, 0, &pairs));
  OK(tropic_matrix_shape(pairs, NULL, NULL, &count));
  CHECK(count == 2); /* (0, 2) and (2, 0) */
  tropic_matrix_free(pairs);
  OK(tropic_similar_pairs(graph, TROPIC_COSINE, 0.8, 1, &pairs));
  OK(tropic_matrix_shape(pairs, NULL, NULL, &count));
  CHECK(count == 0);
  tropic_matrix_free(pairs);
  FAILS(TROPIC_USAGE, "threshold", tropic_similar_pairs(graph, TROPIC_COSINE, 2, 0, &pairs));
  FAILS(TROPIC_USAGE, "value is NULL", tropic_similar_pairs(graph, TROPIC_COSINE, 0, 0, NULL));
  CHECK(pairs == NULL);
  tropic_matrix_free(graph);
}

static void test_communities(tropic_context* context) {
  static const int64_t all[] = {0, 1, 2, 3, 4}, parts[] = {0, 1, 0, 1, 4};
  /* Roads 0-1, 0-2, 1-3 and 2-1, that is, a triangle with one more road at 1. */
  tropic_matrix* graph = roads(context, TROPIC_FP32);
  tropic_vector *community = NULL, *given = NULL;
  int64_t count = -1;
  double modularity = -1, again = -1;
  tropic_leiden_options options = TROPIC_LEIDEN_OPTIONS_INIT;
  OK(tropic_louvain(graph, 1, 0, &community, &count, &modularity));
  CHECK(count == 3);
  CHECK(fabs(modularity - (4.0 / 8 - 32.0 / 64)) < 1e-12);
  check_int64("communities", community, 5, all, parts);
  OK(tropic_vector_from_dense(context, TROPIC_INT64, 5, parts, &given));
  /* Directed: 2 of 4 edges inside; edges out and in: 3 and 1, 1 and 3. */
  OK(tropic_modularity(graph, given, 1, 0, &again));
  CHECK(fabs(again - (2.0 / 4 - 6.0 / 16)) < 1e-12);
  tropic_vector_free(given);
  OK(tropic_leiden(graph, NULL, &community, &count, &again));
  CHECK(count == 3 && fabs(modularity - again) < 1e-12);
  check_int64("connected communities", community, 5, all, parts);
  community = NULL;
  options.iterations = 0;
  FAILS(TROPIC_USAGE, "leiden: 0 iterations, needed 1 or more",
        tropic_leiden(graph, &options, NULL, NULL, NULL));
  options.iterations = 1;
  options.weighted = 1;
  OK(tropic_leiden(graph, &options, NULL, &count, NULL));
  CHECK(count > 1);
  FAILS(TROPIC_USAGE, "graph", tropic_leiden(NULL, NULL, &community, NULL, NULL));
  OK(tropic_louvain(graph, 1, 1, NULL, &count, NULL));
  CHECK(count > 1);
  FAILS(TROPIC_USAGE, "louvain: resolution -1", tropic_louvain(graph, -1, 0, NULL, NULL, NULL));
  FAILS(TROPIC_USAGE, "graph", tropic_louvain(NULL, 1, 0, &community, NULL, NULL));
  FAILS(TROPIC_USAGE, "community is NULL", tropic_modularity(graph, NULL, 1, 0, &again));
  CHECK(community == NULL);
  tropic_matrix_free(graph);
}

/* `graph`: the edge 0 -> 1. */
static void test_many_ranks(tropic_context* context, const tropic_matrix* graph) {
  /* Row-major: the first column jumps to 0 alone, the second to both. */
  static const double values[] = {3, 1, 0, 1}, infinite[] = {3, INFINITY, 0, 1};
  static const double expected[] = {1 / 1.85, 0.5 / 1.425, 0.85 / 1.85, 1 - 0.5 / 1.425};
  tropic_full_arrays arrays = TROPIC_FULL_ARRAYS_INIT;
  tropic_pagerank_options options = TROPIC_PAGERANK_OPTIONS_INIT;
  tropic_full *preferences = NULL, *rank = NULL, *other = NULL;
  tropic_vector* preference = NULL;
  int64_t iterations[] = {-1, -1}, rows = 0, columns = 0;
  double change[] = {-1, -1}, found[4];
  int n;
  arrays.rows = arrays.columns = 2;
  arrays.type = TROPIC_FP64;
  arrays.values = values;
  OK(tropic_full_from_arrays(context, &arrays, &preferences));
  options.tolerance = 1e-12;
  options.max_iterations = 1000;
  OK(tropic_pagerank_batch(graph, preferences, &options, &rank, iterations, change));
  OK(tropic_full_shape(rank, &rows, &columns, NULL));
  CHECK(rows == 2 && columns == 2);
  OK(tropic_full_export(rank, TROPIC_FP64, NULL, 4, found));
  for (n = 0; n < 4; ++n) CHECK(fabs(found[n] - expected[n]) < 1e-11);
  for (n = 0; n < 2; ++n)
    CHECK(iterations[n] > 10 && iterations[n] < 1000 && change[n] >= 0 && change[n] <= 1e-12);
  tropic_full_free(rank);
  options.iterations = 2;
  options.weighted = 1;
  OK(tropic_pagerank_batch(graph, preferences, &options, &rank, iterations, NULL));
  CHECK(iterations[0] == 2 && iterations[1] == 2);
  tropic_full_free(rank);
  rank = NULL;
  OK(tropic_vector_new(context, TROPIC_FP64, 2, &preference));
  options.preference = preference;
  FAILS(TROPIC_USAGE, "options->preference is not NULL",
        tropic_pagerank_batch(graph, preferences, &options, &rank, NULL, NULL));
  options.preference = NULL;
  tropic_vector_free(preference);
  FAILS(TROPIC_USAGE, "preferences is NULL",
        tropic_pagerank_batch(graph, NULL, &options, &rank, NULL, NULL));
  FAILS(TROPIC_USAGE, "graph is NULL",
        tropic_pagerank_batch(NULL, preferences, NULL, &rank, NULL, NULL));
  FAILS(TROPIC_USAGE, "rank is NULL",
        tropic_pagerank_batch(graph, preferences, NULL, NULL, iterations, NULL));
  FAILS(TROPIC_USAGE, "two of the outputs rank, iterations, change are one pointer",
        tropic_pagerank_batch(graph, preferences, NULL, &rank, iterations, (double*)iterations));
  OK(tropic_full_new(context, TROPIC_FP32, 2, 1, &other));
  FAILS(TROPIC_USAGE, "preferences holds fp32",
        tropic_pagerank_batch(graph, other, NULL, &rank, NULL, NULL));
  tropic_full_free(other);
  arrays.values = infinite;
  OK(tropic_full_from_arrays(context, &arrays, &other));
  FAILS(TROPIC_USAGE, "preferences in column 1",
        tropic_pagerank_batch(graph, other, NULL, &rank, NULL, NULL));
  CHECK(rank == NULL);
  tropic_full_free(other);
  tropic_full_free(preferences);
}

static void test_ranks(tropic_context* context) {
  static const int64_t both[] = {0, 1};
  /* One edge, 0 -> 1, and what 1 has goes to both: r0 = 0.5 / 1.425. */
  static const double expected[] = {0.5 / 1.425, 1 - 0.5 / 1.425}, start[] = {0.5, 0.5};
  /* Jumps to 0 alone: r0 = 0.15 + 0.85 r1, r1 = 0.85 r0. */
  static const double personal[] = {1 / 1.85, 0.85 / 1.85}, to_0[] = {3, 0};
  static const int32_t row = 0, column = 1;
  tropic_coo coo = TROPIC_COO_INIT;
  tropic_matrix* graph = NULL;
  tropic_vector *rank = NULL, *preference = NULL;
  tropic_pagerank_options options = TROPIC_PAGERANK_OPTIONS_INIT;
  int64_t iterations = -1;
  double change = -1;
  coo.rows = coo.columns = 2;
  coo.count = 1;
  coo.row_indices = &row;
  coo.column_indices = &column;
  coo.type = TROPIC_UINT16;
  OK(tropic_matrix_from_coo(context, &coo, &graph));
  options.tolerance = 1e-12;
  options.max_iterations = 1000;
  OK(tropic_pagerank(graph, &options, &rank, &iterations, &change));
  CHECK(iterations > 10 && iterations < 1000 && change <= 1e-12);
  check_fp64("ranks", rank, 2, both, expected);
  options.weighted = 1;
  OK(tropic_pagerank(graph, &options, &rank, NULL, NULL));
  check_fp64("weighted ranks", rank, 2, both, expected);
  OK(tropic_vector_from_dense(context, TROPIC_FP64, 2, to_0, &preference));
  options.preference = preference;
  OK(tropic_pagerank(graph, &options, &rank, NULL, NULL));
  check_fp64("personal ranks", rank, 2, both, personal);
  options.preference = NULL;
  options.iterations = 0;
  OK(tropic_pagerank(graph, &options, &rank, &iterations, NULL));
  CHECK(iterations == 0);
  check_fp64("ranks after no iteration", rank, 2, both, start);
  test_many_ranks(context, graph);
  options.damping = 1.5;
  FAILS(TROPIC_USAGE, "damping 1.5", tropic_pagerank(graph, &options, &rank, NULL, NULL));
  options.damping = NAN;
  FAILS(TROPIC_USAGE, "damping nan", tropic_pagerank(graph, &options, &rank, NULL, NULL));
  tropic_vector_free(preference);
  tropic_matrix_free(graph);
}

void test_algorithms(tropic_context* context) {
  test_searches(context);
  test_many_searches(context);
  test_paths(context);
  test_pairs(context);
  test_distances(context);
  test_outputs(context);
  test_components(context);
  test_triangles(context);
  test_cores(context);
  test_strong_components(context);
  test_clustering(context);
  test_greedy(context);
  test_forest(context);
  test_ranks(context);
  test_betweenness(context);
  test_labels(context);
  test_centralities(context);
  test_similarity(context);
  test_communities(context);
}

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
