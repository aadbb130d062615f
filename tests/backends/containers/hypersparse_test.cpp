// SPDX-License-Identifier: Apache-2.0

// Products of matrices with many columns, few rows and few entries, and sparse vectors: no array is
// as long as the vectors, and sums equal those of the reference. Values are small integers, whose
// sums are exact in any order.

#include <gtest/gtest.h>

#include <tropic/semirings/builtins.hpp>
#include <tropic/tropic.hpp>

#include "support/compare.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using detail::output_options;
using detail::vector_base;

class Hypersparse : public AgainstReference {
 protected:
  // w<mask> accum= A u and u' A, for every kernel that the library may select.
  void compare(const semiring_description& semiring, index_t rows, index_t columns, int entries,
               int inputs, std::uint64_t seed) {
    dice random(seed);
    const type_description& t = semiring.z();
    host_matrix a{&t, rows, columns, {}};
    host_vector u{&t, columns, {}}, v{&t, rows, {}}, mask{&t, columns, {}}, w{&t, rows, {}},
        x{&t, columns, {}};
    const auto value = [&] { return random_value(t, flavour::small, random); };
    const auto place = [&] { return static_cast<index_t>(random.next() % 64) * (columns / 64); };
    for (int n = 0; n < entries; ++n)
      a.entries[{random.roll(static_cast<int>(rows)), place()}] = value();
    for (int n = 0; n < inputs; ++n) {
      u.entries[place()] = value();
      x.entries[place()] = value();
      mask.entries[place()] = value();
      v.entries[random.roll(static_cast<int>(rows))] = value();
      w.entries[random.roll(static_cast<int>(rows))] = value();
    }
    for (const bool masked : {false, true})
      for (const bool complemented : {false, true})
        for (const bool by_column : {false, true}) {
          if (complemented && !masked) continue;
          const auto run = [&](const context& on) {
            const auto m = make(on, a, false, false);
            const auto from = make(on, by_column ? v : u, vector_storage::sparse);
            const auto held = make(on, by_column ? mask : w, vector_storage::sparse);
            auto to = make(on, by_column ? x : w, vector_storage::sparse);
            output_options<vector_base> options;
            if (masked) options = {{&held, true, complemented}, &semiring.add.add, false, nullptr};
            multiply(
                by_column ? "vxm" : "mxv", to, semiring, {.matrix = m}, from,
                by_column ? detail::factor_order::vector_first : detail::factor_order::matrix_first,
                options);
            return read(to);
          };
          if (!agrees(std::string(semiring.add.add.text) + (by_column ? ", vxm" : ", mxv"),
                      difference(run(reference()), run(where())), " seed " + std::to_string(seed)))
            return;
        }
  }
};

TEST_P(Hypersparse, AgreesWithTheReference) {
  for (const char* name : {"plus_times", "min_plus", "any_first", "min_first"})
    for (const type_code type : {type_code::fp64, type_code::int32}) {
      const auto semiring = builtin_semiring(name, type);
      if (!semiring) continue;
      for (std::uint64_t seed = 0; seed < 6; ++seed) {
        compare(*semiring, 1, 64000, 1, 1, base_seed() + seed);
        compare(*semiring, 9, 64000, 200, 40, base_seed() + seed);
        compare(*semiring, 2, 64000, 90, 3, base_seed() + seed);
        compare(*semiring, 30, 64000, 5, 60, base_seed() + seed);
      }
    }
}
TROPIC_ON_EVERY_CONTEXT(Hypersparse);

