// SPDX-License-Identifier: Apache-2.0
// The words of OpenCL C 1.2. Kernel texts use only these, never OpenCL's own; the CUDA dialect
// defines the same list.
#pragma OPENCL FP_CONTRACT OFF

#define T_KERNEL __kernel
#define T_KERNEL_OF(size, groups) T_KERNEL
#define T_KERNEL_OF_SIZE(size) T_KERNEL __attribute__((reqd_work_group_size(size, 1, 1)))
#define T_FUNCTION static inline
#define T_GLOBAL __global      // of pointers
#define T_LOCAL __local        // of pointers
#define T_LOCAL_ARRAY __local  // of arrays, at the top of a kernel
// Bytes of local memory, at the top of a kernel.
#define T_LOCAL_SPACE(name, bytes) __local t_uint8 name[bytes] __attribute__((aligned(16)))
#define T_RESTRICT restrict
#define T_LOADED()  // left to the compiler
#define T_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define T_BARRIER_GLOBAL() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#ifndef T_TOGETHER
#define T_TOGETHER 1  // groups do not wait for one another
#endif
#define T_BARRIER_TOGETHER() T_BARRIER_GLOBAL()
#define T_PREFETCH(place) (void)(place)
#ifndef T_SHUFFLE
#define T_SHUFFLE 0
#endif
#if T_SHUFFLE
#define T_UNROLL _Pragma("unroll")
#define T_ROLLED _Pragma("unroll 1")  // where more code only costs compilation
#else
#define T_UNROLL  // barriers in unrolled loops only cost compilation
#define T_ROLLED
#endif

typedef uchar t_bool;  // 0 or 1
typedef char t_int8;
typedef short t_int16;
typedef int t_int32;
typedef long t_int64;
typedef uchar t_uint8;
typedef ushort t_uint16;
typedef uint t_uint32;
typedef ulong t_uint64;
typedef float t_fp32;
typedef uint4 t_quad;  // 16 bytes, to be moved at once

#define T_STREAMED(place) (place)

// The group copies `count` values to its local memory; behind a barrier they are there.
#define T_START_COPY(to, from, count)                                                         \
  for (t_uint32 t_copied = t_local_id(); t_copied < (count); t_copied += (t_uint32)get_local_size(0)) \
  (to)[t_copied] = (from)[t_copied]
#define T_FINISH_COPIES()

#define t_fp32_of_bits(bits) as_float(bits)
#define t_word_fabs_fp32 fabs
#define t_word_sqrt_fp32 sqrt
#define t_word_exp_fp32 exp
#define t_word_log_fp32 log
#define t_word_floor_fp32 floor
#define t_word_ceil_fp32 ceil
#define t_word_pow_fp32 pow
#define t_word_fabs_fp64 fabs
#define t_word_sqrt_fp64 sqrt
#define t_word_exp_fp64 exp
#define t_word_log_fp64 log
#define t_word_floor_fp64 floor
#define t_word_ceil_fp64 ceil
#define t_word_pow_fp64 pow

T_FUNCTION t_uint64 t_global_id(void) { return (t_uint64)get_global_id(0); }
T_FUNCTION t_uint64 t_global_size(void) { return (t_uint64)get_global_size(0); }
T_FUNCTION t_uint64 t_group_id(void) { return (t_uint64)get_group_id(0); }
T_FUNCTION t_uint64 t_group_count(void) { return (t_uint64)get_num_groups(0); }
T_FUNCTION t_uint32 t_local_id(void) { return (t_uint32)get_local_id(0); }

T_FUNCTION t_uint32 t_atomic_next(volatile T_GLOBAL t_uint32* counter) {
  return atomic_inc(counter);
}

