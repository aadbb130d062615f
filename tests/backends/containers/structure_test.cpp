// SPDX-License-Identifier: Apache-2.0

// extract, kronecker, diagonals, concatenate, split, ewise_union and resize on every context
// against the reference, which runs the same case from the same seed: operands in every storage,
// lists in any order with repetitions, every mask, accumulator and replace, outputs that are
// operands.

#include <gtest/gtest.h>

#include <numeric>

#include <tropic/tropic.hpp>

#include "support/compare.hpp"
#include "support/messages.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

const type_description& random_type(dice& random) {
  static const type_description* const types[] = {
      &describe<bool>(),   &describe<std::int8_t>(), &describe<std::int64_t>(),
      &describe<double>(), &describe<float>(),       &describe<test_path>()};
  return *types[random.roll(6)];
}
// A type with arithmetic, and its minus, which is not commutative.
const type_description& random_number_type(dice& random) {
  static const type_description* const types[] = {
      &describe<std::int8_t>(), &describe<std::int64_t>(), &describe<double>(), &describe<float>()};
  return *types[random.roll(4)];
}
operator_description minus_over(const type_description& type) {
  return with_builtin_type(type.code,
                           []<class T>() { return describe_operator<T, T, T>(minus{}); });
}

index_t random_size(dice& random) {
  static constexpr index_t sizes[] = {0, 1, 2, 3, 7, 31, 32, 33, 64, 65, 150};
  return sizes[random.roll(11)];
}
double random_density(dice& random) {
  static constexpr double densities[] = {0, 0.02, 0.3, 1};
  return densities[random.roll(4)];
}
flavour random_flavour(dice& random) {
  static constexpr flavour all_of_them[] = {flavour::small, flavour::weighted, flavour::edge};
  return all_of_them[random.roll(3)];
}

matrix_base random_matrix_in(const context& where, const type_description& type, index_t rows,
                             index_t columns, dice& random) {
  host_matrix m =
      random_matrix(type, rows, columns, random_density(random), random_flavour(random), random);
  const bool iso = random.chance(0.2);
  if (iso) make_iso(m);
  return make(where, m, random.chance(0.3), iso && !m.entries.empty());
}
vector_base random_vector_in(const context& where, const type_description& type, index_t size,
                             dice& random) {
  const host_vector v =
      random_vector(type, size, random_density(random), random_flavour(random), random);
  static constexpr vector_storage storages[] = {vector_storage::sparse, vector_storage::bitmap};
  const vector_storage storage = storages[random.roll(2)];
  const bool full = static_cast<index_t>(v.entries.size()) == size && random.chance(0.5);
  return make(where, v, full ? vector_storage::full : storage);
}

matrix_base random_mask_like(const context& where, const matrix_base& c, dice& random) {
  return random_matrix_in(where, describe<std::int8_t>(), c.rows, c.columns, random);
}
vector_base random_mask_like(const context& where, const vector_base& w, dice& random) {
  return random_vector_in(where, describe<std::int8_t>(), w.size, random);
}

// Mask, accumulator and replace of one case.
template <class Container>
class random_rule {
 public:
  random_rule(const context& where, const Container& output, dice& random)
      : level_(random.roll(5)),
        mask_(random_mask_like(where, output, random)),
        replace_(random.chance(0.5)) {
    const bool accumulate = random.chance(0.5);
    if (accumulate && output.type->code != type_code::record) minus_ = minus_over(*output.type);
  }
  output_options<Container> options() const {
    output_options<Container> result;
    if (level_ != 0) result.mask = {&mask_, level_ == 2 || level_ == 4, level_ >= 3};
    if (minus_) result.accumulator = &*minus_;
    result.replace = replace_;
    return result;
  }

 private:
  int level_;
  Container mask_;
  bool replace_;
  std::optional<operator_description> minus_;
};

// A list of positions, or none, which means all.
struct random_list {
  random_list(index_t size, dice& random) {
    const int kind = random.roll(6);
    all = kind == 0;
    if (all) {
      count = size;
      return;
    }
    const index_t wanted = size == 0 || kind == 1 ? 0 : random_size(random);
    for (index_t n = 0; n < wanted; ++n) list.push_back(random.roll(static_cast<int>(size)));
    if (kind == 2) std::sort(list.begin(), list.end());
    if (kind == 3) {  // every position once, in any order
      list.resize(static_cast<std::size_t>(size));
      std::iota(list.begin(), list.end(), index_t{0});
      for (std::size_t n = list.size(); n > 1; --n)
        std::swap(list[n - 1], list[static_cast<std::size_t>(random.roll(static_cast<int>(n)))]);
    }
    count = static_cast<index_t>(list.size());
    span = list;
  }
  const std::span<const index_t>* get() const { return all ? nullptr : &span; }

