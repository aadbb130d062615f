// SPDX-License-Identifier: Apache-2.0

// Elements of four and eight bytes are gathered by the instructions of AVX2 where the processor has
// them. A loop stores each element before it loads the next, and a load waits for an earlier store
// whose address ends in the same twelve bits.

#include "backends/cpu/products/gather_ahead.hpp"

#include <algorithm>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define TROPIC_GATHERS_BY_AVX2 1
#endif

#include "backends/cpu/elements.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::size_t gathered_at_once = 16;

#if defined(TROPIC_GATHERS_BY_AVX2)

// A whole group. A gather reads indices as signed: `middle` is the element of index 2^31, and the
// highest bit of an index is flipped.
template <std::size_t N>
[[gnu::target("avx2")]] inline void gather_group(std::byte* to, const std::byte* middle,
                                                 const std::uint32_t* columns) {
  const __m128i flip = _mm_set1_epi32(static_cast<int>(0x80000000u));
  for (std::size_t n = 0; n < gathered_at_once; n += 4) {
    const __m128i index =
        _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(columns + n)), flip);
    if constexpr (N == 8)
      _mm256_storeu_si256(
          reinterpret_cast<__m256i*>(to + n * N),
          _mm256_i32gather_epi64(reinterpret_cast<const long long*>(middle), index, 8));
    else
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + n * N),
                       _mm_i32gather_epi32(reinterpret_cast<const int*>(middle), index, 4));
  }
}

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

#endif

void fetch(const std::uint32_t* columns, std::size_t begin, std::size_t ahead, const std::byte* a,
           std::size_t a_bytes) {
  __builtin_prefetch(columns + begin + ahead);
  if (a == nullptr) return;
  for (std::size_t line = 0; line < gathered_at_once * a_bytes; line += 64)
    __builtin_prefetch(a + begin * a_bytes + line);
}

template <std::size_t N>
void gather_one_by_one(std::byte* to, const std::byte* u, const std::uint32_t* columns,
                       std::size_t first, std::size_t count, std::size_t bytes, std::size_t ahead,
                       const std::byte* a, std::size_t a_bytes) {
  for (std::size_t begin = first; begin < count; begin += gathered_at_once) {
    fetch(columns, begin, ahead, a, a_bytes);
    const std::size_t end = std::min(begin + gathered_at_once, count);
    for (std::size_t n = begin; n < end; ++n) copy_element<N>(to, n, u, columns[n], bytes);
  }
}

#if defined(TROPIC_GATHERS_BY_AVX2)
// Returns how many it gathers: whole groups.
template <std::size_t N>
[[gnu::target("avx2"), gnu::flatten]] std::size_t gather_groups(
    std::byte* to, const std::byte* u, const std::uint32_t* columns, std::size_t count,
    std::size_t ahead, const std::byte* a, std::size_t a_bytes) {
  // By numbers: it may lie outside of u.
  const auto* const middle = reinterpret_cast<const std::byte*>(
      reinterpret_cast<std::uintptr_t>(u) + (std::uintptr_t{1} << 31) * N);
  std::size_t begin = 0;
  for (; begin + gathered_at_once <= count; begin += gathered_at_once) {
    fetch(columns, begin, ahead, a, a_bytes);
    gather_group<N>(to + begin * N, middle, columns + begin);
  }
  return begin;
}
#endif

}  // namespace

void gather_ahead(std::byte* to, const std::byte* u, const std::uint32_t* columns,
                  std::size_t count, std::size_t bytes, std::size_t ahead, const std::byte* a,
                  std::size_t a_bytes) {
  with_element_size(bytes, [&]<std::size_t N>() {
    std::size_t done = 0;
#if defined(TROPIC_GATHERS_BY_AVX2)
    if constexpr (N == 4 || N == 8)
      if (has_avx2()) done = gather_groups<N>(to, u, columns, count, ahead, a, a_bytes);
#endif
    gather_one_by_one<N>(to, u, columns, done, count, bytes, ahead, a, a_bytes);
  });
}

}  // namespace tropic::detail::on_cpu
