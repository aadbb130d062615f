// SPDX-License-Identifier: Apache-2.0

// The CUDA runtime on a real device: copies, kernels, errors, memory, threads, cache, a borrowed
// stream. Skipped, with the reason, if there is no device; fake_cuda_test.cpp runs everywhere.

#include <numeric>
#include <thread>

#include "cuda_fixture.hpp"
#include "semiring_samples.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

using numbers = std::vector<std::uint32_t>;

class OnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    runtime = open_cuda(reason);
    if (runtime == nullptr) GTEST_SKIP() << reason;
  }
  std::unique_ptr<cuda_runtime> open(void* stream = nullptr) {
    std::string reason;
    auto result = open_cuda(reason, 0, stream);
    EXPECT_NE(result, nullptr) << reason;
    return result;
  }
  static numbers counting(std::size_t count) {
    numbers values(count);
    std::iota(values.begin(), values.end(), 1u);
    return values;
  }
  environment_variable no_cache{"TROPIC_CACHE", "off"};
  std::unique_ptr<cuda_runtime> runtime;
};

TEST_F(OnCuda, ReportsItsTraits) {
  const device_traits& traits = runtime->traits();
  EXPECT_FALSE(traits.name.empty());
  EXPECT_EQ(traits.subgroup_size, 32u);
  EXPECT_EQ(traits.group_limit, 1024u);
  EXPECT_GE(traits.local_bytes, 49152u);
  EXPECT_GE(runtime->device().local_bytes_opt_in, traits.local_bytes);
  EXPECT_GT(traits.processors, 0u);
  EXPECT_GT(runtime->device().memory, std::size_t{1} << 30);
}

TEST_F(OnCuda, CopiesAndFills) {
  for (const std::size_t count : std::initializer_list<std::size_t>{1, 255, 256, 100003, 5000000}) {
    numbers values = counting(count);
    const device_array<std::uint32_t> array(*runtime, values);
    std::fill(values.begin(), values.end(), 0u);
    EXPECT_EQ(array.read(), counting(count));
    runtime->fill(array.handle(), 0x5a, count * 4);
    EXPECT_EQ(array.read(), numbers(count, 0x5a5a5a5a));
  }
}

TEST_F(OnCuda, RunsAKernel) {
  const compiled_program* program = runtime->program("scale", scale_program());
  for (const std::size_t count : std::initializer_list<std::size_t>{1, 127, 128, 129, 1000000}) {
    const device_array<std::uint32_t> array(*runtime, counting(count));
    scale(*runtime, *program, array, count, 3);
    scale(*runtime, *program, array, count - 1, 5);
    numbers expected = counting(count);
    for (std::size_t n = 0; n < count; ++n) expected[n] *= n + 1 < count ? 15u : 3u;
    EXPECT_EQ(array.read(), expected);
  }
  EXPECT_EQ(runtime->compilations(), 1);
}

TEST_F(OnCuda, RefusesArgumentsOfOtherSizes) {
  const compiled_program* program = runtime->program("scale", scale_program());
  const std::uint64_t wide = 0;
  const kernel_argument few[] = {wide}, wrong[] = {wide, wide, wide};
  std::string reason;
  if (cuda_driver::open(reason)->cuFuncGetParamInfo == nullptr)
    GTEST_SKIP() << "the driver is older than CUDA 12.4";
  EXPECT_THROW(runtime->launch("mxv", *program, "t_scale", few, 1, 32), device_error);
  EXPECT_THROW(runtime->launch("mxv", *program, "t_scale", wrong, 1, 32), device_error);
  const kernel_argument right[] = {wide, 3u, wide};
  EXPECT_THROW(runtime->launch("mxv", *program, "t_scale", right, 1, 1025), device_error);
  EXPECT_THROW(runtime->launch("mxv", *program, "t_none", right, 1, 32), device_error);
  EXPECT_NO_THROW(runtime->launch("mxv", *program, "t_scale", right, 1, 32));
  EXPECT_NO_THROW(runtime->finish());
}

TEST_F(OnCuda, ChecksTheLayoutOfRecords) {
  const semiring_description described = describe_semiring(semiring<mix_monoid<mixed>, mix>{});
  device_program program =
      make_program(dialect::cuda, {.kernel = "csr_scalar", .semiring = &described});
  EXPECT_NE(runtime->program("records as they are", program), nullptr);
  ++program.layout[2];
  EXPECT_THROW(runtime->program("records shifted", program), device_error);
}

TEST_F(OnCuda, OutOfMemorySaysWhatIsRequiredAndFreeAndTheDeviceIsUsable) {
  const std::size_t too_much = 10 * runtime->device().memory;
  try {
    runtime->allocate(too_much);
    FAIL() << "it fits";
  } catch (const out_of_memory& e) {
    EXPECT_EQ(e.required, too_much);
    EXPECT_GT(e.available, 0u);
    EXPECT_LT(e.available, too_much);
    EXPECT_TRUE(std::string(e.what()).starts_with("cuda:0 (")) << e.what();
  }
  const device_array<std::uint32_t> usable(*runtime, {4, 5});
  EXPECT_EQ(usable.read(), (numbers{4, 5}));
}

