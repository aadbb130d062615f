/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TROPIC_C_TROPIC_H
#define TROPIC_C_TROPIC_H

/* Tropic from C99, and from whatever calls C: semiring products on sparse matrices, breadth-first
 * search, shortest paths and PageRank on the CPU, CUDA and OpenCL (docs/c.md).
 *
 * Calls: whatever can fail returns a tropic_status. After a failure tropic_last_error() says what
 * was found and what was needed; results through pointers are NULL, or not written, and containers
 * hold what they held. Nothing is ever thrown at the caller. Two outputs of a call are two
 * pointers: one pointer for both is TROPIC_USAGE.
 *
 * Handles: who receives one frees it with the function of its kind, in any order; a matrix or
 * vector keeps what it needs of its context. Freeing NULL does nothing. NULL where a handle is
 * needed is TROPIC_USAGE.
 *
 * Arrays: the caller's. They are copied (but see TROPIC_BORROW) and not kept. Values are arrays of
 * the element type that is named beside them, which is that of the container: nothing is typecast.
 *
 * Strings: those returned as `char**` are the caller's, freed by tropic_string_free(); those as
 * `const char*` are not. Text is UTF-8.
 *
 * Options: NULL, or a struct that was initialised with its _INIT. Its `size` says which fields the
 * caller knows: that of this header or of an earlier one; any other is TROPIC_USAGE. Later versions
 * add their fields behind the others.
 *
 * Threads: any may call. Calls that only read an object (const) may run at once; whoever writes to
 * one, or frees it, is alone with it.
 *
 * Numbers: rows, columns and vertices count from 0; a dimension is at most 2^32. */

#include <stddef.h>
#include <stdint.h>

#define TROPIC_VERSION_MAJOR 0
#define TROPIC_VERSION_MINOR 1
#define TROPIC_VERSION_PATCH 0

#if defined(__GNUC__) || defined(__clang__)
#define TROPIC_C_API __attribute__((visibility("default")))
#else
#define TROPIC_C_API
#endif

