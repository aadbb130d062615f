// SPDX-License-Identifier: Apache-2.0

// Moves of vertices on the host. In a sub-round threads share the vertices: all of them choose,
// then move, by atomic additions, then wake their neighbours; each of the three ends before the
// next begins, so that the result does not depend on the order in a step.
//
// Work of a sweep O(entries of the active vertices + entries of those that move). Space: 45 bytes a
// vertex, and for every thread up to 68 bytes an entry of the longest row.

#include "backends/cpu/communities/host_level.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "backends/cpu/parallel.hpp"
#include "containers/integers.hpp"

namespace tropic::detail::on_cpu {

host_level::host_level(const memory_side& here, community_graph graph, const community_rule& rule)
    : here_(here),
      rule_(rule),
      watch_(here.context()),
      graph_(std::move(graph)),
      n_(graph_.vertices),
      threads_(here.threads()) {
  const auto words = [&](std::size_t bytes) { return here_.allocate(n_, bytes); };
  weight_buffer_ = graph_.of_vertices;
  if (weight_buffer_ == nullptr) weight_buffer_ = words(sizeof(std::uint64_t));
  total_buffer_ = words(sizeof(std::uint64_t));
  for (buffer_pointer* b : {&community_buffer_, &size_buffer_, &list_buffer_, &choice_buffer_})
    *b = words(sizeof(std::uint32_t));
  active_buffer_ = words(1);
  bind();
  if (graph_.of_vertices == nullptr) {
    auto* const weights = here_.write_as<std::uint64_t>(weight_buffer_);
    with_weights([&](const auto& weight) {
      for_blocks(threads_, divide_up(n_, shared), [&](std::size_t block) {
        if (watch_.is_cancelled()) return;
        for (std::size_t v = block * shared; v < std::min(n_, (block + 1) * shared); ++v) {
          weights[v] = 0;
          for (std::size_t e = offsets_[v]; e < offsets_[v + 1]; ++e)
            weights[v] += graph_.weight_bytes == 0 && column_[e] == v ? 2 : weight(e);
        }
      });
    });
    watch_.check();
  }
  weight_ = here_.read_as<std::uint64_t>(weight_buffer_);
}

void host_level::bind() {
  offsets_ = {here_.read(graph_.offsets), graph_.wide};
  column_ = here_.read_as<std::uint32_t>(graph_.columns);
  total_ = here_.write_as<std::uint64_t>(total_buffer_);
  community_ = here_.write_as<std::uint32_t>(community_buffer_);
  size_ = here_.write_as<std::uint32_t>(size_buffer_);
  list_ = here_.write_as<std::uint32_t>(list_buffer_);
  choice_ = here_.write_as<std::uint32_t>(choice_buffer_);
  active_ = here_.write_as<std::uint8_t>(active_buffer_);
}

void host_level::make_tables(std::size_t max_numbers) {
  tables_.clear();
  for (int n = 0; n < threads_; ++n) tables_.emplace_back(*here_.context(), max_numbers);
}

bool host_level::has_neighbours(std::size_t v) const {
  const std::size_t begin = offsets_[v], end = offsets_[v + 1];
  return end - begin > 1 || (end > begin && column_[begin] != v);
}

// --- the state -----------------------------------------------------------------------------------

community_sums host_level::begin(bool alone) {
  if (tables_.empty()) make_tables(std::min(graph_.longest_row, n_));
  began_alone_ = alone;
  if (!alone) {
    start_buffer_ = here_.allocate(n_, sizeof(std::uint32_t));
    if (n_ > 0)
      std::memcpy(here_.write_as<std::uint32_t>(start_buffer_), community_,
                  n_ * sizeof(*community_));
  }
  restart();
  return {alone ? 0 : inside(), squares()};
}

void host_level::restart() {
  const auto* const start = began_alone_ ? nullptr : here_.read_as<std::uint32_t>(start_buffer_);
  for_chunks(threads_, n_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      community_[v] = began_alone_ ? static_cast<std::uint32_t>(v) : start[v];
      total_[v] = 0;
      size_[v] = 0;
      active_[v] = has_neighbours(v);
    }
  });
  for_chunks(threads_, n_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::uint32_t c = community_[v];
      std::atomic_ref(total_[c]).fetch_add(weight_[v], std::memory_order_relaxed);
      std::atomic_ref(size_[c]).fetch_add(1, std::memory_order_relaxed);
    }
  });
}

community_sums host_level::sums() {
  return {inside(), squares()};
}

std::uint64_t host_level::inside() {
  const std::size_t sum = with_weights([&](const auto& weight) {
    return sum_over_blocks(threads_, divide_up(n_, shared), [&](std::size_t block) {
      std::size_t part = 0;
      if (watch_.is_cancelled()) return part;
      for (std::size_t v = block * shared; v < std::min(n_, (block + 1) * shared); ++v)
        for (std::size_t e = offsets_[v]; e < offsets_[v + 1]; ++e)
          if (const std::uint32_t u = column_[e]; u != v && community_[u] == community_[v])
            part += weight(e);
      return part;
    });
  });
  watch_.check();
  return sum;
}

std::uint64_t host_level::squares() const {
  const auto shift = static_cast<unsigned>(rule_.shift());
  return sum_over_chunks(threads_, n_, [&](std::size_t begin, std::size_t end) {
    std::size_t sum = 0;
    for (std::size_t c = begin; c < end; ++c) {
      const std::uint64_t part = total_[c] >> shift;
      sum += part * part;
    }
    return sum;
  });
}

// --- moves ---------------------------------------------------------------------------------------

