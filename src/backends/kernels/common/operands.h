// SPDX-License-Identifier: Apache-2.0
// What every kernel of a product is given, by one name a group of parameters; device_products.cpp
// passes the same groups.

// Row offsets of a CSR matrix, of 64 bits where `wide`.
#define T_OFFSETS T_GLOBAL const t_uint32 *T_RESTRICT offsets, t_uint32 wide
T_FUNCTION t_uint64 t_offset(T_GLOBAL const t_uint32* T_RESTRICT offsets, t_uint32 wide,
                             t_uint64 row) {
  return wide ? ((T_GLOBAL const t_uint64*)offsets)[row] : (t_uint64)offsets[row];
}
// The last row in [low, high] that begins at `entry` or before it: never an empty one where `high`'s
// successor begins later.
T_FUNCTION t_uint64 t_row_of(T_OFFSETS, t_uint64 low, t_uint64 high, t_uint64 entry) {
  while (low < high) {
    const t_uint64 middle = low + (high - low + 1) / 2;
    if (t_offset(offsets, wide, middle) <= entry) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Rows to leave out, a byte each, where `skips`.
#define T_ROW_MASK T_GLOBAL const t_uint8 *T_RESTRICT skip, t_uint32 skips

// The entries of the matrix (one value for all where `iso`); u, and which of it is there where
// `bitmap`; w, and which of it is there where `marks`.
#define T_OPERANDS                                                                        \
  T_GLOBAL const t_uint32 *T_RESTRICT columns, T_GLOBAL const t_matrix *T_RESTRICT a,     \
      t_uint32 iso, T_GLOBAL const t_vector *T_RESTRICT u,                                \
      T_GLOBAL const t_uint8 *T_RESTRICT u_present, t_uint32 bitmap,                      \
      T_GLOBAL t_z *T_RESTRICT w, T_GLOBAL t_uint8 *T_RESTRICT w_present, t_uint32 marks, \
      t_parameters parameters
// The same, passed on.
#define T_OPERAND_NAMES columns, a, iso, u, u_present, bitmap, w, w_present, marks, parameters
