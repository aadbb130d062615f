// SPDX-License-Identifier: Apache-2.0

// Rows of a product from an accumulator. The columns that were met are sorted: most of the range by
// a scan of the states, others by position_sorter. Under a mask its row is walked instead, which is
// sorted already.
//
// An accumulator by column is used where a row has many products relative to the columns, or where
// the accumulator fits the cache; else a hash table (cf. SuiteSparse:GraphBLAS, saxpy3: Davis, TOMS
// 2023).

#include "backends/cpu/mxm/sorted_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "backends/cpu/elements.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::size_t in_cache = std::size_t{1} << 20;  // bytes of an accumulator by column

}  // namespace

row_computer::row_computer(context_state& context, const prepared_mxm& p)
    : context_(context), p_(p), bytes_(p.semiring().z().size), sorter_(context) {
  dense_.free = slots_.free = p.is_masked() ? mxm_state::allowed : mxm_state::empty;
}

bool row_computer::is_dense(std::size_t row) const {
  const std::size_t n = p_.columns;
  if (n * (bytes_ + 1) <= in_cache) return true;
  const bool has_mask = p_.is_masked() || p_.is_complemented();
  return p_.products(row) + (has_mask ? p_.arguments.mask.length(row) : 0) > n / 32;
}

void row_computer::prepare_dense() {
  if (dense_states_.bytes() > 0) return;
  const std::size_t n = p_.columns;
  std::size_t longest = 0;
  for (std::size_t row = 0; row < p_.rows; ++row) longest = std::max(longest, p_.bound(row));
  counted_memory states(context_, n), sums(context_, n * bytes_);
  // One element more: `open` writes the next position before it knows that it is new.
  counted_memory touched(context_, (longest + 1) * sizeof(std::uint32_t));
  std::memset(states.as<>(), mxm_state::empty, n);
  dense_states_ = std::move(states);
  dense_sums_ = std::move(sums);
  touched_ = std::move(touched);
  dense_.sums = dense_sums_.as<>();
  dense_.states = dense_states_.as<std::uint8_t>();
  dense_.touched = touched_.as<std::uint32_t>();
}

// At least twice as many slots as columns that may be stored.
void row_computer::prepare_slots(std::size_t count) {
  const std::size_t slots = std::bit_ceil(2 * std::max<std::size_t>(count, 8));
  if (slot_states_.bytes() < slots) {
    counted_memory states(context_, slots), sums(context_, slots * bytes_);
    counted_memory keys(context_, slots * sizeof(std::uint32_t));
    counted_memory touched(context_, slots * sizeof(std::uint32_t));
    // At most half of the slots are touched; under a mask nothing is sorted.
    counted_memory order(context_, p_.is_masked() ? 0 : slots / 2 * sizeof(std::uint64_t));
    std::memset(states.as<>(), mxm_state::empty, slots);
    slot_states_ = std::move(states);
    slot_sums_ = std::move(sums);
    slot_keys_ = std::move(keys);
    slot_touched_ = std::move(touched);
    slot_order_ = std::move(order);
    slots_.sums = slot_sums_.as<>();
    slots_.states = slot_states_.as<std::uint8_t>();
    slots_.keys = slot_keys_.as<std::uint32_t>();
    slots_.touched = slot_touched_.as<std::uint32_t>();
  }
  slots_.slot_mask = static_cast<std::uint32_t>(slots - 1);
}

std::uint32_t row_computer::slot_of(std::uint32_t column) const {
  std::uint32_t slot = mxm_accumulator::hash(column) & slots_.slot_mask;
  while (slots_.states[slot] != mxm_state::empty && slots_.keys[slot] != column)
    slot = (slot + 1) & slots_.slot_mask;
  return slot;
}

void row_computer::insert(std::uint32_t column, std::uint8_t state) {
  const std::uint32_t slot = slot_of(column);
  slots_.states[slot] = state;
  slots_.keys[slot] = column;
}

// The sums at the positions of the mask's row, which all leave the accumulator.
std::size_t row_computer::take_masked(std::size_t row, const row_target& to, bool by_slot) {
  const csr_arrays& mask = p_.arguments.mask;
  const mxm_accumulator& from = by_slot ? slots_ : dense_;
  std::size_t count = 0;
  with_element_size(bytes_, [&]<std::size_t N>() {
    for (std::size_t n = mask.offset(row), end = mask.offset(row + 1); n < end; ++n) {
      const std::uint32_t j = mask.columns[n];
      const std::uint32_t at = by_slot ? slot_of(j) : j;
      if (from.states[at] == mxm_state::held) {
        to.columns[count] = j;
        copy_element<N>(to.values, count++, static_cast<const std::byte*>(from.sums), at, bytes_);
      }
      // A slot that became empty would cut the way to others: see compute_by_slot.
      if (!by_slot) from.states[at] = mxm_state::empty;
    }
  });
  return count;
}

