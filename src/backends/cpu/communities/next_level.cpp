// SPDX-License-Identifier: Apache-2.0

// The communities of a level as the vertices of the next one, on the host: their members' rows are
// added up. The order of entries in a row is arbitrary, which changes no sum and no choice.
//
// Work O(vertices + entries). Space besides the result: 8 bytes a vertex, and 12 bytes an entry, of
// the rows of a community no more than it has neighbours.

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "backends/cpu/communities/host_level.hpp"
#include "backends/cpu/parallel.hpp"
#include "containers/integers.hpp"

namespace tropic::detail::on_cpu {
namespace {

constexpr std::size_t communities_at_once = 64;  // of one thread

void add_to(std::uint64_t& to, std::uint64_t value) {
  std::atomic_ref(to).fetch_add(value, std::memory_order_relaxed);
}

}  // namespace

// list_: the vertices with neighbours, by their communities.
struct host_level::members {
  std::size_t count = 0;   // of communities
  buffer_pointer before;   // vertices of the communities before each
  buffer_pointer entries;  // of all rows of a community
};

// Of communities with a vertex that has neighbours: the number of each.
std::size_t host_level::number_communities() {
  number_buffer_ = here_.allocate(n_, sizeof(std::uint32_t));
  auto* const number = here_.write_as<std::uint32_t>(number_buffer_);
  std::fill_n(number, n_, none);
  for_chunks(threads_, n_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      if (has_neighbours(v))
        std::atomic_ref(number[community_[v]]).store(0, std::memory_order_relaxed);
  });
  std::size_t count = 0;
  for (std::size_t c = 0; c < n_; ++c)
    if (number[c] != none) number[c] = static_cast<std::uint32_t>(count++);
  of_number_buffer_ = here_.allocate(count, sizeof(std::uint32_t));
  auto* const of_number = here_.write_as<std::uint32_t>(of_number_buffer_);
  for_chunks(threads_, n_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c)
      if (number[c] != none) of_number[number[c]] = static_cast<std::uint32_t>(c);
  });
  return count;
}

host_level::members host_level::gather_members(std::size_t count) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  members result{count, here_.allocate(count + 1, word), here_.allocate(count, word)};
  const auto* const number = here_.read_as<std::uint32_t>(number_buffer_);
  auto* const before = here_.write_as<std::uint64_t>(result.before);
  auto* const entries = here_.write_as<std::uint64_t>(result.entries);
  std::fill_n(before, count + 1, 0);
  std::fill_n(entries, count, 0);
  for_chunks(threads_, n_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      if (has_neighbours(v)) {
        add_to(before[number[community_[v]] + std::size_t{1}], 1);
        add_to(entries[number[community_[v]]], offsets_[v + 1] - offsets_[v]);
      }
  });
  for (std::size_t c = 0; c < count; ++c) before[c + 1] += before[c];
  for_chunks(threads_, n_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      if (has_neighbours(v))
        list_[std::atomic_ref(before[number[community_[v]]])
                  .fetch_add(1, std::memory_order_relaxed)] = static_cast<std::uint32_t>(v);
  });
  for (std::size_t c = count; c > 0; --c) before[c] = before[c - 1];  // they have moved on by one
  before[0] = 0;
  return result;
}

