// SPDX-License-Identifier: Apache-2.0
// What a round of rounds_by_direction.kernel reads and finds, and the sums of a pull.

#define T_LACKING 0u
#define T_ENTRY 0xffffffffu
#define T_FRONTIER 1u  // the number of the frontier that the first round begins with

#define T_NOWHERE 0xffffffffu
#define T_BATCH 4  // entries of a work-item whose loads are under way together

// In a pull a work-item sums so many entries of its row, or all if the row has no more than T_LONG_PULL,
// unless only T_FEW rows of the subgroup are left, which it sums together.
#define T_ALONE 16u
#define T_LONG_PULL 128u
#define T_FEW 4u
// Longer rows are listed, as many as there is room for in a group, and summed at its end: those of up to
// T_VERY_LONG entries by a subgroup each, the others by all of the group.
#define T_ROOM 1024u
#define T_SPREADS (T_SHUFFLE && T_SUBGROUPS > 1)  // whether all of a group sum a row

#if T_EXITS_AT_FIRST || T_TERMINAL
#define T_EXITS 1
#else
#define T_EXITS 0
#endif

// What a work-item, or a group, has found: positions, and edges that leave them.
typedef struct {
  t_uint32 count, edges;
} t_found;
T_FUNCTION t_uint32 t_in_units(t_uint64 edges, t_uint32 shift) {
  return (t_uint32)((edges + (1u << shift) - 1) >> shift);
}

typedef struct {
  t_offsets offsets, of_transpose;
  T_GLOBAL const t_uint32* columns;  // of the matrix
  T_GLOBAL const t_matrix* a;
  T_GLOBAL const t_uint32* transpose_columns;
  T_GLOBAL const t_matrix* transpose_a;
  t_uint32 iso;
  t_parameters parameters;
  T_GLOBAL t_uint32* stage;
  T_GLOBAL t_z* values;               // of the frontiers of all rounds
  T_GLOBAL const t_uint32* frontier;  // bits of the round's frontier, and of what it finds
  T_GLOBAL t_uint32* found;
  t_uint32 number, shift;
} t_rounds;

typedef struct {
  t_uint32 position;
  t_uint64 begin, end;  // its entries
} t_row;
T_FUNCTION t_row t_row_at(t_offsets offsets, t_uint32 position) {
  t_row row;
  row.position = position;
  row.begin = t_offset(offsets, position);
  row.end = t_offset(offsets, (t_uint64)position + 1);
  return row;
}

// Whether no further product changes a sum, of a row that is read in ascending order.
T_FUNCTION t_uint32 t_is_final(t_partial sum) {
#if T_EXITS_AT_FIRST
  return (sum.flags & T_HAS_VALUE) != 0;
#elif T_TERMINAL
  return (sum.flags & T_HAS_VALUE) != 0 && t_is_terminal(sum.value);
#else
  (void)sum;
  return 0;
#endif
}

// Some entries of a row of the transpose, as far as their columns are in the frontier.
T_FUNCTION t_partial t_sum_batch(t_rounds rounds, t_partial sum, t_row row, t_uint64 entry,
                                 t_uint32 step) {
  t_uint32 column[T_BATCH], is_there[T_BATCH];
  T_UNROLL for (t_uint32 n = 0; n < T_BATCH; ++n) {
    is_there[n] = entry + n * step < row.end;
    column[n] = 0;
    if (is_there[n]) column[n] = rounds.transpose_columns[entry + n * step];
  }
  T_UNROLL for (t_uint32 n = 0; n < T_BATCH; ++n)
    if (is_there[n]) is_there[n] = rounds.frontier[column[n] / 32] >> column[n] % 32 & 1u;
  T_UNROLL for (t_uint32 n = 0; n < T_BATCH; ++n)
    if (is_there[n])
      sum = t_append(sum, T_PRODUCT(rounds.transpose_a[rounds.iso ? 0 : entry + n * step], rounds.values[column[n]],
                                    row.position, column[n], rounds.parameters));
  return sum;
}

// What a group shares in a pull: the rows that are left, long ones from the front of the list, very long
// ones from its back; how many there are of each, and of both, also of those without room.
typedef struct {
  T_LOCAL t_uint32* left;
  T_LOCAL t_uint32 *long_count, *very_long_count, *count;
  T_LOCAL t_uint32* is_final;  // two flags
  T_LOCAL t_partial* sums;     // of each subgroup
} t_shared;

