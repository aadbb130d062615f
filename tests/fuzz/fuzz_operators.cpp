// SPDX-License-Identifier: Apache-2.0

// The operator language. Three bytes select the types of x, y and the result; the rest is text: an
// operator, or `add;identity;multiply` of a semiring. The text is either rejected with a message
// and a position inside it, or it is an operator: its printed tree parses to the same tree, the
// evaluator agrees with a walk over the tree (operator_walk.hpp) on adversarial values, and device
// text can be generated. A semiring runs, and its products have entries in the same positions on
// the cpu context and on the reference.
//
// `fuzz_operators --seeds DIR` writes the first inputs.

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <tropic/detail/operations.hpp>
#include <tropic/matrix.hpp>
#include <tropic/semirings/evaluate.hpp>
#include <tropic/vector.hpp>
#include <vector>

#include "backends/device/program/prelude.hpp"
#include "fuzz.hpp"
#include "operator_walk.hpp"
#include "support/values.hpp"

namespace {

using namespace tropic;
using tropic::fuzz::broken;
using tropic::fuzz::require;

TROPIC_VALUE_TYPE(path, (double, cost), (std::int32_t, hops));
TROPIC_VALUE_TYPE(mixed, (std::int8_t, a), (bool, b), (float, c), (std::uint64_t, d));

constexpr unsigned type_count = builtin_type_count + 2;
const type_description& type_at(unsigned n) {
  if (n < builtin_type_count) return describe(static_cast<type_code>(n));
  return n == builtin_type_count ? describe<path>() : describe<mixed>();
}

/// Adversarial values of a type; the fields of a record cycle through those of their types.
std::vector<scalar_bytes> values_of(const type_description& type) {
  std::vector<scalar_bytes> result;
  if (type.code != type_code::record) {
    with_builtin_type(type.code, [&]<class T>() {
      for (const T value : tropic::testing::adversarial_values<T>())
        result.push_back(scalar_bytes::of(value));
    });
    return result;
  }
  result.resize(12);
  std::size_t shift = 0;
  for (const field_description& f : type.fields) {
    const std::vector<scalar_bytes> values = values_of(describe(f.code));
    for (std::size_t n = 0; n < result.size(); ++n)
      std::memcpy(result[n].bytes.data() + f.offset, values[(n + shift) % values.size()].data(),
                  describe(f.code).size);
    shift += 5;
  }
  return result;
}
const std::vector<scalar_bytes>& values_at(unsigned type) {
  static const auto all = [] {
    std::array<std::vector<scalar_bytes>, type_count> result;
    for (unsigned n = 0; n < type_count; ++n) result[n] = values_of(type_at(n));
    return result;
  }();
  return all[type];
}

bool same_value(const type_description& type, const void* a, const void* b) {
  if (type.code == type_code::record) {
    for (const field_description& f : type.fields)
      if (!same_value(describe(f.code), static_cast<const std::byte*>(a) + f.offset,
                      static_cast<const std::byte*>(b) + f.offset))
        return false;
    return true;
  }
  return with_builtin_type(type.code, [&]<class T>() {
    T left, right;
    std::memcpy(&left, a, sizeof(T));
    std::memcpy(&right, b, sizeof(T));
    return tropic::testing::same_bits(left, right);
  });
}

std::string device_text(const operator_description& op, detail::dialect dialect) {
  detail::prelude result(dialect);
  result.define_operator("t_op", op);
  const std::string text = result.text();
  int open = 0;
  for (const char c : text) {
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    require(open >= 0 && (c == '\n' || (c >= ' ' && c <= '~')), "text for a device");
  }
  require(open == 0, "parentheses in the text for a device");
  return text;
}

void check_refusal(std::string_view text, const expression_error& e) {
  require(*e.what() != '\0', "a refusal without a reason");
  require(e.position <= text.size(), "a refusal of what is behind the text");
}

/// `pairs` pairs of values, spread evenly over all of them.
void check_operator(const std::string& text, unsigned x, unsigned y, unsigned z,
                    std::size_t pairs) {
  const type_description& result = type_at(z);
  operator_description op;
  try {
    op = operator_from_text(text, type_at(x), type_at(y), result);
  } catch (const expression_error& e) {
    return check_refusal(text, e);
  }
  const std::string printed = fuzz::printer(*op.syntax, op.text).result();
  if (printed.size() > 4000) return;
  const expression::tree parsed = expression::parse(printed);
  require(fuzz::same_tree(*op.syntax, op.text, parsed, printed), "printed, it is another tree");
  const operator_description again = operator_from_text(printed, type_at(x), type_at(y), result);
  for (const auto dialect : {detail::dialect::opencl, detail::dialect::cuda, detail::dialect::c})
    require(device_text(op, dialect) == device_text(again, dialect), "text for a device differs");

  fuzz::walker walk(op);
  const evaluator single(op);
  const auto &left = values_at(x), &right = values_at(y);
  std::vector<std::byte> xs, ys, walked;
  std::vector<index_t> is, ks, js;
  const auto append = [](std::vector<std::byte>& to, const void* value, std::size_t bytes) {
    const auto* from = static_cast<const std::byte*>(value);
    to.insert(to.end(), from, from + bytes);
  };
  for (std::size_t n = 0; n < pairs; ++n) {
    const void* a = left[n * 7 % left.size()].data();
    const void* b = right[n * 5 % right.size()].data();
    const index_t i = static_cast<index_t>(n), k = 4294967295 - i, j = 3;
    scalar_bytes evaluated;
    const scalar_bytes expected = walk(a, b, i, k, j);
    single(evaluated.data(), a, b, i, k, j);
    require(same_value(result, evaluated.data(), expected.data()), "evaluator and walk differ");
    append(xs, a, op.x->size);
    append(ys, b, op.y->size);
    append(walked, expected.data(), result.size);
    is.push_back(i);
    ks.push_back(k);
    js.push_back(j);
  }
  // All pairs at once, by the text and by its printed tree; and the last one by itself.
  for (const operator_description* run : {static_cast<const operator_description*>(&op), &again})
    for (const std::size_t first : {std::size_t{0}, pairs - 1}) {
      std::vector<std::byte> z((pairs - first) * result.size);
      (*run)({.z = z.data(),
              .x = xs.data() + first * op.x->size,
              .y = ys.data() + first * op.y->size,
              .count = pairs - first,
              .i = is.data() + first,
              .k = ks.data() + first,
              .j = js.data() + first});
      for (std::size_t n = first; n < pairs; ++n)
        require(same_value(result, z.data() + (n - first) * result.size,
                           walked.data() + n * result.size),
                "blocks and walk differ");
    }
}

void check_semiring(const std::array<std::string, 3>& text, unsigned z) {
  if (z >= builtin_type_count) return;
  const type_description& type = type_at(z);
  semiring_description semiring;
  try {
    semiring = semiring_from_text(text[0], text[1], text[2], type);
  } catch (const expression_error&) {
    return;
  }
  static const context contexts[] = {context::reference(fuzz::bounded(1)),
                                     context::cpu(fuzz::bounded(1))};
  std::vector<std::size_t> entries;
  for (const context& where : contexts) {
    // 3x4: a full row, an empty one, one entry.
    const std::uint32_t rows[] = {0, 0, 0, 0, 2}, columns[] = {0, 1, 2, 3, 1};
    std::vector<std::byte> values(5 * type.size);
    const auto& some = values_at(z);
    for (std::size_t e = 0; e < 5; ++e)
      std::memcpy(values.data() + e * type.size, some[(e + 1) % some.size()].data(), type.size);
    const auto a = detail::build_matrix(where.state(), type, 3, 4, rows, columns, values.data(),
                                        detail::value_layout::per_entry, duplicates::error);
    const index_t at[] = {0, 1, 3};
    const auto u =
        detail::build_vector(where.state(), type, 4, at, values.data(), duplicates::error);
    auto w = detail::empty_vector(where.state(), type, 3);
    try {
      detail::multiply("mxv", w, semiring, {.matrix = a}, u, detail::factor_order::matrix_first,
                       {});
    } catch (const usage_error&) {
      require(semiring.add.add.syntax->positional(), "a product that is refused");
      return;
    }
    require(!semiring.add.add.syntax->positional(), "a sum that uses positions");
    entries.push_back(static_cast<std::size_t>(index_t{w.nvals}));
  }
  require(entries[0] == entries[1], "a product has other entries on the cpu");
}

}  // namespace

