// SPDX-License-Identifier: Apache-2.0
// The segmented sum over one tile of T_SUBGROUP * T_ITEMS products, which coo and csr_segmented share
// (papers 000 and 001, stage 1).
//
// The products of a tile lie in local memory, in the order of entries. Each work-item sums T_ITEMS
// neighbouring products, a scan over the subgroup joins what spans work-items, a carry what spans
// tiles, and pieces what spans subgroups (synchronizer.h).
//
// Needs operands.h, subgroup.h and synchronizer.h (t_tile, and what its heads hold). For each tile
// a kernel calls t_load_columns_early, its own t_mark_heads, t_fill_rows, t_multiply_tile and, behind a
// T_SUBGROUP_SYNC, t_sum_tile.

// The entries of a tile; `count` is the same for the whole subgroup.
typedef struct {
  t_uint64 begin;
  t_uint32 count, first_row;
} t_tile_entries;

T_FUNCTION t_uint32 t_count_of(t_uint64 begin, t_uint64 nnz) {
  return nnz - begin < T_TILE ? (t_uint32)(nnz - begin) : T_TILE;
}

// The n-th entry of a work-item is t_lane() + n * T_SUBGROUP of the tile. All but the last tile of a
// matrix are whole; past the end of that one its last entry is used instead, and the sums leave it out.
// So loads have no conditions, and all are under way before the first is needed.
#define T_IS_WHOLE(count) (T_SHUFFLE && (count) == T_TILE)
T_FUNCTION t_uint32 t_entry_of(t_uint32 n, t_uint32 count) {
  const t_uint32 index = t_lane() + n * T_SUBGROUP;
  return index < count ? index : count - 1;
}

T_FUNCTION void t_load_columns(T_GLOBAL const t_uint32* T_RESTRICT columns, t_uint64 begin,
                               t_uint32 count, t_uint32* column) {
  T_GLOBAL const t_uint32* tile_columns = columns + begin;
  if (T_IS_WHOLE(count)) {
    tile_columns += t_lane();
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n)
      column[n] = T_STREAMED(tile_columns[n * T_SUBGROUP]);
  } else {
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) column[n] = tile_columns[t_entry_of(n, count)];
  }
}

// Columns are loaded before the heads are set, so that both loads are under way together. Without
// shuffles they are loaded when they are used: PoCL 5 loses a work-item's array across barriers.
T_FUNCTION void t_load_columns_early(T_GLOBAL const t_uint32* T_RESTRICT columns, t_uint64 begin,
                                     t_uint32 count, t_uint32* column) {
  if (T_SHUFFLE) t_load_columns(columns, begin, count, column);
}

// Multiplies the entries of a tile, whose columns were loaded early.
T_FUNCTION void t_multiply_tile(t_operands operands, T_LOCAL t_tile* tile, t_uint64 begin,
                                t_uint32 count, t_uint32* column) {
  if (!T_SHUFFLE) t_load_columns(operands.columns, begin, count, column);
#if T_USES_MATRIX
  T_GLOBAL const t_matrix* values = operands.iso ? operands.a : operands.a + begin;
  t_matrix value[T_ITEMS];
  if (T_IS_WHOLE(count) && !operands.iso) {
    values += t_lane();
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) value[n] = T_STREAMED(values[n * T_SUBGROUP]);
  } else {
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n)
      value[n] = values[operands.iso ? 0 : t_entry_of(n, count)];
  }
#endif
  if (operands.bitmap) {
    // Each flag is used before the next one is loaded: with all of them in registers the kernel spills,
    // also where no bitmap is used.
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) {
      const t_uint32 index = t_lane() + n * T_SUBGROUP;
      const t_uint32 is_absent = !operands.u_present[column[n]];
      tile->absent[index] = (t_uint8)is_absent;
      if (!is_absent)
        tile->products[index] = T_PRODUCT(value[n], operands.u[column[n]], tile->rows[index],
                                          column[n], operands.parameters);
    }
    return;
  }
  t_z product[T_ITEMS];
  T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n)
    product[n] = T_PRODUCT(value[n], operands.u[column[n]], tile->rows[t_lane() + n * T_SUBGROUP],
                           column[n], operands.parameters);
  T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n)
    tile->products[t_lane() + n * T_SUBGROUP] = product[n];
}

