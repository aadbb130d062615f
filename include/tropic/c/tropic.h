/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TROPIC_C_TROPIC_H
#define TROPIC_C_TROPIC_H

/* The C99 interface of Tropic, also for other languages that call C: semiring products on sparse
 * matrices on the CPU, CUDA and OpenCL, and graph algorithms (docs/c.md). This header declares
 * contexts and containers, and includes operations.h and algorithms.h.
 *
 * Calls: functions that can fail return a tropic_status. After a failure tropic_last_error() states
 * what was found and what was expected; output pointers are set to NULL or not written, and
 * containers keep their contents. No C++ exception reaches the caller. Two outputs of a call need
 * two different pointers: the same pointer for both is TROPIC_USAGE.
 *
 * Handles: the caller frees the handles that it receives with the function for their type, in any
 * order; a matrix or vector keeps what it needs of its context alive. Freeing NULL has no effect.
 * NULL for a required handle is TROPIC_USAGE.
 *
 * Arrays: owned by the caller, copied during the call (but see TROPIC_BORROW). Values are arrays of
 * the element type passed with them, which must be that of the container: nothing is typecast.
 *
 * Strings: those returned as `char**` are owned by the caller and freed by tropic_string_free();
 * those returned as `const char*` are not. Text is UTF-8.
 *
 * Options: NULL, or a struct that was initialised with its _INIT. Its `size` identifies the version
 * of the struct, that of this header or of an earlier one; any other is TROPIC_USAGE. Later
 * versions append fields.
 *
 * Threads: any thread may call. Calls that only read an object (const) may run concurrently;
 * writing to an object or freeing it needs exclusive access.
 *
 * Numbers: rows, columns and vertices are numbered from 0; the maximum dimension is 2^32. */

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
  TROPIC_USAGE = 1,         /* arguments: NULL, out of range, dimensions or types do not match */
  TROPIC_BAD_INPUT = 2,     /* a file that cannot be read, a graph with a negative cycle,
                               an iteration that does not converge */
  TROPIC_OUT_OF_MEMORY = 3, /* of the machine, the device, or above the context's limit */
  TROPIC_DEVICE = 4,        /* a device, driver or run-time compiler is missing or has failed */
  TROPIC_CANCELLED = 5,     /* tropic_context_cancel() */
  TROPIC_INTERNAL = 6       /* a bug in Tropic */
} tropic_status;

typedef struct tropic_context tropic_context;
typedef struct tropic_matrix tropic_matrix;
typedef struct tropic_vector tropic_vector;
typedef struct tropic_full tropic_full;
typedef struct tropic_semiring tropic_semiring;

/* "ok", "usage", "bad_input", "out_of_memory", "device", "cancelled", "internal"; "unknown". */
TROPIC_C_API const char* tropic_status_name(tropic_status status);
/* The message of the last failure: of a call that involved `context`, in any thread, or, if it is
 * NULL, of any call of this thread, including those without a context. "" if there was none; never
 * NULL. The text is valid in the calling thread until its next failure or call of this function. */
TROPIC_C_API const char* tropic_last_error(const tropic_context* context);

/* The version of the library, "0.1.0"; TROPIC_VERSION_... are the version of this header. */
TROPIC_C_API const char* tropic_version(void);
TROPIC_C_API void tropic_string_free(char* text);

/* --- element types --- */

