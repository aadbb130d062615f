// SPDX-License-Identifier: Apache-2.0
// The words of dialect_cuda.h on the CPU (emulation.hpp). Constants of the program come before it.

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef T_TOGETHER
#define T_TOGETHER 1
#endif
#ifndef T_SHUFFLE
#define T_SHUFFLE 0
#endif

struct emulated_work_item {
  uint64_t group, groups;
  uint32_t local, size;
};
struct t_emulator_calls {
  const emulated_work_item* (*item)();
  void (*barrier)();
  void (*barrier_together)();
  const uint32_t* (*exchange)(uint32_t word);
  void* (*of_group)(const volatile void* word, uint32_t group);
  void* (*local_space)();
};
extern "C" {
const t_emulator_calls* t_emulator;
extern const int t_is_cluster;
const int t_is_cluster = T_TOGETHER > 1;
static thread_local char t_anchor_of_group;
void* t_anchor() {
  return &t_anchor_of_group;
}
}

template <class... A>
struct emulated_signature {
  static constexpr size_t sizes[] = {sizeof(A)..., 0};
};
template <class... A>
constexpr const size_t* emulated_sizes_of(void (*)(A...)) {
  return emulated_signature<A...>::sizes;
}
template <size_t... N>
struct emulated_numbers {};
template <size_t M, size_t... N>
struct emulated_count : emulated_count<M - 1, M - 1, N...> {};
template <size_t... N>
struct emulated_count<0, N...> {
  using type = emulated_numbers<N...>;
};
template <class T>
struct emulated_plain {
  using type = T;
};
template <class T>
struct emulated_plain<const T> {
  using type = T;
};
template <class... A, size_t... N>
void emulated_call_with(void (*kernel)(A...), void** arguments, emulated_numbers<N...>) {
  kernel(*static_cast<typename emulated_plain<A>::type*>(arguments[N])...);
}
template <class... A>
void emulated_call(void (*kernel)(A...), void** arguments) {
  emulated_call_with(kernel, arguments, typename emulated_count<sizeof...(A)>::type{});
}
// fake_nvrtc.cpp finds kernels by the attribute.
#define T_KERNEL extern "C" __attribute__((used))
#define T_KERNEL_OF(size, groups) T_KERNEL
#define T_KERNEL_OF_SIZE(size) T_KERNEL
#define T_FUNCTION static inline
#define T_GLOBAL
#define T_LOCAL
#define T_LOCAL_ARRAY static thread_local
#define T_LOCAL_SPACE(name, bytes) t_uint8* const name = (t_uint8*)t_emulator->local_space()
#define T_RESTRICT __restrict__
#define T_START_COPY(to, from, count)                                               \
  for (t_uint32 t_k = t_local_id(); t_k < (count); t_k += t_emulator->item()->size) \
  (to)[t_k] = (from)[t_k]
#define T_FINISH_COPIES()
#define T_BARRIER() t_emulator->barrier()
#define T_BARRIER_GLOBAL() t_emulator->barrier()
#define T_BARRIER_TOGETHER() t_emulator->barrier_together()
#define T_PREFETCH(place)
#define T_UNROLL
#define T_ROLLED
#define T_LOADED() asm volatile("" ::: "memory")

typedef unsigned char t_bool;
typedef signed char t_int8;
typedef short t_int16;
typedef int t_int32;
typedef long long t_int64;
typedef unsigned char t_uint8;
typedef unsigned short t_uint16;
typedef unsigned int t_uint32;
typedef unsigned long long t_uint64;
typedef float t_fp32;
struct alignas(16) t_quad {
  unsigned x, y, z, w;
};
#define T_STREAMED(place) (place)

template <class To, class From>
static inline To emulated_of_bits(From bits) {
  static_assert(sizeof(To) == sizeof(From), "");
  To result;
  memcpy(&result, &bits, sizeof(To));
  return result;
}
static inline double __longlong_as_double(long long bits) {
  return emulated_of_bits<double>(bits);
}
#define t_fp32_of_bits(bits) emulated_of_bits<float>((t_uint32)(bits))
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
  const emulated_work_item* const item = t_emulator->item();
  return item->group * item->size + item->local;
}
T_FUNCTION t_uint64 t_global_size(void) {
  const emulated_work_item* const item = t_emulator->item();
  return item->groups * item->size;
}
T_FUNCTION t_uint64 t_group_id(void) {
  return t_emulator->item()->group;
}
T_FUNCTION t_uint64 t_group_count(void) {
  return t_emulator->item()->groups;
}
T_FUNCTION t_uint32 t_local_id(void) {
  return t_emulator->item()->local;
}

template <class T>
static inline T emulated_fetch_add(volatile T* at, T value) {
  return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}
