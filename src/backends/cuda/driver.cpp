// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/driver.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace tropic::detail {

std::shared_ptr<const cuda_driver> cuda_driver::open(std::string& reason) {
  const char* given = std::getenv("TROPIC_CUDA_LIBRARY");
  const std::string name = given != nullptr ? given : "libcuda.so.1";
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    reason = name + " cannot be opened";
    return nullptr;
  }
  auto found = std::make_shared<cuda_driver>();
#define TROPIC_FIND(name_, symbol, parameters) \
  found->name_ = reinterpret_cast<decltype(found->name_)>(dlsym(library, #symbol));
#define TROPIC_CHECK(name_, symbol, parameters)                                    \
  if (found->name_ == nullptr) {                                                   \
    reason = name + " has no " #symbol ": a driver of CUDA 11 or newer is needed"; \
    return nullptr;                                                                \
  }
  TROPIC_FOR_EACH_CUDA_FUNCTION(TROPIC_FIND)
  TROPIC_FOR_EACH_OPTIONAL_CUDA_FUNCTION(TROPIC_FIND)
  TROPIC_FOR_EACH_CUDA_FUNCTION(TROPIC_CHECK)
#undef TROPIC_FIND
#undef TROPIC_CHECK
  if (const cu_status status = found->cuInit(0); status != 0) {
    reason = "the CUDA driver does not start: " + found->error_text(status);
    return nullptr;
  }
  return found;
}

std::string cuda_driver::error_text(cu_status status) const {
  const char *name = nullptr, *words = nullptr;
  if (cuGetErrorName(status, &name) != 0 || name == nullptr) name = "CUDA error";
  if (cuGetErrorString(status, &words) != 0) words = nullptr;
  std::string text = std::string(name) + " (" + std::to_string(status) + ")";
  if (words != nullptr) text += std::string(": ") + words;
  return text;
}

bool cuda_driver::ends_the_context(cu_status status) {
  switch (status) {
    case 214:  // ECC_UNCORRECTABLE
    case 220:  // NVLINK_UNCORRECTABLE
    case 226:  // CONTAINED
    case 700:  // ILLEGAL_ADDRESS
    case 702:  // LAUNCH_TIMEOUT
    case 709:  // CONTEXT_IS_DESTROYED
    case 710:  // ASSERT
    case 714:  // HARDWARE_STACK_ERROR
    case 715:  // ILLEGAL_INSTRUCTION
    case 716:  // MISALIGNED_ADDRESS
    case 717:  // INVALID_ADDRESS_SPACE
    case 718:  // INVALID_PC
    case 719:  // LAUNCH_FAILED
    case 721:  // TENSOR_MEMORY_LEAK
      return true;
    default: return false;
  }
}

std::string cuda_driver::version() const {
  int version = 0;
  if (cuDriverGetVersion(&version) != 0) return "of unknown version";
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace tropic::detail
