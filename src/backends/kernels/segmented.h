// SPDX-License-Identifier: Apache-2.0
// The segmented sum over one tile of T_BUNCH * T_ITEMS products, which coo, csr_segmented and the
// joining of their pieces share (papers 000 and 001, stage 1).
//
// A bunch takes T_TILES tiles one after the other. The products of a tile lie in local memory, in
// the order of entries; `heads` has, for the first entry of each row, its row relative to
// `first_row` plus one, else 0; `absent` is set where u has no entry. Each work-item sums T_ITEMS
// neighbouring products, a scan over the bunch joins what spans work-items, and `carry` what spans
// tiles. A row that ends in the tile is stored at once; one that began before the bunch did goes
// to the synchronizer instead, in one slot a bunch. So every row is stored by the one bunch that
// holds its first entry, and what other bunches have of it is added afterwards, in their order.

#define T_TILE (T_BUNCH * T_ITEMS)

// The arrays of a tile, one of each a bunch: products, heads, absent.
#define T_TILE_ARRAYS()                                                    \
  T_LOCAL_ARRAY t_z all_products[T_BUNCHES * T_TILE];                      \
  T_LOCAL_ARRAY t_uint32 all_heads[T_BUNCHES * T_TILE];                    \
  T_LOCAL_ARRAY t_uint8 all_absent[T_BUNCHES * T_TILE];                    \
  T_LOCAL t_z* products = all_products + t_bunch_of_group() * T_TILE;      \
  T_LOCAL t_uint32* heads = all_heads + t_bunch_of_group() * T_TILE;       \
  T_LOCAL t_uint8* absent = all_absent + t_bunch_of_group() * T_TILE

T_FUNCTION t_uint64 t_offset(T_GLOBAL const t_uint32* offsets, t_uint32 wide, t_uint64 row) {
  return wide ? ((T_GLOBAL const t_uint64*)offsets)[row] : (t_uint64)offsets[row];
}

// Where sums go.
typedef struct {
  T_GLOBAL t_z* w;
  T_GLOBAL t_uint8* w_present;
  t_uint32 marks;                 // w_present is written
  t_uint32 adds;                  // onto what w has already
  T_GLOBAL t_uint32* late_row;    // the synchronizer
  T_GLOBAL t_uint8* late_found;
  T_GLOBAL t_z* late_value;
} t_target;

