// SPDX-License-Identifier: Apache-2.0

// Arrays that another library allocated on the device: matrices and vectors over them without a
// copy to the host, checked on the device, released when the device is done; results as arrays of
// the device.

#include <algorithm>
#include <set>

#include "backends/device/runtime.hpp"
#include "containers/context_state.hpp"
#include "foreign_memory.hpp"
#include "interop/plain_arrays.hpp"
#include "support/messages.hpp"
#include "support/surroundings.hpp"
#ifdef TROPIC_WITH_DLPACK
#include "containers/context_state.hpp"
#include "interop/foreign_tensors.hpp"
#endif

namespace tropic::testing {
namespace {

class DeviceArrays : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::string reason;
    memory = find_foreign_memory(GetParam(), reason);
    if (memory == nullptr) GTEST_SKIP() << GetParam() << ": " << reason;
    try {
      where.emplace(memory->make_context());
    } catch (const device_error& e) {
      GTEST_SKIP() << e.what();
    }
  }
  void TearDown() override {
    where.reset();
    EXPECT_EQ(alive, 0) << "arrays that were not released";
  }
  /// A copy on the device, counted and released once.
  template <class T>
  device_array<T> send(std::span<const T> values) {
    void* handle = memory->allocate(std::max<std::size_t>(values.size_bytes(), 1));
    if (!values.empty()) memory->write(handle, values.data(), values.size_bytes());
    ++alive;
    return adopt_device<T>(handle, values.size(), [this](void* gone) {
      memory->release(gone);
      --alive;
    });
  }
  template <class T>
  device_array<T> send(const std::vector<T>& values) {
    return send(std::span<const T>(values));
  }
  template <class T>
  std::vector<T> fetch(const device_array<T>& a) {
    std::vector<T> values(a.count);
    if (a.count > 0) memory->read(values.data(), a.handle, a.count * sizeof(T));
    return values;
  }
  /// Only a few words were copied between host and device since `before`.
  void expect_residency(const device_traffic& before) const {
    const device_traffic now = where->traffic();
    EXPECT_LE(now.to_device - before.to_device, 64u);
    EXPECT_LE(now.to_host - before.to_host, 64u);
  }

  environment_variable cache{"TROPIC_CACHE_DIR", shared_cache()};
  std::unique_ptr<foreign_memory> memory;
  std::optional<context> where;
  int alive = 0;

