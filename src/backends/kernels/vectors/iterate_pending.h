// SPDX-License-Identifier: Apache-2.0
// The pending positions of iterate.kernel: those whose values lie beyond the current bucket
// (delta-stepping). They are in one of two lists. A scan takes the positions of the next bucket and
// moves the others to the other list. A position is pending at most once (`is_pending`). If it was
// improved into an earlier bucket meanwhile, it was in the frontier then, and the next scan removes it.

#if T_BUCKETS
#if T_REAL == 4
#define T_FLOOR(x) t_word_floor_fp32(x)
#elif T_REAL == 8
#define T_FLOOR(x) t_word_floor_fp64(x)
#endif

#define T_AT_ONCE (T_SHUFFLE ? 4u : 1u)  // positions whose loads are in flight together

// Elements of `limits`.
#define T_WIDTH 0u    // of a bucket
#define T_LARGEST 1u  // value of the type

// Where the bucket of `value` ends, as in src/backends/buckets.hpp.
T_FUNCTION t_z t_bucket_end(t_z value, T_GLOBAL const t_z* limits) {
  const t_z width = limits[T_WIDTH];
#if T_REAL
  t_z q = T_FLOOR(value / width);
  if (q * width > value) q -= 1;
  else if ((q + 1) * width <= value) q += 1;
  return (q + 1) * width;
#else
  const t_z largest = limits[T_LARGEST];
  const t_z start = (t_z)(value / width * width);  // towards zero
  if (start > value) return start;
  return start > (t_z)(largest - width) ? largest : (t_z)(start + width);
#endif
}

T_FUNCTION void t_put_pending(t_round round, t_uint32 side, t_uint32 position) {
  round.pending[side * round.size + t_atomic_next(round.state + T_PENDING + side)] = position;
}
T_FUNCTION t_uint32 t_pending_size(t_round round, t_uint32 side) {
  return ((volatile T_GLOBAL t_uint32*)round.state)[T_PENDING + side];
}

// Goes through one list of pending positions: those in `bucket` are listed for the round, those in the
// bucket before are removed, and the others are moved to the other list, which is empty. Returns the
// least value among those that this work-item moved; `largest` if it moved none.
T_FUNCTION t_z t_scan_pending(t_round round, t_uint32 phase, t_bucket before, t_bucket bucket,
                           t_uint32 side, t_z largest) {
  const t_uint32 size = t_pending_size(round, side);
  t_z least = largest;
  for (t_uint32 first = t_item(); first < size; first += T_AT_ONCE * T_ITEMS) {
    t_uint32 position[T_AT_ONCE];
    t_z value[T_AT_ONCE];
    T_UNROLL for (t_uint32 k = 0; k < T_AT_ONCE; ++k) {
      const t_uint32 n = first + k * T_ITEMS;
      position[k] = n < size ? round.pending[side * round.size + n] : T_NOWHERE;
    }
    T_UNROLL for (t_uint32 k = 0; k < T_AT_ONCE; ++k)
      value[k] = position[k] != T_NOWHERE ? round.w[position[k]] : largest;
    T_UNROLL for (t_uint32 k = 0; k < T_AT_ONCE; ++k) {
      if (position[k] == T_NOWHERE) continue;
      if (before.has_end && value[k] < before.end) {
        round.is_pending[position[k]] = 0;
      } else if (bucket.has_end && value[k] < bucket.end &&
                 *t_counter(round, phase, T_SENT) < T_MOST_LISTED - T_GROUP_SIZE) {
        t_put(round, phase, position[k], T_SENT);
        round.is_pending[position[k]] = 0;
      } else {
        if (value[k] < least) least = value[k];
        t_put_pending(round, 1 - side, position[k]);
      }
    }
  }
  T_BARRIER_TOGETHER();
  if (t_item() == 0) round.state[T_PENDING + side] = 0;
  t_read_counters(round, phase);
  return least;
}

// The least of the values of all work-items, returned to each of them.
T_FUNCTION t_z t_least_of_all(T_LOCAL t_z* values, t_z value, T_GLOBAL t_z* leasts) {
  values[t_local_id()] = value;
  T_BARRIER();
  t_z least = value;
  if (t_local_id() < 32) {
    for (t_uint32 n = t_local_id(); n < T_GROUP_SIZE; n += 32)
      if (values[n] < least) least = values[n];
    values[t_local_id()] = least;
  }
  T_BARRIER();
  for (t_uint32 n = 0; n < 32 && n < T_GROUP_SIZE; ++n)
    if (values[n] < least) least = values[n];
  if (T_TOGETHER == 1) return least;
  if (t_local_id() == 0) leasts[t_this_group()] = least;
  T_BARRIER_TOGETHER();
  for (t_uint32 group = 0; group < T_TOGETHER; ++group)
    if (leasts[group] < least) least = leasts[group];
  return least;
}

// Lists the positions of the next bucket that has any, most often the one that follows. If that has
// none, the bucket of the least pending value is the next try, in the next turn of the loop over
// rounds. If its end is not above that value, the host takes it.
T_FUNCTION t_search t_next_bucket(t_round round, t_uint32 phase, t_search search,
                                  T_GLOBAL const t_z* limits, T_LOCAL t_z* values,
                                  T_GLOBAL t_z* leasts) {
  if (search.tries == 0) {
    search.before = search.bucket;
    if (search.before.has_end) search.bucket.end = t_bucket_end(search.before.end, limits);
  }
  const t_z least = t_scan_pending(round, phase, search.before, search.bucket, search.side,
                                   limits[T_LARGEST]);
  search.side = 1 - search.side;
  search.from = T_FROM_PENDING;
  ++search.tries;
  if (t_count(round, T_SENT) > 0) {
    search.tries = 0;
  } else if (t_pending_size(round, search.side) > 0) {
    search.bucket.end = t_bucket_end(t_least_of_all(values, least, leasts), limits);
    search.bucket.has_end = 1;
  }
  return search;
}
#endif
