// SPDX-License-Identifier: Apache-2.0
// Segments of rows, 32 to a slice, a work-item each (made by hubs.kernel): a sum, and how slices are
// distributed over the subgroups of a launch.

#define T_LANES 32u
#define T_NONE 0xffffffffu  // two hubs that are none, no row, no segment
#define T_IS_SET(bits, n) ((bits)[(n) / 32] >> ((n) % 32) & 1u)

typedef struct {
  t_z value;
  t_uint32 found;  // whether it has a product
} t_sum;

T_FUNCTION t_sum t_no_sum(void) {
  t_sum sum;
#if T_HAS_NEUTRAL
  sum.value = t_neutral();
#else
  sum.value = t_identity();
#endif
  sum.found = 0;
  return sum;
}

T_FUNCTION t_sum t_with(t_sum sum, t_z product) {
#if T_HAS_NEUTRAL
  sum.value = t_add(sum.value, product);
#else
  sum.value = sum.found ? t_add(sum.value, product) : product;
#endif
  sum.found = 1;
  return sum;
}

// A slice's steps, of an entry of each segment.
typedef struct {
  t_uint32 start, end;
} t_slice;

// Loaded while the slice before it is summed.
T_FUNCTION t_slice t_slice_before(T_GLOBAL const t_uint32* T_RESTRICT slices, t_uint32 number,
                                  t_uint32 end) {
  t_slice slice = {0, 0};
  if (number < end) {
    slice.start = slices[number];
    slice.end = slices[number + 1];
  }
  return slice;
}

// The first slice from `begin` on of those that are dealt out to `all`, one after the other. Neighbours,
// which are about equally long, go to different groups, and a part goes on where the last one ended.
T_FUNCTION t_uint32 t_dealt(t_uint32 begin, t_uint32 number, t_uint32 all) {
  return begin + (number + all - begin % all) % all;
}
