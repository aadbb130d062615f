// SPDX-License-Identifier: Apache-2.0
// Values that conversions move as bytes, `bytes` each, none where bytes = 0.

#define T_VALUES T_GLOBAL const t_uint8 *T_RESTRICT from, T_GLOBAL t_uint8 *T_RESTRICT to, t_uint32 bytes
#define T_VALUE_NAMES from, to, bytes

T_FUNCTION void t_move_value(t_uint64 from_at, t_uint64 to_at, T_VALUES) {
  if (bytes == 4) {
    ((T_GLOBAL t_uint32*)to)[to_at] = ((T_GLOBAL const t_uint32*)from)[from_at];
  } else if (bytes == 8) {
    ((T_GLOBAL t_uint64*)to)[to_at] = ((T_GLOBAL const t_uint64*)from)[from_at];
  } else {
    for (t_uint32 n = 0; n < bytes; ++n) to[to_at * bytes + n] = from[from_at * bytes + n];
  }
}

T_FUNCTION void t_blank_value(t_uint64 to_at, T_VALUES) {
  (void)from;
  for (t_uint32 n = 0; n < bytes; ++n) to[to_at * bytes + n] = 0;
}
