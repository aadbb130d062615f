// SPDX-License-Identifier: Apache-2.0
// A round of iterate.kernel: the listed positions take their sums, and the entries of the frontier that
// follows send their products along their rows, to the sums of the next round.

// --- send -------------------------------------------------------------------------------------

// Lists a position that was sent to. If no sum becomes neutral again (T_IDEMPOTENT), the work-item that
// finds the sum neutral lists it. Otherwise, and for a product that leaves the sum neutral, the work-item
// that sets the position's bit lists it.
T_FUNCTION void t_list(t_round round, t_uint32 phase, t_uint32 position, t_uint32 outcome) {
#if T_IDEMPOTENT
  if (outcome == T_FIRST) t_put(round, phase, position, T_SENT);
  else if (outcome == T_STILL_NEUTRAL) t_put_once(round, phase, position, T_LEFT_NEUTRAL);
#else
  (void)outcome;
  t_put_once(round, phase, position, T_SENT);
#endif
}

// Whether a product changes nothing at a position: w has an entry there that is never improved, or, with
// T_SELECTIVE, one that the product does not improve. Other work-items may change w meanwhile, which makes
// no difference: its entries stay and never get worse. Where w lacks an entry it holds the neutral value,
// which is tested instead of the flag, because other groups could see a new flag before the new value.
T_FUNCTION t_uint32 t_is_in_vain(t_round round, t_uint32 position, t_z product) {
#if T_SELECTIVE
  const t_z old = round.w[position];
  return !T_IMPROVES(round.parameters, product, old, position) &&
         !((round.flags & T_WAS_BITMAP) && T_IS_NEUTRAL(old));
#else
  (void)product;
  return !T_CHECKS && (!(round.flags & T_WAS_BITMAP) || round.w_present[position]);
#endif
}

// Sends along entries [entry, end) of a row, every step-th.
T_FUNCTION void t_send(t_round round, t_uint32 phase, t_uint32 row, t_uint64 entry, t_uint64 end,
                       t_uint64 step, t_z x) {
  T_GLOBAL t_z* const sums = round.sums + phase * round.size;
  for (; entry < end; entry += step) {
    const t_uint32 position = round.columns[entry];
    const t_matrix value = round.a[round.iso ? 0 : entry];
    T_PREFETCH(round.offsets.words[(t_uint64)position << round.offsets.wide]);  // for the next round
    const t_z product = T_PRODUCT(value, x, position, row, round.parameters);
    if (!t_is_in_vain(round, position, product))
      t_list(round, phase, position, t_combine_mostly_neutral(sums, position, product));
  }
}

// --- take -------------------------------------------------------------------------------------

// Removes the positions counted by T_LEFT_NEUTRAL whose sum another product has changed: they are listed
// twice.
T_FUNCTION void t_remove_repeated(t_round round, t_uint32 phase, t_uint32 left_neutral) {
  for (t_uint32 n = t_item(); n < left_neutral; n += T_ITEMS) {
    T_GLOBAL t_uint32* const listed = t_listed(round, phase, T_LEFT_NEUTRAL, n);
    const t_uint32 position = *listed;
    const t_z sum = ((volatile T_GLOBAL t_z*)round.sums)[phase * round.size + position];
    if (!T_IS_NEUTRAL(sum)) *listed = T_NOWHERE;
    *t_seen(round, phase, position) = 0;  // no other round's bits are in the word
  }
}

// w takes a sum.
T_FUNCTION void t_store(t_round round, t_uint32 position, t_z sum, t_int64 round_number) {
  round.w[position] = sum;
  if (round.flags & T_WAS_BITMAP) round.w_present[position] = 1;
  if (round.flags & T_ROUNDS) round.round_of[position] = round_number;
  if (round.flags & T_ROUNDS_BITMAP) round.round_present[position] = 1;
}

// Stores an entry that is not in the next frontier: it is beyond, or pending.
T_FUNCTION void t_store_beyond(t_round round, t_uint32 position, t_z sum, t_uint32 side) {
#if T_BUCKETS
  (void)sum;
  round.is_pending[position] = 1;
  t_put_pending(round, side, position);
#else
  (void)side;
  if (round.flags & T_BEYOND) round.beyond[position] = sum;
  if (round.flags & T_BEYOND_BITMAP) round.beyond_present[position] = 1;
#endif
}

