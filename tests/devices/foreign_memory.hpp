// SPDX-License-Identifier: Apache-2.0
#pragma once

// Device memory allocated by another library: by CUDA driver calls in the primary context of the
// device, or in an OpenCL context whose queue is lent to Tropic.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "backends/cuda/driver.hpp"
#ifdef TROPIC_WITH_OPENCL
#include "backends/opencl/enumerate.hpp"
#endif

namespace tropic::testing {

class foreign_memory {
 public:
  virtual ~foreign_memory() = default;
  virtual context make_context() = 0;
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* handle) = 0;
  virtual void write(void* handle, const void* from, std::size_t bytes) = 0;
  virtual void read(void* to, const void* handle, std::size_t bytes) = 0;
  /// Handles of the same kind that the context cannot use, each with a part of the expected
  /// message.
  virtual std::vector<std::pair<void*, std::string>> unusable_handles(std::size_t bytes) = 0;
};

class foreign_cuda_memory : public foreign_memory {
 public:
  /// Null, and the reason, if there is none.
  static std::unique_ptr<foreign_cuda_memory> find(std::string& reason) {
    auto driver = detail::cuda_driver::open(reason);
    detail::cu_context primary = nullptr;
    if (driver == nullptr) return nullptr;
    if (driver->cuDevicePrimaryCtxRetain(&primary, 0) != 0) {
      reason = "no CUDA device";
      return nullptr;
    }
    return std::unique_ptr<foreign_cuda_memory>(
        new foreign_cuda_memory(std::move(driver), primary));
  }
  ~foreign_cuda_memory() override {
    for (void* other : others_) release(other);
    cuda_->cuCtxSetCurrent(nullptr);
    cuda_->cuDevicePrimaryCtxRelease(0);
  }
  context make_context() override { return context::cuda(0); }
  void* allocate(std::size_t bytes) override {
    detail::cu_pointer result = 0;
    EXPECT_EQ(in_context().cuMemAlloc(&result, bytes), 0);
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(result));
  }
  void release(void* handle) override { EXPECT_EQ(in_context().cuMemFree(address(handle)), 0); }
  void write(void* handle, const void* from, std::size_t bytes) override {
    with_stream([&](const detail::cuda_driver& cuda, detail::cu_stream stream) {
      EXPECT_EQ(cuda.cuMemcpyHtoDAsync(address(handle), from, bytes, stream), 0);
    });
  }
  void read(void* to, const void* handle, std::size_t bytes) override {
    with_stream([&](const detail::cuda_driver& cuda, detail::cu_stream stream) {
      EXPECT_EQ(cuda.cuMemcpyDtoHAsync(to, address(handle), bytes, stream), 0);
    });
  }
  std::vector<std::pair<void*, std::string>> unusable_handles(std::size_t bytes) override {
    others_.push_back(allocate(bytes + 8));
    host_.resize(bytes + 8);
    return {{static_cast<char*>(others_.back()) + 2, "is not a multiple of"},
            {host_.data(), "memory that CUDA does not know"}};
  }
  const detail::cuda_driver& in_context() {
    cuda_->cuCtxSetCurrent(primary_);
    return *cuda_;
  }

 private:
  foreign_cuda_memory(std::shared_ptr<const detail::cuda_driver> cuda, detail::cu_context primary)
      : cuda_(std::move(cuda)), primary_(primary) {}
  static detail::cu_pointer address(const void* handle) {
    return static_cast<detail::cu_pointer>(reinterpret_cast<std::uintptr_t>(handle));
  }
  template <class F>
  void with_stream(F f) {
    const detail::cuda_driver& cuda = in_context();
    detail::cu_stream stream = nullptr;
    ASSERT_EQ(cuda.cuStreamCreate(&stream, detail::cu::stream_non_blocking), 0);
    f(cuda, stream);
    EXPECT_EQ(cuda.cuStreamSynchronize(stream), 0);
    EXPECT_EQ(cuda.cuStreamDestroy(stream), 0);
  }

  std::shared_ptr<const detail::cuda_driver> cuda_;
  detail::cu_context primary_;
  std::vector<void*> others_;
  std::vector<double> host_;  // aligned for any type
};

