// SPDX-License-Identifier: Apache-2.0
#include "evaluator_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <tropic/semirings/block_evaluator.hpp>

#include "support/values.hpp"

namespace tropic::testing {

namespace {

constexpr index_t trial_positions[][3] = {
    {0, 0, 0}, {1, 2, 3}, {3, 2, 1}, {4294967295, 5, 4294967295}};

// Entries of an operator, as bytes: operands, positions, and what the evaluator makes of them.
struct evaluated_entries {
  std::vector<std::byte> x, y, z;
  std::vector<index_t> i, k, j;
};

std::vector<std::byte> bytes_of_adversarial_values(const type_description& type) {
  return with_builtin_type(type.code, []<class T> {
    std::vector<std::byte> bytes;
    for (const T value : adversarial_values<T>()) {
      const auto* begin = reinterpret_cast<const std::byte*>(&value);
      bytes.insert(bytes.end(), begin, begin + sizeof(T));
    }
    return bytes;
  });
}

std::string shown(const type_description& type, const void* bytes) {
  return with_builtin_type(type.code, [bytes]<class T> {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    std::ostringstream text;
    text << +value;
    return text.str();
  });
}

template <class T>
std::vector<T> repeated(const std::vector<T>& from, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t n = 0; n < count; ++n) values[n] = from[n % from.size()];
  return values;
}

bool same_element(const type_description& type, const void* x, const void* y) {
  if (!is_floating(type.code)) return std::memcmp(x, y, type.size) == 0;
  const auto same = [&]<class T>(T a) {
    T b;
    std::memcpy(&a, x, sizeof(T));
    std::memcpy(&b, y, sizeof(T));
    return same_bits(a, b);
  };
  return type.code == type_code::fp32 ? same(float{}) : same(double{});
}

// How a run by blocks differs from `expected`: for all entries, and for numbers of entries around
// those of a block and of a vector register. Empty if it does not.
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

}  // namespace

void expect_same_results(std::string_view name, const operator_description& description,
                         const void* op, compiled_operator compiled) {
  const type_description &x_type = *description.x, &y_type = *description.y,
                         &z_type = *description.z;
  const std::string types = " (" + std::string(x_type.name) + ", " + std::string(y_type.name) +
                            " -> " + std::string(z_type.name) + ")";
  const evaluator run(description);
  evaluated_entries entries;
  int failures = 0;
  const std::vector<std::byte> x_values = bytes_of_adversarial_values(x_type),
                               y_values = bytes_of_adversarial_values(y_type);
  for (const std::byte* x = x_values.data(); x < x_values.data() + x_values.size();
       x += x_type.size)
    for (const std::byte* y = y_values.data(); y < y_values.data() + y_values.size();
         y += y_type.size)
      for (const index_t(&at)[3] : trial_positions) {
        scalar_bytes functor, evaluated, bulk;
        compiled(op, functor.data(), x, y, at);
        run(evaluated.data(), x, y, at[0], at[1], at[2]);
        description(
            {.z = bulk.data(), .x = x, .y = y, .count = 1, .i = &at[0], .k = &at[1], .j = &at[2]});
        const auto* result = static_cast<const std::byte*>(evaluated.data());
        entries.x.insert(entries.x.end(), x, x + x_type.size);
        entries.y.insert(entries.y.end(), y, y + y_type.size);
        entries.z.insert(entries.z.end(), result, result + z_type.size);
        entries.i.push_back(at[0]);
        entries.k.push_back(at[1]);
        entries.j.push_back(at[2]);
        if ((!same_element(z_type, functor.data(), evaluated.data()) ||
             !same_element(z_type, bulk.data(), evaluated.data())) &&
            ++failures < 4)
          ADD_FAILURE() << name << " of " << shown(x_type, x) << " and " << shown(y_type, y)
                        << types << ": compiled " << shown(z_type, functor.data()) << ", evaluated "
                        << shown(z_type, evaluated.data()) << ", in bulk "
                        << shown(z_type, bulk.data());
        if (!description.syntax->positional()) break;
      }
  EXPECT_EQ(difference_by_blocks(description, entries), "") << name << types;
}

}  // namespace tropic::testing
