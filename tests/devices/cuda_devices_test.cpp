// SPDX-License-Identifier: Apache-2.0

// Detection of CUDA: each missing part is named, every device has its own reason, and creating a
// context fails with it.

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <tropic/context.hpp>

#include "backends/cuda/cuda.hpp"
#include "backends/opencl/opencl.hpp"
#include "cuda_fixture.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

using namespace tropic::detail;

TEST(CudaDriver, WhatIsMissingIsNamed) {
  std::string reason;
  {
    const environment_variable missing("TROPIC_CUDA_LIBRARY", "/nowhere/libcuda.so.1");
    EXPECT_EQ(cuda_driver::open(reason), nullptr);
    EXPECT_EQ(reason, "/nowhere/libcuda.so.1 cannot be opened");
  }
  const environment_variable other("TROPIC_CUDA_LIBRARY", "libm.so.6");
  EXPECT_EQ(cuda_driver::open(reason), nullptr);
  EXPECT_EQ(reason, "libm.so.6 has no cuInit: a driver of CUDA 11 or newer is needed");
}

// The toolkit's stub has every symbol of the driver but fails to start: the test requests a symbol
// that does not exist. In a separate process: once loaded, the stub would be taken for the driver.
TEST(CudaDriverDeathTest, EverySymbolIsOneOfTheDrivers) {
  const char* stub = "/usr/local/cuda/lib64/stubs/libcuda.so";
  if (!std::filesystem::exists(stub)) GTEST_SKIP() << "there is no CUDA toolkit";
  const auto open_stub = [stub] {
    const environment_variable library("TROPIC_CUDA_LIBRARY", stub);
    std::string reason;
    const bool opened = cuda_driver::open(reason) != nullptr;
    std::fprintf(stderr, "%s\n", opened ? "it opened" : reason.c_str());
    std::_Exit(0);
  };
  EXPECT_EXIT(open_stub(), ::testing::ExitedWithCode(0), "^the CUDA driver does not start: ");
}

TEST(CudaContext, WithoutADriverThereIsAReasonThatNamesBothParts) {
  const environment_variable no_driver("TROPIC_CUDA_LIBRARY", "/nowhere/libcuda.so.1");
  const environment_variable no_compiler("TROPIC_NVRTC_LIBRARY", "/nowhere/libnvrtc.so");
  const std::string reason =
      "/nowhere/libcuda.so.1 cannot be opened; NVRTC cannot be opened (tried "
      "/nowhere/libnvrtc.so)";
  const std::vector<device_info> listed = cuda_devices();
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_FALSE(listed[0].available);
  EXPECT_EQ(listed[0].reason, reason);
  EXPECT_EQ(message_of<device_error>([] { context::cuda(); }), "cuda:0: " + reason);
  EXPECT_EQ(message_of<device_error>([] { context::named("cuda:7"); }), "cuda:7: " + reason);
}

class FakeCudaDevices : public OnFakeDriver {};

TEST_F(FakeCudaDevices, AreListedWithTheirMemory) {
  fake->reset(std::size_t{3} << 29);
  const std::vector<device_info> listed = cuda_devices();
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed[0].name, "cuda:0");
  EXPECT_EQ(listed[1].name, "cuda:1");
  EXPECT_EQ(listed[1].description, "Fake 1 (1.5 GiB, 7 multiprocessors)");
}

TEST_F(FakeCudaDevices, WithoutNvrtcNoneIsAvailable) {
  const environment_variable no_compiler("TROPIC_NVRTC_LIBRARY", "/nowhere/libnvrtc.so");
  for (const device_info& d : cuda_devices()) {
    EXPECT_FALSE(d.available);
    EXPECT_EQ(d.reason, "NVRTC cannot be opened (tried /nowhere/libnvrtc.so)");
  }
  EXPECT_TRUE(message_of<device_error>([] {
                context::cuda(1);
              }).starts_with("cuda:1 (Fake 1): NVRTC cannot be opened"));
}

TEST_F(FakeCudaDevices, EachNumberHasItsOwnReason) {
  EXPECT_EQ(message_of<device_error>([] { context::named("cuda:7"); }),
            "cuda:7: there are 2 CUDA devices, numbered from 0");
  EXPECT_EQ(message_of<device_error>([] { context::cuda(-1); }),
            "cuda:-1: there are 2 CUDA devices, numbered from 0");
  fake->fail("cuDeviceGet", 2, 999);  // the second one is absent
  EXPECT_EQ(message_of<device_error>([] { context::cuda(1); }),
            "cuda:1: there is one CUDA device, number 0");
}

TEST_F(FakeCudaDevices, ADriverThatDoesNotStartIsNamed) {
  fake->fail("cuInit", 1, 100);
  const std::vector<device_info> listed = cuda_devices();
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_TRUE(listed[0].reason.starts_with(
      "the CUDA driver does not start: CUDA_ERROR_NO_DEVICE (100); NVRTC "))
      << listed[0].reason;
}

// --- the device selected by default ----------------------------------------------------------

class Automatic : public FakeCudaDevices {
 protected:
  context make(const std::string& name = "auto") {
    return context::named(name, {.threads = 2, .log = log});
  }
  const std::string nowhere = "/nowhere/library.so";
};

TEST_F(Automatic, WithoutADeviceTheCpuIsSelectedAndOneNoticeGivesTheReason) {
  const environment_variable no_cuda("TROPIC_CUDA_LIBRARY", nowhere),
      no_compiler("TROPIC_NVRTC_LIBRARY", nowhere), no_opencl("TROPIC_OPENCL_LIBRARY", nowhere);
  EXPECT_EQ(make().name(), "cpu");
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0], "device: cpu with 2 threads; no other device can be used (cuda:0: " +
                            cuda_devices()[0].reason + "; opencl:0: " + opencl_devices()[0].reason +
                            ")");
}

TEST_F(Automatic, ACpuUnderAnotherApiIsNotSelected) {
  const environment_variable no_cuda("TROPIC_CUDA_LIBRARY", nowhere);
  const std::vector<device_info> listed = opencl_devices();
  if (!std::ranges::all_of(listed, [](const auto& d) { return d.available && d.is_cpu; }))
    GTEST_SKIP() << "there is an OpenCL device that is no CPU, or none at all";
  EXPECT_EQ(make().name(), "cpu");
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("; opencl:0: this is the CPU"), std::string::npos) << notices[0];
  EXPECT_EQ(make(listed[0].name).name(), "opencl:0");  // it is available by name
}

TEST_F(Automatic, AUsableDeviceIsSelected) {
  std::string reason;
  if (nvrtc::open(reason) == nullptr) GTEST_SKIP() << reason;
  EXPECT_EQ(make().name(), "cuda:0");
  EXPECT_EQ(notices, std::vector<std::string>{"device: cuda:0, " + cuda_devices()[0].description});
}

TEST_F(Automatic, ADeviceThatFailsIsPassedOver) {
  std::string reason;
  if (nvrtc::open(reason) == nullptr) GTEST_SKIP() << reason;
  fake->fail("cuStreamCreate", 1, 999);
  EXPECT_EQ(make().name(), "cuda:1");
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_TRUE(notices[0].starts_with("device: cuda:1, Fake 1 (")) << notices[0];
  EXPECT_TRUE(notices[0].ends_with(" (stream on cuda:0 (Fake 0): CUDA_ERROR_UNKNOWN (999))"))
      << notices[0];
}

TEST_F(Automatic, ABorrowedQueueNeedsItsDevice) {
  int queue = 0;
  EXPECT_THROW(context::automatic({.queue = &queue}), usage_error);
}

}  // namespace
}  // namespace tropic::testing
