// SPDX-License-Identifier: Apache-2.0
// How coo and csr_segmented share tiles of T_TILE entries out over groups, and how the sums of rows
// that span groups are combined (papers 000 and 001, stage 2).
//
// A group takes a run of tiles, each of its subgroups some of them one after the other. A row that
// begins and ends in the run is stored at once; partial sums of others go to the synchronizer: of the
// row that began before the group, and of the one that is open at its end. Such a row is summed in the
// order of groups and stored by the last of them to arrive, found by a ticket (T_TICKETS), or by a
// second launch (t_join_late).

#define T_TILE (T_SUBGROUP * T_ITEMS)

// How tiles, fewer than 2^32, are shared out: each subgroup takes `tiles` of them in a row, the first
// `longer` subgroups one more.
typedef struct {
  t_uint32 tiles, longer;
} t_share;
T_FUNCTION t_uint32 t_first_tile(t_share share, t_uint64 subgroup) {
  return (t_uint32)(subgroup * share.tiles + (subgroup < share.longer ? subgroup : share.longer));
}
// The group of an entry.
T_FUNCTION t_uint32 t_group_of(t_share share, t_uint64 entry) {
  const t_uint32 tile = (t_uint32)(entry / T_TILE), in_longer = share.longer * (share.tiles + 1);
  const t_uint32 subgroup = tile < in_longer ? tile / (share.tiles + 1)
                                             : share.longer + (tile - in_longer) / share.tiles;
  return subgroup / T_SUBGROUPS;
}

// What a subgroup has of rows that it does not hold whole: of the one that began before it, up to the
// subgroup's first head (set only where it has one), and of the one that is open at its end.
typedef struct {
  t_partial before, open;
} t_piece;

// The local memory of a subgroup, a number each for the entries of a tile.
typedef struct {
  t_z products[T_TILE];
  t_uint32 heads[T_TILE];  // of the first entry of a row its row relative to `first_row` plus 1, else 0
#if T_USES_OUTPUT
  t_uint32 rows[T_TILE];
#endif
  t_uint8 absent[T_TILE];  // set where u has no entry
  t_piece piece;
} t_tile;

// --- where sums go ---------------------------------------------------------------------------

// slots: two a group, each a row, flags, and the words of a sum. They are read by other groups than
// wrote them. tickets: one a group.
typedef struct {
  volatile T_GLOBAL t_uint32* slots;
  T_GLOBAL t_uint32* tickets;
} t_synchronizer;

#define T_SLOT_WORDS (2 + T_VALUE_WORDS)
#define T_BEFORE_SLOT(group) (2 * (t_uint64)(group))
#define T_OPEN_SLOT(group) (2 * (t_uint64)(group) + 1)

T_FUNCTION t_partial t_load_slot(t_synchronizer synchronizer, t_uint64 slot) {
  t_partial partial;
  t_value_words words;
  partial.row = synchronizer.slots[slot * T_SLOT_WORDS];
  partial.flags = synchronizer.slots[slot * T_SLOT_WORDS + 1];
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    words.word[n] = synchronizer.slots[slot * T_SLOT_WORDS + 2 + n];
  partial.value = words.value;
  return partial;
}
T_FUNCTION void t_store_slot(t_synchronizer synchronizer, t_uint64 slot, t_partial partial) {
  t_value_words words;
  words.word[T_VALUE_WORDS - 1] = 0;
  words.value = partial.value;
  synchronizer.slots[slot * T_SLOT_WORDS] = partial.row;
  synchronizer.slots[slot * T_SLOT_WORDS + 1] = partial.flags;
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    synchronizer.slots[slot * T_SLOT_WORDS + 2 + n] = words.word[n];
}

T_FUNCTION void t_store_row(t_output output, t_partial partial) {
  output.w[partial.row] = partial.value;
  if (output.marks) output.w_present[partial.row] = (t_uint8)((partial.flags & T_HAS_VALUE) != 0);
}

// `partial` is all that the subgroup has of a row. One that began before the subgroup has no head.
T_FUNCTION void t_store_or_defer(t_output output, T_LOCAL t_tile* tile, t_partial partial) {
  if (partial.flags & T_HAS_HEAD) t_store_row(output, partial);
  else tile->piece.before = partial;
}

// What is open at the end of a subgroup, by lane 0. Between barriers of its own: PoCL 3.1 lets every
// work-item of the group run a branch right behind a loop with barriers.
T_FUNCTION void t_leave_open(T_LOCAL t_tile* tile, t_partial carry) {
  T_SUBGROUP_SYNC();
  if (t_lane() == 0) tile->piece.open = carry;
  T_SUBGROUP_SYNC();
}

