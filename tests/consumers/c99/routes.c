/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests/consumers/routes.cpp does, from C99: a product over a semiring of its own, shortest
 * paths, and an error with its message. */

#include <stdio.h>
#include <tropic/c/tropic.h>

static int failed(const tropic_context* here) {
  fprintf(stderr, "routes: %s\n", tropic_last_error(here));
  return 1;
}

int main(void) {
  const int32_t from[] = {0, 0, 1, 2}, to[] = {1, 2, 3, 3};
  const float width[] = {4, 9, 7, 2}, start = 100;
  float widest_at_3 = 0, shortest_to_3 = 0;
  int hops, is_there = 0;
  tropic_context* here = NULL;
  tropic_matrix* roads = NULL;
  tropic_semiring* widest_route = NULL;
  tropic_vector *widest = NULL, *shortest = NULL;
  tropic_coo coo = TROPIC_COO_INIT;
  tropic_product_options options = TROPIC_PRODUCT_OPTIONS_INIT;

  if (tropic_context_new("auto", NULL, &here)) return failed(NULL);
  coo.rows = coo.columns = 4;
  coo.count = 4;
  coo.row_indices = from;
  coo.column_indices = to;
  coo.type = TROPIC_FP32;
  coo.values = width;
  if (tropic_matrix_from_coo(here, &coo, &roads) ||
      tropic_semiring_from_text(here, "t_max(x, y)", "-inf", "t_min(x, y)", TROPIC_FP32,
                                &widest_route) ||
      tropic_vector_new(here, TROPIC_FP32, 4, &widest) ||
      tropic_vector_set(widest, 0, TROPIC_FP32, &start))
    return failed(here);
  options.accumulate = "maximum";
  for (hops = 1; hops < 4; ++hops)
    if (tropic_vxm(widest, widest_route, widest, roads, &options)) return failed(here);
  if (tropic_sssp(roads, 0, NULL, &shortest, NULL) ||
      tropic_vector_get(widest, 3, TROPIC_FP32, &widest_at_3, &is_there) ||
      tropic_vector_get(shortest, 3, TROPIC_FP32, &shortest_to_3, &is_there))
    return failed(here);
  printf("widest %g, shortest %g\n", widest_at_3, shortest_to_3);

  /* Thrown inside, and no further. */
  if (tropic_vector_set(widest, 4, TROPIC_FP32, &start) != TROPIC_USAGE) return 1;
  printf("%s\n", tropic_last_error(here));

  tropic_vector_free(shortest);
  tropic_vector_free(widest);
  tropic_semiring_free(widest_route);
  tropic_matrix_free(roads);
  tropic_context_free(here);
  return widest_at_3 == 4 && shortest_to_3 == 11 ? 0 : 1;
}
