// SPDX-License-Identifier: Apache-2.0
// How coo and csr_segmented share tiles of T_TILE entries out over groups, and how the sums of rows
// that span groups come together (papers 000 and 001, stage 2).
//
// A group takes a run of tiles, each of its subgroups some of them one after the other. A row that
// begins and ends in the run is stored at once; what the group has of others goes to the synchronizer:
// of the one that began before it, and of the one that is open at its end. Such a row is summed in the
// order of groups and stored by the last of them to arrive, which a ticket tells (T_TICKETS), or by a
// second launch (t_join_late).

#define T_TILE (T_SUBGROUP * T_ITEMS)

// Registers are spared until so many groups run at once on a processor: what these kernels wait for
// is memory. Wide sums are left as they are. (kernel_config.cpp counts on it.)
#define T_GROUP (T_SUBGROUP * T_SUBGROUPS)
#define T_GROUPS_AT_ONCE (sizeof(t_z) <= 8 && T_GROUP <= 1280 ? 1280 / T_GROUP : 1)

// How tiles, fewer than 2^32, are shared out: each subgroup takes `each` of them in a row, the first
// `more` subgroups one more.
typedef struct {
  t_uint32 each, more;
} t_share;
#define T_SHARE t_uint32 each, t_uint32 more
T_FUNCTION t_uint32 t_first_tile(t_share share, t_uint64 subgroup) {
  return (t_uint32)(subgroup * share.each + (subgroup < share.more ? subgroup : share.more));
}
// The group of an entry.
T_FUNCTION t_uint32 t_group_of(t_share share, t_uint64 entry) {
  const t_uint32 tile = (t_uint32)(entry / T_TILE), longer = share.more * (share.each + 1);
  const t_uint32 subgroup =
      tile < longer ? tile / (share.each + 1) : share.more + (tile - longer) / share.each;
  return subgroup / T_SUBGROUPS;
}

// What a subgroup has of rows that it does not hold whole: of the one that began before it, up to the
// subgroup's first head (set only where it has one), and of the one that is open at its end.
typedef struct {
  t_partial before, open;
} t_piece;

// --- where sums go ---------------------------------------------------------------------------

// The synchronizer has two slots a group: a row, flags, and the words of a sum. They are read by
// other groups than wrote them.
#define T_SLOT_WORDS (2 + T_VALUE_WORDS)
#define T_BEFORE_SLOT(group) (2 * (t_uint64)(group))
#define T_OPEN_SLOT(group) (2 * (t_uint64)(group) + 1)
#define T_LATE volatile T_GLOBAL t_uint32* late

T_FUNCTION t_partial t_load_slot(T_LATE, t_uint64 slot) {
  t_partial p;
  t_value_words words;
  p.row = late[slot * T_SLOT_WORDS];
  p.flags = late[slot * T_SLOT_WORDS + 1];
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    words.word[n] = late[slot * T_SLOT_WORDS + 2 + n];
  p.value = words.value;
  return p;
}
T_FUNCTION void t_store_slot(T_LATE, t_uint64 slot, t_partial p) {
  t_value_words words;
  words.word[T_VALUE_WORDS - 1] = 0;
  words.value = p.value;
  late[slot * T_SLOT_WORDS] = p.row;
  late[slot * T_SLOT_WORDS + 1] = p.flags;
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    late[slot * T_SLOT_WORDS + 2 + n] = words.word[n];
}

typedef struct {
  T_GLOBAL t_z* w;
  T_GLOBAL t_uint8* w_present;
  t_uint32 marks;  // w_present is written
} t_target;

T_FUNCTION void t_store_row(t_target to, t_partial p) {
  to.w[p.row] = p.value;
  if (to.marks) to.w_present[p.row] = (t_uint8)((p.flags & t_found) != 0);
}