// --- rows that span groups ---------------------------------------------------------------------

#if T_SHUFFLE
// Slots that a work-item takes at a time where a row spans more groups than a subgroup has work-items.
#define T_RUN 4

// Stores the row that is open at the end of group `owner`, if there is one: what that group has of it,
// and the groups behind it, of those before `limit`. By a whole subgroup.
T_FUNCTION void t_join_groups(t_exchange exchange, t_output output, t_synchronizer synchronizer,
                              t_uint64 owner, t_uint64 limit) {
  t_partial sum = t_nothing();
  t_uint32 row = 0, is_open = 0, goes_on = 1, slots_a_lane = 1;
  for (t_uint64 first = owner; goes_on;
       first += slots_a_lane * T_SUBGROUP, slots_a_lane = T_RUN) {
    const t_uint64 group = first + t_lane() * slots_a_lane;
    t_partial run[T_RUN], run_sum = t_nothing();  // the loads are under way together
    T_UNROLL for (t_uint32 n = 0; n < T_RUN; ++n) {
      run[n] = t_nothing();
      if (n < slots_a_lane && group + n < limit)
        run[n] = t_load_slot(synchronizer,
                             group + n == owner ? T_OPEN_SLOT(owner) : T_BEFORE_SLOT(group + n));
    }
    if (first == owner) {
      row = t_word_at(exchange, run[0].row, 0);
      is_open = t_word_at(exchange, run[0].flags & T_HAS_HEAD, 0);
    }
    t_uint32 is_same = 0;
    T_UNROLL for (t_uint32 n = 0; n < T_RUN; ++n) {
      if (n >= slots_a_lane) continue;
      is_same = is_open && group + n < limit && run[n].row == row;
      if (is_same && (run[n].flags & T_HAS_VALUE)) run_sum = t_append(run_sum, run[n].value);
    }
    sum = t_join(sum, t_reduce_partials(exchange, run_sum, T_SUBGROUP));
    goes_on = t_word_at(exchange, is_same, T_SUBGROUP - 1);
  }
  sum.row = row;
  if (t_lane() == 0 && is_open) t_store_row(output, sum);
}

#if T_TICKETS
// Stores the rows that this group completes: lane 0 handles the row that began before the group, lane
// 1 the one that is open at its end. `row`, `begin`: of the group's first entry.
T_FUNCTION void t_join_completed(t_exchange exchange, t_output output, t_synchronizer synchronizer,
                                 t_offsets offsets, t_share share, t_uint64 begin, t_uint32 row,
                                 t_partial open) {
  const t_uint32 lane = t_lane(), group = (t_uint32)t_group_id();
  const t_uint32 is_open = t_word_at(exchange, open.flags, T_SUBGROUPS - 1) & T_HAS_HEAD,
                 open_row = t_word_at(exchange, open.row, T_SUBGROUPS - 1);
  t_uint32 owner = group, last = group, complete = 0;
  if (lane == 1) row = open_row;
  if (lane == 0 || (lane == 1 && is_open)) {
    const t_uint64 row_begin = t_offset(offsets, row),
                   row_end = t_offset(offsets, (t_uint64)row + 1);
    if (lane == 1 || row_begin < begin) {
      owner = t_group_of(share, row_begin);
      last = t_group_of(share, row_end - 1);
      complete = t_draw_ticket(synchronizer.tickets + owner) == last - owner;
    }
  }
  const t_uint32 completes = t_ballot(complete);
  T_ROLLED for (t_uint32 n = 0; n < 2; ++n) {
    if (!(completes >> n & 1u)) continue;
    const t_uint32 first = t_word_at(exchange, owner, n);
    t_join_groups(exchange, output, synchronizer, first,
                  (t_uint64)t_word_at(exchange, last, n) + 1);
    if (lane == 0) synchronizer.tickets[first] = 0;  // for the next product
  }
}
#endif

