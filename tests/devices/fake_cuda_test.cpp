// SPDX-License-Identifier: Apache-2.0

// The CUDA runtime on the fake driver: copies, pool, launches, errors and their names, a lost
// context. Programs are compiled by the real NVRTC if it is installed; cuda_runtime_test.cpp tests
// their results on a real device.

#include <functional>

#include "cuda_fixture.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

using numbers = std::vector<std::uint32_t>;

constexpr int out_of_memory_status = 2, illegal_address = 700, launch_failed = 719;

TEST_F(FakeCuda, CopiesAreDoneWhenTheyReturn) {
  const auto runtime = open();
  numbers values{1, 2, 3};
  void* memory = runtime->allocate(12);
  runtime->to_device(memory, values.data(), 12);
  values = {7, 7, 7};  // the cache is not used any more
  runtime->to_host(values.data(), memory, 12);
  EXPECT_EQ(values, (numbers{1, 2, 3}));
  runtime->fill(memory, 0xab, 8);
  runtime->to_host(values.data(), memory, 12);
  EXPECT_EQ(values, (numbers{0xabababab, 0xabababab, 3}));
  runtime->deallocate(memory, 12);
  runtime->to_host(nullptr, runtime->nothing(), 0);
}

TEST_F(FakeCuda, ReportsItsTraits) {
  const auto runtime = open(1);
  const device_traits& traits = runtime->traits();
  EXPECT_EQ(runtime->name(), "cuda:1");
  EXPECT_EQ(traits.name, "Fake 1");
  EXPECT_EQ(traits.language, dialect::cuda);
  EXPECT_TRUE(traits.fp64);
  EXPECT_EQ(traits.local_bytes, 49152u);
  EXPECT_EQ(runtime->device().local_bytes_opt_in, 232448u);
  EXPECT_EQ(traits.group_limit, 1024u);
  EXPECT_EQ(traits.processors, 7u);
  EXPECT_EQ(traits.subgroup_size, 32u);
  EXPECT_EQ(traits.exchange, subgroup_exchange::shuffle);
}

TEST_F(FakeCuda, EverythingIsGivenBack) {
  {
    const auto one = open(), other = open(1);
    one->deallocate(one->allocate(1000), 1000);
    EXPECT_GT(fake->alive(), 0u);
  }
  EXPECT_EQ(fake->alive(), 0u);
}

TEST_F(FakeCuda, ARuntimeThatCannotBeMadeLeavesNothing) {
  for (const char* function : {"cuDevicePrimaryCtxRetain", "cuStreamCreate", "cuMemAlloc"})
    for (const int status : {999, out_of_memory_status}) {
      fake->fail(function, 1, status);
      EXPECT_THROW(open(), error) << function;
      EXPECT_EQ(fake->alive(), 0u) << function;
    }
  EXPECT_NE(open(), nullptr);
}

// --- memory ------------------------------------------------------------------------------------

TEST_F(FakeCuda, OutOfMemorySaysWhatIsRequiredAndFreeAndTheDeviceIsUsable) {
  const auto runtime = open();
  const std::string message = message_of<out_of_memory>([&] { runtime->allocate(10 * memory); });
  EXPECT_EQ(message, "cuda:0 (Fake 0): " + std::to_string(10 * memory) + " bytes required, " +
                         std::to_string(memory - fake->used(0)) + " bytes free");
  const device_array<std::uint32_t> usable(*runtime, {4, 5});
  EXPECT_EQ(usable.read(), (numbers{4, 5}));
}

TEST_F(FakeCuda, KeptMemoryIsReleasedWhenItIsNeeded) {
  const auto runtime = open();
  void* block = runtime->allocate(memory / 5);
  runtime->fill(block, 1, memory / 5);
  runtime->deallocate(block, memory / 5);  // while the fill is enqueued
  EXPECT_EQ(runtime->allocate(memory / 5), block);
  runtime->fill(block, 2, memory / 5);
  runtime->deallocate(block, memory / 5);
  EXPECT_GT(fake->used(0), memory / 5);
  void* large = runtime->allocate(memory / 10 * 9);  // fits only without the kept blocks
  EXPECT_EQ(runtime->pool().now().trimmed, 1u);
  runtime->deallocate(large, memory / 10 * 9);
}

TEST_F(FakeCudaPrograms, KeptMemoryIsReleasedWhenTheDriverNeedsSome) {
  const auto runtime = open();
  runtime->deallocate(runtime->allocate(5000), 5000);
  fake->fail("cuModuleLoadDataEx", 1, out_of_memory_status);
  const compiled_program* program = runtime->program("scale", scale_program());
  EXPECT_EQ(runtime->pool().now().kept, 0u);
  const device_array<std::uint32_t> values(*runtime, {2});
  runtime->deallocate(runtime->allocate(5000), 5000);
  fake->fail("cuLaunchKernel", 1, out_of_memory_status);
  scale(*runtime, *program, values, 1, 4);
  EXPECT_EQ(values.read(), numbers{8});
  EXPECT_EQ(runtime->pool().now().kept, 0u);
}

