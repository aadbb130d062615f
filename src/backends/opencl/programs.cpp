// SPDX-License-Identifier: Apache-2.0

// Programs of an OpenCL device: compiled once, then kept in memory by what was asked for and on
// disk by the hash of all that shaped them.

#include <algorithm>

#include <tropic/error.hpp>

#include "backends/opencl/runtime.hpp"

namespace tropic::detail {

opencl_runtime::compiled::~compiled() {
  for (const auto& [name, kernel] : kernels) cl.clReleaseKernel(kernel);
  cl.clReleaseProgram(program);
}

std::string opencl_runtime::build_options() const {
  std::string options = "-cl-std=CL1.2 -w";
  if (device_.exact_fp32_division) options += " -cl-fp32-correctly-rounded-divide-sqrt";
  return options;
}

const compiled_program* opencl_runtime::program(const program_request& request) {
  return programs_.get(request_key(request),
                       [&] { return build(make_program(dialect::opencl, request)); });
}

const compiled_program* opencl_runtime::program(const std::string& key,
                                                const device_program& source) {
  return programs_.get(key, [&] { return build(source); });
}

std::unique_ptr<compiled_program> opencl_runtime::build(const device_program& source) {
  if (source.needs_fp64 && !device_.fp64) return nullptr;
  const std::string key = program_cache::key_of(source.text, build_options(), device_.identity());
  cl_program built = build_from_cache(key);
  const bool is_new = built == nullptr;
  if (is_new) built = compile(source);
  auto program = std::make_unique<compiled>(*cl_, built);
  if (is_new) save(key, built);
  check_record_layout(*this, source, *program);
  return program;
}

cl_program opencl_runtime::compile(const device_program& source) {
  const char* text = source.text.data();
  const std::size_t size = source.text.size();
  cl_int status = CL_SUCCESS;
  cl_program program = cl_->clCreateProgramWithSource(queue_.context, 1, &text, &size, &status);
  if (status != CL_SUCCESS) fail("program", status);
  ++compilations_;
  status =
      cl_->clBuildProgram(program, 1, &device_.device, build_options().c_str(), nullptr, nullptr);
  if (status == CL_SUCCESS) return program;
  std::size_t length = 0;
  std::string log;
  cl_->clGetProgramBuildInfo(program, device_.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &length);
  log.resize(length);
  cl_->clGetProgramBuildInfo(program, device_.device, CL_PROGRAM_BUILD_LOG, length, log.data(),
                             nullptr);
  while (!log.empty() && log.back() == '\0') log.pop_back();
  cl_->clReleaseProgram(program);
  throw device_error(compile_error(source, shown(), log.empty() ? opencl_error_name(status) : log));
}

cl_program opencl_runtime::build_from_cache(const std::string& key) {
  const auto binary = cache_.load(key);
  if (!binary) return nullptr;
  const unsigned char* bytes = binary->data();
  const std::size_t size = binary->size();
  cl_int loaded = CL_SUCCESS, status = CL_SUCCESS;
  cl_program program = cl_->clCreateProgramWithBinary(queue_.context, 1, &device_.device, &size,
                                                      &bytes, &loaded, &status);
  if (status == CL_SUCCESS && loaded == CL_SUCCESS)
    status =
        cl_->clBuildProgram(program, 1, &device_.device, build_options().c_str(), nullptr, nullptr);
  if (status == CL_SUCCESS && loaded == CL_SUCCESS) return program;
  if (program != nullptr) cl_->clReleaseProgram(program);
  cache_.reject(key);
  return nullptr;
}

// A driver that gives no binary costs a compilation a run, nothing else. A lent queue's context may
// have several devices: then there is a binary for each, or, with PoCL, for those built for alone.
void opencl_runtime::save(const std::string& key, cl_program program) {
  if (cache_.folder().empty()) return;
  const auto info = [&](cl_program_info what, auto& values) {
    std::size_t bytes = 0;
    if (cl_->clGetProgramInfo(program, what, 0, nullptr, &bytes) != CL_SUCCESS) return false;
    values.resize(bytes / sizeof(values[0]));
    return bytes > 0 &&
           cl_->clGetProgramInfo(program, what, bytes, values.data(), nullptr) == CL_SUCCESS;
  };
  std::vector<cl_device_id> devices;
  std::vector<std::size_t> sizes;
  if (!info(CL_PROGRAM_DEVICES, devices) || !info(CL_PROGRAM_BINARY_SIZES, sizes)) return;
  const auto among_all = std::ranges::find(devices, device_.device) - devices.begin();
  const std::size_t ours = sizes.size() == 1 ? 0 : static_cast<std::size_t>(among_all);
  if (ours >= sizes.size() || sizes[ours] == 0) return;
  std::vector<unsigned char> binary(sizes[ours]);
  std::vector<unsigned char*> to(sizes.size());  // null: not wanted
  to[ours] = binary.data();
  if (cl_->clGetProgramInfo(program, CL_PROGRAM_BINARIES, to.size() * sizeof(to[0]), to.data(),
                            nullptr) == CL_SUCCESS)
    cache_.store(key, binary);
}

}  // namespace tropic::detail
