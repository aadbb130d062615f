// SPDX-License-Identifier: Apache-2.0
#pragma once

// One OpenCL device at work: a context, an in-order queue, buffers, and the programs compiled so
// far. Thread-safe. Kernels are enqueued and not waited for; an error of one surfaces at the next
// synchronisation (finish, or a read), named after the operation that enqueued it.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/kernels/program.hpp"
#include "backends/kernels/program_cache.hpp"
#include "backends/opencl/enumerate.hpp"

namespace tropic::detail {

/// One kernel argument: a scalar, a struct or a cl_mem.
struct kernel_argument {
  std::size_t size;
  const void* data;
  template <class T>
  kernel_argument(const T& value) : size(sizeof(T)), data(&value) {}
  template <class T>
  kernel_argument(const std::vector<T>& words)
      : size(words.size() * sizeof(T)), data(words.data()) {}
};

class opencl_runtime {
 public:
  using notice = std::function<void(std::string_view)>;

  /// `name` ("opencl:0") stands in messages. Throws device_error.
  opencl_runtime(std::shared_ptr<const opencl_library> cl, opencl_device device, std::string name,
                 notice log);
  ~opencl_runtime();
  opencl_runtime(const opencl_runtime&) = delete;
  opencl_runtime& operator=(const opencl_runtime&) = delete;

  /// Throws out_of_memory with what is required and what is free.
  cl_mem allocate(std::size_t bytes);
  void release(cl_mem, std::size_t bytes) noexcept;
  void write(cl_mem to, const void* from, std::size_t bytes);
  void read(void* to, cl_mem from, std::size_t bytes);  // a synchronisation

  /// A compiled program. Null where it needs fp64 and the device has none.
  struct compiled;
  const compiled* program(const program_request&);
  const compiled* program(const std::string& memory_key, const device_program&);

  /// Enqueues `kernel` with `groups` groups of `group_size` for `operation` ("mxv").
  void launch(std::string_view operation, const compiled&, const char* kernel,
              std::span<const kernel_argument> arguments, std::size_t groups,
              std::size_t group_size);
  /// Waits for all that was enqueued; throws device_error if any of it failed.
  void finish();
  /// Watches an event on behalf of an operation, until the next synchronisation.
  void watch(cl_event event, std::string_view operation);

  /// A small buffer, to be passed where a kernel will not look.
  cl_mem nothing() const { return nothing_; }
  const opencl_device& device() const { return device_; }
  const opencl_library& library() const { return *cl_; }
  cl_context context() const { return context_; }
  const std::string& name() const { return name_; }
  std::string build_options() const;
  int compilations() const { return compilations_; }
  const program_cache& cache() const { return cache_; }

 private:
  struct pending {
    cl_event event;
    std::string operation;
  };

  std::unique_ptr<compiled> build(const device_program&);
  cl_program build_from_cache(const std::string& key);
  void save(const std::string& key, cl_program);
  void check_layout(const device_program&, const compiled&);
  [[noreturn]] void fail(std::string_view what, cl_int status) const;
  std::size_t free_bytes() const;
  void surface_errors();
  void forget_completed();

  std::shared_ptr<const opencl_library> cl_;
  opencl_device device_;
  std::string name_;
  program_cache cache_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_mem nothing_ = nullptr;
  std::mutex program_mutex_, launch_mutex_;
  std::atomic<std::size_t> allocated_{0};
  int compilations_ = 0;
  std::map<std::string, std::unique_ptr<compiled>> programs_;
  std::vector<pending> pending_;
};

struct opencl_runtime::compiled {
  compiled(const opencl_library& library, cl_program built) : cl(library), program(built) {}
  ~compiled();
  compiled(const compiled&) = delete;
  compiled& operator=(const compiled&) = delete;

  const opencl_library& cl;
  cl_program program;
  mutable std::map<std::string, cl_kernel, std::less<>> kernels;  // made when first launched
};

}  // namespace tropic::detail
