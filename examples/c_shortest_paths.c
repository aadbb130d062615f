/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest paths from C99: a road map from plain arrays, distances and parents, and a product over
 * a user-defined semiring. The lines between the markers are shown in docs/c.md; scripts/check-docs
 * compares them. */

/* [c] */
#include <stdio.h>
#include <stdlib.h>

#include <tropic/c/tropic.h>

static void check(tropic_status status) {
  if (status == TROPIC_OK) return;
  fprintf(stderr, "%s: %s\n", tropic_status_name(status), tropic_last_error(NULL));
  exit(1);
}

int main(void) {
  /* Edges 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 1; vertex 4 is not reachable. */
  const int32_t offsets[] = {0, 2, 3, 4, 4, 4};
  const int32_t columns[] = {1, 2, 3, 1};
  const double lengths[] = {4, 1, 5, 2};
  tropic_context* context = NULL;
  check(tropic_context_new("auto", NULL, &context));

  tropic_csr csr = TROPIC_CSR_INIT;
  csr.rows = csr.columns = 5;
  csr.offset_type = csr.column_type = TROPIC_INT32;
  csr.offsets = offsets;
  csr.column_indices = columns;
  csr.type = TROPIC_FP64;
  csr.values = lengths;
  tropic_matrix* roads = NULL;
  check(tropic_matrix_from_csr(context, &csr, &roads));

  tropic_vector *distance = NULL, *parent = NULL;
  check(tropic_sssp(roads, 0, NULL, &distance, &parent));
  double from_0[5];
  int64_t before[5];
  const double unreached = -1;
  const int64_t no_parent = -1;
  check(tropic_vector_export_dense(distance, TROPIC_FP64, &unreached, 5, from_0));
  check(tropic_vector_export_dense(parent, TROPIC_INT64, &no_parent, 5, before));
  for (int v = 0; v < 5; ++v) printf("%d: %g over %d\n", v, from_0[v], (int)before[v]);

  /* The widest road into each vertex; roads narrower than 2 do not count. */
  const double everywhere[] = {100, 100, 100, 100, 100};
  tropic_semiring* widest = NULL;
  tropic_vector *start = NULL, *width = NULL;
  check(tropic_semiring_from_text(context, "t_max(x, y)", "0", "y < 2 ? 0 : t_min(x, y)",
                                  TROPIC_FP64, &widest));
  check(tropic_vector_from_dense(context, TROPIC_FP64, 5, everywhere, &start));
  check(tropic_vector_new(context, TROPIC_FP64, 5, &width));
  check(tropic_vxm(width, widest, start, roads, NULL));
  double value = 0;
  int present = 0;
  check(tropic_vector_get(width, 1, TROPIC_FP64, &value, &present));
  printf("the widest road into 1: %g\n", present ? value : 0);

  tropic_vector_free(width);
  tropic_vector_free(start);
  tropic_semiring_free(widest);
  tropic_vector_free(parent);
  tropic_vector_free(distance);
  tropic_matrix_free(roads);
  tropic_context_free(context);
  return 0;
}
/* [c] */
