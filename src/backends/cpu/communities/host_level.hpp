// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/communities/community_level.hpp"
#include "backends/cpu/communities/sum_table.hpp"
#include "containers/cancel_watch.hpp"

namespace tropic::detail::on_cpu {

// Weights of entries.
struct weights_of_one {
  std::uint64_t operator()(std::size_t) const { return 1; }
};
template <class T>
struct stored_weights {
  const T* values;
  std::uint64_t operator()(std::size_t entry) const { return values[entry]; }
};

class host_level final : public community_level {
 public:
  host_level(const memory_side& here, community_graph graph, const community_rule& rule);
  std::size_t vertices() const override { return n_; }
  community_sums begin(bool alone) override;
  sweep_counts sweep(std::uint32_t number) override;
  std::size_t move_one_by_one() override;
  community_sums sums() override;
  std::unique_ptr<community_level> next() override;
  void join_as(community_level& above) override;
  buffer_pointer communities() override { return community_buffer_; }

  static constexpr std::uint32_t none = 0xffffffff;

 private:
  static constexpr std::size_t at_once = 128;  // vertices of one thread
  static constexpr std::size_t shared = 1024;  // vertices that threads share
  static constexpr std::uint32_t rounds = community_rule::sub_rounds;

  template <class F>
  decltype(auto) with_weights(F&& f) const {
    if (graph_.weight_bytes == 0) return f(weights_of_one{});
    if (graph_.weight_bytes == sizeof(std::uint32_t))
      return f(stored_weights<std::uint32_t>{here_.read_as<std::uint32_t>(graph_.weights)});
    return f(stored_weights<std::uint64_t>{here_.read_as<std::uint64_t>(graph_.weights)});
  }
  /// f(table, v, n) for the n-th of the listed vertices v; returns the sum of what f returns.
  template <class F>
  std::size_t over_listed(std::span<const std::uint32_t> list, F&& f);
  void bind();
  void make_tables(std::size_t max_numbers);
  bool has_neighbours(std::size_t v) const;
  void restart();
  std::uint64_t inside();
  std::uint64_t squares() const;
  /// The community that v moves to, or `none`.
  template <class W>
  std::uint32_t choose(sum_table&, std::uint32_t v, const W& weight, bool to_any_single) const;
  void move(std::uint32_t v, std::uint32_t to);
  void wake_neighbours(std::uint32_t v);
  /// The active vertices by sub-rounds; where each begins, in `starts`, of one more.
  void list_active(std::uint32_t number, std::size_t* starts);
  // Of next (next_level.cpp).
  std::size_t number_communities();
  struct members;
  members gather_members(std::size_t count);
  community_graph joined_rows(const members&);

  const memory_side here_;
  const community_rule rule_;
  cancel_watch watch_;
  community_graph graph_;
  std::size_t n_;
  int threads_;
  bool began_alone_ = true;
  buffer_pointer weight_buffer_, total_buffer_, community_buffer_, size_buffer_, active_buffer_,
      start_buffer_, list_buffer_, choice_buffer_;
  buffer_pointer number_buffer_, of_number_buffer_;  // of communities, after next
  offsets_view offsets_;
  const std::uint32_t* column_ = nullptr;
  const std::uint64_t* weight_ = nullptr;  // of vertices
  std::uint64_t* total_ = nullptr;
  std::uint32_t *community_ = nullptr, *size_ = nullptr, *list_ = nullptr, *choice_ = nullptr;
  std::uint8_t* active_ = nullptr;
  std::vector<sum_table> tables_;  // one a thread
};

}  // namespace tropic::detail::on_cpu