std::size_t row_computer::compute_by_column(std::size_t row, const row_target& to) {
  prepare_dense();
  const csr_arrays& mask = p_.arguments.mask;
  std::uint8_t* const states = dense_.states;
  const auto mark = [&](std::uint8_t state) {
    for (std::size_t n = mask.offset(row), end = mask.offset(row + 1); n < end; ++n)
      states[mask.columns[n]] = state;
  };
  if (p_.is_masked()) {
    mark(mxm_state::allowed);
    p_.kernels->gated(p_.arguments, row, dense_);
    return take_masked(row, to, false);
  }
  if (p_.is_complemented()) mark(mxm_state::excluded);
  const std::size_t count =
      (p_.is_complemented() ? p_.kernels->gated : p_.kernels->open)(p_.arguments, row, dense_);
  if (p_.is_complemented()) mark(mxm_state::empty);
  const std::size_t n = p_.columns;
  if (count > n / 16) {  // most words of eight states have one that is set
    std::size_t found = 0;
    for (std::size_t j = 0; found < count; ++j) {
      to.columns[found] = static_cast<std::uint32_t>(j);
      found += states[j] == mxm_state::held;
    }
    std::memset(states, mxm_state::empty, n);
  } else {
    std::memcpy(to.columns, dense_.touched, count * sizeof(std::uint32_t));
    sorter_.sort(to.columns, count, n);
    for (std::size_t m = 0; m < count; ++m) states[to.columns[m]] = mxm_state::empty;
  }
  gather(to.values, static_cast<const std::byte*>(dense_.sums), to.columns, count, bytes_);
  return count;
}

std::size_t row_computer::compute_by_slot(std::size_t row, const row_target& to) {
  const csr_arrays& mask = p_.arguments.mask;
  const bool has_mask = p_.is_masked() || p_.is_complemented();
  prepare_slots((p_.is_masked() ? 0 : p_.bound(row)) + (has_mask ? mask.length(row) : 0));
  if (has_mask)
    for (std::size_t n = mask.offset(row), end = mask.offset(row + 1); n < end; ++n)
      insert(mask.columns[n], p_.is_masked() ? mxm_state::allowed : mxm_state::excluded);
  std::size_t count = p_.kernels->hashed(p_.arguments, row, slots_);
  if (p_.is_masked()) {
    count = take_masked(row, to, true);
  } else {
    auto* const order = slot_order_.as<std::uint64_t>();
    for (std::size_t m = 0; m < count; ++m) {
      const std::uint32_t slot = slots_.touched[m];
      order[m] = std::uint64_t{slots_.keys[slot]} << 32 | slot;
    }
    std::sort(order, order + count);
    with_element_size(bytes_, [&]<std::size_t N>() {
      for (std::size_t m = 0; m < count; ++m) {
        to.columns[m] = static_cast<std::uint32_t>(order[m] >> 32);
        copy_element<N>(to.values, m, static_cast<const std::byte*>(slots_.sums),
                        static_cast<std::uint32_t>(order[m]), bytes_);
      }
    });
    if (!has_mask)
      for (std::size_t m = 0; m < count; ++m) slots_.states[slots_.touched[m]] = mxm_state::empty;
  }
  if (has_mask) std::memset(slots_.states, mxm_state::empty, std::size_t{slots_.slot_mask} + 1);
  return count;
}

shared_columns& row_computer::shared() {
  if (!shared_)
    shared_.emplace(context_, p_.bitmaps, p_.inner, p_.arguments.a.offset(p_.rows),
                    p_.arguments.b.offset(p_.columns), p_.b_is_lower);
  return *shared_;
}

std::size_t row_computer::compute(std::size_t begin, std::size_t end, const row_target& to,
                                  std::uint64_t* lengths) {
  if (p_.counts)
    return shared().count(p_.arguments, begin, end, p_.semiring().z(), lengths, to.columns,
                          to.values);
  std::size_t count = 0;
  for (std::size_t row = begin; row < end; ++row) {
    lengths[row - begin] = compute_row(row, {to.columns + count, to.values + count * bytes_});
    count += lengths[row - begin];
  }
  return count;
}

std::size_t row_computer::compute(std::size_t row, const row_target& to) {
  std::uint64_t length;
  return compute(row, row + 1, to, &length);
}

std::size_t row_computer::compute_row(std::size_t row, const row_target& to) {
  if (p_.bound(row) == 0) return 0;
  if (p_.method == mxm_method::inner) {
    if (places_.bytes() == 0 && !p_.searches) {
      places_ = counted_memory(context_, p_.inner * sizeof(std::uint32_t));
      std::memset(places_.as<>(), 0, places_.bytes());
    }
    return p_.kernels->inner(p_.arguments, row,
                             {places_.as<std::uint32_t>(), to.columns, to.values});
  }
  return is_dense(row) ? compute_by_column(row, to) : compute_by_slot(row, to);
}

std::uint64_t row_computer::sum_of_counts(std::size_t begin, std::size_t end) {
  return shared().sum(p_.arguments, begin, end);
}

row_target row_computer::room_for(std::size_t row) {
  const std::size_t bound = p_.bound(row);
  if (found_columns_.bytes() < bound * sizeof(std::uint32_t)) {
    found_columns_ = counted_memory(context_, 2 * bound * sizeof(std::uint32_t));
    found_values_ = counted_memory(context_, 2 * bound * bytes_);
  }
  return {found_columns_.as<std::uint32_t>(), found_values_.as<>()};
}

std::size_t row_computer::count(std::size_t row) {
  return compute(row, room_for(row));
}

}  // namespace tropic::detail::on_cpu
