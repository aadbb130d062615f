// SPDX-License-Identifier: Apache-2.0
// The lists of a launch of iterate.kernel: which positions the groups have sent to. A group appends to
// lists of its own by counters in its local memory, and reads those of all groups.

#define T_NOWHERE 0xffffffffu
#define T_ITEMS (T_GROUP_SIZE * T_TOGETHER)  // work-items
#define T_ENTRIES_AT_ONCE (T_ITEMS / T_LANES)
#if T_LANES > 1
#define T_LANES_SYNC() T_SUBGROUP_SYNC()
#else
#define T_LANES_SYNC()
#endif

// Bits of `flags`, which the host defines: the vectors that rounds change besides the frontier.
//   T_WAS_BITMAP     w is a bitmap; otherwise it has an entry at every position
//   T_BEYOND         entries that are not kept are written to `beyond`
//   T_BEYOND_BITMAP  which is a bitmap
//   T_ROUNDS         the number of the round is written to `round_of`
//   T_ROUNDS_BITMAP  which is a bitmap

// Counters of a group, two of each: of this round and of the next one.
#define T_SENT 0u          // positions that are listed
#define T_LEFT_NEUTRAL 1u  // positions in a list of their own, as their sum may still be neutral
#define T_KEPT 2u          // entries of the frontier
#define T_SHARED 3u        // entries among them whose long rows all work-items of the group share
#define T_EDGES 4u         // edges in those rows
#define T_COUNTERS 5u

// Where the listed positions' values are.
#define T_FROM_FRONTIER 0u
#define T_FROM_SUMS 1u
#define T_FROM_PENDING 2u

typedef struct {
  t_offsets offsets;
  T_GLOBAL const t_uint32* columns;
  T_GLOBAL const t_matrix* a;
  t_uint32 iso, flags;
  t_parameters parameters;
  t_uint64 size;  // positions, rounded up to a multiple of 32
  t_uint64 most_listed;
  // Each of the following three exists twice, for this round and the next one.
  T_GLOBAL t_uint32* listed;  // of each group most_listed positions for each of the first two counters
  T_GLOBAL t_z* sums;
  T_GLOBAL t_uint32* seen;  // a bit for each position that t_put_once has listed
  T_GLOBAL t_z* w;
  T_GLOBAL t_uint8* w_present;
  T_GLOBAL t_z* beyond;
  T_GLOBAL t_uint8* beyond_present;
  T_GLOBAL t_int64* round_of;
  T_GLOBAL t_uint8* round_present;
  T_GLOBAL t_uint32* state;
  T_GLOBAL t_uint32* pending;    // two lists, of which one is empty between scans
  T_GLOBAL t_uint8* is_pending;  // of each position
  T_GLOBAL t_uint32* long_rows;  // of this group
  T_GLOBAL t_z* long_values;
  T_LOCAL t_uint32* found;  // counters of this group
  T_LOCAL t_uint32* all;    // copies of the counters of all groups
} t_round;

// Lists, sums and counters exist twice: one phase (0 or 1) is this round's, the other the next one's.
typedef struct {
  t_uint32 now, then;
} t_turn;

// An entry of the frontier and its edges; none if `row` is T_NOWHERE.
typedef struct {
  t_uint32 row;
  t_uint64 begin, end;
  t_z value;
} t_entry;

typedef struct {
  t_z end;
  t_uint32 has_end;  // 0 before the first bucket
} t_bucket;

// The state of a launch between rounds.
typedef struct {
  t_bucket before, bucket;  // the last bucket, and the current one
  t_uint32 side;            // of the pending positions: the list that is not empty
  t_uint32 tries;           // to find the next bucket
  t_uint32 from;            // where the values of the listed positions are
} t_search;

T_FUNCTION t_uint64 t_bits_of(t_z value) {
  t_bits bits;
  bits.word = 0;  // the bytes beyond the value
  bits.value = value;
  return bits.word;
}
// Whether a value has the neutral bit pattern.
#define T_IS_NEUTRAL(value) (t_bits_of(value) == t_bits_of(t_neutral()))

