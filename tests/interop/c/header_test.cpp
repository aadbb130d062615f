// SPDX-License-Identifier: Apache-2.0

// tropic.h in C++11: every struct accepts its _INIT.

#include <tropic/c/tropic.h>

extern const tropic_context_options context_options = TROPIC_CONTEXT_OPTIONS_INIT;
extern const tropic_csr csr = TROPIC_CSR_INIT;
extern const tropic_coo coo = TROPIC_COO_INIT;
extern const tropic_read_options read_options = TROPIC_READ_OPTIONS_INIT;
extern const tropic_product_options product_options = TROPIC_PRODUCT_OPTIONS_INIT;
extern const tropic_sssp_options sssp_options = TROPIC_SSSP_OPTIONS_INIT;
extern const tropic_pagerank_options pagerank_options = TROPIC_PAGERANK_OPTIONS_INIT;

static_assert(sizeof(tropic_type) == 4 && sizeof(tropic_status) == 4, "enums are ints");
