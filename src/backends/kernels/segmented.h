// SPDX-License-Identifier: Apache-2.0
// The segmented sum over one tile of T_BUNCH * T_ITEMS products, which coo, csr_segmented and the
// joining of their pieces share (papers 000 and 001, stage 1).
//
// A bunch takes some tiles one after the other. The products of a tile lie in local memory, in the
// order of entries; `heads` has, for the first entry of each row, its row relative to `base` plus
// one, else 0; `absent` is set where u has no entry. Each work-item sums T_ITEMS neighbouring
// products, a scan over the bunch joins what spans work-items, and `carry` what spans tiles. A row
// that ends in the tile is stored at once; one that began before the bunch did goes to the
// synchronizer instead, in one slot a bunch. So every row is stored by the one bunch that holds its
// first entry, and what other bunches have of it is added afterwards, in their order.

#define T_TILE (T_BUNCH * T_ITEMS)

// The arrays of a tile, one of each a bunch: products, heads, absent; and the row of every entry,
// where the multiply asks for it.
#define T_TILE_ARRAYS()                                                    \
  T_LOCAL_ARRAY t_z all_products[T_BUNCHES * T_TILE];                      \
  T_LOCAL_ARRAY t_uint32 all_heads[T_BUNCHES * T_TILE];                    \
  T_LOCAL_ARRAY t_uint8 all_absent[T_BUNCHES * T_TILE];                    \
  T_LOCAL t_z* products = all_products + t_bunch_of_group() * T_TILE;      \
  T_LOCAL t_uint32* heads = all_heads + t_bunch_of_group() * T_TILE;       \
  T_LOCAL t_uint8* absent = all_absent + t_bunch_of_group() * T_TILE
#if T_USES_OUTPUT
#define T_ROW_ARRAY()                                      \
  T_LOCAL_ARRAY t_uint32 all_rows[T_BUNCHES * T_TILE];     \
  T_LOCAL t_uint32* row_of = all_rows + t_bunch_of_group() * T_TILE
#else
#define T_ROW_ARRAY() T_LOCAL t_uint32* row_of = heads  // never read
#endif

// --- where sums go ---------------------------------------------------------------------------

// A slot of the synchronizer: a row, whether there is a sum, and its words.
#define T_LATE_WORDS (2 + T_VALUE_WORDS)
#define t_late_row(late, slot) (late)[(slot) * T_LATE_WORDS]
#define t_late_found(late, slot) (late)[(slot) * T_LATE_WORDS + 1]

T_FUNCTION t_z t_late_value(T_GLOBAL const t_uint32* late, t_uint64 slot) {
  t_value_words words;
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    words.word[n] = late[slot * T_LATE_WORDS + 2 + n];
  return words.value;
}
T_FUNCTION void t_store_late(T_GLOBAL t_uint32* late, t_uint64 slot, t_uint32 row, t_partial p) {
  t_value_words words;
  words.word[T_VALUE_WORDS - 1] = 0;
  words.value = p.value;
  t_late_row(late, slot) = row;
  t_late_found(late, slot) = (p.flags & t_found) != 0;
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    late[slot * T_LATE_WORDS + 2 + n] = words.word[n];
}

typedef struct {
  T_GLOBAL t_z* w;
  T_GLOBAL t_uint8* w_present;
  t_uint32 marks;            // w_present is written
  t_uint32 adds;             // onto what w has already
  T_GLOBAL t_uint32* late;   // the synchronizer
  t_uint64 bunch;            // this bunch's slot there
  t_uint32 bunch_row;        // the row of the bunch's first entry
} t_target;

T_FUNCTION void t_add_to_row(t_target to, t_uint32 row, t_z value) {
  const t_uint32 has = to.marks ? to.w_present[row] : 1u;
  to.w[row] = has ? t_add(to.w[row], value) : value;
  if (to.marks) to.w_present[row] = 1;
}

// `p` is all that the bunch has of a row. One that began before the bunch has no head.
T_FUNCTION void t_settle(t_target to, t_partial p) {
  if (!(p.flags & t_head)) {
    t_store_late(to.late, to.bunch, to.bunch_row, p);
  } else if (!to.adds) {
    to.w[p.row] = p.value;
    if (to.marks) to.w_present[p.row] = (t_uint8)((p.flags & t_found) != 0);
  } else if (p.flags & t_found) {
    t_add_to_row(to, p.row, p.value);
  }
}

