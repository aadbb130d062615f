// SPDX-License-Identifier: Apache-2.0

// csr_scalar on OpenCL against a loop over the evaluator that adds in the same order, so that even
// floating-point results must be bit-identical. Every program runs every shape, with full and
// bitmap input, 32- and 64-bit offsets, iso and plain values, with and without rows to skip.
//
// Programs: the user-defined semirings and bool in both orientations; of the other built-in
// semirings a third, selected so that every semiring and every type occurs (all of them are
// compiled by NVRTC).

#ifdef TROPIC_WITH_OPENCL

#include <random>
#include <set>

#include "opencl_fixture.hpp"
#include "semiring_samples.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

struct shape {
  std::size_t rows, columns;
  std::vector<std::vector<std::uint32_t>> entries;  // columns of each row, ascending
};

shape make_shape(std::size_t rows, std::size_t columns, double density, unsigned seed) {
  shape result{rows, columns, std::vector<std::vector<std::uint32_t>>(rows)};
  std::mt19937 random(seed);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::uint32_t c = 0; c < columns; ++c)
      if (static_cast<double>(random()) < density * 4294967296.0) result.entries[r].push_back(c);
  return result;
}

std::vector<shape> shapes() {
  std::vector<shape> all = {make_shape(0, 0, 0, 1), make_shape(1, 1, 0, 1), make_shape(1, 1, 1, 1),
                            make_shape(5, 300, 1, 2), make_shape(7, 9, 0, 3)};
  for (const std::size_t rows : std::initializer_list<std::size_t>{63, 64, 65, 129}) {
    shape s = make_shape(rows, 40, 0.1, static_cast<unsigned>(rows));
    s.entries.front().clear();
    s.entries.back().clear();
    s.entries[rows / 2].clear();
    for (std::uint32_t c = 0; c < 40; ++c) s.entries[rows / 2].push_back(c);  // a dense row
    all.push_back(s);
  }
  shape column = make_shape(70, 30, 0, 5);  // a dense column and nothing else
  for (auto& row : column.entries) row.push_back(17);
  all.push_back(column);
  return all;
}

// `count` values of a type, cycling through its adversarial values field by field.
std::vector<std::byte> values_of(const type_description& type, std::size_t count, unsigned seed) {
  std::vector<std::byte> bytes(count * type.size);
  std::mt19937 random(seed);
  const auto put = [&](type_code code, std::byte* to) {
    const std::vector<std::byte> edges = adversarial_bytes(code);
    const std::size_t size = describe(code).size;
    std::memcpy(to, edges.data() + random() % (edges.size() / size) * size, size);
  };
  for (std::size_t n = 0; n < count; ++n) {
    std::byte* to = bytes.data() + n * type.size;
    if (type.code != type_code::record) put(type.code, to);
    for (const field_description& f : type.fields) put(f.code, to + f.offset);
  }
  return bytes;
}

struct orientation {
  named_semiring of;
  bool vector_first;
};

std::string name_of(const orientation& o) {
  return o.of.name + (o.vector_first ? "_vxm" : "_mxv");
}
void PrintTo(const orientation& o, std::ostream* to) {
  *to << name_of(o);
}

std::vector<orientation> orientations() {
  std::vector<orientation> all;
  for (const named_semiring& s : builtin_semirings())
    if (s.type == 0 || (s.number + s.type) % 3 == 0)
      all.push_back({s, (s.number + s.type) % 2 == 1});
  for (const named_semiring& s : user_semirings()) {
    all.push_back({s, false});
    all.push_back({s, true});
  }
  return all;
}

class CsrScalar : public OnOpenCL, public ::testing::WithParamInterface<orientation> {
 protected:
  void run(const shape& s, bool bitmap, bool wide, bool iso, bool skips);
};

