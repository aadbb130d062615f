// SPDX-License-Identifier: Apache-2.0

// Programs of an OpenCL device: compiled once, then kept in memory by what was asked for and on
// disk by the hash of all that shaped them.

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
  const std::string key = request_key(request);
  {
    const std::lock_guard lock(program_mutex_);
    if (const auto found = programs_.find(key); found != programs_.end())
      return found->second.get();
  }
  return program(key, make_program(dialect::opencl, request));
}

const compiled_program* opencl_runtime::program(const std::string& memory_key,
                                                const device_program& source) {
  const std::lock_guard lock(program_mutex_);
  const auto found = programs_.find(memory_key);
  if (found != programs_.end()) return found->second.get();
  std::unique_ptr<compiled> made;
  if (!source.needs_fp64 || device_.fp64) {
    made = build(source);
    check_layout(source, *made);
  }
  return programs_.emplace(memory_key, std::move(made)).first->second.get();
}

std::unique_ptr<opencl_runtime::compiled> opencl_runtime::build(const device_program& source) {
  const std::string options = build_options();
  const std::string key = program_cache::key_of(source.text, options, device_.identity());
  if (cl_program cached = build_from_cache(key)) return std::make_unique<compiled>(*cl_, cached);

  const char* text = source.text.data();
  const std::size_t size = source.text.size();
  cl_int status = CL_SUCCESS;
  cl_program program = cl_->clCreateProgramWithSource(context_, 1, &text, &size, &status);
  if (status != CL_SUCCESS) fail("program", status);
  auto made = std::make_unique<compiled>(*cl_, program);
  ++compilations_;
  status = cl_->clBuildProgram(program, 1, &device_.device, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS) {
    std::size_t length = 0;
    std::string log;
    cl_->clGetProgramBuildInfo(program, device_.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &length);
    log.resize(length);
    cl_->clGetProgramBuildInfo(program, device_.device, CL_PROGRAM_BUILD_LOG, length, log.data(),
                               nullptr);
    while (!log.empty() && log.back() == '\0') log.pop_back();
    throw device_error(compile_error(source, name_ + " (" + device_.name + ")",
                                     log.empty() ? opencl_error_name(status) : log));
  }
  save(key, program);
  return made;
}

cl_program opencl_runtime::build_from_cache(const std::string& key) {
  const auto binary = cache_.load(key);
  if (!binary) return nullptr;
  const unsigned char* bytes = binary->data();
  const std::size_t size = binary->size();
  cl_int loaded = CL_SUCCESS, status = CL_SUCCESS;
  cl_program program =
      cl_->clCreateProgramWithBinary(context_, 1, &device_.device, &size, &bytes, &loaded, &status);
  if (status == CL_SUCCESS && loaded == CL_SUCCESS)
    status =
        cl_->clBuildProgram(program, 1, &device_.device, build_options().c_str(), nullptr, nullptr);
  if (status == CL_SUCCESS && loaded == CL_SUCCESS) return program;
  if (program != nullptr) cl_->clReleaseProgram(program);
  cache_.reject(key);
  return nullptr;
}

// A driver that gives no binary costs a compilation a run, nothing else.
void opencl_runtime::save(const std::string& key, cl_program program) {
  if (cache_.folder().empty()) return;
  std::size_t size = 0;
  if (cl_->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr) !=
          CL_SUCCESS ||
      size == 0)
    return;
  std::vector<unsigned char> binary(size);
  unsigned char* to = binary.data();
  if (cl_->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(to), &to, nullptr) == CL_SUCCESS)
    cache_.store(key, binary);
}

// The first thing that a program with records does: compare their sizes and offsets with ours.
void opencl_runtime::check_layout(const device_program& source, const compiled& program) {
  if (source.layout.empty()) return;
  const std::size_t bytes = source.layout.size() * sizeof(std::uint32_t);
  void* memory = allocate(bytes);
  struct guard {
    opencl_runtime& runtime;
    void* memory;
    std::size_t bytes;
    ~guard() { runtime.deallocate(memory, bytes); }
  } releases{*this, memory, bytes};
  std::vector<std::uint32_t> found(source.layout.size());
  const kernel_argument arguments[] = {memory};
  launch("layout of records", program, "t_layout", arguments, 1, 1);
  to_host(found.data(), memory, bytes);
  for (std::size_t n = 0; n < found.size(); ++n)
    if (found[n] != source.layout[n])
      throw device_error(name_ +
                         ": a record is laid out otherwise than on the host (size or "
                         "offset " +
                         std::to_string(n) + " is " + std::to_string(found[n]) + ", on the host " +
                         std::to_string(source.layout[n]) + "), for " + source.about);
}

}  // namespace tropic::detail
