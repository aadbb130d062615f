// SPDX-License-Identifier: Apache-2.0
// The words of CUDA C++, as NVRTC compiles it. Kernel texts use only these, never CUDA's own; the
// OpenCL dialect defines the same list. No fused multiply-add: NVRTC is given --fmad=false.

#define T_KERNEL extern "C" __global__
// A kernel for groups of that size, `groups` of them at once on a processor.
#define T_KERNEL_OF(size, groups) T_KERNEL __launch_bounds__(size, groups)
// A kernel for groups of exactly that size. T_TOGETHER of them, the whole launch, run at the same time
// and wait for one another: a cluster.
#ifndef T_TOGETHER
#define T_TOGETHER 1
#endif
#if T_TOGETHER > 1
#define T_KERNEL_OF_SIZE(size) T_KERNEL __cluster_dims__(T_TOGETHER, 1, 1) __launch_bounds__(size, 1)
#else
#define T_KERNEL_OF_SIZE(size) T_KERNEL __launch_bounds__(size, 1)
#endif
#define T_FUNCTION static __device__ __forceinline__
#define T_GLOBAL                  // of pointers
#define T_LOCAL                   // of pointers
#define T_LOCAL_ARRAY __shared__  // of arrays, at the top of a kernel
// Bytes of local memory, at the top of a kernel that has no other arrays there. The launch says how many
// (device_runtime::launch), since only then more than 48 KiB are possible.
#define T_LOCAL_SPACE(name, bytes) extern __shared__ __align__(16) t_uint8 name[]
#define T_RESTRICT __restrict__
#define T_BARRIER() __syncthreads()
#define T_BARRIER_GLOBAL() __syncthreads()  // what was stored before is seen behind it
#if T_TOGETHER > 1  // also what other groups stored
// A fence by one work-item, after the group's barrier, costs less than a fence by every work-item.
#define T_BARRIER_TOGETHER()                                                    \
  do {                                                                          \
    __syncthreads();                                                            \
    if (threadIdx.x == 0) asm volatile("fence.acq_rel.cluster;" ::: "memory");  \
    asm volatile("barrier.cluster.arrive.relaxed; barrier.cluster.wait;" ::: "memory"); \
  } while (0)
#else
#define T_BARRIER_TOGETHER() __syncthreads()
#endif
#define T_PREFETCH(place) asm volatile("prefetch.global.L2 [%0];" : : "l"(&(place)))
#define T_UNROLL _Pragma("unroll")
#define T_ROLLED _Pragma("unroll 1")  // where more code only costs compilation
#define T_LOADED() asm volatile("" ::: "memory")  // loads before it are not moved behind it
#ifndef T_SHUFFLE
#define T_SHUFFLE 0
#endif

typedef unsigned char t_bool;  // 0 or 1
typedef signed char t_int8;
typedef short t_int16;
typedef int t_int32;
typedef long long t_int64;
typedef unsigned char t_uint8;
typedef unsigned short t_uint16;
typedef unsigned int t_uint32;
typedef unsigned long long t_uint64;
typedef float t_fp32;
typedef uint4 t_quad;  // 16 bytes, to be moved at once

// A load of what is read once: it passes by the nearest cache, which the gathers need.
template <class T>
T_FUNCTION T t_streamed(const T* from) {
  T got;
  if (sizeof(T) == 4) {
    t_uint32 word;
    asm("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(word) : "l"(from));
    memcpy(&got, &word, sizeof(T) == 4 ? 4 : 0);
  } else if (sizeof(T) == 8) {
    t_uint64 word;
    asm("ld.global.nc.L1::no_allocate.u64 %0, [%1];" : "=l"(word) : "l"(from));
    memcpy(&got, &word, sizeof(T) == 8 ? 8 : 0);
  } else if (sizeof(T) == 16) {
    t_quad quad;
    asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w)
        : "l"(from));
    memcpy(&got, &quad, sizeof(T) == 16 ? 16 : 0);
  } else {
    got = *from;
  }
  return got;
}
#define T_STREAMED(place) t_streamed(&(place))

// The group begins to copy `count` values to its local memory. Both arrays begin at multiples of 16 bytes,
// and have room up to the next one. Behind T_FINISH_COPIES and a barrier they are there.
template <class T>
T_FUNCTION void t_start_copy(T* to, const T* from, t_uint32 count) {
#if __CUDA_ARCH__ >= 800
  const t_uint32 quads = (count * (t_uint32)sizeof(T) + 15) / 16;
  for (t_uint32 k = threadIdx.x; k < quads; k += blockDim.x)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (t_uint32)__cvta_generic_to_shared((t_quad*)to + k)),
                 "l"((const t_quad*)from + k)
                 : "memory");
#else
  for (t_uint32 k = threadIdx.x; k < count; k += blockDim.x) to[k] = from[k];
#endif
}
#define T_START_COPY(to, from, count) t_start_copy(to, from, count)
#if __CUDA_ARCH__ >= 800
#define T_FINISH_COPIES() asm volatile("cp.async.wait_all;" ::: "memory")
#else
#define T_FINISH_COPIES()
#endif

#define t_fp32_of_bits(bits) __uint_as_float(bits)
#define t_word_fabs_fp32 fabsf
#define t_word_sqrt_fp32 sqrtf
#define t_word_exp_fp32 expf
#define t_word_log_fp32 logf
#define t_word_floor_fp32 floorf
#define t_word_ceil_fp32 ceilf
#define t_word_pow_fp32 powf
#define t_word_fabs_fp64 fabs
#define t_word_sqrt_fp64 sqrt
#define t_word_exp_fp64 exp
#define t_word_log_fp64 log
#define t_word_floor_fp64 floor
#define t_word_ceil_fp64 ceil
#define t_word_pow_fp64 pow

