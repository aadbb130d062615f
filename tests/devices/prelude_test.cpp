// SPDX-License-Identifier: Apache-2.0

// The generated text contains what it should, and nothing else.

#include <gtest/gtest.h>

#include <set>

#include "backends/device/program/neutral.hpp"
#include "backends/device/program/program.hpp"
#include "backends/kernels/texts.hpp"
#include "semiring_samples.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

constexpr dialect dialects[] = {dialect::opencl, dialect::cuda};

std::string text_of(dialect d, const semiring_description& s, bool vector_first = false) {
  return make_program(d, {.kernel = "csr_scalar", .semiring = &s, .vector_first = vector_first})
      .text;
}
bool contains(const std::string& text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

TROPIC_VALUE_TYPE(gapped, (std::uint8_t, flag), (std::int64_t, wide), (std::int16_t, half));

TEST(Prelude, CopyOfPlusTimesGivesTheSameText) {
  for (const dialect d : dialects) {
    EXPECT_EQ(text_of(d, describe_semiring(plus_times<float>{})),
              text_of(d, describe_semiring(semiring<my_plus_monoid<float>, my_times>{})));
    EXPECT_NE(text_of(d, describe_semiring(plus_times<float>{})),
              text_of(d, describe_semiring(plus_times<double>{})));
  }
}

TEST(Prelude, DoubleOnlyWhereATypeNeedsIt) {
  for (const dialect d : dialects) {
    for (const named_semiring& s : builtin_semirings()) {
      const device_program program =
          make_program(d, {.kernel = "csr_scalar", .semiring = &s.semiring});
      const bool reads_fp64 = s.semiring.multiply.uses_x() || s.semiring.multiply.uses_y();
      const bool needs = s.semiring.z().code == type_code::fp64 ||
                         (s.type == static_cast<int>(type_code::fp64) && reads_fp64);
      EXPECT_EQ(program.needs_fp64, needs) << s.name;
      EXPECT_EQ(contains(program.text, "double"), needs) << s.name;
    }
    EXPECT_FALSE(contains(make_program(d, {.kernel = "count_present"}).text, "double"));
  }
  const operator_description conversion =
      operator_from_text("x * 0.1 + y", describe(type_code::fp32), describe(type_code::int64),
                         describe(type_code::fp32));
  prelude generated(dialect::opencl);
  generated.define_operator("t_op", conversion);
  EXPECT_FALSE(generated.needs_fp64());
  EXPECT_FALSE(contains(generated.text(), "double"));
}

TEST(Prelude, WhatTheMultiplyIgnoresIsNotLoaded) {
  const std::string pair_text = text_of(dialect::opencl, describe_semiring(plus_pair<float>{}));
  EXPECT_TRUE(contains(pair_text, "#define T_USES_MATRIX 0"));
  EXPECT_TRUE(contains(pair_text, "t_multiply(parameters)"));
  const semiring_description second = describe_semiring(min_second<std::int32_t>{});
  EXPECT_TRUE(contains(text_of(dialect::opencl, second), "t_multiply((vector_value), parameters)"));
  EXPECT_TRUE(
      contains(text_of(dialect::opencl, second, true), "t_multiply((matrix_value), parameters)"));
}

TEST(Prelude, ParameterValuesAreNotPartOfTheText) {
  using damped_sum = semiring<plus_monoid<double>, damped>;
  const semiring_description one = describe_semiring(damped_sum{{0.85, 7}});
  const semiring_description two = describe_semiring(damped_sum{{0.5, 8}});
  const program_request first{.kernel = "csr_scalar", .semiring = &one};
  const program_request second{.kernel = "csr_scalar", .semiring = &two};
  EXPECT_EQ(make_program(dialect::opencl, first).text, make_program(dialect::opencl, second).text);
  EXPECT_EQ(request_key(first), request_key(second));
  EXPECT_NE(parameter_words_of(first), parameter_words_of(second));
  EXPECT_EQ(parameter_words_of(first).size(), 2u);
}

TEST(Prelude, NothingThatTheUserNamedIsInTheText) {
  // The record's fields are called `kernel` and `global`: keywords of OpenCL.
  const semiring_description s = describe_semiring(semiring<mix_monoid<mixed>, mix>{});
  prelude generated(dialect::opencl);
  generated.define_operator("t_multiply", s.multiply);
  for (const char* name : {"flag", "wide", "half", ".kernel", "global", "mixed"})
    EXPECT_FALSE(contains(generated.text(), name)) << name;
  EXPECT_EQ(generated.layout(),
            (std::vector<std::uint32_t>{sizeof(mixed), offsetof(mixed, flag), offsetof(mixed, wide),
                                        offsetof(mixed, half), offsetof(mixed, kernel),
                                        offsetof(mixed, global)}));
}

// Records are moved as words: a device's initcheck would report the padding as uninitialised.
TEST(Prelude, WhatLiesBetweenFieldsIsWritten) {
  prelude generated(dialect::opencl);
  generated.define_type("t_z", describe<gapped>());
  const std::string text = generated.text();
  for (const char* gap : {"t_uint8 gap1;", "t_uint16 gap2;", "t_uint32 gap4;", "t_uint16 gap18;",
                          "t_uint32 gap20;"}) {
    EXPECT_TRUE(contains(text, gap)) << gap << " in\n" << text;
  }
  for (const char* written : {"record.gap1 = 0;", "record.gap20 = 0;"})
    EXPECT_TRUE(contains(text, written)) << written;
}

TEST(Prelude, DifferentRequestsHaveDifferentKeys) {
  std::set<std::string> keys, texts;
  for (const named_semiring& s : builtin_semirings()) {
    const program_request request{.kernel = "csr_scalar", .semiring = &s.semiring};
    keys.insert(request_key(request));
    texts.insert(make_program(dialect::opencl, request).text);
  }
  EXPECT_GE(keys.size(), texts.size());
  const semiring_description s = describe_semiring(plus_times<float>{});
  const operator_description merge = describe_operator<float, float, float>(minimum{});
  keys = {request_key({.kernel = "csr_scalar", .semiring = &s}),
          request_key({.kernel = "csr_vector", .semiring = &s}),
          request_key({.kernel = "csr_scalar", .semiring = &s, .vector_first = true}),
          request_key({.kernel = "csr_scalar", .semiring = &s, .accumulator = &merge}),
          request_key({.kernel = "csr_scalar", .semiring = &s, .constants = {{"T_WIDTH", 4}}}),
          request_key({.kernel = "csr_scalar", .semiring = &s, .constants = {{"T_WIDTH", 8}}})};
  EXPECT_EQ(keys.size(), 6u);
}

TEST(Prelude, LiteralsAreExact) {
  const auto literal = []<class T>(T v) { return device_literal(builtin_code<T>(), &v); };
  EXPECT_EQ(literal(0.1f), "(0x1.99999ap-4f)");
  EXPECT_EQ(literal(0.1), "(0x1.999999999999ap-4)");
  EXPECT_EQ(literal(-std::numeric_limits<float>::infinity()),
            "t_fp32_of_bits((t_uint32)0xff800000ul)");
  EXPECT_EQ(literal(std::numeric_limits<std::int64_t>::min()), "((t_int64)0x8000000000000000ul)");
  EXPECT_EQ(literal(std::numeric_limits<std::uint64_t>::max()), "((t_uint64)0xfffffffffffffffful)");
  EXPECT_EQ(literal(std::int8_t{-128}), "((t_int8)(-128))");
}

// If a slot may start with a neutral value, no sum shows it, not even of NaN or -0.
TEST(NeutralValue, ChangesNoValueOnEitherSide) {
  int known = 0;
  for (const named_semiring& s : builtin_semirings()) {
    const auto neutral = neutral_of(s.semiring.add);
    if (!neutral) continue;
    ++known;
    const type_description& z = s.semiring.z();
    const evaluator add(s.semiring.add.add);
    const std::vector<std::byte> values = adversarial_bytes(z.code);
    for (std::size_t at = 0; at < values.size(); at += z.size) {
      scalar_bytes sum;
      add(sum.data(), neutral->data(), values.data() + at);
      EXPECT_TRUE(same_value(z.code, sum.bytes.data(), values.data() + at))
          << s.name << ": neutral, " << show(z.code, values.data() + at);
      add(sum.data(), values.data() + at, neutral->data());
      EXPECT_TRUE(same_value(z.code, sum.bytes.data(), values.data() + at))
          << s.name << ": " << show(z.code, values.data() + at) << ", neutral";
    }
  }
  EXPECT_GT(known, 150);
  EXPECT_FALSE(neutral_of(describe_monoid(any_monoid<float>{})));
  EXPECT_FALSE(neutral_of(describe_monoid(or_monoid<int>{})));  // or of 5 alone, which is 5
  EXPECT_FALSE(neutral_of(describe_monoid(shortest_hop_monoid<hop>{})));
}

TEST(KernelTexts, AreCarriedInTheLibrary) {
  EXPECT_TRUE(
      contains(std::string(kernel_text("csr_scalar.kernel")), "T_KERNEL void t_csr_scalar"));
  EXPECT_TRUE(kernel_text("no_such.kernel").empty());
}

// An instruction of the device stands for the operator that it computes, and for no other.
TEST(AtomicSum, IsKnownForIntegersOfAWord) {
  const auto of = [](const auto& monoid) { return atomic_sum_of(describe_monoid(monoid)); };
  EXPECT_EQ(of(minimum_monoid<std::int32_t>{}), atomic_sum::minimum);
  EXPECT_EQ(of(minimum_monoid<std::uint64_t>{}), atomic_sum::minimum);
  EXPECT_EQ(of(maximum_monoid<std::int64_t>{}), atomic_sum::maximum);
  EXPECT_EQ(of(maximum_monoid<std::uint32_t>{}), atomic_sum::maximum);
  EXPECT_EQ(of(plus_monoid<std::int32_t>{}), atomic_sum::plus);
  EXPECT_EQ(of(plus_monoid<std::uint64_t>{}), atomic_sum::plus);
  EXPECT_EQ(of(times_monoid<std::int32_t>{}), atomic_sum::none);
  EXPECT_EQ(of(any_monoid<std::int32_t>{}), atomic_sum::none);
  EXPECT_EQ(of(or_monoid<int>{}), atomic_sum::none);
  EXPECT_EQ(of(minimum_monoid<float>{}), atomic_sum::none);
  EXPECT_EQ(of(plus_monoid<double>{}), atomic_sum::none);
  EXPECT_EQ(of(plus_monoid<std::int16_t>{}), atomic_sum::none);
  EXPECT_EQ(of(maximum_monoid<std::uint8_t>{}), atomic_sum::none);
  EXPECT_EQ(of(or_monoid<bool>{}), atomic_sum::none);
  EXPECT_EQ(of(shortest_hop_monoid<hop>{}), atomic_sum::none);
}

}  // namespace
}  // namespace tropic::testing