#ifdef __cplusplus
#define TROPIC_C_INT : int
extern "C" {
#else
#define TROPIC_C_INT
#endif

/* --- failures --- */

typedef enum tropic_status TROPIC_C_INT {
  TROPIC_OK = 0,
  TROPIC_USAGE = 1,         /* arguments: NULL, out of range, shapes or types that do not fit */
  TROPIC_BAD_INPUT = 2,     /* a file that cannot be read, a graph with a negative cycle */
  TROPIC_OUT_OF_MEMORY = 3, /* of the machine, the device, or past the context's limit */
  TROPIC_DEVICE = 4,        /* a device, driver or run-time compiler is absent or failed */
  TROPIC_CANCELLED = 5,     /* tropic_context_cancel() */
  TROPIC_INTERNAL = 6       /* a fault of Tropic's */
} tropic_status;

typedef struct tropic_context tropic_context;
typedef struct tropic_matrix tropic_matrix;
typedef struct tropic_vector tropic_vector;
typedef struct tropic_semiring tropic_semiring;

/* "ok", "usage", "bad_input", "out_of_memory", "device", "cancelled", "internal"; "unknown". */
TROPIC_C_API const char* tropic_status_name(tropic_status status);
/* The message of the last failure: of a call that had to do with `context`, in whichever thread,
 * or, where it is NULL, of any call of this thread, also one that had no context. "" where there
 * was none; never NULL. The text is the calling thread's, until this thread fails or asks again. */
TROPIC_C_API const char* tropic_last_error(const tropic_context* context);

/* The library's, "0.1.0"; TROPIC_VERSION_... are those of this header. */
TROPIC_C_API const char* tropic_version(void);
TROPIC_C_API void tropic_string_free(char* text);

/* --- element types --- */

typedef enum tropic_type TROPIC_C_INT {
  TROPIC_BOOL = 0, /* one byte, 0 or 1; any other is read as 1 */
  TROPIC_INT8 = 1,
  TROPIC_INT16 = 2,
  TROPIC_INT32 = 3,
  TROPIC_INT64 = 4,
  TROPIC_UINT8 = 5,
  TROPIC_UINT16 = 6,
  TROPIC_UINT32 = 7,
  TROPIC_UINT64 = 8,
  TROPIC_FP32 = 9,
  TROPIC_FP64 = 10
} tropic_type;

/* "bool", "int8", ..., "fp64"; NULL where it is no type. */
TROPIC_C_API const char* tropic_type_name(tropic_type type);
/* Bytes of one element; 0 where it is no type. */
TROPIC_C_API size_t tropic_type_size(tropic_type type);

/* --- contexts: a device, its memory, threads and cancel token --- */

typedef struct tropic_context_options {
  size_t size;
  /* Of the CPU; 0: all that the machine, or OMP_NUM_THREADS, gives. At most 256 or four times those
   * of the machine, whichever is more, and as many as the process can start. */
  int threads;
  size_t memory_limit; /* bytes of all containers, on host and device together, and of reading a
                          file (tropic_matrix_read); 0: none */
  /* Notices: a fallback taken, a cache that cannot be written. NULL: dropped. */
  void (*log)(void* data, const char* message);
  /* Between steps of long work: its name, and the share done, or -1. May cancel; throws nothing. */
  void (*progress)(void* data, const char* step, double fraction);
  void* data;  /* for both, which are called as long as a container of the context is there */
  void* queue; /* a CUstream or cl_command_queue of the named GPU to work on; NULL: our own */
} tropic_context_options;
#define TROPIC_CONTEXT_OPTIONS_INIT \
  { sizeof(tropic_context_options), 0, 0, NULL, NULL, NULL, NULL }

/* `device`: "auto" (the first GPU that can be used, else the CPU), "reference", "cpu", "cuda[:N]"
 * or "opencl[:N]". */
TROPIC_C_API tropic_status tropic_context_new(const char* device,
                                              const tropic_context_options* options,
                                              tropic_context** made);
TROPIC_C_API void tropic_context_free(tropic_context* context);
/* "cpu", "cuda:0", ...; the text lives as long as the context. */
TROPIC_C_API tropic_status tropic_context_name(const tropic_context* context, const char** name);
TROPIC_C_API tropic_status tropic_context_threads(const tropic_context* context, int* threads);
/* Bytes; either may be NULL. */
TROPIC_C_API tropic_status tropic_context_memory(const tropic_context* context, size_t* used,
                                                 size_t* limit);
/* Waits for the device; a failure of work that was still under way is this call's. */
TROPIC_C_API tropic_status tropic_context_synchronize(const tropic_context* context);
/* Long work of the context, what runs and what begins, ends soon with TROPIC_CANCELLED, until
 * tropic_context_resume(). From any thread, or a signal handler; NULL is ignored. */
TROPIC_C_API void tropic_context_cancel(tropic_context* context);
TROPIC_C_API void tropic_context_resume(tropic_context* context);

/* JSON: a list of {"name", "description", "available", "reason"}. */
TROPIC_C_API tropic_status tropic_devices(char** json);
/* JSON: a list of the names that tropic_product_options.kernel takes. */
TROPIC_C_API tropic_status tropic_context_kernels(const tropic_context* context, char** json);

/* --- matrices: compressed sparse rows --- */

/* What becomes of several entries for one position. */
typedef enum tropic_duplicates TROPIC_C_INT {
  TROPIC_DUPLICATES_ERROR = 0,
  TROPIC_DUPLICATES_SUM = 1,
  TROPIC_DUPLICATES_MIN = 2,
  TROPIC_DUPLICATES_MAX = 3,
  TROPIC_DUPLICATES_FIRST = 4,
  TROPIC_DUPLICATES_LAST = 5
} tropic_duplicates;

/* Offsets and columns are not checked: they must be right. */
#define TROPIC_TRUSTED 1u
/* The arrays are not copied: they must stay, unchanged, until `release` is called. Columns have 32
 * bits. Where the call fails nothing is released. */
#define TROPIC_BORROW 2u
/* The matrix equals its transpose, values too, which is not checked: products never build one. */
#define TROPIC_SYMMETRIC 4u

typedef struct tropic_csr {
  size_t size;
  int64_t rows, columns;
  tropic_type offset_type;    /* int32, uint32, int64 or uint64 */
  const void* offsets;        /* rows + 1 of them, from 0 to the number of entries */
  tropic_type column_type;    /* int32, uint32, int64 or uint64 */
  const void* column_indices; /* one an entry, strictly ascending in each row */
  tropic_type type;           /* of the entries */
  const void* values;         /* one an entry, or just one with `iso`; NULL: every entry is 1 */
  int iso;                    /* one value for all entries */
  unsigned flags;             /* TROPIC_TRUSTED, TROPIC_BORROW, TROPIC_SYMMETRIC */
  /* Gives back what was borrowed, when nobody needs it any more, in whichever thread that shows.
   * NULL: the caller knows when. */
  void (*release)(void* data);
  void* data; /* for release */
} tropic_csr;
#define TROPIC_CSR_INIT                                                                         \
  {                                                                                             \
    sizeof(tropic_csr), 0, 0, TROPIC_INT32, NULL, TROPIC_INT32, NULL, TROPIC_FP64, NULL, 0, 0u, \
        NULL, NULL                                                                              \
  }

typedef struct tropic_coo {
  size_t size;
  int64_t rows, columns;
  int64_t count;              /* entries, in any order */
  tropic_type index_type;     /* int32, uint32, int64 or uint64 */
  const void* row_indices;    /* count */
  const void* column_indices; /* count */
  tropic_type type;           /* of the entries */
  const void* values;         /* count, or just one with `iso`; NULL: every entry is 1 */
  int iso;                    /* one value for all entries */
  tropic_duplicates duplicates;
  unsigned flags; /* TROPIC_SYMMETRIC */
} tropic_coo;
#define TROPIC_COO_INIT                                                          \
  {                                                                              \
    sizeof(tropic_coo), 0, 0, 0, TROPIC_INT32, NULL, NULL, TROPIC_FP64, NULL, 0, \
        TROPIC_DUPLICATES_ERROR, 0u                                              \
  }

typedef struct tropic_read_options {
  size_t size;
  int convert;      /* values to `type`; one that does not fit is TROPIC_BAD_INPUT */
  tropic_type type; /* without `convert`: as the file has it, a pattern becomes bool */
  int undirected;   /* every edge in both directions */
  tropic_duplicates duplicates;
  size_t memory_limit; /* bytes that reading and building may hold at a time; 0: what the context's
                          memory_limit leaves */
  size_t unpack_ratio; /* a packed file of more than 64 MiB that unpacks to more than so many times
                          its size is TROPIC_BAD_INPUT; 0: none is */
} tropic_read_options;
#define TROPIC_READ_OPTIONS_INIT \
  { sizeof(tropic_read_options), 0, TROPIC_FP64, 0, TROPIC_DUPLICATES_SUM, 0, 800 }

TROPIC_C_API tropic_status tropic_matrix_from_csr(tropic_context* context, const tropic_csr* csr,
                                                  tropic_matrix** made);
TROPIC_C_API tropic_status tropic_matrix_from_coo(tropic_context* context, const tropic_coo* coo,
                                                  tropic_matrix** made);
/* Matrix Market, DIMACS .gr, edge lists, SNAP, .csv, .tsv, METIS, LDBC, .tropic, each also .gz,
 * .xz, .zst, with vertices that are numbers (docs/files.md); or "kron:SCALE", "urand:SCALE",
 * "grid:SIDE", which generate a pattern, or with `convert` to a type that holds them weights from 1
 * to 255. */
TROPIC_C_API tropic_status tropic_matrix_read(tropic_context* context, const char* file,
                                              const tropic_read_options* options,
                                              tropic_matrix** made);
TROPIC_C_API void tropic_matrix_free(tropic_matrix* matrix);
/* Any of the three may be NULL. */
TROPIC_C_API tropic_status tropic_matrix_shape(const tropic_matrix* matrix, int64_t* rows,
                                               int64_t* columns, int64_t* nnz);
TROPIC_C_API tropic_status tropic_matrix_type(const tropic_matrix* matrix, tropic_type* type);
/* `present` becomes 1 and `value` the entry at (i, j), or `present` 0 where there is none. */
TROPIC_C_API tropic_status tropic_matrix_get(const tropic_matrix* matrix, int64_t i, int64_t j,
                                             tropic_type type, void* value, int* present);
/* Makes `value` the entry at (i, j), where one is or none. Changes are noted, and merged when the
 * matrix is next read by anything but tropic_matrix_get: n of them and a product cost
 * O(n log n + rows + entries). Borrowed arrays are not written; the matrix is no longer taken to be
 * symmetric. */
TROPIC_C_API tropic_status tropic_matrix_set(tropic_matrix* matrix, int64_t i, int64_t j,
                                             tropic_type type, const void* value);
/* Removes the entry at (i, j), if there is one. */
TROPIC_C_API tropic_status tropic_matrix_remove(tropic_matrix* matrix, int64_t i, int64_t j);
/* rows + 1 offsets, nnz columns and nnz values into the caller's arrays; any may be NULL. */
TROPIC_C_API tropic_status tropic_matrix_export_csr(const tropic_matrix* matrix,
                                                    tropic_type offset_type, void* offsets,
                                                    tropic_type column_type, void* column_indices,
                                                    tropic_type type, void* values);

/* --- vectors: positions, some of which hold an entry --- */

/* No entries. */
TROPIC_C_API tropic_status tropic_vector_new(tropic_context* context, tropic_type type,
                                             int64_t size, tropic_vector** made);
/* An entry at every position: `size` values. */
TROPIC_C_API tropic_status tropic_vector_from_dense(tropic_context* context, tropic_type type,
                                                    int64_t size, const void* values,
                                                    tropic_vector** made);
/* `count` pairs of a position and a value, in any order. */
TROPIC_C_API tropic_status tropic_vector_from_pairs(tropic_context* context, tropic_type type,
                                                    int64_t size, int64_t count,
                                                    const int64_t* indices, const void* values,
                                                    tropic_duplicates duplicates,
                                                    tropic_vector** made);
/* With the same entries, which are copied when either is written to. */
TROPIC_C_API tropic_status tropic_vector_copy(const tropic_vector* vector, tropic_vector** made);
TROPIC_C_API void tropic_vector_free(tropic_vector* vector);
TROPIC_C_API tropic_status tropic_vector_size(const tropic_vector* vector, int64_t* size);
/* How many entries; waits for the device. */
TROPIC_C_API tropic_status tropic_vector_nvals(const tropic_vector* vector, int64_t* nvals);
TROPIC_C_API tropic_status tropic_vector_type(const tropic_vector* vector, tropic_type* type);
TROPIC_C_API tropic_status tropic_vector_set(tropic_vector* vector, int64_t index, tropic_type type,
                                             const void* value);
/* Removes the entry, if there is one. */
TROPIC_C_API tropic_status tropic_vector_remove(tropic_vector* vector, int64_t index);
/* `present` becomes 1 and `value` the entry, or `present` 0 where there is none. */
TROPIC_C_API tropic_status tropic_vector_get(const tropic_vector* vector, int64_t index,
                                             tropic_type type, void* value, int* present);
/* One value a position into room for `capacity`: `missing` where there is no entry; NULL: a vector
 * that is not full is TROPIC_USAGE. */
TROPIC_C_API tropic_status tropic_vector_export_dense(const tropic_vector* vector, tropic_type type,
                                                      const void* missing, int64_t capacity,
                                                      void* values);
/* All entries, ascending, into room for `capacity`; `indices` or `values` may be NULL. `count`
 * becomes their number, also where the room does not do, which is TROPIC_USAGE. */
TROPIC_C_API tropic_status tropic_vector_export_pairs(const tropic_vector* vector, tropic_type type,
                                                      int64_t capacity, int64_t* indices,
                                                      void* values, int64_t* count);

/* --- semirings: values of no context; it is where messages go --- */

/* Built-in, over operands of `type`: "plus_times", "min_plus", ... (docs/operators.md). */
TROPIC_C_API tropic_status tropic_semiring_named(tropic_context* context, const char* name,
                                                 tropic_type type, tropic_semiring** made);
/* In the operator language: add(x, y), the sum of nothing, and multiply(x, y), all of one type, as
 * "t_max(x, y)", "0", "t_min(x, y)". Compiled on devices, interpreted on the CPU. */
TROPIC_C_API tropic_status tropic_semiring_from_text(tropic_context* context, const char* add,
                                                     const char* identity, const char* multiply,
                                                     tropic_type type, tropic_semiring** made);
TROPIC_C_API void tropic_semiring_free(tropic_semiring* semiring);
/* Of multiply's operands and of sums; any may be NULL. */
TROPIC_C_API tropic_status tropic_semiring_types(const tropic_semiring* semiring,
                                                 tropic_type* first, tropic_type* second,
                                                 tropic_type* sum);

/* --- products --- */

typedef struct tropic_product_options {
  size_t size;
  /* Where it lets through: entries that are not zero; with `structure` all entries. NULL: all. */
  const tropic_vector* mask;
  int structure, complement;
  /* Merges results x = w(i), y = sum into what w holds: "plus", "minus", "times", "divide",
   * "minimum", "maximum", "first", "second", "any", "logical_or", "logical_and", "logical_xor", or
   * text as "x + 2 * y". NULL: w is overwritten where the mask lets through. */
  const char* accumulate;
  int replace;            /* entries of w that the mask leaves out are deleted */
  int transpose;          /* A' in the place of A */
  const char* kernel;     /* one of tropic_context_kernels(); NULL: chosen */
  int64_t expected_calls; /* by this matrix, that what must be built first is weighed against */
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
/* Plans that many products A u, inspecting A where that pays (docs/plan.md), which products without
 * a kernel of their own run by from then on. JSON: {"device", "semiring", "type", "calls",
 * "choice": {"kernel", "hot_columns", "reason"}}, and where A was inspected "features", "constants"
 * and "candidates", seconds predicted for each kernel. */
TROPIC_C_API tropic_status tropic_explain(const tropic_semiring* semiring, const tropic_matrix* a,
                                          const tropic_vector* u, int64_t expected_calls,
                                          char** json);

/* --- algorithms: an entry (i, j) is an edge from i to j, its value the weight --- */

/* Levels and parents from `source`, int64, without an entry where it does not lead; the source is
 * its own parent. Either may be NULL. */
TROPIC_C_API tropic_status tropic_bfs(const tropic_matrix* graph, int64_t source,
                                      tropic_vector** level, tropic_vector** parent);

typedef struct tropic_sssp_options {
  size_t size;
  double delta;       /* width of a bucket, finite; 0: chosen from the weights */
  int choose_type;    /* distances are of `type`, which must hold every weight; 0: as below */
  tropic_type type;   /* not bool */
  int64_t* saturated; /* becomes the number of distances that are not exact; may be NULL */
} tropic_sssp_options;
#define TROPIC_SSSP_OPTIONS_INIT \
  { sizeof(tropic_sssp_options), 0.0, 0, TROPIC_INT64, NULL }
/* Distances and parents from `source`, without an entry where it does not lead. Distances are int64
 * for weights of bool and of integers of less than 64 bits, else of the matrix's type. A sum past
 * the end of their type is clamped short of its largest value, which stands for "no path": such
 * distances, and what is reached over them, are `saturated`. Either output may be NULL, they are
 * not the same; without parents the work is less. A weight that is the largest value of the
 * distances' type is TROPIC_USAGE, a cycle of negative weight TROPIC_BAD_INPUT. */
TROPIC_C_API tropic_status tropic_sssp(const tropic_matrix* graph, int64_t source,
                                       const tropic_sssp_options* options, tropic_vector** distance,
                                       tropic_vector** parent);

typedef struct tropic_pagerank_options {
  size_t size;
  double damping;
  double tolerance;       /* sum of changes in an iteration at which to stop */
  int64_t max_iterations; /* ... or after so many */
  int64_t iterations;     /* exactly so many, whatever the tolerance; -1: not */
  int weighted;           /* edges are followed in proportion to their weights */
  /* fp64: jumps go to v in proportion to preference(v). NULL: to all alike. */
  const tropic_vector* preference;
} tropic_pagerank_options;
#define TROPIC_PAGERANK_OPTIONS_INIT \
  { sizeof(tropic_pagerank_options), 0.85, 1e-6, 100, -1, 0, NULL }
/* Ranks, fp64 and full, whose sum is 1. The number of iterations and the change in the last; either
 * may be NULL. */
TROPIC_C_API tropic_status tropic_pagerank(const tropic_matrix* graph,
                                           const tropic_pagerank_options* options,
                                           tropic_vector** rank, int64_t* iterations,
                                           double* change);

#ifdef __cplusplus
}
#endif

#endif