T_FUNCTION t_uint64 t_global_id(void) {
  return (t_uint64)blockIdx.x * blockDim.x + threadIdx.x;
}
T_FUNCTION t_uint64 t_global_size(void) { return (t_uint64)gridDim.x * blockDim.x; }
T_FUNCTION t_uint64 t_group_id(void) { return (t_uint64)blockIdx.x; }
T_FUNCTION t_uint64 t_group_count(void) { return (t_uint64)gridDim.x; }
T_FUNCTION t_uint32 t_local_id(void) { return threadIdx.x; }

T_FUNCTION t_uint32 t_atomic_next(volatile T_GLOBAL t_uint32* counter) {
  return atomicAdd((t_uint32*)counter, 1u);
}

// What was there before; t_atomic_swap stores `value` only where that was `expected`.
T_FUNCTION t_uint32 t_atomic_add(volatile T_GLOBAL t_uint32* sum, t_uint32 value) {
  return atomicAdd((t_uint32*)sum, value);
}
T_FUNCTION t_uint32 t_atomic_or(volatile T_GLOBAL t_uint32* word, t_uint32 bits) {
  return atomicOr((t_uint32*)word, bits);
}
T_FUNCTION t_uint32 t_atomic_max(volatile T_GLOBAL t_uint32* maximum, t_uint32 value) {
  return atomicMax((t_uint32*)maximum, value);
}
T_FUNCTION t_uint32 t_local_atomic_add(volatile T_LOCAL t_uint32* sum, t_uint32 value) {
  return atomicAdd((t_uint32*)sum, value);
}
T_FUNCTION t_uint32 t_local_atomic_max(volatile T_LOCAL t_uint32* maximum, t_uint32 value) {
  return atomicMax((t_uint32*)maximum, value);
}
T_FUNCTION t_uint32 t_local_atomic_or(volatile T_LOCAL t_uint32* word, t_uint32 bits) {
  return atomicOr((t_uint32*)word, bits);
}
T_FUNCTION t_uint32 t_local_atomic_swap(volatile T_LOCAL t_uint32* word, t_uint32 expected,
                                        t_uint32 value) {
  return atomicCAS((t_uint32*)word, expected, value);
}
T_FUNCTION t_uint32 t_atomic_swap(volatile T_GLOBAL t_uint32* word, t_uint32 expected,
                                  t_uint32 value) {
  return atomicCAS((t_uint32*)word, expected, value);
}
T_FUNCTION t_uint64 t_atomic_swap_64(volatile T_GLOBAL t_uint64* word, t_uint64 expected,
                                     t_uint64 value) {
  return atomicCAS((t_uint64*)word, expected, value);
}
// Minima, maxima and sums of integers in memory; nothing is returned.
#define T_ATOMIC_64 1
#define T_ATOMIC_MINIMUM_32(to, value) (void)atomicMin(to, value)
#define T_ATOMIC_MINIMUM_64(to, value) (void)atomicMin(to, value)
#define T_ATOMIC_MAXIMUM_32(to, value) (void)atomicMax(to, value)
#define T_ATOMIC_MAXIMUM_64(to, value) (void)atomicMax(to, value)
#define T_ATOMIC_PLUS_32(to, value) (void)atomicAdd((t_uint32*)(to), (t_uint32)(value))
#define T_ATOMIC_PLUS_64(to, value) (void)atomicAdd((t_uint64*)(to), (t_uint64)(value))

// A word of another group's local memory, whose place is that of `word` in one's own.
T_FUNCTION t_uint32 t_word_of_group(volatile T_LOCAL const t_uint32* word, t_uint32 group) {
#if T_TOGETHER > 1
  t_uint32 place, result;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(place)
               : "r"((t_uint32)__cvta_generic_to_shared((const void*)word)), "r"(group));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(result) : "r"(place) : "memory");
  return result;
#else
  (void)group;
  return *word;
#endif
}

T_FUNCTION t_uint32 t_negative(t_uint32 a) { return 0u - a; }
T_FUNCTION t_uint32 t_popcount(t_uint32 word) { return (t_uint32)__popc((int)word); }
T_FUNCTION t_uint32 t_highest_bit(t_uint32 word) { return 31 - (t_uint32)__clz((int)word); }

// A subgroup is a warp.
#if T_SHUFFLE
// As t_atomic_next, behind the subgroup's stores: a group that draws a later ticket sees them. (A fence
// would empty the nearest cache too, which the other groups need.)
T_FUNCTION t_uint32 t_draw_ticket(T_GLOBAL t_uint32* counter) {
  t_uint32 drawn;
  asm volatile("atom.release.gpu.add.u32 %0, [%1], 1;" : "=r"(drawn) : "l"(counter) : "memory");
  return drawn;
}
#define T_SUBGROUP_SYNC() __syncwarp()
T_FUNCTION t_uint32 t_shuffle_up(t_uint32 word, t_uint32 distance) {
  return __shfl_up_sync(0xffffffffu, word, distance);
}
T_FUNCTION t_uint32 t_shuffle_across(t_uint32 word, t_uint32 distance) {
  return __shfl_xor_sync(0xffffffffu, word, (int)distance);
}
T_FUNCTION t_uint32 t_shuffle_at(t_uint32 word, t_uint32 lane) {
  return __shfl_sync(0xffffffffu, word, (int)lane);
}
// Bit n: whether `flag` is set in lane n.
T_FUNCTION t_uint32 t_ballot(t_uint32 flag) { return __ballot_sync(0xffffffffu, (int)flag); }
#else
#define T_SUBGROUP_SYNC() __syncthreads()
#endif
