// SPDX-License-Identifier: Apache-2.0
// The row offsets of a CSR matrix, and binary searches in them and in its columns.

typedef struct {
  T_GLOBAL const t_uint32* words;
  t_uint32 wide;  // of 64 bits each
} t_offsets;

T_FUNCTION t_uint64 t_offset(t_offsets offsets, t_uint64 row) {
  return offsets.wide ? ((T_GLOBAL const t_uint64*)offsets.words)[row]
                      : (t_uint64)offsets.words[row];
}

// The last row in [low, high] that begins at `entry` or before it: never an empty one where `high`'s
// successor begins later.
T_FUNCTION t_uint64 t_row_of(t_offsets offsets, t_uint64 low, t_uint64 high, t_uint64 entry) {
  while (low < high) {
    const t_uint64 middle = low + (high - low + 1) / 2;
    if (t_offset(offsets, middle) <= entry) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The first position in [low, high) whose value is at least `value`, of ascending ones; `high` if there
// is none.
T_FUNCTION t_uint64 t_lower_bound(T_GLOBAL const t_uint32* T_RESTRICT values, t_uint64 low,
                                  t_uint64 high, t_uint64 value) {
  while (low < high) {
    const t_uint64 middle = low + (high - low) / 2;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The column of a padding entry (csr_padded).
#define T_NO_COLUMN 0xffffffffu
