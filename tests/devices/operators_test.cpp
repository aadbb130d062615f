// SPDX-License-Identifier: Apache-2.0

// Every operator of the language, over every type and pair of types, computed by OpenCL on the
// adversarial values of those types; the evaluator is the oracle. One program per type of x: its
// single kernel computes all operators for all pairs of values.

#ifdef TROPIC_WITH_OPENCL

#include "backends/kernels/texts.hpp"
#include "device_samples.hpp"
#include "opencl_fixture.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

struct tested {
  operator_description op;
  int ulps = 0;  // 0: bit-identical
};

const char* const binary_texts[] = {"x + y",
                                    "x - y",
                                    "x * y",
                                    "x / y",
                                    "x % y",
                                    "t_min(x, y)",
                                    "t_max(x, y)",
                                    "t_pow(x, y)",
                                    "t_tropical_plus(x, y)",
                                    "t_tropical_plus_max(x, y)",
                                    "x",
                                    "y",
                                    "t_one",
                                    "t_zero",
                                    "t_inf",
                                    "t_lowest",
                                    "-t_inf",
                                    "x || y",
                                    "x && y",
                                    "!x != !y",
                                    "x | y",
                                    "x & y",
                                    "x ^ y",
                                    "x == y",
                                    "x != y",
                                    "x < y",
                                    "x <= y",
                                    "x > y",
                                    "x >= y",
                                    "x << y",
                                    "x >> y",
                                    "x << 3",
                                    "x >> 1",
                                    "-x",
                                    "~x",
                                    "!x",
                                    "t_abs(x)",
                                    "t_sqrt(x)",
                                    "t_exp(x)",
                                    "t_log(x)",
                                    "t_floor(x)",
                                    "t_ceil(x)",
                                    "t_isnan(x)",
                                    "1 / x",
                                    "x * 2.5",
                                    "x + 0x7f",
                                    "x > y ? x - y : y - x",
                                    "x ? y : -y",
                                    "x < 3 ? t_inf : t_lowest",
                                    "-x < y && (x != 0 || true)",
                                    "i",
                                    "k + j",
                                    "x + i",
                                    "x == k"};
// Over every pair of types as well.
const char* const mixed_texts[] = {"x + y", "x / y", "t_min(x, y)", "x < y", "x && y", "x ? x : y"};

bool is_floating_function(std::string_view text) {
  return text.starts_with("t_pow") || text.starts_with("t_exp") || text.starts_with("t_log");
}

// The operators of the language for one type of x.
std::vector<tested> operators_over(type_code x) {
  std::vector<tested> all;
  const auto add = [&](const char* text, type_code y, type_code z) {
    try {
      all.push_back({operator_from_text(text, describe(x), describe(y), describe(z)),
                     is_floating(x) && is_floating_function(text) ? 16 : 0});
    } catch (
        const expression_error&) {  // not defined over this type: the evaluator rejects it as well
    }
  };
  for (const char* text : binary_texts) add(text, x, x);
  for (const type_code other : builtin_codes()) {
    add("x", x, other);  // every conversion
    for (const char* text : mixed_texts) add(text, other, arithmetic::meet(x, other));
  }
  return all;
}

class EveryOperator : public OnOpenCL, public ::testing::WithParamInterface<type_code> {};

