// SPDX-License-Identifier: Apache-2.0
#pragma once

// From names in a text to vertex numbers. Every chunk numbers its names in a table of its own. Then
// all tables are joined: names are sorted byte by byte and numbered in that order. The numbers
// therefore depend only on the set of names, not on chunks, threads or the order of lines. O(names
// log names) for any names: their hashes have a key (sip_hash.hpp). Names are compared in place in
// the text.

#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <tropic/name_table.hpp>
#include <utility>
#include <vector>

#include "io/memory.hpp"
#include "io/tables/fields.hpp"
#include "io/tables/sip_hash.hpp"

namespace tropic::io::detail {

/// The names of one chunk, numbered in order of occurrence.
class local_names {
 public:
  /// Allocations are taken from `memory`, which must outlive the table, and returned in the end.
  explicit local_names(memory_tally& memory) : memory_(&memory) {}
  ~local_names() { memory_->give(taken_); }
  local_names(local_names&& other) noexcept
      : memory_(other.memory_),
        taken_(std::exchange(other.taken_, 0)),
        names_(std::move(other.names_)),
        slots_(std::move(other.slots_)),
        unescaped_(std::move(other.unescaped_)) {}
  local_names& operator=(local_names&&) = delete;

  /// Throws parse_failure for a field that is no name. `opens_line`: it is the first of its line.
  std::uint32_t number(const field& f, const dialect& d, bool opens_line);
  /// To be called after the last name: frees what only number() needs.
  void close();
  const std::vector<std::string_view>& all() const { return names_; }

 private:
  /// The low half of the name's hash, so that names are compared and slots moved mostly without
  /// access to the text.
  struct slot {
    std::uint32_t number = 0;  // + 1; 0: free
    std::uint32_t hash = 0;
  };

  void take(std::size_t bytes);
  void give(std::size_t bytes);
  void grow_slots();
  void append(std::string_view name);

  sip_key key_ = sip_key_of_process();
  memory_tally* memory_;
  std::size_t taken_ = 0;
  std::vector<std::string_view> names_;
  std::vector<slot> slots_;
  std::forward_list<std::string> unescaped_;  // names that do not occur literally in the text
};

struct joined_names {
  name_table table;
  std::vector<std::vector<std::uint32_t>> numbers;  ///< of the names of each local table
};

/// Throws out_of_memory if `memory`, which the tables use as well, is exhausted.
joined_names join(const std::vector<local_names>& tables, memory_tally& memory, const job& work);

/// Whether a reader of edge lists accepts the text as one name: no blanks, no comment.
bool fits_edge_list(std::string_view name);

}  // namespace tropic::io::detail
