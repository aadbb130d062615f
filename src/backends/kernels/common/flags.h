// SPDX-License-Identifier: Apache-2.0
// Flags of positions, a byte each, 0 or 1, sixteen at a time as the bits of a number: most are 0 in most
// vectors that have gaps, and a load of 16 bytes takes no longer than one of a byte.

#define T_FLAGS 16u
#define T_IN_QUADS(present, first, n) \
  ((first) + T_FLAGS <= (n) && ((t_uint64)(present) & 15u) == 0)

// The four flags of a word, and back.
#define T_BITS_OF_FLAGS(word) (((word) & 0x01010101u) * 0x10204080u >> 28)
#define T_FLAGS_OF_BITS(bits) (((bits) & 15u) * 0x00204081u & 0x01010101u)

// Bit k is set for position first + k below n.
T_FUNCTION t_uint32 t_flags_below(t_uint64 first, t_uint64 n) {
  if (first >= n) return 0;
  return n - first >= T_FLAGS ? 0xffffu : (1u << (t_uint32)(n - first)) - 1;
}

// Bit k is the flag of position first + k; 0 from n on. `first` is a multiple of 16.
T_FUNCTION t_uint32 t_load_flags(T_GLOBAL const t_uint8* present, t_uint64 first, t_uint64 n) {
  t_uint32 bits = 0;
  if (T_IN_QUADS(present, first, n)) {
    const t_quad quad = *(T_GLOBAL const t_quad*)(present + first);
    bits = T_BITS_OF_FLAGS(quad.x) | T_BITS_OF_FLAGS(quad.y) << 4 | T_BITS_OF_FLAGS(quad.z) << 8 |
           T_BITS_OF_FLAGS(quad.w) << 12;
  } else {
    for (t_uint32 k = 0; k < T_FLAGS && first + k < n; ++k)
      bits |= (present[first + k] ? 1u : 0u) << k;
  }
  return bits;
}

T_FUNCTION void t_store_flags(T_GLOBAL t_uint8* present, t_uint64 first, t_uint64 n,
                              t_uint32 bits) {
  if (T_IN_QUADS(present, first, n)) {
    t_quad quad;
    quad.x = T_FLAGS_OF_BITS(bits);
    quad.y = T_FLAGS_OF_BITS(bits >> 4);
    quad.z = T_FLAGS_OF_BITS(bits >> 8);
    quad.w = T_FLAGS_OF_BITS(bits >> 12);
    *(T_GLOBAL t_quad*)(present + first) = quad;
  } else {
    for (t_uint32 k = 0; k < T_FLAGS && first + k < n; ++k)
      present[first + k] = (t_uint8)(bits >> k & 1u);
  }
}
