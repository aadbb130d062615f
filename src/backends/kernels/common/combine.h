// SPDX-License-Identifier: Apache-2.0
// Sums that many work-items add to at once, by compare-and-swap of the words that hold them, or by an
// instruction of the device: for monoids whose sum is the same in any order and that have a neutral bit
// pattern (T_HAS_NEUTRAL), with which the sums begin.

typedef union {
  t_z value;
#if T_VALUE_BYTES == 8
  t_uint64 word;
#else
  t_uint32 word;
#endif
} t_bits;

// What a product did to a sum.
#define T_NOT_FIRST 0u
#define T_FIRST 1u          // the sum was neutral and is not any more
#define T_STILL_NEUTRAL 2u  // the sum was neutral and still is

#if T_VALUE_BYTES >= 4
#if T_VALUE_BYTES == 8
#define T_SWAP(w, position, expected, word) \
  t_atomic_swap_64((volatile T_GLOBAL t_uint64*)(w) + (position), expected, word)
#else
#define T_SWAP(w, position, expected, word) \
  t_atomic_swap((volatile T_GLOBAL t_uint32*)(w) + (position), expected, word)
#endif
// `old`: what the sum is believed to be.
T_FUNCTION t_uint32 t_combine_from(T_GLOBAL t_z* w, t_uint64 position, t_z product, t_bits old) {
  t_bits neutral, sum;
  neutral.value = t_neutral();
  while (1) {
    sum.value = t_add(old.value, product);
    if (sum.word == old.word) return old.word == neutral.word ? T_STILL_NEUTRAL : T_NOT_FIRST;
    const t_bits expected = old;
    old.word = T_SWAP(w, position, expected.word, sum.word);
    if (old.word == expected.word) return old.word == neutral.word ? T_FIRST : T_NOT_FIRST;
  }
}
// w(position) = w(position) + product.
T_FUNCTION t_uint32 t_combine(T_GLOBAL t_z* w, t_uint64 position, t_z product) {
  t_bits old;
#if T_VALUE_BYTES == 8
  old.word = ((volatile T_GLOBAL t_uint64*)w)[position];
#else
  old.word = ((volatile T_GLOBAL t_uint32*)w)[position];
#endif
  return t_combine_from(w, position, product, old);
}
// The same, faster where most sums are neutral.
T_FUNCTION t_uint32 t_combine_mostly_neutral(T_GLOBAL t_z* w, t_uint64 position, t_z product) {
  t_bits old;
  old.value = t_neutral();
  return t_combine_from(w, position, product, old);
}
#else
// The other values in the word are left as they are.
T_FUNCTION t_uint32 t_combine(T_GLOBAL t_z* w, t_uint64 position, t_z product) {
  volatile T_GLOBAL t_uint32* words = (volatile T_GLOBAL t_uint32*)w;
  const t_uint64 in_word = position * T_VALUE_BYTES / 4;
  const t_uint32 shift = (t_uint32)(position * T_VALUE_BYTES % 4 * 8);
  const t_uint32 ones = T_VALUE_BYTES == 1 ? 0xffu : 0xffffu;
  t_uint32 old = words[in_word];
  t_bits neutral;
  neutral.word = 0;
  neutral.value = t_neutral();
  while (1) {
    t_bits part;
    part.word = old >> shift & ones;
    const t_uint32 was_neutral = part.word == neutral.word;
    part.value = t_add(part.value, product);
    const t_uint32 sum = (old & ~(ones << shift)) | (part.word & ones) << shift;
    if (sum == old) return was_neutral ? T_STILL_NEUTRAL : T_NOT_FIRST;
    const t_uint32 expected = old;
    old = t_atomic_swap(words + in_word, expected, sum);
    if (old == expected) return was_neutral ? T_FIRST : T_NOT_FIRST;
  }
}
#define t_combine_mostly_neutral t_combine
#endif

// The same without a return value: one atomic instruction for minima (T_ATOMIC_SUM 1), maxima (2) and
// sums (3) of integers, which needs neither a load of the old value nor a retry.
#if T_VALUE_BYTES == 8
#define T_ATOMIC_OF_SIZE(name) name##_64
#else
#define T_ATOMIC_OF_SIZE(name) name##_32
#endif
T_FUNCTION void t_add_to(T_GLOBAL t_z* w, t_uint64 position, t_z product) {
#if T_ATOMIC_SUM == 1 && (T_VALUE_BYTES == 4 || T_ATOMIC_64)
  T_ATOMIC_OF_SIZE(T_ATOMIC_MINIMUM)(w + position, product);
#elif T_ATOMIC_SUM == 2 && (T_VALUE_BYTES == 4 || T_ATOMIC_64)
  T_ATOMIC_OF_SIZE(T_ATOMIC_MAXIMUM)(w + position, product);
#elif T_ATOMIC_SUM == 3 && (T_VALUE_BYTES == 4 || T_ATOMIC_64)
  T_ATOMIC_OF_SIZE(T_ATOMIC_PLUS)(w + position, product);
#else
  t_combine(w, position, product);
#endif
}
