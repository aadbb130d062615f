// SPDX-License-Identifier: Apache-2.0

// See symmetric_rows.hpp.

#include "io/binary/symmetric_rows.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <type_traits>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#define TROPIC_HAS_VAES 1
#endif

namespace tropic::io::detail {

#if defined(TROPIC_HAS_VAES)

namespace {

#define TROPIC_VAES [[gnu::target("avx2,aes,vaes")]]
#define TROPIC_VAES_INLINE [[gnu::target("avx2,aes,vaes"), gnu::always_inline]] inline

constexpr std::size_t rounds = 6;

/// The key of each round, after one that is added before the first.
struct round_keys {
  alignas(16) std::array<std::array<std::uint64_t, 2>, rounds + 1> of;
};

const round_keys& keys_of_process() {
  static const round_keys keys = [] {
    std::random_device device;
    round_keys drawn{};
    for (auto& key : drawn.of)
      for (auto& half : key) half = std::uint64_t{device()} << 32 | device();
    return drawn;
  }();
  return keys;
}

/// A matrix without values.
struct no_value {};

/// Four values as 64-bit words that are equal if the values are; all NaNs are.
template <class T>
TROPIC_VAES_INLINE __m256i four_words(const T* at) {
  const auto bytes = reinterpret_cast<const __m128i*>(at);
  if constexpr (std::is_same_v<T, no_value>) {
    return _mm256_setzero_si256();
  } else if constexpr (std::is_same_v<T, double>) {
    // The sum of -0 and +0 is +0.
    const __m256d v = _mm256_add_pd(_mm256_loadu_pd(at), _mm256_setzero_pd());
    return _mm256_castpd_si256(_mm256_or_pd(v, _mm256_cmp_pd(v, v, _CMP_UNORD_Q)));
  } else if constexpr (std::is_same_v<T, float>) {
    const __m128 v = _mm_add_ps(_mm_loadu_ps(at), _mm_setzero_ps());
    return _mm256_cvtepu32_epi64(_mm_castps_si128(_mm_or_ps(v, _mm_cmpunord_ps(v, v))));
  } else if constexpr (sizeof(T) == 8) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  } else if constexpr (sizeof(T) == 4) {
    return _mm256_cvtepu32_epi64(_mm_loadu_si128(bytes));
  } else if constexpr (sizeof(T) == 2) {
    return _mm256_cvtepu16_epi64(_mm_loadl_epi64(bytes));
  } else {
    std::uint32_t four;
    std::memcpy(&four, at, sizeof four);
    return _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(static_cast<int>(four)));
  }
}

/// The state of a pass: four entries at a time.
template <class T>
struct four_entries {
  __m256i key[rounds + 1];
  __m256i even, odd;  // hashes of entries 0 and 2, 1 and 3
  __m128i descents;   // not zero where a column was not greater than the one before it
  __m128i row, last, is_first;

  TROPIC_VAES_INLINE void start() {
    for (std::size_t k = 0; k <= rounds; ++k)
      key[k] = _mm256_broadcastsi128_si256(
          _mm_load_si128(reinterpret_cast<const __m128i*>(keys_of_process().of[k].data())));
    even = odd = _mm256_setzero_si256();
    descents = last = _mm_setzero_si128();
  }
  TROPIC_VAES_INLINE void start_row(std::size_t r) {
    row = _mm_set1_epi32(static_cast<int>(r));
    is_first = _mm_setr_epi32(-1, 0, 0, 0);
  }
  /// The entries of the row, in order. Those not in `in_row` are not part of it.
  template <bool All>
  TROPIC_VAES_INLINE void take(__m128i column, __m256i value, __m128i in_row) {
    const __m128i before = _mm_alignr_epi8(column, last, 12);
    __m128i descent =
        _mm_andnot_si128(is_first, _mm_cmpeq_epi32(_mm_max_epu32(before, column), before));
    last = column;
    is_first = _mm_setzero_si128();
    if constexpr (!All) {
      descent = _mm_and_si128(descent, in_row);
      column = _mm_blendv_epi8(row, column, in_row);  // on the diagonal: without a hash
    }
    descents = _mm_or_si128(descents, descent);
    const __m128i low = _mm_min_epu32(column, row), high = _mm_max_epu32(column, row);
    const __m256i place =
        _mm256_set_m128i(_mm_unpackhi_epi32(low, high), _mm_unpacklo_epi32(low, high));
    __m256i a = _mm256_xor_si256(_mm256_unpacklo_epi64(place, value), key[0]);
    __m256i b = _mm256_xor_si256(_mm256_unpackhi_epi64(place, value), key[0]);
    for (std::size_t k = 1; k <= rounds; ++k) {
      a = _mm256_aesenc_epi128(a, key[k]);
      b = _mm256_aesenc_epi128(b, key[k]);
    }
    const __m128i diagonal = _mm_cmpeq_epi32(column, row);
    if (_mm_testz_si128(diagonal, diagonal) == 0) {
      const __m256i wide = _mm256_cvtepi32_epi64(diagonal);
      a = _mm256_andnot_si256(_mm256_unpacklo_epi64(wide, wide), a);
      b = _mm256_andnot_si256(_mm256_unpackhi_epi64(wide, wide), b);
    }
    even = _mm256_xor_si256(even, a);
    odd = _mm256_xor_si256(odd, b);
  }
  TROPIC_VAES_INLINE bool has_descent() const { return _mm_testz_si128(descents, descents) == 0; }
  TROPIC_VAES_INLINE void add_to(hash_sum& sum) const {
    const __m256i both = _mm256_xor_si256(even, odd);
    const __m128i one =
        _mm_xor_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    sum[0] ^= static_cast<std::uint64_t>(_mm_cvtsi128_si64(one));
    sum[1] ^= static_cast<std::uint64_t>(_mm_extract_epi64(one, 1));
  }
};