 private:
  // Programs are compiled once for all tests of this file.
  static std::string shared_cache() {
    static const temporary_folder folder;
    const char* given = std::getenv("TROPIC_CACHE_DIR");
    return given != nullptr ? given : folder.path().string();
  }
};
INSTANTIATE_TEST_SUITE_P(Cuda, DeviceArrays, ::testing::Values("cuda_0"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(OpenCL, DeviceArrays, ::testing::Values("opencl_0"),
                         [](const auto& info) { return info.param; });

host_matrix sample(index_t rows = 300, index_t columns = 500, double density = 0.03) {
  dice random(base_seed());
  host_matrix result =
      random_matrix(describe<float>(), rows, columns, density, flavour::small, random);
  std::erase_if(result.entries, [&](const auto& e) { return e.first.first % 10 == 7; });
  return result;
}

template <class T>
std::span<const T> lone(const T& value) {
  return {&value, 1};
}

TEST_P(DeviceArrays, MatricesOfEveryTypeOfIndices) {
  const host_matrix data = sample();
  const vector<float> u(*where, data.columns, 1.f);
  std::vector<float> sums(static_cast<std::size_t>(data.rows), -1);
  for (const auto& [at, value] : data.entries) {
    float& sum = sums[static_cast<std::size_t>(at.first)];
    sum = (sum < 0 ? 0 : sum) + std::abs(value_of<float>(value));
  }
  for_each_index_type([&]<class Offset>() {
    for_each_index_type([&]<class Index>() {
      SCOPED_TRACE(std::to_string(sizeof(Offset)) + " and " + std::to_string(sizeof(Index)));
      auto held = compress<Offset, Index, float>(data, false);
      for (std::size_t n = 0; n < held.values.size; ++n)
        held.values.at[n] = std::abs(held.values.at[n]);
      const auto offsets = send(held.offsets);
      const auto values = send(held.values.span());
      const auto indices = send(held.indices);
      const device_traffic before = where->traffic();
      const auto m =
          matrix<float>::from_csr(*where, data.rows, data.columns, offsets, indices, values);
      vector<float> w(*where, data.rows);
      mxv(w, plus_times<float>{}, m, u);
      where->synchronize();
      expect_residency(before);
      EXPECT_EQ(w.dense(-1), sums);
      const auto out = m.template to_device_csr<Offset>();
      EXPECT_EQ(out.offsets.handle, offsets.handle);
      EXPECT_EQ(out.values.handle, values.handle);
      EXPECT_EQ(out.indices.handle == indices.handle, sizeof(Index) == 4);
      const auto host = m.template to_csr<Offset, Index>();
      EXPECT_TRUE(std::ranges::equal(host.offsets, held.offsets));
      EXPECT_TRUE(std::ranges::equal(host.indices, held.indices));
      EXPECT_TRUE(std::ranges::equal(host.values, held.values.span()));
      std::size_t longest = 0;
      index_t empty = 0;
      for (std::size_t row = 0; row + 1 < held.offsets.size(); ++row) {
        const auto length = static_cast<std::size_t>(held.offsets[row + 1] - held.offsets[row]);
        longest = std::max(longest, length);
        empty += length == 0;
      }
      EXPECT_EQ(m.longest_row(), static_cast<index_t>(longest));
      EXPECT_EQ(m.empty_rows(), empty);
    });
  });
}

TEST_P(DeviceArrays, InCscFormMakeAMatrix) {
  const host_matrix data = sample();
  const auto held = compress<std::int64_t, std::int32_t, float>(data, true);
  const auto offsets = send(held.offsets);
  const auto indices = send(held.indices);
  const auto values = send(held.values.span());
  const device_traffic before = where->traffic();
  const auto m = matrix<float>::from_csc(*where, data.rows, data.columns, offsets, indices, values);
  where->synchronize();
  expect_residency(before);
  EXPECT_EQ(difference(data, read(m.base())), "");
}

TEST_P(DeviceArrays, OfNothingAndOfOneValue) {
  const std::vector<float> no_values;
  const std::vector<std::uint32_t> none, zero{0}, zeros(6, 0), ends{0, 2, 2}, columns{1, 3};
  EXPECT_EQ(matrix<float>::from_csr(*where, 0, 5, send(zero), send(none), send(no_values)).nvals(),
            0);
  EXPECT_EQ(
      matrix<float>::from_csr(*where, 5, 5, send(zeros), send(none), send(no_values)).empty_rows(),
      5);
  const float five = 5;
  const auto iso =
      matrix<float>::from_csr(*where, 2, 4, send(ends), send(columns), send(lone(five)));
  EXPECT_TRUE(iso.is_iso());
  EXPECT_EQ(iso.get(0, 3), 5);
  EXPECT_EQ(iso.to_device_csr<std::uint32_t>().values.count, 1u);
  EXPECT_EQ(vector<float>::from_array(*where, send(no_values)).size(), 0);
}

// Whatever is changed, the device reports the same error as the host.
TEST_P(DeviceArrays, AreCheckedAsTheHostChecksThem) {
  const host_matrix data = sample(120, 90, 0.1);
  const auto good = compress<std::uint32_t, std::uint32_t, float>(data, false);
  dice random(base_seed());
  const context cpu = context::cpu();
  const auto values = send(good.values.span());
  std::set<std::string> said;
  int taken = 0;
  for (int round = 0; round < 300; ++round) {
    auto held = good;
    // Often the first or the last one, where the checks end.
    const auto some = [&](std::size_t count) {
      const int at = random.roll(4);
      return at == 0   ? 0
             : at == 1 ? count - 1
                       : static_cast<std::size_t>(random.roll(static_cast<int>(count)));
    };
    switch (random.roll(8)) {
      case 7: break;  // unchanged
      case 0: held.offsets[some(held.offsets.size())] += 1; break;
      case 1: held.offsets[some(held.offsets.size())] -= 1; break;
      case 2: std::swap(held.offsets[some(121)], held.offsets[some(121)]); break;
      case 3:
        held.indices[some(held.indices.size())] = static_cast<std::uint32_t>(random.roll(91));
        break;
      case 4: held.indices[some(held.indices.size())] = 0xffffffff; break;
      case 5: {
        const std::size_t at = some(held.indices.size() - 1);
        std::swap(held.indices[at], held.indices[at + 1]);
        break;
      }
      default:
        held.offsets[some(held.offsets.size())] = static_cast<std::uint32_t>(random.next());
        break;
    }
    const std::string expected = message_of<usage_error>([&] {
      matrix<float>::from_csr(cpu, 120, 90, lend(held.offsets), lend(held.indices),
                              held.values.view());
    });
    EXPECT_EQ(message_of<usage_error>([&] {
                matrix<float>::from_csr(*where, 120, 90, send(held.offsets), send(held.indices),
                                        values);
              }),
              expected);
    taken += expected == no_error;
    said.insert(expected.substr(0, 25));
    if (HasFailure()) return;
  }
  EXPECT_GE(said.size(), 4u);
  EXPECT_GT(taken, 0);
}

TEST_P(DeviceArrays, IndicesOfOtherTypesAreCheckedToo) {
  const std::vector<std::uint32_t> ends{0, 1, 3};
  const std::vector<float> values{1, 2, 3};
  const std::vector<std::int64_t> large{2, 0, (std::int64_t{1} << 32) + 1};
  EXPECT_EQ(message_of<usage_error>([&] {
              matrix<float>::from_csr(*where, 2, 4, send(ends), send(large), send(values));
            }),
            "matrix: column 4294967297 of entry 2, needed 0 to 3");
  const std::vector<std::int64_t> negative{2, -1, 3};
  EXPECT_NE(message_of<usage_error>([&] {
              matrix<float>::from_csr(*where, 2, 4, send(ends), send(negative), send(values));
            }).find(" of entry 1, needed 0 to 3"),
            std::string::npos);
  const std::vector<std::int32_t> small{2, 0, -1};
  EXPECT_NE(message_of<usage_error>([&] {
              matrix<float>::from_csr(*where, 2, index_t{1} << 32, send(ends), send(small),
                                      send(values));
            }).find("row 1 has column -1 at entry 2"),
            std::string::npos);
  const std::vector<std::uint32_t> falling{3, 2, 5};
  EXPECT_EQ(message_of<usage_error>(
                [&] { vector<float>::from_sparse(*where, 10, send(falling), send(values)); }),
            "vector: index 2 at entry 1 after 3, expected ascending order");
  // Trusted arrays are not checked; only the counts are transferred.
  const std::vector<std::uint32_t> columns{1, 0, 3};
  const auto a = send(ends), b = send(columns);
  const auto c = send(values);
  const device_traffic before = where->traffic();
  EXPECT_EQ(matrix<float>::from_csr(*where, 2, 4, a, b, c, {.trusted = true}).longest_row(), 2);
  expect_residency(before);
}

TEST_P(DeviceArrays, MakeVectorsWithoutACopy) {
  const std::vector<float> values{1, 2, 3};
  const auto given = send(values);
  const device_traffic before = where->traffic();
  auto full = vector<float>::from_array(*where, given);
  EXPECT_EQ(full.to_device_array().handle, given.handle);
  vector<float> w(*where, 3);
  apply(w, bind_second(plus{}, 1.f), full);
  const device_array<float> result = w.to_device_array();
  expect_residency(before);
  EXPECT_EQ(fetch(result), (std::vector<float>{2, 3, 4}));
  // A result that was exported does not change any more.
  apply(w, bind_second(plus{}, 1.f), w);
  w = vector<float>(*where, 3);
  EXPECT_EQ(fetch(result), (std::vector<float>{2, 3, 4}));
  // After a write the vector has its own values.
  full.set(0, 7.f);
  apply(full, bind_second(plus{}, 1.f), full);
  EXPECT_EQ(full.dense(0), (std::vector<float>{8, 3, 4}));
  EXPECT_EQ(fetch(given), values);

  const std::vector<std::int64_t> wide{1, 4, 5};
  const std::vector<std::int32_t> narrow{1, 4, 5};
  for (const auto& sparse : {vector<float>::from_sparse(*where, 9, send(narrow), given),
                             vector<float>::from_sparse(*where, 9, send(wide), given)}) {
    EXPECT_EQ(sparse.nvals(), 3);
    EXPECT_EQ(sparse.dense(0), (std::vector<float>{0, 1, 0, 0, 2, 3, 0, 0, 0}));
    const auto out = sparse.to_device_sparse();
    EXPECT_EQ(out.values.handle, given.handle);
    EXPECT_EQ(fetch(out.indices), (std::vector<std::uint32_t>{1, 4, 5}));
    EXPECT_EQ(message_of<usage_error>([&] { sparse.to_device_array(); }),
              "vector: 6 of 9 positions have no entry");
  }
}

TEST_P(DeviceArrays, OutliveTheirContainersAndContext) {
  device_array<float> kept;
  {
    const vector<float> u(*where, 1000, 3.f);
    vector<float> w(*where, 1000);
    apply(w, bind_second(times{}, 2.f), u);
    kept = w.to_device_array();
  }
  where.reset();
  EXPECT_EQ(fetch(kept), std::vector<float>(1000, 6.f));
}

// Enqueued work reads arrays whose last user releases them immediately and whose owner frees them.
TEST_P(DeviceArrays, AreReleasedWhenTheDeviceIsDone) {
  const std::vector<float> ones(1 << 16, 1.f);
  for (int round = 0; round < 20; ++round) {
    vector<float> w(*where, 1 << 16);
    {
      const auto u = vector<float>::from_array(*where, send(ones));
      vector<float> v = u;
      for (int n = 0; n < 5; ++n) ewise_add(v, plus{}, v, u);
      w = v;
      EXPECT_EQ(alive, 1);
    }
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(reduce(minimum_monoid<float>{}, w), 6);
  }
}

TEST_P(DeviceArrays, OfAnotherDeviceAreRefusedAndReleasedOnce) {
  constexpr std::size_t count = 64;
  for (const auto& [handle, words] : memory->unusable_handles(count * sizeof(float))) {
    int released = 0;
    const std::string message = message_of<usage_error>([&, handle = handle] {
      vector<float>::from_array(*where, adopt_device<float>(handle, count, [&] { ++released; }));
    });
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_EQ(released, 1);
  }
  const std::vector<float> usable(count, 2.f);
  EXPECT_EQ(vector<float>::from_array(*where, send(usable)).dense(0), usable);
  EXPECT_NE(message_of<usage_error>([&] {
              vector<float>::from_array(context::cpu(), send(usable));
            }).find("cpu has no memory but the host's"),
            std::string::npos);
  EXPECT_NE(message_of<usage_error>([&] {
              vector<float>::from_array(*where, device_array<float>{nullptr, 3, nullptr});
            }).find("null pointer"),
            std::string::npos);
}

TEST_P(DeviceArrays, NoneIsLostWhereMemoryIs) {
  const host_matrix data = sample();
  const auto held = compress<std::int64_t, std::int64_t, float>(data, true);
  for (long n = 0; n < 200; ++n) {
    std::optional<matrix<float>> m;
    where->state()->account.fail_after(n);
    bool failed = false;
    try {
      m = matrix<float>::from_csc(*where, data.rows, data.columns, send(held.offsets),
                                  send(held.indices), send(held.values.span()));
    } catch (const out_of_memory&) {
      failed = true;
    }
    where->state()->account.fail_after(-1);
    if (failed) {
      EXPECT_EQ(alive, 0);
      continue;
    }
    EXPECT_GE(n, 3);
    EXPECT_EQ(difference(data, read(m->base())), "");
    return;
  }
  ADD_FAILURE() << "it never succeeded";
}

#ifdef TROPIC_WITH_DLPACK

TEST_P(DeviceArrays, AsDlpackTensors) {
  const bool is_cuda = GetParam() == "cuda_0";
  const DLDevice here{is_cuda ? kDLCUDA : kDLOpenCL, 0};
  const std::vector<float> values{1, 2, 3, 4};
  const auto given = send(values);
  const DLDataType fp32 = dlpack_internal::data_type<float>();
  foreign_tensor<DLManagedTensor> tensor(given.handle, 4, fp32, here);
  const device_traffic before = where->traffic();
  {
    const auto v = from_dlpack<float>(*where, tensor.owned());
    EXPECT_EQ(v.to_device_array().handle, given.handle);
    vector<float> w(*where, 4);
    apply(w, bind_second(plus{}, 1.f), v);
    const auto shared = to_dlpack(w);
    EXPECT_EQ(shared->dl_tensor.device.device_type, here.device_type);
    EXPECT_EQ(shared->dl_tensor.device.device_id, 0);
    EXPECT_EQ(shared->dl_tensor.data, w.to_device_array().handle);
    // Borrowed values are copied on the device before they are given away.
    const auto away = to_dlpack(vector<float>(v));
    EXPECT_NE(away->dl_tensor.data, given.handle);
    expect_residency(before);
    EXPECT_EQ(fetch(device_array<float>{shared->dl_tensor.data, 4}),
              (std::vector<float>{2, 3, 4, 5}));
    EXPECT_EQ(fetch(device_array<float>{away->dl_tensor.data, 4}), values);
    const auto back = from_dlpack<float>(*where, to_dlpack(w));
    EXPECT_EQ(back.dense(0), (std::vector<float>{2, 3, 4, 5}));
    EXPECT_EQ(tensor.deleted, 0);
  }
  EXPECT_EQ(tensor.deleted, 1);
  // An array of a device context that is on the host: sent when it is needed.
  std::vector<float> on_host{5, 6};
  foreign_tensor<DLManagedTensor> host(on_host.data(), 2, fp32);
  EXPECT_EQ(from_dlpack<float>(*where, host.owned()).dense(0), on_host);
  foreign_tensor<DLManagedTensor> behind(given.handle, 2, fp32, here);
  behind.tensor.dl_tensor.byte_offset = 8;
  if (is_cuda)
    EXPECT_EQ(from_dlpack<float>(*where, behind.owned()).dense(0), (std::vector<float>{3, 4}));
  else
    EXPECT_NE(message_of<usage_error>([&] {
                from_dlpack<float>(*where, behind.owned());
              }).find("byte offset of 8"),
              std::string::npos);
  foreign_tensor<DLManagedTensor> elsewhere(given.handle, 4, fp32,
                                            {is_cuda ? kDLOpenCL : kDLCUDA, is_cuda ? 0 : 3});
  EXPECT_NE(message_of<usage_error>([&] {
              from_dlpack<float>(*where, elsewhere.owned());
            }).find(is_cuda ? "is on OpenCL" : "is on cuda:3"),
            std::string::npos);
  EXPECT_EQ(elsewhere.deleted, 1);
  EXPECT_EQ(behind.deleted, 1);
}

#endif

}  // namespace
}  // namespace tropic::testing
