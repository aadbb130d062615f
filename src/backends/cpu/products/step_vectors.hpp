// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the steps of a step_list write on the CPU (steps.cpp): vectors, and sums of blocks.

#include <cstddef>
#include <cstdint>
#include <map>

#include "backends/cpu/memory_side.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/summer.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "backends/vector_step.hpp"
#include "containers/integers.hpp"

namespace tropic::detail::on_cpu {

/// Bytes of a term of a sum; sums of wider ones do not run together with other steps.
inline constexpr std::size_t widest_term = 16;

/// The values of the vectors of a list: those that it writes get arrays of their own, unless theirs
/// are exclusive. The vectors change in commit().
class written_vectors {
 public:
  explicit written_vectors(const memory_side& here) : here_(here) {}

  bool is_full(const vector_base& v) const {
    return arrays_.contains(&v) || v.storage == vector_storage::full;
  }
  bool is_written(const vector_base& v) const { return arrays_.contains(&v); }
  const std::byte* read(const vector_base& v) const {
    const auto at = arrays_.find(&v);
    return at == arrays_.end() ? here_.read_as<std::byte>(v.values) : at->second.values;
  }
  /// All allocations happen here. Old values are kept: an earlier step may read them.
  std::byte* write(vector_base& w) {
    array& a = arrays_[&w];
    if (a.values != nullptr) return a.values;
    a.vector = &w;
    const std::size_t bytes = as_size(w.size) * w.type->size;
    const bool is_full = w.storage == vector_storage::full;
    const bool in_place = is_full && memory_side::is_exclusive(w.values);
    a.buffer = in_place ? w.values : is_full ? here_.clone(w.values) : here_.allocate(bytes, 1);
    a.values = here_.write_as<std::byte>(a.buffer, is_full ? access::modify : access::overwrite);
    return a.values;
  }
  void commit() {
    for (auto& [key, a] : arrays_) {
      vector_base result = shell(here_, *a.vector->type, a.vector->size);
      result.storage = vector_storage::full;
      result.nvals = result.size;
      result.values = std::move(a.buffer);
      *a.vector = std::move(result);
    }
  }

 private:
  struct array {
    vector_base* vector = nullptr;
    buffer_pointer buffer;
    std::byte* values = nullptr;
  };
  const memory_side& here_;
  std::map<const vector_base*, array> arrays_;
};

/// A sum of a list: one for each block, combined in order at the end.
struct step_sums {
  const sum_step& step;
  buffer_pointer sums, found;
  std::byte* sum;
  std::uint8_t* has;

  step_sums(const memory_side& here, const sum_step& s, std::size_t blocks)
      : step(s),
        sums(here.allocate(blocks, s.monoid.add.z->size)),
        found(here.allocate(blocks, 1)),
        sum(here.write_as<std::byte>(sums)),
        has(here.write_as<std::uint8_t>(found)) {}

  /// `of_block` writes the sum of the block that begins there; false if it has none.
  template <class F>
  void set(std::size_t begin, F&& of_block) const {
    const summer of(step.monoid);
    const std::size_t block = begin / block_size;
    has[block] = of_block(of, sum + block * of.bytes);
  }
  void combine(std::size_t blocks) const {
    summer(step.monoid).combine_blocks(static_cast<std::byte*>(step.result), sum, has, blocks);
  }
};

}  // namespace tropic::detail::on_cpu