template <class T>
static inline T emulated_fetch_or(volatile T* at, T value) {
  return __atomic_fetch_or(at, value, __ATOMIC_SEQ_CST);
}
template <class T>
static inline T emulated_fetch_max(volatile T* at, T value) {
  T seen = *at;
  while (seen < value && !__atomic_compare_exchange_n(at, &seen, value, false, __ATOMIC_SEQ_CST,
                                                      __ATOMIC_SEQ_CST)) {
  }
  return seen;
}
template <class T>
static inline T emulated_fetch_min(volatile T* at, T value) {
  T seen = *at;
  while (seen > value && !__atomic_compare_exchange_n(at, &seen, value, false, __ATOMIC_SEQ_CST,
                                                      __ATOMIC_SEQ_CST)) {
  }
  return seen;
}
template <class T>
static inline T emulated_fetch_swap(volatile T* at, T expected, T value) {
  __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}
T_FUNCTION t_uint32 t_atomic_next(volatile t_uint32* counter) {
  return emulated_fetch_add(counter, 1u);
}
T_FUNCTION t_uint32 t_atomic_add(volatile t_uint32* sum, t_uint32 v) {
  return emulated_fetch_add(sum, v);
}
T_FUNCTION t_uint32 t_atomic_or(volatile t_uint32* word, t_uint32 v) {
  return emulated_fetch_or(word, v);
}
T_FUNCTION t_uint32 t_atomic_max(volatile t_uint32* word, t_uint32 v) {
  return emulated_fetch_max(word, v);
}
#define t_local_atomic_add t_atomic_add
#define t_local_atomic_max t_atomic_max
#define t_local_atomic_or t_atomic_or
#define t_local_atomic_swap t_atomic_swap
T_FUNCTION t_uint32 t_atomic_swap(volatile t_uint32* word, t_uint32 expected, t_uint32 value) {
  return emulated_fetch_swap(word, expected, value);
}
T_FUNCTION t_uint64 t_atomic_swap_64(volatile t_uint64* word, t_uint64 expected, t_uint64 value) {
  return emulated_fetch_swap(word, expected, value);
}
#define T_ATOMIC_64 1
#define T_ATOMIC_MINIMUM_32(to, value) (void)emulated_fetch_min(to, value)
#define T_ATOMIC_MINIMUM_64(to, value) (void)emulated_fetch_min(to, value)
#define T_ATOMIC_MAXIMUM_32(to, value) (void)emulated_fetch_max(to, value)
#define T_ATOMIC_MAXIMUM_64(to, value) (void)emulated_fetch_max(to, value)
#define T_ATOMIC_PLUS_32(to, value) (void)emulated_fetch_add(to, value)
#define T_ATOMIC_PLUS_64(to, value) (void)emulated_fetch_add(to, value)
T_FUNCTION t_uint32 t_word_of_group(volatile const t_uint32* word, t_uint32 group) {
  return *(volatile const t_uint32*)t_emulator->of_group(word, group);
}

T_FUNCTION t_uint32 t_negative(t_uint32 a) {
  return 0u - a;
}
T_FUNCTION t_uint32 t_popcount(t_uint32 word) {
  return (t_uint32)__builtin_popcount(word);
}
T_FUNCTION t_uint32 t_highest_bit(t_uint32 word) {
  return word == 0 ? ~0u : 31u - (t_uint32)__builtin_clz(word);
}

#if T_SHUFFLE
T_FUNCTION t_uint32 t_draw_ticket(t_uint32* counter) {
  return emulated_fetch_add(counter, 1u);
}
#define T_SUBGROUP_SYNC() (void)t_emulator->exchange(0)
T_FUNCTION t_uint32 t_shuffle_up(t_uint32 word, t_uint32 distance) {
  const t_uint32 lane = t_local_id() % 32;
  const uint32_t* const words = t_emulator->exchange(word);
  return lane < distance ? word : words[lane - distance];
}
T_FUNCTION t_uint32 t_shuffle_across(t_uint32 word, t_uint32 distance) {
  return t_emulator->exchange(word)[t_local_id() % 32 ^ distance];
}
T_FUNCTION t_uint32 t_shuffle_at(t_uint32 word, t_uint32 lane) {
  return t_emulator->exchange(word)[lane % 32];
}
T_FUNCTION t_uint32 t_ballot(t_uint32 flag) {
  const uint32_t* const words = t_emulator->exchange(flag != 0);
  t_uint32 result = 0;
  for (int lane = 0; lane < 32; ++lane) result |= words[lane] << lane;
  return result;
}
#else
#define T_SUBGROUP_SYNC() t_emulator->barrier()
#endif