TEST_F(FakeCuda, AFailureOfTheAllocatorIsNoLackOfMemory) {
  const auto runtime = open();
  fake->fail("cuMemAlloc", 1, 999);
  EXPECT_EQ(message_of<device_error>([&] { runtime->allocate(5000); }),
            "allocation of 5120 bytes on cuda:0 (Fake 0): CUDA_ERROR_UNKNOWN (999)");
  EXPECT_NE(runtime->allocate(5000), nullptr);
}

// --- launches ----------------------------------------------------------------------------------

TEST_F(FakeCudaPrograms, ArgumentsAreCopiedAtTheLaunch) {
  const auto runtime = open();
  const compiled_program* program = runtime->program("scale", scale_program());
  const device_array<std::uint32_t> values(*runtime, {1, 2, 3});
  {
    std::uint32_t factor = 10;
    const std::uint64_t count = 2;
    const kernel_argument arguments[] = {count, factor, values.handle()};
    runtime->launch("scale", *program, "t_scale", arguments, 1, 128);
    factor = 99;
  }
  scale(*runtime, *program, values, 0, 5);  // no groups: nothing to do
  EXPECT_EQ(values.read(), (numbers{10, 20, 3}));
  EXPECT_EQ(fake->calls("cuLaunchKernel"), 1);
}

TEST_F(FakeCudaPrograms, WrongLaunchesAreNamedAndRefused) {
  const auto runtime = open();
  const compiled_program* program = runtime->program("scale", scale_program());
  const std::uint64_t wide = 1;
  const kernel_argument few[] = {wide}, wrong[] = {wide, wide, wide}, right[] = {wide, 3u, wide};
  const auto launched = [&](const char* kernel, std::span<const kernel_argument> arguments,
                            std::size_t groups, std::size_t size) {
    return message_of<device_error>(
        [&] { runtime->launch("mxv", *program, kernel, arguments, groups, size); });
  };
  EXPECT_EQ(launched("t_scale", few, 1, 32),
            "mxv: kernel t_scale on cuda:0 (Fake 0): 1 arguments, it takes 3");
  EXPECT_EQ(launched("t_scale", wrong, 1, 32),
            "mxv: kernel t_scale on cuda:0 (Fake 0): argument 1 has 8 bytes, it takes 4");
  EXPECT_EQ(launched("t_none", right, 1, 32),
            "mxv: kernel t_none on cuda:0 (Fake 0): CUDA_ERROR_NOT_FOUND (500)");
  EXPECT_EQ(launched("t_scale", right, 1, 2048),
            "mxv: kernel t_scale on cuda:0 (Fake 0): CUDA_ERROR_INVALID_VALUE (1)");
  EXPECT_NE(launched("t_scale", right, std::size_t{1} << 31, 32).find("2147483648 work-groups"),
            std::string::npos);
  EXPECT_NO_THROW(runtime->finish());
}

