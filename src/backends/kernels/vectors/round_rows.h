// SPDX-License-Identifier: Apache-2.0
// Rows of listed positions: what rounds_by_rows.kernel and rounds_back.kernel share.
//
// T_LANES neighbouring work-items sum a row of up to T_SHORT entries, a subgroup one of up to T_VERY_LONG,
// and all of a group a longer one, after the others; if a group finds more than T_MOST_VERY_LONG of these, a
// subgroup sums the rest, in the same order. So a sum depends on the entries of its row alone, not on the
// launch: work-items take the entries in turn, and their sums are joined in the order of lanes.
//
// Several groups take the rows of a list by tiles. In a launch of T_TOGETHER groups that wait for one
// another, consecutive subgroups of rows are in different groups.

#define T_NOWHERE 0xffffffffu
#define T_MOST_VERY_LONG 256u
#define T_ITEMS (T_GROUP * T_TOGETHER)
#define T_ROWS_AT_ONCE (T_ITEMS / T_LANES)
#define T_BATCH 4  // entries of a work-item whose loads are under way together

T_FUNCTION t_uint32 t_this_group(void) { return T_TOGETHER > 1 ? (t_uint32)t_group_id() : 0u; }
// The number of a work-item among those of all groups.
T_FUNCTION t_uint32 t_item(void) {
  return (t_subgroup_of_group() * T_TOGETHER + t_this_group()) * T_SUBGROUP + t_lane();
}

// Rows of a group at a time, so that all groups of a launch have some of `count`.
T_FUNCTION t_uint32 t_tile_of(t_uint64 count) {
  const t_uint64 groups = t_group_count(), rows_per_group = (count + groups - 1) / groups;
  return rows_per_group < T_GROUP / T_LANES ? (t_uint32)rows_per_group : T_GROUP / T_LANES;
}

// The row of a work-item in a tile: few rows are in different subgroups.
T_FUNCTION t_uint32 t_row_of_tile(void) {
  return t_lane() / T_LANES * T_SUBGROUPS + t_subgroup_of_group();
}

typedef struct {
  t_uint32 position, exists;
  t_uint64 begin, end;  // its entries
} t_row;

T_FUNCTION t_row t_row_at(t_offsets offsets, t_uint32 position) {
  t_row row;
  row.position = position;
  row.exists = 1;
  row.begin = t_offset(offsets, position);
  row.end = t_offset(offsets, (t_uint64)position + 1);
  return row;
}
// Of the n-th of the listed positions, if there are more than n.
T_FUNCTION t_row t_load_row(t_offsets offsets, T_GLOBAL const t_uint32* positions, t_uint64 n,
                            t_uint64 count) {
  t_row row;
  if (n < count) return t_row_at(offsets, positions[n]);
  row.position = row.exists = 0;
  row.begin = row.end = 0;
  return row;
}

// The entries of rows, and the number of each column: products are those of one number.
typedef struct {
  T_GLOBAL const t_uint32* columns;
  T_GLOBAL const t_matrix* a;
  t_uint32 iso;
  t_parameters parameters;
  T_GLOBAL const t_uint32* numbers;
} t_entries_of;

// name(entries, values, number, row, first entry, step): the sum over entries of the row whose column has
// that number.
#define T_SUM_ENTRIES(name, type)                                                                  \
  T_FUNCTION t_partial name(t_entries_of of, T_GLOBAL const type* values, t_uint32 number,         \
                            t_row row, t_uint64 entry, t_uint32 step) {                            \
    t_partial sum = t_nothing();                                                                   \
    for (; entry < row.end; entry += T_BATCH * step) {                                             \
      t_uint32 column[T_BATCH], is_there[T_BATCH];                                                 \
      T_UNROLL for (t_uint32 n = 0; n < T_BATCH; ++n) {                                            \
        is_there[n] = entry + n * step < row.end;                                                  \
        column[n] = 0;                                                                             \
        if (is_there[n]) column[n] = of.columns[entry + n * step];                                 \
      }                                                                                            \
      T_UNROLL for (t_uint32 n = 0; n < T_BATCH; ++n)                                              \
        if (is_there[n]) is_there[n] = of.numbers[column[n]] == number;                            \
      T_UNROLL for (t_uint32 n = 0; n < T_BATCH; ++n)                                              \
        if (is_there[n])                                                                           \
          sum = t_append(sum, T_PRODUCT(of.a[of.iso ? 0 : entry + n * step], values[column[n]],    \
                                        row.position, column[n], of.parameters));                  \
    }                                                                                              \
    return sum;                                                                                    \
  }

