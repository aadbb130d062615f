// SPDX-License-Identifier: Apache-2.0
// Which positions a mask lets through: those of its entries, of those whose value is true where
// `mask_bytes` (of a value) is not 0, or all others. A value is true where a significant bit is set:
// of a floating one all but the sign; a record always is, and then mask_bytes is 0.

#define T_MASKED 1u            // there is a mask
#define T_MASK_COMPLEMENTED 2u
#define T_MASK_BITMAP 4u       // else it has an entry everywhere

#define T_MASK                                                                       \
  t_uint32 mask_flags, T_GLOBAL const t_uint8 *mask_present,                         \
      T_GLOBAL const t_uint8 *mask_values, t_uint32 mask_bytes, t_uint64 significant
#define T_MASK_NAMES mask_flags, mask_present, mask_values, mask_bytes, significant

T_FUNCTION t_uint32 t_lets_through(t_uint64 i, T_MASK) {
  if (!(mask_flags & T_MASKED)) return 1;
  t_uint32 holds = !(mask_flags & T_MASK_BITMAP) || mask_present[i];
  if (holds && mask_bytes != 0) {
    t_uint64 value = 0;
    if (mask_bytes == 1) value = mask_values[i];
    if (mask_bytes == 2) value = ((T_GLOBAL const t_uint16*)mask_values)[i];
    if (mask_bytes == 4) value = ((T_GLOBAL const t_uint32*)mask_values)[i];
    if (mask_bytes == 8) value = ((T_GLOBAL const t_uint64*)mask_values)[i];
    holds = (value & significant) != 0;
  }
  return mask_flags & T_MASK_COMPLEMENTED ? !holds : holds;
}
