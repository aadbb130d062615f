// SPDX-License-Identifier: Apache-2.0

// Arrays of CUDA pointers on the fake driver, which has two devices and reports every misuse: to
// which device a pointer belongs, and that an array is released only when the work that reads it is
// done. Computations on a real device are tested by device_arrays_test.cpp.

#include <tropic/detail/exported_arrays.hpp>

#include "backends/device/device_memory.hpp"
#include "containers/context_state.hpp"
#include "cuda_fixture.hpp"
#include "foreign_memory.hpp"
#include "support/messages.hpp"
#ifdef TROPIC_WITH_DLPACK
#include "interop/foreign_tensors.hpp"
#include "support/messages.hpp"
#endif

namespace tropic::testing {
namespace {

using floats = tropic::device_array<float>;  // different from that of the fixtures

class FakeCudaArrays : public FakeCudaPrograms {
 protected:
  void SetUp() override {
    FakeCudaPrograms::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    std::string reason;
    memory = foreign_cuda_memory::find(reason);
    ASSERT_NE(memory, nullptr) << reason;
    where.emplace(context::cuda(0));
  }
  void TearDown() override {
    where.reset();
    memory.reset();
    FakeCudaPrograms::TearDown();
  }
  floats send(const std::vector<float>& values) {
    void* handle = memory->allocate(values.size() * sizeof(float));
    memory->write(handle, values.data(), values.size() * sizeof(float));
    return adopt_device<float>(handle, values.size(), [this](void* gone) {
      memory->release(gone);
      ++released;
    });
  }

