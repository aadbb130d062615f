// SPDX-License-Identifier: Apache-2.0
#pragma once

// libcuda, the CUDA driver, opened at run time: neither its header nor its library is there when
// Tropic is built or started. Its functions are members of the same name, so that a call reads as
// usual: cuda.cuStreamSynchronize(stream). The few types are declared here as cuda.h has them.

#include <cstddef>
#include <memory>
#include <string>

namespace tropic::detail {

using cu_status = int;  // CUresult; 0 is success
using cu_device = int;
using cu_pointer = unsigned long long;  // CUdeviceptr
using cu_context = struct cu_context_of_driver*;
using cu_module = struct cu_module_of_driver*;
using cu_function = struct cu_function_of_driver*;
using cu_stream = struct cu_stream_of_driver*;
using cu_event = struct cu_event_of_driver*;

// The layout is by hand: the tool takes the entries for one expression.
// clang-format off
// The member, the symbol that the driver exports (its version is part of the name), parameters.
// All of them are in every driver since CUDA 11.
#define TROPIC_FOR_EACH_CUDA_FUNCTION(m)                                                   \
  m(cuInit, cuInit, (unsigned flags))                                                      \
  m(cuDriverGetVersion, cuDriverGetVersion, (int* version))                                \
  m(cuGetErrorName, cuGetErrorName, (cu_status, const char** text))                        \
  m(cuGetErrorString, cuGetErrorString, (cu_status, const char** text))                    \
  m(cuDeviceGetCount, cuDeviceGetCount, (int* count))                                      \
  m(cuDeviceGet, cuDeviceGet, (cu_device*, int number))                                    \
  m(cuDeviceGetName, cuDeviceGetName, (char* name, int size, cu_device))                   \
  m(cuDeviceTotalMem, cuDeviceTotalMem_v2, (std::size_t* bytes, cu_device))                \
  m(cuDeviceGetAttribute, cuDeviceGetAttribute, (int* value, int attribute, cu_device))    \
  m(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (cu_context*, cu_device))          \
  m(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (cu_device))                  \
  m(cuCtxGetCurrent, cuCtxGetCurrent, (cu_context*))                                       \
  m(cuCtxSetCurrent, cuCtxSetCurrent, (cu_context))                                        \
  m(cuCtxGetDevice, cuCtxGetDevice, (cu_device*))                                          \
  m(cuCtxSynchronize, cuCtxSynchronize, ())                                                \
  m(cuEventCreate, cuEventCreate, (cu_event*, unsigned flags))                             \
  m(cuEventDestroy, cuEventDestroy_v2, (cu_event))                                         \
  m(cuEventRecord, cuEventRecord, (cu_event, cu_stream))                                   \
  m(cuStreamCreate, cuStreamCreate, (cu_stream*, unsigned flags))                          \
  m(cuStreamDestroy, cuStreamDestroy_v2, (cu_stream))                                      \
  m(cuStreamSynchronize, cuStreamSynchronize, (cu_stream))                                 \
  m(cuStreamGetCtx, cuStreamGetCtx, (cu_stream, cu_context*))                              \
  m(cuStreamWaitEvent, cuStreamWaitEvent, (cu_stream, cu_event, unsigned flags))           \
  m(cuModuleLoadDataEx, cuModuleLoadDataEx,                                                \
    (cu_module*, const void* image, unsigned count, int* options, void** values))          \
  m(cuModuleUnload, cuModuleUnload, (cu_module))                                           \
  m(cuModuleGetFunction, cuModuleGetFunction, (cu_function*, cu_module, const char* name)) \
  m(cuMemGetInfo, cuMemGetInfo_v2, (std::size_t* free, std::size_t* total))                \
  m(cuMemAlloc, cuMemAlloc_v2, (cu_pointer*, std::size_t bytes))                           \
  m(cuMemFree, cuMemFree_v2, (cu_pointer))                                                 \
  m(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                               \
    (cu_pointer to, const void* from, std::size_t bytes, cu_stream))                       \
  m(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                               \
    (void* to, cu_pointer from, std::size_t bytes, cu_stream))                             \
  m(cuPointerGetAttribute, cuPointerGetAttribute,                                          \
    (void* value, int attribute, cu_pointer))                                              \
  m(cuMemsetD8Async, cuMemsetD8Async,                                                      \
    (cu_pointer, unsigned char value, std::size_t bytes, cu_stream))                       \
  m(cuFuncSetAttribute, cuFuncSetAttribute, (cu_function, int attribute, int value))       \
  m(cuLaunchKernel, cuLaunchKernel,                                                        \
    (cu_function, unsigned grid_x, unsigned grid_y, unsigned grid_z,                       \
     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,          \
     cu_stream, void** parameters, void** extra))

// Used where the driver has them (CUDA 12.4).
#define TROPIC_FOR_EACH_OPTIONAL_CUDA_FUNCTION(m) \
  m(cuFuncGetParamInfo, cuFuncGetParamInfo,       \
    (cu_function, std::size_t index, std::size_t* offset, std::size_t* size))
// clang-format on

namespace cu {
inline constexpr cu_status out_of_memory = 2, invalid_value = 1, not_found = 500;
// CUdevice_attribute
inline constexpr int max_threads_per_block = 1, max_shared_memory_per_block = 8, warp_size = 10,
                     multiprocessor_count = 16, capability_major = 75, capability_minor = 76,
                     max_shared_memory_opt_in = 97;
// CUfunction_attribute
inline constexpr int most_dynamic_shared_memory = 8;
// CUpointer_attribute, CUmemorytype
inline constexpr int pointer_context = 1, pointer_memory_type = 2, pointer_is_managed = 8,
                     pointer_device = 9;
inline constexpr unsigned device_memory_type = 2;
// CUjit_option, CUstream_flags, CUevent_flags
inline constexpr int jit_error_log = 5, jit_error_log_bytes = 6;
inline constexpr unsigned stream_non_blocking = 1, event_without_time = 2;
}  // namespace cu

struct cuda_driver {
#define TROPIC_MEMBER(name, symbol, parameters) cu_status(*name) parameters = nullptr;
  TROPIC_FOR_EACH_CUDA_FUNCTION(TROPIC_MEMBER)
  TROPIC_FOR_EACH_OPTIONAL_CUDA_FUNCTION(TROPIC_MEMBER)
#undef TROPIC_MEMBER

  /// Opens $TROPIC_CUDA_LIBRARY alone where it is set, else libcuda.so.1, and starts the driver.
  /// Null where that fails; `reason` then says why. It stays open for good: it keeps threads.
  static std::shared_ptr<const cuda_driver> open(std::string& reason);

  /// "CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered"
  std::string error_text(cu_status) const;
  /// Errors after which the driver refuses everything else in the context.
  static bool ends_the_context(cu_status);
  /// "13.0", the newest CUDA that the driver knows.
  std::string version() const;
};

}  // namespace tropic::detail
