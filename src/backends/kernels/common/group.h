// SPDX-License-Identifier: Apache-2.0
// Sums over a group of T_GROUP_SIZE work-items, a power of two, each of which has one number; `parts` is
// local memory, a number each.

// parts[0] becomes the sum of all.
T_FUNCTION void t_sum_group(T_LOCAL t_uint32* parts, t_uint32 number) {
  parts[t_local_id()] = number;
  T_BARRIER();
  for (t_uint32 width = T_GROUP_SIZE / 2; width > 0; width /= 2) {
    if (t_local_id() < width) parts[t_local_id()] += parts[t_local_id() + width];
    T_BARRIER();
  }
}

// parts[n] becomes the sum of the numbers of item n and of all before it.
T_FUNCTION void t_scan_group(T_LOCAL t_uint32* parts, t_uint32 number) {
  parts[t_local_id()] = number;
  for (t_uint32 width = 1; width < T_GROUP_SIZE; width *= 2) {
    T_BARRIER();
    const t_uint32 lower = t_local_id() >= width ? parts[t_local_id() - width] : 0;
    T_BARRIER();
    parts[t_local_id()] += lower;
  }
  T_BARRIER();
}