template <class T, class Offset>
TROPIC_VAES bool pass(const mapped_csr& m, const Offset* offsets, std::size_t begin,
                      std::size_t end, hash_sum& sum) {
  constexpr bool has_values = !std::is_same_v<T, no_value>;
  const std::uint32_t* const columns = m.column.data();
  const T* const values = reinterpret_cast<const T*>(m.values.data());
  const auto entries = static_cast<std::uint64_t>(m.entries),
             limit = static_cast<std::uint64_t>(m.columns);
  four_entries<T> state;
  state.start();
  // Each number of the file is used as it was when it was checked: the file may change.
  std::uint64_t k = offsets[begin];
  if (k > entries) return false;
  for (std::size_t r = begin; r < end; ++r) {
    const std::uint64_t stop = offsets[r + 1];
    if (stop < k || stop > entries) return false;
    if (k == stop) continue;
    if (columns[stop - 1] >= limit) return false;
    state.start_row(r);
    for (; stop - k >= 4; k += 4)
      state.template take<true>(_mm_loadu_si128(reinterpret_cast<const __m128i*>(columns + k)),
                                four_words(values + (has_values ? k : 0)), __m128i{});
    if (const std::uint64_t left = stop - k; left > 0) {
      const __m128i in_row =
          _mm_cmpgt_epi32(_mm_set1_epi32(static_cast<int>(left)), _mm_setr_epi32(0, 1, 2, 3));
      if (entries - k >= 4) {  // the next row's entries are read as well
        state.template take<false>(_mm_loadu_si128(reinterpret_cast<const __m128i*>(columns + k)),
                                   four_words(values + (has_values ? k : 0)), in_row);
      } else {
        std::array<std::uint32_t, 4> column{};
        std::array<T, 4> value{};
        std::copy_n(columns + k, left, column.begin());
        if constexpr (has_values) std::copy_n(values + k, left, value.begin());
        state.template take<false>(_mm_loadu_si128(reinterpret_cast<const __m128i*>(column.data())),
                                   four_words(value.data()), in_row);
      }
      k = stop;
    }
  }
  if (state.has_descent()) return false;
  state.add_to(sum);
  return true;
}

template <class T>
TROPIC_VAES bool pass(const mapped_csr& m, std::size_t begin, std::size_t end, hash_sum& sum) {
  return m.offsets64.empty() ? pass<T>(m, m.offsets32.data(), begin, end, sum)
                             : pass<T>(m, m.offsets64.data(), begin, end, sum);
}

bool has_vaes() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned bit_of_vaes = 1U << 9;
  return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
         (c & bit_of_vaes) != 0;
}

}  // namespace

symmetric_rows_pass pass_over_symmetric_rows(const mapped_csr& m) {
  static const bool is_able = has_vaes();
  if (!is_able || m.complex) return nullptr;
  if (m.pattern) return pass<no_value>;
  return with_builtin_type(m.type, []<class T>() -> symmetric_rows_pass {
    // Integers of a size are equal if their bits are, with and without sign.
    if constexpr (std::is_floating_point_v<T>)
      return pass<T>;
    else if constexpr (sizeof(T) == 8)
      return pass<std::uint64_t>;
    else if constexpr (sizeof(T) == 4)
      return pass<std::uint32_t>;
    else if constexpr (sizeof(T) == 2)
      return pass<std::uint16_t>;
    else
      return pass<std::uint8_t>;
  });
}

#else

symmetric_rows_pass pass_over_symmetric_rows(const mapped_csr&) {
  return nullptr;
}

#endif

}  // namespace tropic::io::detail