void CsrScalar::run(const shape& s, bool bitmap, bool wide, bool iso, bool skips) {
  const auto& [named, first] = GetParam();
  const semiring_description& semiring = named.semiring;
  const type_description &z = semiring.z(), &matrix_type = first ? semiring.x() : semiring.a(),
                         &vector_type = first ? semiring.a() : semiring.x();
  std::vector<std::uint64_t> offsets(1, 0);
  std::vector<std::uint32_t> columns;
  for (const auto& row : s.entries) {
    columns.insert(columns.end(), row.begin(), row.end());
    offsets.push_back(columns.size());
  }
  const std::vector<std::uint32_t> narrow(offsets.begin(), offsets.end());
  const auto a = values_of(matrix_type, iso ? 1 : columns.size(), 11);
  const auto u = values_of(vector_type, s.columns, 12);
  std::vector<std::uint8_t> present(s.columns), skip(s.rows);
  for (std::size_t c = 0; c < s.columns; ++c) present[c] = c % 3 != 1;
  for (std::size_t r = 0; r < s.rows; ++r) skip[r] = r % 4 == 2;

  // The oracle.
  const evaluator multiply(semiring.multiply), add(semiring.add.add);
  std::vector<std::byte> expected(s.rows * z.size);
  std::vector<std::uint8_t> has(s.rows, 0);
  for (std::size_t r = 0; r < s.rows; ++r) {
    if (skips && skip[r]) continue;
    for (std::uint64_t e = offsets[r]; e < offsets[r + 1]; ++e) {
      const std::uint32_t c = columns[e];
      if (bitmap && !present[c]) continue;
      const std::byte* left = a.data() + (iso ? 0 : e) * matrix_type.size;
      const std::byte* right = u.data() + c * vector_type.size;
      const auto output = static_cast<index_t>(r);
      alignas(16) std::byte product[64];
      if (first)
        multiply(product, right, left, 0, c, output);
      else
        multiply(product, left, right, output, c, 0);
      std::byte* sum = expected.data() + r * z.size;
      if (has[r])
        add(sum, sum, product);
      else
        std::memcpy(sum, product, z.size);
      has[r] = 1;
    }
  }

  const program_request request{
      .kernel = "csr_scalar", .semiring = &semiring, .vector_first = first};
  const auto* program = runtime->program(request);
  if (program == nullptr) GTEST_SKIP() << "the device has no fp64";
  const std::vector<std::byte> garbage(s.rows * z.size, std::byte{0xcd});
  const device_bytes d_offsets = wide ? device_bytes(*runtime, offsets.data(), 8 * offsets.size())
                                      : device_bytes(*runtime, narrow.data(), 4 * narrow.size());
  const device_bytes d_columns(*runtime, columns.data(), 4 * columns.size()), d_a(*runtime, a),
      d_u(*runtime, u), d_present(*runtime, present.data(), present.size()),
      d_skip(*runtime, skip.data(), skip.size()), d_w(*runtime, garbage),
      d_marks(*runtime, garbage.data(), s.rows);
  const cl_ulong rows = s.rows;
  const cl_uint is_wide = wide, is_iso = iso, is_bitmap = bitmap, is_skip = skips, marks = 1;
  const std::vector<std::uint64_t> parameters = parameter_words_of(request);
  // rows, offsets, mask, operands (operands.h)
  const kernel_argument arguments[] = {rows,
                                       d_offsets.memory(),
                                       is_wide,
                                       d_skip.memory(),
                                       is_skip,
                                       d_columns.memory(),
                                       d_a.memory(),
                                       is_iso,
                                       d_u.memory(),
                                       d_present.memory(),
                                       is_bitmap,
                                       d_w.memory(),
                                       d_marks.memory(),
                                       marks,
                                       parameters};
  if (s.rows > 0)
    runtime->launch("mxv", *program, "t_csr_scalar", arguments, (s.rows + 31) / 32, 32);
  const std::vector<std::byte> w = d_w.read(), got = d_marks.read();

  for (std::size_t r = 0; r < s.rows; ++r) {
    const std::string where = std::to_string(s.rows) + "x" + std::to_string(s.columns) + " row " +
                              std::to_string(r) + (bitmap ? " bitmap" : "") +
                              (wide ? " wide" : "") + (iso ? " iso" : "") + (skips ? " skip" : "");
    ASSERT_EQ(has[r], static_cast<std::uint8_t>(got[r])) << where;
    // The evaluator's add of `any` keeps its first operand, and so does an early exit.
    const std::size_t at = r * z.size;
    ASSERT_TRUE(!has[r] || same_value(z, w.data() + at, expected.data() + at)) << where;
  }
}

TEST_P(CsrScalar, AgreesWithTheEvaluator) {
  for (const shape& s : shapes())
    for (unsigned kind = 0; kind < 16; ++kind) {
      run(s, kind & 1, kind & 2, kind & 4, kind & 8);
      if (HasFatalFailure() || IsSkipped()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Semirings, CsrScalar, ::testing::ValuesIn(orientations()),
                         [](const auto& test) { return name_of(test.param); });

TEST(CsrScalarPrograms, EverySemiringAndTypeIsInSomeOrientation) {
  std::set<int> numbers, types;
  for (const orientation& o : orientations())
    if (o.of.type != 0) numbers.insert(o.of.number), types.insert(o.of.type);
  EXPECT_EQ(numbers.size(), 24u);
  EXPECT_EQ(types.size(), 10u);
  EXPECT_LE(orientations().size(), 120u);
}

}  // namespace
}  // namespace tropic::testing

#endif