// What one work-item of a bunch does alone. Between barriers of its own: PoCL 3.1 lets every
// work-item of the group run a branch that stands right behind a loop with barriers.
#define T_ALONE(statement)           \
  T_BUNCH_SYNC();                    \
  if (t_lane() == 0) {               \
    statement;                       \
  }                                  \
  T_BUNCH_SYNC()

// --- a tile ----------------------------------------------------------------------------------

// The entries of a tile that starts with entry `begin`.
T_FUNCTION t_uint32 t_count_of(t_uint64 begin, t_uint64 nnz) {
  return nnz - begin < T_TILE ? (t_uint32)(nnz - begin) : T_TILE;
}

// The place in its tile of a work-item's n-th entry, and past the last entry that one: then every
// load is of something, and none waits behind a branch.
T_FUNCTION t_uint32 t_place(t_uint32 n, t_uint32 count) {
  const t_uint32 at = t_lane() + n * T_BUNCH;
  return at < count ? at : count - 1;
}

T_FUNCTION void t_load_columns(T_GLOBAL const t_uint32* T_RESTRICT columns, t_uint64 begin,
                               t_uint32 count, t_uint32* column) {
  T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) column[n] = columns[begin + t_place(n, count)];
}

// Products of the tile. All loads are on their way before the first is needed.
T_FUNCTION void t_multiply_tile(t_uint64 begin, t_uint32 count, const t_uint32* column,
                                T_LOCAL const t_uint32* row_of, T_LOCAL t_z* products,
                                T_LOCAL t_uint8* absent, T_GLOBAL const t_matrix* T_RESTRICT a,
                                t_uint32 iso, T_GLOBAL const t_vector* T_RESTRICT u,
                                T_GLOBAL const t_uint8* T_RESTRICT u_present, t_uint32 bitmap,
                                t_parameters parameters) {
  if (bitmap) {
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) {
      const t_uint32 at = t_lane() + n * T_BUNCH, missing = !u_present[column[n]];
      if (at < count) absent[at] = (t_uint8)missing;
      if (at < count && !missing)
        products[at] =
            T_PRODUCT(a[iso ? 0 : begin + at], u[column[n]], row_of[at], column[n], parameters);
    }
  } else {
    t_z product[T_ITEMS];
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) {
      const t_uint32 at = t_place(n, count);
      product[n] =
          T_PRODUCT(a[iso ? 0 : begin + at], u[column[n]], row_of[at], column[n], parameters);
    }
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n)
      if (t_lane() + n * T_BUNCH < count) products[t_lane() + n * T_BUNCH] = product[n];
  }
}

#if T_USES_OUTPUT
// The row of every entry of a tile, by its heads.
T_FUNCTION void t_fill_rows(T_LOCAL const t_uint32* heads, T_LOCAL t_uint32* row_of, t_uint32 count,
                            t_uint32 base T_EXCHANGE_PARAMETERS) {
  const t_uint32 begin = t_lane() * T_ITEMS;
  t_uint32 last = 0;
  for (t_uint32 n = 0; n < T_ITEMS; ++n)
    if (begin + n < count && heads[begin + n] != 0) last = heads[begin + n];
  for (t_uint32 distance = 1; distance < T_BUNCH; distance *= 2) {
    const t_uint32 left = T_BUNCH_UP(last, distance);
    if (t_lane() >= distance && last < left) last = left;
  }
  const t_uint32 below = T_BUNCH_UP(last, 1);
  t_uint32 row = t_lane() > 0 && below > 0 ? base + (below - 1) : base;
  for (t_uint32 n = 0; n < T_ITEMS; ++n) {
    if (begin + n < count && heads[begin + n] != 0) row = base + (heads[begin + n] - 1);
    row_of[begin + n] = row;
  }
  T_BUNCH_SYNC();
}
#define T_FILL_ROWS(base) t_fill_rows(heads, row_of, count, base T_EXCHANGE_ARGUMENTS)
#else
#define T_FILL_ROWS(base)
#endif

