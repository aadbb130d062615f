// SPDX-License-Identifier: Apache-2.0

// The CUDA runtime on the fake driver: copies, pool, errors and their names, a lost context,
// streams, threads. Programs are compiled by the real NVRTC where there is one; what they compute
// is cuda_runtime_test.cpp's business, on a real device.

#include <thread>

#include "cuda_fixture.hpp"
#include "semiring_samples.hpp"

namespace tropic::test {
namespace {

using namespace tropic::detail;

using numbers = std::vector<std::uint32_t>;

constexpr int out_of_memory_status = 2, illegal_address = 700, launch_failed = 719;

class FakeCuda : public OnFakeDriver {
 protected:
  void SetUp() override {
    OnFakeDriver::SetUp();
    if (HasFatalFailure()) return;
    fake->define_kernel("t_scale", {8, 4, 8}, [](void** arguments) {
      std::uint64_t count = 0;
      std::uint32_t factor = 0;
      std::uint32_t* values = nullptr;
      std::memcpy(&count, arguments[0], sizeof(count));
      std::memcpy(&factor, arguments[1], sizeof(factor));
      std::memcpy(&values, arguments[2], sizeof(values));
      for (std::uint64_t n = 0; n < count; ++n) values[n] *= factor;
    });
  }
};

// Those that compile.
class FakeCudaPrograms : public FakeCuda {
 protected:
  void SetUp() override {
    FakeCuda::SetUp();
    std::string reason;
    if (!HasFatalFailure() && nvrtc::open(reason) == nullptr) GTEST_SKIP() << reason;
  }
};

TEST_F(FakeCuda, CopiesAreDoneWhenTheyReturn) {
  const auto runtime = open();
  numbers values{1, 2, 3};
  void* memory = runtime->allocate(12);
  runtime->to_device(memory, values.data(), 12);
  values = {7, 7, 7};  // no longer looked at
  runtime->to_host(values.data(), memory, 12);
  EXPECT_EQ(values, (numbers{1, 2, 3}));
  runtime->fill(memory, 0xab, 8);
  runtime->to_host(values.data(), memory, 12);
  EXPECT_EQ(values, (numbers{0xabababab, 0xabababab, 3}));
  runtime->deallocate(memory, 12);
  runtime->to_host(nullptr, runtime->nothing(), 0);
}

TEST_F(FakeCuda, TellsItsTraits) {
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
  EXPECT_EQ(traits.bunch, 32u);
  EXPECT_EQ(traits.exchange, bunch_exchange::shuffle);
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

TEST_F(FakeCuda, KeptMemoryGoesBackWhenItIsWanted) {
  const auto runtime = open();
  void* block = runtime->allocate(memory / 5);
  runtime->fill(block, 1, memory / 5);
  runtime->deallocate(block, memory / 5);  // while the fill is enqueued
  EXPECT_EQ(runtime->allocate(memory / 5), block);
  runtime->fill(block, 2, memory / 5);
  runtime->deallocate(block, memory / 5);
  EXPECT_GT(fake->used(0), memory / 5);
  void* large = runtime->allocate(memory / 10 * 9);  // only fits without what is kept
  EXPECT_EQ(runtime->pool().now().trimmed, 1u);
  runtime->deallocate(large, memory / 10 * 9);
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

// --- errors ------------------------------------------------------------------------------------

TEST_F(FakeCudaPrograms, AnErrorSurfacesAtTheNextSynchronisationWithTheOperation) {
  const auto runtime = open();
  const compiled_program* program = runtime->program("scale", scale_program());
  const device_array<std::uint32_t> values(*runtime, {1});
  scale(*runtime, *program, values, 1, 2, "ewise");
  runtime->finish();  // ewise ended well
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
            "(TROPIC_CUDA_SYNC=1 tells which)");
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
          "cuda:0 (Fake 0) is lost to this context, which takes no more work, since: mxv on "))
          << n << message_of<device_error>(calls[n]);
  }
  EXPECT_EQ(fake->alive(), 0u);
  const auto anew = open();
  const device_array<std::uint32_t> values(*anew, {8});
  EXPECT_EQ(values.read(), numbers{8});
}

