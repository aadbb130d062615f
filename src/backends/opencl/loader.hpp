// SPDX-License-Identifier: Apache-2.0
#pragma once

// libOpenCL, opened at run time: Tropic starts where there is none. Its functions are members of
// the same name, so that a call reads as usual: cl.clFinish(queue).

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <memory>
#include <string>

#define TROPIC_FOR_EACH_OPENCL_FUNCTION(m)                                                         \
  m(clGetPlatformIDs) m(clGetPlatformInfo) m(clGetDeviceIDs) m(clGetDeviceInfo) m(clCreateContext) \
      m(clRetainContext) m(clReleaseContext) m(clCreateCommandQueue) m(clRetainCommandQueue)       \
          m(clReleaseCommandQueue) m(clGetCommandQueueInfo) m(clCreateBuffer)                      \
              m(clReleaseMemObject) m(clEnqueueWriteBuffer) m(clEnqueueReadBuffer)                 \
                  m(clCreateProgramWithSource) m(clCreateProgramWithBinary) m(clBuildProgram)      \
                      m(clGetProgramBuildInfo) m(clGetProgramInfo) m(clReleaseProgram)             \
                          m(clCreateKernel) m(clReleaseKernel) m(clSetKernelArg)                   \
                              m(clGetKernelWorkGroupInfo) m(clEnqueueNDRangeKernel)                \
                                  m(clGetEventInfo) m(clReleaseEvent) m(clCreateUserEvent)         \
                                      m(clSetUserEventStatus) m(clEnqueueFillBuffer) m(clFinish)   \
                                          m(clFlush) m(clGetMemObjectInfo)

namespace tropic::detail {

struct opencl_library {
#define TROPIC_MEMBER(name) decltype(&::name) name = nullptr;
  TROPIC_FOR_EACH_OPENCL_FUNCTION(TROPIC_MEMBER)
#undef TROPIC_MEMBER

  /// Opens $TROPIC_OPENCL_LIBRARY where it is set, else libOpenCL.so.1. Null where it cannot be
  /// opened; `reason` then says why. It stays open for good: drivers keep threads of their own.
  static std::shared_ptr<const opencl_library> open(std::string& reason);
};

/// "CL_OUT_OF_RESOURCES (-5)"
std::string opencl_error_name(cl_int code);

}  // namespace tropic::detail