// The row of every entry of a tile, from its heads, where the multiply reads rows.
T_FUNCTION void t_fill_rows(t_exchange exchange, T_LOCAL t_tile* tile, t_uint32 count,
                            t_uint32 first_row) {
#if T_USES_OUTPUT
  const t_uint32 begin = t_lane() * T_ITEMS;
  t_uint32 last_head = 0;
  for (t_uint32 n = 0; n < T_ITEMS; ++n)
    if (begin + n < count && tile->heads[begin + n] != 0) last_head = tile->heads[begin + n];
  for (t_uint32 distance = 1; distance < T_SUBGROUP; distance *= 2) {
    const t_uint32 head_before = t_word_up(exchange, last_head, distance);
    if (t_lane() >= distance && last_head < head_before) last_head = head_before;
  }
  const t_uint32 head_before = t_word_up(exchange, last_head, 1);
  t_uint32 row = t_lane() > 0 && head_before > 0 ? first_row + (head_before - 1) : first_row;
  for (t_uint32 n = 0; n < T_ITEMS; ++n) {
    if (begin + n < count && tile->heads[begin + n] != 0)
      row = first_row + (tile->heads[begin + n] - 1);
    tile->rows[begin + n] = row;
  }
  T_SUBGROUP_SYNC();
#else
  (void)exchange;
#endif
}

// The sums of a work-item's T_ITEMS products before their first head, and since their last one: all of
// them where there is no head. Both are empty before.
T_FUNCTION void t_sum_items(T_LOCAL t_tile* tile, t_tile_entries entries, t_uint32 bitmap,
                            t_output output, t_partial* before_first_head,
                            t_partial* after_last_head) {
  const t_uint32 begin = t_lane() * T_ITEMS;
  T_ROLLED for (t_uint32 n = 0; n < T_ITEMS; ++n) {
    const t_uint32 index = begin + n;
    if (index < entries.count) {
      const t_uint32 head = tile->heads[index];
      if (head != 0) {
        if (after_last_head->flags & T_HAS_HEAD)
          t_store_or_defer(output, tile, *after_last_head);
        else
          *before_first_head = *after_last_head;
        *after_last_head = t_nothing();
        after_last_head->row = entries.first_row + (head - 1);
        after_last_head->flags = T_HAS_HEAD;
      }
      if (!bitmap || !tile->absent[index])
        *after_last_head = t_append(*after_last_head, tile->products[index]);
    }
  }
}

// The same where none of them is absent, almost without branches.
T_FUNCTION void t_sum_all_items(T_LOCAL t_tile* tile, t_uint32 first_row, t_output output,
                                t_partial* before_first_head, t_partial* after_last_head) {
  const t_uint32 begin = t_lane() * T_ITEMS, row_before = first_row - 1;
  t_uint32 head = tile->heads[begin];  // the last so far
  t_z sum = tile->products[begin];
  T_UNROLL for (t_uint32 n = 1; n < T_ITEMS; ++n) {
    const t_uint32 next = tile->heads[begin + n];
    const t_z product = tile->products[begin + n];
    const t_z longer_sum = t_add(sum, product);
    if (next != 0 && head != 0) {
      output.w[row_before + head] = sum;
      if (output.marks) output.w_present[row_before + head] = 1;
    }
    if (next != 0 && head == 0) {
      before_first_head->value = sum;
      before_first_head->flags = T_HAS_VALUE;
    }
    head = next != 0 ? next : head;
    sum = next != 0 ? product : longer_sum;
  }
  after_last_head->value = sum;
  after_last_head->flags = head != 0 ? T_HAS_VALUE | T_HAS_HEAD : T_HAS_VALUE;
  after_last_head->row = row_before + head;
}

// Returns the carry: the sum of the row that is open at the end of the tile.
T_FUNCTION t_partial t_sum_tile(t_exchange exchange, T_LOCAL t_tile* tile, t_tile_entries entries,
                                t_uint32 bitmap, t_partial carry, t_output output) {
  t_partial before_first_head = t_nothing(), after_last_head = t_nothing();
  const t_uint32 all_found = T_IS_WHOLE(entries.count) && !bitmap;
  if (all_found)
    t_sum_all_items(tile, entries.first_row, output, &before_first_head, &after_last_head);
  else
    t_sum_items(tile, entries, bitmap, output, &before_first_head, &after_last_head);
  t_partial scanned = after_last_head;
  if (t_lane() == 0) scanned = t_join(carry, scanned);
  scanned = t_scan_partials(exchange, scanned, all_found);
  const t_partial prefix = t_partial_up(exchange, scanned, 1);
  if (after_last_head.flags & T_HAS_HEAD) {
    // The row that was open when these entries began ends before their first head.
    const t_partial before = t_lane() == 0 ? carry : prefix;
    t_store_or_defer(output, tile, t_join(before, before_first_head));
  }
  return t_partial_at(exchange, scanned, T_SUBGROUP - 1);
}