#ifdef TROPIC_WITH_OPENCL
class foreign_opencl_memory : public foreign_memory {
 public:
  static std::unique_ptr<foreign_opencl_memory> find(std::string& reason) {
    auto cl = detail::opencl_library::open(reason);
    if (cl == nullptr) return nullptr;
    const auto found = detail::find_opencl_devices(*cl, reason);
    if (found.empty() || !found[0].usable) {
      if (!found.empty()) reason = found[0].reason;
      return nullptr;
    }
    return std::unique_ptr<foreign_opencl_memory>(
        new foreign_opencl_memory(std::move(cl), found[0]));
  }
  ~foreign_opencl_memory() override {
    for (void* other : others_) release(other);
    cl_->clReleaseCommandQueue(queue_);
    cl_->clReleaseContext(context_);
    cl_->clReleaseContext(other_context_);
  }
  context make_context() override {
    context_options options;
    options.queue = queue_;
    return context::opencl(0, options);
  }
  void* allocate(std::size_t bytes) override {
    return allocate(context_, bytes, CL_MEM_READ_ONLY);  // our kernels never write it
  }
  void release(void* handle) override {
    EXPECT_EQ(cl_->clReleaseMemObject(static_cast<cl_mem>(handle)), CL_SUCCESS);
  }
  void write(void* handle, const void* from, std::size_t bytes) override {
    EXPECT_EQ(cl_->clEnqueueWriteBuffer(queue_, static_cast<cl_mem>(handle), CL_TRUE, 0, bytes,
                                        from, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  void read(void* to, const void* handle, std::size_t bytes) override {
    EXPECT_EQ(cl_->clEnqueueReadBuffer(queue_, static_cast<cl_mem>(const_cast<void*>(handle)),
                                       CL_TRUE, 0, bytes, to, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  std::vector<std::pair<void*, std::string>> unusable_handles(std::size_t bytes) override {
    others_.push_back(allocate(other_context_, bytes, CL_MEM_READ_WRITE));
    others_.push_back(allocate(context_, bytes - 1, CL_MEM_READ_WRITE));
    others_.push_back(allocate(context_, bytes, CL_MEM_WRITE_ONLY));
    others_.push_back(allocate(context_, bytes, CL_MEM_READ_WRITE | CL_MEM_HOST_WRITE_ONLY));
    return {{others_[0], "is of another OpenCL context"},
            {others_[1], "has only " + std::to_string(bytes - 1)},
            {others_[2], "cannot be read"},
            {others_[3], "cannot be read"}};
  }

 private:
  foreign_opencl_memory(std::shared_ptr<const detail::opencl_library> cl,
                        const detail::opencl_device& device)
      : cl_(std::move(cl)),
        context_(make(device)),
        other_context_(make(device)),
        queue_(cl_->clCreateCommandQueue(context_, device.device, 0, nullptr)) {}
  cl_context make(const detail::opencl_device& device) {
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platform), 0};
    return cl_->clCreateContext(properties, 1, &device.device, nullptr, nullptr, nullptr);
  }
  void* allocate(cl_context in, std::size_t bytes, cl_mem_flags flags) {
    cl_int status = CL_SUCCESS;
    cl_mem result = cl_->clCreateBuffer(in, flags, bytes, nullptr, &status);
    EXPECT_EQ(status, CL_SUCCESS);
    return result;
  }

  std::shared_ptr<const detail::opencl_library> cl_;
  cl_context context_, other_context_;
  cl_command_queue queue_;
  std::vector<void*> others_;
};
#endif

/// For "cuda_0" or "opencl_0"; null, and the reason, if this machine does not have it.
inline std::unique_ptr<foreign_memory> find_foreign_memory(const std::string& device,
                                                           std::string& reason) {
  if (device == "cuda_0") return foreign_cuda_memory::find(reason);
#ifdef TROPIC_WITH_OPENCL
  return foreign_opencl_memory::find(reason);
#else
  reason = "built without OpenCL headers";
  return nullptr;
#endif
}

}  // namespace tropic::testing
