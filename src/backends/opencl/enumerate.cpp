// SPDX-License-Identifier: Apache-2.0
#include "backends/opencl/enumerate.hpp"

#include <algorithm>
#include <cstdio>

namespace tropic::detail {
namespace {

template <class Query>
std::string text_of(Query query) {
  std::size_t size = 0;
  if (query(std::size_t{0}, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (query(size, text.data(), nullptr) != CL_SUCCESS) return {};
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  return text;
}

opencl_device describe_device(const opencl_library& cl, cl_platform_id platform,
                              cl_device_id device) {
  const auto platform_text = [&](cl_platform_info what) {
    return text_of([&](std::size_t size, void* to, std::size_t* needed) {
      return cl.clGetPlatformInfo(platform, what, size, to, needed);
    });
  };
  const auto device_text = [&](cl_device_info what) {
    return text_of([&](std::size_t size, void* to, std::size_t* needed) {
      return cl.clGetDeviceInfo(device, what, size, to, needed);
    });
  };
  const auto device_number = [&]<class T>(cl_device_info what, T none) {
    T value = none;
    return cl.clGetDeviceInfo(device, what, sizeof(value), &value, nullptr) == CL_SUCCESS ? value
                                                                                          : none;
  };
  opencl_device d;
  d.platform = platform;
  d.device = device;
  d.name = device_text(CL_DEVICE_NAME);
  d.platform_name = platform_text(CL_PLATFORM_NAME);
  d.platform_version = platform_text(CL_PLATFORM_VERSION);
  d.driver = device_text(CL_DRIVER_VERSION);
  d.is_cpu = (device_number(CL_DEVICE_TYPE, cl_device_type{0}) & CL_DEVICE_TYPE_CPU) != 0;
  d.fp64 = device_number(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config{0}) != 0;
  d.exact_fp32_division = (device_number(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config{0}) &
                           CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  d.group_limit = device_number(CL_DEVICE_MAX_WORK_GROUP_SIZE, std::size_t{1});
  d.local_bytes = device_number(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong{0});
  d.processors = device_number(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint{1});
  d.atomics_64 =
      device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_int64_base_atomics") != std::string::npos;
  d.shuffles = d.platform_name == "NVIDIA CUDA";
  d.memory = device_number(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong{0});
  d.largest_buffer = device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong{0});

  const std::string version = device_text(CL_DEVICE_VERSION);
  int major = 0, minor = 0;
  std::sscanf(version.c_str(), "OpenCL %d.%d", &major, &minor);
  if (!device_number(CL_DEVICE_AVAILABLE, cl_bool{CL_FALSE}))
    d.reason = "the driver says that the device is not available";
  else if (!device_number(CL_DEVICE_COMPILER_AVAILABLE, cl_bool{CL_FALSE}))
    d.reason = "its driver has no compiler";
  else if (major < 1 || (major == 1 && minor < 2))
    d.reason = "OpenCL 1.2 is needed, the device has '" + version + "'";
  else if (device_text(CL_DEVICE_PROFILE) != "FULL_PROFILE")
    d.reason = "the full profile is needed, the device has the embedded one";
  else if (!device_number(CL_DEVICE_ENDIAN_LITTLE, cl_bool{CL_FALSE}))
    d.reason = "the device is not little-endian";
  else
    d.usable = true;
  if (d.usable && !d.fp64) d.reason = "no fp64: products over fp64 run on the host";
  return d;
}

}  // namespace

std::string opencl_device::identity() const {
  return platform_name + "\n" + platform_version + "\n" + name + "\n" + driver;
}

std::vector<opencl_device> find_opencl_devices(const opencl_library& cl, std::string& reason) {
  cl_uint platform_count = 0;
  const cl_int status = cl.clGetPlatformIDs(0, nullptr, &platform_count);
  if (status != CL_SUCCESS || platform_count == 0) {
    reason = "libOpenCL is there, but no OpenCL driver is installed";
    if (status != CL_SUCCESS && status != -1001) reason += ": " + opencl_error_name(status);
    return {};
  }
  std::vector<cl_platform_id> platforms(platform_count);
  cl.clGetPlatformIDs(platform_count, platforms.data(), nullptr);
  std::vector<opencl_device> found;
  for (cl_platform_id platform : platforms) {
    cl_uint count = 0;
    if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS ||
        count == 0)
      continue;
    std::vector<cl_device_id> devices(count);
    cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
    for (cl_device_id device : devices) found.push_back(describe_device(cl, platform, device));
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const opencl_device& d) { return !d.is_cpu; });
  if (found.empty()) reason = "OpenCL drivers are installed, but none of them finds a device";
  return found;
}

}  // namespace tropic::detail