// Rows that begin and end in the group are stored, its slots are filled. With tickets a row that spans
// groups is stored by the one that completes it. `begin`, `row`: of the group's first entry.
#define T_JOINS_PIECES (t_subgroup_of_group() == 0)
T_FUNCTION void t_join_pieces(t_exchange exchange, t_output output, T_LOCAL const t_tile* tiles,
                              t_synchronizer synchronizer, t_offsets offsets, t_share share,
                              t_uint64 begin, t_uint32 row) {
  const t_uint32 lane = t_lane(), group = (t_uint32)t_group_id();
  t_partial piece_open = t_nothing(), before = t_nothing();
  if (lane < T_SUBGROUPS) {
    piece_open = tiles[lane].piece.open;
    before = tiles[lane].piece.before;
  }
  t_partial open = t_scan_partials(exchange, piece_open, 0);
  const t_partial prefix = t_partial_up(exchange, open, 1);
  if (piece_open.flags & T_HAS_HEAD) {
    t_partial ended = lane == 0 ? before : t_join(prefix, before);
    if (ended.flags & T_HAS_HEAD) {
      t_store_row(output, ended);
    } else {
      ended.row = row;
      t_store_slot(synchronizer, T_BEFORE_SLOT(group), ended);
    }
  }
  if (lane == T_SUBGROUPS - 1) {
    if (!(open.flags & T_HAS_HEAD)) {
      open.row = row;
      t_store_slot(synchronizer, T_BEFORE_SLOT(group), open);
      open.flags = 0;
    }
    t_store_slot(synchronizer, T_OPEN_SLOT(group), open);
  }
#if T_TICKETS
  T_SUBGROUP_SYNC();
  t_join_completed(exchange, output, synchronizer, offsets, share, begin, row, open);
#endif
}
#else
// What `count` groups from `group` on have of the row that began before them. One work-item adds it:
// PoCL 3.1 now and then gets two consecutive reductions in a kernel wrong.
T_FUNCTION t_partial t_sum_slots(t_synchronizer synchronizer, t_uint64 group, t_uint64 count) {
  t_partial sum = t_nothing();
  for (t_uint64 n = 0; n < count; ++n) {
    const t_partial next = t_load_slot(synchronizer, T_BEFORE_SLOT(group + n));
    if (next.flags & T_HAS_VALUE) sum = t_append(sum, next.value);
  }
  return sum;
}

// The slots of a group of one subgroup are filled.
#define T_JOINS_PIECES (t_local_id() == 0)
T_FUNCTION void t_join_pieces(t_exchange exchange, t_output output, T_LOCAL const t_tile* tiles,
                              t_synchronizer synchronizer, t_offsets offsets, t_share share,
                              t_uint64 begin, t_uint32 row) {
  t_partial open = tiles[0].piece.open, before = open;
  if (open.flags & T_HAS_HEAD) before = tiles[0].piece.before;
  else open.flags = 0;
  before.row = row;
  t_store_slot(synchronizer, T_OPEN_SLOT(t_group_id()), open);
  t_store_slot(synchronizer, T_BEFORE_SLOT(t_group_id()), before);
}
#endif

// The pieces of a group's subgroups, when all of them are there. `begin`, `row`: of the group's first
// entry, and where its row is.
T_FUNCTION void t_finish_group(t_exchange exchange, t_output output, T_LOCAL const t_tile* tiles,
                               t_synchronizer synchronizer, t_offsets offsets, t_share share,
                               t_uint64 begin, T_GLOBAL const t_uint32* T_RESTRICT row) {
  T_BARRIER();
  if (T_JOINS_PIECES)
    t_join_pieces(exchange, output, tiles, synchronizer, offsets, share, begin, *row);
}

#if !T_TICKETS
// The rows that are open at the end of groups: a subgroup a group, or a work-item.
T_KERNEL void t_join_late(t_uint64 groups, t_uint32 tiles, t_uint32 longer,
                          T_GLOBAL const t_uint32* T_RESTRICT row_offsets, t_uint32 wide,
                          volatile T_GLOBAL t_uint32* slots, T_GLOBAL t_z* w,
                          T_GLOBAL t_uint8* w_present, t_uint32 marks) {
  const t_output output = {w, w_present, marks};
  const t_synchronizer synchronizer = {slots, 0};
#if T_SHUFFLE
  T_EXCHANGE(exchange);
  t_join_groups(exchange, output, synchronizer, t_subgroup_id(), groups);
#else
  const t_offsets offsets = {row_offsets, wide};
  const t_share share = {tiles, longer};
  const t_uint64 group = t_global_id();
  if (group < groups) {
    t_partial sum = t_load_slot(synchronizer, T_OPEN_SLOT(group));
    if (sum.flags & T_HAS_HEAD) {
      const t_uint64 end = t_offset(offsets, (t_uint64)sum.row + 1);
      const t_uint32 last = t_group_of(share, end - 1);
      t_store_row(output, t_join(sum, t_sum_slots(synchronizer, group + 1, last - group)));
    }
  }
#endif
}
#endif
