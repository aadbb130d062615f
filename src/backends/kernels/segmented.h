// SPDX-License-Identifier: Apache-2.0
// The segmented sum over one tile of T_BUNCH * T_ITEMS products, which coo, csr_segmented and the
// joining of their pieces share (papers 000 and 001, stage 1).
//
// A group takes a run of tiles, each of its bunches some of them one after the other. The products
// of a tile lie in local memory, in the order of entries; `heads` has, for the first entry of each
// row, its row relative to `base` plus one, else 0; `absent` is set where u has no entry. Each
// work-item sums T_ITEMS neighbouring products, a scan over the bunch joins what spans work-items,
// `carry` what spans tiles, and `pieces` what spans bunches. A row that ends in the run is stored at
// once; one that began before it goes to the synchronizer instead, in one slot a group. So every row
// is stored by the one group that holds its first entry, and what other groups have of it is added
// afterwards, in their order.

#define T_TILE (T_BUNCH * T_ITEMS)

// Registers are spared until this many groups run on a processor at once: what these kernels wait
// for is memory. Wide sums are left as they are.
#define T_GROUP (T_BUNCH * T_BUNCHES)
#define T_GROUPS_AT_ONCE (sizeof(t_z) <= 8 && T_GROUP <= 1280 ? 1280 / T_GROUP : 1)

// What a bunch has of rows that it does not hold whole: of the one that began before it, up to the
// bunch's first head (set only where it has one), and of the one that is open at its end.
typedef struct {
  t_partial before, open;
} t_piece;

// The arrays of a tile, one of each a bunch: products, heads, absent; and the row of every entry,
// where the multiply asks for it.
#define T_TILE_ARRAYS()                                                    \
  T_LOCAL_ARRAY t_z all_products[T_BUNCHES * T_TILE];                      \
  T_LOCAL_ARRAY t_uint32 all_heads[T_BUNCHES * T_TILE];                    \
  T_LOCAL_ARRAY t_uint8 all_absent[T_BUNCHES * T_TILE];                    \
  T_LOCAL t_z* products = all_products + t_bunch_of_group() * T_TILE;      \
  T_LOCAL t_uint32* heads = all_heads + t_bunch_of_group() * T_TILE;       \
  T_LOCAL t_uint8* absent = all_absent + t_bunch_of_group() * T_TILE;      \
  T_LOCAL_ARRAY t_piece pieces[T_BUNCHES];                                 \
  T_LOCAL t_piece* piece = pieces + t_bunch_of_group()
#if T_USES_OUTPUT
#define T_ROW_ARRAY()                                      \
  T_LOCAL_ARRAY t_uint32 all_rows[T_BUNCHES * T_TILE];     \
  T_LOCAL t_uint32* row_of = all_rows + t_bunch_of_group() * T_TILE
#else
#define T_ROW_ARRAY() T_LOCAL t_uint32* row_of = heads  // never read
#endif

// --- where sums go ---------------------------------------------------------------------------

// A slot of the synchronizer: a row, whether there is a sum, and its words.
#define T_LATE_WORDS (2 + T_VALUE_WORDS)
#define t_late_row(late, slot) (late)[(slot) * T_LATE_WORDS]
#define t_late_found(late, slot) (late)[(slot) * T_LATE_WORDS + 1]

T_FUNCTION t_z t_late_value(T_GLOBAL const t_uint32* late, t_uint64 slot) {
  t_value_words words;
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    words.word[n] = late[slot * T_LATE_WORDS + 2 + n];
  return words.value;
}
T_FUNCTION void t_store_late(T_GLOBAL t_uint32* late, t_uint64 slot, t_uint32 row, t_partial p) {
  t_value_words words;
  words.word[T_VALUE_WORDS - 1] = 0;
  words.value = p.value;
  t_late_row(late, slot) = row;
  t_late_found(late, slot) = (p.flags & t_found) != 0;
  T_UNROLL for (t_uint32 n = 0; n < T_VALUE_WORDS; ++n)
    late[slot * T_LATE_WORDS + 2 + n] = words.word[n];
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

// `p` is all that the bunch has of a row. One that began before the bunch has no head.
T_FUNCTION void t_settle(t_target to, T_LOCAL t_piece* piece, t_partial p) {
  if (p.flags & t_head) t_store_row(to, p);
  else piece->before = p;
}

// What one work-item of a bunch does alone. Between barriers of its own: PoCL 3.1 lets every
// work-item of the group run a branch that stands right behind a loop with barriers.
#define T_ALONE(statement)           \
  T_BUNCH_SYNC();                    \
  if (t_lane() == 0) {               \
    statement;                       \
  }                                  \
  T_BUNCH_SYNC()

// Joins the pieces of a group's bunches and stores the rows that end in it. `group_row`: the row of
// its first entry.
T_FUNCTION void t_join_pieces(t_target to, T_LOCAL const t_piece* pieces,
                              T_GLOBAL t_uint32* late, t_uint32 group_row) {
  t_partial open = t_nothing(), before = t_nothing();
  for (t_uint32 bunch = 0; bunch < T_BUNCHES; ++bunch) {
    if (pieces[bunch].open.flags & t_head) {
      const t_partial ended = t_join(open, pieces[bunch].before);
      if (ended.flags & t_head) t_store_row(to, ended);
      else before = ended;
      open = pieces[bunch].open;
    } else {
      open = t_join(open, pieces[bunch].open);
    }
  }
  if (open.flags & t_head) t_store_row(to, open);
  else before = open;
  t_store_late(late, t_group_id(), group_row, before);
}
#define T_JOIN_PIECES(late, group_row)                                       \
  T_BARRIER();                                                               \
  if (t_local_id() == 0) t_join_pieces(to, pieces, late, group_row)

// --- a tile ----------------------------------------------------------------------------------

// The entries of a tile that starts with entry `begin`.
T_FUNCTION t_uint32 t_count_of(t_uint64 begin, t_uint64 nnz) {
  return nnz - begin < T_TILE ? (t_uint32)(nnz - begin) : T_TILE;
}

// The n-th entry of a work-item is t_lane() + n * T_BUNCH of the tile, if that is in it.
#define T_INSIDE(n) (t_lane() + (n) * T_BUNCH < count)

T_FUNCTION void t_load_columns(T_GLOBAL const t_uint32* T_RESTRICT columns, t_uint64 begin,
                               t_uint32 count, t_uint32* column) {
  T_GLOBAL const t_uint32* own = columns + (begin + t_lane());
  T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) {
    column[n] = 0;
    if (T_INSIDE(n)) column[n] = T_STREAMED(own[n * T_BUNCH]);
  }
}

