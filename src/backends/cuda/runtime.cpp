// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/runtime.hpp"

#include <cstdlib>

#include <tropic/error.hpp>

#include "backends/cuda/loaded_program.hpp"

namespace tropic::detail {
namespace {

constexpr std::size_t most_groups = 2147483647;  // of a grid's first dimension

cu_pointer address(const void* memory) {
  return static_cast<cu_pointer>(reinterpret_cast<std::uintptr_t>(memory));
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

}  // namespace

// --- the context -------------------------------------------------------------------------------

cuda_runtime::in_context::in_context(const cuda_driver& cuda, cu_context wanted) : cuda_(cuda) {
  cuda_.cuCtxGetCurrent(&before_);
  changed_ = before_ != wanted;
  if (changed_) cuda_.cuCtxSetCurrent(wanted);  // where it fails, so does the call that follows
}
cuda_runtime::in_context::~in_context() {
  if (changed_) cuda_.cuCtxSetCurrent(before_);
}

cuda_runtime::primary_context::primary_context(const cuda_runtime& r) : runtime(r) {
  const cu_status status = r.cuda_->cuDevicePrimaryCtxRetain(&handle, r.device_.handle);
  if (status != 0)
    throw device_error("context on " + r.shown() + ": " + r.cuda_->error_text(status));
}
cuda_runtime::primary_context::~primary_context() {
  runtime.cuda_->cuDevicePrimaryCtxRelease(runtime.device_.handle);
}

cuda_runtime::work_stream::work_stream(cuda_runtime& r, void* borrowed)
    : runtime(r), context(r.primary_.handle), is_owned(borrowed == nullptr) {
  const cuda_driver& cuda = *r.cuda_;
  const auto require = [&](cu_status status, const char* what) {
    if (status != 0)
      throw device_error(what + (" on " + r.shown()) + ": " + cuda.error_text(status));
  };
  const in_context primary(cuda, context);
  if (is_owned) {
    r.launches_ = launch_log::of(context);
    r.refuse_if_lost();
    require(cuda.cuStreamCreate(&handle, cu::stream_non_blocking), "stream");
    return;
  }
  // A lent stream may be of a context that the caller made: then that is where we work.
  handle = static_cast<cu_stream>(borrowed);
  require(cuda.cuStreamGetCtx(handle, &context), "the borrowed stream");
  const in_context its(cuda, context);
  cu_device device = -1;
  require(cuda.cuCtxGetDevice(&device), "the borrowed stream");
  if (device != r.device_.handle)
    throw device_error("the borrowed stream is not one of " + r.shown());
  r.launches_ = launch_log::of(context);
  r.refuse_if_lost();
}
cuda_runtime::work_stream::~work_stream() {
  if (!is_owned && reached == nullptr) return;
  const in_context here(*runtime.cuda_, context);
  if (reached != nullptr) runtime.cuda_->cuEventDestroy(reached);
  if (is_owned) runtime.cuda_->cuStreamDestroy(handle);
}

cuda_runtime::cuda_runtime(std::shared_ptr<const cuda_driver> cuda,
                           std::shared_ptr<const nvrtc_on_demand> compiler, cuda_device device,
                           std::string name, notice log, void* stream)
    : cuda_(std::move(cuda)),
      compiler_(std::move(compiler)),
      device_(std::move(device)),
      name_(std::move(name)),
      traits_{.name = device_.name,
              .language = dialect::cuda,
              .fp64 = true,
              .atomics_64 = true,
              .local_bytes = device_.local_bytes,
              .most_local_bytes = device_.local_bytes_opt_in,
              .group_limit = device_.group_limit,
              .processors = device_.processors,
              .subgroup_size = device_.warp,
              .exchange = subgroup_exchange::shuffle,
              .groups_together = has_clusters(device_.capability) ? groups_of_cluster : 1},
      identity_("cuda\n" + device_.name + "\n" + cuda_->version()),
      wait_for_each_(is_set("TROPIC_CUDA_SYNC")),
      cache_(log),
      precompiled_(device_.capability, std::move(log)),
      primary_(*this),
      stream_(*this, stream),
      pool_(source(), shown(), memory_pool::worth_keeping(device_.memory)) {
  nothing_ = allocate(nothing_bytes);
}

cuda_runtime::~cuda_runtime() {
  const in_context here(*cuda_, stream_.context);
  const std::uint64_t all = launches_->mark();
  cuda_->cuStreamSynchronize(stream_.handle);
  launches_->settle(this, all);
  programs_.clear();
  pool_.deallocate(nothing_);
  pool_.trim();
}

// --- errors ------------------------------------------------------------------------------------

void cuda_runtime::refuse_if_lost() const {
  if (launches_->is_lost())
    throw device_error(shown() + " can no longer be used by this context: " + launches_->lost());
}

void cuda_runtime::fail_pending(cu_status status) const {
  const std::string operations = launches_->pending();
  const bool several = operations.find(" or ") != std::string::npos;
  const std::string message = (operations.empty() ? "synchronisation" : operations) + " on " +
                              shown() + ": " + cuda_->error_text(status) +
                              (several ? " (TROPIC_CUDA_SYNC=1 shows which)" : "");
  if (cuda_driver::ends_the_context(status)) launches_->lose(message);
  throw device_error(message);
}

void cuda_runtime::check(cu_status status, std::string_view what) const {
  if (status == 0) return;
  if (cuda_driver::ends_the_context(status)) fail_pending(status);
  throw device_error(std::string(what) + " on " + shown() + ": " + cuda_->error_text(status));
}

// --- memory ------------------------------------------------------------------------------------

memory_source cuda_runtime::source() {
  return {.allocate = [this](std::size_t bytes) -> void* {
            const in_context here(*cuda_, stream_.context);
            cu_pointer allocated = 0;
            const cu_status status = cuda_->cuMemAlloc(&allocated, bytes);
            if (status == cu::out_of_memory) return nullptr;
            check(status, "allocation of " + std::to_string(bytes) + " bytes");
            return reinterpret_cast<void*>(static_cast<std::uintptr_t>(allocated));
          },
          .release =
              [this](void* memory, std::size_t) {
                const in_context here(*cuda_, stream_.context);
                cuda_->cuMemFree(address(memory));  // a failure here recurs and is then reported
              },
          .free_bytes =
              [this] {
                const in_context here(*cuda_, stream_.context);
                std::size_t free = 0, total = 0;
                return cuda_->cuMemGetInfo(&free, &total) == 0 ? free : out_of_memory::unknown;
              },
          .settle = [this] { settle(); }};
}

void cuda_runtime::settle() noexcept {
  const in_context here(*cuda_, stream_.context);
  cuda_->cuStreamSynchronize(stream_.handle);
}

void cuda_runtime::settle_device() noexcept {
  const in_context here(*cuda_, stream_.context);
  cuda_->cuCtxSynchronize();
}

// The driver knows every pointer that is device memory, and of which device. That of a context is
// no other context's, but pools and managed memory belong to none.
void cuda_runtime::require_own(const void* memory, std::size_t bytes, std::size_t alignment) const {
  refuse_if_lost();
  const in_context here(*cuda_, stream_.context);
  const cu_pointer at = address(memory);
  const std::string array = "an array of " + std::to_string(bytes) + " bytes given to " + shown();
  if (at % alignment != 0)
    throw usage_error(array + ": its address is not a multiple of " + std::to_string(alignment));
  unsigned type = 0, managed = 0;
  const cu_status status = cuda_->cuPointerGetAttribute(&type, cu::pointer_memory_type, at);
  if (status == cu::invalid_value)
    throw usage_error(array + " is in memory that CUDA does not know; host arrays are array_views");
  check(status, "examination of a pointer");
  if (cuda_->cuPointerGetAttribute(&managed, cu::pointer_is_managed, at) != 0) managed = 0;
  if (managed != 0) return;
  if (type != cu::device_memory_type)
    throw usage_error(array + " is in the host's memory; host arrays are array_views");
  int number = 0;
  cu_device device = device_.handle;
  if (cuda_->cuPointerGetAttribute(&number, cu::pointer_device, at) == 0)
    cuda_->cuDeviceGet(&device, number);
  if (device != device_.handle)
    throw usage_error(array + " is on another CUDA device, number " + std::to_string(number));
  cu_context owner = nullptr;
  if (cuda_->cuPointerGetAttribute(&owner, cu::pointer_context, at) == 0 && owner != nullptr &&
      owner != stream_.context)
    throw usage_error(array + " belongs to another CUDA context of the device");
}

void* cuda_runtime::allocate(std::size_t bytes) {
  refuse_if_lost();
  return pool_.allocate(bytes);
}

void cuda_runtime::deallocate(void* memory, std::size_t) noexcept {
  pool_.deallocate(memory);
}

// Waited for: the host's array may be pinned, and then the driver reads it later than it returns.
void cuda_runtime::to_device(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  sent_ += bytes;
  refuse_if_lost();
  const in_context here(*cuda_, stream_.context);
  check(cuda_->cuMemcpyHtoDAsync(address(to), from, bytes, stream_.handle), "copy to the device");
  synchronize();
}

void cuda_runtime::to_host(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  fetched_ += bytes;
  refuse_if_lost();
  const in_context here(*cuda_, stream_.context);
  check(cuda_->cuMemcpyDtoHAsync(to, address(from), bytes, stream_.handle), "copy from the device");
  synchronize();
}

// --- the stream --------------------------------------------------------------------------------

cuda_runtime::kernel& cuda_runtime::kernel_of(const loaded_program& program, const char* name,
                                              std::string_view operation) {
  const auto found = program.kernels.find(name);
  if (found != program.kernels.end()) return found->second;
  kernel created;
  check(cuda_->cuModuleGetFunction(&created.function, program.module, name),
        std::string(operation) + ": kernel " + name);
  if (cuda_->cuFuncGetParamInfo != nullptr) {
    std::size_t offset = 0, size = 0;
    cu_status status = 0;
    std::vector<std::size_t> sizes;
    while ((status = cuda_->cuFuncGetParamInfo(created.function, sizes.size(), &offset, &size)) ==
           0)
      sizes.push_back(size);
    if (status == cu::invalid_value)
      created.parameters = std::move(sizes);  // that was the last one
  }
  return program.kernels.emplace(name, std::move(created)).first->second;
}

void cuda_runtime::launch(std::string_view operation, const compiled_program& program,
                          const char* kernel_name, std::span<const kernel_argument> arguments,
                          std::size_t groups, std::size_t group_size, std::size_t local_space) {
  refuse_if_lost();
  const auto described = [&] { return std::string(operation) + ": kernel " + kernel_name; };
  if (groups > most_groups)
    throw device_error(described() + " on " + shown() + ": " + std::to_string(groups) +
                       " work-groups, at most " + std::to_string(most_groups) + " can be launched");
  const in_context here(*cuda_, stream_.context);
  const std::lock_guard lock(launch_mutex_);
  kernel& found = kernel_of(static_cast<const loaded_program&>(program), kernel_name, operation);
  if (const std::string reason = found.mismatch(arguments); !reason.empty())
    throw device_error(described() + " on " + shown() + ": " + reason);
  if (groups == 0) return;
  if (local_space > found.local_space) {
    check(cuda_->cuFuncSetAttribute(found.function, cu::most_dynamic_shared_memory,
                                    static_cast<int>(local_space)),
          described());
    found.local_space = local_space;
  }
  pointers_.clear();
  for (const kernel_argument& argument : arguments)
    pointers_.push_back(const_cast<void*>(argument.data));
  ++launched_;
  launches_->note(this, wait_for_each_ ? std::string_view(described()) : operation);
  const cu_status status = with_room([&] {
    return cuda_->cuLaunchKernel(
        found.function, static_cast<unsigned>(groups), 1, 1, static_cast<unsigned>(group_size), 1,
        1, static_cast<unsigned>(local_space), stream_.handle, pointers_.data(), nullptr);
  });
  if (status != 0) check(status, described());
  if (wait_for_each_) wait_until(launches_->mark());
}

void cuda_runtime::fill(void* memory, unsigned char value, std::size_t bytes) {
  if (bytes == 0) return;
  refuse_if_lost();
  const in_context here(*cuda_, stream_.context);
  const std::lock_guard lock(launch_mutex_);
  launches_->note(this, "fill");
  check(cuda_->cuMemsetD8Async(address(memory), value, bytes, stream_.handle), "fill");
  if (wait_for_each_) wait_until(launches_->mark());
}

void cuda_runtime::wait_until(std::uint64_t mark) {
  if (const cu_status status = cuda_->cuStreamSynchronize(stream_.handle); status != 0)
    fail_pending(status);
  launches_->settle(this, mark);
}

void cuda_runtime::synchronize() {
  std::uint64_t enqueued = 0;
  {
    const std::lock_guard lock(launch_mutex_);
    enqueued = launches_->mark();
  }
  wait_until(enqueued);
}

// A wait on an event is for its last record before the wait: one event serves all calls.
void cuda_runtime::precede(void* queue) {
  if (queue == stream_.handle) return;
  refuse_if_lost();
  const in_context here(*cuda_, stream_.context);
  const std::lock_guard lock(launch_mutex_);
  if (stream_.reached == nullptr)
    check(cuda_->cuEventCreate(&stream_.reached, cu::event_without_time), "event");
  check(cuda_->cuEventRecord(stream_.reached, stream_.handle), "event");
  check(cuda_->cuStreamWaitEvent(static_cast<cu_stream>(queue), stream_.reached, 0),
        "wait of a stream that reads results");
}

void cuda_runtime::finish() {
  refuse_if_lost();
  const in_context here(*cuda_, stream_.context);
  synchronize();
}

}  // namespace tropic::detail
