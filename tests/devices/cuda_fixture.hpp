// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUDA runtimes for tests: of this machine's first usable device, or of the fake driver, which is
// next to the test program.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <tropic/error.hpp>

#include "backends/cuda/runtime.hpp"
#include "fake_driver/fake_driver.hpp"
#include "support/surroundings.hpp"

namespace tropic::testing {

using detail::cuda_runtime;

/// A runtime of the driver's device `number`; null, and the reason, if there is none.
inline std::unique_ptr<cuda_runtime> open_cuda(std::string& reason, std::size_t number = 0,
                                               void* stream = nullptr,
                                               cuda_runtime::notice log = {}) {
  auto driver = detail::cuda_driver::open(reason);
  if (driver == nullptr) return nullptr;
  const std::vector<detail::cuda_device> found = detail::find_cuda_devices(*driver, reason);
  if (found.size() <= number) {
    if (!found.empty()) reason = "there are " + std::to_string(found.size()) + " CUDA devices";
    return nullptr;
  }
  auto compiler = std::make_shared<const detail::nvrtc_on_demand>();
  if (compiler->get() != nullptr) reason = why_not(found[number], *compiler->get());
  if (!reason.empty()) return nullptr;
  return std::make_unique<cuda_runtime>(driver, compiler, found[number],
                                        "cuda:" + std::to_string(number), std::move(log), stream);
}

inline std::filesystem::path fake_library() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libtropic_fake_cuda.so";
}

/// Tests on the fake driver, which is reset before each.
class OnFakeDriver : public ::testing::Test {
 protected:
  static constexpr std::size_t memory = std::size_t{1} << 20;

  void SetUp() override {
    void* library = dlopen(fake_library().c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    fake = static_cast<const fake_control*>(dlsym(library, "tropic_fake_control"));
    ASSERT_NE(fake, nullptr);
    fake->reset(memory);
  }
  void TearDown() override {
    if (fake == nullptr) return;
    EXPECT_EQ(fake->misuses(), 0);
    fake->reset(memory);
  }
  std::unique_ptr<cuda_runtime> open(std::size_t number = 0, void* stream = nullptr) {
    std::string reason;
    auto result = open_cuda(reason, number, stream, log);
    EXPECT_NE(result, nullptr) << reason;
    return result;
  }

  environment_variable library{"TROPIC_CUDA_LIBRARY", fake_library().string()};
  environment_variable no_cache{"TROPIC_CACHE", "off"}, no_programs{"TROPIC_PROGRAMS", "off"};
  std::vector<std::string> notices;
  cuda_runtime::notice log = [this](std::string_view m) { notices.emplace_back(m); };
  const fake_control* fake = nullptr;
};

/// With the kernel of scale_program, below.
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

/// Tests that compile programs.
class FakeCudaPrograms : public FakeCuda {
 protected:
  void SetUp() override {
    FakeCuda::SetUp();
    std::string reason;
    if (!HasFatalFailure() && detail::nvrtc::open(reason) == nullptr) GTEST_SKIP() << reason;
  }
};

/// A device array that holds a copy of `values`.
template <class T>
class device_array {
 public:
  device_array(detail::device_runtime& runtime, const std::vector<T>& values)
      : runtime_(runtime), count_(values.size()), handle_(runtime.allocate(count_ * sizeof(T))) {
    runtime_.to_device(handle_, values.data(), count_ * sizeof(T));
  }
  ~device_array() { runtime_.deallocate(handle_, count_ * sizeof(T)); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  void* const& handle() const { return handle_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    runtime_.to_host(values.data(), handle_, count_ * sizeof(T));
    return values;
  }

 private:
  detail::device_runtime& runtime_;
  std::size_t count_;
  void* handle_;
};

/// A program of one kernel: t_scale multiplies each of `count` values by `factor`.
inline detail::device_program scale_program(const std::string& name = "t_scale") {
  detail::device_program result;
  result.about = "scale";
  result.text = "extern \"C\" __global__ void " + name +
                "(unsigned long long count, unsigned factor, unsigned* values) {\n"
                "  const unsigned long long at =\n"
                "      (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  if (at < count) values[at] *= factor;\n}\n";
  return result;
}
inline void scale(cuda_runtime& runtime, const detail::compiled_program& program,
                  const device_array<std::uint32_t>& values, std::uint64_t count,
                  std::uint32_t factor, std::string_view operation = "scale") {
  const detail::kernel_argument arguments[] = {count, factor, values.handle()};
  runtime.launch(operation, program, "t_scale", arguments, (count + 127) / 128, 128);
}

}  // namespace tropic::testing
