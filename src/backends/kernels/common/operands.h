// SPDX-License-Identifier: Apache-2.0
// The operands of a product. OpenCL does not allow structs with pointers as kernel arguments: a kernel
// has the pointers among its parameters and fills the structs in its first lines. The host passes the
// same groups of arguments in the same order (products/call.hpp).

#define T_OPERANDS                                                                        \
  T_GLOBAL const t_uint32 *T_RESTRICT columns, T_GLOBAL const t_matrix *T_RESTRICT a,     \
      t_uint32 iso, T_GLOBAL const t_vector *T_RESTRICT u,                                \
      T_GLOBAL const t_uint8 *T_RESTRICT u_present, t_uint32 bitmap,                      \
      T_GLOBAL t_z *T_RESTRICT w, T_GLOBAL t_uint8 *T_RESTRICT w_present, t_uint32 marks, \
      t_parameters parameters
#define T_UNPACK_OPERANDS {columns, a, iso, u, u_present, bitmap, parameters}
#define T_UNPACK_OUTPUT {w, w_present, marks}

typedef struct {
  T_GLOBAL const t_uint32* columns;
  T_GLOBAL const t_matrix* a;  // the values of the matrix,
  t_uint32 iso;                // one for all entries if set
  T_GLOBAL const t_vector* u;
  T_GLOBAL const t_uint8* u_present;  // positions of u that have an entry, read if `bitmap`
  t_uint32 bitmap;
  t_parameters parameters;
} t_operands;

typedef struct {
  T_GLOBAL t_z* w;
  T_GLOBAL t_uint8* w_present;  // positions of w that have an entry, written if `marks`
  t_uint32 marks;
} t_output;

// Conditions are macros: a compiler branches on their terms, but computes a function's result first.
#define T_HAS_ENTRY(operands, position) \
  (!(operands).bitmap || (operands).u_present[position])

// The product of an entry of the matrix with u(inner), for w(row).
T_FUNCTION t_z t_product_of(t_operands operands, t_uint64 entry, t_uint64 row, t_uint64 inner) {
  return T_PRODUCT(operands.a[operands.iso ? 0 : entry], operands.u[inner], row, inner,
                   operands.parameters);
}

T_FUNCTION void t_store(t_output output, t_uint64 row, t_z value, t_uint32 found) {
  output.w[row] = value;
  if (output.marks) output.w_present[row] = (t_uint8)found;
}

// Rows that the mask excludes, a byte each, if `skips`.
typedef struct {
  T_GLOBAL const t_uint8* skip;
  t_uint32 skips;
} t_row_mask;

#define T_IS_SKIPPED(mask, row) ((mask).skips && (mask).skip[row])