// More than 48 KiB of local memory need an attribute of the kernel, which is set once.
TEST_F(FakeCudaPrograms, LaunchesGetTheLocalMemoryThatTheyAskFor) {
  const auto runtime = open();
  const compiled_program* program = runtime->program("scale", scale_program());
  const device_array<std::uint32_t> values(*runtime, {1});
  const std::uint64_t count = 1;
  const std::uint32_t factor = 2;
  const kernel_argument arguments[] = {count, factor, values.handle()};
  const auto launch = [&](std::size_t local_space) {
    runtime->launch("mxv", *program, "t_scale", arguments, 1, 128, local_space);
  };
  launch(std::size_t{48} << 10);
  EXPECT_EQ(fake->calls("cuFuncSetAttribute"), 0);
  launch(200'000);
  launch(100'000);
  EXPECT_EQ(fake->calls("cuFuncSetAttribute"), 1);
  launch(200'001);
  EXPECT_EQ(values.read(), numbers{16});
  EXPECT_EQ(message_of<device_error>([&] { launch(300'000); }),
            "mxv: kernel t_scale on cuda:0 (Fake 0): CUDA_ERROR_INVALID_VALUE (1)");
}

// --- errors ------------------------------------------------------------------------------------

TEST_F(FakeCudaPrograms, AnErrorSurfacesAtTheNextSynchronisationWithTheOperation) {
  const auto runtime = open();
  const compiled_program* program = runtime->program("scale", scale_program());
  const device_array<std::uint32_t> values(*runtime, {1});
  scale(*runtime, *program, values, 1, 2, "ewise");
  runtime->finish();  // ewise succeeded
  fake->fail_kernels(illegal_address);
  scale(*runtime, *program, values, 1, 2, "mxv");
  scale(*runtime, *program, values, 1, 2, "mxv");
  const std::string message = message_of<device_error>([&] { runtime->finish(); });
  EXPECT_EQ(message,
            "mxv on cuda:0 (Fake 0): CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access "
            "was encountered");
}

TEST_F(FakeCudaPrograms, AnErrorThatSeveralOperationsMayHaveCausedNamesThemAll) {
  const auto runtime = open();
  const compiled_program* program = runtime->program("scale", scale_program());
  const device_array<std::uint32_t> values(*runtime, {1});
  fake->fail_kernels(launch_failed);
  scale(*runtime, *program, values, 1, 2, "mxv");
  runtime->fill(values.handle(), 0, 4);
  scale(*runtime, *program, values, 1, 2, "vxm");
  EXPECT_EQ(message_of<device_error>([&] { values.read(); }),
            "mxv, fill or vxm on cuda:0 (Fake 0): CUDA_ERROR_LAUNCH_FAILED (719) "
            "(TROPIC_CUDA_SYNC=1 shows which)");
}

TEST_F(FakeCudaPrograms, WithEachLaunchWaitedForTheErrorNamesTheKernel) {
  const environment_variable wait("TROPIC_CUDA_SYNC", "1");
  const auto runtime = open();
  const compiled_program* program = runtime->program("scale", scale_program());
  const device_array<std::uint32_t> values(*runtime, {1});
  scale(*runtime, *program, values, 1, 2, "mxv");
  fake->fail_kernels(launch_failed);
  EXPECT_EQ(message_of<device_error>([&] { scale(*runtime, *program, values, 1, 2, "vxm"); }),
            "vxm: kernel t_scale on cuda:0 (Fake 0): CUDA_ERROR_LAUNCH_FAILED (719)");
}

TEST_F(FakeCudaPrograms, ALostContextSaysSoAtEveryCallAndCanBeDestroyed) {
  {
    const auto runtime = open(), beside = open();
    const compiled_program* program = runtime->program("scale", scale_program());
    const device_array<std::uint32_t> values(*runtime, {1});
    fake->fail_kernels(illegal_address);
    scale(*runtime, *program, values, 1, 2, "mxv");
    EXPECT_THROW(runtime->finish(), device_error);
    std::uint32_t word = 0;
    const std::vector<std::function<void()>> calls = {
        [&] { runtime->finish(); },
        [&] { runtime->allocate(100); },
        [&] { runtime->fill(values.handle(), 0, 4); },
        [&] { runtime->to_host(&word, values.handle(), 4); },
        [&] { runtime->to_device(values.handle(), &word, 4); },
        [&] { scale(*runtime, *program, values, 1, 2); },
        [&] { runtime->program("other", scale_program("t_other")); },
        [&] { beside->finish(); },  // shares the device's context
        [&] { open(); }};
    for (std::size_t n = 0; n < calls.size(); ++n)
      EXPECT_TRUE(message_of<device_error>(calls[n]).starts_with(
          "cuda:0 (Fake 0) can no longer be used by this context: mxv on "))
          << n << message_of<device_error>(calls[n]);
  }
  EXPECT_EQ(fake->alive(), 0u);
  const auto reopened = open();
  const device_array<std::uint32_t> values(*reopened, {8});
  EXPECT_EQ(values.read(), numbers{8});
}

TEST_F(FakeCudaPrograms, AnErrorOfAnotherRuntimeOfTheDeviceNamesItsOperation) {
  const auto one = open(), other = open();
  const compiled_program* program = one->program("scale", scale_program());
  const device_array<std::uint32_t> values(*one, {1});
  const device_array<std::uint32_t> of_other(*other, {1});
  scale(*one, *program, values, 1, 2, "mxv");
  fake->fail_kernels(launch_failed);
  EXPECT_TRUE(message_of<device_error>([&] { other->finish(); }).starts_with("mxv on cuda:0"));
}

TEST_F(FakeCuda, AnErrorWithNothingEnqueuedIsTheSynchronisations) {
  const auto runtime = open();
  fake->fail_kernels(999);
  EXPECT_EQ(message_of<device_error>([&] { runtime->finish(); }),
            "synchronisation on cuda:0 (Fake 0): CUDA_ERROR_UNKNOWN (999)");
}

}  // namespace
}  // namespace tropic::testing