// `p` is all that the subgroup has of a row. One that began before the subgroup has no head.
T_FUNCTION void t_settle(t_target to, T_LOCAL t_piece* piece, t_partial p) {
  if (p.flags & t_head) t_store_row(to, p);
  else piece->before = p;
}

// What one work-item of a subgroup does alone. Between barriers of its own: PoCL 3.1 lets every
// work-item of the group run a branch that stands right behind a loop with barriers.
#define T_ALONE(statement)           \
  T_SUBGROUP_SYNC();                    \
  if (t_lane() == 0) {               \
    statement;                       \
  }                                  \
  T_SUBGROUP_SYNC()

// --- rows that span groups ---------------------------------------------------------------------

#if T_SHUFFLE
// Slots that a work-item takes at a time where a row spans more groups than a subgroup has work-items.
#define T_RUN 4

// Stores the row that is open at the end of group `owner`, if there is one: what that has of it, and
// the groups behind it, of those before `limit`. By a whole subgroup.
T_FUNCTION void t_join_groups(t_target to, T_LATE, t_uint64 owner, t_uint64 limit) {
  t_partial sum = t_nothing();
  t_uint32 row = 0, open = 0, going = 1, each = 1;
  for (t_uint64 from = owner; going; from += each * T_SUBGROUP, each = T_RUN) {
    const t_uint64 own = from + t_lane() * each;
    t_partial run[T_RUN], p = t_nothing();  // on their way together
    T_UNROLL for (t_uint32 n = 0; n < T_RUN; ++n) {
      run[n] = t_nothing();
      if (n < each && own + n < limit)
        run[n] = t_load_slot(late, own + n == owner ? T_OPEN_SLOT(owner) : T_BEFORE_SLOT(own + n));
    }
    if (from == owner) {
      row = t_word_at(run[0].row, 0);
      open = t_word_at(run[0].flags & t_head, 0);
    }
    t_uint32 same = 0;
    T_UNROLL for (t_uint32 n = 0; n < T_RUN; ++n) {
      if (n >= each) continue;
      same = open && own + n < limit && run[n].row == row;
      if (same && (run[n].flags & t_found)) p = t_append(p, run[n].value);
    }
    sum = t_join(sum, t_reduce_partials(p, T_SUBGROUP));
    going = t_word_at(same, T_SUBGROUP - 1);
  }
  sum.row = row;
  if (t_lane() == 0 && open) t_store_row(to, sum);
}

