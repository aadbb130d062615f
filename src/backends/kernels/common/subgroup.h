// SPDX-License-Identifier: Apache-2.0
// Collectives of a subgroup of T_SUBGROUP work-items: every work-item of the subgroup calls them, in
// the same order. By shuffles where the hardware has them (dialect_*.h), else through local memory,
// where a work-group is one subgroup and its barrier the subgroup's own.
//
// T_EXCHANGE() stands at the top of a kernel that uses them and declares what they exchange through;
// T_EXCHANGE_ARGUMENTS passes it on.

T_FUNCTION t_uint32 t_lane(void) { return t_local_id() % T_SUBGROUP; }
// The subgroup within its group; T_SUBGROUPS of them make a group.
T_FUNCTION t_uint32 t_subgroup_of_group(void) { return t_local_id() / T_SUBGROUP; }
T_FUNCTION t_uint64 t_subgroup_id(void) { return t_group_id() * T_SUBGROUPS + t_subgroup_of_group(); }

// Runs its block in every subgroup that has work, or that has none. Where a subgroup is a group, all of
// them have, and a barrier in a conditional block is more than some compilers bear.
#if T_SHUFFLE
#define T_IF_BUSY(condition) if (condition)
#define T_IF_IDLE(condition) if (condition)
#else
#define T_IF_BUSY(condition)
#define T_IF_IDLE(condition) if (0)
#endif

// What a stretch of entries has come to: the sum since the last head in it (the first entry of a
// row), whether there is one (t_found), and, where a head is in it (t_head), that row.
#define t_head 1u
#define t_found 2u
typedef struct {
  t_uint32 row;
  t_uint32 flags;
  t_z value;
} t_partial;

// `right` follows `left`.
T_FUNCTION t_partial t_join(t_partial left, t_partial right) {
  if (right.flags & t_head) return right;
  if (right.flags & t_found) {
    if (left.flags & t_found) left.value = t_add(left.value, right.value);
    else left.value = right.value;
    left.flags |= t_found;
  }
  return left;
}

T_FUNCTION t_partial t_nothing(void) {
  t_partial p;
  p.row = 0;
  p.flags = 0;
  p.value = t_identity();
  return p;
}

T_FUNCTION t_partial t_append(t_partial left, t_z product) {
  left.value = left.flags & t_found ? t_add(left.value, product) : product;
  left.flags |= t_found;
  return left;
}

#define T_VALUE_WORDS ((sizeof(t_z) + 3) / 4)
typedef union {
  t_z value;
  t_uint32 word[T_VALUE_WORDS];
} t_value_words;

#if T_SHUFFLE
#define T_EXCHANGE()
#define T_EXCHANGE_PARAMETERS
#define T_EXCHANGE_ARGUMENTS

#define T_EACH_WORD(call)                                            \
  t_value_words from, to;                                            \
  from.value = value;                                                \
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n) {            \
    const t_uint32 word = from.word[n];                              \
    to.word[n] = call;                                               \
  }                                                                  \
  return to.value
T_FUNCTION t_z t_value_up(t_z value, t_uint32 distance) { T_EACH_WORD(t_word_up(word, distance)); }
T_FUNCTION t_z t_value_across(t_z value, t_uint32 distance) {
  T_EACH_WORD(t_word_across(word, distance));
}
T_FUNCTION t_z t_value_at(t_z value, t_uint32 lane) { T_EACH_WORD(t_word_at(word, lane)); }

// The partial `distance` lanes below; one's own where there is none.
T_FUNCTION t_partial t_partial_up(t_partial p, t_uint32 distance) {
  p.row = t_word_up(p.row, distance);
  p.flags = t_word_up(p.flags, distance);
  p.value = t_value_up(p.value, distance);
  return p;
}
T_FUNCTION t_partial t_partial_at(t_partial p, t_uint32 lane) {
  p.row = t_word_at(p.row, lane);
  p.flags = t_word_at(p.flags, lane);
  p.value = t_value_at(p.value, lane);
  return p;
}
// That of lane ^ distance, which has no head.
T_FUNCTION t_partial t_partial_across(t_partial p, t_uint32 distance) {
  p.flags = t_word_across(p.flags, distance);
  p.value = t_value_across(p.value, distance);
  return p;
}
#define T_SUBGROUP_UP(word, distance) t_word_up(word, distance)
#define T_SUBGROUP_AT(word, lane) t_word_at(word, lane)
#define T_SUBGROUP_ACROSS(word, distance) t_word_across(word, distance)
#define T_PARTIAL_UP(p, distance) t_partial_up(p, distance)
#define T_PARTIAL_AT(p, lane) t_partial_at(p, lane)
#define T_PARTIAL_ACROSS(p, distance) t_partial_across(p, distance)

