// SPDX-License-Identifier: Apache-2.0
// Collectives of a subgroup of T_SUBGROUP work-items: every work-item of the subgroup calls them, in
// the same order. By shuffles where the hardware has them (dialect_*.h), else through local memory,
// where a work-group is one subgroup and its barrier the subgroup's own.
//
// A kernel that uses them declares what they exchange through in its first line, T_EXCHANGE(exchange),
// and passes it on.

#define T_GROUP (T_SUBGROUP * T_SUBGROUPS)

// Of T_KERNEL_OF: registers are spared until this many work-items run at once on a processor, because
// these kernels wait for memory. Wide sums are left as they are.
#define T_GROUPS_OF(work_items) \
  (sizeof(t_z) <= 8 && T_GROUP <= (work_items) ? (work_items) / T_GROUP : 1)

T_FUNCTION t_uint32 t_lane(void) { return t_local_id() % T_SUBGROUP; }
// The subgroup within its group; T_SUBGROUPS of them make a group.
T_FUNCTION t_uint32 t_subgroup_of_group(void) { return t_local_id() / T_SUBGROUP; }
T_FUNCTION t_uint64 t_subgroup_id(void) { return t_group_id() * T_SUBGROUPS + t_subgroup_of_group(); }

// Whether a subgroup has work. If a subgroup is a group, all of them have, and a barrier in a
// conditional block is more than some compilers bear.
#define T_IS_BUSY(condition) (!T_SHUFFLE || (condition))

// The sum of some consecutive products since the last head among them (the first entry of a row).
// flags: T_HAS_VALUE if there is a product since then, T_HAS_HEAD if there is a head, whose row is
// `row` (program.hpp has their values).
typedef struct {
  t_uint32 row;
  t_uint32 flags;
  t_z value;
} t_partial;

// `next` follows `partial`.
T_FUNCTION t_partial t_join(t_partial partial, t_partial next) {
  if (next.flags & T_HAS_HEAD) return next;
  if (next.flags & T_HAS_VALUE) {
    if (partial.flags & T_HAS_VALUE) partial.value = t_add(partial.value, next.value);
    else partial.value = next.value;
    partial.flags |= T_HAS_VALUE;
  }
  return partial;
}

T_FUNCTION t_partial t_nothing(void) {
  t_partial partial;
  partial.row = 0;
  partial.flags = 0;
  partial.value = t_identity();
  return partial;
}

T_FUNCTION t_partial t_append(t_partial partial, t_z product) {
  partial.value = partial.flags & T_HAS_VALUE ? t_add(partial.value, product) : product;
  partial.flags |= T_HAS_VALUE;
  return partial;
}

#define T_VALUE_WORDS ((sizeof(t_z) + 3) / 4)
typedef union {
  t_z value;
  t_uint32 word[T_VALUE_WORDS];
} t_value_words;

#if T_SHUFFLE

// Nothing is exchanged through memory.
typedef struct {
  t_uint32 unused;
} t_exchange;
#define T_EXCHANGE(exchange) const t_exchange exchange = {0}

// The value of the lane `distance` below; one's own if there is none.
T_FUNCTION t_uint32 t_word_up(t_exchange exchange, t_uint32 word, t_uint32 distance) {
  (void)exchange;
  return t_shuffle_up(word, distance);
}
// The value of a lane, the same one for all.
T_FUNCTION t_uint32 t_word_at(t_exchange exchange, t_uint32 word, t_uint32 lane) {
  (void)exchange;
  return t_shuffle_at(word, lane);
}
// The value of lane ^ distance.
T_FUNCTION t_uint32 t_word_across(t_exchange exchange, t_uint32 word, t_uint32 distance) {
  (void)exchange;
  return t_shuffle_across(word, distance);
}

T_FUNCTION t_z t_value_up(t_z value, t_uint32 distance) {
  t_value_words words, result;
  words.value = value;
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    result.word[n] = t_shuffle_up(words.word[n], distance);
  return result.value;
}
T_FUNCTION t_z t_value_at(t_z value, t_uint32 lane) {
  t_value_words words, result;
  words.value = value;
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    result.word[n] = t_shuffle_at(words.word[n], lane);
  return result.value;
}
T_FUNCTION t_z t_value_across(t_z value, t_uint32 distance) {
  t_value_words words, result;
  words.value = value;
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    result.word[n] = t_shuffle_across(words.word[n], distance);
  return result.value;
}

T_FUNCTION t_partial t_partial_up(t_exchange exchange, t_partial partial, t_uint32 distance) {
  partial.row = t_word_up(exchange, partial.row, distance);
  partial.flags = t_word_up(exchange, partial.flags, distance);
  partial.value = t_value_up(partial.value, distance);
  return partial;
}
T_FUNCTION t_partial t_partial_at(t_exchange exchange, t_partial partial, t_uint32 lane) {
  partial.row = t_word_at(exchange, partial.row, lane);
  partial.flags = t_word_at(exchange, partial.flags, lane);
  partial.value = t_value_at(partial.value, lane);
  return partial;
}
// Of a partial without a head.
T_FUNCTION t_partial t_partial_across(t_exchange exchange, t_partial partial, t_uint32 distance) {
  partial.flags = t_word_across(exchange, partial.flags, distance);
  partial.value = t_value_across(partial.value, distance);
  return partial;
}

