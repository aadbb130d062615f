// SPDX-License-Identifier: Apache-2.0

// See symmetry.hpp.

#include "io/symmetry.hpp"

#include <omp.h>

#include <algorithm>
#include <random>
#include <type_traits>

namespace tropic::io::detail {

namespace {

/// Integers of a size are equal if their bits are, with and without sign.
template <class T>
using compared_as =
    typename std::conditional_t<std::is_floating_point_v<T>, std::type_identity<T>,
                                std::conditional_t<sizeof(T) == 1, std::type_identity<std::uint8_t>,
                                                   std::make_unsigned<T>>>::type;

/// The salts of the values of a matrix.
template <class T, bool Complex>
struct salts_of_values {
  symmetry_key key;
  const std::byte* values;

  std::uint64_t bits(std::size_t number) const {
    T value;
    std::memcpy(&value, values + number * sizeof(T), sizeof(T));
    return comparable_bits(value);
  }
  std::uint64_t operator()(std::size_t k) const {
    if constexpr (Complex)
      return salt_of(key, bits(2 * k), bits(2 * k + 1));
    else
      return salt_of(key, bits(k));
  }
};
/// The single value of a pattern is the same on both sides.
struct salts_of_pattern {
  std::uint64_t operator()(std::size_t) const { return 0; }
};

/// f(key, salt): salt(k) is that of the value of entry k.
template <class F>
void with_salts(type_code type, bool complex, bool pattern, const std::byte* values, F&& f) {
  const symmetry_key key = key_of_process();
  if (pattern) return f(key, salts_of_pattern{});
  with_builtin_type(type, [&]<class T>() {
    if (complex)
      f(key, salts_of_values<compared_as<T>, true>{key, values});
    else
      f(key, salts_of_values<compared_as<T>, false>{key, values});
  });
}

std::uint64_t offset_at(const mapped_csr& m, std::size_t row) {
  return m.offsets64.empty() ? std::uint64_t{m.offsets32[row]} : m.offsets64[row];
}

/// The sum over rows [begin, end).
template <class Salt>
std::uint64_t sum_of_rows(const mapped_csr& m, const symmetry_key& process_key, const Salt& salts,
                          std::size_t begin, std::size_t end) {
  const symmetry_key key = process_key;  // copies, which the compiler can keep in registers
  const Salt salt = salts;
  const std::uint32_t* const column = m.column.data();
  std::uint64_t sum = 0;
  for (std::size_t r = begin; r < end; ++r) {
    const auto row = static_cast<std::uint32_t>(r);
    const std::uint64_t stop = offset_at(m, r + 1);
    for (std::uint64_t k = offset_at(m, r); k < stop; ++k)
      sum += asymmetry_of(key, row, column[k], salt(k));
  }
  return sum;
}

#if defined(__x86_64__) && defined(__GNUC__)
// Products of 64-bit numbers in vectors need instructions that baseline x86-64 does not have.
template <class Salt>
[[gnu::target("avx2"), gnu::flatten]] std::uint64_t sum_of_rows_by_avx2(const mapped_csr& m,
                                                                        const symmetry_key& key,
                                                                        const Salt& salt,
                                                                        std::size_t begin,
                                                                        std::size_t end) {
  return sum_of_rows(m, key, salt, begin, end);
}
template <class Salt>
[[gnu::target("avx512f,avx512dq,avx512vl"), gnu::flatten]] std::uint64_t sum_of_rows_by_avx512(
    const mapped_csr& m, const symmetry_key& key, const Salt& salt, std::size_t begin,
    std::size_t end) {
  return sum_of_rows(m, key, salt, begin, end);
}
#endif

/// The fastest of these for the machine.
template <class Salt>
auto usual_sum_of_rows() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return sum_of_rows_by_avx512<Salt>;
  if (__builtin_cpu_supports("avx2")) return sum_of_rows_by_avx2<Salt>;
#endif
  return sum_of_rows<Salt>;
}

int count_of(int threads) {
  return threads > 0 ? threads : omp_get_max_threads();
}

}  // namespace

const symmetry_key& key_of_process() {
  static const symmetry_key key = [] {
    std::random_device device;
    const auto draw = [&] { return std::uint64_t{device()} << 32 | device(); };
    return symmetry_key{draw(), draw(), draw()};
  }();
  return key;
}

bool is_symmetric(const coordinates& m, int threads) {
  std::uint64_t sum = 0;
  with_salts(m.type, m.complex, m.pattern, m.values.data(), [&](const auto& key, const auto& salt) {
#pragma omp parallel for reduction(+ : sum) num_threads(count_of(threads))
    for (std::size_t k = 0; k < m.row.size(); ++k)
      sum += asymmetry_of(key, m.row[k], m.column[k], salt(k));
  });
  return sum == 0;
}

bool is_symmetric(const mapped_csr& m, int threads) {
  std::uint64_t sum = 0;
  const auto rows = static_cast<std::size_t>(m.rows);
  with_salts(m.type, m.complex, m.pattern, m.values.data(), [&](const auto& key, const auto& salt) {
    constexpr std::size_t block = 4096;
    const auto sum_of = usual_sum_of_rows<std::remove_cvref_t<decltype(salt)>>();
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) num_threads(count_of(threads))
    for (std::size_t begin = 0; begin < rows; begin += block)
      sum += sum_of(m, key, salt, begin, std::min(rows, begin + block));
  });
  return sum == 0;
}

lone_entry find_lone_entry(const mapped_csr& m) {
  lone_entry found;
  with_salts(m.type, m.complex, m.pattern, m.values.data(), [&](const auto&, const auto& salt) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(m.rows); ++r)
      for (std::uint64_t k = offset_at(m, r), end = offset_at(m, r + 1); k < end; ++k) {
        const std::uint32_t column = m.column[k];
        const auto* const first = m.column.data() + offset_at(m, column);
        const auto* const last = m.column.data() + offset_at(m, column + std::size_t{1});
        const auto* const image = std::lower_bound(first, last, static_cast<std::uint32_t>(r));
        const bool is_there = image != last && *image == r;
        if (is_there && salt(static_cast<std::size_t>(image - m.column.data())) == salt(k))
          continue;
        found = {k, static_cast<std::uint32_t>(r), column, is_there};
        return;
      }
  });
  return found;
}

}  // namespace tropic::io::detail
