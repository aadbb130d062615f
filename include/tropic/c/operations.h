/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TROPIC_C_OPERATIONS_H
#define TROPIC_C_OPERATIONS_H

/* Semirings, products, parts of matrices and plans of the C99 interface, a part of tropic.h, whose
 * rules hold here. */

#include <tropic/c/tropic.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- semirings: independent of contexts; `context` only receives messages --- */

/* Built-in, over operands of `type`: "plus_times", "min_plus", ... (docs/operators.md). */
TROPIC_C_API tropic_status tropic_semiring_named(tropic_context* context, const char* name,
                                                 tropic_type type, tropic_semiring** result);
/* In the operator language: add(x, y), its identity, and multiply(x, y), all of one type, such as
 * "t_max(x, y)", "0", "t_min(x, y)". Compiled on devices, interpreted by
 * blocks of entries on the CPU. */
TROPIC_C_API tropic_status tropic_semiring_from_text(tropic_context* context, const char* add,
                                                     const char* identity, const char* multiply,
                                                     tropic_type type, tropic_semiring** result);
TROPIC_C_API void tropic_semiring_free(tropic_semiring* semiring);
/* The types of multiply's operands and of sums; any may be NULL. */
TROPIC_C_API tropic_status tropic_semiring_types(const tropic_semiring* semiring,
                                                 tropic_type* first, tropic_type* second,
                                                 tropic_type* sum);

/* --- products --- */

typedef struct tropic_product_options {
  size_t size;
  /* Only positions with a non-zero entry of the mask are written, or with any entry if `structure`
   * is set, or the others if `complement` is set. NULL: all positions. */
  const tropic_vector* mask;
  int structure, complement;
  /* Combines the previous entry x = w(i) with the result y: "plus", "minus", "times", "divide",
   * "minimum", "maximum", "first", "second", "any", "logical_or", "logical_and", "logical_xor", or
   * text such as "x + 2 * y". NULL: results replace the entries selected by the mask. */
  const char* accumulate;
  int replace;            /* entries of w that the mask excludes are deleted */
  int transpose;          /* use A' instead of A */
  const char* kernel;     /* one of tropic_context_kernels(); NULL: chosen automatically */
  int64_t expected_calls; /* expected products with this matrix, among which the cost of what must
                             be built first is divided */
} tropic_product_options;
#define TROPIC_PRODUCT_OPTIONS_INIT \
  { sizeof(tropic_product_options), NULL, 0, 0, NULL, 0, 0, NULL, 1 }

/* w<mask> accumulate= A u: w(i) = sum over k of multiply(A(i,k), u(k)). w may be u or the mask. */
TROPIC_C_API tropic_status tropic_mxv(tropic_vector* w, const tropic_semiring* semiring,
                                      const tropic_matrix* a, const tropic_vector* u,
                                      const tropic_product_options* options);
/* w'<mask> accumulate= u' A: w(j) = sum over k of multiply(u(k), A(k,j)). */
TROPIC_C_API tropic_status tropic_vxm(tropic_vector* w, const tropic_semiring* semiring,
                                      const tropic_vector* u, const tropic_matrix* a,
                                      const tropic_product_options* options);
/* Options of tropic_mxm. Initialise with TROPIC_MXM_OPTIONS_INIT. */
typedef struct tropic_mxm_options {
  size_t size;
  /* As in tropic_product_options, of matrices. */
  const tropic_matrix* mask;
  int structure, complement;
  const char* accumulate;
  int replace;     /* entries of C that the mask excludes are deleted */
  int transpose_a; /* use A' instead of A */
  int transpose_b; /* use B' instead of B */
  /* tropic_mxm only: the name of a kernel of docs/products.md; NULL: chosen automatically. */
  const char* kernel;
} tropic_mxm_options;
#define TROPIC_MXM_OPTIONS_INIT \
  { sizeof(tropic_mxm_options), NULL, 0, 0, NULL, 0, 0, 0, NULL }

/* C<mask> accumulate= A B: C(i,j) = sum over k of multiply(A(i,k), B(k,j)), in ascending order of
 * k. C may be A, B or the mask. TROPIC_OUT_OF_MEMORY leaves C as it was. `options` may be NULL. */
TROPIC_C_API tropic_status tropic_mxm(tropic_matrix* c, const tropic_semiring* semiring,
                                      const tropic_matrix* a, const tropic_matrix* b,
                                      const tropic_mxm_options* options);
/* Options of tropic_mxm_full and tropic_full_mxm. Initialise with TROPIC_FULL_OPTIONS_INIT. */
typedef struct tropic_full_options {
  size_t size;
  /* The mask, at most one of the two; structure and complement as in tropic_product_options. */
  const tropic_full* mask;
  const tropic_matrix* sparse_mask;
  int structure, complement;
  const char* accumulate;
  int replace;   /* entries of C that the mask excludes are deleted */
  int transpose; /* use the transpose of the sparse matrix */
} tropic_full_options;
#define TROPIC_FULL_OPTIONS_INIT \
  { sizeof(tropic_full_options), NULL, NULL, 0, 0, NULL, 0, 0 }

/* C<mask> accumulate= A B with a sparse A: column j of C is the product of A with column j of B. C
 * may be B or the mask. `options` may be NULL. */
TROPIC_C_API tropic_status tropic_mxm_full(tropic_full* c, const tropic_semiring* semiring,
                                           const tropic_matrix* a, const tropic_full* b,
                                           const tropic_full_options* options);