// Takes a listed position: T_LANES work-items load the same, then one of them stores. All work-items of a
// subgroup call it. `values`: the frontier's, or w's, where the entry is no sum.
T_FUNCTION t_entry t_take(t_round round, t_uint32 phase, t_uint32 position, t_uint32 from,
                          T_GLOBAL const t_z* values, t_bucket bucket, t_uint32 side,
                          t_int64 round_number) {
  t_entry entry;
  entry.row = position;
  entry.begin = entry.end = 0;
  entry.value = t_neutral();
  T_GLOBAL t_z* const sum = round.sums + phase * round.size + position;
  t_uint32 had_entry = 0, is_pending = 0;
  t_z old = entry.value;
  if (position != T_NOWHERE) {
    entry.begin = t_offset(round.offsets, position);
    entry.end = t_offset(round.offsets, (t_uint64)position + 1);
    entry.value = from == T_FROM_SUMS ? *(volatile T_GLOBAL t_z*)sum : values[position];
    had_entry = !(round.flags & T_WAS_BITMAP) || round.w_present[position];
    if (had_entry && T_CHECKS) old = round.w[position];
#if T_BUCKETS
    is_pending = round.is_pending[position];
#endif
  }
  T_LANES_SYNC();
  if (position == T_NOWHERE || from != T_FROM_SUMS) return entry;
  const t_uint32 stores = t_local_id() % T_LANES == 0;
  if (stores) {
    *sum = t_neutral();
    if (!T_IDEMPOTENT) *t_seen(round, phase, position) = 0;  // no other round's bits are in the word
  }
  if (had_entry && !T_IMPROVES(round.parameters, entry.value, old, position)) {
    entry.row = T_NOWHERE;
    return entry;
  }
  if (stores) t_store(round, position, entry.value, round_number);
#if T_BUCKETS
  const t_uint32 is_kept = entry.value < bucket.end;
#else
  const t_uint32 is_kept = T_KEEPS(round.parameters, entry.value, position);
  (void)bucket;
#endif
  if (!is_kept) {
    entry.row = T_NOWHERE;
    if (stores && !is_pending) t_store_beyond(round, position, entry.value, side);
  }
  return entry;
}

// Lists a row for all work-items of the group.
T_FUNCTION void t_share(t_round round, t_uint32 phase, t_entry entry) {
  const t_uint64 length = entry.end - entry.begin;
  t_local_atomic_add(t_counter(round, phase, T_EDGES),
                     length > T_MOST_EDGES ? T_MOST_EDGES + 1u : (t_uint32)length);
  const t_uint32 place = t_local_atomic_add(t_counter(round, phase, T_SHARED), 1u);
  round.long_rows[place] = entry.row;
  round.long_values[place] = entry.value;
}
T_FUNCTION void t_send_shared_rows(t_round round, t_turn turn) {
  if (*t_counter(round, turn.now, T_EDGES) > T_MOST_EDGES) return;
  for (t_uint32 k = 0; k < *t_counter(round, turn.now, T_SHARED); ++k) {
    const t_uint32 row = round.long_rows[k];
    t_send(round, turn.then, row, t_offset(round.offsets, row) + t_local_id(),
           t_offset(round.offsets, (t_uint64)row + 1), T_GROUP_SIZE, round.long_values[k]);
  }
}

// --- a round ----------------------------------------------------------------------------------

// A round: the listed positions take their sums, and those that stay in the frontier send their products
// if `sends`. The first `sent` of the `entries` positions are counted by T_SENT.
T_FUNCTION void t_run_round(t_round round, t_turn turn, t_search search, t_uint32 sent,
                            t_uint32 entries, t_uint32 sends, T_GLOBAL const t_z* values,
                            t_int64 round_number) {
  // The same number of turns for all work-items of a subgroup.
  const t_uint32 lane = t_local_id() % T_LANES, nth = t_item() / T_LANES;
  for (t_uint32 first = nth - t_local_id() % 32 / T_LANES; first < entries;
       first += T_ENTRIES_AT_ONCE) {
    const t_uint32 n = first + t_local_id() % 32 / T_LANES;
    T_GLOBAL t_uint32* place = round.listed;
    t_uint32 position = T_NOWHERE;
    if (n < entries) {
      place = n < sent ? t_listed(round, turn.now, T_SENT, n)
                       : t_listed(round, turn.now, T_LEFT_NEUTRAL, n - sent);
      position = *place;
    }
    const t_entry entry = t_take(round, turn.now, position, search.from, values, search.bucket,
                                 search.side, round_number);
    if (lane == 0) {
      if (entry.row != T_NOWHERE) t_local_atomic_add(t_counter(round, turn.now, T_KEPT), 1u);
      else if (n < entries) *place = T_NOWHERE;
    }
    if (entry.row == T_NOWHERE || !sends) continue;
    if (entry.end - entry.begin <= T_LONG)
      t_send(round, turn.then, entry.row, entry.begin + lane, entry.end, T_LANES, entry.value);
    else if (lane == 0) t_share(round, turn.now, entry);
  }
  T_BARRIER_GLOBAL();
  t_send_shared_rows(round, turn);
}
