// SPDX-License-Identifier: Apache-2.0

// Runs the operator on a batch: gather, run, scatter; gather and scatter only if the entries are
// not contiguous. Entries are added in ascending order of each operand or in no order, so a batch
// is contiguous exactly if the distance of its ends equals its length.

#include "backends/cpu/elements.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace tropic::detail::on_cpu {

namespace {

bool is_contiguous(const std::size_t* at, std::size_t count) {
  if (at[count - 1] - at[0] != count - 1) return false;
  for (std::size_t n = 1; n < count; ++n)
    if (at[n] != at[0] + n) return false;
  return true;
}

constexpr std::array<index_t, entry_batch::capacity> no_index{};

}  // namespace

bound_operands operands_of(const unary_description& f, operand_source values) {
  const auto* bound = static_cast<const std::byte*>(f.bound.data());
  if (f.bound_first) return {{bound, f.op.x->size, true}, values};
  if (f.bound_second) return {values, {bound, f.op.y->size, true}};
  return {values, {}};
}

void entry_batch::flush() {
  if (count_ > 0) run(x_at_, y_at_, z_at_, i_, j_, count_);
  count_ = 0;
}

void entry_batch::add_numbered_run(std::size_t x, std::size_t y, std::size_t z, std::size_t count,
                                   std::size_t i) {
  index_t numbers[capacity];
  for (std::size_t done = 0; done < count; done += capacity) {
    const std::size_t length = std::min(capacity, count - done);
    std::iota(numbers, numbers + length, static_cast<index_t>(i + done));
    op_({.z = z_ + (z + done) * z_bytes_,
         .x = reads_x_ ? x_.values + (x + done) * x_.bytes : x_.values,
         .y = reads_y_ ? y_.values + (y + done) * y_.bytes : y_.values,
         .count = length,
         .x_scalar = x_.scalar,
         .y_scalar = y_.scalar,
         .i = numbers,
         .k = no_index.data(),
         .j = no_index.data()});
  }
}

void entry_batch::add_at(const std::size_t* at, std::size_t count) {
  if (count == 0) return;
  index_t i[capacity];
  if (positional_)
    for (std::size_t n = 0; n < count; ++n) i[n] = static_cast<index_t>(at[n]);
  run(at, at, at, i, no_index.data(), count);
}

void add_present(entry_batch& batch, const std::uint8_t* present, std::size_t begin,
                 std::size_t end) {
  std::size_t at[entry_batch::capacity];
  for (; begin < end; begin += entry_batch::capacity) {
    const std::size_t stop = std::min(end, begin + entry_batch::capacity);
    const std::size_t found = std::accumulate(present + begin, present + stop, std::size_t{0});
    if (found == stop - begin)
      batch.add_run(begin, begin, begin, found, begin);
    else if (found > 0)
      batch.add_at(at, collect(begin, stop, at, [&](std::size_t n) { return present[n] != 0; }));
  }
}

namespace {

// to[n] = from[n] where present.
template <class Word>
void blend(std::byte* to, const std::byte* from, const std::uint8_t* present, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) {
    Word before, after;
    std::memcpy(&before, to + n * sizeof(Word), sizeof(Word));
    std::memcpy(&after, from + n * sizeof(Word), sizeof(Word));
    const auto mask = static_cast<Word>(-static_cast<Word>(present[n]));
    before = static_cast<Word>((before & ~mask) | (after & mask));
    std::memcpy(to + n * sizeof(Word), &before, sizeof(Word));
  }
}

}  // namespace

void add_present_floating(const operator_description& op, std::byte* z, const std::byte* y,
                          const std::uint8_t* present, std::size_t begin, std::size_t end) {
  constexpr std::size_t capacity = entry_batch::capacity;
  const std::size_t bytes = op.z->size;
  alignas(64) std::byte room[capacity * sizeof(double)];
  for (; begin < end; begin += capacity) {
    const std::size_t count = std::min(end - begin, capacity);
    std::byte* const to = z + begin * bytes;
    op({.z = room, .x = to, .y = y + begin * bytes, .count = count});
    if (bytes == sizeof(double))
      blend<std::uint64_t>(to, room, present + begin, count);
    else
      blend<std::uint32_t>(to, room, present + begin, count);
  }
}

void entry_batch::run(const std::size_t* x_at, const std::size_t* y_at, const std::size_t* z_at,
                      const index_t* i, const index_t* j, std::size_t count) {
  const auto operand = [&](const operand_source& from, bool reads, const std::size_t* at,
                           std::byte* room) -> const std::byte* {
    if (!reads) return from.values;
    if (is_contiguous(at, count)) return from.values + at[0] * from.bytes;
    gather(room, from.values, at, count, from.bytes);
    return room;
  };
  const bool direct = is_contiguous(z_at, count);
  op_({.z = direct ? z_ + z_at[0] * z_bytes_ : z_values_,
       .x = operand(x_, reads_x_, x_at, x_values_),
       .y = operand(y_, reads_y_, y_at, y_values_),
       .count = count,
       .x_scalar = x_.scalar,
       .y_scalar = y_.scalar,
       .i = i,
       .k = no_index.data(),
       .j = j});
  if (!direct) scatter(z_, z_at, z_values_, count, z_bytes_);
}

}  // namespace tropic::detail::on_cpu
