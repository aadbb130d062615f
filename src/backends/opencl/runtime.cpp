// SPDX-License-Identifier: Apache-2.0
#include "backends/opencl/runtime.hpp"

#include <algorithm>

#include <tropic/error.hpp>

namespace tropic::detail {

opencl_runtime::opencl_runtime(std::shared_ptr<const opencl_library> cl, opencl_device device,
                               std::string name, notice log)
    : cl_(std::move(cl)),
      device_(std::move(device)),
      name_(std::move(name)),
      cache_(std::move(log)) {
  traits_ = {.name = device_.name,
             .language = dialect::opencl,
             .fp64 = device_.fp64,
             .local_bytes = device_.local_bytes,
             .group_limit = device_.group_limit,
             .processors = device_.processors,
             .bunch = static_cast<std::uint32_t>(std::min<std::size_t>(16, device_.group_limit))};
  if (device_.shuffles) {
    traits_.bunch = 32;
    traits_.exchange = bunch_exchange::shuffle;
  }
  if (!device_.usable) throw device_error(name_ + ": " + device_.reason);
  cl_int status = CL_SUCCESS;
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device_.platform), 0};
  context_ = cl_->clCreateContext(properties, 1, &device_.device, nullptr, nullptr, &status);
  if (status != CL_SUCCESS) fail("context", status);
  queue_ = cl_->clCreateCommandQueue(context_, device_.device, 0, &status);
  if (status == CL_SUCCESS)
    nothing_ = cl_->clCreateBuffer(context_, CL_MEM_READ_WRITE, 64, nullptr, &status);
  if (status != CL_SUCCESS) {
    if (queue_ != nullptr) cl_->clReleaseCommandQueue(queue_);
    cl_->clReleaseContext(context_);
    fail("queue", status);
  }
}

opencl_runtime::~opencl_runtime() {
  cl_->clFinish(queue_);
  for (const pending& p : pending_) cl_->clReleaseEvent(p.event);
  programs_.clear();
  cl_->clReleaseMemObject(nothing_);
  cl_->clReleaseCommandQueue(queue_);
  cl_->clReleaseContext(context_);
}

void opencl_runtime::fail(std::string_view what, cl_int status) const {
  throw device_error(std::string(what) + " on " + name_ + " (" + device_.name +
                     "): " + opencl_error_name(status));
}

// --- memory ------------------------------------------------------------------------------------

std::size_t opencl_runtime::free_bytes() const {
  const std::size_t held = allocated_;
  return device_.memory > held ? device_.memory - held : 0;
}

// Drivers may allocate when a buffer is first used, and then fail in some later kernel. So what
// surely does not fit is refused here, by the sizes that the device states.
void* opencl_runtime::allocate(std::size_t bytes) {
  const std::size_t free = free_bytes();
  if (bytes > device_.largest_buffer)
    throw out_of_memory(bytes, std::min<std::size_t>(free, device_.largest_buffer),
                        name_ + ", largest single allocation");
  if (bytes > free) throw out_of_memory(bytes, free, name_);
  cl_int status = CL_SUCCESS;
  cl_mem made = cl_->clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &status);
  if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES ||
      status == CL_OUT_OF_HOST_MEMORY || status == CL_INVALID_BUFFER_SIZE)
    throw out_of_memory(bytes, free, name_);
  if (status != CL_SUCCESS) fail("allocation of " + std::to_string(bytes) + " bytes", status);
  allocated_ += bytes;
  return made;
}

void opencl_runtime::deallocate(void* memory, std::size_t bytes) noexcept {
  // The runtime keeps the memory until the commands that use it are done.
  cl_->clReleaseMemObject(static_cast<cl_mem>(memory));
  allocated_ -= bytes;
}

void opencl_runtime::to_device(void* memory, const void* from, std::size_t bytes) {
  const cl_int status = cl_->clEnqueueWriteBuffer(queue_, static_cast<cl_mem>(memory), CL_TRUE, 0,
                                                  bytes, from, 0, nullptr, nullptr);
  surface_errors();
  if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES)
    throw out_of_memory(bytes, free_bytes(), name_);
  if (status != CL_SUCCESS) fail("copy to the device", status);
}