community_graph host_level::joined_rows(const members& m) {
  constexpr std::size_t wide = sizeof(std::uint64_t);
  const auto* const number = here_.read_as<std::uint32_t>(number_buffer_);
  const auto* const before = here_.read_as<std::uint64_t>(m.before);
  const auto* const entries = here_.read_as<std::uint64_t>(m.entries);
  const auto most_of = [&](std::size_t c) { return std::min<std::size_t>(entries[c], m.count); };
  const buffer_pointer room_buffer = here_.allocate(m.count + 1, wide);
  auto* const room = here_.write_as<std::uint64_t>(room_buffer);
  std::size_t max_numbers = 1;
  room[0] = 0;
  for (std::size_t c = 0; c < m.count; ++c) {
    max_numbers = std::max(max_numbers, most_of(c));
    room[c + 1] = room[c] + most_of(c);
  }
  make_tables(max_numbers);
  const buffer_pointer columns = here_.allocate(room[m.count], sizeof(std::uint32_t)),
                       weights = here_.allocate(room[m.count], wide);
  community_graph result{.vertices = m.count, .wide = true, .weight_bytes = wide};
  result.offsets = here_.allocate(m.count + 1, wide);
  auto* const column = here_.write_as<std::uint32_t>(columns);
  auto* const weight = here_.write_as<std::uint64_t>(weights);
  auto* const offsets = here_.write_as<std::uint64_t>(result.offsets);
  const std::size_t blocks = divide_up(m.count, communities_at_once);
  const int threads = blocks > 1 ? threads_ : 1;
  const auto in_blocks = [&](const auto& f) {
    for_blocks(threads, blocks, [&](std::size_t block) {
      if (watch_.is_cancelled()) return;
      for (std::size_t c = block * communities_at_once;
           c < std::min(m.count, (block + 1) * communities_at_once); ++c)
        f(c);
    });
    watch_.check();
  };
  with_weights([&](const auto& weight_of) {
    in_blocks([&](std::size_t c) {
      sum_table& sums = tables_[threads > 1 ? static_cast<std::size_t>(omp_get_thread_num()) : 0];
      sums.begin(most_of(c));
      for (std::size_t n = before[c]; n < before[c + 1]; ++n) {
        const std::size_t v = list_[n];
        for (std::size_t e = offsets_[v]; e < offsets_[v + 1]; ++e)
          if (const std::uint32_t of = community_[column_[e]]; of != community_[v])
            sums.add(number[of], weight_of(e));
      }
      for (std::size_t n = 0; n < sums.count(); ++n) {
        column[room[c] + n] = sums[n].number;
        weight[room[c] + n] = sums[n].sum;
      }
      offsets[c + 1] = sums.count();
    });
  });
  offsets[0] = 0;
  for (std::size_t c = 0; c < m.count; ++c) {
    result.longest_row = std::max<std::size_t>(result.longest_row, offsets[c + 1]);
    offsets[c + 1] += offsets[c];
  }
  result.columns = here_.allocate(offsets[m.count], sizeof(std::uint32_t));
  result.weights = here_.allocate(offsets[m.count], wide);
  auto* const to_columns = here_.write_as<std::uint32_t>(result.columns);
  auto* const to_weights = here_.write_as<std::uint64_t>(result.weights);
  in_blocks([&](std::size_t c) {
    const std::size_t length = offsets[c + 1] - offsets[c];
    std::copy_n(column + room[c], length, to_columns + offsets[c]);
    std::copy_n(weight + room[c], length, to_weights + offsets[c]);
  });
  tables_.clear();
  return result;
}

std::unique_ptr<community_level> host_level::next() {
  const std::size_t count = number_communities();
  community_graph joined = joined_rows(gather_members(count));
  joined.of_vertices = here_.allocate(count, sizeof(std::uint64_t));
  auto* const weights = here_.write_as<std::uint64_t>(joined.of_vertices);
  const auto* const of_number = here_.read_as<std::uint32_t>(of_number_buffer_);
  for (std::size_t c = 0; c < count; ++c) weights[c] = total_[of_number[c]];
  return std::make_unique<host_level>(here_, std::move(joined), rule_);
}

void host_level::join_as(community_level& above) {
  const auto* const number = here_.read_as<std::uint32_t>(number_buffer_);
  const auto* const of_number = here_.read_as<std::uint32_t>(of_number_buffer_);
  const auto* const joined = here_.read_as<std::uint32_t>(above.communities());
  for_chunks(threads_, n_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      if (const std::uint32_t n = number[community_[v]]; n != none)
        community_[v] = of_number[joined[n]];
  });
  number_buffer_ = of_number_buffer_ = nullptr;
}

}  // namespace tropic::detail::on_cpu
