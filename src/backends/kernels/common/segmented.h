// SPDX-License-Identifier: Apache-2.0
// The segmented sum over one tile of T_SUBGROUP * T_ITEMS products, which coo and csr_segmented share
// (papers 000 and 001, stage 1).
//
// The products of a tile lie in local memory, in the order of entries; `heads` has, for the first entry
// of each row, its row relative to `base` plus one, else 0; `absent` is set where u has no entry. Each
// work-item sums T_ITEMS neighbouring products, a scan over the subgroup joins what spans work-items,
// `carry` what spans tiles, and `pieces` what spans subgroups (synchronizer.h).

// The arrays of a tile, one of each a subgroup: products, heads, absent; and the row of every entry,
// where the multiply asks for it.
#define T_TILE_ARRAYS()                                                    \
  T_LOCAL_ARRAY t_z all_products[T_SUBGROUPS * T_TILE];                      \
  T_LOCAL_ARRAY t_uint32 all_heads[T_SUBGROUPS * T_TILE];                    \
  T_LOCAL_ARRAY t_uint8 all_absent[T_SUBGROUPS * T_TILE];                    \
  T_LOCAL t_z* products = all_products + t_subgroup_of_group() * T_TILE;      \
  T_LOCAL t_uint32* heads = all_heads + t_subgroup_of_group() * T_TILE;       \
  T_LOCAL t_uint8* absent = all_absent + t_subgroup_of_group() * T_TILE;      \
  T_LOCAL_ARRAY t_piece pieces[T_SUBGROUPS];                                 \
  T_LOCAL t_piece* piece = pieces + t_subgroup_of_group()
#if T_USES_OUTPUT
#define T_ROW_ARRAY()                                      \
  T_LOCAL_ARRAY t_uint32 all_rows[T_SUBGROUPS * T_TILE];     \
  T_LOCAL t_uint32* row_of = all_rows + t_subgroup_of_group() * T_TILE
#else
#define T_ROW_ARRAY() T_LOCAL t_uint32* row_of = heads  // never read
#endif

// The entries of a tile that starts with entry `begin`.
T_FUNCTION t_uint32 t_count_of(t_uint64 begin, t_uint64 nnz) {
  return nnz - begin < T_TILE ? (t_uint32)(nnz - begin) : T_TILE;
}

// The n-th entry of a work-item is t_lane() + n * T_SUBGROUP of the tile. All but the last tile of a matrix
// are whole; past the end of that one its last entry stands in, and the sums leave it out. So loads
// have no conditions, and all are on their way before the first is needed.
#define T_WHOLE(count) (T_SHUFFLE && (count) == T_TILE)
T_FUNCTION t_uint32 t_entry_of(t_uint32 n, t_uint32 count) {
  const t_uint32 at = t_lane() + n * T_SUBGROUP;
  return at < count ? at : count - 1;
}

T_FUNCTION void t_load_columns(T_GLOBAL const t_uint32* T_RESTRICT columns, t_uint64 begin,
                               t_uint32 count, t_uint32* column) {
  T_GLOBAL const t_uint32* own = columns + begin;
  if (T_WHOLE(count)) {
    own += t_lane();
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) column[n] = T_STREAMED(own[n * T_SUBGROUP]);
  } else {
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) column[n] = own[t_entry_of(n, count)];
  }
}

// Products of the tile.
T_FUNCTION void t_multiply_tile(t_uint64 begin, t_uint32 count, const t_uint32* column,
                                T_LOCAL const t_uint32* row_of, T_LOCAL t_z* products,
                                T_LOCAL t_uint8* absent, T_GLOBAL const t_matrix* T_RESTRICT a,
                                t_uint32 iso, T_GLOBAL const t_vector* T_RESTRICT u,
                                T_GLOBAL const t_uint8* T_RESTRICT u_present, t_uint32 bitmap,
                                t_parameters parameters) {
#if T_USES_MATRIX
  T_GLOBAL const t_matrix* own = iso ? a : a + begin;
  t_matrix value[T_ITEMS];
  if (T_WHOLE(count) && !iso) {
    own += t_lane();
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) value[n] = T_STREAMED(own[n * T_SUBGROUP]);
  } else {
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n)
      value[n] = own[iso ? 0 : t_entry_of(n, count)];
  }
#endif
  if (bitmap) {
    T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) {
      const t_uint32 at = t_lane() + n * T_SUBGROUP, missing = !u_present[column[n]];
      absent[at] = (t_uint8)missing;
      if (!missing)
        products[at] = T_PRODUCT(value[n], u[column[n]], row_of[at], column[n], parameters);
    }
    return;
  }
  t_z product[T_ITEMS];
  T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n)
    product[n] =
        T_PRODUCT(value[n], u[column[n]], row_of[t_lane() + n * T_SUBGROUP], column[n], parameters);
  T_UNROLL for (t_uint32 n = 0; n < T_ITEMS; ++n) products[t_lane() + n * T_SUBGROUP] = product[n];
}

#if T_USES_OUTPUT
// The row of every entry of a tile, by its heads.
T_FUNCTION void t_fill_rows(T_LOCAL const t_uint32* heads, T_LOCAL t_uint32* row_of, t_uint32 count,
                            t_uint32 base T_EXCHANGE_PARAMETERS) {
  const t_uint32 begin = t_lane() * T_ITEMS;
  t_uint32 last = 0;
  for (t_uint32 n = 0; n < T_ITEMS; ++n)
    if (begin + n < count && heads[begin + n] != 0) last = heads[begin + n];
  for (t_uint32 distance = 1; distance < T_SUBGROUP; distance *= 2) {
    const t_uint32 left = T_SUBGROUP_UP(last, distance);
    if (t_lane() >= distance && last < left) last = left;
  }
  const t_uint32 below = T_SUBGROUP_UP(last, 1);
  t_uint32 row = t_lane() > 0 && below > 0 ? base + (below - 1) : base;
  for (t_uint32 n = 0; n < T_ITEMS; ++n) {
    if (begin + n < count && heads[begin + n] != 0) row = base + (heads[begin + n] - 1);
    row_of[begin + n] = row;
  }
  T_SUBGROUP_SYNC();
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
  T_ROLLED for (t_uint32 n = 0; n < T_ITEMS; ++n) {
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

// Returns the carry: what the tile leaves open. `count` entries, the same for the whole subgroup.
T_FUNCTION t_partial t_sum_tile(T_LOCAL const t_z* products, T_LOCAL const t_uint32* heads,
                                T_LOCAL const t_uint8* absent, t_uint32 count, t_uint32 base,
                                t_uint32 bitmap, t_partial carry, t_target to,
                                T_LOCAL t_piece* piece T_EXCHANGE_PARAMETERS) {
  t_partial first = t_nothing(), open = t_nothing();
  const t_uint32 all_found = T_WHOLE(count) && !bitmap;
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
  return T_PARTIAL_AT(all, T_SUBGROUP - 1);
}
