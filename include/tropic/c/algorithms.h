/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TROPIC_C_ALGORITHMS_H
#define TROPIC_C_ALGORITHMS_H

/* Graph algorithms of the C99 interface, a part of tropic.h, whose rules hold here. An entry (i, j)
 * of a matrix is an edge from i to j, its value the weight. */

#include <tropic/c/tropic.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Levels and parents from `source`, int64, without entries for unreachable vertices; the source is
 * its own parent. Either may be NULL. */
TROPIC_C_API tropic_status tropic_bfs(const tropic_matrix* graph, int64_t source,
                                      tropic_vector** level, tropic_vector** parent);

/* Searches from `count` sources, which may repeat, at once: full matrices of int64 with a row for
 * every vertex and a column for every source, each column as the vectors of tropic_bfs. Either may
 * be NULL. */
TROPIC_C_API tropic_status tropic_bfs_batch(const tropic_matrix* graph, const int64_t* sources,
                                            int64_t count, tropic_full** level,
                                            tropic_full** parent);

/* Bounds of the diameter, the number of edges on the longest shortest path within a component,
 * edges taken in both directions, which are equal if `exact` is not 0; and the two ends of a path
 * as long as the lower bound, -1 in a graph without vertices. Each may be NULL. */
TROPIC_C_API tropic_status tropic_diameter(const tropic_matrix* graph, int exact, int64_t* lower,
                                           int64_t* upper, int64_t ends[2]);

typedef struct tropic_sssp_options {
  size_t size;
  double delta;       /* bucket width, finite; 0: chosen from the weights */
  int choose_type;    /* distances have type `type`, which must hold every weight; 0: see below */
  tropic_type type;   /* not bool */
  int64_t* saturated; /* receives the number of distances that are not exact; may be NULL */
  double limit;       /* searches end there: no entries for greater distances; -1: unused */
} tropic_sssp_options;
#define TROPIC_SSSP_OPTIONS_INIT \
  { sizeof(tropic_sssp_options), 0.0, 0, TROPIC_INT64, NULL, -1.0 }
/* Distances and parents from `source`, without entries for unreachable vertices. Distances are
 * int64 for weights of bool and of integers of less than 64 bits, else of the matrix's type. A sum
 * that exceeds the type is clamped below its largest value, which represents "no path": such
 * distances, and those computed from them, are `saturated`. Either output may be NULL, but they
 * must differ; without parents there is less work. A weight equal to the largest value of the
 * distances' type is TROPIC_USAGE, and so is a limit with a negative weight; a cycle of negative
 * weight is TROPIC_BAD_INPUT. */
TROPIC_C_API tropic_status tropic_sssp(const tropic_matrix* graph, int64_t source,
                                       const tropic_sssp_options* options, tropic_vector** distance,
                                       tropic_vector** parent);
/* The distance from from[k] to to[k] for each of `pairs` pairs, which may repeat; no entry where
 * there is no path. A search from every different first vertex ends when it has the distances of
 * its pairs. Distances, options and errors as above; `saturated` counts those of all vertices in
 * all searches. */
TROPIC_C_API tropic_status tropic_sssp_between(const tropic_matrix* graph, const int64_t* from,
                                               const int64_t* to, int64_t pairs,
                                               const tropic_sssp_options* options,
                                               tropic_vector** distance);

typedef struct tropic_pagerank_options {
  size_t size;
  double damping;
  double tolerance;       /* stop if the sum of changes in an iteration is at most this */
  int64_t max_iterations; /* stop after this many iterations */
  int64_t iterations;     /* this many iterations, regardless of tolerance; -1: unused */
  int weighted;           /* edges are followed in proportion to their weights */
  /* fp64: jumps go to v in proportion to preference(v). NULL: to all vertices equally. */
  const tropic_vector* preference;
  int lose_dangling; /* leave the rank of vertices without outgoing edges out */
  int single;        /* compute with ranks, and weights, of fp32 */
} tropic_pagerank_options;
#define TROPIC_PAGERANK_OPTIONS_INIT \
  { sizeof(tropic_pagerank_options), 0.85, 1e-6, 100, -1, 0, NULL, 0, 0 }
/* Ranks, fp64 and full, with sum 1 (less with lose_dangling); the number of iterations and the
 * change in the last one, either of which may be NULL. */
TROPIC_C_API tropic_status tropic_pagerank(const tropic_matrix* graph,
                                           const tropic_pagerank_options* options,
                                           tropic_vector** rank, int64_t* iterations,
                                           double* change);
/* Ranks from many preferences at once: `preferences`, fp64, has a row for every vertex and a column
 * for every run, and so have the ranks, fp64. Each column is as that of tropic_pagerank with this
 * preference, up to rounding; options->preference must be NULL. `iterations` and `change`, either
 * of which may be NULL, have room for a number for every run. */
TROPIC_C_API tropic_status tropic_pagerank_batch(const tropic_matrix* graph,
                                                 const tropic_full* preferences,
                                                 const tropic_pagerank_options* options,
                                                 tropic_full** rank, int64_t* iterations,
                                                 double* change);

