// SPDX-License-Identifier: Apache-2.0
#include "backends/opencl/runtime.hpp"

#include <algorithm>

#include <tropic/error.hpp>

namespace tropic::detail {

namespace {

device_traits traits_of(const opencl_device& device) {
  device_traits traits{
      .name = device.name,
      .language = dialect::opencl,
      .fp64 = device.fp64,
      .atomics_64 = device.atomics_64,
      .local_bytes = device.local_bytes,
      .most_local_bytes = device.local_bytes,
      .group_limit = device.group_limit,
      .processors = device.processors,
      .subgroup_size = static_cast<std::uint32_t>(std::min<std::size_t>(16, device.group_limit))};
  if (device.shuffles) {
    traits.subgroup_size = 32;
    traits.exchange = subgroup_exchange::shuffle;
  }
  return traits;
}

}  // namespace

// --- the queue and its context -----------------------------------------------------------------

opencl_runtime::work_queue::work_queue(const opencl_runtime& runtime, void* borrowed)
    : cl(*runtime.cl_) {
  if (!runtime.device_.usable) throw device_error(runtime.name_ + ": " + runtime.device_.reason);
  if (borrowed == nullptr)
    make(runtime);
  else
    borrow(runtime, static_cast<cl_command_queue>(borrowed));
}

void opencl_runtime::work_queue::make(const opencl_runtime& runtime) {
  const opencl_device& device = runtime.device_;
  cl_int status = CL_SUCCESS;
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platform), 0};
  context = cl.clCreateContext(properties, 1, &device.device, nullptr, nullptr, &status);
  if (status != CL_SUCCESS) runtime.fail("context", status);
  handle = cl.clCreateCommandQueue(context, device.device, 0, &status);
  if (status == CL_SUCCESS) return;
  cl.clReleaseContext(context);
  runtime.fail("queue", status);
}

