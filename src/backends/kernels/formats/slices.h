// SPDX-License-Identifier: Apache-2.0
// From the rows of a matrix in CSR to the segments of csr_hubs and csr_bits, in slices of 32
// (common/segments.h). hubs.kernel and bits.kernel count what is in each segment, and move it.
//
// Rows are cut into pieces of up to `piece_length` entries, a work-item each, which reads them twice: to
// count what is in them, and to move it. So places depend on the matrix alone. A piece has a segment of
// each of T_KINDS kinds at most; those of the kinds from T_FIRST_ROW_KIND on are whole rows. Lengths of
// segments are steps in their slice; those of the first T_EVEN_KINDS kinds are rounded up to even ones.
//
// Long segments are sorted by length. Those of up to T_SHORT steps are sorted in blocks of T_BLOCK
// pieces, so that segments of neighbouring rows remain near one another: what one launch scatters and
// the next gathers shares the sectors of a cache.
// Work: O(nnz + rows). Space: T_KINDS + 2 words a piece.

#define T_LANES 32u

// --- pieces --------------------------------------------------------------------------------------

T_KERNEL void t_count_pieces(t_uint64 rows, T_GLOBAL const t_uint32* T_RESTRICT row_offsets,
                             t_uint32 wide, t_uint32 piece_length, T_GLOBAL t_uint32* T_RESTRICT counts) {
  const t_offsets offsets = {row_offsets, wide};
  for (t_uint64 row = t_global_id(); row < rows; row += t_global_size())
    counts[row] = (t_uint32)((t_offset(offsets, row + 1) - t_offset(offsets, row) + piece_length - 1) /
                             piece_length);
}

// Where each piece begins, and ends at the last; and its row. `before`: the pieces before each row.
T_KERNEL void t_cut_rows(t_uint64 rows, T_GLOBAL const t_uint32* T_RESTRICT row_offsets, t_uint32 wide,
                         t_uint32 piece_length, T_GLOBAL const t_uint32* T_RESTRICT before,
                         T_GLOBAL t_uint32* T_RESTRICT begins, T_GLOBAL t_uint32* T_RESTRICT rows_of) {
  const t_offsets offsets = {row_offsets, wide};
  for (t_uint64 row = t_global_id(); row < rows; row += t_global_size()) {
    const t_uint32 begin = (t_uint32)t_offset(offsets, row), first = before[row];
    const t_uint32 pieces = before[row + 1] - first;
    for (t_uint32 n = 0; n < pieces; ++n) {
      begins[first + n] = begin + n * piece_length;
      rows_of[first + n] = (t_uint32)row;
    }
    if (row + 1 == rows) begins[before[rows]] = (t_uint32)t_offset(offsets, rows);
  }
}

// Whether a piece is a whole row.
#define T_IS_ROW(piece, pieces, rows_of)                       \
  (((piece) == 0 || rows_of[(piece)-1] != rows_of[piece]) && \
   ((piece) + 1 == (pieces) || rows_of[(piece) + 1] != rows_of[piece]))

// --- segments ------------------------------------------------------------------------------------

// The key of a segment among `keys` of its kind: the longest first, and short ones by blocks. The
// lengths of blocks descend and ascend in turn, so that a slice between two has similar ones.
T_FUNCTION t_uint32 t_key_of(t_uint32 length, t_uint32 max_length, t_uint64 piece) {
  const t_uint32 block = (t_uint32)(piece / T_BLOCK);
  if (length > T_SHORT) return max_length - length;
  return max_length - T_SHORT + block * T_SHORT + (block % 2 != 0 ? length - 1 : T_SHORT - length);
}

T_FUNCTION t_uint32 t_length_of(t_uint32 key, t_uint32 max_length) {
  if (key < max_length - T_SHORT) return max_length - key;
  const t_uint32 of_short = key - (max_length - T_SHORT), in_block = of_short % T_SHORT;
  return of_short / T_SHORT % 2 != 0 ? in_block + 1 : T_SHORT - in_block;
}