/* The weak components: for every vertex the smallest vertex of its component, int64 and full; and
 * the number of components. Either may be NULL. */
TROPIC_C_API tropic_status tropic_connected_components(const tropic_matrix* graph,
                                                       tropic_vector** label, int64_t* components);

/* The number of triangles of the graph, edges taken in both directions and without loops; and the
 * number of those of every vertex, int64, without entries where there are none, which takes longer.
 * Either may be NULL. */
TROPIC_C_API tropic_status tropic_triangle_count(const tropic_matrix* graph, int64_t* count,
                                                 tropic_vector** per_vertex);

/* Core numbers: for every vertex the largest k such that it belongs to a part of the graph in which
 * every vertex has k neighbours or more, edges taken in both directions and without loops, int64
 * and full; and the largest of them. Either may be NULL. */
TROPIC_C_API tropic_status tropic_core_numbers(const tropic_matrix* graph, tropic_vector** core,
                                               int64_t* degeneracy);

/* The strong components: for every vertex the smallest vertex of those that it reaches and that
 * reach it, int64 and full; and the number of components. Either may be NULL. */
TROPIC_C_API tropic_status tropic_strong_components(const tropic_matrix* graph,
                                                    tropic_vector** label, int64_t* components);

/* The local clustering coefficient of every vertex, fp64 and full: the number of edges between its
 * neighbours, which are those of either direction, divided by the number of their ordered pairs
 * (the LCC of LDBC Graphalytics). */
TROPIC_C_API tropic_status tropic_local_clustering(const tropic_matrix* graph,
                                                   tropic_vector** coefficient);

/* The k-truss, k at least 3: the largest part of the graph, edges taken in both directions and
 * without loops, in which every edge belongs to k - 2 triangles or more. A matrix of uint32 with an
 * entry in both directions for every edge, the number of its triangles; and the number of edges.
 * Either may be NULL. */
TROPIC_C_API tropic_status tropic_k_truss(const tropic_matrix* graph, int64_t k,
                                          tropic_matrix** support, int64_t* edges);

/* A maximal independent set, edges taken in both directions and without loops: bool, with an entry,
 * true, for every member; and the number of members. It depends on the graph and the seed only.
 * Either may be NULL. */
TROPIC_C_API tropic_status tropic_maximal_independent_set(const tropic_matrix* graph, uint64_t seed,
                                                          tropic_vector** members, int64_t* size);

/* A greedy colouring, edges taken in both directions and without loops: for every vertex a number
 * from 0 on that none of its neighbours has, int64 and full; and the number of colours. It depends
 * on the graph and the seed only. Either may be NULL. */
TROPIC_C_API tropic_status tropic_greedy_coloring(const tropic_matrix* graph, uint64_t seed,
                                                  tropic_vector** color, int64_t* colors);

/* The minimum spanning forest, edges taken in both directions and without loops; of equal weights
 * the edge with the smaller vertices is preferred. A matrix of the type of the graph with an entry
 * (from, to), from < to, for every edge, its weight; the sum of the weights; and the number of
 * trees, with vertices that have no edge. Each may be NULL. A weight that is NaN is TROPIC_USAGE.
 */
TROPIC_C_API tropic_status tropic_minimum_spanning_forest(const tropic_matrix* graph,
                                                          tropic_matrix** forest, double* weight,
                                                          int64_t* trees);
/* Options of tropic_betweenness. Initialise with TROPIC_BETWEENNESS_OPTIONS_INIT. */
typedef struct tropic_betweenness_options {
  size_t size;
  const int64_t* sources; /* only paths from these vertices, each once; NULL: from all */
  int64_t source_count;   /* not read if `sources` is NULL */
  int normalized;         /* divide by the number of pairs */
  int endpoints;          /* a path also passes through its ends */
  int directed;           /* 1: (s, t) and (t, s) are two pairs, 0: one, -1: two unless the matrix
                             is known to be symmetric; without effect on normalised values */
} tropic_betweenness_options;
#define TROPIC_BETWEENNESS_OPTIONS_INIT \
  { sizeof(tropic_betweenness_options), NULL, 0, 1, 0, -1 }
/* For every vertex the part of all shortest paths, counted in edges, that pass through it: fp64 and
 * full, in the scale of NetworkX. `options` may be NULL. */
TROPIC_C_API tropic_status tropic_betweenness(const tropic_matrix* graph,
                                              const tropic_betweenness_options* options,
                                              tropic_vector** centrality);

/* Communities by LDBC's CDLP: `iterations` times all vertices take the most frequent label of their
 * neighbours, of several the smallest, in directed graphs those by either direction. For every
 * vertex its label, the number of a vertex, int64 and full; and the number of different labels.
 * Either may be NULL. */
TROPIC_C_API tropic_status tropic_label_propagation(const tropic_matrix* graph, int64_t iterations,
                                                    tropic_vector** label, int64_t* labels);

/* For every vertex r - 1 divided by the sum of the distances to it from the r - 1 vertices that
 * reach it, with `wf_improved` times (r - 1) / (n - 1); fp64 and full. */
TROPIC_C_API tropic_status tropic_closeness(const tropic_matrix* graph, int wf_improved,
                                            tropic_vector** centrality);