  std::unique_ptr<foreign_cuda_memory> memory;
  std::optional<context> where;
  int released = 0;
};

TEST_F(FakeCudaArrays, InAndOutWithoutACopy) {
  {
    const auto given = send({1, 2, 3});
    const device_traffic before = where->traffic();
    const long allocations = fake->calls("cuMemAlloc");
    const auto v = vector<float>::from_array(*where, given);
    const auto out = v.to_device_array();
    EXPECT_EQ(out.handle, given.handle);
    EXPECT_EQ(fake->calls("cuMemAlloc"), allocations);
    EXPECT_EQ(where->traffic().to_device, before.to_device);
    EXPECT_EQ(where->traffic().to_host, before.to_host);
    EXPECT_EQ(v.dense(0), (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(where->traffic().to_host, before.to_host + 12);
    // The second half of a block is device memory as well.
    const auto rest = vector<float>::from_array(
        *where, floats{static_cast<float*>(given.handle) + 1, 2, given.owner});
    EXPECT_EQ(rest.dense(0), (std::vector<float>{2, 3}));
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
}

// The driver reports freeing a block while work is enqueued as a misuse.
TEST_F(FakeCudaArrays, GoWhenTheWorkThatReadsThemIsDone) {
  const detail::cuda_driver& cuda = memory->in_context();
  detail::cu_stream stream = nullptr;
  ASSERT_EQ(cuda.cuStreamCreate(&stream, detail::cu::stream_non_blocking), 0);
  detail::cu_pointer other = 0;
  ASSERT_EQ(cuda.cuMemAlloc(&other, 64), 0);
  context_options options;
  options.queue = stream;
  {
    const context lent = context::cuda(0, options);
    auto u = std::make_optional(vector<float>::from_array(lent, send({1, 2, 3})));
    memory->in_context();
    ASSERT_EQ(cuda.cuMemsetD8Async(other, 1, 64, stream), 0);  // enqueued
    EXPECT_EQ(released, 0);
    u.reset();
    EXPECT_EQ(released, 1);
    EXPECT_EQ(fake->misuses(), 0);
  }
  memory->in_context();
  EXPECT_EQ(cuda.cuMemFree(other), 0);
  EXPECT_EQ(cuda.cuStreamDestroy(stream), 0);
}

// A stream of another library, and what it finds at an address once its work is done.
class reading_stream {
 public:
  explicit reading_stream(foreign_cuda_memory& memory) : memory_(memory) {
    EXPECT_EQ(cuda().cuStreamCreate(&handle_, detail::cu::stream_non_blocking), 0);
  }
  ~reading_stream() { EXPECT_EQ(cuda().cuStreamDestroy(handle_), 0); }
  void* handle() const { return handle_; }
  void enqueue_read(void* to, const void* from, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(from);
    EXPECT_EQ(cuda().cuMemcpyDtoHAsync(to, at, bytes, handle_), 0);
  }
  void finish() { EXPECT_EQ(cuda().cuStreamSynchronize(handle_), 0); }

 private:
  const detail::cuda_driver& cuda() { return memory_.in_context(); }
  foreign_cuda_memory& memory_;
  detail::cu_stream handle_ = nullptr;
};

// Bytes that are enqueued to be written in the context's stream.
TEST_F(FakeCudaArrays, AStreamThatReadsThemWaitsAndTheHostDoesNot) {
  const detail::context_pointer& state = where->state();
  reading_stream reader(*memory);
  for (int round = 1; round <= 2; ++round) {
    const auto held = detail::make_buffer(state, 4);
    auto& device = dynamic_cast<detail::device_memory&>(*state->device_memory);
    device.runtime().fill(held->device_write(), static_cast<unsigned char>(round), 4);
    const long waits = fake->calls("cuStreamSynchronize");
    detail::precede(*state, reader.handle());
    EXPECT_EQ(fake->calls("cuStreamSynchronize"), waits);
    std::uint32_t seen = 0;
    reader.enqueue_read(&seen, held->device(), 4);
    reader.finish();
    EXPECT_EQ(seen, 0x01010101u * static_cast<unsigned>(round));
    // What is enqueued after precede() is not waited for.
    device.runtime().fill(held->device_write(), 9, 4);
    reader.enqueue_read(&seen, held->device(), 4);
    reader.finish();
    EXPECT_EQ(seen, 0x01010101u * static_cast<unsigned>(round));
    where->synchronize();
  }
  EXPECT_EQ(fake->calls("cuEventCreate"), 1);
  for (const std::uintptr_t number : {1U, 2U}) {  // CUDA's default streams
    const long waits = fake->calls("cuStreamWaitEvent");
    detail::precede(*state, reinterpret_cast<void*>(number));
    EXPECT_EQ(fake->calls("cuStreamWaitEvent"), waits + 1);
  }
  fake->fail("cuStreamWaitEvent", 1, 999);
  EXPECT_NE(message_of<device_error>([&] {
              detail::precede(*state, reader.handle());
            }).find("wait of a stream that reads results on cuda:0"),
            std::string::npos);
}

TEST_F(FakeCudaArrays, TheContextsOwnStreamNeedsNoWait) {
  reading_stream lent(*memory);
  context_options options;
  options.queue = lent.handle();
  const context there = context::cuda(0, options);
  detail::precede(*there.state(), lent.handle());
  EXPECT_EQ(fake->calls("cuEventRecord"), 0);
}

// The driver reports freeing a block while work of any stream is enqueued as a misuse.
TEST_F(FakeCudaArrays, ReadersOfOtherStreamsEndBeforeMemoryGoes) {
  reading_stream reader(*memory);
  std::uint32_t seen = 0;
  {
    const auto v = vector<float>::from_array(*where, send({1, 2}));
    reader.enqueue_read(&seen, v.to_device_array().handle, 4);
    detail::settle_device(*where->state());
    EXPECT_NE(seen, 0u);
  }
  EXPECT_EQ(released, 1);
  EXPECT_EQ(fake->misuses(), 0);
}

TEST_F(FakeCudaArrays, PointersOfOthersAreRefused) {
  for (const auto& [handle, words] : memory->unusable_handles(64)) {
    const auto message = message_of<usage_error>([&, handle = handle] {
      vector<float>::from_array(*where, floats{handle, 16});
    });
    EXPECT_NE(message.find(words), std::string::npos) << message;
  }
  // Memory of the other device.
  const detail::cuda_driver& cuda = memory->in_context();
  detail::cu_context other = nullptr;
  detail::cu_pointer there = 0;
  ASSERT_EQ(cuda.cuDevicePrimaryCtxRetain(&other, 1), 0);
  cuda.cuCtxSetCurrent(other);
  ASSERT_EQ(cuda.cuMemAlloc(&there, 64), 0);
  const auto message = message_of<usage_error>([&] {
    vector<float>::from_array(
        *where, floats{reinterpret_cast<void*>(static_cast<std::uintptr_t>(there)), 16});
  });
  EXPECT_EQ(message,
            "an array of 64 bytes given to cuda:0 (Fake 0) is on another CUDA device, number 1");
  cuda.cuCtxSetCurrent(other);
  cuda.cuMemFree(there);
  cuda.cuCtxSetCurrent(nullptr);
  cuda.cuDevicePrimaryCtxRelease(1);
}

TEST_F(FakeCudaArrays, AFailingDriverLosesNothing) {
  fake->fail("cuPointerGetAttribute", 1, 999);
  EXPECT_THROW(vector<float>::from_array(*where, send({1, 2})), device_error);
  EXPECT_EQ(released, 1);
  {
    const auto v = vector<float>::from_array(*where, send({1, 2}));
    fake->fail("cuMemcpyDtoHAsync", 1, 999);
    EXPECT_THROW(v.dense(0), device_error);
    EXPECT_EQ(v.dense(0), (std::vector<float>{1, 2}));
  }
  EXPECT_EQ(released, 2);
}

// With kernels that run.
class EmulatedCudaArrays : public OnFakeDriver {
  environment_variable compiler{"TROPIC_NVRTC_LIBRARY", fake_library().string()};
};

TEST_F(EmulatedCudaArrays, OfAMatrixHaveTheWidthsThatAreAskedFor) {
  const context where = context::cuda(0);
  const std::vector<std::uint32_t> columns{0, 2, 1, 2};
  for (const bool wide : {false, true})
    for (const bool iso : {false, true}) {
      const std::vector<float> values =
          iso ? std::vector<float>{5} : std::vector<float>{1, 2, 3, 4};
      const auto m = wide
                         ? matrix<float>::from_csr(
                               where, 3, 3, std::vector<std::int64_t>{0, 2, 2, 4}, columns, values)
                         : matrix<float>::from_csr(
                               where, 3, 3, std::vector<std::int32_t>{0, 2, 2, 4}, columns, values);
      for (const std::size_t bytes : {4U, 8U}) {
        const detail::compressed_buffers out =
            detail::csr_on_device(m.base(), {bytes, true}, {bytes, true});
        ASSERT_EQ(out.offsets->bytes(), 4 * bytes);
        ASSERT_EQ(out.indices->bytes(), 4 * bytes);
        ASSERT_EQ(out.values->bytes(), 4 * sizeof(float));
        for (const auto& part : {out.offsets, out.indices, out.values})
          EXPECT_TRUE(part->device_valid());
        const auto number = [bytes](const detail::buffer_pointer& from, std::size_t n) {
          return bytes == 8 ? static_cast<const std::int64_t*>(from->host())[n]
                            : static_cast<const std::int32_t*>(from->host())[n];
        };
        for (std::size_t n = 0; n < 4; ++n) {
          EXPECT_EQ(number(out.offsets, n), (std::vector<int>{0, 2, 2, 4})[n]);
          EXPECT_EQ(number(out.indices, n), columns[n]);
          EXPECT_EQ(static_cast<const float*>(out.values->host())[n], iso ? 5 : values[n]);
        }
        // What the matrix stores so is not copied.
        EXPECT_EQ(out.offsets == m.base().offsets, wide == (bytes == 8));
        EXPECT_EQ(out.indices == m.base().column_indices, bytes == 4);
        EXPECT_EQ(out.values == m.base().values, !iso);
      }
    }
  const context host = context::cpu();
  EXPECT_THROW(detail::csr_on_device(matrix<float>(host, 3, 3).base(), {4, true}, {4, true}),
               usage_error);
}

#ifdef TROPIC_WITH_DLPACK

TEST_F(FakeCudaArrays, AsDlpackTensors) {
  const auto given = send({1, 2, 3, 4});
  const DLDataType fp32 = dlpack_internal::data_type<float>();
  foreign_tensor<DLManagedTensor> tensor(given.handle, 2, fp32, {kDLCUDA, 0});
  tensor.tensor.dl_tensor.byte_offset = 4;
  {
    const auto v = from_dlpack<float>(*where, tensor.owned());
    EXPECT_EQ(v.dense(0), (std::vector<float>{2, 3}));
    const auto out = to_dlpack(v);
    EXPECT_EQ(out->dl_tensor.data, static_cast<float*>(given.handle) + 1);
    EXPECT_EQ(out->dl_tensor.device.device_type, kDLCUDA);
  }
  EXPECT_EQ(tensor.deleted, 1);
  foreign_tensor<DLManagedTensor> managed(given.handle, 4, fp32, {kDLCUDAManaged, 0});
  EXPECT_EQ(from_dlpack<float>(*where, managed.owned()).get(3), 4);
  foreign_tensor<DLManagedTensor> other(given.handle, 4, fp32, {kDLCUDA, 1});
  EXPECT_NE(message_of<usage_error>([&] {
              from_dlpack<float>(*where, other.owned());
            }).find("is on cuda:1, the context is cuda:0"),
            std::string::npos);
  // Pointers that are wrongly declared as CUDA's.
  std::vector<float> host(4);
  foreign_tensor<DLManagedTensor> wrong(host.data(), 4, fp32, {kDLCUDA, 0});
  EXPECT_NE(message_of<usage_error>([&] {
              from_dlpack<float>(*where, wrong.owned());
            }).find("memory that CUDA does not know"),
            std::string::npos);
  EXPECT_EQ(wrong.deleted, 1);
}

#endif

}  // namespace
}  // namespace tropic::testing