// Ascending keys of segments: by kind, then as above. `before`: segments before each count.
T_KERNEL void t_keys_of_segments(t_uint64 n, t_uint32 max_length, t_uint32 keys_of_kind,
                                 T_GLOBAL const t_uint32* T_RESTRICT counts,
                                 T_GLOBAL const t_uint32* T_RESTRICT before,
                                 T_GLOBAL t_uint32* T_RESTRICT keys) {
  for (t_uint64 i = t_global_id(); i < n; i += t_global_size())
    if (counts[i] != 0)
      keys[before[i]] =
          (t_uint32)(i % T_KINDS) * keys_of_kind + t_key_of(counts[i], max_length, i / T_KINDS);
}

// firsts[kind]: the keys before those of a kind; how many there are at T_KINDS.
T_KERNEL void t_firsts_of_kinds(t_uint64 n, t_uint32 keys_of_kind,
                                T_GLOBAL const t_uint32* T_RESTRICT keys,
                                T_GLOBAL t_uint32* T_RESTRICT firsts) {
  for (t_uint64 kind = t_global_id(); kind <= T_KINDS; kind += t_global_size())
    firsts[kind] = (t_uint32)t_lower_bound(keys, 0, n, kind * keys_of_kind);
}

// The place of every segment, in slices that begin with the segments of a kind: `gaps` are the places
// left out before each kind. steps: the longest segment of every slice.
T_KERNEL void t_place_segments(t_uint64 n, t_uint32 max_length, t_uint32 keys_of_kind,
                               T_GLOBAL const t_uint32* T_RESTRICT keys,
                               T_GLOBAL const t_uint32* T_RESTRICT order,
                               T_GLOBAL const t_uint32* T_RESTRICT gaps,
                               T_GLOBAL t_uint32* T_RESTRICT places,
                               T_GLOBAL t_uint32* T_RESTRICT steps) {
  for (t_uint64 i = t_global_id(); i < n; i += t_global_size()) {
    const t_uint32 kind = keys[i] / keys_of_kind, place = (t_uint32)i + gaps[kind];
    places[order[i]] = place;
    if (place % T_LANES != 0) continue;
    t_uint32 longest = 0;
    for (t_uint64 k = i; k < i + T_LANES && k < n && keys[k] / keys_of_kind == kind; ++k) {
      const t_uint32 length = t_length_of(keys[k] % keys_of_kind, max_length);
      if (length > longest) longest = length;
    }
    steps[place / T_LANES] = kind < T_EVEN_KINDS ? (longest + 1) / 2 * 2 : longest;
  }
}

// --- rows ----------------------------------------------------------------------------------------

// The segments before each row; whether more than one, but at most T_FEW of them are to be added; and
// rows of more segments, in any order. `pieces_before`: the pieces before each row.
T_KERNEL void t_segments_of_rows(t_uint64 rows, T_GLOBAL const t_uint32* T_RESTRICT pieces_before,
                                 T_GLOBAL const t_uint32* T_RESTRICT before,
                                 T_GLOBAL const t_uint8* T_RESTRICT any,
                                 T_GLOBAL t_uint32* T_RESTRICT segments,
                                 T_GLOBAL t_uint8* T_RESTRICT joined,
                                 volatile T_GLOBAL t_uint32* count, T_GLOBAL t_uint32* T_RESTRICT many) {
  for (t_uint64 row = t_global_id(); row < rows; row += t_global_size()) {
    const t_uint64 first = (t_uint64)pieces_before[row] * T_KINDS;
    const t_uint32 begin = before[first],
                   end = before[(t_uint64)pieces_before[row + 1] * T_KINDS];
    segments[row] = begin;
    if (row + 1 == rows) segments[rows] = end;
    t_uint32 is_row = 0;
    for (t_uint32 kind = T_FIRST_ROW_KIND; kind < T_KINDS && end > begin; ++kind)
      is_row |= any[first + kind];
    joined[row] = (t_uint8)(end > begin && end - begin <= T_FEW && !is_row);
    if (end - begin > T_FEW) many[t_atomic_next(count)] = (t_uint32)row;
  }
}

// The rows of which `flags` is set; `before`: how many are before each row.
T_KERNEL void t_list_rows(t_uint64 rows, T_GLOBAL const t_uint8* T_RESTRICT flags,
                          T_GLOBAL const t_uint32* T_RESTRICT before,
                          T_GLOBAL t_uint32* T_RESTRICT list) {
  for (t_uint64 row = t_global_id(); row < rows; row += t_global_size())
    if (flags[row]) list[before[row]] = (t_uint32)row;
}