  bool all = false;
  index_t count = 0;
  std::vector<index_t> list;
  std::span<const index_t> span;
};

matrix_factor random_factor(const matrix_base& m, dice& random) {
  return {.matrix = m, .transposed = random.chance(0.5)};
}
index_t rows_of(const matrix_factor& a) {
  return a.transposed ? a.matrix.columns : a.matrix.rows;
}
index_t columns_of(const matrix_factor& a) {
  return a.transposed ? a.matrix.rows : a.matrix.columns;
}

host_matrix extract_matrix(const context& where, dice random) {
  const type_description& type = random_type(random);
  matrix_base a = random_matrix_in(where, type, random_size(random), random_size(random), random);
  const matrix_factor from = random_factor(a, random);
  const random_list rows(rows_of(from), random), columns(columns_of(from), random);
  matrix_base c = random_matrix_in(where, type, rows.count, columns.count, random);
  const random_rule<matrix_base> rule(where, c, random);
  const bool onto_itself = c.rows == a.rows && c.columns == a.columns && random.chance(0.5);
  matrix_base& written = onto_itself ? a : c;
  extract(written, from, rows.get(), columns.get(), rule.options());
  return read(written);
}

host_vector extract_vector(const context& where, dice random) {
  const type_description& type = random_type(random);
  vector_base u = random_vector_in(where, type, random_size(random), random);
  const random_list list(u.size, random);
  vector_base w = random_vector_in(where, type, list.count, random);
  const random_rule<vector_base> rule(where, w, random);
  vector_base& written = w.size == u.size && random.chance(0.5) ? u : w;
  extract(written, u, list.get(), rule.options());
  return read(written);
}

host_vector extract_column(const context& where, dice random) {
  const type_description& type = random_type(random);
  const index_t rows = 1 + random_size(random), columns = 1 + random_size(random);
  const matrix_base a = random_matrix_in(where, type, rows, columns, random);
  const matrix_factor from = random_factor(a, random);
  const random_list list(rows_of(from), random);
  vector_base w = random_vector_in(where, type, list.count, random);
  const random_rule<vector_base> rule(where, w, random);
  extract(w, from, list.get(), random.roll(static_cast<int>(columns_of(from))), rule.options());
  return read(w);
}

host_vector diagonal_of_matrix(const context& where, dice random) {
  const type_description& type = random_type(random);
  const matrix_base a =
      random_matrix_in(where, type, random_size(random), random_size(random), random);
  const matrix_factor from = random_factor(a, random);
  const index_t k = random.roll(static_cast<int>(a.rows + a.columns + 1)) - rows_of(from);
  vector_base w = random_vector_in(where, type, diagonal_length(from, k), random);
  const random_rule<vector_base> rule(where, w, random);
  extract_diagonal(w, from, k, rule.options());
  return read(w);
}

host_matrix kronecker_product_of(const context& where, dice random) {
  const type_description& type = random_number_type(random);
  const auto small = [&] { return index_t{random.roll(12)}; };
  matrix_base a = random_matrix_in(where, type, small(), small(), random);
  const bool by_one = random.chance(0.2);
  const index_t height = by_one ? 1 : small(), width = by_one ? 1 : small();
  const matrix_base b = random_matrix_in(where, type, height, width, random);
  const matrix_factor from_a = random_factor(a, random), from_b = random_factor(b, random);
  matrix_base c = random_matrix_in(where, type, rows_of(from_a) * rows_of(from_b),
                                   columns_of(from_a) * columns_of(from_b), random);
  const random_rule<matrix_base> rule(where, c, random);
  const bool onto_itself = c.rows == a.rows && c.columns == a.columns && random.chance(0.5);
  matrix_base& written = onto_itself ? a : c;
  kronecker(written, minus_over(type), from_a, from_b, rule.options());
  return read(written);
}

