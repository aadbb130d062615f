// SPDX-License-Identifier: Apache-2.0

// Counts are exact whichever way they are found: results do not depend on the machine.

#include "backends/cpu/mxm/shared_columns.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <tropic/error.hpp>

#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/products/known_sums.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::size_t group = row_bitmaps::group;
constexpr std::size_t words_per_entry = 2;  // of a bitmap, at most
constexpr std::size_t fetched_ahead = 8;    // positions of the mask

// What one position costs: a column looked up in bits is one unit, a group of words another.
constexpr std::size_t words_begin = 4;

bool has_bit(const std::uint64_t* words, std::size_t column) {
  return (words[column / 64] >> column % 64 & 1) != 0;
}

struct marked_row {
  std::uint8_t* marks;
  std::uint64_t* words;
  const std::uint32_t *begin, *end;  // its columns
  std::size_t length() const { return static_cast<std::size_t>(end - begin); }
  // Marking a short row would take longer than it saves.
  bool is_marked() const { return length() > 4; }
};

std::size_t shared_words(const std::uint64_t* x, const std::uint64_t* y, std::size_t count) {
  std::size_t shared = 0;
  for (std::size_t w = 0; w < count; w += group)
    for (std::size_t n = w; n < w + group; ++n)
      shared += static_cast<std::size_t>(std::popcount(x[n] & y[n]));
  return shared;
}

// Columns ascend: those before the bitmap are skipped, and the first one behind it ends the search.
std::size_t shared_bits(const marked_row& row, const std::uint64_t* words, std::size_t first_word,
                        std::size_t words_count) {
  const std::size_t first = 64 * first_word, count = 64 * words_count;
  std::size_t shared = 0;
  for (const std::uint32_t* at = row.begin; at < row.end; ++at) {
    if (*at >= first + count) break;
    if (*at >= first) shared += has_bit(words, *at - first);
  }
  return shared;
}

std::size_t shared_by_search(const marked_row& row, const std::uint32_t* from,
                             const std::uint32_t* end) {
  std::size_t shared = 0;
  for (const std::uint32_t* at = row.begin; at < row.end; ++at) {
    from = std::lower_bound(from, end, *at);
    if (from == end) break;
    shared += *from == *at;
  }
  return shared;
}

// For two short rows.
std::size_t shared_by_merge(const marked_row& row, const std::uint32_t* from,
                            const std::uint32_t* end) {
  std::size_t shared = 0;
  for (const std::uint32_t* at = row.begin; at < row.end && from < end;) {
    const std::uint32_t x = *at, y = *from;
    shared += x == y;
    at += x <= y;
    from += y <= x;
  }
  return shared;
}

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

// Up to four columns in one register, the others of which are `other`: a value of no column.
struct few_columns {
  static constexpr std::size_t capacity = 4;
  using lanes = std::uint32_t __attribute__((vector_size(16)));
  lanes column;

  // `from` has four elements, `count` of which are columns.
  few_columns(const std::uint32_t* from, std::size_t count, std::uint32_t other) {
    constexpr lanes number = {0, 1, 2, 3};
    std::memcpy(&column, from, sizeof column);
    column = number < static_cast<std::uint32_t>(count) ? column : lanes{} + other;
  }
  // Each lane's share of the columns that both have.
  lanes shared_with(const few_columns& other) const {
    const lanes x = column, y = other.column;
    return lanes{} - static_cast<lanes>(x == y) -
           static_cast<lanes>(x == __builtin_shufflevector(y, y, 1, 2, 3, 0)) -
           static_cast<lanes>(x == __builtin_shufflevector(y, y, 2, 3, 0, 1)) -
           static_cast<lanes>(x == __builtin_shufflevector(y, y, 3, 0, 1, 2));
  }
};

// What is counted.
struct shared_rows {
  const mxm_arguments& arguments;
  const row_bitmaps& bitmaps;
  std::uint8_t* marks;
  std::uint64_t* words;
  std::size_t a_entries, b_entries;
  bool b_is_lower;
};

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

