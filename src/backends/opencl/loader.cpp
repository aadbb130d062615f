// SPDX-License-Identifier: Apache-2.0
#include "backends/opencl/loader.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace tropic::detail {

std::shared_ptr<const opencl_library> opencl_library::open(std::string& reason) {
  const char* given = std::getenv("TROPIC_OPENCL_LIBRARY");
  const char* name = given != nullptr ? given : "libOpenCL.so.1";
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    reason = std::string(name) + " cannot be opened";
    return nullptr;
  }
  auto found = std::make_shared<opencl_library>();
#define TROPIC_FIND(name_)                                                          \
  found->name_ = reinterpret_cast<decltype(found->name_)>(dlsym(library, #name_));  \
  if (found->name_ == nullptr) {                                                    \
    reason = std::string(name) + " has no " #name_ ": it is older than OpenCL 1.2"; \
    return nullptr;                                                                 \
  }
  TROPIC_FOR_EACH_OPENCL_FUNCTION(TROPIC_FIND)
#undef TROPIC_FIND
  return found;
}

std::string opencl_error_name(cl_int code) {
  const char* name = "OpenCL error";
  switch (code) {
#define TROPIC_NAME(error) \
  case error: name = #error; break;
    TROPIC_NAME(CL_DEVICE_NOT_FOUND)
    TROPIC_NAME(CL_DEVICE_NOT_AVAILABLE)
    TROPIC_NAME(CL_COMPILER_NOT_AVAILABLE)
    TROPIC_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    TROPIC_NAME(CL_OUT_OF_RESOURCES)
    TROPIC_NAME(CL_OUT_OF_HOST_MEMORY)
    TROPIC_NAME(CL_BUILD_PROGRAM_FAILURE)
    TROPIC_NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    TROPIC_NAME(CL_INVALID_VALUE)
    TROPIC_NAME(CL_INVALID_DEVICE)
    TROPIC_NAME(CL_INVALID_CONTEXT)
    TROPIC_NAME(CL_INVALID_COMMAND_QUEUE)
    TROPIC_NAME(CL_INVALID_MEM_OBJECT)
    TROPIC_NAME(CL_INVALID_BINARY)
    TROPIC_NAME(CL_INVALID_BUILD_OPTIONS)
    TROPIC_NAME(CL_INVALID_PROGRAM)
    TROPIC_NAME(CL_INVALID_PROGRAM_EXECUTABLE)
    TROPIC_NAME(CL_INVALID_KERNEL_NAME)
    TROPIC_NAME(CL_INVALID_KERNEL)
    TROPIC_NAME(CL_INVALID_ARG_INDEX)
    TROPIC_NAME(CL_INVALID_ARG_VALUE)
    TROPIC_NAME(CL_INVALID_ARG_SIZE)
    TROPIC_NAME(CL_INVALID_KERNEL_ARGS)
    TROPIC_NAME(CL_INVALID_WORK_GROUP_SIZE)
    TROPIC_NAME(CL_INVALID_WORK_ITEM_SIZE)
    TROPIC_NAME(CL_INVALID_GLOBAL_WORK_SIZE)
    TROPIC_NAME(CL_INVALID_EVENT)
    TROPIC_NAME(CL_INVALID_OPERATION)
    TROPIC_NAME(CL_INVALID_BUFFER_SIZE)
#undef TROPIC_NAME
    case -1001: name = "CL_PLATFORM_NOT_FOUND_KHR"; break;
    default: break;
  }
  return std::string(name) + " (" + std::to_string(code) + ")";
}

}  // namespace tropic::detail