host_vector union_of_vectors(const context& where, dice random) {
  const type_description& type = random_number_type(random);
  const index_t size = random_size(random);
  vector_base u = random_vector_in(where, type, size, random),
              v = random_vector_in(where, type, size, random),
              w = random_vector_in(where, type, size, random);
  const scalar_bytes missing_u = random_value(type, flavour::small, random),
                     missing_v = random_value(type, flavour::small, random);
  const random_rule<vector_base> rule(where, w, random);
  vector_base* const outputs[] = {&w, &u, &v};
  vector_base& written = *outputs[random.roll(3)];
  ewise_union(written, minus_over(type), u, missing_u.data(), v, missing_v.data(), rule.options());
  return read(written);
}

host_matrix union_of_matrices(const context& where, dice random) {
  const type_description& type = random_number_type(random);
  const index_t rows = random_size(random), columns = random_size(random);
  matrix_base a = random_matrix_in(where, type, rows, columns, random),
              b = random_matrix_in(where, type, rows, columns, random),
              c = random_matrix_in(where, type, rows, columns, random);
  const scalar_bytes missing_a = random_value(type, flavour::small, random),
                     missing_b = random_value(type, flavour::small, random);
  const random_rule<matrix_base> rule(where, c, random);
  matrix_base* const outputs[] = {&c, &a, &b};
  matrix_base& written = *outputs[random.roll(3)];
  ewise_union(written, minus_over(type), a, missing_a.data(), b, missing_b.data(), rule.options());
  return read(written);
}

host_matrix tiles_together(const context& where, dice random) {
  const type_description& type = random_type(random);
  std::vector<index_t> heights(static_cast<std::size_t>(1 + random.roll(3))),
      widths(static_cast<std::size_t>(1 + random.roll(3)));
  for (index_t& height : heights) height = random_size(random);
  for (index_t& width : widths) width = random_size(random);
  std::vector<matrix_base> tiles;
  for (const index_t height : heights)
    for (const index_t width : widths)
      tiles.push_back(random_matrix_in(where, type, height, width, random));
  std::vector<const matrix_base*> pointers;
  for (const matrix_base& tile : tiles) pointers.push_back(&tile);
  const matrix_base whole = concatenate(pointers, widths.size());
  const std::vector<matrix_base> again = split(whole, heights, widths);
  for (std::size_t n = 0; n < tiles.size(); ++n)
    EXPECT_EQ(difference(read(tiles[n]), read(again[n])), "") << "tile " << n;
  return read(whole);
}

host_vector parts_together(const context& where, dice random) {
  const type_description& type = random_type(random);
  std::vector<vector_base> parts;
  std::vector<index_t> sizes;
  for (int n = 1 + random.roll(4); n > 0; --n) {
    parts.push_back(random_vector_in(where, type, random_size(random), random));
    sizes.push_back(parts.back().size);
  }
  std::vector<const vector_base*> pointers;
  for (const vector_base& part : parts) pointers.push_back(&part);
  const vector_base whole = concatenate(pointers);
  const std::vector<vector_base> again = split(whole, sizes);
  for (std::size_t n = 0; n < parts.size(); ++n)
    EXPECT_EQ(difference(read(parts[n]), read(again[n])), "") << "part " << n;
  return read(whole);
}

host_matrix resized_matrix(const context& where, dice random) {
  matrix_base a = random_matrix_in(where, random_type(random), random_size(random),
                                   random_size(random), random);
  host_matrix expected = read(a);
  expected.rows = random.chance(0.2) ? a.rows : random_size(random);
  expected.columns = random.chance(0.2) ? a.columns : random_size(random);
  std::erase_if(expected.entries, [&](const auto& e) {
    return e.first.first >= expected.rows || e.first.second >= expected.columns;
  });
  const matrix_base copy = a;
  const host_matrix before = read(copy);
  resize(a, expected.rows, expected.columns);
  EXPECT_EQ(difference(expected, read(a)), "");
  EXPECT_EQ(difference(before, read(copy)), "") << "a copy";
  return read(a);
}

host_vector resized_vector(const context& where, dice random) {
  vector_base v = random_vector_in(where, random_type(random), random_size(random), random);
  host_vector expected = read(v);
  expected.size = random_size(random);
  std::erase_if(expected.entries, [&](const auto& e) { return e.first >= expected.size; });
  resize(v, expected.size);
  EXPECT_EQ(difference(expected, read(v)), "");
  return read(v);
}

host_matrix matrix_of_diagonal(const context& where, dice random) {
  const vector_base v = random_vector_in(where, random_type(random), random_size(random), random);
  const index_t k = random.roll(9) - 4;
  host_matrix expected{v.type, v.size + std::abs(k), v.size + std::abs(k), {}};
  for (const auto& [n, value] : read(v).entries)
    expected.entries[{k < 0 ? n - k : n, k < 0 ? n : n + k}] = value;
  const matrix_base found = diagonal_matrix(v, k);
  EXPECT_EQ(difference(expected, read(found)), "");
  return read(found);
}