// What a group shares: the positions whose rows are too long for a subgroup.
typedef struct {
  T_LOCAL t_uint32* positions;
  T_LOCAL t_uint32* count;
  T_LOCAL t_partial* sums;  // of each subgroup
} t_very_long;
#define T_VERY_LONG_ROWS(name)                               \
  T_LOCAL_ARRAY t_uint32 name##_positions[T_MOST_VERY_LONG]; \
  T_LOCAL_ARRAY t_uint32 name##_count[1];                    \
  T_LOCAL_ARRAY t_partial name##_sums[T_SUBGROUPS];          \
  const t_very_long name = {name##_positions, name##_count, name##_sums}; \
  if (t_local_id() == 0) name##_count[0] = 0

// name(exchange, c, offsets, very_long, row, any_long): takes a row for each T_LANES work-items of a
// subgroup, all of which call it. any_long: whether there may be a row of more than T_SHORT entries.
// name##_very_long: takes those that are listed; all of a group call it, after its last other call.
//   prepare(c, position)               loads what `finish` needs
//   visit(c, row, first entry, step)   a work-item's share of the row: a partial sum
//   finish(c, position, sum, prepared)
#define T_TAKE_ROWS(name, context, prepared, prepare, visit, finish)                               \
  T_FUNCTION void name(t_exchange exchange, context c, t_offsets offsets, t_very_long very_long,   \
                       t_row row, t_uint32 any_long) {                                             \
    const t_uint32 lane = t_local_id() % T_LANES, is_long = row.end - row.begin > T_SHORT;         \
    prepared before;                                                                               \
    if (row.exists) before = prepare(c, row.position);                                             \
    t_partial sum = t_nothing();                                                                   \
    if (!is_long) sum = visit(c, row, row.begin + lane, T_LANES);                                  \
    sum = t_reduce_partials(exchange, sum, T_LANES);                                               \
    if (lane == 0 && row.exists && !is_long) finish(c, row.position, sum, before);                 \
    if (!any_long) return;                                                                         \
    for (t_uint32 k = 0; k < T_SUBGROUP; k += T_LANES) {                                           \
      const t_uint32 position = t_word_at(exchange, is_long ? row.position : T_NOWHERE, k);        \
      if (position == T_NOWHERE) continue;                                                         \
      const t_row one = t_row_at(offsets, position);                                               \
      if (T_SUBGROUPS > 1 && one.end - one.begin > T_VERY_LONG) {                                  \
        t_uint32 place = 0;                                                                        \
        if (t_lane() == 0) {                                                                       \
          place = t_local_atomic_add(very_long.count, 1u);                                         \
          if (place < T_MOST_VERY_LONG) very_long.positions[place] = position;                     \
        }                                                                                          \
        if (t_word_at(exchange, place, 0) < T_MOST_VERY_LONG) continue;                            \
      }                                                                                            \
      const t_uint32 shares =                                                                      \
          T_SUBGROUPS > 1 && one.end - one.begin > T_VERY_LONG ? T_SUBGROUPS : 1u;                 \
      t_partial of_row = t_nothing();                                                              \
      for (t_uint32 n = 0; n < shares; ++n) {                                                      \
        const t_partial share = visit(c, one, one.begin + n * T_SUBGROUP + t_lane(),               \
                                      shares * T_SUBGROUP);                                        \
        of_row = t_join(of_row, t_reduce_partials(exchange, share, T_SUBGROUP));                   \
      }                                                                                            \
      if (t_lane() == 0) finish(c, position, of_row, prepare(c, position));                        \
    }                                                                                              \
  }                                                                                                \
  T_FUNCTION void name##_very_long(t_exchange exchange, context c, t_offsets offsets,              \
                                   t_very_long very_long) {                                        \
    T_BARRIER();                                                                                   \
    const t_uint32 listed = *very_long.count,                                                      \
                   all = listed < T_MOST_VERY_LONG ? listed : T_MOST_VERY_LONG;                    \
    for (t_uint32 k = 0; k < all; ++k) {                                                           \
      const t_row one = t_row_at(offsets, very_long.positions[k]);                                 \
      t_partial of_row = visit(c, one, one.begin + t_local_id(), T_GROUP);                         \
      of_row = t_reduce_partials(exchange, of_row, T_SUBGROUP);                                    \
      if (t_lane() == 0) very_long.sums[t_subgroup_of_group()] = of_row;                           \
      T_BARRIER();                                                                                 \
      if (t_local_id() == 0) {                                                                     \
        for (t_uint32 n = 1; n < T_SUBGROUPS; ++n) of_row = t_join(of_row, very_long.sums[n]);     \
        finish(c, one.position, of_row, prepare(c, one.position));                                 \
      }                                                                                            \
      T_BARRIER();                                                                                 \
    }                                                                                              \
  }