TEST_P(EveryOperator, AgreesWithTheEvaluator) {
  const type_code x_code = GetParam();
  const std::vector<tested> operators = operators_over(x_code);
  ASSERT_GT(operators.size(), 60u);

  // The program: every operator, and one kernel that runs all of them into slots of 8 bytes.
  prelude generated(dialect::opencl);
  std::string body;
  for (std::size_t n = 0; n < operators.size(); ++n) {
    const operator_description& op = operators[n].op;
    const std::string number = std::to_string(n);
    generated.define_operator("t_op" + number, op);
    std::string list;
    if (op.uses_x())
      list +=
          "((T_GLOBAL const " + device_type(op.x->code) + "*)x)[item / y_count[" + number + "]], ";
    if (op.uses_y())
      list += "((T_GLOBAL const " + device_type(op.y->code) + "*)(y + y_begin[" + number +
              "]))[item % y_count[" + number + "]], ";
    if (op.syntax->uses_i) list += "(t_int64)item, ";
    if (op.syntax->uses_k) list += "(t_int64)item - 5, ";
    if (op.syntax->uses_j) list += "(t_int64)item * 3, ";
    body += "  if (item < x_count * y_count[" + number + "]) *(T_GLOBAL " +
            device_type(op.z->code) + "*)(z + 8 * (" + number + " * slots + item)) = t_op" +
            number + "(" + list + "parameters);\n";
  }
  device_program program;
  program.text = std::string(kernel_text("dialect_opencl.h")) + generated.text() +
                 "T_KERNEL void t_all(T_GLOBAL const t_uint8* x, t_uint32 x_count,\n"
                 "  T_GLOBAL const t_uint8* y, T_GLOBAL const t_uint32* y_begin,\n"
                 "  T_GLOBAL const t_uint32* y_count, T_GLOBAL t_uint8* z, t_uint64 slots,\n"
                 "  t_parameters parameters) {\n  const t_uint64 item = t_global_id();\n" +
                 body + "}\n";
  program.needs_fp64 = generated.needs_fp64();
  const auto* compiled = runtime->program("operators over " + device_type(x_code), program);
  if (compiled == nullptr) GTEST_SKIP() << "the device has no fp64";

  // The values: all of x's type combined with all of each y's type.
  const std::vector<std::byte> x_bytes = adversarial_bytes(x_code);
  const std::size_t x_size = describe(x_code).size;
  const auto x_count = static_cast<cl_uint>(x_bytes.size() / x_size);
  std::vector<std::byte> y_bytes;
  std::vector<cl_uint> y_begin, y_count;
  std::size_t slots = 0;
  for (const tested& t : operators) {
    while (y_bytes.size() % 8 != 0) y_bytes.push_back(std::byte{0});
    const std::vector<std::byte> values_of_y = adversarial_bytes(t.op.y->code);
    y_begin.push_back(static_cast<cl_uint>(y_bytes.size()));
    y_count.push_back(static_cast<cl_uint>(values_of_y.size() / t.op.y->size));
    y_bytes.insert(y_bytes.end(), values_of_y.begin(), values_of_y.end());
    slots = std::max<std::size_t>(slots, std::size_t{x_count} * y_count.back());
  }
  const std::vector<std::byte> garbage(8 * slots * operators.size(), std::byte{0xcd});
  const device_bytes x(*runtime, x_bytes), y(*runtime, y_bytes), z(*runtime, garbage);
  const device_bytes begins(*runtime, y_begin.data(), 4 * y_begin.size());
  const device_bytes counts(*runtime, y_count.data(), 4 * y_count.size());
  const cl_ulong slot_count = slots;
  const std::vector<std::uint64_t> parameters = {0};
  const kernel_argument arguments[] = {x.memory(),      x_count,    y.memory(), begins.memory(),
                                       counts.memory(), z.memory(), slot_count, parameters};
  runtime->launch("operators", *compiled, "t_all", arguments, (slots + 31) / 32, 32);
  const std::vector<std::byte> found = z.read();

  for (std::size_t n = 0; n < operators.size(); ++n) {
    const operator_description& op = operators[n].op;
    const evaluator run(op);
    int failures = 0;
    for (std::size_t item = 0; item < std::size_t{x_count} * y_count[n] && failures < 3; ++item) {
      const std::byte* at_x = x_bytes.data() + item / y_count[n] * x_size;
      const std::byte* at_y = y_bytes.data() + y_begin[n] + item % y_count[n] * op.y->size;
      const auto position = static_cast<index_t>(item);
      alignas(8) std::byte expected[8];
      run(expected, at_x, at_y, position, position - 5, position * 3);
      const std::byte* got = found.data() + 8 * (n * slots + item);
      const bool same = same_value(op.z->code, got, expected, operators[n].ulps);
      failures += !same;
      EXPECT_TRUE(same) << op.text << " over x " << op.x->name << " " << show(op.x->code, at_x)
                        << ", y " << op.y->name << " " << show(op.y->code, at_y) << ": device "
                        << show(op.z->code, got) << ", evaluator " << show(op.z->code, expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, EveryOperator, ::testing::ValuesIn(builtin_codes()),
                         [](const auto& test) { return std::string(describe(test.param).name); });

}  // namespace
}  // namespace tropic::testing

#endif
