// SPDX-License-Identifier: Apache-2.0
#pragma once

// One CUDA device at work: the device's primary context, an in-order stream (its own, or one that
// the caller lends), pooled memory, and the programs compiled so far. The calling thread's current
// context is set for each call and put back after it, so that several devices, threads and other
// users of CUDA do not meet.
//
// Errors. CUDA reports the failure of a kernel at some later call, and does not say of which
// kernel. So the names of the operations enqueued since the last wait are kept, and the error
// names the one or the few that it can be; with TROPIC_CUDA_SYNC=1 every launch is waited for, and
// the error names the operation and the kernel. After an error of that kind the context is lost:
// every later call says so, and nothing but destroying the runtime is of use.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "backends/cuda/enumerate.hpp"
#include "backends/cuda/launch_log.hpp"
#include "backends/device/memory_pool.hpp"
#include "backends/device/program/background_compilations.hpp"
#include "backends/device/program/precompiled_programs.hpp"
#include "backends/device/program/program_cache.hpp"
#include "backends/device/program/program_table.hpp"
#include "backends/device/runtime.hpp"

namespace tropic::detail {

class cuda_runtime : public device_runtime {
 public:
  using notice = std::function<void(std::string_view)>;

  /// `name` ("cuda:0") is used in messages. `stream`: a CUstream of that device to work on, kept
  /// alive by the caller, or null for one of our own. Throws device_error.
  cuda_runtime(std::shared_ptr<const cuda_driver>, std::shared_ptr<const nvrtc_on_demand>,
               cuda_device, std::string name, notice log, void* stream = nullptr);
  ~cuda_runtime() override;
  cuda_runtime(const cuda_runtime&) = delete;
  cuda_runtime& operator=(const cuda_runtime&) = delete;

  const device_traits& traits() const override { return traits_; }
  const std::string& name() const override { return name_; }
  std::string identity() const override { return identity_; }

  void* allocate(std::size_t bytes) override;
  void deallocate(void* memory, std::size_t bytes) noexcept override;
  void to_device(void* to, const void* from, std::size_t bytes) override;
  void to_host(void* to, const void* from, std::size_t bytes) override;

  void require_own(const void* memory, std::size_t bytes, std::size_t alignment) const override;
  void settle() noexcept override;
  void settle_device() noexcept override;
  /// `queue`: a CUstream of the same CUDA context, or 1 or 2 for its default streams.
  void precede(void* queue) override;

  const compiled_program* program(const program_request&) override;
  void prepare(const program_request&) override;
  const compiled_program* program(const std::string& key, const device_program&);
  void launch(std::string_view operation, const compiled_program&, const char* kernel,
              std::span<const kernel_argument> arguments, std::size_t groups,
              std::size_t group_size, std::size_t local_space = 0) override;
  void fill(void* memory, unsigned char value, std::size_t bytes) override;
  void finish() override;
  void* nothing() override { return nothing_; }
  int compilations() const override { return compilations_; }

  const cuda_device& device() const { return device_; }
  const program_cache& cache() const { return cache_; }
  const precompiled_programs& precompiled() const { return precompiled_; }
  memory_pool& pool() { return pool_; }

 private:
  std::uint64_t blocks_taken() const override { return pool_.now().taken; }
  // Makes a context current for the calling thread, and puts back the one that was.
  class in_context {
   public:
    in_context(const cuda_driver& cuda, cu_context wanted);
    ~in_context();
    in_context(const in_context&) = delete;
    in_context& operator=(const in_context&) = delete;

   private:
    const cuda_driver& cuda_;
    cu_context before_ = nullptr;
    bool changed_;
  };
  struct primary_context {
    primary_context(const cuda_runtime&);
    ~primary_context();
    const cuda_runtime& runtime;
    cu_context handle = nullptr;
  };
  struct work_stream {
    work_stream(cuda_runtime&, void* borrowed);
    ~work_stream();
    cuda_runtime& runtime;
    cu_context context = nullptr;
    cu_stream handle = nullptr;
    cu_event reached = nullptr;  // of precede(); null until it is needed
    bool is_owned = false;
  };
  struct kernel;
  struct loaded_program;

  memory_source source();
  std::unique_ptr<compiled_program> build(const device_program&);
  // Where a program is kept. Whatever compiled it, so that NVRTC is opened to compile alone.
  struct program_keys {
    std::string carried, kept;  // in the package, in the user's cache
  };
  program_keys keys_of(const device_program&) const;
  // From the user's cache or the package; null: in neither.
  cu_module find(const program_keys&);
  cu_status load(const void* image, cu_module&, std::string& log);
  template <class Call>
  cu_status with_room(Call call) {
    return pool_.with_room(call, [](cu_status status) { return status == cu::out_of_memory; });
  }
  kernel& kernel_of(const loaded_program&, const char* name, std::string_view operation);
  void synchronize();
  // Waits for the stream; what was noted up to `mark` has then ended well.
  void wait_until(std::uint64_t mark);

  std::string shown() const { return name_ + " (" + device_.name + ")"; }
  void refuse_if_lost() const;
  // Throws where `status` is none of success; of work enqueued before where the error is such.
  void check(cu_status status, std::string_view what) const;
  [[noreturn]] void fail_pending(cu_status status) const;

  std::shared_ptr<const cuda_driver> cuda_;
  std::shared_ptr<const nvrtc_on_demand> compiler_;
  cuda_device device_;
  std::string name_;
  device_traits traits_;
  std::string identity_;
  bool wait_for_each_;
  program_cache cache_;
  precompiled_programs precompiled_;
  std::atomic<int> compilations_{0};
  // From here on in the order in which they need each other.
  primary_context primary_;
  std::shared_ptr<launch_log> launches_;  // of the stream's context
  work_stream stream_;
  std::mutex launch_mutex_;      // noting and enqueuing are one step to those who wait
  std::vector<void*> pointers_;  // to the arguments of the launch that holds the mutex
  memory_pool pool_;
  background_compilations background_;
  program_table programs_;
  void* nothing_ = nullptr;
};

}  // namespace tropic::detail