/* C<mask> accumulate= A B with a sparse B. C may be A or the mask. */
TROPIC_C_API tropic_status tropic_full_mxm(tropic_full* c, const tropic_semiring* semiring,
                                           const tropic_full* a, const tropic_matrix* b,
                                           const tropic_full_options* options);
/* The sum of the entries of A B by the semiring's add, without building the product: to `result`, a
 * value of the semiring's result type, and whether there was an entry to `found`; the identity if
 * there was none. Of the options, mask, structure, complement and the transposes are used. */
TROPIC_C_API tropic_status tropic_reduce_mxm(void* result, int* found,
                                             const tropic_semiring* semiring,
                                             const tropic_matrix* a, const tropic_matrix* b,
                                             const tropic_mxm_options* options);

/* --- parts and structure (docs/operations.md) ---
 *
 * Lists of positions may be in any order and repeat positions; a NULL list means all of them,
 * and its count is not read. Of tropic_product_options, `kernel` must be NULL, and `transpose` is
 * used where there is a matrix; of tropic_mxm_options, `transpose_b` where there is a second
 * operand, and `kernel` must be NULL. */

/* C<mask> accumulate= A(rows, columns). */
TROPIC_C_API tropic_status tropic_matrix_extract(tropic_matrix* c, const tropic_matrix* a,
                                                 int64_t row_count, const int64_t* rows,
                                                 int64_t column_count, const int64_t* columns,
                                                 const tropic_mxm_options* options);
/* w<mask> accumulate= A(rows, column); with `transpose` a part of a row of A. */
TROPIC_C_API tropic_status tropic_matrix_extract_column(tropic_vector* w, const tropic_matrix* a,
                                                        int64_t row_count, const int64_t* rows,
                                                        int64_t column,
                                                        const tropic_product_options* options);
/* w<mask> accumulate= u(list). */
TROPIC_C_API tropic_status tropic_vector_extract(tropic_vector* w, const tropic_vector* u,
                                                 int64_t count, const int64_t* list,
                                                 const tropic_product_options* options);
/* w<mask> accumulate= the k-th diagonal of A: the positions (i, i + k). */
TROPIC_C_API tropic_status tropic_matrix_extract_diagonal(tropic_vector* w, const tropic_matrix* a,
                                                          int64_t k,
                                                          const tropic_product_options* options);
/* The square matrix with the entries of v on its k-th diagonal. */
TROPIC_C_API tropic_status tropic_matrix_from_diagonal(const tropic_vector* v, int64_t k,
                                                       tropic_matrix** result);
/* C<mask> accumulate= the entries of A whose position (i, j) fits: "tril" (j - i <= thunk), "triu"
 * (j - i >= thunk), "on_diagonal" (j - i == thunk), "off_the_diagonal", "rows_up_to" (i <= thunk),
 * "rows_after" (i > thunk), "columns_up_to", "columns_after". No transpose. */
TROPIC_C_API tropic_status tropic_matrix_select(tropic_matrix* c, const char* predicate,
                                                int64_t thunk, const tropic_matrix* a,
                                                const tropic_mxm_options* options);
/* C<mask> accumulate= the Kronecker product of A and B. `op` is named or given as text like
 * `accumulate`; all values have one type. */
TROPIC_C_API tropic_status tropic_kronecker(tropic_matrix* c, const char* op,
                                            const tropic_matrix* a, const tropic_matrix* b,
                                            const tropic_mxm_options* options);
/* C<mask> accumulate= op(A, B) where either has an entry, the value at `missing_a` where A has none
 * and that at `missing_b` where B has none. All values have one type. No transposes. */
TROPIC_C_API tropic_status tropic_matrix_ewise_union(tropic_matrix* c, const char* op,
                                                     const tropic_matrix* a, const void* missing_a,
                                                     const tropic_matrix* b, const void* missing_b,
                                                     const tropic_mxm_options* options);
TROPIC_C_API tropic_status tropic_vector_ewise_union(tropic_vector* w, const char* op,
                                                     const tropic_vector* u, const void* missing_u,
                                                     const tropic_vector* v, const void* missing_v,
                                                     const tropic_product_options* options);
/* One matrix of rows * columns tiles, given row by row. */
TROPIC_C_API tropic_status tropic_matrix_concatenate(int64_t rows, int64_t columns,
                                                     const tropic_matrix* const* tiles,
                                                     tropic_matrix** result);
/* The rows * columns tiles of `a`, of these heights and widths, row by row to `tiles`; all NULL on
 * failure. */
TROPIC_C_API tropic_status tropic_matrix_split(const tropic_matrix* a, int64_t rows,
                                               const int64_t* heights, int64_t columns,
                                               const int64_t* widths, tropic_matrix** tiles);
/* One vector of the entries of `count` parts, one part after the other. */
TROPIC_C_API tropic_status tropic_vector_concatenate(int64_t count,
                                                     const tropic_vector* const* parts,
                                                     tropic_vector** result);

/* --- plans --- */

/* Plans `expected_calls` products A u, inspecting A if that pays (docs/plan.md). Later products
 * without `kernel` use the plan. JSON: {"device", "semiring", "type", "calls", "choice": {"kernel",
 * "hot_columns", "reason"}}, and if A was inspected "features", "constants" and "candidates", with
 * the predicted seconds of each kernel. */
TROPIC_C_API tropic_status tropic_explain(const tropic_semiring* semiring, const tropic_matrix* a,
                                          const tropic_vector* u, int64_t expected_calls,
                                          char** json);

#ifdef __cplusplus
}
#endif

#endif
