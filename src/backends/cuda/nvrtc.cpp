// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/nvrtc.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include <tropic/error.hpp>

namespace tropic::detail {
namespace {

const std::string target_option = "--gpu-architecture=";
constexpr const char* common_options[] = {"--fmad=false", "--std=c++17"};

}  // namespace

// The few functions that are needed, as nvrtc.h declares them; 0 is success.
struct nvrtc::functions {
  using program = void*;
  int (*nvrtcVersion)(int* major, int* minor) = nullptr;
  const char* (*nvrtcGetErrorString)(int) = nullptr;
  int (*nvrtcGetNumSupportedArchs)(int*) = nullptr;
  int (*nvrtcGetSupportedArchs)(int*) = nullptr;
  int (*nvrtcCreateProgram)(program*, const char* text, const char* name, int headers,
                            const char* const* header_texts,
                            const char* const* header_names) = nullptr;
  int (*nvrtcDestroyProgram)(program*) = nullptr;
  int (*nvrtcCompileProgram)(program, int options, const char* const* option_texts) = nullptr;
  int (*nvrtcGetProgramLogSize)(program, std::size_t*) = nullptr;
  int (*nvrtcGetProgramLog)(program, char*) = nullptr;
  int (*nvrtcGetPTXSize)(program, std::size_t*) = nullptr;
  int (*nvrtcGetPTX)(program, char*) = nullptr;
  int (*nvrtcGetCUBINSize)(program, std::size_t*) = nullptr;
  int (*nvrtcGetCUBIN)(program, char*) = nullptr;

  // The library stays open for good: it keeps state of its own.
  bool load(const char* name) {
    void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    bool complete = true;
    const auto find = [&](auto& function, const char* symbol) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
      complete = complete && function != nullptr;
    };
#define TROPIC_FIND(name) find(name, #name)
    TROPIC_FIND(nvrtcVersion);
    TROPIC_FIND(nvrtcGetErrorString);
    TROPIC_FIND(nvrtcGetNumSupportedArchs);
    TROPIC_FIND(nvrtcGetSupportedArchs);
    TROPIC_FIND(nvrtcCreateProgram);
    TROPIC_FIND(nvrtcDestroyProgram);
    TROPIC_FIND(nvrtcCompileProgram);
    TROPIC_FIND(nvrtcGetProgramLogSize);
    TROPIC_FIND(nvrtcGetProgramLog);
    TROPIC_FIND(nvrtcGetPTXSize);
    TROPIC_FIND(nvrtcGetPTX);
    TROPIC_FIND(nvrtcGetCUBINSize);
    TROPIC_FIND(nvrtcGetCUBIN);
#undef TROPIC_FIND
    return complete;
  }
  void check(int status, const char* what) const {
    if (status != 0)
      throw device_error("NVRTC: " + std::string(what) + ": " + nvrtcGetErrorString(status));
  }
};

std::vector<std::string> nvrtc::names() {
  if (const char* given = std::getenv("TROPIC_NVRTC_LIBRARY")) return {given};
  return {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"};
}

std::shared_ptr<const nvrtc> nvrtc::open(std::string& reason) {
  return open(names(), reason);
}

std::shared_ptr<const nvrtc> nvrtc::open(const std::vector<std::string>& names,
                                         std::string& reason) {
  std::string tried;
  for (const std::string& name : names) {
    auto found = std::make_shared<functions>();
    if (found->load(name.c_str())) return std::shared_ptr<const nvrtc>(new nvrtc(found));
    tried += (tried.empty() ? "" : ", ") + name;
  }
  reason = "NVRTC cannot be opened (tried " + tried + ")";
  return nullptr;
}

std::string nvrtc::version() const {
  int major = 0, minor = 0;
  call_->check(call_->nvrtcVersion(&major, &minor), "version");
  return std::to_string(major) + "." + std::to_string(minor);
}

std::vector<int> nvrtc::architectures() const {
  int count = 0;
  call_->check(call_->nvrtcGetNumSupportedArchs(&count), "number of architectures");
  std::vector<int> known(static_cast<std::size_t>(count));
  if (count > 0) call_->check(call_->nvrtcGetSupportedArchs(known.data()), "architectures");
  return known;
}

std::string nvrtc::options() {
  std::string all;
  for (const char* option : common_options) all += std::string(" ") + option;
  return all;
}

std::string nvrtc::compile(const device_program& source, std::string_view architecture) const {
  const functions& call = *call_;
  functions::program program = nullptr;
  call.check(
      call.nvrtcCreateProgram(&program, source.text.c_str(), "tropic.cu", 0, nullptr, nullptr),
      "create");
  struct guard {
    const functions& call;
    functions::program& program;
    ~guard() { call.nvrtcDestroyProgram(&program); }
  } destroys{call, program};

  const std::string target = target_option + std::string(architecture);
  std::vector<const char*> options = {target.c_str()};
  options.insert(options.end(), std::begin(common_options), std::end(common_options));
  const int status =
      call.nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  if (status != 0) {
    std::size_t size = 0;
    std::string log;
    if (call.nvrtcGetProgramLogSize(program, &size) == 0 && size > 0) {
      log.resize(size);
      call.nvrtcGetProgramLog(program, log.data());
      while (!log.empty() && log.back() == '\0') log.pop_back();
    }
    throw device_error(compile_error(source, "cuda (NVRTC " + version() + ")",
                                     log.empty() ? call.nvrtcGetErrorString(status) : log));
  }
  const bool machine_code = architecture.starts_with("sm_");
  std::size_t size = 0;
  call.check(
      machine_code ? call.nvrtcGetCUBINSize(program, &size) : call.nvrtcGetPTXSize(program, &size),
      "size of the result");
  std::string result(size, '\0');
  call.check(machine_code ? call.nvrtcGetCUBIN(program, result.data())
                          : call.nvrtcGetPTX(program, result.data()),
             "result");
  while (!machine_code && !result.empty() && result.back() == '\0') result.pop_back();
  return result;
}

}  // namespace tropic::detail
