/* SPDX-License-Identifier: Apache-2.0 */

/* Products, by semirings that are named or given as text, and their plans. */

#include "check.h"

static tropic_vector* one_to_five(tropic_context* context) {
  static const double values[] = {1, 2, 3, 4, 5};
  tropic_vector* result = NULL;
  OK(tropic_vector_from_dense(context, TROPIC_FP64, 5, values, &result));
  return result;
}
static tropic_vector* empty(tropic_context* context) {
  tropic_vector* result = NULL;
  OK(tropic_vector_new(context, TROPIC_FP64, 5, &result));
  return result;
}
static tropic_semiring* named(tropic_context* context, const char* name) {
  tropic_semiring* result = NULL;
  OK(tropic_semiring_named(context, name, TROPIC_FP64, &result));
  return result;
}

void test_products(tropic_context* context) {
  static const int64_t first[] = {0, 1, 2}, behind[] = {1, 2, 3};
  static const double sums[] = {11, 20, 4}, nearest[] = {4, 9, 4}, turned[] = {10, 1, 10};
  static const int64_t over[] = {1, 3, 1};
  tropic_matrix* a = roads(context, TROPIC_FP64);
  tropic_vector *u = one_to_five(context), *w = empty(context);
  tropic_semiring *plus_times = named(context, "plus_times"),
                  *min_plus = named(context, "min_plus");
  tropic_semiring* positional = NULL;
  tropic_type type = TROPIC_BOOL;
  tropic_product_options options = TROPIC_PRODUCT_OPTIONS_INIT;
  OK(tropic_mxv(w, plus_times, a, u, NULL));
  check_fp64("A u, plus_times", w, 3, first, sums);
  w = empty(context);
  OK(tropic_mxv(w, min_plus, a, u, NULL));
  check_fp64("A u, min_plus", w, 3, first, nearest);
  w = empty(context);
  OK(tropic_vxm(w, plus_times, u, a, NULL));
  check_fp64("u' A", w, 3, behind, turned);
  w = empty(context);
  options.transpose = 1;
  OK(tropic_mxv(w, plus_times, a, u, &options));
  check_fp64("A' u", w, 3, behind, turned);
  w = empty(context);
  OK(tropic_vxm(w, plus_times, u, a, &options));
  check_fp64("u' A'", w, 3, first, sums);

  /* Which entry of u was met first: an index, whatever the values are. */
  OK(tropic_semiring_named(context, "min_secondi", TROPIC_FP64, &positional));
  OK(tropic_semiring_types(positional, NULL, NULL, &type));
  CHECK(type == TROPIC_INT64);
  OK(tropic_vector_new(context, TROPIC_INT64, 5, &w));
  OK(tropic_mxv(w, positional, a, u, NULL));
  check_int64("A u, min_secondi", w, 3, first, over);

  tropic_semiring_free(positional);
  tropic_semiring_free(min_plus);
  tropic_semiring_free(plus_times);
  tropic_semiring_free(NULL);
  tropic_vector_free(u);
  tropic_matrix_free(a);
}

/* w = {0: 100, 4: 100} before; the mask has 0 (true), 1 (false), 4 (true). */
static void product_into(tropic_context* context, const tropic_product_options* options,
                         const char* what, int64_t count, const int64_t* indices,
                         const double* values) {
  static const int64_t at[] = {0, 4};
  static const double hundred[] = {100, 100};
  tropic_matrix* a = roads(context, TROPIC_FP64);
  tropic_vector *u = one_to_five(context), *w = NULL;
  tropic_semiring* semiring = named(context, "plus_times");
  OK(tropic_vector_from_pairs(context, TROPIC_FP64, 5, 2, at, hundred, TROPIC_DUPLICATES_ERROR,
                              &w));
  OK(tropic_mxv(w, semiring, a, u, options));
  check_fp64(what, w, count, indices, values);
  tropic_semiring_free(semiring);
  tropic_vector_free(u);
  tropic_matrix_free(a);
}

