// SPDX-License-Identifier: Apache-2.0

// The CUDA runtime on the fake driver: programs, streams, threads. See fake_cuda_test.cpp.

#include <atomic>
#include <thread>

#include "cuda_fixture.hpp"
#include "runtime_cases.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

using numbers = std::vector<std::uint32_t>;

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
  fake->fail("cuModuleLoadDataEx", 1, 200);  // the driver rejects the cached code
  EXPECT_TRUE(notices.empty());
  const auto runtime = open();
  EXPECT_NE(runtime->program("scale", scale_program()), nullptr);
  EXPECT_EQ(runtime->compilations(), 1);
  EXPECT_EQ(notices.size(), 1u);
}

TEST_F(FakeCudaPrograms, MayBeCompiledBeforeTheyAreAskedFor) {
  const auto runtime = open();
  const semiring_description semiring = describe_semiring(plus_times<float>{});
  const program_request request{.kernel = "csr_scalar", .semiring = &semiring},
      broken{.kernel = "broken", .text = "this is no kernel"};
  for (int n = 0; n < 2; ++n) {
    runtime->prepare(request);
    runtime->prepare(broken);
    EXPECT_NE(runtime->program(request), nullptr);
    EXPECT_EQ(runtime->compilations(), 1);
    EXPECT_THROW(runtime->program(broken), device_error);
  }
  // One that is never requested ends with the runtime.
  runtime->prepare({.kernel = "csr_scalar", .semiring = &semiring, .vector_first = true});
  EXPECT_TRUE(notices.empty());
}

TEST_F(FakeCudaPrograms, ManyThreadsCompileEachOnce) {
  expect_each_program_compiled_once(*open());
}

TEST_F(FakeCudaPrograms, ADeviceNewerThanNvrtcGetsPtxAndAnOlderOneAReason) {
  fake->set_capability(999);
  const auto runtime = open();
  EXPECT_NE(runtime->program("scale", scale_program()), nullptr);
  EXPECT_EQ(architecture_for(89, {75, 80, 90}), "compute_80");
  EXPECT_EQ(architecture_for(90, {75, 80, 90}), "sm_90");
  EXPECT_EQ(architecture_for(70, {75, 80, 90}), "");
  EXPECT_EQ(architecture_for(103, {80, 90}), "compute_90");
  EXPECT_EQ(architecture_for(90, {75, 80}), "");  // programs of such a device have clusters
  fake->set_capability(10);
  std::string reason;
  EXPECT_EQ(open_cuda(reason), nullptr);
  EXPECT_NE(reason.find(", the device has 1.0"), std::string::npos) << reason;
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
  EXPECT_NE(runtime->program("scale", scale_program()), nullptr);  // retried
}

TEST_F(FakeCudaPrograms, RecordsLaidOutOtherwiseAreRefused) {
  const semiring_description described = describe_semiring(semiring<mix_monoid<mixed>, mix>{});
  device_program program =
      make_program(dialect::cuda, {.kernel = "csr_scalar", .semiring = &described});
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
    set_current(context);  // the lender waits for our enqueued work
    EXPECT_EQ(fake_symbol<int (*)(void*)>("cuStreamSynchronize")(stream), 0);
    set_current(nullptr);
    EXPECT_EQ(*static_cast<const std::uint32_t*>(values.handle()),
              15u);                               // fake memory is host memory
    EXPECT_THROW(open(1, stream), device_error);  // of another device
  }
  EXPECT_EQ(fake_symbol<int (*)(void*)>("cuStreamDestroy_v2")(stream), 0);
  fake_symbol<int (*)(int)>("cuDevicePrimaryCtxRelease_v2")(0);
}

TEST_F(FakeCuda, TheThreadsOwnContextStaysCurrent) {
  const auto set_current = fake_symbol<int (*)(void*)>("cuCtxSetCurrent");
  const auto get_current = fake_symbol<int (*)(void**)>("cuCtxGetCurrent");
  void *theirs = nullptr, *found = nullptr;
  fake_symbol<int (*)(void**, int)>("cuDevicePrimaryCtxRetain")(&theirs, 1);
  for (void* users_context : {theirs, static_cast<void*>(nullptr)}) {
    set_current(users_context);
    {
      const auto runtime = open(0);
      const device_array<std::uint32_t> values(*runtime, {5});
      get_current(&found);
      EXPECT_EQ(found, users_context);
      EXPECT_EQ(values.read(), numbers{5});
    }
    get_current(&found);
    EXPECT_EQ(found, users_context);
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
}  // namespace tropic::testing
