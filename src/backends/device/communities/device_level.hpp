// SPDX-License-Identifier: Apache-2.0
#pragma once

// One level of the method of Louvain on a device (communities.kernel).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/communities/community_level.hpp"
#include "backends/device/device_context.hpp"

namespace tropic::detail {

/// A graph of a level in the device's memory. Fewer than 2^31 entries.
struct device_graph {
  std::uint64_t rows = 0, nnz = 0;
  buffer_pointer offsets{}, columns{}, weights{};  // weights: null where each entry is 1
  std::uint32_t wide = 0;                          // offsets of 64 bits
  std::uint32_t weight_bytes = 0;                  // 0, 4 or 8
  buffer_pointer of_vertices{};                    // sums of rows
};

/// The programs of levels whose sums have 32 or 64 bits.
class community_programs {
 public:
  static constexpr std::string_view name = "louvain";
  static constexpr std::uint32_t chunk = 4096;               // T_CHUNK
  static constexpr std::uint32_t longest = 1024;             // T_LONG
  static constexpr std::size_t classes = 5, long_class = 4;  // T_CLASSES: the last one, long rows
  /// Work-items and slots of a row of each class but the last.
  struct team {
    std::uint32_t lanes, slots;
  };
  static constexpr std::array<team, classes - 1> teams{{{4, 16}, {8, 64}, {32, 256}, {128, 2048}}};
  static constexpr std::size_t group = 128, group_of_long = 256;

  /// Null programs where the device has no fp64.
  community_programs(device_context&, bool wide);
  /// That of the state, and that of a class.
  static program_request state_request(bool wide);
  static program_request class_request(bool wide, std::size_t n);
  bool exist() const { return state_ != nullptr; }

  const compiled_program& state() const { return *state_; }
  const compiled_program& of_class(std::size_t n) const { return *tables_[n]; }

 private:
  const compiled_program* state_ = nullptr;
  std::array<const compiled_program*, classes> tables_{};
};

/// Rows by sub-rounds and classes, as in communities.h.
struct listed_rows {
  static constexpr std::size_t classes = community_programs::classes,
                               rounds = community_rule::sub_rounds, units_word = rounds * classes,
                               tables_word = units_word + rounds, words = tables_word + rounds;
  std::array<std::uint32_t, words> counts{};
  buffer_pointer list{}, long_units{}, long_tables{}, unit_rows{};
  std::uint32_t max_numbers = 0;  // different numbers in a row

  std::uint32_t count(std::size_t round, std::size_t kind) const {
    return counts[round * classes + kind];
  }
  std::uint32_t units(std::size_t round) const { return counts[units_word + round]; }
  std::uint32_t slots(std::size_t round) const { return counts[tables_word + round]; }
  std::uint64_t all() const;
};

/// Tables of long rows, for those of one sub-round at a time.
struct long_tables {
  buffer_pointer numbers{}, sums{};
};

class device_level final : public community_level {
 public:
  device_level(device_context&, device_graph, const community_rule&);
  bool can_run() const { return programs_.exist(); }
  std::size_t vertices() const override { return graph_.rows; }
  community_sums begin(bool alone) override;
  sweep_counts sweep(std::uint32_t number) override;
  std::size_t move_one_by_one() override;
  community_sums sums() override;
  /// The modularity of the communities.
  double modularity();
  std::unique_ptr<community_level> next() override;
  void join_as(community_level& above) override;
  buffer_pointer communities() override { return community_; }
  index_t name(vector_base& community);

  static bool is_wide(const community_rule& rule) { return rule.all >> 32U != 0; }

 private:
  std::uint32_t sum_bytes() const { return wide_ ? 8 : 4; }
  buffer_pointer words(std::uint64_t count) const {
    return device_.allocate(count * sizeof(std::uint32_t));
  }
  buffer_pointer zeros(std::size_t bytes) const;
  void launch(const compiled_program&, const char* kernel, std::uint64_t items,
              std::span<const kernel_argument>,
              std::size_t group = community_programs::group) const;
  /// Of rows that begin at the given offsets: all, or the active ones in sub-rounds.
  listed_rows list_rows(const device_graph&, bool active_ones, std::uint32_t sweep,
                        std::uint32_t max_numbers) const;
  long_tables tables_for(const listed_rows&) const;
  /// Sums the weights of the long rows of a sub-round in its tables.
  void sum_long(const compiled_program&, const device_graph&, const listed_rows&, std::size_t round,
                const long_tables&, bool by_communities) const;
  void choose(const listed_rows&, std::size_t round, const long_tables&,
              const buffer_pointer& choice, const buffer_pointer& best,
              const buffer_pointer& owns) const;
  void wake(const listed_rows&, std::size_t round, const buffer_pointer& choice) const;
  void set_partition(buffer_pointer start);
  std::uint64_t inside(std::uint64_t* loops = nullptr) const;
  std::uint64_t squares() const;
  // Of next (next_level.cpp).
  device_graph joined_rows(std::uint64_t count, const buffer_pointer& number) const;
  std::unique_ptr<community_level> host_level_of(const device_graph&) const;

  device_context& device_;
  device_graph graph_;
  const community_rule rule_;
  const bool wide_;
  const double resolution_, all_;
  community_programs programs_;
  bool began_alone_ = true;
  buffer_pointer community_, total_, size_, active_, start_;
  buffer_pointer number_, of_number_;  // of communities, after next
};

}  // namespace tropic::detail
