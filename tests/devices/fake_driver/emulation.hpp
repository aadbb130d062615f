// SPDX-License-Identifier: Apache-2.0
#pragma once

// Kernels of CUDA programs on the CPU, for tests: fake_nvrtc.cpp compiles the text of a program
// with the C++ compiler, with emulated_dialect.h in place of the CUDA dialect, and emulation.cpp
// runs its kernels. Work-items that wait for each other are fibers of a thread; a launch runs its
// groups in turn, or in a thread each where they are a cluster. Slow, exact, and with the constants
// that a GPU would get.

#include <cstddef>
#include <cstdint>
#include <string>

namespace tropic::testing {

/// What a compiled program calls; t_emulator of emulated_dialect.h has the same members.
struct emulator_calls {
  struct work_item {
    std::uint64_t group, groups;
    std::uint32_t local, size;
  };
  const work_item* (*item)();
  void (*barrier)();
  void (*barrier_together)();
  /// The words of the 32 work-items of a subgroup, once all have come.
  const std::uint32_t* (*exchange)(std::uint32_t word);
  void* (*of_group)(const volatile void* word, std::uint32_t group);
  void* (*local_space)();
};

/// A program that was loaded from its image; closed when it is destroyed.
class emulated_program {
 public:
  /// Whether an image is a program of fake_nvrtc.cpp, not one of NVRTC.
  static bool is_image(const std::string& image);
  explicit emulated_program(const std::string& image);
  ~emulated_program();
  emulated_program(const emulated_program&) = delete;
  emulated_program& operator=(const emulated_program&) = delete;

  using call = void (*)(void** arguments);
  /// Null where there is no such kernel. `sizes`: of its arguments, then 0.
  call kernel(const std::string& name, const std::size_t*& sizes) const;
  void run(call, void** arguments, unsigned groups, unsigned group_size,
           unsigned local_bytes) const;

 private:
  void* library_ = nullptr;
  bool is_cluster_ = false;
  void* (*anchor_)() = nullptr;
};

}  // namespace tropic::testing
