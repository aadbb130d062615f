// SPDX-License-Identifier: Apache-2.0
// Which rows of a product mxm_short.kernel computes, and mxm_values.kernel leaves to it.

// Row `row` of the result's pattern P and of A have at most `max_length` entries each. Never for a row with
// entries if `max_length` is 0.
T_FUNCTION t_uint32 t_is_short_row(t_offsets p, t_offsets a, t_uint64 row, t_uint32 max_length) {
  return t_offset(p, row + 1) - t_offset(p, row) <= max_length &&
         t_offset(a, row + 1) - t_offset(a, row) <= max_length;
}
