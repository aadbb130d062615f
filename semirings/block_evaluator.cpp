// SPDX-License-Identifier: Apache-2.0

// Runs the steps of a program (block_assembler.cpp) over one block of entries after the other.

#include <tropic/semirings/block_evaluator.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace tropic {

namespace {

// Copies `bytes` bytes to each of `count` elements.
void fill(std::byte* to, const void* value, std::size_t bytes, std::size_t count) {
  if (count == 0) return;
  std::memcpy(to, value, bytes);
  for (std::size_t done = 1; done < count; done *= 2)
    std::memcpy(to + done * bytes, to, std::min(done, count - done) * bytes);
}

}  // namespace

void block_evaluator::operator()(const bulk_arguments& g) const {
  if (g.count == 0) return;
  static constexpr std::array<index_t, largest_block> zeros{};
  alignas(64) std::byte scratch[scratch_bytes];
  std::byte* at[first_scratch + most_scratch];
  const std::size_t room = std::min(block_, (g.count + 7) & ~std::size_t{7});
  for (std::size_t n = first_scratch; n < places_; ++n)
    at[n] = scratch + (n - first_scratch) * room * 8;
  // The arguments are read only; places are written only if a step makes them.
  const auto readable = [](const void* p) {
    return const_cast<std::byte*>(static_cast<const std::byte*>(p));
  };
  const std::size_t largest_count = std::min(room, g.count);
  for (const constant& c : constants_) fill(at[c.place], &c.bits, c.bytes, largest_count);
  const bool copies_x = x_copies_ != 0 && g.x_scalar, copies_y = y_copies_ != 0 && g.y_scalar;
  if (copies_x) fill(at[x_copies_], g.x, x_bytes_, largest_count);
  if (copies_y) fill(at[y_copies_], g.y, y_bytes_, largest_count);
  const std::size_t x_step = g.x_scalar ? 0 : x_bytes_, y_step = g.y_scalar ? 0 : y_bytes_;
  auto* const z = static_cast<std::byte*>(g.z);
  const std::byte *const x = static_cast<const std::byte*>(g.x), *const y =
                                                                     static_cast<const std::byte*>(
                                                                         g.y);
  // The last step writes z itself, unless it may overwrite an operand that is still to be read.
  const bool is_made = fields_.empty() && !program_.empty() && result_ == program_.back().z;
  const bool direct =
      is_made && (z != x || z_bytes_ == x_bytes_) && (z != y || z_bytes_ == y_bytes_);

  for (std::size_t begin = 0; begin < g.count; begin += room) {
    const std::size_t count = std::min(room, g.count - begin);
    if (uses_x_) at[at_x] = copies_x ? at[x_copies_] : readable(x + begin * x_step);
    if (uses_y_) at[at_y] = copies_y ? at[y_copies_] : readable(y + begin * y_step);
    if (uses_i_) at[at_i] = readable(g.i ? g.i + begin : zeros.data());
    if (uses_k_) at[at_k] = readable(g.k ? g.k + begin : zeros.data());
    if (uses_j_) at[at_j] = readable(g.j ? g.j + begin : zeros.data());
    std::byte* const to = z + begin * z_bytes_;
    for (const instruction& s : program_) {
      std::byte* const target = direct && &s == &program_.back() ? to : at[s.z];
      if (s.stride != 0)  // a field of x or y; b is its offset
        s.run({target, at[s.a] + s.b, nullptr, nullptr, nullptr, count,
               s.a == at_x ? x_step : y_step});
      else
        s.run({target, at[s.a], at[s.b], at[s.c], at[s.d], count, 0});
    }
    if (!fields_.empty()) {
      if (has_padding_) std::memset(to, 0, count * z_bytes_);
      for (const field_result& f : fields_)
        f.store({to + f.offset, at[f.place], nullptr, nullptr, nullptr, count, z_bytes_});
    } else if (!direct) {
      const bool one_record = x_copies_ == 0 && y_copies_ == 0 && result_ <= at_y &&
                              (result_ == at_x ? x_step : y_step) == 0;
      if (one_record)
        fill(to, at[result_], z_bytes_, count);
      else
        std::memmove(to, at[result_], count * z_bytes_);
    }
  }
}

}  // namespace tropic