TEST_F(OnCuda, ReleasedMemoryIsReused) {
  const environment_variable pooled("TROPIC_DEVICE_POOL", "on");  // a memory checker turns it off
  runtime = open();
  for (int n = 0; n < 100; ++n) {
    const device_array<std::uint32_t> array(*runtime, counting(10000));
    runtime->fill(array.handle(), 1, 40000);
  }
  EXPECT_LE(runtime->pool().now().taken, 3u);
  EXPECT_GT(runtime->pool().trim(), 0u);
  runtime->finish();
}

TEST_F(OnCuda, ManyThreadsUseManyRuntimes) {
  const auto other = open();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      cuda_runtime& mine = t % 2 == 0 ? *runtime : *other;
      const compiled_program* program = mine.program("scale", scale_program());
      for (std::uint32_t n = 1; n < 100; ++n) {
        const device_array<std::uint32_t> array(mine, numbers(100 * n, t));
        scale(mine, *program, array, 100 * n, n);
        wrong += array.read() != numbers(100 * n, t * n);
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(OnCuda, ASecondRuntimeFindsTheProgramOnDisk) {
  const temporary_folder folder;
  const environment_variable where("TROPIC_CACHE_DIR", folder.path().string());
  const environment_variable on("TROPIC_CACHE", "on");
  for (const int compilations : {1, 0}) {
    const auto fresh = open();
    const device_array<std::uint32_t> array(*fresh, {6});
    scale(*fresh, *fresh->program("scale", scale_program()), array, 1, 7);
    EXPECT_EQ(array.read(), numbers{42});
    EXPECT_EQ(fresh->compilations(), compilations);
    EXPECT_EQ(fresh->cache().hits(), 1 - compilations);
  }
}

TEST_F(OnCuda, WorksOnABorrowedStream) {
  std::string reason;
  const auto cuda = cuda_driver::open(reason);
  cu_context context = nullptr;
  cu_stream stream = nullptr;
  ASSERT_EQ(cuda->cuDevicePrimaryCtxRetain(&context, runtime->device().handle), 0);
  ASSERT_EQ(cuda->cuCtxSetCurrent(context), 0);
  ASSERT_EQ(cuda->cuStreamCreate(&stream, cu::stream_non_blocking), 0);
  {
    const auto on_it = open(stream);
    const device_array<std::uint32_t> array(*on_it, {6});
    scale(*on_it, *on_it->program("scale", scale_program()), array, 1, 7);
    std::uint32_t found = 0;  // the lender enqueues after us
    const auto from = static_cast<cu_pointer>(reinterpret_cast<std::uintptr_t>(array.handle()));
    ASSERT_EQ(cuda->cuMemcpyDtoHAsync(&found, from, 4, stream), 0);
    ASSERT_EQ(cuda->cuStreamSynchronize(stream), 0);
    EXPECT_EQ(found, 42u);
  }
  EXPECT_EQ(cuda->cuStreamSynchronize(stream), 0);  // it still exists
  EXPECT_EQ(cuda->cuStreamDestroy(stream), 0);
  EXPECT_EQ(cuda->cuCtxSetCurrent(nullptr), 0);
  EXPECT_EQ(cuda->cuDevicePrimaryCtxRelease(runtime->device().handle), 0);
}

// A kernel that writes to an invalid address destroys the process's CUDA context: these tests run
// in separate processes, which exit with 0 on success.
void expect_lost(bool wait_for_each) {
  const environment_variable wait("TROPIC_CUDA_SYNC", wait_for_each ? "1" : "0");
  std::string reason;
  const auto runtime = open_cuda(reason);
  device_program source = scale_program();
  source.text += "extern \"C\" __global__ void t_astray(unsigned* to) { *to = 1; }\n";
  const compiled_program* program = runtime->program("astray", source);
  const device_array<std::uint32_t> values(*runtime, {1});
  scale(*runtime, *program, values, 1, 2, "ewise");
  const std::uint64_t nowhere = 64;
  const kernel_argument astray[] = {nowhere};
  const std::string expected =
      wait_for_each ? "vxm: kernel t_astray on cuda:0" : "ewise or vxm on cuda:0";
  std::string first, later;
  try {
    runtime->launch("vxm", *program, "t_astray", astray, 1, 1);
    runtime->finish();
  } catch (const device_error& e) {
    first = e.what();
  }
  try {
    values.read();
  } catch (const device_error& e) {
    later = e.what();
  }
  const bool right = first.starts_with(expected) &&
                     first.find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos &&
                     later.find("can no longer be used by this context") != std::string::npos;
  if (!right) std::fprintf(stderr, "first: %s\nlater: %s\n", first.c_str(), later.c_str());
  if (!right) std::_Exit(1);
}

using OnCudaDeathTest = OnCuda;

TEST_F(OnCudaDeathTest, AnErrorNamesTheOperationAndTheContextIsLost) {
  runtime.reset();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const bool wait_for_each : {false, true})
    EXPECT_EXIT(
        {
          expect_lost(wait_for_each);  // destructors run after the context is lost
          std::_Exit(0);
        },
        ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tropic::testing
