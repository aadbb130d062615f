// SPDX-License-Identifier: Apache-2.0

// Residency of data, checked on the fake device, whose memory is poisoned until something is
// written to it: a chain of operations stays on the device, nothing is copied to the host until it
// is requested, and inputs are sent once.

#include <gtest/gtest.h>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/builtins.hpp>

#include "backends/operators.hpp"
#include "support/compare.hpp"
#include "support/contexts.hpp"

namespace tropic::testing {
namespace residency_test {
namespace {

using namespace detail;

bool only_on_device(const buffer_pointer& b) {
  return b == nullptr || b->bytes() == 0 || (b->device_valid() && !b->host_valid());
}
bool only_on_device(const vector_base& v) {
  return only_on_device(v.indices) && only_on_device(v.present) && only_on_device(v.values);
}
bool only_on_device(const matrix_base& m) {
  return only_on_device(m.offsets) && only_on_device(m.column_indices) && only_on_device(m.values);
}
bool on_device(const matrix_base& m) {
  return m.offsets->device_valid() && m.column_indices->device_valid() && m.values->device_valid();
}

class Residency : public ::testing::TestWithParam<vector_storage> {
 protected:
  Residency() : where_(context::fake_device()) {
    dice random(21);
    const double density = GetParam() == vector_storage::full ? 1 : 0.5;
    a_host_ = random_matrix(type_, 50, 50, 0.15, flavour::small, random);
    u_host_ = random_vector(type_, 50, density, flavour::small, random);
    a_ = make(where_, a_host_, false, false);
    u_ = make(where_, u_host_, GetParam());
    w_ = empty_vector(where_.state(), type_, 50);
  }

  const type_description& type_ = describe<double>();
  context where_;
  host_matrix a_host_;
  host_vector u_host_;
  matrix_base a_;
  vector_base u_, w_;
};

TEST_P(Residency, AChainOfVectorOperationsStaysOnTheDevice) {
  const semiring_description semiring = *builtin_semiring("plus_times", type_code::fp64);
  const vector_base& mask = u_;
  for (const char* kernel : {"", "pull", "push"})
    for (int round = 0; round < 3; ++round) {
      plan forced;
      forced.kernel = kernel;
      output_options<vector_base> options;
      options.mask = {&mask, true, round == 1};
      options.forced = *kernel ? &forced : nullptr;
      multiply("mxv", w_, semiring, {.matrix = a_}, u_, detail::factor_order::matrix_first,
               options);
      EXPECT_TRUE(only_on_device(w_)) << "after multiply " << kernel << ", round " << round;
      ewise("ewise_add", w_, detail::ewise_positions::set_union, binary_operator(0, type_), w_, u_,
            {});
      EXPECT_TRUE(only_on_device(w_)) << "after a union";
      apply(w_, function_of_entry(0, type_), w_, {});
      EXPECT_TRUE(only_on_device(w_)) << "after apply";
      select(w_, bound_predicate(0, type_), w_, {});
      EXPECT_TRUE(only_on_device(w_)) << "after select";
      ewise("ewise_multiply", w_, detail::ewise_positions::intersection, binary_operator(1, type_),
            u_, u_, {});
      EXPECT_TRUE(only_on_device(w_)) << "after an intersection";
      reduce(w_, some_monoid(0, type_), {.matrix = a_, .transposed = round == 1}, {});
      EXPECT_TRUE(only_on_device(w_)) << "after reduce";
      const scalar_bytes two = scalar_bytes::of(2.0);
      assign(w_, two.data(), nullptr, options);
      EXPECT_TRUE(only_on_device(w_)) << "after assign";
    }
  EXPECT_TRUE(on_device(a_));
  scalar_bytes value;
  element(w_, 0, value.data());
  EXPECT_TRUE(w_.values->host_valid()) << "reading an element brings the values to the host";
}

TEST_P(Residency, AChainOfMatrixOperationsStaysOnTheDevice) {
  matrix_base c = empty_matrix(where_.state(), type_, 50, 50);
  ewise("ewise_add", c, detail::ewise_positions::set_union, binary_operator(0, type_), a_, a_, {});
  EXPECT_TRUE(only_on_device(c)) << "after a union";
  transpose(c, c, {});
  EXPECT_TRUE(only_on_device(c)) << "after transpose";
  apply(c, function_of_entry(1, type_), c, {});
  EXPECT_TRUE(only_on_device(c.values)) << "after apply";
  select(c, predicate(1, type_), c, {});
  EXPECT_TRUE(only_on_device(c)) << "after select";
  assign(c, a_, nullptr, nullptr, {{&c, true, false}, nullptr, false, nullptr});
  EXPECT_TRUE(only_on_device(c)) << "after assign";
  EXPECT_EQ(difference(a_host_, read(a_)), "");
}

TEST_P(Residency, ConversionsOnTheDeviceLoseNothing) {
  for (const vector_storage to :
       {vector_storage::bitmap, vector_storage::sparse, vector_storage::bitmap}) {
    vector_base v = u_;
    // Sent to the device, written there, converted, read on the host.
    apply(v, function_of_entry(0, type_), v, {});
    apply(v, function_of_entry(0, type_), v, {});
    convert(v, to);
    EXPECT_EQ(difference(u_host_, read(v)), "");
  }
}

TEST_P(Residency, CopiesAreIndependent) {
  vector_base copy = u_;
  apply(u_, function_of_entry(0, type_), u_, {});
  EXPECT_EQ(difference(u_host_, read(copy)), "");
  set_element(copy, 3, scalar_bytes::of(99.0).data());
  apply(u_, function_of_entry(0, type_), u_, {});
  EXPECT_EQ(difference(u_host_, read(u_)), "");
  scalar_bytes value;
  EXPECT_TRUE(element(copy, 3, value.data()));
  EXPECT_EQ(value.as<double>(), 99.0);
}

INSTANTIATE_TEST_SUITE_P(Storages, Residency,
                         ::testing::Values(vector_storage::sparse, vector_storage::bitmap,
                                           vector_storage::full),
                         [](const auto& info) {
                           return info.param == vector_storage::sparse   ? "sparse"
                                  : info.param == vector_storage::bitmap ? "bitmap"
                                                                         : "full";
                         });

}  // namespace
}  // namespace residency_test
}  // namespace tropic::testing
