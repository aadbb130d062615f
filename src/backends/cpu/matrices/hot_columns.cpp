// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/matrices/hot_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <vector>

#include <tropic/error.hpp>

#include "backends/cpu/counted_memory.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "containers/integers.hpp"
#include "containers/timing.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::uint32_t calls_before = 2;  // building costs about what two products cost

// Stretches of consecutive entries, spread evenly: an eighth of a large matrix. Columns are counted
// in every second one, and judged by the others: in a sparse sample, the columns that were counted
// seem frequent by chance.
class sample {
 public:
  explicit sample(std::size_t entries)
      : length_(std::min(entries / 2, std::size_t{1} << 16)),
        pairs_(std::max<std::size_t>(1, entries / 16 / std::max<std::size_t>(1, length_))) {
    distance_ = (entries - length_) / (2 * pairs_ - 1);
  }

  // f(first, last) for each counted stretch; for at most `limit` of the others.
  template <class F>
  void each_counted(F&& f) const {
    for (std::size_t n = 0; n < pairs_; ++n) call(2 * n, f);
  }
  template <class F>
  void each_judged(std::size_t limit, F&& f) const {
    for (std::size_t n = 0; n < std::min(pairs_, limit); ++n) call(2 * n + 1, f);
  }

 private:
  template <class F>
  void call(std::size_t n, F&& f) const {
    f(n * distance_, n * distance_ + length_);
  }
  std::size_t length_, pairs_, distance_ = 0;
};

// Misses of a direct-mapped cache of 256 KB for elements of 8 bytes; the first half of a stretch
// fills it.
template <class Number>
std::size_t misses(const sample& entries, const std::uint32_t* columns, Number&& number) {
  constexpr std::size_t lines = 4096, stretches = 8;
  std::vector<std::uint32_t> line_at(lines);
  std::size_t found = 0;
  entries.each_judged(stretches, [&](std::size_t first, std::size_t last) {
    std::ranges::fill(line_at, std::numeric_limits<std::uint32_t>::max());
    const std::size_t counted = first + (last - first) / 2;
    for (std::size_t e = first; e < last; ++e) {
      const std::uint32_t line = number(columns[e]) / 8;
      found += line_at[line % lines] != line && e >= counted;
      line_at[line % lines] = line;
    }
  });
  return found;
}

// The columns in groups of descending numbers of sampled entries, doubling from group to group;
// within a group in their order.
void list_by_group(std::span<const std::uint32_t> entries_of, std::uint32_t* order,
                   std::uint32_t* number) {
  constexpr std::size_t groups = 33;
  const auto group = [&](std::size_t column) {
    return groups - 1 - static_cast<std::size_t>(std::bit_width(entries_of[column]));
  };
  std::array<std::size_t, groups + 1> first{};
  for (std::size_t column = 0; column < entries_of.size(); ++column) ++first[group(column) + 1];
  for (std::size_t g = 0; g < groups; ++g) first[g + 1] += first[g];
  for (std::size_t column = 0; column < entries_of.size(); ++column) {
    const std::size_t at = first[group(column)]++;
    order[at] = static_cast<std::uint32_t>(column);
    number[column] = static_cast<std::uint32_t>(at);
  }
}

// Null where fewer than a third of the misses would be saved.
std::shared_ptr<const hot_numbers> build(const memory_side& here, const matrix_base& m) {
  const auto* columns = here.read_as<std::uint32_t>(m.column_indices);
  const std::size_t width = as_size(m.columns), entries = as_size(m.nnz);
  const sample some(entries);
  const counted_memory counts(*here.context(), width * sizeof(std::uint32_t));
  const counted_memory numbers(*here.context(), width * sizeof(std::uint32_t));
  const std::span entries_of(counts.as<std::uint32_t>(), width);
  auto* const number = numbers.as<std::uint32_t>();
  std::memset(entries_of.data(), 0, counts.bytes());
  some.each_counted([&](std::size_t first, std::size_t last) {
    for (std::size_t e = first; e < last; ++e) ++entries_of[columns[e]];
  });
  auto result = std::make_shared<hot_numbers>();
  result->order = here.allocate(width, sizeof(std::uint32_t));
  list_by_group(entries_of, here.write_as<std::uint32_t>(result->order), number);
  const std::size_t before = misses(some, columns, [](std::uint32_t c) { return c; });
  const std::size_t after = misses(some, columns, [&](std::uint32_t c) { return number[c]; });
  if (after * 3 > before * 2) return nullptr;
  result->columns = here.allocate(entries, sizeof(std::uint32_t));
  auto* const to = here.write_as<std::uint32_t>(result->columns);
  for_chunks(here.threads(), entries, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) to[e] = number[columns[e]];
  });
  return result;
}

// Kept with the matrix; null where they do not pay.
std::shared_ptr<const hot_numbers> numbers_of(const memory_side& here, const matrix_base& m) {
  derived_copies& kept = *m.derived;
  const std::lock_guard lock(kept.mutex);
  if (kept.hot_numbers != nullptr) return kept.hot_numbers;
  kept.building = true;
  struct guard {
    derived_copies& copies;
    ~guard() { copies.building = false; }
  } built{kept};
  try {
    kept.hot_numbers = build(here, m);
  } catch (const out_of_memory&) {  // an optimisation must not make the call fail
  } catch (const std::bad_alloc&) {
  }
  kept.gains_by_hot_numbers =
      kept.hot_numbers != nullptr ? matrix_fact::holds : matrix_fact::does_not_hold;
  if (kept.hot_numbers != nullptr) remember_derived(*here.context(), m.derived);
  return kept.hot_numbers;
}

}  // namespace

const hot_numbers* hot_call::begin(const memory_side& here, const matrix_base& m,
                                   const void* kind) {
  derived_copies& kept = *m.derived;
  const matrix_fact known = kept.gains_by_hot_numbers.load(std::memory_order_acquire);
  if (known == matrix_fact::does_not_hold) return nullptr;
  if (kept.scattered_pulls.fetch_add(1, std::memory_order_relaxed) < calls_before) return nullptr;
  way_ = kept.hot_calls.next(kind);
  if (way_ == call_way::other) {
    numbers_ = numbers_of(here, m);
    if (numbers_ == nullptr) return nullptr;
  }
  kept_ = m.derived;
  kind_ = kind;
  start_ = std::chrono::steady_clock::now();
  return numbers_.get();
}

void hot_call::end() {
  if (kept_ == nullptr) return;
  const double seconds = seconds_since(start_);
  numbers_ = nullptr;
  if (kept_->hot_calls.record(kind_, way_, seconds) == call_way::usual) {
    const std::lock_guard lock(kept_->mutex);
    kept_->gains_by_hot_numbers = matrix_fact::does_not_hold;
    kept_->hot_numbers = nullptr;
  }
  kept_ = nullptr;
}

void gather_hot(const memory_side& here, const hot_numbers& hot, const std::byte* u,
                std::size_t count, std::size_t bytes, std::byte* to) {
  const auto* order = here.read_as<std::uint32_t>(hot.order);
  for_chunks(here.threads(), count, [&](std::size_t begin, std::size_t end) {
    gather(to + begin * bytes, u, order + begin, end - begin, bytes);
  });
}

}  // namespace tropic::detail::on_cpu
