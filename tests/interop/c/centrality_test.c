/* SPDX-License-Identifier: Apache-2.0 */

/* PageRank, betweenness and the other centralities. */

#include "check.h"

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

void test_centrality(tropic_context* context) {
  test_ranks(context);
  test_betweenness(context);
  test_centralities(context);
}