#if T_SHUFFLE
// Whether there is room to list a row.
T_FUNCTION t_uint32 t_leave(t_shared shared, t_row row) {
  if (t_local_atomic_add(shared.count, 1u) >= T_ROOM) return 0;
  if (T_SPREADS && row.end - row.begin > T_VERY_LONG)
    shared.left[T_ROOM - 1 - t_local_atomic_add(shared.very_long_count, 1u)] = row.position;
  else
    shared.left[t_local_atomic_add(shared.long_count, 1u)] = row.position;
  return 1;
}

// A row from the entry `done` on, by all lanes of a subgroup: they have the sum.
T_FUNCTION t_partial t_sum_by_subgroup(t_exchange exchange, t_rounds rounds, t_row row,
                                       t_uint32 done) {
  t_partial sum = t_nothing();
  t_uint32 goes_on = 1;
  for (t_uint64 entry = row.begin + done; entry < row.end && goes_on;
       entry += T_BATCH * T_SUBGROUP) {
    sum = t_sum_batch(rounds, sum, row, entry + t_lane(), T_SUBGROUP);
#if T_EXITS
    goes_on = !t_any_of(exchange, t_is_final(sum), T_SUBGROUP);
#endif
  }
  return t_reduce_partials(exchange, sum, T_SUBGROUP);
}

// The rows of those lanes that have something left.
T_FUNCTION t_partial t_sum_left(t_exchange exchange, t_rounds rounds, t_row row, t_partial sum,
                                t_uint32 done, t_uint32 is_left) {
  for (t_uint32 left = t_ballot(is_left); left != 0;) {
    const t_uint32 lane = t_highest_bit(left);
    left &= ~(1u << lane);
    const t_partial rest = t_sum_by_subgroup(
        exchange, rounds, t_row_at(rounds.of_transpose, t_word_at(exchange, row.position, lane)),
        done);
    if (t_lane() == lane) sum = t_join(sum, rest);
  }
  return sum;
}
#endif

// The sum of a work-item's row. With shuffles, the subgroup helps where much is left of a row, or where few
// rows are left.
T_FUNCTION t_partial t_sum_row(t_exchange exchange, t_rounds rounds, t_shared shared, t_row row) {
  t_partial sum = t_nothing();
  t_uint32 goes_on = row.begin < row.end;
#if T_SHUFFLE
  t_uint32 done = 0, many = t_ballot(goes_on) != 0;
  while (many) {
    if (goes_on) sum = t_sum_batch(rounds, sum, row, row.begin + done, 1);
    done += T_BATCH;
    goes_on = goes_on && row.begin + done < row.end && !t_is_final(sum);
    if (done == T_ALONE) {
      t_uint32 is_long = goes_on && row.end - row.begin > T_LONG_PULL;
      if (is_long) goes_on = 0;
      if (is_long && t_leave(shared, row)) {
        is_long = 0;
        sum = t_nothing();
      }
      sum = t_sum_left(exchange, rounds, row, sum, done, is_long);
    }
    many = t_popcount(t_ballot(goes_on)) > (done < T_ALONE ? 0u : T_FEW);
  }
  if (done >= T_ALONE) sum = t_sum_left(exchange, rounds, row, sum, done, goes_on);
#else
  (void)exchange;
  (void)shared;
  for (t_uint64 entry = row.begin; goes_on; entry += T_BATCH) {
    sum = t_sum_batch(rounds, sum, row, entry, 1);
    goes_on = entry + T_BATCH < row.end && !t_is_final(sum);
  }
#endif
  return sum;
}

// Stores what the round finds at a position.
T_FUNCTION t_found t_store_sum(t_rounds rounds, t_found found, t_uint64 position, t_z sum) {
  rounds.stage[position] = rounds.number + 1;
  rounds.values[position] = sum;
  ++found.count;
  found.edges += t_in_units(t_offset(rounds.offsets, position + 1) -
                                t_offset(rounds.offsets, position), rounds.shift);
  return found;
}

// And its bit.
T_FUNCTION t_found t_store_found(t_rounds rounds, t_found found, t_uint32 position, t_z sum) {
  t_atomic_or(rounds.found + position / 32, 1u << position % 32);
  return t_store_sum(rounds, found, position, sum);
}

#if T_SHUFFLE
// The sum of a row by all of a group: work-item 0 has it.
T_FUNCTION t_partial t_sum_by_group(t_exchange exchange, t_rounds rounds, t_shared shared,
                                    t_row row) {
  t_partial sum = t_nothing();
  t_uint32 turn = 0, goes_on = 1;
  if (t_local_id() < 2) shared.is_final[t_local_id()] = 0;
  T_BARRIER();
  for (t_uint64 entry = row.begin; entry < row.end && goes_on; entry += T_BATCH * T_GROUP) {
    sum = t_sum_batch(rounds, sum, row, entry + t_local_id(), T_GROUP);
#if T_EXITS
    if (t_is_final(sum)) shared.is_final[turn] = 1;
    T_BARRIER();
    goes_on = !shared.is_final[turn];
    turn = 1 - turn;
#endif
  }
  sum = t_reduce_partials(exchange, sum, T_SUBGROUP);
  if (t_lane() == 0) shared.sums[t_subgroup_of_group()] = sum;
  T_BARRIER();
  for (t_uint32 n = 1; n < T_SUBGROUPS && t_local_id() == 0; ++n)
    sum = t_join(sum, shared.sums[n]);
  return sum;
}