// Products of the tile. All loads are on their way before the first is needed: past the tile's end
// they are of the first entry and the first column.
T_FUNCTION void t_multiply_tile(t_uint64 begin, t_uint32 count, const t_uint32* column,
                                T_LOCAL const t_uint32* row_of, T_LOCAL t_z* products,
                                T_LOCAL t_uint8* absent, T_GLOBAL const t_matrix* T_RESTRICT a,
                                t_uint32 iso, T_GLOBAL const t_vector* T_RESTRICT u,
                                T_GLOBAL const t_uint8* T_RESTRICT u_present, t_uint32 bitmap,
                                t_parameters parameters) {
#if T_USES_MATRIX
  T_GLOBAL const t_matrix* own = a + (begin + t_lane());
  const t_matrix first = a[0];
  t_matrix value[T_ITEMS];
  T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) {
    value[n] = first;
    if (!iso && T_INSIDE(n)) value[n] = T_STREAMED(own[n * T_BUNCH]);
  }
#endif
  if (bitmap) {
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) {
      const t_uint32 at = t_lane() + n * T_BUNCH, missing = !u_present[column[n]];
      if (T_INSIDE(n)) absent[at] = (t_uint8)missing;
      if (T_INSIDE(n) && !missing)
        products[at] = T_PRODUCT(value[n], u[column[n]], row_of[at], column[n], parameters);
    }
  } else {
    t_z product[T_ITEMS];
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n)
      product[n] = T_PRODUCT(value[n], u[column[n]], row_of[t_lane() + n * T_BUNCH], column[n],
                             parameters);
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n)
      if (T_INSIDE(n)) products[t_lane() + n * T_BUNCH] = product[n];
  }
}

#if T_USES_OUTPUT
// The row of every entry of a tile, by its heads.
T_FUNCTION void t_fill_rows(T_LOCAL const t_uint32* heads, T_LOCAL t_uint32* row_of, t_uint32 count,
                            t_uint32 base T_EXCHANGE_PARAMETERS) {
  const t_uint32 begin = t_lane() * T_ITEMS;
  t_uint32 last = 0;
  for (t_uint32 n = 0; n < T_ITEMS; ++n)
    if (begin + n < count && heads[begin + n] != 0) last = heads[begin + n];
  for (t_uint32 distance = 1; distance < T_BUNCH; distance *= 2) {
    const t_uint32 left = T_BUNCH_UP(last, distance);
    if (t_lane() >= distance && last < left) last = left;
  }
  const t_uint32 below = T_BUNCH_UP(last, 1);
  t_uint32 row = t_lane() > 0 && below > 0 ? base + (below - 1) : base;
  for (t_uint32 n = 0; n < T_ITEMS; ++n) {
    if (begin + n < count && heads[begin + n] != 0) row = base + (heads[begin + n] - 1);
    row_of[begin + n] = row;
  }
  T_BUNCH_SYNC();
}
#define T_FILL_ROWS(base) t_fill_rows(heads, row_of, count, base T_EXCHANGE_ARGUMENTS)
#else
#define T_FILL_ROWS(base)
#endif

