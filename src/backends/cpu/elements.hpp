// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values of a type known only at run time: copies, and operators over batches of them.
//
// An operator of the type-erased API runs over arrays (`bulk`). entry_batch collects a few hundred
// entries from any positions, gathers their operands into arrays on the stack, runs the operator
// once and scatters the results; contiguous ranges are not copied.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tropic/semirings/operator.hpp>

namespace tropic::detail::on_cpu {

/// Calls f.operator()<N>() with N = bytes if that is 1, 2, 4 or 8, otherwise with N = 0.
template <class F>
decltype(auto) with_element_size(std::size_t bytes, F&& f) {
  switch (bytes) {
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    case 4: return f.template operator()<4>();
    case 8: return f.template operator()<8>();
    default: return f.template operator()<0>();
  }
}

/// to[m] = from[n], elements of N bytes, or of `bytes` if N is 0.
template <std::size_t N>
inline void copy_element(std::byte* to, std::size_t m, const std::byte* from, std::size_t n,
                         std::size_t bytes) {
  if constexpr (N != 0)
    std::memcpy(to + m * N, from + n * N, N);
  else
    std::memcpy(to + m * bytes, from + n * bytes, bytes);
}

/// to[n] = from[at[n]] and to[at[n]] = from[n].
template <class Index>
void gather(std::byte* to, const std::byte* from, const Index* at, std::size_t count,
            std::size_t bytes) {
  with_element_size(bytes, [&]<std::size_t N>() {
    for (std::size_t n = 0; n < count; ++n) copy_element<N>(to, n, from, at[n], bytes);
  });
}
template <class Index>
void scatter(std::byte* to, const Index* at, const std::byte* from, std::size_t count,
             std::size_t bytes) {
  with_element_size(bytes, [&]<std::size_t N>() {
    for (std::size_t n = 0; n < count; ++n) copy_element<N>(to, at[n], from, n, bytes);
  });
}
/// to[n] = value.
inline void fill(std::byte* to, const void* value, std::size_t count, std::size_t bytes) {
  with_element_size(bytes, [&]<std::size_t N>() {
    for (std::size_t n = 0; n < count; ++n)
      copy_element<N>(to, n, static_cast<const std::byte*>(value), 0, bytes);
  });
}

/// The location of an operand's values. A scalar is used for all entries.
struct operand_source {
  const std::byte* values = nullptr;
  std::size_t bytes = 0;
  bool scalar = true;
};

/// An operator and the arrays that it reads and writes.
struct bound_operands {
  operand_source x, y;
};
/// x and y of a function of one value: the source of the values, and the bound value.
bound_operands operands_of(const unary_description& f, operand_source values);

class entry_batch {
 public:
  static constexpr std::size_t capacity = 256;

  entry_batch(const operator_description& op, operand_source x, operand_source y, std::byte* z)
      : op_(op),
        x_(x),
        y_(y),
        z_(z),
        z_bytes_(op.z->size),
        reads_x_(op.syntax->uses_x && !x.scalar),
        reads_y_(op.syntax->uses_y && !y.scalar),
        positional_(op.syntax->positional()) {}
  entry_batch(const entry_batch&) = delete;
  entry_batch& operator=(const entry_batch&) = delete;

  /// z[z] = op(x[x], y[y]) at position (i, j), no later than the next flush. Each z may occur once.
  void add(std::size_t x, std::size_t y, std::size_t z, std::size_t i, std::size_t j = 0) {
    x_at_[count_] = x;
    y_at_[count_] = y;
    z_at_[count_] = z;
    if (positional_) {
      i_[count_] = static_cast<index_t>(i);
      j_[count_] = static_cast<index_t>(j);
    }
    if (++count_ == capacity) flush();
  }
  /// The same for `count` consecutive entries of a vector: positions i, i + 1, ...
  void add_run(std::size_t x, std::size_t y, std::size_t z, std::size_t count, std::size_t i) {
    if (positional_) return add_numbered_run(x, y, z, count, i);
    op_({.z = z_ + z * z_bytes_,
         .x = x_.scalar ? x_.values : x_.values + x * x_.bytes,
         .y = y_.scalar ? y_.values : y_.values + y * y_.bytes,
         .count = count,
         .x_scalar = x_.scalar,
         .y_scalar = y_.scalar});
  }
  /// The same for `count` <= capacity positions of a vector, with operands and result of each at
  /// its position. Ascending.
  void add_at(const std::size_t* at, std::size_t count);
  void flush();

 private:
  static constexpr std::size_t widest = 64;  // as scalar_bytes

  void add_numbered_run(std::size_t x, std::size_t y, std::size_t z, std::size_t count,
                        std::size_t i);
  void run(const std::size_t* x_at, const std::size_t* y_at, const std::size_t* z_at,
           const index_t* i, const index_t* j, std::size_t count);

  const operator_description& op_;
  operand_source x_, y_;
  std::byte* z_;
  std::size_t z_bytes_;
  bool reads_x_, reads_y_, positional_;
  std::size_t count_ = 0;
  std::size_t x_at_[capacity], y_at_[capacity], z_at_[capacity];
  index_t i_[capacity], j_[capacity];
  alignas(64) std::byte x_values_[capacity * widest];
  alignas(64) std::byte y_values_[capacity * widest];
  alignas(64) std::byte z_values_[capacity * widest];
};

/// The positions n of [begin, end) with flag(n), ascending; returns their number. Needs room for
/// one per position. Branch-free, as flags are often random.
template <class F>
std::size_t collect(std::size_t begin, std::size_t end, std::size_t* to, F&& flag) {
  std::size_t count = 0;
  for (std::size_t n = begin; n < end; ++n) {
    to[count] = n;
    count += flag(n) ? 1 : 0;
  }
  return count;
}

/// Adds every position of [begin, end) that is present.
void add_present(entry_batch& batch, const std::uint8_t* present, std::size_t begin,
                 std::size_t end);

/// The same for an operator over floating values, x, y and z alike, whose x is z: as fast where few
/// are missing at random. Evaluates it at all positions, which does no harm to such values.
void add_present_floating(const operator_description& op, std::byte* z, const std::byte* y,
                          const std::uint8_t* present, std::size_t begin, std::size_t end);

/// The number of an entry that is not there.
inline constexpr std::size_t none = ~std::size_t{0};

/// visit(begin, end) for each contiguous range of present positions in [begin, end).
template <class F>
void for_runs(const std::uint8_t* present, std::size_t begin, std::size_t end, F&& visit) {
  std::size_t at = begin;
  while (at < end) {
    for (std::uint64_t eight; at + 8 <= end; at += 8) {
      std::memcpy(&eight, present + at, 8);
      if (eight != 0) break;
    }
    while (at < end && !present[at]) ++at;
    if (at == end) return;
    std::size_t stop = at + 1;
    while (stop < end && present[stop]) ++stop;
    visit(at, stop);
    at = stop;
  }
}

}  // namespace tropic::detail::on_cpu
