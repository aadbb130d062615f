// SPDX-License-Identifier: Apache-2.0
#pragma once

// The accumulator of a thread, and its contents as a row of CSR.

#include <memory>
#include <optional>

#include "backends/cpu/counted_memory.hpp"
#include "backends/cpu/mxm/method.hpp"
#include "backends/cpu/mxm/shared_columns.hpp"
#include "backends/cpu/rounds/position_sorter.hpp"
#include "containers/context_state.hpp"

namespace tropic::detail::on_cpu {

/// Where rows go.
struct row_target {
  std::uint32_t* columns;
  std::byte* values;
};

/// Computes rows of a product, each sorted by column.
class row_computer {
 public:
  row_computer(context_state& context, const prepared_mxm& p);

  /// Writes rows [begin, end), one after the other, to `to`, the number of entries of each to
  /// `lengths`, and returns that of all, at most the sum of p.bound(row); nothing is written beyond
  /// them.
  std::size_t compute(std::size_t begin, std::size_t end, const row_target& to,
                      std::uint64_t* lengths);
  /// The same for one row.
  std::size_t compute(std::size_t row, const row_target& to);
  /// Where p.counts: the sum of the entries of rows [begin, end).
  std::uint64_t sum_of_counts(std::size_t begin, std::size_t end);
  /// The number of entries of the row.
  std::size_t count(std::size_t row);

 private:
  std::size_t compute_row(std::size_t row, const row_target& to);
  bool is_dense(std::size_t row) const;
  shared_columns& shared();
  row_target room_for(std::size_t row);
  void prepare_dense();
  void prepare_slots(std::size_t count);
  std::size_t compute_by_column(std::size_t row, const row_target& to);
  std::size_t compute_by_slot(std::size_t row, const row_target& to);
  std::size_t take_masked(std::size_t row, const row_target& to, bool by_slot);
  std::uint32_t slot_of(std::uint32_t column) const;
  void insert(std::uint32_t column, std::uint8_t state);

  context_state& context_;
  const prepared_mxm& p_;
  std::size_t bytes_;
  mxm_accumulator dense_, slots_;
  counted_memory dense_sums_, dense_states_, touched_;
  counted_memory slot_sums_, slot_states_, slot_keys_, slot_touched_, slot_order_;
  counted_memory places_, found_columns_, found_values_;
  std::optional<shared_columns> shared_;
  position_sorter sorter_;
};

}  // namespace tropic::detail::on_cpu
