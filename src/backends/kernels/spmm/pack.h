// SPDX-License-Identifier: Apache-2.0
// Packs: T_COLUMNS neighbouring elements of a row, moved by as few instructions as their bytes allow. They
// begin at a multiple of their bytes, or of 16.

typedef union {
  t_vector value[T_COLUMNS];
  t_uint32 word[(T_COLUMNS * sizeof(t_vector) + 3) / 4];
  t_uint64 pair[(T_COLUMNS * sizeof(t_vector) + 7) / 8];
  t_quad quad[(T_COLUMNS * sizeof(t_vector) + 15) / 16];
} t_pack;

typedef union {
  t_z value[T_COLUMNS];
  t_uint32 word[(T_COLUMNS * sizeof(t_z) + 3) / 4];
  t_uint64 pair[(T_COLUMNS * sizeof(t_z) + 7) / 8];
  t_quad quad[(T_COLUMNS * sizeof(t_z) + 15) / 16];
} t_sum_pack;

T_FUNCTION t_pack t_load_pack(T_GLOBAL const t_vector* from) {
  const t_uint32 bytes = T_COLUMNS * sizeof(t_vector);
  t_pack pack;
  if (bytes % 16 == 0) {
    T_UNROLL for (t_uint32 n = 0; n < bytes / 16; ++n)
      pack.quad[n] = ((T_GLOBAL const t_quad*)from)[n];
  } else if (bytes % 8 == 0) {
    T_UNROLL for (t_uint32 n = 0; n < bytes / 8; ++n)
      pack.pair[n] = ((T_GLOBAL const t_uint64*)from)[n];
  } else if (bytes % 4 == 0) {
    T_UNROLL for (t_uint32 n = 0; n < bytes / 4; ++n)
      pack.word[n] = ((T_GLOBAL const t_uint32*)from)[n];
  } else {
    T_UNROLL for (t_uint32 n = 0; n < T_COLUMNS; ++n) pack.value[n] = from[n];
  }
  return pack;
}

T_FUNCTION void t_store_pack(T_GLOBAL t_z* to, t_sum_pack pack) {
  const t_uint32 bytes = T_COLUMNS * sizeof(t_z);
  if (bytes % 16 == 0) {
    T_UNROLL for (t_uint32 n = 0; n < bytes / 16; ++n) ((T_GLOBAL t_quad*)to)[n] = pack.quad[n];
  } else if (bytes % 8 == 0) {
    T_UNROLL for (t_uint32 n = 0; n < bytes / 8; ++n) ((T_GLOBAL t_uint64*)to)[n] = pack.pair[n];
  } else if (bytes % 4 == 0) {
    T_UNROLL for (t_uint32 n = 0; n < bytes / 4; ++n) ((T_GLOBAL t_uint32*)to)[n] = pack.word[n];
  } else {
    T_UNROLL for (t_uint32 n = 0; n < T_COLUMNS; ++n) to[n] = pack.value[n];
  }
}
