// SPDX-License-Identifier: Apache-2.0
#pragma once

// One OpenCL device at work: an in-order queue (its own, or one that the caller lends) and its
// context, pooled buffers, and the programs compiled so far. Thread-safe. Kernels are enqueued and
// not waited for; an error of one surfaces at the next synchronisation (finish, or a read), named
// after the operation that enqueued it.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/memory_pool.hpp"
#include "backends/device/program/program_cache.hpp"
#include "backends/device/program/program_table.hpp"
#include "backends/device/runtime.hpp"
#include "backends/opencl/enumerate.hpp"

namespace tropic::detail {

class opencl_runtime : public device_runtime {
 public:
  using notice = std::function<void(std::string_view)>;

  /// `name` ("opencl:0") is used in messages. `queue`: an in-order cl_command_queue of that device
  /// to work on, retained meanwhile, or null for one of our own. Throws device_error.
  opencl_runtime(std::shared_ptr<const opencl_library> cl, opencl_device device, std::string name,
                 notice log, void* queue = nullptr);
  ~opencl_runtime() override;
  opencl_runtime(const opencl_runtime&) = delete;
  opencl_runtime& operator=(const opencl_runtime&) = delete;

  void* allocate(std::size_t bytes) override;
  void deallocate(void* memory, std::size_t bytes) noexcept override;
  void to_device(void* memory, const void* from, std::size_t bytes) override;
  void to_host(void* to, const void* memory, std::size_t bytes) override;
  void fill(void* memory, unsigned char value, std::size_t bytes) override;

  void require_own(const void* memory, std::size_t bytes, std::size_t alignment) const override;
  void settle() noexcept override;

  struct compiled;
  const compiled_program* program(const program_request&) override;
  const compiled_program* program(const std::string& key, const device_program&);

  void launch(std::string_view operation, const compiled_program&, const char* kernel,
              std::span<const kernel_argument> arguments, std::size_t groups,
              std::size_t group_size, std::size_t local_space = 0) override;
  void finish() override;
  /// Watches an event on behalf of an operation, until the next synchronisation.
  void watch(cl_event event, std::string_view operation);

  void* nothing() override { return nothing_; }
  const device_traits& traits() const override { return traits_; }
  const opencl_device& device() const { return device_; }
  const opencl_library& library() const { return *cl_; }
  cl_context context() const { return queue_.context; }
  const std::string& name() const override { return name_; }
  std::string identity() const override { return device_.identity(); }
  std::string build_options() const;
  int compilations() const override { return compilations_; }
  const program_cache& cache() const { return cache_; }
  memory_pool& pool() { return pool_; }

 private:
  std::uint64_t blocks_taken() const override { return pool_.now().taken; }
  struct pending {
    cl_event event;
    std::string operation;
  };
  // Both are retained; a lent queue brings its own context.
  struct work_queue {
    work_queue(const opencl_runtime&, void* borrowed);
    ~work_queue();
    work_queue(const work_queue&) = delete;
    work_queue& operator=(const work_queue&) = delete;

    const opencl_library& cl;
    cl_context context = nullptr;
    cl_command_queue handle = nullptr;

   private:
    void make(const opencl_runtime&);
    void borrow(const opencl_runtime&, cl_command_queue);
  };

  std::unique_ptr<compiled_program> build(const device_program&);
  cl_program compile(const device_program&);
  cl_program build_from_cache(const std::string& key);
  void save(const std::string& key, cl_program);
  memory_source source();
  template <class Call>
  cl_int with_room(Call call) {
    return pool_.with_room(call, lacks_memory);
  }
  static bool lacks_memory(cl_int status);
  std::string shown() const { return name_ + " (" + device_.name + ")"; }
  [[noreturn]] void fail(std::string_view what, cl_int status) const;
  std::size_t free_bytes() const;
  void surface_errors();
  void forget_completed();

  std::shared_ptr<const opencl_library> cl_;
  opencl_device device_;
  device_traits traits_;
  std::string name_;
  program_cache cache_;
  std::atomic<int> compilations_{0};
  std::mutex launch_mutex_;
  std::vector<pending> pending_;
  std::atomic<std::size_t> taken_{0};  // bytes of all buffers, those that the pool keeps as well
  // From here on in the order in which they need each other.
  work_queue queue_;
  memory_pool pool_;
  program_table programs_;
  void* nothing_ = nullptr;
};

struct opencl_runtime::compiled : compiled_program {
  compiled(const opencl_library& library, cl_program built) : cl(library), program(built) {}
  ~compiled() override;
  compiled(const compiled&) = delete;
  compiled& operator=(const compiled&) = delete;

  const opencl_library& cl;
  cl_program program;
  mutable std::map<std::string, cl_kernel, std::less<>> kernels;  // made when first launched
};

}  // namespace tropic::detail