// A work-item's T_ITEMS products: `first` is the sum before their first head, `open` since the last.
T_FUNCTION void t_sum_items(T_LOCAL const t_z* products, T_LOCAL const t_uint32* heads,
                            T_LOCAL const t_uint8* absent, t_uint32 count, t_uint32 base,
                            t_uint32 bitmap, t_target to, T_LOCAL t_piece* piece,
                            t_partial* first, t_partial* open) {
  const t_uint32 begin = t_lane() * T_ITEMS;
  T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) {
    const t_uint32 at = begin + n;
    if (at < count) {
      const t_uint32 head = heads[at];
      if (head != 0) {
        if (open->flags & t_head)
          t_settle(to, piece, *open);
        else
          *first = *open;
        *open = t_nothing();
        open->row = base + (head - 1);
        open->flags = t_head;
      }
      if (!bitmap || !absent[at]) *open = t_append(*open, products[at]);
    }
  }
}

// The same where none of them is absent: as good as without branches.
T_FUNCTION void t_sum_all_items(T_LOCAL const t_z* products, T_LOCAL const t_uint32* heads,
                                t_uint32 base, t_target to, t_partial* first, t_partial* open) {
  const t_uint32 begin = t_lane() * T_ITEMS, before_base = base - 1;
  t_uint32 head = heads[begin];  // the last so far
  t_z sum = products[begin];
  T_UNROLL for (t_uint32 n = 1; n < T_ITEMS; ++n) {
    const t_uint32 next = heads[begin + n];
    const t_z product = products[begin + n];
    const t_z longer = t_add(sum, product);
    if (next != 0 && head != 0) {
      to.w[before_base + head] = sum;
      if (to.marks) to.w_present[before_base + head] = 1;
    }
    if (next != 0 && head == 0) {
      first->value = sum;
      first->flags = t_found;
    }
    head = next != 0 ? next : head;
    sum = next != 0 ? product : longer;
  }
  open->value = sum;
  open->flags = head != 0 ? t_found | t_head : t_found;
  open->row = before_base + head;
}

// Returns the carry: what the tile leaves open. `count` entries, the same for the whole bunch.
T_FUNCTION t_partial t_sum_tile(T_LOCAL const t_z* products, T_LOCAL const t_uint32* heads,
                                T_LOCAL const t_uint8* absent, t_uint32 count, t_uint32 base,
                                t_uint32 bitmap, t_partial carry, t_target to,
                                T_LOCAL t_piece* piece T_EXCHANGE_PARAMETERS) {
  t_partial first = t_nothing(), open = t_nothing();
#if T_SHUFFLE
  const t_uint32 all_found = !bitmap && count == T_TILE;
#else
  const t_uint32 all_found = 0;  // one way is enough where compilation costs more than it saves
#endif
  if (all_found) t_sum_all_items(products, heads, base, to, &first, &open);
  else t_sum_items(products, heads, absent, count, base, bitmap, to, piece, &first, &open);
  t_partial all = open;
  if (t_lane() == 0) all = t_join(carry, all);
  all = t_scan_partials(all, all_found T_EXCHANGE_ARGUMENTS);
  const t_partial below = T_PARTIAL_UP(all, 1);
  if (open.flags & t_head) {
    // The row that was open when these entries began ends with `first`.
    const t_partial left = t_lane() == 0 ? carry : below;
    t_settle(to, piece, t_join(left, first));
  }
  return T_PARTIAL_AT(all, T_BUNCH - 1);
}

// --- rows that span groups --------------------------------------------------------------------

// Adds the synchronizer, whose rows do not descend, to w: a bunch a slot, which has work where a run
// of equal rows begins. Most runs are short, and few are very long: a slot a work-item first, then
// T_RUN of them.
#define T_RUN 16
T_KERNEL void t_join_late(t_uint64 slots, T_GLOBAL const t_uint32* T_RESTRICT late,
                          T_GLOBAL t_z* w, T_GLOBAL t_uint8* w_present, t_uint32 marks) {
  T_EXCHANGE();
  const t_uint64 slot = t_bunch_id();
  const t_uint32 row = slot < slots ? t_late_row(late, slot) : 0;
  t_uint32 going = slot < slots && (slot == 0 || t_late_row(late, slot - 1) != row);
  t_partial sum = t_nothing();
  t_uint64 from = slot;
  for (t_uint32 width = 1; going; width = T_RUN) {
    t_partial p = t_nothing();
    t_uint32 same = 0;
    for (t_uint32 n = 0; n < width; ++n) {
      const t_uint64 at = from + t_lane() * width + n;
      same = at < slots && t_late_row(late, at) == row;
      if (same && t_late_found(late, at)) p = t_append(p, t_late_value(late, at));
    }
    sum = t_join(sum, t_reduce_partials(p, T_BUNCH T_EXCHANGE_ARGUMENTS));
    going = T_BUNCH_AT(same, T_BUNCH - 1);
    from += width * T_BUNCH;
  }
  T_ALONE(if (sum.flags & t_found) {
    const t_uint32 has = marks ? w_present[row] : 1u;
    w[row] = has ? t_add(w[row], sum.value) : sum.value;
    if (marks) w_present[row] = 1;
  });
}