// Returns the carry: what the tile leaves open. `count` entries, the same for the whole bunch.
T_FUNCTION t_partial t_sum_tile(T_LOCAL const t_z* products, T_LOCAL const t_uint32* heads,
                                T_LOCAL const t_uint8* absent, t_uint32 count, t_uint32 base,
                                t_uint32 bitmap, t_partial carry,
                                t_target to T_EXCHANGE_PARAMETERS) {
  const t_uint32 begin = t_lane() * T_ITEMS;
  t_partial first = t_nothing(), open = t_nothing();  // before the first head; since the last one
  T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) {
    const t_uint32 at = begin + n;
    if (at < count) {
      const t_uint32 head = heads[at];
      if (head != 0) {
        if (open.flags & t_head)
          t_settle(to, open);
        else
          first = open;
        open = t_nothing();
        open.row = base + (head - 1);
        open.flags = t_head;
      }
      if (!bitmap || !absent[at]) open = t_append(open, products[at]);
    }
  }
  t_partial all = open;
  if (t_lane() == 0) all = t_join(carry, all);
  all = t_scan_partials(all T_EXCHANGE_ARGUMENTS);
  const t_partial below = T_PARTIAL_UP(all, 1);
  if (open.flags & t_head) {
    // The row that was open when these entries began ends with `first`.
    const t_partial left = t_lane() == 0 ? carry : below;
    t_settle(to, t_join(left, first));
  }
  return T_PARTIAL_AT(all, T_BUNCH - 1);
}

// --- rows that span bunches --------------------------------------------------------------------

// Adds the synchronizer of `slots` (whose rows do not descend) to w. What this in turn leaves is the
// next level's; the last level is one bunch, which leaves nothing of use.
T_KERNEL void t_join_late(t_uint64 slots, t_uint32 tiles, T_GLOBAL const t_uint32* T_RESTRICT late,
                          T_GLOBAL t_z* w, T_GLOBAL t_uint8* w_present, t_uint32 marks,
                          T_GLOBAL t_uint32* next) {
  T_EXCHANGE();
  T_TILE_ARRAYS();
  const t_uint64 bunch = t_bunch_id(), bunch_begin = bunch * ((t_uint64)tiles * T_TILE);
  T_IF_BUSY(bunch_begin < slots) {
    t_uint64 end = bunch_begin + (t_uint64)tiles * T_TILE;
    if (end > slots) end = slots;
    const t_target to = {w, w_present, marks, 1, next, bunch, t_late_row(late, bunch_begin)};
    t_partial carry = t_nothing();
    for (t_uint64 begin = bunch_begin; begin < end; begin += T_TILE) {
      const t_uint32 count = t_count_of(begin, slots);
      const t_uint32 base = t_late_row(late, begin);
      T_BUNCH_SYNC();
      for (t_uint32 at = t_lane(); at < count; at += T_BUNCH) {
        const t_uint64 slot = begin + at;
        const t_uint32 row = t_late_row(late, slot);
        heads[at] = slot == 0 || t_late_row(late, slot - 1) != row ? row - base + 1 : 0;
        absent[at] = !t_late_found(late, slot);
        products[at] = t_late_value(late, slot);
      }
      T_BUNCH_SYNC();
      carry = t_sum_tile(products, heads, absent, count, base, 1, carry, to T_EXCHANGE_ARGUMENTS);
    }
    T_ALONE(t_settle(to, carry));
  }
}

// The same in one launch, where runs of slots with equal row are short: a bunch a slot, which has
// work where a run begins. The row's last entry says where the run ends.
T_KERNEL void t_join_runs(t_uint64 slots, T_GLOBAL const t_uint32* T_RESTRICT late, T_OFFSETS,
                          t_uint64 entries_of_slot, T_GLOBAL t_z* w, T_GLOBAL t_uint8* w_present,
                          t_uint32 marks) {
  T_EXCHANGE();
  const t_uint64 slot = t_bunch_id();
  t_uint32 row = 0;
  t_uint64 end = 0;
  if (slot < slots) {
    row = t_late_row(late, slot);
    if (slot == 0 || t_late_row(late, slot - 1) != row)
      end = (t_offset(offsets, wide, (t_uint64)row + 1) - 1) / entries_of_slot + 1;
  }
  t_partial sum = t_nothing();
  for (t_uint64 begin = slot; begin < end; begin += T_BUNCH) {
    const t_uint64 at = begin + t_lane();
    t_partial p = t_nothing();
    if (at < end && t_late_found(late, at)) p = t_append(p, t_late_value(late, at));
    sum = t_join(sum, t_reduce_partials(p, T_BUNCH T_EXCHANGE_ARGUMENTS));
  }
  const t_target to = {w, w_present, marks, 1, 0, 0, 0};
  T_ALONE(if (sum.flags & t_found) t_add_to_row(to, row, sum.value));
}
