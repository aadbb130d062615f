// SPDX-License-Identifier: Apache-2.0

// Reports CUDA devices. Programs compile for them (nvrtc.hpp), but no context runs there: every
// device is listed as not available, with that reason.

#include <dlfcn.h>

#include "backends/cuda/cuda.hpp"
#include "backends/cuda/nvrtc.hpp"

namespace tropic::detail {
namespace {

std::string nvrtc_found() {
  std::string reason;
  const auto compiler = nvrtc::open(reason);
  return compiler ? "NVRTC " + compiler->version() + " found" : reason;
}

}  // namespace

std::vector<device_info> cuda_devices() {
  const auto none = [](const std::string& reason) {
    return std::vector<device_info>{{"cuda:0", "", false, reason + "; " + nvrtc_found()}};
  };
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) return none("libcuda.so.1 cannot be opened");
  // As cuda.h declares them; 0 is success.
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto count_of = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  const auto name_of = reinterpret_cast<int (*)(char*, int, int)>(dlsym(driver, "cuDeviceGetName"));
  if (init == nullptr || count_of == nullptr || name_of == nullptr)
    return none("libcuda.so.1 lacks functions of the CUDA driver");
  int count = 0;
  if (const int status = init(0); status != 0 || count_of(&count) != 0)
    return none("the CUDA driver does not start (error " + std::to_string(status) + ")");
  if (count == 0) return none("the CUDA driver finds no device");

  const std::string reason = "no CUDA runtime in this version of Tropic; " + nvrtc_found();
  std::vector<device_info> listed;
  for (int n = 0; n < count; ++n) {
    char name[256] = "";
    name_of(name, sizeof(name) - 1, n);
    listed.push_back({"cuda:" + std::to_string(n), name, false, reason});
  }
  return listed;
}

}  // namespace tropic::detail
