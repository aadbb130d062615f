// SPDX-License-Identifier: Apache-2.0
// Sums over a group of T_GROUP_SIZE work-items, a power of two, each of which has one number: parts[n]
// becomes that of item n and of all before it.

#define T_SUM_UP(parts, own)                                                          \
  parts[t_local_id()] = own;                                                          \
  for (t_uint32 width = 1; width < T_GROUP_SIZE; width *= 2) {                        \
    T_BARRIER();                                                                      \
    const t_uint32 lower = t_local_id() >= width ? parts[t_local_id() - width] : 0;   \
    T_BARRIER();                                                                      \
    parts[t_local_id()] += lower;                                                     \
  }                                                                                   \
  T_BARRIER()
