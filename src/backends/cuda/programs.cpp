// SPDX-License-Identifier: Apache-2.0

// Programs of a CUDA device: kept in memory by what was asked for and on disk by the hash of all
// that shaped them, in the user's cache and beside the library. What is in neither is compiled by
// NVRTC, to machine code where it knows the device, and stored in the user's cache.

#include <cstring>

#include <tropic/error.hpp>

#include "backends/cuda/loaded_program.hpp"
#include "backends/device/program/recorded_programs.hpp"

namespace tropic::detail {
namespace {

struct compilation_target {
  std::shared_ptr<const nvrtc> compiler;
  std::string architecture;
};

// `shown`: the device in messages.
compilation_target target_of(const nvrtc_on_demand& compiler, const cuda_device& device,
                             const std::string& shown) {
  const auto refuse = [&shown](const std::string& reason) {
    return device_error(shown + ": a program that is not among the compiled ones is needed, but " +
                        reason);
  };
  compilation_target result{compiler.get(), {}};
  if (result.compiler == nullptr) throw refuse(compiler.reason());
  if (const std::string reason = why_not(device, *result.compiler); !reason.empty())
    throw refuse(reason);
  result.architecture = architecture_for(device.capability, result.compiler->architectures());
  return result;
}

}  // namespace

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
  if (programs_.has(request_key(request))) return;
  device_program source = make_program(dialect::cuda, request);
  const program_keys keys = keys_of(source);
  if (cache_.has(keys.kept) || precompiled_.has(keys.carried)) return;
  background_.start(keys.kept, [compiler = compiler_, device = device_, shown = shown(),
                                source = std::move(source)] {
    const compilation_target target = target_of(*compiler, device, shown);
    return target.compiler->compile(source, target.architecture);
  });
}

cuda_runtime::program_keys cuda_runtime::keys_of(const device_program& source) const {
  std::string carried = precompiled_programs::key_of(source.text, nvrtc::options());
  std::string kept = program_cache::key_of(carried, std::to_string(device_.capability), identity_);
  return {std::move(carried), std::move(kept)};
}

std::unique_ptr<compiled_program> cuda_runtime::build(const device_program& source) {
  refuse_if_lost();
  const program_keys keys = keys_of(source);
  cu_module module = find(keys);
  if (module == nullptr) {
    std::string log;
    const auto begun = background_.take(keys.kept);
    const auto [compiler, architecture] = target_of(*compiler_, device_, shown());
    const std::string code = begun ? *begun : compiler->compile(source, architecture);
    ++compilations_;
    if (const cu_status status = load(code.c_str(), module, log); status != 0) {
      const std::string reason = cuda_->error_text(status) + (log.empty() ? "" : "\n" + log);
      if (cuda_driver::ends_the_context(status)) fail_pending(status);
      throw device_error(shown() + ": the driver (CUDA " + cuda_->version() +
                         ") rejects the code that NVRTC " + compiler->version() +
                         " generated for " + architecture + ": " + reason);
    }
    cache_.store(keys.kept, {reinterpret_cast<const unsigned char*>(code.data()), code.size()});
  }
  auto program = std::make_unique<loaded_program>(*cuda_, stream_.context, module);
  check_record_layout(*this, source, *program);
  return program;
}

cu_module cuda_runtime::find(const program_keys& keys) {
  cu_module module = nullptr;
  std::string log;
  if (auto kept = cache_.load(keys.kept)) {
    kept->push_back('\0');  // ends the text, where it is PTX
    if (load(kept->data(), module, log) == 0) return module;
    cache_.reject(keys.kept);
  }
  if (const auto program = precompiled_.load(keys.carried)) {
    if (load(program->data(), module, log) == 0) return module;
    precompiled_.reject(keys.carried);
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
