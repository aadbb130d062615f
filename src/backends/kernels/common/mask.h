// SPDX-License-Identifier: Apache-2.0
// The positions that a mask includes: those of its entries, of those whose value is true if `bytes` (of
// a value) is not 0, or all others. A value is true if a significant bit is set: of a floating-point one
// all but the sign; a record always is, and then `bytes` is 0.

#define T_MASKED 1u  // there is a mask
#define T_MASK_COMPLEMENTED 2u
#define T_MASK_BITMAP 4u  // else it has an entry everywhere

typedef struct {
  t_uint32 flags;
  T_GLOBAL const t_uint8* present;
  T_GLOBAL const t_uint8* values;
  t_uint32 bytes;
  t_uint64 significant;
} t_mask;

// Of kernels, in this order.
#define T_MASK                                                   \
  t_uint32 mask_flags, T_GLOBAL const t_uint8 *mask_present,     \
      T_GLOBAL const t_uint8 *mask_values, t_uint32 mask_bytes, t_uint64 significant
#define T_UNPACK_MASK {mask_flags, mask_present, mask_values, mask_bytes, significant}

// Whether the mask has an entry at a position, a true one where values count.
T_FUNCTION t_uint32 t_holds(t_mask mask, t_uint64 position) {
  t_uint32 holds = !(mask.flags & T_MASK_BITMAP) || mask.present[position];
  if (holds && mask.bytes != 0) {
    t_uint64 value = 0;
    if (mask.bytes == 1) value = mask.values[position];
    if (mask.bytes == 2) value = ((T_GLOBAL const t_uint16*)mask.values)[position];
    if (mask.bytes == 4) value = ((T_GLOBAL const t_uint32*)mask.values)[position];
    if (mask.bytes == 8) value = ((T_GLOBAL const t_uint64*)mask.values)[position];
    holds = (value & mask.significant) != 0;
  }
  return holds;
}

T_FUNCTION t_uint32 t_is_included(t_mask mask, t_uint64 position) {
  if (!(mask.flags & T_MASKED)) return 1;
  const t_uint32 holds = t_holds(mask, position);
  return mask.flags & T_MASK_COMPLEMENTED ? !holds : holds;
}