// The rows that are listed. The first lane of those that sum one stores it.
T_FUNCTION t_found t_pull_left(t_exchange exchange, t_rounds rounds, t_shared shared,
                               t_found before) {
  t_found found = before;
  T_BARRIER();
  const t_uint32 of_subgroups = *shared.long_count, of_group = *shared.very_long_count;
  for (t_uint32 k = t_subgroup_of_group(); k < of_subgroups; k += T_SUBGROUPS) {
    const t_row row = t_row_at(rounds.of_transpose, shared.left[k]);
    const t_partial sum = t_sum_by_subgroup(exchange, rounds, row, 0);
    if (t_lane() == 0 && (sum.flags & T_HAS_VALUE))
      found = t_store_found(rounds, found, row.position, sum.value);
  }
  for (t_uint32 k = 0; k < of_group; ++k) {
    const t_row row = t_row_at(rounds.of_transpose, shared.left[T_ROOM - 1 - k]);
    const t_partial sum = t_sum_by_group(exchange, rounds, shared, row);
    if (t_local_id() == 0 && (sum.flags & T_HAS_VALUE))
      found = t_store_found(rounds, found, row.position, sum.value);
  }
  return found;
}
#endif

// An empty row unless the position is lacking.
T_FUNCTION t_row t_lacking_row(t_rounds rounds, t_uint32 position) {
  t_row row;
  row.position = position;
  row.begin = row.end = 0;
  return rounds.stage[position] == T_LACKING ? t_row_at(rounds.of_transpose, position) : row;
}

// Rows of more than T_VERY_LONG entries are often beside each other, too: the groups take them in turn.
T_FUNCTION t_found t_pull_very_long(t_exchange exchange, t_rounds rounds, t_shared shared,
                                    T_GLOBAL const t_uint32* rows, t_uint32 count) {
  t_found found = {0, 0};
  for (t_uint64 base = 0; base < count; base += t_group_count() * T_GROUP) {
    const t_uint64 k = base + t_local_id() * t_group_count() + t_group_id();
    t_row row;
    row.position = 0;
    row.begin = row.end = 0;
    if (k < count) row = t_lacking_row(rounds, rows[k]);
    const t_partial sum = t_sum_row(exchange, rounds, shared, row);
    if (sum.flags & T_HAS_VALUE) found = t_store_found(rounds, found, row.position, sum.value);
  }
  return found;
}

T_FUNCTION t_found t_pull(t_exchange exchange, t_rounds rounds, t_shared shared, t_uint64 n,
                          T_GLOBAL const t_uint32* very_long, t_uint32 very_long_count) {
  t_found found = t_pull_very_long(exchange, rounds, shared, very_long, very_long_count);
  // Long rows are often beside each other: the subgroups of a group take rows that are not.
  const t_uint64 subgroups = t_group_count() * T_SUBGROUPS;
  for (t_uint64 unit = t_subgroup_of_group() * t_group_count() + t_group_id();
       unit * T_SUBGROUP < n; unit += subgroups) {
    const t_uint64 i = unit * T_SUBGROUP + t_lane();
    t_row row;
    row.position = 0;
    row.begin = row.end = 0;
    if (i < n) row = t_lacking_row(rounds, (t_uint32)i);
    if (T_SPREADS && row.end - row.begin > T_VERY_LONG) row.end = row.begin;
    const t_partial sum = t_sum_row(exchange, rounds, shared, row);
    const t_uint32 is_found = (sum.flags & T_HAS_VALUE) != 0;
    if (is_found) found = t_store_sum(rounds, found, i, sum.value);
#if T_SHUFFLE  // T_SUBGROUP is 32; other groups find very long rows of the word
    const t_uint32 bits = t_ballot(is_found);
    if (t_lane() == 0 && bits != 0) t_atomic_or(rounds.found + i / 32, bits);
#else
    if (is_found) t_atomic_or(rounds.found + i / 32, 1u << (t_uint32)(i % 32));
#endif
  }
#if T_SHUFFLE
  found = t_pull_left(exchange, rounds, shared, found);
#endif
  return found;
}