void opencl_runtime::work_queue::borrow(const opencl_runtime& runtime, cl_command_queue lent) {
  cl_device_id device = nullptr;
  cl_command_queue_properties properties = 0;
  const auto query = [&](cl_command_queue_info what, auto& value) {
    const cl_int status = cl.clGetCommandQueueInfo(lent, what, sizeof(value), &value, nullptr);
    if (status != CL_SUCCESS) runtime.fail("the borrowed queue", status);
  };
  query(CL_QUEUE_DEVICE, device);
  query(CL_QUEUE_PROPERTIES, properties);
  query(CL_QUEUE_CONTEXT, context);
  if (device != runtime.device_.device)
    throw device_error("the borrowed queue is not one of " + runtime.shown());
  if ((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0)
    throw device_error("the borrowed queue of " + runtime.shown() +
                       " runs out of order, one in order is needed");
  handle = lent;
  cl.clRetainContext(context);
  cl.clRetainCommandQueue(handle);
}

opencl_runtime::work_queue::~work_queue() {
  cl.clReleaseCommandQueue(handle);
  cl.clReleaseContext(context);
}

opencl_runtime::opencl_runtime(std::shared_ptr<const opencl_library> cl, opencl_device device,
                               std::string name, notice log, void* queue)
    : cl_(std::move(cl)),
      device_(std::move(device)),
      traits_(traits_of(device_)),
      name_(std::move(name)),
      cache_(std::move(log)),
      queue_(*this, queue),
      pool_(source(), shown(), memory_pool::worth_keeping(device_.memory)),
      nothing_(pool_.allocate(nothing_bytes)) {}

opencl_runtime::~opencl_runtime() {
  cl_->clFinish(queue_.handle);
  for (const pending& p : pending_) cl_->clReleaseEvent(p.event);
  programs_.clear();
  pool_.deallocate(nothing_);
}

void opencl_runtime::fail(std::string_view what, cl_int status) const {
  throw device_error(std::string(what) + " on " + shown() + ": " + opencl_error_name(status));
}

// --- memory ------------------------------------------------------------------------------------

bool opencl_runtime::lacks_memory(cl_int status) {
  return status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES ||
         status == CL_OUT_OF_HOST_MEMORY;
}

std::size_t opencl_runtime::free_bytes() const {
  const std::size_t held = taken_;
  return device_.memory > held ? device_.memory - held : 0;
}

// Drivers may allocate when a buffer is first used, and then fail in some later kernel. So what
// surely does not fit is refused here, by the sizes that the device states.
memory_source opencl_runtime::source() {
  return {.allocate = [this](std::size_t bytes) -> void* {
            if (bytes > device_.largest_buffer || bytes > free_bytes()) return nullptr;
            cl_int status = CL_SUCCESS;
            cl_mem buffer =
                cl_->clCreateBuffer(queue_.context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
            if (lacks_memory(status) || status == CL_INVALID_BUFFER_SIZE) return nullptr;
            if (status != CL_SUCCESS)
              fail("allocation of " + std::to_string(bytes) + " bytes", status);
            taken_ += bytes;
            return buffer;
          },
          .release =
              [this](void* memory, std::size_t bytes) {
                cl_->clReleaseMemObject(static_cast<cl_mem>(memory));
                taken_ -= bytes;
              },
          .free_bytes = [this] { return free_bytes(); },
          // A released buffer lives on until the commands that use it are done.
          .settle = [this] { settle(); }};
}

void opencl_runtime::settle() noexcept {
  cl_->clFinish(queue_.handle);
}

void opencl_runtime::require_own(const void* memory, std::size_t bytes, std::size_t) const {
  const auto mem = static_cast<cl_mem>(const_cast<void*>(memory));
  const std::string array = "an array of " + std::to_string(bytes) + " bytes given to " + shown();
  const auto query = [&](cl_mem_info what, auto& value) {
    const cl_int status = cl_->clGetMemObjectInfo(mem, what, sizeof(value), &value, nullptr);
    if (status == CL_INVALID_MEM_OBJECT) throw usage_error(array + " is not a cl_mem");
    if (status != CL_SUCCESS) fail("examination of a cl_mem", status);
  };
  cl_mem_object_type type = 0;
  cl_context context = nullptr;
  std::size_t size = 0;
  cl_mem_flags flags = 0;
  query(CL_MEM_TYPE, type);
  query(CL_MEM_CONTEXT, context);
  query(CL_MEM_SIZE, size);
  query(CL_MEM_FLAGS, flags);
  if (type != CL_MEM_OBJECT_BUFFER) throw usage_error(array + " is an image, not a buffer");
  if (context != queue_.context)
    throw usage_error(array +
                      " is of another OpenCL context; lend a queue of that one "
                      "(context_options::queue)");
  if (size < bytes) throw usage_error(array + " has only " + std::to_string(size));
  if ((flags & (CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0)
    throw usage_error(array +
                      " cannot be read: it was made with CL_MEM_WRITE_ONLY, "
                      "CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_NO_ACCESS");
}

void* opencl_runtime::allocate(std::size_t bytes) {
  if (bytes > device_.largest_buffer)  // no room in the pool would help
    throw out_of_memory(bytes, std::min<std::size_t>(free_bytes(), device_.largest_buffer),
                        shown() + ", largest single allocation");
  return pool_.allocate(bytes);
}

void opencl_runtime::deallocate(void* memory, std::size_t) noexcept {
  pool_.deallocate(memory);
}

void opencl_runtime::to_device(void* memory, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  sent_ += bytes;
  const cl_int status = with_room([&] {
    return cl_->clEnqueueWriteBuffer(queue_.handle, static_cast<cl_mem>(memory), CL_TRUE, 0, bytes,
                                     from, 0, nullptr, nullptr);
  });
  surface_errors();
  if (lacks_memory(status)) throw out_of_memory(bytes, free_bytes(), shown());
  if (status != CL_SUCCESS) fail("copy to the device", status);
}

void opencl_runtime::fill(void* memory, unsigned char value, std::size_t bytes) {
  if (bytes == 0) return;
  const cl_int status = with_room([&] {
    return cl_->clEnqueueFillBuffer(queue_.handle, static_cast<cl_mem>(memory), &value, 1, 0, bytes,
                                    0, nullptr, nullptr);
  });
  if (status != CL_SUCCESS) fail("fill", status);
}

void opencl_runtime::to_host(void* to, const void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  fetched_ += bytes;
  cl_mem from = static_cast<cl_mem>(const_cast<void*>(memory));
  const cl_int status =
      cl_->clEnqueueReadBuffer(queue_.handle, from, CL_TRUE, 0, bytes, to, 0, nullptr, nullptr);
  surface_errors();
  if (status != CL_SUCCESS) fail("copy from the device", status);
}

// --- kernels -----------------------------------------------------------------------------------

void opencl_runtime::launch(std::string_view operation, const compiled_program& chosen,
                            const char* kernel_name, std::span<const kernel_argument> arguments,
                            std::size_t groups, std::size_t group_size,
                            std::size_t /*local_space: the kernel declares it*/) {
  const auto& program = static_cast<const compiled&>(chosen);
  const std::lock_guard lock(launch_mutex_);  // a kernel's arguments are its state
  auto found = program.kernels.find(kernel_name);
  if (found == program.kernels.end()) {
    cl_int status = CL_SUCCESS;
    cl_kernel created = cl_->clCreateKernel(program.program, kernel_name, &status);
    if (status != CL_SUCCESS) fail(std::string(operation) + ": kernel " + kernel_name, status);
    found = program.kernels.emplace(kernel_name, created).first;
  }
  cl_kernel kernel = found->second;
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    const cl_int status =
        cl_->clSetKernelArg(kernel, static_cast<cl_uint>(n), arguments[n].size, arguments[n].data);
    if (status != CL_SUCCESS)
      fail(std::string(operation) + ": argument " + std::to_string(n) + " of " + kernel_name,
           status);
  }
  ++launched_;
  const std::size_t global = groups * group_size;
  cl_event event = nullptr;
  const cl_int status = with_room([&] {
    return cl_->clEnqueueNDRangeKernel(queue_.handle, kernel, 1, nullptr, &global, &group_size, 0,
                                       nullptr, &event);
  });
  if (status != CL_SUCCESS) fail(operation, status);
  pending_.push_back({event, std::string(operation)});
  if (pending_.size() >= 256) forget_completed();
  cl_->clFlush(queue_.handle);
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
  const cl_int status = cl_->clFinish(queue_.handle);
  surface_errors();
  if (status != CL_SUCCESS) fail("synchronisation", status);
}

}  // namespace tropic::detail
