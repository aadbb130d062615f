// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/matrices/matrix_facts.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <type_traits>

#include <tropic/semirings/types.hpp>

#include "backends/cpu/parallel.hpp"
#include "containers/derived_copies.hpp"
#include "containers/integers.hpp"

namespace tropic::detail::on_cpu {

namespace {

// Two threads may both find out; they find the same.
template <class F>
bool kept(std::atomic<matrix_fact>& fact, F&& find_out) {
  matrix_fact known = fact.load(std::memory_order_relaxed);
  if (known == matrix_fact::unknown) {
    known = find_out() ? matrix_fact::holds : matrix_fact::does_not_hold;
    fact.store(known, std::memory_order_relaxed);
  }
  return known == matrix_fact::holds;
}

template <class T>
bool are_plain(const T* values, std::size_t count) {
  // Without early exit, which would prevent vector instructions.
  bool all = true;
  for (std::size_t n = 0; n < count; ++n)
    if constexpr (std::is_floating_point_v<T>)
      all &= values[n] == values[n];
    else
      all &= (values[n] >= T{}) & (values[n] != std::numeric_limits<T>::max());
  return all;
}

// Misses of a direct-mapped cache of 512 lines of 8 elements, in stretches of consecutive entries;
// the first entries of a stretch fill the cache.
bool are_scattered(const std::uint32_t* columns, std::size_t count) {
  constexpr std::size_t lines = 512, stretch = 4096, filling = 1024, stretches = 16;
  constexpr double often = 0.1;
  if (count < stretch) return false;
  std::array<std::uint32_t, lines> line_at;
  std::size_t misses = 0, counted = 0;
  for (std::size_t n = 0; n < stretches; ++n) {
    line_at.fill(std::numeric_limits<std::uint32_t>::max());
    const std::uint32_t* first = columns + (count - stretch) / stretches * n;
    for (std::size_t e = 0; e < stretch; ++e) {
      const std::uint32_t line = first[e] / 8;
      const bool misses_here = line_at[line % lines] != line;
      line_at[line % lines] = line;
      misses += misses_here && e >= filling;
      counted += e >= filling;
    }
  }
  return static_cast<double>(misses) > often * static_cast<double>(counted);
}

}  // namespace

bool are_equal(const void* values, std::size_t bytes, std::size_t count) {
  if (count < 2) return true;
  return std::memcmp(values, static_cast<const std::byte*>(values) + bytes, (count - 1) * bytes) ==
         0;
}

bool has_equal_values(const matrix_base& m, const void* values) {
  if (m.iso) return true;
  return kept(m.derived->equal_values,
              [&] { return are_equal(values, m.type->size, as_size(m.nnz)); });
}

bool has_plain_values(const matrix_base& m, const void* values, int threads) {
  return kept(m.derived->plain_values, [&] {
    const std::size_t count = m.iso ? 1 : as_size(m.nnz);
    return with_builtin_type(m.type->code, [&]<class T>() {
      if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
        const T* typed = static_cast<const T*>(values);
        return sum_over_chunks(threads, count, [&](std::size_t begin, std::size_t end) {
                 return std::size_t{!are_plain(typed + begin, end - begin)};
               }) == 0;
      } else {
        return false;
      }
    });
  });
}

bool has_scattered_columns(const matrix_base& m, const std::uint32_t* columns) {
  return kept(m.derived->scattered_columns, [&] { return are_scattered(columns, as_size(m.nnz)); });
}

buffer_pointer rows_with_entries(const memory_side& here, const matrix_base& m) {
  derived_copies& kept = *m.derived;
  {
    const std::lock_guard lock(kept.mutex);
    if (kept.rows_with_entries != nullptr) return kept.rows_with_entries;
  }
  const std::size_t rows = as_size(m.rows);
  buffer_pointer flags = here.allocate(rows, 1);
  auto* const flag = here.write_as<std::uint8_t>(flags);
  const offsets_view offsets{here.read(m.offsets), m.wide};
  for_chunks(here.threads(), rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) flag[row] = offsets[row] < offsets[row + 1];
  });
  const std::lock_guard lock(kept.mutex);
  if (kept.rows_with_entries != nullptr) return kept.rows_with_entries;  // by another thread
  kept.rows_with_entries = flags;
  remember_derived(*here.context(), m.derived);
  return flags;
}

}  // namespace tropic::detail::on_cpu