void opencl_runtime::fill(void* memory, unsigned char value, std::size_t bytes) {
  const cl_int status = cl_->clEnqueueFillBuffer(queue_, static_cast<cl_mem>(memory), &value, 1, 0,
                                                 bytes, 0, nullptr, nullptr);
  if (status != CL_SUCCESS) fail("fill", status);
}

void opencl_runtime::to_host(void* to, const void* memory, std::size_t bytes) {
  cl_mem from = static_cast<cl_mem>(const_cast<void*>(memory));
  const cl_int status =
      cl_->clEnqueueReadBuffer(queue_, from, CL_TRUE, 0, bytes, to, 0, nullptr, nullptr);
  surface_errors();
  if (status != CL_SUCCESS) fail("copy from the device", status);
}

// --- the queue ---------------------------------------------------------------------------------

void opencl_runtime::launch(std::string_view operation, const compiled_program& chosen,
                            const char* kernel_name, std::span<const kernel_argument> arguments,
                            std::size_t groups, std::size_t group_size) {
  const auto& program = static_cast<const compiled&>(chosen);
  const std::lock_guard lock(launch_mutex_);  // a kernel's arguments are its state
  auto found = program.kernels.find(kernel_name);
  if (found == program.kernels.end()) {
    cl_int status = CL_SUCCESS;
    cl_kernel made = cl_->clCreateKernel(program.program, kernel_name, &status);
    if (status != CL_SUCCESS) fail(std::string(operation) + ": kernel " + kernel_name, status);
    found = program.kernels.emplace(kernel_name, made).first;
  }
  cl_kernel kernel = found->second;
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    const cl_int status =
        cl_->clSetKernelArg(kernel, static_cast<cl_uint>(n), arguments[n].size, arguments[n].data);
    if (status != CL_SUCCESS)
      fail(std::string(operation) + ": argument " + std::to_string(n) + " of " + kernel_name,
           status);
  }
  const std::size_t global = groups * group_size;
  cl_event event = nullptr;
  const cl_int status = cl_->clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global,
                                                    &group_size, 0, nullptr, &event);
  if (status != CL_SUCCESS) fail(operation, status);
  pending_.push_back({event, std::string(operation)});
  if (pending_.size() >= 256) forget_completed();
  cl_->clFlush(queue_);
}

void opencl_runtime::watch(cl_event event, std::string_view operation) {
  const std::lock_guard lock(launch_mutex_);
  pending_.push_back({event, std::string(operation)});
}

// Events that completed well need no watching; the others stay until the next synchronisation.
void opencl_runtime::forget_completed() {
  std::erase_if(pending_, [&](const pending& p) {
    cl_int state = CL_QUEUED;
    cl_->clGetEventInfo(p.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, nullptr);
    if (state == CL_COMPLETE) cl_->clReleaseEvent(p.event);
    return state == CL_COMPLETE;
  });
}

void opencl_runtime::surface_errors() {
  std::string operation;
  cl_int error = CL_SUCCESS;
  {
    const std::lock_guard lock(launch_mutex_);
    std::erase_if(pending_, [&](const pending& p) {
      cl_int state = CL_QUEUED;
      cl_->clGetEventInfo(p.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state,
                          nullptr);
      if (state > CL_COMPLETE) return false;  // another thread's, enqueued meanwhile
      if (state < 0 && error == CL_SUCCESS) {
        error = state;
        operation = p.operation;
      }
      cl_->clReleaseEvent(p.event);
      return true;
    });
  }
  if (error != CL_SUCCESS) fail(operation, error);
}

void opencl_runtime::finish() {
  const cl_int status = cl_->clFinish(queue_);
  surface_errors();
  if (status != CL_SUCCESS) fail("synchronisation", status);
}

}  // namespace tropic::detail
