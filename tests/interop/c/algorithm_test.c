/* SPDX-License-Identifier: Apache-2.0 */

/* The other algorithms: components, triangles, sets, forests, communities, similarity. */

#include "check.h"

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

void test_algorithms(tropic_context* context) {
  test_components(context);
  test_triangles(context);
  test_cores(context);
  test_strong_components(context);
  test_clustering(context);
  test_greedy(context);
  test_forest(context);
  test_labels(context);
  test_similarity(context);
  test_communities(context);
}