// The pieces of a group's subgroups, by its first subgroup: rows that begin and end in the group are
// stored, its slots are filled. With tickets a row that spans groups is stored by the one that
// completes it. `row`: of the group's first entry, number `begin`.
T_FUNCTION void t_finish_group(t_target to, T_LOCAL const t_piece* pieces, T_LATE,
                               T_GLOBAL t_uint32* tickets, T_OFFSETS, t_share share,
                               t_uint64 begin, t_uint32 row) {
  const t_uint32 lane = t_lane(), group = (t_uint32)t_group_id();
  t_partial own = t_nothing(), before = t_nothing();
  if (lane < T_SUBGROUPS) {
    own = pieces[lane].open;
    before = pieces[lane].before;
  }
  t_partial open = t_scan_partials(own, 0);
  const t_partial below = t_partial_up(open, 1);
  if (own.flags & t_head) {
    t_partial ended = lane == 0 ? before : t_join(below, before);
    if (ended.flags & t_head) {
      t_store_row(to, ended);
    } else {
      ended.row = row;
      t_store_slot(late, T_BEFORE_SLOT(group), ended);
    }
  }
  if (lane == T_SUBGROUPS - 1) {
    if (!(open.flags & t_head)) {
      open.row = row;
      t_store_slot(late, T_BEFORE_SLOT(group), open);
      open.flags = 0;
    }
    t_store_slot(late, T_OPEN_SLOT(group), open);
  }

#if T_TICKETS
  T_SUBGROUP_SYNC();
  // Lane 0 for the row that began before the group, lane 1 for the one that is open at its end.
  const t_uint32 is_open = t_word_at(open.flags, T_SUBGROUPS - 1) & t_head,
                 open_row = t_word_at(open.row, T_SUBGROUPS - 1);
  t_uint32 owner = group, last = group, complete = 0;
  if (lane == 1) row = open_row;
  if (lane == 0 || (lane == 1 && is_open)) {
    const t_uint64 first = t_offset(offsets, wide, row), end = t_offset(offsets, wide, (t_uint64)row + 1);
    if (lane == 1 || first < begin) {
      owner = t_group_of(share, first);
      last = t_group_of(share, end - 1);
      complete = t_draw_ticket(tickets + owner) == last - owner;
    }
  }
  const t_uint32 completes = t_ballot(complete);
  T_ROLLED for (t_uint32 which = 0; which < 2; ++which) {
    if (!(completes >> which & 1u)) continue;
    const t_uint32 from = t_word_at(owner, which);
    t_join_groups(to, late, from, (t_uint64)t_word_at(last, which) + 1);
    if (lane == 0) tickets[from] = 0;  // for the next product
  }
#endif
}
#define T_FINISHING_SUBGROUP (t_subgroup_of_group() == 0)
#else
// What `count` groups from `group` on have of the row that began before them. One work-item adds it:
// PoCL 3.1 now and then gets two reductions wrong that stand one behind the other in a kernel.
T_FUNCTION t_partial t_sum_slots(T_LATE, t_uint64 group, t_uint64 count) {
  t_partial sum = t_nothing();
  for (t_uint64 n = 0; n < count; ++n) {
    const t_partial next = t_load_slot(late, T_BEFORE_SLOT(group + n));
    if (next.flags & t_found) sum = t_append(sum, next.value);
  }
  return sum;
}

// The one subgroup of a group: its slots are filled.
T_FUNCTION void t_finish_group(t_target to, T_LOCAL const t_piece* pieces, T_LATE,
                               T_GLOBAL t_uint32* tickets, T_OFFSETS, t_share share,
                               t_uint64 begin, t_uint32 row) {
  t_partial open = pieces[0].open, before = open;
  if (open.flags & t_head) before = pieces[0].before;
  else open.flags = 0;
  before.row = row;
  t_store_slot(late, T_OPEN_SLOT(t_group_id()), open);
  t_store_slot(late, T_BEFORE_SLOT(t_group_id()), before);
}
#define T_FINISHING_SUBGROUP (t_local_id() == 0)
#endif
// What a kernel of segmented sums is given for them.
#define T_JOINING T_LATE, T_GLOBAL t_uint32* tickets
#define T_FINISH_GROUP(begin, row) \
  T_BARRIER();                     \
  if (T_FINISHING_SUBGROUP)           \
  t_finish_group(to, pieces, late, tickets, offsets, wide, share, begin, row)

#if !T_TICKETS
// The rows that are open at the end of groups: a subgroup a group, or a work-item.
T_KERNEL void t_join_late(t_uint64 groups, T_SHARE, T_OFFSETS, T_LATE, T_GLOBAL t_z* w,
                          T_GLOBAL t_uint8* w_present, t_uint32 marks) {
  const t_target to = {w, w_present, marks};
  const t_share share = {each, more};
#if T_SHUFFLE
  t_join_groups(to, late, t_subgroup_id(), groups);
#else
  const t_uint64 group = t_global_id();
  if (group < groups) {
    t_partial sum = t_load_slot(late, T_OPEN_SLOT(group));
    if (sum.flags & t_head) {
      const t_uint64 end = t_offset(offsets, wide, (t_uint64)sum.row + 1);
      const t_uint32 last = t_group_of(share, end - 1);
      t_store_row(to, t_join(sum, t_sum_slots(late, group + 1, last - group)));
    }
  }
#endif
}
#endif