// `p` is all that the bunch has of a row. One that began before the bunch has no head.
T_FUNCTION void t_settle(t_target to, t_partial p, t_uint64 bunch, t_uint32 bunch_row) {
  if (!(p.flags & t_head)) {
    to.late_row[bunch] = bunch_row;
    to.late_found[bunch] = (t_uint8)((p.flags & t_found) != 0);
    to.late_value[bunch] = p.value;
  } else if (!to.adds) {
    to.w[p.row] = p.value;
    if (to.marks) to.w_present[p.row] = (t_uint8)((p.flags & t_found) != 0);
  } else if (p.flags & t_found) {
    const t_uint32 has = to.marks ? to.w_present[p.row] : 1u;
    to.w[p.row] = has ? t_add(to.w[p.row], p.value) : p.value;
    if (to.marks) to.w_present[p.row] = 1;
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

// Returns the carry: what the tile leaves open. `count` entries, the same for the whole bunch.
T_FUNCTION t_partial t_sum_tile(T_LOCAL const t_z* products, T_LOCAL const t_uint32* heads,
                                T_LOCAL const t_uint8* absent, t_uint32 count, t_uint32 first_row,
                                t_uint32 bitmap, t_partial carry, t_target to, t_uint64 bunch,
                                t_uint32 bunch_row T_EXCHANGE_PARAMETERS) {
  const t_uint32 begin = t_lane() * T_ITEMS;
  t_partial first = t_nothing(), open = t_nothing();  // before the first head; since the last one
  T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) {
    const t_uint32 at = begin + n;
    if (at < count) {
      const t_uint32 head = heads[at];
      if (head != 0) {
        if (open.flags & t_head)
          t_settle(to, open, bunch, bunch_row);
        else
          first = open;
        open = t_nothing();
        open.row = first_row + (head - 1);
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
    t_settle(to, t_join(left, first), bunch, bunch_row);
  }
  return T_PARTIAL_AT(all, T_BUNCH - 1);
}

// The entries of a tile that starts with entry `begin`.
T_FUNCTION t_uint32 t_count_of(t_uint64 begin, t_uint64 nnz) {
  return begin >= nnz ? 0 : nnz - begin < T_TILE ? (t_uint32)(nnz - begin) : T_TILE;
}

// Heads where a row index differs from the one before.
T_FUNCTION void t_mark_rows(T_GLOBAL const t_uint32* rows, t_uint64 begin, t_uint32 count,
                            t_uint32 first_row, T_LOCAL t_uint32* heads) {
  for (t_uint32 at = t_lane(); at < count; at += T_BUNCH) {
    const t_uint64 entry = begin + at;
    const t_uint32 row = rows[entry];
    heads[at] = entry == 0 || rows[entry - 1] != row ? row - first_row + 1 : 0;
  }
}

// Adds `late` sums (their rows do not descend) to w: the synchronizer of a segmented sum. What this
// in turn leaves is the next level's; the last level is one bunch, which leaves nothing of use.
T_KERNEL void t_join_late(
    t_uint64 late,
    T_GLOBAL const t_uint32* T_RESTRICT rows, T_GLOBAL const t_uint8* T_RESTRICT found,
    T_GLOBAL const t_z* T_RESTRICT values,
    T_GLOBAL t_z* w, T_GLOBAL t_uint8* w_present, t_uint32 marks,
    T_GLOBAL t_uint32* late_row, T_GLOBAL t_uint8* late_found, T_GLOBAL t_z* late_value) {
  T_EXCHANGE();
  T_TILE_ARRAYS();
  const t_target to = {w, w_present, marks, 1, late_row, late_found, late_value};
  const t_uint64 bunch = t_bunch_id(), bunch_begin = bunch * (T_TILES * (t_uint64)T_TILE);
  T_IF_BUSY(bunch_begin < late) {
    const t_uint32 bunch_row = rows[bunch_begin];
    t_partial carry = t_nothing();
    for (t_uint32 tile = 0; tile < T_TILES; ++tile) {
      const t_uint64 begin = bunch_begin + (t_uint64)tile * T_TILE;
      const t_uint32 count = t_count_of(begin, late);
      const t_uint32 first_row = count > 0 ? rows[begin] : 0;
      T_BUNCH_SYNC();
      t_mark_rows(rows, begin, count, first_row, heads);
      for (t_uint32 at = t_lane(); at < count; at += T_BUNCH) {
        absent[at] = !found[begin + at];
        products[at] = values[begin + at];
      }
      T_BUNCH_SYNC();
      carry = t_sum_tile(products, heads, absent, count, first_row, 1, carry, to, bunch,
                         bunch_row T_EXCHANGE_ARGUMENTS);
    }
    T_ALONE(t_settle(to, carry, bunch, bunch_row));
  }
}

// The same in one launch, where runs of slots with equal row are short: a bunch a slot, which has
// work where a run begins. The row's last entry says where the run ends.
T_KERNEL void t_join_runs(
    t_uint64 late,
    T_GLOBAL const t_uint32* T_RESTRICT rows, T_GLOBAL const t_uint8* T_RESTRICT found,
    T_GLOBAL const t_z* T_RESTRICT values,
    T_GLOBAL const t_uint32* offsets, t_uint32 wide, t_uint64 entries_of_slot,
    T_GLOBAL t_z* w, T_GLOBAL t_uint8* w_present, t_uint32 marks) {
  T_EXCHANGE();
  const t_uint64 slot = t_bunch_id();
  t_uint32 row = 0;
  t_uint64 end = 0;
  if (slot < late) {
    row = rows[slot];
    const t_uint64 last = (t_offset(offsets, wide, (t_uint64)row + 1) - 1) / entries_of_slot;
    if (slot == 0 || rows[slot - 1] != row) end = last + 1;
  }
  t_partial sum = t_nothing();
  for (t_uint64 begin = slot; begin < end; begin += T_BUNCH) {
    const t_uint64 at = begin + t_lane();
    t_partial p = t_nothing();
    if (at < end && found[at]) p = t_append(p, values[at]);
    sum = t_join(sum, t_reduce_partials(p, T_BUNCH T_EXCHANGE_ARGUMENTS));
  }
  T_ALONE(if (sum.flags & t_found) {
    const t_uint32 has = marks ? w_present[row] : 1u;
    w[row] = has ? t_add(w[row], sum.value) : sum.value;
    if (marks) w_present[row] = 1;
  });
}
