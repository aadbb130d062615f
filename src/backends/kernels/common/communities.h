// SPDX-License-Identifier: Apache-2.0
// What the kernels of the method of Louvain share (include/tropic/detail/communities.hpp): sums of whole
// numbers, which are added atomically, in any order, and the rule by which a vertex chooses.
//
// T_WIDE: 0 where the sum of all weights is below 2^32, and 32 bits hold every sum.

#if T_WIDE
typedef t_uint64 t_sum;
#else
typedef t_uint32 t_sum;
#endif

#define T_NONE 0xffffffffu  // no vertex, a free slot
#define T_ROUNDS 8u         // sub-rounds of a sweep
#define T_CLASSES 5u        // of rows, by their lengths
#define T_LONGEST_CLASS 4u  // rows of more than T_LONG entries

// Numbers of a list of rows by sub-rounds and classes: rows of each sub-round and class; then for each
// sub-round the units of its long rows, and the slots of their tables.
#define T_UNITS (T_ROUNDS * T_CLASSES)
#define T_TABLES (T_UNITS + T_ROUNDS)
#define T_COUNTS (T_TABLES + T_ROUNDS)

// 64 bits in two words, the lower one first: exact when all have been added, modulo 2^64.
T_FUNCTION void t_add_64(volatile T_GLOBAL t_uint32* to, t_uint64 value) {
  const t_uint32 low = (t_uint32)value, before = t_atomic_add(to, low);
  const t_uint32 high = (t_uint32)(value >> 32) + (before + low < low);
  if (high != 0) t_atomic_add(to + 1, high);
}
T_FUNCTION void t_local_add_64(volatile T_LOCAL t_uint32* low, volatile T_LOCAL t_uint32* high,
                               t_uint64 value) {
  const t_uint32 lower = (t_uint32)value, before = t_local_atomic_add(low, lower);
  const t_uint32 upper = (t_uint32)(value >> 32) + (before + lower < lower);
  if (upper != 0) t_local_atomic_add(high, upper);
}
T_FUNCTION void t_add_sum(T_GLOBAL t_sum* to, t_sum value) {
#if T_WIDE
  t_add_64((volatile T_GLOBAL t_uint32*)to, value);
#else
  t_atomic_add(to, value);
#endif
}

// Of entries, `bytes` each; 0: each is 1, and a loop 2.
typedef struct {
  T_GLOBAL const t_uint32* words;
  t_uint32 bytes;
} t_weights;
#define T_WEIGHTS T_GLOBAL const t_uint32 *T_RESTRICT weight_words, t_uint32 weight_bytes
#define T_UNPACK_WEIGHTS {weight_words, weight_bytes}

T_FUNCTION t_sum t_weight_of(t_weights weights, t_uint64 entry) {
  if (weights.bytes == 0) return 1;
  return weights.bytes == 4 ? weights.words[entry]
                            : (t_sum)((T_GLOBAL const t_uint64*)weights.words)[entry];
}

// Entries that a group takes at a time.
#define T_TILE ((t_uint64)T_GROUP_SIZE * 16)

T_FUNCTION t_uint32 t_has_neighbours(t_offsets offsets, T_GLOBAL const t_uint32* T_RESTRICT columns,
                                     t_uint64 v) {
  const t_uint64 begin = t_offset(offsets, v), end = t_offset(offsets, v + 1);
  return end - begin > 1 || (end > begin && columns[begin] != v);
}

// Of `slots` slots, at most 2^32.
T_FUNCTION t_uint32 t_slot_of(t_uint32 number, t_uint32 slots) {
  return (t_uint32)((t_uint64)(number * 2654435769u) * slots >> 32);
}

T_FUNCTION t_uint32 t_most_numbers(t_uint64 length, t_uint32 max_numbers) {
  return length < max_numbers ? (t_uint32)length : max_numbers;
}
// Slots for the different numbers of a row of `length` entries, which are at most `max_numbers`.
T_FUNCTION t_uint32 t_slots_for(t_uint64 length, t_uint32 max_numbers) {
  const t_uint32 numbers = t_most_numbers(length, max_numbers);
  return numbers + numbers / 2 + 1;
}

// --- how a vertex chooses ------------------------------------------------------------------------

typedef struct {
  T_GLOBAL const t_uint32* community;
  T_GLOBAL const t_sum* total;
  T_GLOBAL const t_uint32* size;
  T_GLOBAL const t_sum* weight;  // of vertices
  t_fp64 resolution, all;
} t_partition;

typedef struct {
  t_fp64 gain;
  t_uint32 community;
} t_choice;

T_FUNCTION t_fp64 t_factor(t_partition p, t_uint32 v) {
  return p.resolution * ((t_fp64)p.weight[v] / p.all);
}
T_FUNCTION t_fp64 t_gain(t_sum to, t_fp64 factor, t_sum total) {
  const t_fp64 expected = factor * (t_fp64)total;
  return (t_fp64)to - expected;
}
T_FUNCTION t_choice t_no_choice(void) {
  t_choice choice;
  choice.gain = 0;
  choice.community = T_NONE;
  return choice;
}
T_FUNCTION t_choice t_better(t_choice a, t_choice b) {
  if (a.community == T_NONE) return b;
  if (b.community == T_NONE || a.gain > b.gain) return a;
  return a.gain == b.gain && a.community < b.community ? a : b;
}
// The community that v moves to, of the best of others, or T_NONE; to_own: the weight to its own.
T_FUNCTION t_uint32 t_choose_by(t_partition p, t_uint32 v, t_choice best, t_sum to_own) {
  const t_uint32 current = p.community[v];
  const t_sum weight = p.weight[v];
  const t_fp64 rest = t_gain(to_own, t_factor(p, v), p.total[current] - weight);
  const t_fp64 least = 1e-10 * (t_fp64)weight;
  if (best.community == T_NONE || !(best.gain > rest + least)) return T_NONE;
  if (best.community > current && p.size[current] == 1 && p.size[best.community] == 1) return T_NONE;
  return best.community;
}

// Parameters of a kernel that make a t_partition.
#define T_PARTITION                                                                           \
  T_GLOBAL const t_uint32 *T_RESTRICT community, T_GLOBAL const t_sum *T_RESTRICT total,      \
      T_GLOBAL const t_uint32 *T_RESTRICT size, T_GLOBAL const t_sum *T_RESTRICT weight,      \
      t_fp64 resolution, t_fp64 all
#define T_UNPACK_PARTITION {community, total, size, weight, resolution, all}