std::size_t words_of(std::size_t columns) {
  return (columns + 64 * group - 1) / (64 * group) * group;
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

row_bitmaps::row_bitmaps(context_state& context, const csr_arrays& of, std::size_t rows,
                         int threads) {
  const row_blocks blocks(rows, [&](std::size_t row) { return row + of.offset(row); });
  // visit(row, first word, words) for the rows of a block that have a bitmap.
  const auto for_each = [&](std::size_t block, auto&& visit) {
    for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
      const std::size_t begin = of.offset(row), end = of.offset(row + 1), length = end - begin;
      if (length * words_per_entry < group) continue;
      const std::size_t first = of.columns[begin] / (64 * group) * group;
      const std::size_t count = words_of(std::size_t{of.columns[end - 1]} + 1) - first;
      if (count <= length * words_per_entry) visit(row, first, count);
    }
  };
  struct totals {
    std::size_t bitmaps = 0, words = 0;
  };
  std::vector<totals> before(blocks.count() + 1);  // in the blocks before each
  for_blocks(threads, blocks.count(), [&](std::size_t block) {
    totals found;
    for_each(block, [&](std::size_t, std::size_t, std::size_t count) {
      ++found.bitmaps;
      found.words += count;
    });
    before[block + 1] = found;
  });
  for (std::size_t block = 0; block < blocks.count(); ++block) {
    before[block + 1].bitmaps += before[block].bitmaps;
    before[block + 1].words += before[block].words;
  }
  const totals all = before.back();
  if (all.bitmaps == 0) return;
  try {
    counted_memory numbers(context, rows * sizeof(std::uint32_t));
    counted_memory bitmaps(context, all.bitmaps * sizeof(bitmap));
    words_ = counted_memory(context, all.words * sizeof(std::uint64_t));
    number_ = std::move(numbers);
    bitmaps_ = std::move(bitmaps);
  } catch (const out_of_memory&) {
    return;
  }
  for_blocks(threads, blocks.count(), [&](std::size_t block) {
    auto* const numbers = number_.as<std::uint32_t>();
    std::fill(numbers + blocks.begin(block), numbers + blocks.begin(block + 1), std::uint32_t{0});
    totals at = before[block];
    for_each(block, [&](std::size_t row, std::size_t first, std::size_t count) {
      bitmaps_.as<bitmap>()[at.bitmaps] = {static_cast<std::uint32_t>(first),
                                           static_cast<std::uint32_t>(count), at.words};
      numbers[row] = static_cast<std::uint32_t>(++at.bitmaps);
      std::uint64_t* const bits = words_.as<std::uint64_t>() + at.words;
      std::fill_n(bits, count, std::uint64_t{0});
      for (std::size_t e = of.offset(row), end = of.offset(row + 1); e < end; ++e) {
        const std::size_t column = of.columns[e] - 64 * first;
        bits[column / 64] |= std::uint64_t{1} << column % 64;
      }
      at.words += count;
    });
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
      words_(context, words_of(columns) * sizeof(std::uint64_t)) {
  std::memset(marks_.as<>(), 0, marks_.bytes());
  std::memset(words_.as<>(), 0, words_.bytes());
}

std::size_t shared_columns::count(const mxm_arguments& arguments, std::size_t begin,
                                  std::size_t end, const type_description& z,
                                  std::uint64_t* lengths, std::uint32_t* columns,
                                  std::byte* values) {
  const shared_rows in{
      arguments,  bitmaps_,   marks_.as<std::uint8_t>(), words_.as<std::uint64_t>(), a_entries_,
      b_entries_, b_is_lower_};
  return with_builtin_type(z.code, [&]<class Z>() {
    return run_fastest<count_rows, const shared_rows&>(in, begin, end, lengths, columns,
                                                       reinterpret_cast<Z*>(values));
  });
}

std::uint64_t shared_columns::sum(const mxm_arguments& arguments, std::size_t begin,
                                  std::size_t end) {
  const shared_rows in{
      arguments,  bitmaps_,   marks_.as<std::uint8_t>(), words_.as<std::uint64_t>(), a_entries_,
      b_entries_, b_is_lower_};
  return run_fastest<sum_rows, const shared_rows&>(in, begin, end);
}

}  // namespace tropic::detail::on_cpu
