// SPDX-License-Identifier: Apache-2.0
#include "evaluator_check.hpp"

#include <algorithm>
#include <cstring>

#include <tropic/semirings/block_evaluator.hpp>

namespace tropic::testing {

namespace {

template <class T>
std::vector<T> repeated(const std::vector<T>& from, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t n = 0; n < count; ++n) values[n] = from[n % from.size()];
  return values;
}

bool same_element(const type_description& type, const std::byte* x, const std::byte* y) {
  if (!is_floating(type.code)) return std::memcmp(x, y, type.size) == 0;
  const auto same = [&]<class T>(T a) {
    T b;
    std::memcpy(&a, x, sizeof(T));
    std::memcpy(&b, y, sizeof(T));
    return same_bits(a, b);
  };
  return type.code == type_code::fp32 ? same(float{}) : same(double{});
}

}  // namespace

std::string difference_by_blocks(const operator_description& op,
                                 const evaluated_entries& expected) {
  const block_evaluator run(op);
  const std::size_t block = run.block(), size = op.z->size;
  const std::size_t total = std::max(expected.i.size(), 2 * block + 3);
  const auto x = repeated(expected.x, total * op.x->size),
             y = repeated(expected.y, total * op.y->size), z = repeated(expected.z, total * size);
  const auto i = repeated(expected.i, total), k = repeated(expected.k, total),
             j = repeated(expected.j, total);
  constexpr std::size_t guard = 64;
  for (const std::size_t count : {total, std::size_t{1}, std::size_t{7}, std::size_t{8},
                                  std::size_t{9}, block - 1, block, block + 1, 2 * block + 1}) {
    const std::size_t from = count % 5 % (total - count + 1);
    std::vector<std::byte> room(count * size + guard, std::byte{0xa5});
    run({.z = room.data(),
         .x = x.data() + from * op.x->size,
         .y = y.data() + from * op.y->size,
         .count = count,
         .i = i.data() + from,
         .k = k.data() + from,
         .j = j.data() + from});
    for (std::size_t n = 0; n < count; ++n)
      if (!same_element(*op.z, room.data() + n * size, z.data() + (from + n) * size))
        return "entry " + std::to_string(n) + " of " + std::to_string(count) + " by blocks";
    for (std::size_t n = 0; n < guard; ++n)
      if (room[count * size + n] != std::byte{0xa5})
        return std::to_string(count) + " entries by blocks are written past their end";
  }
  return "";
}

}  // namespace tropic::testing