TEST(HypersparseOnTheCpu, OneRowOfTheLargestSizeTakesBytes) {
  context_options few;
  few.memory_limit = 1 << 20;
  for (const context& where : {context::cpu(few), context::reference(few)}) {
    const index_t size = index_t{1} << 32;
    matrix<double> a(where, 1, size);
    a.set(0, 5, 2);
    a.set(0, size - 1, 3);
    vector<double> u(where, size), w(where, 1);
    u.set(size - 1, 7);
    u.set(8, 1);
    mxv(w, plus_times<double>{}, a, u);
    EXPECT_EQ(w.get(0), 21);
    vector<double> one(where, 1, 2.0), x(where, size);
    vxm(x, plus_times<double>{}, one, a);
    EXPECT_EQ(x.nvals(), 2);
    EXPECT_EQ(x.get(size - 1), 6);
    vxm(x, plus_times<double>{}, one, a, {.mask = structure(u), .accumulate = plus{}});
    EXPECT_EQ(x.get(size - 1), 12);
    EXPECT_EQ(x.get(5), 4);
  }
}

TEST(HypersparseOnTheCpu, ManyRowsAreNotTransposed) {
  // By the number of entries a push would be cheaper; with the offsets of a transpose it is not.
  context_options few;
  few.memory_limit = 16 << 20;
  const context where = context::cpu(few);
  const index_t size = index_t{1} << 32;
  matrix<double> a(where, 10000, size);
  a.set(77, 5, 2);
  vector<double> u(where, size), w(where, 10000);
  u.set(5, 7);
  for (int n = 0; n < 20; ++n) mxv(w, plus_times<double>{}, a, u);
  EXPECT_EQ(w.get(77), 14);
  EXPECT_EQ(w.nvals(), 1);
}

// Products are listed in memory that counts: 24 bytes each.
TEST(HypersparseOnTheCpu, APushThatDoesNotFitIsRefusedAndTheOutputIsUnchanged) {
  constexpr index_t size = index_t{1} << 32;
  constexpr std::uint32_t entries = 200'000;
  std::vector<std::uint32_t> offsets{0, entries}, columns;
  std::vector<double> values;
  for (std::uint32_t e = 0; e < entries; ++e) columns.push_back(20'000 * e), values.push_back(e);
  const plan push{.kernel = "push"};
  const auto lend = []<class T>(const std::vector<T>& from) {
    return array_view<T>{from, nullptr};
  };
  for (const std::size_t limit : {std::size_t{4} << 20, std::size_t{32} << 20}) {
    const context where = context::cpu({.memory_limit = limit});
    // Borrowed arrays, which do not count.
    const auto a =
        matrix<double>::from_csr(where, 1, size, lend(offsets), lend(columns), lend(values));
    const vector<double> one(where, 1, 2.0);
    vector<double> x(where, size);
    x.set(7, 1);
    ASSERT_EQ(x.nvals(), 1);
    const std::size_t used = where.memory_used();
    const auto multiply = [&] { vxm(x, plus_times<double>{}, one, a, {.plan = &push}); };
    if (limit < std::size_t{5} << 20) {
      EXPECT_THROW(multiply(), out_of_memory);
      EXPECT_EQ(where.memory_used(), used);
      EXPECT_EQ(x.nvals(), 1);
    } else {
      multiply();
      EXPECT_EQ(x.nvals(), entries);
      EXPECT_EQ(x.get(20'000 * index_t{entries - 1}), 2.0 * (entries - 1));
    }
  }
}

// Rows are counted, not visited: visiting them would take hours.
TEST(HypersparseOnTheCpu, AValueAtMorePositionsThanMemoryHoldsIsRefusedAtOnce) {
  context_options few;
  few.memory_limit = std::size_t{1} << 30;
  const context where = context::cpu(few);
  matrix<double> wide(where, 1 << 20, index_t{1} << 32);
  EXPECT_THROW(assign(wide, 1.0), out_of_memory);
  matrix<double> square(where, 200'000, 200'000), mask(where, 200'000, 200'000);
  mask.set(7, 7, 1);
  EXPECT_THROW(assign(square, 1.0, {.mask = complement(structure(mask))}), out_of_memory);
  EXPECT_EQ(square.nvals(), 0);
}

}  // namespace
}  // namespace tropic::testing
