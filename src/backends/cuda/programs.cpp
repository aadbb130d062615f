// SPDX-License-Identifier: Apache-2.0

// Programs of a CUDA device: kept in memory by what was asked for and on disk by the hash of all
// that shaped them, in the user's cache and beside the library. What is in neither is compiled by
// NVRTC, to machine code where it knows the device, and stored in the user's cache.

#include <cstring>

#include <tropic/error.hpp>

#include "backends/cuda/loaded_program.hpp"
#include "backends/device/program/recorded_programs.hpp"

namespace tropic::detail {

std::string cuda_runtime::kernel::mismatch(std::span<const kernel_argument> arguments) const {
  if (!parameters) return {};
  if (arguments.size() != parameters->size())
    return std::to_string(arguments.size()) + " arguments, it takes " +
           std::to_string(parameters->size());
  for (std::size_t n = 0; n < arguments.size(); ++n)
    if (arguments[n].size != (*parameters)[n])
      return "argument " + std::to_string(n) + " has " + std::to_string(arguments[n].size) +
             " bytes, it takes " + std::to_string((*parameters)[n]);
  return {};
}

cuda_runtime::loaded_program::~loaded_program() {
  const in_context here(cuda, context);
  cuda.cuModuleUnload(module);
}

const compiled_program* cuda_runtime::program(const program_request& request) {
  return programs_.get(request_key(request), [&] {
    record_program(request);
    return build(make_program(dialect::cuda, request));
  });
}

const compiled_program* cuda_runtime::program(const std::string& key,
                                              const device_program& source) {
  return programs_.get(key, [&] { return build(source); });
}

void cuda_runtime::prepare(const program_request& request) {
  if (compiler_ == nullptr || programs_.has(request_key(request))) return;
  device_program source = make_program(dialect::cuda, request);
  const std::string key = key_of(source);
  if (cache_.has(key) ||
      precompiled_.has(precompiled_programs::key_of(source.text, nvrtc::options())))
    return;
  background_.start(
      key, [compiler = compiler_, architecture = architecture_, source = std::move(source)] {
        return compiler->compile(source, architecture);
      });
}

std::string cuda_runtime::key_of(const device_program& source) const {
  return program_cache::key_of(source.text, nvrtc::options(architecture_), identity_);
}

std::unique_ptr<compiled_program> cuda_runtime::build(const device_program& source) {
  refuse_if_lost();
  if (compiler_ == nullptr) throw device_error(shown() + ": there is no NVRTC to compile with");
  const std::string key = key_of(source);
  cu_module module = find(source, key);
  if (module == nullptr) {
    std::string log;
    const auto begun = background_.take(key);
    const std::string code = begun ? *begun : compiler_->compile(source, architecture_);
    ++compilations_;
    if (const cu_status status = load(code.c_str(), module, log); status != 0) {
      const std::string reason = cuda_->error_text(status) + (log.empty() ? "" : "\n" + log);
      if (cuda_driver::ends_the_context(status)) fail_pending(status);
      throw device_error(shown() + ": the driver (CUDA " + cuda_->version() +
                         ") rejects the code that NVRTC " + compiler_->version() +
                         " generated for " + architecture_ + ": " + reason);
    }
    cache_.store(key, {reinterpret_cast<const unsigned char*>(code.data()), code.size()});
  }
  auto program = std::make_unique<loaded_program>(*cuda_, stream_.context, module);
  check_record_layout(*this, source, *program);
  return program;
}

cu_module cuda_runtime::find(const device_program& source, const std::string& key) {
  cu_module module = nullptr;
  std::string log;
  if (auto kept = cache_.load(key)) {
    kept->push_back('\0');  // ends the text, where it is PTX
    if (load(kept->data(), module, log) == 0) return module;
    cache_.reject(key);
  }
  const std::string carried = precompiled_programs::key_of(source.text, nvrtc::options());
  if (const auto program = precompiled_.load(carried)) {
    if (load(program->data(), module, log) == 0) return module;
    precompiled_.reject(carried);
  }
  return nullptr;
}

cu_status cuda_runtime::load(const void* image, cu_module& module, std::string& log) {
  const in_context here(*cuda_, stream_.context);
  char text[4096] = "";
  int options[] = {cu::jit_error_log, cu::jit_error_log_bytes};
  void* values[] = {text, reinterpret_cast<void*>(std::uintptr_t{sizeof(text) - 1})};
  const cu_status status =
      with_room([&] { return cuda_->cuModuleLoadDataEx(&module, image, 2, options, values); });
  log = text;
  return status;
}

}  // namespace tropic::detail
