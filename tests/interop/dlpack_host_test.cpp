// SPDX-License-Identifier: Apache-2.0

// DLPack tensors of the host: both ways without a copy, deleters called once, whatever happens. On
// devices: tests/devices/device_arrays_test.cpp.

#include <tropic/tropic.hpp>

#include "interop/failing_allocations.hpp"
#include "interop/foreign_tensors.hpp"
#include "interop/plain_arrays.hpp"

namespace tropic::testing {
namespace {

template <class Managed>
class Dlpack : public ::testing::Test {
 protected:
  using tensor = foreign_tensor<Managed>;
  template <class T>
  static constexpr DLDataType type = dlpack_internal::data_type<T>();

  context where = context::cpu();
  std::vector<double> values{1, 2, 3, 4};
  const DLDataType fp64 = type<double>;

  // What from_dlpack says; the tensor is as it was, and deleted once when it goes.
  template <class T = double>
  std::string refused(tensor& given, std::optional<context> on = {}) {
    std::string message;
    auto owner = given.owned();
    try {
      from_dlpack<T>(on ? *on : where, std::move(owner));
      ADD_FAILURE() << "it was taken";
    } catch (const usage_error& e) {
      message = e.what();
    }
    EXPECT_EQ(owner.get(), &given.tensor);
    EXPECT_EQ(given.deleted, 0);
    owner.reset();
    EXPECT_EQ(given.deleted, 1);
    EXPECT_TRUE(message.starts_with("from_dlpack: ")) << message;
    return message;
  }
};
TYPED_TEST_SUITE(Dlpack, tensor_types);

void expect_in(const std::string& part, const std::string& message) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TYPED_TEST(Dlpack, InWithoutACopyAndDeletedByTheLastUser) {
  foreign_tensor<TypeParam> given(this->values.data(), 4, this->fp64);
  {
    auto owner = given.owned();
    const auto v = from_dlpack<double>(this->where, std::move(owner));
    EXPECT_EQ(owner, nullptr);
    EXPECT_EQ(v.to_array().data.data(), this->values.data());
    EXPECT_EQ(this->where.memory_used(), 0u);
    vector<double> copy = v;
    copy.set(0, 7.);  // of its own, the tensor is read-only
    apply(copy, bind_second(plus{}, 1.), copy);
    EXPECT_EQ(given.deleted, 0);
  }
  EXPECT_EQ(given.deleted, 1);
  EXPECT_EQ(this->values, (std::vector<double>{1, 2, 3, 4}));
}

TYPED_TEST(Dlpack, EveryBuiltinTypeBothWays) {
  dice random(base_seed());
  for (int code = 0; code < builtin_type_count; ++code)
    with_builtin_type(static_cast<type_code>(code), [&]<class T>() {
      SCOPED_TRACE(std::string(describe<T>().name));
      const host_vector data = random_vector(describe<T>(), 20, 1, flavour::weighted, random);
      plain_values<T> values(20);
      for (const auto& [at, value] : data.entries)
        values.at[static_cast<std::size_t>(at)] = value_of<T>(value);
      const auto v = vector<T>::from_array(this->where, values.view());
      auto tensor = to_tensor<TypeParam>(v);
      const DLTensor& t = tensor->dl_tensor;
      EXPECT_EQ(t.data, values.at);
      EXPECT_EQ(t.device.device_type, kDLCPU);
      EXPECT_EQ(t.ndim, 1);
      EXPECT_EQ(t.shape[0], 20);
      EXPECT_EQ(t.strides[0], 1);
      EXPECT_EQ(t.byte_offset, 0u);
      EXPECT_EQ(t.dtype.bits, 8 * sizeof(T));
      EXPECT_EQ(t.dtype.code, (std::is_same_v<T, bool>       ? 6
                               : std::is_floating_point_v<T> ? 2
                               : std::is_unsigned_v<T>       ? 1
                                                             : 0));
      const auto back = from_dlpack<T>(this->where, std::move(tensor));
      EXPECT_EQ(difference(data, read(back.base())), "");
      EXPECT_EQ(back.to_array().data.data(), values.at);
    });
}

TYPED_TEST(Dlpack, OffsetsStridesAndColumns) {
  foreign_tensor<TypeParam> offset(this->values.data(), 2, this->fp64);
  offset.tensor.dl_tensor.byte_offset = 16;
  EXPECT_EQ(from_dlpack<double>(this->where, offset.owned()).dense(0), (std::vector<double>{3, 4}));
  foreign_tensor<TypeParam> column(this->values.data(), 4, this->fp64);
  column.tensor.dl_tensor.ndim = 2;
  column.tensor.dl_tensor.strides = column.stride;
  EXPECT_EQ(from_dlpack<double>(this->where, column.owned()).dense(0), this->values);
  // Of one element, or none, the stride says nothing.
  foreign_tensor<TypeParam> one(this->values.data(), 1, this->fp64);
  one.stride[0] = 5;
  one.tensor.dl_tensor.strides = one.stride;
  EXPECT_EQ(from_dlpack<double>(this->where, one.owned()).dense(0), (std::vector<double>{1}));
  foreign_tensor<TypeParam> none(nullptr, 0, this->fp64);
  EXPECT_EQ(from_dlpack<double>(this->where, none.owned()).size(), 0);
  for (const auto* t : {&offset, &column, &one, &none}) EXPECT_EQ(t->deleted, 1);
}

TYPED_TEST(Dlpack, PinnedMemoryIsTheHosts) {
  foreign_tensor<TypeParam> pinned(this->values.data(), 4, this->fp64, {kDLCUDAHost, 0});
  EXPECT_EQ(from_dlpack<double>(this->where, pinned.owned()).get(2), 3);
  EXPECT_EQ(pinned.deleted, 1);
}

TYPED_TEST(Dlpack, WhatIsNoVectorOfTheTypeIsRefused) {
  using tensor = foreign_tensor<TypeParam>;
  double* const data = this->values.data();
  const auto changed = [&](auto change) {
    tensor t(data, 4, this->fp64);
    change(t.tensor.dl_tensor, t);
    return this->refused(t);
  };
  expect_in("2 dimensions", changed([](DLTensor& t, tensor& all) {
              t.ndim = 2;
              all.shape[0] = all.shape[1] = 2;
            }));
  expect_in("0 dimensions", changed([](DLTensor& t, tensor&) { t.ndim = 0; }));
  expect_in("-1 elements", changed([](DLTensor&, tensor& all) { all.shape[0] = -1; }));
  expect_in("a stride of 2", changed([](DLTensor& t, tensor& all) {
              t.strides = all.stride;
              all.shape[0] = all.stride[0] = 2;
            }));
  expect_in("a stride of -1", changed([](DLTensor& t, tensor& all) {
              t.strides = all.stride;
              all.stride[0] = -1;
            }));
  expect_in("without data", changed([](DLTensor& t, tensor&) { t.data = nullptr; }));
  expect_in("not aligned to 8", changed([](DLTensor& t, tensor&) { t.byte_offset = 4; }));
  expect_in("holds float32, expected fp64",
            changed([](DLTensor& t, tensor&) { t.dtype.bits = 32; }));
  expect_in("float64 in 2 lanes", changed([](DLTensor& t, tensor&) { t.dtype.lanes = 2; }));
  expect_in("complex64", changed([](DLTensor& t, tensor&) { t.dtype.code = 5; }));
  expect_in("type code 9, 64", changed([](DLTensor& t, tensor&) { t.dtype.code = 9; }));
  tensor bytes(data, 4, this->template type<std::uint8_t>);
  expect_in("holds uint8, expected bool", this->template refused<bool>(bytes));
  tensor bools(data, 4, this->template type<bool>);
  expect_in("holds bool8, expected uint8", this->template refused<std::uint8_t>(bools));
}

TYPED_TEST(Dlpack, WhatIsElsewhereIsRefused) {
  using tensor = foreign_tensor<TypeParam>;
  double* const data = this->values.data();
  tensor cuda(data, 4, this->fp64, {kDLCUDA, 1});
  expect_in("on cuda:1, the context is cpu", this->refused(cuda));
  tensor managed(data, 4, this->fp64, {kDLCUDAManaged, 0});
  expect_in("managed memory, the context is cpu", this->refused(managed));
  tensor opencl(data, 4, this->fp64, {kDLOpenCL, 0});
  expect_in("on OpenCL, the context is fake", this->refused(opencl, context::fake_device()));
  tensor metal(data, 4, this->fp64, {kDLMetal, 0});
  expect_in("device type 8", this->refused(metal));
  dlpack_owner<TypeParam> none;
  EXPECT_THROW(from_dlpack<double>(this->where, std::move(none)), usage_error);
}

TYPED_TEST(Dlpack, OutKeepsTheValuesAndShowsThem) {
  const auto v = std::make_optional(vector<double>::from_array(this->where, lend(this->values)));
  EXPECT_EQ(to_tensor<TypeParam>(*v)->dl_tensor.data, this->values.data());
  dlpack_owner<TypeParam> tensor;
  {
    vector<float> w(context::cpu(), 3, 2.f);
    tensor = to_tensor<TypeParam>(w);
    w.set(0, 9.f);  // elsewhere
  }
  const auto* data = static_cast<const float*>(tensor->dl_tensor.data);
  EXPECT_EQ((std::vector<float>(data, data + 3)), (std::vector<float>{2, 2, 2}));
  // A vector that is not full is refused by name.
  vector<float> gaps(this->where, 3);
  gaps.set(1, 1.f);
  try {
    to_tensor<TypeParam>(gaps);
    FAIL() << "it left";
  } catch (const usage_error& e) {
    expect_in("to_dlpack: vector: 2 of 3 positions have no entry", e.what());
  }
  EXPECT_EQ(to_tensor<TypeParam>(vector<float>(this->where, 0))->dl_tensor.data, nullptr);
}

TYPED_TEST(Dlpack, OfWhatWasMovedFromIsEmpty) {
  vector<double> v(this->where, 4, 1.);
  const auto first = to_tensor<TypeParam>(std::move(v));
  EXPECT_EQ(v.size(), 0);
  const auto shown = to_tensor<TypeParam>(v);
  EXPECT_EQ(shown->dl_tensor.shape[0], 0);
  const auto given = to_tensor<TypeParam>(std::move(v));
  EXPECT_EQ(given->dl_tensor.shape[0], 0);
  EXPECT_EQ(first->dl_tensor.shape[0], 4);
}

TYPED_TEST(Dlpack, GivenAwayItMayBeWritten) {
  const auto is_in = [&](const vector<double>& v, const dlpack_owner<TypeParam>& t) {
    return static_cast<const void*>(v.to_array().data.data()) == t->dl_tensor.data;
  };
  const auto write = [](const dlpack_owner<TypeParam>& t) {
    static_cast<double*>(t->dl_tensor.data)[0] = 99;
  };
  vector<double> alone(this->where, 4, 1.);
  const void* at = alone.to_array().data.data();
  const auto first = to_tensor<TypeParam>(std::move(alone));
  EXPECT_EQ(first->dl_tensor.data, at);
  write(first);
  // Shared with another vector, or the caller's: a copy.
  vector<double> shared(this->where, 4, 1.);
  const vector<double> other = shared;
  const auto second = to_tensor<TypeParam>(std::move(shared));
  EXPECT_FALSE(is_in(other, second));
  write(second);
  EXPECT_EQ(other.get(0), 1);
  const auto third =
      to_tensor<TypeParam>(vector<double>::from_array(this->where, lend(this->values)));
  EXPECT_NE(third->dl_tensor.data, this->values.data());
  write(third);
  EXPECT_EQ(this->values[0], 1);
#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
  if constexpr (std::is_same_v<TypeParam, DLManagedTensorVersioned>) {
    EXPECT_EQ(first->flags, 0u);
    EXPECT_EQ(second->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
    EXPECT_EQ(third->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
    const auto lent = to_tensor<TypeParam>(other);
    EXPECT_EQ(lent->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    EXPECT_EQ(lent->version.major, static_cast<unsigned>(DLPACK_MAJOR_VERSION));
    EXPECT_EQ(lent->version.minor, static_cast<unsigned>(DLPACK_MINOR_VERSION));
    foreign_tensor<TypeParam> newer(this->values.data(), 4, this->fp64);
    newer.tensor.version = {DLPACK_MAJOR_VERSION + 1, 2};
    newer.tensor.dl_tensor.ndim = 99;  // may lie elsewhere there: not looked at
    expect_in("DLPack " + std::to_string(DLPACK_MAJOR_VERSION + 1) + ".2", this->refused(newer));
  }
#endif
}

TYPED_TEST(Dlpack, NoDeleterIsFine) {
  foreign_tensor<TypeParam> given(this->values.data(), 4, this->fp64);
  given.tensor.deleter = nullptr;
  EXPECT_EQ(from_dlpack<double>(this->where, given.owned()).get(3), 4);
}

TYPED_TEST(Dlpack, EveryAllocationFailsOnce) {
  foreign_tensor<TypeParam> given(this->values.data(), 4, this->fp64);
  dlpack_owner<TypeParam> owner;
  std::optional<vector<double>> v;
  int failures = allocations::with_every_allocation_failing(
      this->where, {[&] {
                      v.reset();
                      owner.reset();
                      given.deleted = 0;
                      owner = given.owned();
                    },
                    [&] { v = from_dlpack<double>(this->where, std::move(owner)); },
                    [&] {
                      EXPECT_EQ(owner.get(), &given.tensor);
                      EXPECT_EQ(given.deleted, 0);
                    },
                    [&] {
                      EXPECT_EQ(v->to_array().data.data(), this->values.data());
                      v.reset();
                      EXPECT_EQ(given.deleted, 1);
                    }});
  EXPECT_GE(failures, 2);
  owner.release();  // deleted already
  const vector<double> full(this->where, 4, 3.);
  for (const bool away : {false, true}) {
    vector<double> w = full;
    dlpack_owner<TypeParam> out;
    failures = allocations::with_every_allocation_failing(
        this->where,
        {[&] {
           out.reset();
           w = full;
         },
         [&] { out = away ? to_tensor<TypeParam>(std::move(w)) : to_tensor<TypeParam>(w); },
         [&] {
           EXPECT_EQ(w.dense(0), (std::vector<double>{3, 3, 3, 3}));
         },
         [&] { EXPECT_EQ(static_cast<double*>(out->dl_tensor.data)[3], 3); }});
    EXPECT_GE(failures, 1);
  }
}

}  // namespace
}  // namespace tropic::testing