TEST_F(FakeCudaPrograms, AnErrorOfAnotherRuntimeOfTheDeviceNamesItsOperation) {
  const auto one = open(), other = open();
  const compiled_program* program = one->program("scale", scale_program());
  const device_array<std::uint32_t> values(*one, {1});
  const device_array<std::uint32_t> own(*other, {1});
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

// --- programs ----------------------------------------------------------------------------------

TEST_F(FakeCudaPrograms, AreCompiledOnceAProcessAndOnceAMachine) {
  const temporary_folder folder;
  const environment_variable where("TROPIC_CACHE_DIR", folder.path().string());
  const environment_variable on("TROPIC_CACHE", "on");
  {
    const auto runtime = open();
    const compiled_program* first = runtime->program("scale", scale_program());
    EXPECT_EQ(runtime->program("scale", scale_program()), first);
    EXPECT_EQ(runtime->compilations(), 1);
  }
  {
    const auto runtime = open();
    const device_array<std::uint32_t> values(*runtime, {3});
    scale(*runtime, *runtime->program("scale", scale_program()), values, 1, 7);
    EXPECT_EQ(values.read(), numbers{21});
    EXPECT_EQ(runtime->compilations(), 0);
    EXPECT_EQ(runtime->cache().hits(), 1);
  }
  fake->fail("cuModuleLoadDataEx", 1, 200);  // the driver does not take what is kept
  EXPECT_TRUE(notices.empty());
  const auto runtime = open();
  EXPECT_NE(runtime->program("scale", scale_program()), nullptr);
  EXPECT_EQ(runtime->compilations(), 1);
  EXPECT_EQ(notices.size(), 1u);
}

TEST_F(FakeCudaPrograms, ManyThreadsCompileEachOnce) {
  const auto runtime = open();
  const semiring_description ring = describe_for_devices<plus_times<float>>();
  std::vector<const compiled_program*> found(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t)
    threads.emplace_back([&, t] {
      found[t] =
          runtime->program({.kernel = "csr_scalar", .semiring = &ring, .vector_first = t % 2 == 1});
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t t = 0; t < found.size(); ++t) EXPECT_EQ(found[t], found[t % 2]);
  EXPECT_NE(found[0], found[1]);
  EXPECT_EQ(runtime->compilations(), 2);
}

TEST_F(FakeCudaPrograms, ADeviceNewerThanNvrtcGetsPtxAndAnOlderOneAReason) {
  fake->set_capability(999);
  const auto runtime = open();
  EXPECT_NE(runtime->program("scale", scale_program()), nullptr);
  EXPECT_EQ(architecture_for(89, {75, 80, 90}), "compute_80");
  EXPECT_EQ(architecture_for(90, {75, 80, 90}), "sm_90");
  EXPECT_EQ(architecture_for(70, {75, 80, 90}), "");
  fake->set_capability(10);
  std::string reason;
  EXPECT_EQ(open_cuda(reason), nullptr);
  EXPECT_NE(reason.find("and newer, the device has 1.0"), std::string::npos) << reason;
}

TEST_F(FakeCudaPrograms, WhatDoesNotCompileOrLoadIsExplained) {
  const auto runtime = open();
  device_program broken = scale_program();
  broken.text += "this is no kernel\n";
  const std::string log = message_of<device_error>([&] { runtime->program("broken", broken); });
  EXPECT_NE(log.find("for scale:"), std::string::npos) << log;
  EXPECT_NE(log.find("error"), std::string::npos) << log;
  fake->fail("cuModuleLoadDataEx", 1, 200);
  const std::string refused =
      message_of<device_error>([&] { runtime->program("scale", scale_program()); });
  EXPECT_NE(refused.find("for sm_90: CUDA_ERROR_INVALID_IMAGE (200)"), std::string::npos)
      << refused;
  EXPECT_NE(runtime->program("scale", scale_program()), nullptr);  // tried again
}

TEST_F(FakeCudaPrograms, RecordsLaidOutOtherwiseAreRefused) {
  const semiring_description ring = describe_for_devices<semiring<mix_monoid<mixed>, mix>>();
  device_program program = make_program(dialect::cuda, {.kernel = "csr_scalar", .semiring = &ring});
  static std::vector<std::uint32_t> on_device;
  on_device = program.layout;
  fake->define_kernel("t_layout", {8}, [](void** arguments) {
    void* found = nullptr;
    std::memcpy(&found, arguments[0], sizeof(found));
    std::memcpy(found, on_device.data(), on_device.size() * sizeof(std::uint32_t));
  });
  const auto runtime = open();
  EXPECT_NE(runtime->program("records as they are", program), nullptr);
  ++on_device[2];
  EXPECT_THROW(runtime->program("records shifted", program), device_error);
}

// --- streams and threads -----------------------------------------------------------------------

template <class F>
F fake_symbol(const char* name) {
  void* library = dlopen(fake_library().c_str(), RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<F>(dlsym(library, name));
}

TEST_F(FakeCudaPrograms, WorksOnABorrowedStreamAndLeavesIt) {
  const auto lender = open();  // keeps the context alive
  void *context = nullptr, *stream = nullptr;
  fake_symbol<int (*)(void**, int)>("cuDevicePrimaryCtxRetain")(&context, 0);
  const auto set_current = fake_symbol<int (*)(void*)>("cuCtxSetCurrent");
  set_current(context);
  ASSERT_EQ(fake_symbol<int (*)(void**, unsigned)>("cuStreamCreate")(&stream, 1), 0);
  set_current(nullptr);
  {
    const long before = fake->calls("cuStreamCreate");
    const auto runtime = open(0, stream);
    EXPECT_EQ(fake->calls("cuStreamCreate"), before);
    const device_array<std::uint32_t> values(*runtime, {5});
    scale(*runtime, *runtime->program("scale", scale_program()), values, 1, 3);
    set_current(context);  // the lender waits for what we enqueued
    EXPECT_EQ(fake_symbol<int (*)(void*)>("cuStreamSynchronize")(stream), 0);
    set_current(nullptr);
    EXPECT_EQ(*static_cast<const std::uint32_t*>(values.handle()), 15u);  // fake memory is ours
    EXPECT_THROW(open(1, stream), device_error);                          // of another device
  }
  EXPECT_EQ(fake_symbol<int (*)(void*)>("cuStreamDestroy_v2")(stream), 0);
  fake_symbol<int (*)(int)>("cuDevicePrimaryCtxRelease_v2")(0);
}

TEST_F(FakeCuda, TheThreadsOwnContextStaysCurrent) {
  const auto set_current = fake_symbol<int (*)(void*)>("cuCtxSetCurrent");
  const auto get_current = fake_symbol<int (*)(void**)>("cuCtxGetCurrent");
  void *theirs = nullptr, *found = nullptr;
  fake_symbol<int (*)(void**, int)>("cuDevicePrimaryCtxRetain")(&theirs, 1);
  for (void* own : {theirs, static_cast<void*>(nullptr)}) {
    set_current(own);
    {
      const auto runtime = open(0);
      const device_array<std::uint32_t> values(*runtime, {5});
      get_current(&found);
      EXPECT_EQ(found, own);
      EXPECT_EQ(values.read(), numbers{5});
    }
    get_current(&found);
    EXPECT_EQ(found, own);
  }
  fake_symbol<int (*)(int)>("cuDevicePrimaryCtxRelease_v2")(1);
}

TEST_F(FakeCudaPrograms, ManyThreadsUseManyRuntimes) {
  const auto first = open(0), second = open(1), third = open(0);
  cuda_runtime* const runtimes[] = {first.get(), second.get(), third.get()};
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint32_t t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      cuda_runtime& runtime = *runtimes[t % 3];
      const compiled_program* program = runtime.program("scale", scale_program());
      for (std::uint32_t n = 1; n < 50; ++n) {
        const device_array<std::uint32_t> values(runtime, numbers(n, t));
        scale(runtime, *program, values, n, n);
        if (n % 2 == 0) runtime.finish();
        wrong += values.read() != numbers(n, t * n);
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tropic::test