void test_options(tropic_context* context) {
  static const int64_t at[] = {0, 1, 4};
  static const uint8_t truths[] = {1, 0, 1};
  static const int64_t just_0[] = {0}, i01[] = {0, 1}, i0124[] = {0, 1, 2, 4},
                       i0_1_2_4[] = {0, 1, 2, 4};
  static const int64_t i12[] = {1, 2};
  static const double v11[] = {11}, v11_20[] = {11, 20}, masked_out[] = {100, 20, 4, 100};
  static const double v20_4[] = {20, 4}, added[] = {111, 20, 4, 100}, twice[] = {122, 20, 4, 100};
  tropic_vector* mask = NULL;
  tropic_product_options o = TROPIC_PRODUCT_OPTIONS_INIT;
  tropic_product_options options = TROPIC_PRODUCT_OPTIONS_INIT;
  OK(tropic_vector_from_pairs(context, TROPIC_BOOL, 5, 3, at, truths, TROPIC_DUPLICATES_ERROR,
                              &mask));
  o.mask = mask;
  product_into(context, &o, "a mask by value", 1, just_0, v11);
  o.structure = 1;
  product_into(context, &o, "by structure", 2, i01, v11_20);
  o.structure = 0;
  o.complement = 1;
  product_into(context, &o, "its complement", 4, i0124, masked_out);
  o.replace = 1;
  product_into(context, &o, "and replace", 2, i12, v20_4);
  options.accumulate = "plus";
  product_into(context, &options, "added to", 4, i0_1_2_4, added);
  options.accumulate = "x + 2 * y";
  product_into(context, &options, "added twice", 4, i0_1_2_4, twice);
  tropic_vector_free(mask);
}

void test_texts(tropic_context* context) {
  static const int64_t first[] = {0, 1, 2};
  static const double widest[] = {2, 4, 2};
  tropic_matrix* a = roads(context, TROPIC_FP64);
  tropic_vector *u = one_to_five(context), *w = empty(context);
  tropic_semiring* semiring = NULL;
  OK(tropic_semiring_from_text(context, "t_max(x, y)", "-inf", "t_min(x, y)", TROPIC_FP64,
                               &semiring));
  OK(tropic_mxv(w, semiring, a, u, NULL));
  check_fp64("the widest way", w, 3, first, widest);
  tropic_semiring_free(semiring);
  FAILS(TROPIC_USAGE, "multiply: ",
        tropic_semiring_from_text(context, "x + y", "0", "x ** y", TROPIC_FP64, &semiring));
  CHECK(semiring == NULL);
  FAILS(TROPIC_USAGE, "identity: ",
        tropic_semiring_from_text(context, "x + y", "x", "x * y", TROPIC_FP64, &semiring));
  FAILS(TROPIC_USAGE,
        "add: ", tropic_semiring_from_text(context, "x + k", "0", "x * y", TROPIC_FP64, &semiring));
  tropic_vector_free(u);
  tropic_matrix_free(a);
}

void test_plans(tropic_context* context) {
  static const int64_t first[] = {0, 1, 2};
  static const double sums[] = {11, 20, 4};
  tropic_matrix* a = roads(context, TROPIC_FP64);
  tropic_vector *u = one_to_five(context), *w = NULL;
  tropic_semiring* semiring = named(context, "plus_times");
  tropic_product_options options = TROPIC_PRODUCT_OPTIONS_INIT;
  char *json = NULL, *kernels = NULL, *at;
  OK(tropic_explain(semiring, a, u, 1, &json));
  CHECK(strstr(json, "\"semiring\": \"plus_times\"") != NULL);
  CHECK(strstr(json, "\"type\": \"fp64\"") != NULL);
  CHECK(strstr(json, "\"reason\": ") != NULL);
  tropic_string_free(json);
  tropic_string_free(NULL);
  /* By every kernel of the device. */
  OK(tropic_context_kernels(context, &kernels));
  options.expected_calls = 10;
  for (at = strchr(kernels, '"'); at != NULL; at = strchr(at, '"')) {
    char* end = strchr(++at, '"');
    *end = '\0';
    options.kernel = at;
    w = empty(context);
    OK(tropic_mxv(w, semiring, a, u, &options));
    check_fp64(at, w, 3, first, sums);
    at = end + 1;
  }
  CHECK(options.kernel != NULL);
  tropic_string_free(kernels);
  options.kernel = "fastest";
  w = empty(context);
  FAILS(TROPIC_USAGE, "no kernel 'fastest'", tropic_mxv(w, semiring, a, u, &options));
  tropic_vector_free(w);
  tropic_semiring_free(semiring);
  tropic_vector_free(u);
  tropic_matrix_free(a);
}
