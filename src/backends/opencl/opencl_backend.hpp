// SPDX-License-Identifier: Apache-2.0
#pragma once

// The OpenCL backend: products run on the device, everything else on the host by way of the CPU
// backend, the buffers moving lazily between the two.

#include <atomic>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/opencl/runtime.hpp"

namespace tropic::detail {

/// Device memory as buffers see it: the handle is a cl_mem.
class opencl_memory : public memory_resource {
 public:
  explicit opencl_memory(std::shared_ptr<opencl_runtime> runtime) : runtime_(std::move(runtime)) {}
  void* allocate(std::size_t bytes) override { return runtime_->allocate(bytes); }
  void deallocate(void* handle, std::size_t bytes) noexcept override {
    runtime_->release(static_cast<cl_mem>(handle), bytes);
  }
  void to_device(void* handle, const void* from, std::size_t bytes) override {
    runtime_->write(static_cast<cl_mem>(handle), from, bytes);
  }
  void to_host(void* to, const void* handle, std::size_t bytes) override {
    runtime_->read(to, static_cast<cl_mem>(const_cast<void*>(handle)), bytes);
  }

 private:
  std::shared_ptr<opencl_runtime> runtime_;
};

class opencl_backend : public cpu_backend {
 public:
  opencl_backend(context_state& context, std::shared_ptr<opencl_runtime> runtime)
      : cpu_backend(context, side::host), runtime_(std::move(runtime)) {}

  void multiply(vector_base& w, const product&, const vector_rule&,
                std::string_view kernel) override;
  std::span<const std::string_view> kernels() const override;
  void synchronize() override { runtime_->finish(); }

  opencl_runtime& runtime() { return *runtime_; }

 private:
  // t = the product over the rows of m, which are the output's positions. Rows whose byte in
  // `skip` is set get no entry. False where the device cannot compute the product's types.
  bool csr_scalar(vector_base& t, const product&, const matrix_base& m, const vector_base& u,
                  const buffer_pointer& skip);
  index_t count_present(std::string_view operation, const buffer_pointer& present, index_t size);
  // w<mask> accum= t. Stays on the device where t simply becomes w.
  void epilogue(vector_base& w, vector_base&& t, const vector_rule&);

  cl_mem read_device(const buffer_pointer& b) const;
  cl_mem write_device(const buffer_pointer& b) const;

  std::shared_ptr<opencl_runtime> runtime_;
  std::atomic<bool> told_of_fallback_{false};
};

}  // namespace tropic::detail
