// SPDX-License-Identifier: Apache-2.0

// Counts are exact whichever way they are found: results do not depend on the machine.

#include "backends/cpu/mxm/shared_columns.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include <tropic/error.hpp>

#include "backends/cpu/mxm/row_intersections.hpp"
#include "backends/cpu/products/known_sums.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::size_t group = row_bitmaps::group;
constexpr std::size_t fetched_ahead = 8;  // positions of the mask

// What one position costs: a column looked up in bits is one unit, a group of words another.
constexpr std::size_t words_begin = 4;

// take(j, shared) for every position j of the mask's row.
template <class Take>
void visit_mask(const mxm_arguments& arguments, const row_bitmaps& bitmaps, std::size_t row,
                const marked_row& marked, Take&& take) {
  const csr_arrays &b = arguments.b, &mask = arguments.mask;
  const std::uint32_t* const wanted = mask.columns + mask.offset(row);
  const std::size_t positions = mask.length(row);
  for (std::size_t n = 0; n < positions; ++n) {
    if (n + fetched_ahead < positions)
      __builtin_prefetch(b.columns + b.offset(wanted[n + fetched_ahead]));
    const std::uint32_t j = wanted[n];
    std::size_t shared = 0;
    if (const row_bitmaps::bitmap* const bitmap = bitmaps.of_row(j)) {
      const std::uint64_t* const words = bitmaps.words(*bitmap);
      if (!marked.is_marked() || marked.length() < words_begin + bitmap->count / group)
        shared = shared_bits(marked, words, bitmap->first, bitmap->count);
      else
        shared = shared_words(words, marked.words + bitmap->first, bitmap->count);
    } else {
      const std::uint32_t *from = b.columns + b.offset(j), *const end =
                                                               b.columns +
                                                               b.offset(j + std::size_t{1});
      if (from == end || end[-1] < marked.begin[0] || from[0] > marked.end[-1]) continue;
      if (static_cast<std::size_t>(end - from) / 16 > marked.length())
        shared = shared_by_search(marked, from, end);
      else if (!marked.is_marked())
        shared = shared_by_merge(marked, from, end);
      else
        for (; from < end; ++from) shared += marked.marks[*from];
    }
    take(j, shared);
  }
}

// Marks a row of A, calls visit(marked row), and clears the marks.
template <class Visit>
void with_marks(const csr_arrays& a, std::size_t row, std::uint8_t* marks, std::uint64_t* words,
                Visit&& visit) {
  const marked_row marked{marks, words, a.columns + a.offset(row), a.columns + a.offset(row + 1)};
  if (marked.begin == marked.end) return;
  if (!marked.is_marked()) return visit(marked);
  for (const std::uint32_t* at = marked.begin; at < marked.end; ++at) {
    marks[*at] = 1;
    words[*at / 64] |= std::uint64_t{1} << *at % 64;
  }
  visit(marked);
  for (const std::uint32_t* at = marked.begin; at < marked.end; ++at) {
    marks[*at] = 0;
    words[*at / 64] = 0;
  }
}

// take_lanes(j, shared in each lane), or take(j, shared), for the positions j of the mask's row
// that may share columns with a row of A from whose begin four columns can be loaded.
template <class TakeLanes, class Take>
void visit_few(const shared_rows& in, const marked_row& of_a, std::size_t row,
               TakeLanes&& take_lanes, Take&& take) {
  const csr_arrays &b = in.arguments.b, &mask = in.arguments.mask;
  const few_columns left(of_a.begin, of_a.length(), shared_columns::most_columns);
  std::size_t n = mask.offset(row);
  const std::size_t end = mask.offset(row + 1);
  if (in.b_is_lower)
    while (n < end && mask.columns[n] <= of_a.begin[0]) ++n;
  for (; n < end; ++n) {
    const std::uint32_t j = mask.columns[n];
    const std::size_t begin = b.offset(j), length = b.offset(j + std::size_t{1}) - begin;
    const std::uint32_t* const from = b.columns + begin;
    if (length <= few_columns::capacity && begin + few_columns::capacity <= in.b_entries)
      take_lanes(j, left.shared_with({from, length, shared_columns::most_columns + 1}));
    else if (length == 0 || from[length - 1] < of_a.begin[0] || from[0] > of_a.end[-1])
      continue;
    else if (length / 16 > of_a.length())
      take(j, shared_by_search(of_a, from, from + length));
    else
      take(j, shared_by_merge(of_a, from, from + length));
  }
}

constexpr std::size_t batch_size = 256;

// Lists the rows of [begin, end), at most a batch, that may share columns at a position of the
// mask, without branches: half of the rows of roads cannot. Returns how many.
std::size_t list_rows(const shared_rows& in, std::size_t begin, std::size_t end,
                      std::size_t* list) {
  const csr_arrays &a = in.arguments.a, &mask = in.arguments.mask;
  if (mask.offset(begin) == mask.offset(end)) return 0;  // it may have no columns at all
  std::size_t count = 0;
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t first = a.offset(row), last = mask.offset(row + 1);
    const std::size_t has_both =
        std::size_t{first < a.offset(row + 1)} & std::size_t{mask.offset(row) < last};
    list[count] = row;
    // In a lower B', row j has none of the columns from j on.
    const bool is_behind =
        mask.columns[has_both != 0 ? last - 1 : 0] > a.columns[has_both != 0 ? first : 0];
    count += has_both & (std::size_t{!in.b_is_lower} | std::size_t{is_behind});
  }
  return count;
}