class Structure : public AgainstReference {
 protected:
  template <class Case>
  void check(const char* what, Case&& one, int times = 300) {
    const std::uint64_t seed = base_seed();
    for (int n = 0; n < times; n += static_cast<int>(every_nth())) {
      const dice same(seed * 1000003 + static_cast<std::uint64_t>(n));
      const std::string found = difference(one(reference(), same), one(where(), same));
      if (!agrees(what, found, "; case " + std::to_string(n) + ", " + seed_trace())) return;
      if (HasFailure()) return;
    }
  }
};

TEST_P(Structure, ExtractsSubmatrices) {
  check("extract", extract_matrix);
}
TEST_P(Structure, ExtractsSubvectors) {
  check("extract", extract_vector);
}
TEST_P(Structure, ExtractsColumnsAndRows) {
  check("extract", extract_column);
}
TEST_P(Structure, ExtractsDiagonals) {
  check("diagonal", diagonal_of_matrix);
}
TEST_P(Structure, BuildsDiagonalMatrices) {
  check("diagonal_matrix", matrix_of_diagonal);
}
TEST_P(Structure, FormsKroneckerProducts) {
  check("kronecker", kronecker_product_of);
}
TEST_P(Structure, UnitesVectorsWithFillValues) {
  check("ewise_union", union_of_vectors);
}
TEST_P(Structure, UnitesMatricesWithFillValues) {
  check("ewise_union", union_of_matrices);
}
TEST_P(Structure, PutsTilesTogetherAndSplitsThem) {
  check("concatenate", tiles_together, 100);
}
TEST_P(Structure, PutsVectorsTogetherAndSplitsThem) {
  check("concatenate", parts_together);
}
TEST_P(Structure, ResizesMatrices) {
  check("resize", resized_matrix);
}
TEST_P(Structure, ResizesVectors) {
  check("resize", resized_vector);
}

TEST_P(Structure, NamesWhatDoesNotFit) {
  const matrix<int> a(where(), 3, 4), b(where(), 2, 2);
  matrix<int> c(where(), 2, 2);
  vector<int> w(where(), 2), u(where(), 5);
  const auto message = [](const auto& act) -> std::string {
    try {
      act();
    } catch (const usage_error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([&] { extract(c, a, all, all); }), "extract: A is 3x4, C is 2x2, needs 3x4");
  EXPECT_EQ(message([&] { extract(c, transpose(a), range(3, 5), all); }), "extract: row 4 of 4");
  EXPECT_EQ(message([&] { extract(c, a, range(-1, 1), all); }), "extract: row -1 of 3");
  EXPECT_EQ(message([&] { extract(w, a, all, 4); }), "extract: column 4 of 4");
  EXPECT_EQ(message([&] { extract(w, a, all, 0); }),
            "extract: A is 3x4, w has 2 positions, needs 3");
  EXPECT_EQ(message([&] { extract(w, u, all); }),
            "extract: u has 5 positions, w has 2 positions, needs 5");
  EXPECT_EQ(message([&] { kronecker(c, times{}, a, transpose(a)); }),
            "kronecker: A is 3x4, B is 4x3, C is 2x2, needs 12x12");
  EXPECT_EQ(message([&] { diagonal_of(a, 5); }),
            "diagonal: A is 3x4, its diagonals are -3 to 4, not 5");
  EXPECT_EQ(message([&] { ewise_union(c, minus{}, a, 0, b, 0); }),
            "ewise_union: the output has shape 2x2, the first operand 3x4, the second operand 2x2");
  EXPECT_EQ(message([&] {
              concatenate({&a, &b}, 2);
            }),
            "concatenate: tile (0, 1) is 2x2, needs 3x2");
  EXPECT_EQ(message([&] { concatenate({&a, &a, &a}, 2); }), "concatenate: 3 tiles, 2 in a row");
  EXPECT_EQ(message([&] {
              split(u, std::vector<index_t>{2, 2});
            }),
            "split: the sizes sum to 4, needed 5");
  EXPECT_EQ(message([] { range(0, 1, 0); }), "range: step 0");
}

TROPIC_ON_EVERY_CONTEXT(Structure);

}  // namespace
}  // namespace tropic::testing
