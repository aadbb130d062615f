// SPDX-License-Identifier: Apache-2.0
#include "backends/mxm/spmm_cases.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "backends/device/spmm/spmm.hpp"
#include "backends/factors.hpp"
#include "backends/operators.hpp"

namespace tropic::testing {
namespace {

using factor = spmm_factor;

struct spmm_data {
  const test_semiring* algebra = nullptr;
  host_matrix a, b, c, mask;  // of both full ones, `a` is the first
  mask_kind mask_is;
  bool c_is_full = false, c_is_mask = false, mask_is_full = false;

  // The operand that is full, of two the second.
  host_matrix& full(int side) { return side == 1 ? a : b; }
};

host_matrix transposed(const host_matrix& m) {
  host_matrix result{m.type, m.columns, m.rows, {}};
  for (const auto& [at, value] : m.entries) result.entries[{at.second, at.first}] = value;
  return result;
}

// The most entries of `sparse` that are added to one sum.
std::size_t longest_sum(const host_matrix& sparse, bool by_columns) {
  std::map<index_t, std::size_t> lengths;
  std::size_t longest = 0;
  for (const auto& [at, value] : sparse.entries)
    longest = std::max(longest, ++lengths[by_columns ? at.second : at.first]);
  return longest;
}

spmm_data data_of(const std::vector<test_semiring>& semirings, const spmm_case& one) {
  dice random(one.seed);
  const levels& at = one.at;
  const spmm_shape& s = one.of;
  const int side = at[factor::side];
  spmm_data d;
  d.algebra = &semirings[static_cast<std::size_t>(at[factor::semiring])];
  const semiring_description& semiring = d.algebra->description;
  const flavour kind = at[factor::values] == 1 ? flavour::real : d.algebra->values;
  const int storage = at[factor::storage];
  const double of_full = density_of(std::min(storage, 2));
  d.a = random_matrix(semiring.a(), s.rows, s.inner, side == 0 ? s.density : of_full, kind, random);
  d.b = random_matrix(semiring.x(), s.inner, s.columns, side == 1 ? s.density : of_full, kind,
                      random);
  host_matrix& sparse = side == 1 ? d.b : d.a;
  if (s.has_long_row && sparse.rows > 0)
    for (index_t j = 0; j < sparse.columns; ++j)
      sparse.entries[{sparse.rows / 2, j}] = random_value(*sparse.type, kind, random);
  // Devices add the sums of pieces of longer rows, which rounds arbitrary values in another way.
  if (at[factor::values] == 1 && side != 2 &&
      longest_sum(sparse, side == 1) > detail::spmm_config::least_piece) {
    spmm_case exact = one;
    exact.at[factor::values] = 0;
    return data_of(semirings, exact);
  }
  if (side != 2 && at[factor::transposed] == 1) sparse = transposed(sparse);
  if (side != 2 && at[factor::iso] == 1) make_iso(sparse);
  d.c = random_matrix(semiring.z(), s.rows, s.columns, density_of(at[factor::output]),
                      flavour::small, random);
  d.mask_is = mask_kind(at[factor::mask]);
  d.mask = random_matrix(d.mask_is.type(at[factor::mask_type]), s.rows, s.columns,
                         density_of(at[factor::mask_form]), flavour::small, random);
  // Some rows of the mask are empty and some complete, others in their first 32 columns alone: it
  // excludes whole blocks of a row, and blocks before others.
  if (at[factor::mask_form] == 1)
    for (index_t i = 0; i < s.rows; ++i) {
      const index_t width = i % 6 < 3 ? s.columns : std::min<index_t>(s.columns, 32);
      for (index_t j = 0; j < width; ++j) {
        if (i % 3 == 1) d.mask.entries.erase({i, j});
        if (i % 3 == 2)
          d.mask.entries.emplace(std::pair{i, j},
                                 random_value(*d.mask.type, flavour::small, random));
      }
    }
  const host_matrix& full = d.full(side);
  const bool fits = full.rows == s.rows && full.columns == s.columns;
  const type_description& full_type = *full.type;
  const int form = at[factor::mask_form];
  switch (at[factor::alias]) {
    case 1: d.c_is_full = fits && full_type == semiring.z() && side != 2; break;
    case 2: d.c_is_mask = form != 0 && d.mask_is.may_hold(semiring.z()); break;
    case 3: d.mask_is_full = form != 0 && fits && d.mask_is.may_hold(full_type); break;
    default: break;
  }
  if (d.c_is_full) d.c = full;
  if (d.c_is_mask) d.mask = d.c;
  if (d.mask_is_full) d.mask = full;
  return d;
}

host_matrix run(const context& where, const spmm_case& one, spmm_data& d) {
  const levels& at = one.at;
  const int side = at[factor::side], storage = at[factor::storage];
  const bool wide = at[factor::wide] == 1, iso = at[factor::iso] == 1;
  detail::full_base c =
      make_full(where, d.c, d.c_is_full ? storage : std::min(at[factor::output], 2));
  detail::full_base full_made, first_made, mask_made;
  if (!d.c_is_full) full_made = make_full(where, d.full(side), storage);
  const detail::full_base& full = d.c_is_full ? c : full_made;
  detail::matrix_base sparse, sparse_mask;
  if (side == 2)
    first_made = make_full(where, d.a, storage);
  else
    sparse = make(where, side == 1 ? d.b : d.a, wide, iso);

  const semiring_description& semiring = d.algebra->description;
  detail::full_output output;
  if (d.mask_is.exists && at[factor::mask_form] == 0) {
    sparse_mask = make(where, d.mask, wide, false);
    output.sparse_mask = {&sparse_mask, d.mask_is.structural, d.mask_is.complemented, nullptr};
  } else if (d.mask_is.exists) {
    if (!d.c_is_mask && !d.mask_is_full)
      mask_made = make_full(where, d.mask, at[factor::mask_form]);
    output.mask = {d.c_is_mask      ? &c
                   : d.mask_is_full ? &full
                                    : &mask_made,
                   d.mask_is.structural, d.mask_is.complemented, nullptr};
  }
  operator_description accumulator;
  if (at[factor::accumulator] != 0) {
    accumulator = accumulator_of(at[factor::accumulator], semiring.z());
    output.accumulator = &accumulator;
  }
  output.replace = at[factor::replace] == 1;
  const detail::matrix_factor of_sparse{.matrix = sparse,
                                        .transposed = at[factor::transposed] == 1};
  if (side == 0)
    detail::mxm(c, semiring, of_sparse, full, output);
  else if (side == 1)
    detail::mxm(c, semiring, full, of_sparse, output);
  else
    detail::mxm(c, semiring, first_made, full, output);
  where.synchronize();
  std::string damage;
  if (!d.c_is_full) damage += difference(d.full(side), read_full(full));
  if (side != 2) damage += difference(side == 1 ? d.b : d.a, read(sparse));
  if (d.mask_is.exists && !d.c_is_mask && !d.mask_is_full && at[factor::mask_form] != 0)
    damage += difference(d.mask, read_full(mask_made));
  if (!damage.empty()) throw std::logic_error("an input has changed:\n" + damage);
  return read_full(c);
}

}  // namespace

detail::full_base make_full(const context& where, const host_matrix& from, int storage) {
  const std::size_t bytes = from.type->size;
  const bool is_complete = static_cast<index_t>(from.entries.size()) == from.rows * from.columns;
  if (storage == 3 && is_complete) {
    const index_t leading = from.columns + 3;
    std::vector<std::byte> array(static_cast<std::size_t>(from.rows * leading) * bytes,
                                 std::byte{0xa5});
    for (const auto& [at, value] : from.entries)
      std::memcpy(array.data() + static_cast<std::size_t>(at.first * leading + at.second) * bytes,
                  value.data(), bytes);
    const auto kept = std::make_shared<std::vector<std::byte>>(std::move(array));
    const detail::given_array given{.data = kept->data(),
                                    .size = kept->size() / bytes,
                                    .bytes = bytes,
                                    .alignment = 1,
                                    .owner = kept};
    return detail::full_from_array(where.state(), *from.type, from.rows, from.columns, given,
                                   leading);
  }
  host_vector cells{from.type, from.rows * from.columns, {}};
  for (const auto& [at, value] : from.entries)
    cells.entries[at.first * from.columns + at.second] = value;
  detail::full_base result = detail::empty_full(where.state(), *from.type, from.rows, from.columns);
  result.cells = make_held(where, cells, std::min(storage, 2));
  return result;
}

host_matrix read_full(const detail::full_base& from) {
  host_matrix result{from.cells.type, from.rows, from.columns, {}};
  for (const auto& [at, value] : read(from.flat()).entries)
    result.entries[{at / from.columns, at % from.columns}] = value;
  return result;
}

std::vector<int> spmm_factor_sizes(int semirings) {
  return {semirings, 5, 3, 2, 3, 2, 4, 2, 2, 3, 3, 4, 4, 2};
}

const std::vector<spmm_shape>& spmm_shapes() {
  static const std::vector<spmm_shape> shapes{
      {0, 0, 0, 0.5},         {0, 5, 4, 0.5},         {5, 0, 4, 0.5},         {5, 4, 0, 0.5},
      {1, 1, 1, 1.0},         {7, 9, 1, 0.3},         {12, 12, 12, 0.3},      {9, 7, 2, 0.4},
      {20, 20, 20, 0.1},      {5, 40, 31, 0.2, true}, {6, 30, 32, 0.2},       {30, 9, 33, 0.2},
      {4, 70, 7, 0.9},        {33, 33, 33, 0.5},      {3, 17, 70, 0.3, true}, {40, 5, 4, 0.0},
      {2, 150, 65, 0.1, true}};
  return shapes;
}

std::string spmm_difference(const context& where, const context& reference,
                            const std::vector<test_semiring>& semirings, const spmm_case& one) {
  try {
    spmm_data d = data_of(semirings, one);
    return difference(run(reference, one, d), run(where, one, d));
  } catch (const std::exception& e) {
    return std::string("threw: ") + e.what();
  }
}

}  // namespace tropic::testing