// Inclusive scan of partials over the subgroup, in the order of lanes. Ballots give the first lane of
// a lane's segment and the lanes that have a value, so that values alone are shuffled in each step.
// `all_have_values`: every lane has.
T_FUNCTION t_partial t_scan_partials(t_exchange exchange, t_partial partial,
                                     t_uint32 all_have_values) {
  const t_uint32 lane = t_lane();
  const t_uint32 heads =
      t_ballot(partial.flags & T_HAS_HEAD) & (0xffffffffu >> (T_SUBGROUP - 1 - lane));
  const t_uint32 start = heads != 0 ? t_highest_bit(heads) : 0;
  t_uint32 found = partial.flags & T_HAS_VALUE;
  if (all_have_values) {
    T_UNROLL for (t_uint32 distance = 1; distance < T_SUBGROUP; distance *= 2) {
      const t_z sum = t_add(t_value_up(partial.value, distance), partial.value);
      if (lane >= start + distance) partial.value = sum;
    }
  } else {
    T_UNROLL for (t_uint32 distance = 1; distance < T_SUBGROUP; distance *= 2) {
      const t_z before = t_value_up(partial.value, distance);
      const t_uint32 finders = t_ballot(found);
      if (lane >= start + distance && (finders >> (lane - distance) & 1u)) {
        partial.value = found ? t_add(before, partial.value) : before;
        found = T_HAS_VALUE;
      }
    }
  }
  partial.row = t_word_at(exchange, partial.row, start);
  partial.flags = found | (heads != 0 ? T_HAS_HEAD : 0u);
  return partial;
}

// Whether `flag` is set in any of the `width` neighbouring lanes (a power of two).
T_FUNCTION t_uint32 t_any_of(t_exchange exchange, t_uint32 flag, t_uint32 width) {
  (void)exchange;
  return t_ballot(flag) >> (t_lane() & ~(width - 1)) & (0xffffffffu >> (T_SUBGROUP - width));
}

#else  // through local memory; one's own slot is written between two barriers

typedef struct {
  T_LOCAL t_partial* partials;
  T_LOCAL t_uint32* words;
} t_exchange;
#define T_EXCHANGE(exchange)                         \
  T_LOCAL_ARRAY t_partial exchange##_partials[T_SUBGROUP]; \
  T_LOCAL_ARRAY t_uint32 exchange##_words[T_SUBGROUP];     \
  const t_exchange exchange = {exchange##_partials, exchange##_words}

T_FUNCTION t_uint32 t_word_at(t_exchange exchange, t_uint32 word, t_uint32 lane) {
  T_SUBGROUP_SYNC();
  exchange.words[t_lane()] = word;
  T_SUBGROUP_SYNC();
  return exchange.words[lane];
}
T_FUNCTION t_partial t_partial_at(t_exchange exchange, t_partial partial, t_uint32 lane) {
  T_SUBGROUP_SYNC();
  exchange.partials[t_lane()] = partial;
  T_SUBGROUP_SYNC();
  return exchange.partials[lane];
}

T_FUNCTION t_uint32 t_lane_below(t_uint32 distance) {
  return t_lane() >= distance ? t_lane() - distance : t_lane();
}
// As with shuffles.
T_FUNCTION t_uint32 t_word_up(t_exchange exchange, t_uint32 word, t_uint32 distance) {
  return t_word_at(exchange, word, t_lane_below(distance));
}
T_FUNCTION t_uint32 t_word_across(t_exchange exchange, t_uint32 word, t_uint32 distance) {
  return t_word_at(exchange, word, t_lane() ^ distance);
}
T_FUNCTION t_partial t_partial_up(t_exchange exchange, t_partial partial, t_uint32 distance) {
  return t_partial_at(exchange, partial, t_lane_below(distance));
}
T_FUNCTION t_partial t_partial_across(t_exchange exchange, t_partial partial, t_uint32 distance) {
  return t_partial_at(exchange, partial, t_lane() ^ distance);
}

T_FUNCTION t_partial t_scan_partials(t_exchange exchange, t_partial partial,
                                     t_uint32 all_have_values) {
  (void)all_have_values;
  T_UNROLL for (t_uint32 distance = 1; distance < T_SUBGROUP; distance *= 2) {
    const t_partial before = t_partial_up(exchange, partial, distance);
    if (t_lane() >= distance) partial = t_join(before, partial);
  }
  return partial;
}

T_FUNCTION t_uint32 t_any_of(t_exchange exchange, t_uint32 flag, t_uint32 width) {
  for (t_uint32 distance = 1; distance < width; distance *= 2)
    flag |= t_word_across(exchange, flag, distance);
  return flag;
}
#endif

// Exclusive scan of counts.
T_FUNCTION t_uint32 t_scan_counts(t_exchange exchange, t_uint32 count) {
  t_uint32 sum = count;
  T_UNROLL for (t_uint32 distance = 1; distance < T_SUBGROUP; distance *= 2) {
    const t_uint32 before = t_word_up(exchange, sum, distance);
    if (t_lane() >= distance) sum += before;
  }
  return sum - count;
}

// The sum over each `width` neighbouring lanes (a power of two), in all of them, of partials without
// heads.
T_FUNCTION t_partial t_reduce_partials(t_exchange exchange, t_partial partial, t_uint32 width) {
  for (t_uint32 distance = 1; distance < width; distance *= 2) {
    const t_partial other = t_partial_across(exchange, partial, distance);
    partial = t_lane() & distance ? t_join(other, partial) : t_join(partial, other);
  }
  return partial;
}