T_FUNCTION t_uint32 t_this_group(void) { return T_TOGETHER > 1 ? (t_uint32)t_group_id() : 0u; }
// The number of a work-item among those of all groups. Neighbours in a subgroup have consecutive
// numbers, and consecutive subgroups are in different groups.
T_FUNCTION t_uint32 t_item(void) {
  return (t_local_id() / 32 * T_TOGETHER + t_this_group()) * 32 + t_local_id() % 32;
}

T_FUNCTION T_LOCAL t_uint32* t_counter(t_round round, t_uint32 phase, t_uint32 counter) {
  return round.found + phase * T_COUNTERS + counter;
}

// Copies the counters of all groups, after T_BARRIER_TOGETHER: T_SENT and T_LEFT_NEUTRAL of `phase` (the
// next round), the others of the other phase (the round that ends).
T_FUNCTION void t_read_counters(t_round round, t_uint32 phase) {
  const t_uint32 n = t_local_id(), counter = n % T_COUNTERS;
  if (n < T_TOGETHER * T_COUNTERS)
    round.all[n] = t_word_of_group(
        t_counter(round, counter < T_KEPT ? phase : 1 - phase, counter), n / T_COUNTERS);
  T_BARRIER();
}
T_FUNCTION t_uint32 t_count_of(t_round round, t_uint32 group, t_uint32 counter) {
  return round.all[group * T_COUNTERS + counter];
}
T_FUNCTION t_uint32 t_count(t_round round, t_uint32 counter) {
  t_uint32 sum = 0;
  T_UNROLL for (t_uint32 group = 0; group < T_TOGETHER; ++group)
    sum += t_count_of(round, group, counter);
  return sum;
}
T_FUNCTION t_uint32 t_is_too_long(t_round round) {
  t_uint32 result = 0;
  T_UNROLL for (t_uint32 group = 0; group < T_TOGETHER; ++group)
    if (t_count_of(round, group, T_EDGES) > T_MOST_EDGES) result = 1;
  return result;
}

T_FUNCTION T_GLOBAL t_uint32* t_list_of(t_round round, t_uint32 phase, t_uint32 group,
                                        t_uint32 counter) {
  return round.listed + ((phase * T_TOGETHER + group) * 2 + counter) * round.most_listed;
}
// The n-th position in the lists of all groups for a counter.
T_FUNCTION T_GLOBAL t_uint32* t_listed(t_round round, t_uint32 phase, t_uint32 counter, t_uint32 n) {
  t_uint32 end = 0, group = 0, first = 0;
  T_UNROLL for (t_uint32 k = 0; k < T_TOGETHER; ++k) {
    if (n >= end) {
      group = k;
      first = end;
    }
    end += t_count_of(round, k, counter);
  }
  return t_list_of(round, phase, group, counter) + (n - first);
}

// Lists a position in the group's list for a counter.
T_FUNCTION void t_put(t_round round, t_uint32 phase, t_uint32 position, t_uint32 counter) {
  t_list_of(round, phase, t_this_group(),
            counter)[t_local_atomic_add(t_counter(round, phase, counter), 1u)] = position;
}
T_FUNCTION T_GLOBAL t_uint32* t_seen(t_round round, t_uint32 phase, t_uint32 position) {
  return round.seen + (phase * round.size + position) / 32;
}
// Lists a position unless its bit is set.
T_FUNCTION void t_put_once(t_round round, t_uint32 phase, t_uint32 position, t_uint32 counter) {
  const t_uint32 bit = 1u << position % 32;
  T_GLOBAL t_uint32* const word = t_seen(round, phase, position);
  if (!(*(volatile T_GLOBAL t_uint32*)word & bit) && !(t_atomic_or(word, bit) & bit))
    t_put(round, phase, position, counter);
}