// What was there before; t_atomic_swap stores `value` only where that was `expected`.
T_FUNCTION t_uint32 t_atomic_add(volatile T_GLOBAL t_uint32* sum, t_uint32 value) {
  return atomic_add(sum, value);
}
T_FUNCTION t_uint32 t_atomic_or(volatile T_GLOBAL t_uint32* word, t_uint32 bits) {
  return atomic_or(word, bits);
}
T_FUNCTION t_uint32 t_atomic_max(volatile T_GLOBAL t_uint32* maximum, t_uint32 value) {
  return atomic_max(maximum, value);
}
T_FUNCTION t_uint32 t_local_atomic_add(volatile T_LOCAL t_uint32* sum, t_uint32 value) {
  return atomic_add(sum, value);
}
T_FUNCTION t_uint32 t_local_atomic_max(volatile T_LOCAL t_uint32* maximum, t_uint32 value) {
  return atomic_max(maximum, value);
}
T_FUNCTION t_uint32 t_local_atomic_or(volatile T_LOCAL t_uint32* word, t_uint32 bits) {
  return atomic_or(word, bits);
}
T_FUNCTION t_uint32 t_local_atomic_swap(volatile T_LOCAL t_uint32* word, t_uint32 expected,
                                        t_uint32 value) {
  return atomic_cmpxchg(word, expected, value);
}
T_FUNCTION t_uint32 t_atomic_swap(volatile T_GLOBAL t_uint32* word, t_uint32 expected,
                                  t_uint32 value) {
  return atomic_cmpxchg(word, expected, value);
}
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
T_FUNCTION t_uint64 t_atomic_swap_64(volatile T_GLOBAL t_uint64* word, t_uint64 expected,
                                     t_uint64 value) {
  return atom_cmpxchg(word, expected, value);
}
#endif
// Minima, maxima and sums of integers in memory; nothing is returned.
#define T_ATOMIC_MINIMUM_32(to, value) (void)atomic_min(to, value)
#define T_ATOMIC_MAXIMUM_32(to, value) (void)atomic_max(to, value)
#define T_ATOMIC_PLUS_32(to, value) (void)atomic_add(to, value)
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define T_ATOMIC_64 1
#define T_ATOMIC_MINIMUM_64(to, value) (void)atom_min(to, value)
#define T_ATOMIC_MAXIMUM_64(to, value) (void)atom_max(to, value)
#define T_ATOMIC_PLUS_64(to, value) (void)atom_add(to, value)
#else
#define T_ATOMIC_64 0
#endif

T_FUNCTION t_uint32 t_word_of_group(volatile T_LOCAL const t_uint32* word, t_uint32 group) {
  (void)group;
  return *word;
}

#ifdef __NV_CL_C_VERSION
// NVIDIA's compiler (driver 580) folds the negation of 16 bits into a comparison of 32, where
// -(-32768) is positive; so it must not know that this is one.
T_FUNCTION t_uint32 t_negative(t_uint32 a) {
  t_uint32 result;
  asm("sub.u32 %0, 0, %1;" : "=r"(result) : "r"(a));
  return result;
}
#else
T_FUNCTION t_uint32 t_negative(t_uint32 a) { return 0u - a; }
#endif
T_FUNCTION t_uint32 t_popcount(t_uint32 word) { return popcount(word); }
T_FUNCTION t_uint32 t_highest_bit(t_uint32 word) { return 31 - clz(word); }

// A subgroup: T_SUBGROUP work-items that exchange values (subgroup.h). Where its hardware shuffles, that is
// NVIDIA's warp, by way of its PTX; elsewhere a work-group is one subgroup.
#if T_SHUFFLE
// As t_atomic_next, behind the subgroup's stores: a group that draws a later ticket sees them. (A fence
// would empty the nearest cache too, which the other groups need.)
T_FUNCTION t_uint32 t_draw_ticket(T_GLOBAL t_uint32* counter) {
  t_uint32 drawn;
  asm volatile("atom.release.gpu.global.add.u32 %0, [%1], 1;"
               : "=r"(drawn)
               : "l"((t_uint64)counter)
               : "memory");
  return drawn;
}
#define T_SUBGROUP_SYNC()                                                   \
  do {                                                                   \
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);               \
    asm volatile("bar.warp.sync 0xffffffff;" : : : "memory");            \
  } while (0)
T_FUNCTION t_uint32 t_shuffle_up(t_uint32 word, t_uint32 distance) {
  t_uint32 result;
  asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;"
               : "=r"(result)
               : "r"(word), "r"(distance));
  return result;
}
T_FUNCTION t_uint32 t_shuffle_across(t_uint32 word, t_uint32 distance) {
  t_uint32 result;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
               : "=r"(result)
               : "r"(word), "r"(distance));
  return result;
}
T_FUNCTION t_uint32 t_shuffle_at(t_uint32 word, t_uint32 lane) {
  t_uint32 result;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;"
               : "=r"(result)
               : "r"(word), "r"(lane));
  return result;
}
// Bit n: whether `flag` is set in lane n.
T_FUNCTION t_uint32 t_ballot(t_uint32 flag) {
  t_uint32 result;
  asm volatile("{ .reg .pred set; setp.ne.u32 set, %1, 0; vote.sync.ballot.b32 %0, set, 0xffffffff; }"
               : "=r"(result)
               : "r"(flag));
  return result;
}
#else
#define T_SUBGROUP_SYNC() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