typedef enum tropic_type TROPIC_C_INT {
  TROPIC_BOOL = 0, /* one byte, 0 or 1; other values are read as 1 */
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

/* "bool", "int8", ..., "fp64"; NULL for other values. */
TROPIC_C_API const char* tropic_type_name(tropic_type type);
/* Bytes of one element; 0 for other values. */
TROPIC_C_API size_t tropic_type_size(tropic_type type);

/* --- contexts: a device, its memory, threads and cancel token --- */

typedef struct tropic_context_options {
  size_t size;
  /* CPU threads; 0: OMP_NUM_THREADS, else all hardware threads. The maximum is 256 or four times
   * the number of hardware threads, whichever is larger, and what the process can start. */
  int threads;
  size_t memory_limit; /* bytes of all containers, on host and device together, including reading
                          a file (tropic_matrix_read); 0: no limit */
  /* Receives notices: a fallback, a cache that cannot be written. NULL: discarded. */
  void (*log)(void* data, const char* message);
  /* Called between steps of long-running work with its name and the fraction done, or -1. May call
   * tropic_context_cancel(); must not throw. */
  void (*progress)(void* data, const char* step, double fraction);
  void* data; /* passed to both, which may be called as long as a container of the context exists */
  void* queue; /* a CUstream or cl_command_queue of the named GPU to be used; NULL: a new one */
  /* Compiles the CPU's kernels of semirings given as text: "auto", or a C compiler; NULL: none. */
  const char* text_compiler;
} tropic_context_options;
#define TROPIC_CONTEXT_OPTIONS_INIT \
  { sizeof(tropic_context_options), 0, 0, NULL, NULL, NULL, NULL, NULL }

/* `device`: "auto" (the first usable GPU, else the CPU), "reference", "cpu", "cuda[:N]" or
 * "opencl[:N]". */
TROPIC_C_API tropic_status tropic_context_new(const char* device,
                                              const tropic_context_options* options,
                                              tropic_context** result);
TROPIC_C_API void tropic_context_free(tropic_context* context);
/* "cpu", "cuda:0", ...; the text is valid as long as the context. */
TROPIC_C_API tropic_status tropic_context_name(const tropic_context* context, const char** name);
TROPIC_C_API tropic_status tropic_context_threads(const tropic_context* context, int* threads);
/* Bytes; either may be NULL. */
TROPIC_C_API tropic_status tropic_context_memory(const tropic_context* context, size_t* used,
                                                 size_t* limit);
/* Waits for the device; returns failures of earlier work that had not been reported. */
TROPIC_C_API tropic_status tropic_context_synchronize(const tropic_context* context);
/* Long-running work of the context, running or started later, ends soon with TROPIC_CANCELLED,
 * until tropic_context_resume(). May be called from any thread or a signal handler; NULL is
 * ignored. */
TROPIC_C_API void tropic_context_cancel(tropic_context* context);
TROPIC_C_API void tropic_context_resume(tropic_context* context);

/* JSON: a list of {"name", "description", "available", "reason"}. */
TROPIC_C_API tropic_status tropic_devices(char** json);
/* JSON: a list of the values of tropic_product_options.kernel. */
TROPIC_C_API tropic_status tropic_context_kernels(const tropic_context* context, char** json);

/* --- matrices: compressed sparse rows --- */

/* How several entries at one position are combined. */
typedef enum tropic_duplicates TROPIC_C_INT {
  TROPIC_DUPLICATES_ERROR = 0,
  TROPIC_DUPLICATES_SUM = 1,
  TROPIC_DUPLICATES_MIN = 2,
  TROPIC_DUPLICATES_MAX = 3,
  TROPIC_DUPLICATES_FIRST = 4,
  TROPIC_DUPLICATES_LAST = 5
} tropic_duplicates;

/* Offsets and columns are not checked: the caller guarantees that they are valid. */
#define TROPIC_TRUSTED 1u
/* The arrays are not copied: they must remain unchanged until `release` is called. Columns have 32
 * bits. If the call fails, nothing is released. */
#define TROPIC_BORROW 2u
/* The matrix equals its transpose, including values, which is not checked: products never build
 * the transpose. */
#define TROPIC_SYMMETRIC 4u

typedef struct tropic_csr {
  size_t size;
  int64_t rows, columns;
  tropic_type offset_type;    /* int32, uint32, int64 or uint64 */
  const void* offsets;        /* rows + 1 of them, from 0 to the number of entries */
  tropic_type column_type;    /* int32, uint32, int64 or uint64 */
  const void* column_indices; /* one per entry, strictly ascending in each row */
  tropic_type type;           /* of the entries */
  const void* values;         /* one per entry, or a single one if `iso`; NULL: all entries are 1 */
  int iso;                    /* one value for all entries */
  unsigned flags;             /* TROPIC_TRUSTED, TROPIC_BORROW, TROPIC_SYMMETRIC */
  /* Called after the last use of the borrowed arrays, in any thread. NULL: the arrays outlive the
   * matrix and its copies. */
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
  const void* values;         /* count, or a single one if `iso`; NULL: all entries are 1 */
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
  int convert;      /* convert values to `type`; one that does not fit is TROPIC_BAD_INPUT */
  tropic_type type; /* without `convert`: the type in the file, bool for a pattern */
  int undirected;   /* list every edge in both directions */
  tropic_duplicates duplicates;
  size_t memory_limit; /* maximum bytes held while reading and building; 0: what the context's
                          memory_limit leaves */
  size_t unpack_ratio; /* a compressed file that unpacks to more than 64 MiB and to more than this
                          multiple of its size is TROPIC_BAD_INPUT; 0: no limit */
} tropic_read_options;
#define TROPIC_READ_OPTIONS_INIT \
  { sizeof(tropic_read_options), 0, TROPIC_FP64, 0, TROPIC_DUPLICATES_SUM, 0, 800 }

TROPIC_C_API tropic_status tropic_matrix_from_csr(tropic_context* context, const tropic_csr* csr,
                                                  tropic_matrix** result);
TROPIC_C_API tropic_status tropic_matrix_from_coo(tropic_context* context, const tropic_coo* coo,
                                                  tropic_matrix** result);
/* Matrix Market, DIMACS .gr, edge lists, SNAP, .csv, .tsv, METIS, LDBC, .tropic, each also .gz,
 * .xz, .zst, with numbers as vertices (docs/files.md); or "kron:SCALE", "urand:SCALE", "grid:SIDE",
 * which generate a pattern, or weights from 1 to 255 if `convert` is set and `type` can hold them.
 */
TROPIC_C_API tropic_status tropic_matrix_read(tropic_context* context, const char* file,
                                              const tropic_read_options* options,
                                              tropic_matrix** result);
TROPIC_C_API void tropic_matrix_free(tropic_matrix* matrix);
/* Any of the three may be NULL. */
TROPIC_C_API tropic_status tropic_matrix_shape(const tropic_matrix* matrix, int64_t* rows,
                                               int64_t* columns, int64_t* nnz);
TROPIC_C_API tropic_status tropic_matrix_type(const tropic_matrix* matrix, tropic_type* type);
/* Sets `present` to 1 and `value` to the entry at (i, j), or `present` to 0 if there is none. */
TROPIC_C_API tropic_status tropic_matrix_get(const tropic_matrix* matrix, int64_t i, int64_t j,
                                             tropic_type type, void* value, int* present);
/* Sets the entry at (i, j), or inserts it. Changes are recorded, and merged when the matrix is next
 * read by anything but tropic_matrix_get: n changes and a product cost O(n log n + rows + entries).
 * Borrowed arrays are not written; the matrix is no longer known to be symmetric. */
TROPIC_C_API tropic_status tropic_matrix_set(tropic_matrix* matrix, int64_t i, int64_t j,
                                             tropic_type type, const void* value);
/* Removes the entry at (i, j), if there is one. */
TROPIC_C_API tropic_status tropic_matrix_remove(tropic_matrix* matrix, int64_t i, int64_t j);
/* Removes all entries. */
TROPIC_C_API tropic_status tropic_matrix_clear(tropic_matrix* matrix);
/* Another shape; entries past the end are removed. */
TROPIC_C_API tropic_status tropic_matrix_resize(tropic_matrix* matrix, int64_t rows,
                                                int64_t columns);
/* rows + 1 offsets, nnz columns and nnz values into the caller's arrays; any may be NULL. */
TROPIC_C_API tropic_status tropic_matrix_export_csr(const tropic_matrix* matrix,
                                                    tropic_type offset_type, void* offsets,
                                                    tropic_type column_type, void* column_indices,
                                                    tropic_type type, void* values);

/* --- vectors: positions, some of which hold an entry --- */

/* No entries. */
TROPIC_C_API tropic_status tropic_vector_new(tropic_context* context, tropic_type type,
                                             int64_t size, tropic_vector** result);
/* An entry at every position: `size` values. */
TROPIC_C_API tropic_status tropic_vector_from_dense(tropic_context* context, tropic_type type,
                                                    int64_t size, const void* values,
                                                    tropic_vector** result);
/* `count` pairs of a position and a value, in any order. */
TROPIC_C_API tropic_status tropic_vector_from_pairs(tropic_context* context, tropic_type type,
                                                    int64_t size, int64_t count,
                                                    const int64_t* indices, const void* values,
                                                    tropic_duplicates duplicates,
                                                    tropic_vector** result);
/* A copy; the entries are shared until either vector is written. */
TROPIC_C_API tropic_status tropic_vector_copy(const tropic_vector* vector, tropic_vector** result);
TROPIC_C_API void tropic_vector_free(tropic_vector* vector);
TROPIC_C_API tropic_status tropic_vector_size(const tropic_vector* vector, int64_t* size);
/* The number of entries; waits for the device. */
TROPIC_C_API tropic_status tropic_vector_nvals(const tropic_vector* vector, int64_t* nvals);
TROPIC_C_API tropic_status tropic_vector_type(const tropic_vector* vector, tropic_type* type);
TROPIC_C_API tropic_status tropic_vector_set(tropic_vector* vector, int64_t index, tropic_type type,
                                             const void* value);
/* Removes the entry, if there is one. */
TROPIC_C_API tropic_status tropic_vector_remove(tropic_vector* vector, int64_t index);
/* Removes all entries. */
TROPIC_C_API tropic_status tropic_vector_clear(tropic_vector* vector);
/* Another size; entries past the end are removed. */
TROPIC_C_API tropic_status tropic_vector_resize(tropic_vector* vector, int64_t size);
/* Sets `present` to 1 and `value` to the entry, or `present` to 0 if there is none. */
TROPIC_C_API tropic_status tropic_vector_get(const tropic_vector* vector, int64_t index,
                                             tropic_type type, void* value, int* present);
/* Writes one value per position to an array of `capacity` elements, `missing` where there is no
 * entry; if `missing` is NULL, a vector that is not full is TROPIC_USAGE. */
TROPIC_C_API tropic_status tropic_vector_export_dense(const tropic_vector* vector, tropic_type type,
                                                      const void* missing, int64_t capacity,
                                                      void* values);
/* Writes all entries by ascending index to arrays of `capacity` elements; `indices` or `values` may
 * be NULL. Sets `count` to their number, also if `capacity` is too small, which is TROPIC_USAGE. */
TROPIC_C_API tropic_status tropic_vector_export_pairs(const tropic_vector* vector, tropic_type type,
                                                      int64_t capacity, int64_t* indices,
                                                      void* values, int64_t* count);

/* --- full matrices: stored by position, row-major; batches of vectors, features of vertices --- */

typedef struct tropic_full_arrays {
  size_t size;
  int64_t rows, columns; /* at most 2^32 positions */
  tropic_type type;
  const void* values; /* row-major */
  int64_t leading;    /* elements from the beginning of a row to that of the next one, at least
                         `columns`; 0: `columns` */
  const unsigned char* present; /* rows x columns bytes, 1 for an entry and 0 for none, then
                                   `leading` is 0 or `columns`; NULL: every position has an entry */
  unsigned flags;               /* TROPIC_BORROW */
  /* As in tropic_csr, for both arrays. */
  void (*release)(void* data);
  void* data;
} tropic_full_arrays;
#define TROPIC_FULL_ARRAYS_INIT \
  { sizeof(tropic_full_arrays), 0, 0, TROPIC_FP64, NULL, 0, NULL, 0u, NULL, NULL }

/* No entries. */
TROPIC_C_API tropic_status tropic_full_new(tropic_context* context, tropic_type type, int64_t rows,
                                           int64_t columns, tropic_full** result);
TROPIC_C_API tropic_status tropic_full_from_arrays(tropic_context* context,
                                                   const tropic_full_arrays* arrays,
                                                   tropic_full** result);
/* The same entries, and back. */
TROPIC_C_API tropic_status tropic_full_from_matrix(const tropic_matrix* matrix,
                                                   tropic_full** result);
TROPIC_C_API tropic_status tropic_full_to_matrix(const tropic_full* full, tropic_matrix** result);
/* Shares storage until one of the two is written. */
TROPIC_C_API tropic_status tropic_full_copy(const tropic_full* full, tropic_full** result);
TROPIC_C_API void tropic_full_free(tropic_full* full);
/* Any of the three may be NULL. */
TROPIC_C_API tropic_status tropic_full_shape(const tropic_full* full, int64_t* rows,
                                             int64_t* columns, int64_t* nvals);
TROPIC_C_API tropic_status tropic_full_type(const tropic_full* full, tropic_type* type);
TROPIC_C_API tropic_status tropic_full_set(tropic_full* full, int64_t i, int64_t j,
                                           tropic_type type, const void* value);
/* Removes the entry at (i, j), if there is one. */
TROPIC_C_API tropic_status tropic_full_remove(tropic_full* full, int64_t i, int64_t j);
/* Sets `present` to 1 and `value` to the entry at (i, j), or `present` to 0 if there is none. */
TROPIC_C_API tropic_status tropic_full_get(const tropic_full* full, int64_t i, int64_t j,
                                           tropic_type type, void* value, int* present);
/* Column j as a vector, which is a copy; and column j from a vector. */
TROPIC_C_API tropic_status tropic_full_column(const tropic_full* full, int64_t j,
                                              tropic_vector** result);
TROPIC_C_API tropic_status tropic_full_set_column(tropic_full* full, int64_t j,
                                                  const tropic_vector* vector);
/* rows x columns values, row-major, `missing` where there is no entry; if that is NULL, a position
 * without an entry is TROPIC_USAGE. */
TROPIC_C_API tropic_status tropic_full_export(const tropic_full* full, tropic_type type,
                                              const void* missing, int64_t capacity, void* values);

#ifdef __cplusplus
}
#endif

#include <tropic/c/operations.h>

#include <tropic/c/algorithms.h>

#endif
