// SPDX-License-Identifier: Apache-2.0
#pragma once

// The first usable OpenCL device, shared by the tests of one process; they are skipped by name if
// there is none. The disk cache is in a folder of this process.

#include <gtest/gtest.h>

#include <memory>

#include "backends/opencl/runtime.hpp"
#include "support/surroundings.hpp"

namespace tropic::testing {

/// A runtime of the first usable device; null if there is none. `change` may modify the description
/// of the device first.
inline std::unique_ptr<detail::opencl_runtime> open_runtime(
    detail::opencl_runtime::notice log = {}, void* queue = nullptr,
    const std::function<void(detail::opencl_device&)>& change = {}) {
  std::string reason;
  const auto cl = detail::opencl_library::open(reason);
  if (cl == nullptr) return nullptr;
  for (detail::opencl_device& d : detail::find_opencl_devices(*cl, reason)) {
    if (!d.usable) continue;
    if (change) change(d);
    return std::make_unique<detail::opencl_runtime>(cl, d, "opencl:0", std::move(log), queue);
  }
  return nullptr;
}

class OnOpenCL : public ::testing::Test {
 protected:
  void SetUp() override {
    static const environment_variable no_cache("TROPIC_CACHE", "off");
    static const std::shared_ptr<detail::opencl_runtime> shared = open_runtime();
    if (shared == nullptr) GTEST_SKIP() << "no usable OpenCL device";
    runtime = shared.get();
  }
  detail::opencl_runtime* runtime = nullptr;
};

/// A device buffer that holds a copy of bytes.
class device_bytes {
 public:
  device_bytes(detail::opencl_runtime& runtime, const void* from, std::size_t count)
      : runtime_(runtime),
        count_(count),
        memory_(static_cast<cl_mem>(runtime.allocate(count ? count : 1))) {
    if (count > 0) runtime.to_device(memory_, from, count);
  }
  device_bytes(detail::opencl_runtime& runtime, const std::vector<std::byte>& bytes)
      : device_bytes(runtime, bytes.data(), bytes.size()) {}
  ~device_bytes() { runtime_.deallocate(memory_, count_ ? count_ : 1); }
  device_bytes(const device_bytes&) = delete;
  device_bytes& operator=(const device_bytes&) = delete;

  const cl_mem& memory() const { return memory_; }
  std::vector<std::byte> read() const {
    std::vector<std::byte> bytes(count_);
    if (count_ > 0) runtime_.to_host(bytes.data(), memory_, count_);
    return bytes;
  }

 private:
  detail::opencl_runtime& runtime_;
  std::size_t count_;
  cl_mem memory_;
};

}  // namespace tropic::testing