/* Options of the next three functions. Each has its own _INIT. */
typedef struct tropic_power_options {
  size_t size;
  double tolerance;       /* stop if values change by less: on average, of hubs in sum */
  int64_t max_iterations; /* TROPIC_BAD_INPUT if that takes more iterations */
  int weighted;           /* edges are multiplied by their weights, which must not be negative */
  int normalized;         /* katz: scale to length 1; hits: to a sum of 1; not read otherwise */
  double alpha, beta;     /* of katz: the factor of an edge, and the value without edges */
} tropic_power_options;
#define TROPIC_EIGENVECTOR_OPTIONS_INIT \
  { sizeof(tropic_power_options), 1e-6, 100, 0, 1, 0.0, 0.0 }
#define TROPIC_KATZ_OPTIONS_INIT \
  { sizeof(tropic_power_options), 1e-6, 1000, 0, 1, 0.1, 1.0 }
#define TROPIC_HITS_OPTIONS_INIT \
  { sizeof(tropic_power_options), 1e-8, 100, 0, 1, 0.0, 0.0 }
/* The eigenvector of the largest eigenvalue, of length 1; fp64 and full. `options` and `iterations`
 * may be NULL. */
TROPIC_C_API tropic_status tropic_eigenvector_centrality(const tropic_matrix* graph,
                                                         const tropic_power_options* options,
                                                         tropic_vector** centrality,
                                                         int64_t* iterations);
/* beta plus alpha times the values of the vertices with an edge to it. Otherwise the same. */
TROPIC_C_API tropic_status tropic_katz_centrality(const tropic_matrix* graph,
                                                  const tropic_power_options* options,
                                                  tropic_vector** centrality, int64_t* iterations);
/* Hubs have edges to authorities, authorities from hubs. Otherwise the same. Each output may be
 * NULL. */
TROPIC_C_API tropic_status tropic_hits(const tropic_matrix* graph,
                                       const tropic_power_options* options, tropic_vector** hubs,
                                       tropic_vector** authorities, int64_t* iterations);

/* Communities of large modularity by the method of Louvain, edges taken in both directions: for
 * every vertex the smallest vertex of its community, int64 and full; their number; and their
 * modularity, which for a directed graph A is that of the undirected one A + A'. Each may be NULL.
 * With `weighted` edges count by their weights, which must not be negative. */
TROPIC_C_API tropic_status tropic_louvain(const tropic_matrix* graph, double resolution,
                                          int weighted, tropic_vector** community,
                                          int64_t* communities, double* modularity);
/* Of a partition, with the directions of edges. `community`: int64, full, numbers of vertices. */
TROPIC_C_API tropic_status tropic_modularity(const tropic_matrix* graph,
                                             const tropic_vector* community, double resolution,
                                             int weighted, double* result);

/* Options of tropic_leiden. Initialise with TROPIC_LEIDEN_OPTIONS_INIT. */
typedef struct tropic_leiden_options {
  size_t size;
  double resolution;  /* above 1 for more communities, below 1 for fewer */
  int weighted;       /* edges count by their weights, which must not be negative */
  int64_t iterations; /* repeat until no vertex moves, so many times at most */
} tropic_leiden_options;
#define TROPIC_LEIDEN_OPTIONS_INIT \
  { sizeof(tropic_leiden_options), 1.0, 0, 10 }
/* Connected communities of large modularity by the method of Leiden, with the results of
 * tropic_louvain. `options` and each output may be NULL. */
TROPIC_C_API tropic_status tropic_leiden(const tropic_matrix* graph,
                                         const tropic_leiden_options* options,
                                         tropic_vector** community, int64_t* communities,
                                         double* modularity);

/* What the similarity of two vertices is: the number of the neighbours that both have, divided by
 * the number of those that either has; by the smaller of their numbers of neighbours; or by the
 * square root of the product of these. */
typedef enum tropic_similarity_measure TROPIC_C_INT {
  TROPIC_JACCARD = 0,
  TROPIC_OVERLAP = 1,
  TROPIC_COSINE = 2
} tropic_similarity_measure;
/* The similarities of from[k] and to[k] for k from 0 to pairs - 1: fp64, full, of size `pairs`.
 * Neighbours of a vertex are those that it has an edge to, without itself. The arrays may be NULL
 * if there are no pairs. */
TROPIC_C_API tropic_status tropic_similarity(const tropic_matrix* graph,
                                             tropic_similarity_measure measure, const int64_t* from,
                                             const int64_t* to, int64_t pairs,
                                             tropic_vector** value);
/* The similarities of all pairs of different vertices with a neighbour that both have: a matrix of
 * fp64 with the entries that are `threshold`, from 0 to 1, or more; and of every row only the `top`
 * largest of them, of equal ones those in the smallest columns, unless `top` is 0. */
TROPIC_C_API tropic_status tropic_similar_pairs(const tropic_matrix* graph,
                                                tropic_similarity_measure measure, double threshold,
                                                int64_t top, tropic_matrix** value);

#ifdef __cplusplus
}
#endif

#endif