// Inclusive scan of partials over the subgroup, in the order of lanes. Ballots say how far a lane's
// segment reaches and who has found something, so that values alone are shuffled in each step.
// `all_found`: every lane has.
T_FUNCTION t_partial t_scan_partials(t_partial p, t_uint32 all_found) {
  const t_uint32 lane = t_lane();
  const t_uint32 heads = t_ballot(p.flags & t_head) & (0xffffffffu >> (T_SUBGROUP - 1 - lane));
  const t_uint32 start = heads != 0 ? t_highest_bit(heads) : 0;
  t_uint32 found = p.flags & t_found;
  if (all_found) {
    T_UNROLL for (t_uint32 distance = 1; distance < T_SUBGROUP; distance *= 2) {
      const t_z sum = t_add(t_value_up(p.value, distance), p.value);
      if (lane >= start + distance) p.value = sum;
    }
  } else {
    T_UNROLL for (t_uint32 distance = 1; distance < T_SUBGROUP; distance *= 2) {
      const t_z left = t_value_up(p.value, distance);
      const t_uint32 finders = t_ballot(found);
      if (lane >= start + distance && (finders >> (lane - distance) & 1u)) {
        p.value = found ? t_add(left, p.value) : left;
        found = t_found;
      }
    }
  }
  p.row = t_word_at(p.row, start);
  p.flags = found | (heads != 0 ? t_head : 0u);
  return p;
}

// Whether `flag` is set in any of the `width` neighbouring lanes (a power of two).
T_FUNCTION t_uint32 t_any_of(t_uint32 flag, t_uint32 width) {
  return t_ballot(flag) >> (t_lane() & ~(width - 1)) & (0xffffffffu >> (T_SUBGROUP - width));
}

#else  // through local memory; one's own slot is written between two barriers

#define T_EXCHANGE()                            \
  T_LOCAL_ARRAY t_partial exchanged[T_SUBGROUP];   \
  T_LOCAL_ARRAY t_uint32 exchanged_word[T_SUBGROUP]
#define T_EXCHANGE_PARAMETERS , T_LOCAL t_partial *exchanged, T_LOCAL t_uint32 *exchanged_word
#define T_EXCHANGE_ARGUMENTS , exchanged, exchanged_word

T_FUNCTION t_partial t_partial_from(t_partial p, t_uint32 from T_EXCHANGE_PARAMETERS) {
  T_SUBGROUP_SYNC();
  exchanged[t_lane()] = p;
  T_SUBGROUP_SYNC();
  return exchanged[from];
}
T_FUNCTION t_uint32 t_word_from(t_uint32 word, t_uint32 from T_EXCHANGE_PARAMETERS) {
  T_SUBGROUP_SYNC();
  exchanged_word[t_lane()] = word;
  T_SUBGROUP_SYNC();
  return exchanged_word[from];
}
T_FUNCTION t_uint32 t_lane_below(t_uint32 distance) {
  return t_lane() >= distance ? t_lane() - distance : t_lane();
}
#define T_SUBGROUP_UP(word, distance) \
  t_word_from(word, t_lane_below(distance) T_EXCHANGE_ARGUMENTS)
#define T_SUBGROUP_AT(word, lane) t_word_from(word, lane T_EXCHANGE_ARGUMENTS)
#define T_SUBGROUP_ACROSS(word, distance) t_word_from(word, t_lane() ^ (distance)T_EXCHANGE_ARGUMENTS)
#define T_PARTIAL_UP(p, distance) t_partial_from(p, t_lane_below(distance) T_EXCHANGE_ARGUMENTS)
#define T_PARTIAL_AT(p, lane) t_partial_from(p, lane T_EXCHANGE_ARGUMENTS)
#define T_PARTIAL_ACROSS(p, distance) t_partial_from(p, t_lane() ^ (distance)T_EXCHANGE_ARGUMENTS)

// Inclusive scan of partials over the subgroup, in the order of lanes.
T_FUNCTION t_partial t_scan_partials(t_partial p, t_uint32 all_found T_EXCHANGE_PARAMETERS) {
  (void)all_found;
  T_UNROLL for (t_uint32 distance = 1; distance < T_SUBGROUP; distance *= 2) {
    const t_partial left = T_PARTIAL_UP(p, distance);
    if (t_lane() >= distance) p = t_join(left, p);
  }
  return p;
}

// Whether `flag` is set in any of the `width` neighbouring lanes (a power of two).
T_FUNCTION t_uint32 t_any_of(t_uint32 flag, t_uint32 width T_EXCHANGE_PARAMETERS) {
  for (t_uint32 distance = 1; distance < width; distance *= 2)
    flag |= T_SUBGROUP_ACROSS(flag, distance);
  return flag;
}
#endif


// Exclusive scan of counts.
T_FUNCTION t_uint32 t_scan_counts(t_uint32 count T_EXCHANGE_PARAMETERS) {
  t_uint32 sum = count;
  T_UNROLL for (t_uint32 distance = 1; distance < T_SUBGROUP; distance *= 2) {
    const t_uint32 left = T_SUBGROUP_UP(sum, distance);
    if (t_lane() >= distance) sum += left;
  }
  return sum - count;
}

// The sum over each `width` neighbouring lanes (a power of two), in all of them, of partials without
// heads.
T_FUNCTION t_partial t_reduce_partials(t_partial p, t_uint32 width T_EXCHANGE_PARAMETERS) {
  for (t_uint32 distance = 1; distance < width; distance *= 2) {
    const t_partial other = T_PARTIAL_ACROSS(p, distance);
    p = t_lane() & distance ? t_join(other, p) : t_join(p, other);
  }
  return p;
}