template <class W>
std::uint32_t host_level::choose(sum_table& to, std::uint32_t v, const W& weight,
                                 bool to_any_single) const {
  const std::size_t begin = offsets_[v], end = offsets_[std::size_t{v} + 1];
  to.begin(end - begin);
  for (std::size_t e = begin; e < end; ++e)
    if (const std::uint32_t u = column_[e]; u != v) to.add(community_[u], weight(e));
  const std::uint32_t current = community_[v];
  const std::uint64_t k = weight_[v];
  const double factor = rule_.factor(k);
  double best_gain = community_rule::needed(to.sum_of(current), factor, total_[current] - k, k);
  std::uint32_t best = none;
  for (std::size_t n = 0; n < to.count(); ++n) {
    const sum_table::slot& found = to[n];
    if (found.number == current) continue;
    const double gain = community_rule::gain(found.sum, factor, total_[found.number]);
    if (gain > best_gain || (gain == best_gain && best != none && found.number < best)) {
      best = found.number;
      best_gain = gain;
    }
  }
  if (best != none && best > current && !to_any_single && size_[current] == 1 && size_[best] == 1)
    return none;
  return best;
}

void host_level::move(std::uint32_t v, std::uint32_t to) {
  const std::uint32_t from = community_[v];
  std::atomic_ref(total_[from]).fetch_sub(weight_[v], std::memory_order_relaxed);
  std::atomic_ref(total_[to]).fetch_add(weight_[v], std::memory_order_relaxed);
  std::atomic_ref(size_[from]).fetch_sub(1, std::memory_order_relaxed);
  std::atomic_ref(size_[to]).fetch_add(1, std::memory_order_relaxed);
  community_[v] = to;
}

void host_level::wake_neighbours(std::uint32_t v) {
  for (std::size_t e = offsets_[v]; e < offsets_[std::size_t{v} + 1]; ++e)
    if (const std::uint32_t u = column_[e]; community_[u] != community_[v])
      std::atomic_ref(active_[u]).store(1, std::memory_order_relaxed);
}

template <class F>
std::size_t host_level::over_listed(std::span<const std::uint32_t> list, F&& f) {
  const std::size_t blocks = divide_up(list.size(), at_once);
  const bool is_shared = threads_ > 1 && list.size() >= shared;
  const std::size_t sum = sum_over_blocks(is_shared ? threads_ : 1, blocks, [&](std::size_t block) {
    std::size_t part = 0;
    if (watch_.is_cancelled()) return part;
    sum_table& table = tables_[is_shared ? static_cast<std::size_t>(omp_get_thread_num()) : 0];
    for (std::size_t n = block * at_once; n < std::min(list.size(), (block + 1) * at_once); ++n)
      part += f(table, list[n], n);
    return part;
  });
  watch_.check();
  return sum;
}

void host_level::list_active(std::uint32_t number, std::size_t* starts) {
  std::vector<std::array<std::size_t, rounds>> places(chunks_of(n_));
  for_chunks(threads_, n_, [&](std::size_t begin, std::size_t end) {
    auto& counts = places[begin / chunk_size];
    counts.fill(0);
    for (std::size_t v = begin; v < end; ++v)
      if (active_[v] != 0)
        ++counts[community_rule::sub_round_of(static_cast<std::uint32_t>(v), number)];
  });
  std::size_t before = 0;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    starts[round] = before;
    for (auto& counts : places) {
      const std::size_t count = counts[round];
      counts[round] = before;
      before += count;
    }
  }
  starts[rounds] = before;
  for_chunks(threads_, n_, [&](std::size_t begin, std::size_t end) {
    auto& next = places[begin / chunk_size];
    for (std::size_t v = begin; v < end; ++v)
      if (active_[v] != 0)
        list_[next[community_rule::sub_round_of(static_cast<std::uint32_t>(v), number)]++] =
            static_cast<std::uint32_t>(v);
  });
}

host_level::sweep_counts host_level::sweep(std::uint32_t number) {
  std::array<std::size_t, rounds + 1> starts{};
  list_active(number, starts.data());
  sweep_counts result{starts[rounds], 0};
  with_weights([&](const auto& weight) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      const std::span<const std::uint32_t> list(list_ + starts[round],
                                                starts[round + 1] - starts[round]);
      over_listed(list, [&](sum_table& to, std::uint32_t v, std::size_t n) {
        choice_[n] = choose(to, v, weight, false);
        active_[v] = 0;
        return std::size_t{0};
      });
      result.moved += over_listed(list, [&](sum_table&, std::uint32_t v, std::size_t n) {
        if (choice_[n] == none) return std::size_t{0};
        move(v, choice_[n]);
        return std::size_t{1};
      });
      over_listed(list, [&](sum_table&, std::uint32_t v, std::size_t n) {
        if (choice_[n] != none) wake_neighbours(v);
        return std::size_t{0};
      });
    }
  });
  return result;
}

std::size_t host_level::move_one_by_one() {
  restart();
  std::size_t moves = 0;
  with_weights([&](const auto& weight) {
    std::size_t before = 0;
    for (std::uint32_t number = 0; number < community_rule::most_sweeps; ++number, before = moves) {
      for (std::size_t v = 0; v < n_; ++v) {
        watch_.step();
        if (active_[v] == 0) continue;
        active_[v] = 0;
        const std::uint32_t to = choose(tables_[0], static_cast<std::uint32_t>(v), weight, true);
        if (to == none) continue;
        move(static_cast<std::uint32_t>(v), to);
        wake_neighbours(static_cast<std::uint32_t>(v));
        ++moves;
      }
      if (moves == before) break;
    }
  });
  return moves;
}

}  // namespace tropic::detail::on_cpu