int tropic::fuzz::write_seeds(const std::filesystem::path& folder) {
  struct seed {
    unsigned char x, y, z;
    const char* text;
  };
  constexpr seed seeds[] = {
      {10, 10, 10, "x * y"},
      {4, 4, 4, "t_min(x, y);t_inf;t_tropical_plus(x, y)"},
      {9, 9, 9, "x + y;0;x > y ? x - y : y - x"},
      {0, 0, 0, "x || y;false;x && y"},
      {5, 7, 8, "(x << 3 ^ y) & 0x1f | ~y % 7"},
      {11, 11, 11, "x.cost < y.cost ? x : t_make(y.cost + 1.5e-3, y.hops + 1)"},
      {12, 12, 10, "x.b && y.a >= 3 ? t_sqrt(x.c) : t_pow(y.c, 2)"},
      {4, 4, 4, "i + k * j - (x == y)"},
      {9, 10, 10, "t_isnan(x) ? t_lowest : t_floor(y) + t_ceil(x) - t_abs(y)"},
      {3, 3, 3, "- -x != !y"},
      {2, 6, 1, "t_max(x / y, t_one) + t_zero"},
      {10, 10, 10, "t_exp(t_log(x)) * 0.5"},
      {3, 9, 8, "x % 18446744073709551615 > y ? 0xffff : 1e38 < y"},
  };
  std::filesystem::create_directories(folder);
  int serial = 0;
  for (const seed& s : seeds)
    std::ofstream(folder / ("seed-" + std::to_string(serial++)), std::ios::binary)
        << s.x << s.y << s.z << s.text;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3 || size > 5000) return 0;
  const unsigned x = data[0] % type_count, y = data[1] % type_count, z = data[2] % type_count;
  const std::string_view rest(reinterpret_cast<const char*>(data + 3), size - 3);
  std::array<std::string, 3> parts;
  std::size_t count = 0;
  for (std::size_t begin = 0; begin <= rest.size() && count < 3;) {
    const std::size_t end = std::min(rest.find(';', begin), rest.size());
    parts[count++] = rest.substr(begin, end - begin);
    begin = end + 1;
  }
  for (std::size_t p = 0; p < std::max<std::size_t>(count, 1); ++p) {
    check_operator(parts[p], x, y, z, 24);
    for (unsigned one = 0; one < type_count; ++one) check_operator(parts[p], one, one, one, 4);
    try {
      value_from_text(parts[p], type_at(z));
    } catch (const expression_error& e) {
      require(*e.what() != '\0', "a refusal without a reason");
    }
  }
  if (count == 3) check_semiring(parts, z);
  return 0;
}