// few(row, columns of A) for the rows of [begin, end) that may share columns and have few,
// others(row) for those that have more.
template <class Few, class Others>
void visit_rows(const shared_rows& in, std::size_t begin, std::size_t end, Few&& few,
                Others&& others) {
  const csr_arrays& a = in.arguments.a;
  const bool has_bitmaps = !in.bitmaps.empty();
  std::size_t list[batch_size];
  for (; begin < end; begin += batch_size) {
    const std::size_t count = list_rows(in, begin, std::min(end, begin + batch_size), list);
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t row = list[n], first = a.offset(row), last = a.offset(row + 1);
      if (!has_bitmaps && last - first <= few_columns::capacity &&
          first + few_columns::capacity <= in.a_entries)
        few(row, marked_row{nullptr, nullptr, a.columns + first, a.columns + last});
      else
        others(row);
    }
  }
}

struct count_rows {
  template <class Z>
  static std::size_t run(const shared_rows& in, std::size_t begin, std::size_t end,
                         std::uint64_t* lengths, std::uint32_t* columns, Z* values) {
    std::size_t found = 0;
    const auto put = [&](std::uint32_t j, std::size_t shared) {
      if (shared == 0) return;  // nothing is written beyond the entries
      columns[found] = j;
      values[found++] = static_cast<Z>(shared);
    };
    std::fill_n(lengths, end - begin, std::uint64_t{0});
    visit_rows(
        in, begin, end,
        [&](std::size_t row, const marked_row& of_a) {
          const std::size_t before = found;
          visit_few(
              in, of_a, row,
              [&](std::uint32_t j, few_columns::lanes shared) {
                put(j, shared[0] + shared[1] + shared[2] + shared[3]);
              },
              put);
          lengths[row - begin] = found - before;
        },
        [&](std::size_t row) {
          const std::size_t before = found;
          with_marks(in.arguments.a, row, in.marks, in.words, [&](const marked_row& marked) {
            visit_mask(in.arguments, in.bitmaps, row, marked, put);
          });
          lengths[row - begin] = found - before;
        });
    return found;
  }
};

struct sum_rows {
  static std::uint64_t run(const shared_rows& in, std::size_t begin, std::size_t end) {
    std::uint64_t sum = 0;
    const auto add = [&](std::uint32_t, std::size_t shared) { sum += shared; };
    visit_rows(
        in, begin, end,
        [&](std::size_t row, const marked_row& of_a) {
          few_columns::lanes sums{};
          visit_few(
              in, of_a, row, [&](std::uint32_t, few_columns::lanes shared) { sums += shared; },
              add);
          sum += std::uint64_t{sums[0]} + sums[1] + sums[2] + sums[3];
        },
        [&](std::size_t row) {
          with_marks(in.arguments.a, row, in.marks, in.words, [&](const marked_row& marked) {
            visit_mask(in.arguments, in.bitmaps, row, marked, add);
          });
        });
    return sum;
  }
};

#if defined(__x86_64__) && defined(__GNUC__)
template <class Loop, class... Arguments>
[[gnu::target("popcnt"), gnu::flatten]] auto run_by_popcnt(Arguments... arguments) {
  return Loop::run(arguments...);
}
template <class Loop, class... Arguments>
[[gnu::target("popcnt,avx512f,avx512vpopcntdq"), gnu::flatten]] auto run_by_avx512(
    Arguments... arguments) {
  return Loop::run(arguments...);
}
#endif

// Loop::run by the best instructions of this machine.
template <class Loop, class... Arguments>
auto run_fastest(Arguments... arguments) {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has_avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq");
  if (has_avx512) return run_by_avx512<Loop, Arguments...>(arguments...);
  static const bool has_popcnt = __builtin_cpu_supports("popcnt");
  if (has_popcnt) return run_by_popcnt<Loop, Arguments...>(arguments...);
#endif
  return Loop::run(arguments...);
}

}  // namespace

bool counts_products(const semiring_description& semiring, std::size_t max_products) {
  if (!adds_ones(semiring) || semiring.z().code == type_code::boolean) return false;
  return with_builtin_type(semiring.z().code, [&]<class Z>() {
    // Integers wrap as their sums do.
    if constexpr (std::is_integral_v<Z>)
      return true;
    else
      return max_products <= std::size_t{1} << std::numeric_limits<Z>::digits;
  });
}

shared_columns::shared_columns(context_state& context, const row_bitmaps& bitmaps,
                               std::size_t columns, std::size_t a_entries, std::size_t b_entries,
                               bool b_is_lower)
    : bitmaps_(bitmaps),
      a_entries_(columns <= most_columns ? a_entries : 0),
      b_entries_(b_entries),
      b_is_lower_(b_is_lower),
      marks_(context, columns),
      words_(context, row_bitmaps::words_of(columns) * sizeof(std::uint64_t)) {
  std::memset(marks_.as<>(), 0, marks_.bytes());
  std::memset(words_.as<>(), 0, words_.bytes());
}

shared_rows shared_columns::rows_of(const mxm_arguments& arguments) const {
  return {arguments,  bitmaps_,   marks_.as<std::uint8_t>(), words_.as<std::uint64_t>(), a_entries_,
          b_entries_, b_is_lower_};
}

std::size_t shared_columns::count(const mxm_arguments& arguments, std::size_t begin,
                                  std::size_t end, const type_description& z,
                                  std::uint64_t* lengths, std::uint32_t* columns,
                                  std::byte* values) {
  const shared_rows in = rows_of(arguments);
  return with_builtin_type(z.code, [&]<class Z>() {
    return run_fastest<count_rows, const shared_rows&>(in, begin, end, lengths, columns,
                                                       reinterpret_cast<Z*>(values));
  });
}

std::uint64_t shared_columns::sum(const mxm_arguments& arguments, std::size_t begin,
                                  std::size_t end) {
  const shared_rows in = rows_of(arguments);
  return run_fastest<sum_rows, const shared_rows&>(in, begin, end);
}

}  // namespace tropic::detail::on_cpu
