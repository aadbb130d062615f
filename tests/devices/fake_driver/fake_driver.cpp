// SPDX-License-Identifier: Apache-2.0
#include "fake_state.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

using namespace tropic::testing;

namespace {

int begin(const char* function) {
  fake_state& s = state();
  ++s.calls[function];
  if (const auto found = s.failures.find(function); found != s.failures.end())
    if (--found->second.first == 0) {
      const int status = found->second.second;
      s.failures.erase(found);
      return status;
    }
  return success;
}
int misuse(int status) {
  ++state().misuses;
  return status;
}

// The bytes from `at` to the end of its block; 0 if it is in no block.
std::size_t room(std::uintptr_t at, int device) {
  auto found = state().blocks.upper_bound(at);
  if (found == state().blocks.begin()) return 0;
  --found;
  const std::size_t within = at - found->first;
  return found->second.first == device && within < found->second.second
             ? found->second.second - within
             : 0;
}

// All that is enqueued, or what comes before `reached`.
int run(fake_stream& stream, const bool* reached = nullptr) {
  fake_state& s = state();
  int& broken = s.contexts[stream.device].broken;
  while (!stream.work.empty() && (reached == nullptr || !*reached)) {
    const std::function<void()> step = std::move(stream.work.front());
    stream.work.pop_front();
    if (broken == success) step();
  }
  if (s.pending_failure != success) broken = std::exchange(s.pending_failure, success);
  return broken;
}

fake_stream* known(void* stream) {
  auto* result = static_cast<fake_stream*>(stream);
  return state().streams.contains(result) ? result : nullptr;
}
// Those of the legacy and of the per-thread default stream. Nothing is ever enqueued there.
bool is_default(void* stream) {
  const auto number = reinterpret_cast<std::uintptr_t>(stream);
  return number == 1 || number == 2;
}

}  // namespace

// Every function locks, counts its calls, can be made to fail, and, if it works in a context,
// requires that the right context is current and intact.
#define FAKE_BEGIN(name)                     \
  const std::lock_guard lock(state().mutex); \
  fake_state& s = state();                   \
  static_cast<void>(s);                      \
  if (const int failure = begin(#name); failure != success) return failure;
#define FAKE_IN_CONTEXT(name)                                                       \
  FAKE_BEGIN(name)                                                                  \
  if (current == nullptr || current->retained == 0) return misuse(invalid_context); \
  if (current->broken != success) return current->broken;
#define FAKE_ON_STREAM(name)             \
  FAKE_IN_CONTEXT(name)                  \
  fake_stream* const on = known(stream); \
  if (on == nullptr || on->device != current->device) return misuse(invalid_handle);

extern "C" {

int cuInit(unsigned) {
  FAKE_BEGIN(cuInit)
  return success;
}
int cuDriverGetVersion(int* version) {
  *version = 13000;
  return success;
}
int cuGetErrorName(int status, const char** text) {
  static const std::map<int, const char*> names = {{invalid_value, "CUDA_ERROR_INVALID_VALUE"},
                                                   {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                   {100, "CUDA_ERROR_NO_DEVICE"},
                                                   {invalid_image, "CUDA_ERROR_INVALID_IMAGE"},
                                                   {invalid_context, "CUDA_ERROR_INVALID_CONTEXT"},
                                                   {not_found, "CUDA_ERROR_NOT_FOUND"},
                                                   {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                                   {719, "CUDA_ERROR_LAUNCH_FAILED"},
                                                   {999, "CUDA_ERROR_UNKNOWN"}};
  const auto found = names.find(status);
  *text = found == names.end() ? nullptr : found->second;
  return found == names.end() ? invalid_value : success;
}
int cuGetErrorString(int status, const char** text) {
  *text = status == 700 ? "an illegal memory access was encountered" : nullptr;
  return *text == nullptr ? invalid_value : success;
}

int cuDeviceGetCount(int* count) {
  FAKE_BEGIN(cuDeviceGetCount)
  *count = devices;
  return success;
}
int cuDeviceGet(int* device, int number) {
  FAKE_BEGIN(cuDeviceGet)
  *device = number;
  return number < devices ? success : invalid_device;
}
int cuDeviceGetName(char* name, int size, int device) {
  std::snprintf(name, static_cast<std::size_t>(size), "Fake %d", device);
  return success;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = state().memory;
  return success;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    case 1: *value = 1024; break;
    case 8: *value = 49152; break;
    case 10: *value = 32; break;
    case 16: *value = number_in("TROPIC_FAKE_PROCESSORS", 7); break;
    case 75: *value = state().capability / 10; break;
    case 76: *value = state().capability % 10; break;
    case 97: *value = 232448; break;
    default: return invalid_value;
  }
  return success;
}

int cuDevicePrimaryCtxRetain(void** context, int device) {
  FAKE_BEGIN(cuDevicePrimaryCtxRetain)
  *context = &s.contexts[device];
  ++s.contexts[device].retained;
  return success;
}
int cuDevicePrimaryCtxRelease_v2(int device) {
  FAKE_BEGIN(cuDevicePrimaryCtxRelease)
  if (s.contexts[device].retained == 0) return misuse(invalid_context);
  if (--s.contexts[device].retained == 0) s.contexts[device].broken = success;
  return success;
}
int cuCtxGetCurrent(void** context) {
  *context = current;
  return success;
}
int cuCtxSetCurrent(void* context) {
  current = static_cast<fake_context*>(context);
  return success;
}
int cuCtxGetDevice(int* device) {
  FAKE_IN_CONTEXT(cuCtxGetDevice)
  *device = current->device;
  return success;
}

int cuStreamCreate(void** stream, unsigned) {
  FAKE_IN_CONTEXT(cuStreamCreate)
  *stream = *s.streams.insert(new fake_stream{current->device, {}}).first;
  return success;
}
int cuStreamDestroy_v2(void* stream) {
  FAKE_BEGIN(cuStreamDestroy)
  fake_stream* const on = known(stream);
  if (on == nullptr) return misuse(invalid_handle);
  s.streams.erase(on);
  delete on;
  return success;
}
int cuStreamGetCtx(void* stream, void** context) {
  FAKE_IN_CONTEXT(cuStreamGetCtx)
  fake_stream* const on = known(stream);
  if (on == nullptr) return invalid_handle;
  *context = &s.contexts[on->device];
  return success;
}
int cuStreamSynchronize(void* stream) {
  FAKE_ON_STREAM(cuStreamSynchronize)
  return run(*on);
}

int cuStreamWaitEvent(void* stream, void* event, unsigned) {
  FAKE_IN_CONTEXT(cuStreamWaitEvent)
  auto* const what = static_cast<fake_event*>(event);
  if (!s.events.contains(what) || what->device != current->device) return misuse(invalid_handle);
  fake_stream* const on = known(stream);
  if (is_default(stream) || what->of == nullptr || what->of == on) return success;
  if (on == nullptr || on->device != current->device) return misuse(invalid_handle);
  on->work.push_back([of = what->of, reached = what->reached] {
    if (known(of) != nullptr) run(*of, reached.get());  // one that is gone has ended its work
  });
  return success;
}
int cuEventCreate(void** event, unsigned) {
  FAKE_IN_CONTEXT(cuEventCreate)
  *event = *s.events.insert(new fake_event{current->device}).first;
  return success;
}
int cuEventDestroy_v2(void* event) {
  FAKE_IN_CONTEXT(cuEventDestroy)
  auto* const gone = static_cast<fake_event*>(event);
  if (s.events.erase(gone) == 0) return misuse(invalid_handle);
  delete gone;
  return success;
}
int cuEventRecord(void* event, void* stream) {
  FAKE_ON_STREAM(cuEventRecord)
  auto* const what = static_cast<fake_event*>(event);
  if (!s.events.contains(what) || what->device != current->device) return misuse(invalid_handle);
  what->of = on;
  what->reached = std::make_shared<bool>(false);
  on->work.push_back([reached = what->reached] { *reached = true; });
  return success;
}
int cuCtxSynchronize() {
  FAKE_IN_CONTEXT(cuCtxSynchronize)
  for (fake_stream* stream : s.streams)
    if (stream->device == current->device) run(*stream);
  return current->broken;
}

int cuModuleLoadDataEx(void** module, const void* image, unsigned, int*, void**) {
  FAKE_IN_CONTEXT(cuModuleLoadDataEx)
  // Machine code is an ELF file with its section headers at the end; everything else is text.
  const char* text = static_cast<const char*>(image);
  std::size_t size = std::strlen(text);
  if (std::memcmp(text,
                  "\x7f"
                  "ELF",
                  4) == 0) {
    std::uint64_t at = 0;
    std::uint16_t entry_size = 0, count = 0;
    std::memcpy(&at, text + 0x28, sizeof(at));
    std::memcpy(&entry_size, text + 0x3a, sizeof(entry_size));
    std::memcpy(&count, text + 0x3c, sizeof(count));
    size = at + std::size_t{entry_size} * count;
  } else if (std::strstr(text, ".version") == nullptr) {
    return invalid_image;
  }
  std::string copy(text, size);
  std::shared_ptr<const emulated_program> program;
  if (emulated_program::is_image(copy)) program = std::make_shared<const emulated_program>(copy);
  *module = *s.modules.insert(new fake_module{std::move(copy), std::move(program), {}}).first;
  return success;
}
int cuModuleUnload(void* module) {
  FAKE_BEGIN(cuModuleUnload)
  auto* const result = static_cast<fake_module*>(module);
  if (s.modules.erase(result) == 0) return misuse(invalid_handle);
  if (current == nullptr) return misuse(invalid_context);
  delete result;
  return current->broken;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  FAKE_IN_CONTEXT(cuModuleGetFunction)
  auto* const of = static_cast<fake_module*>(module);
  if (!s.modules.contains(of)) return misuse(invalid_handle);
  if (of->image.find(name) == std::string::npos) return not_found;
  auto& result = of->functions[name];
  if (result == nullptr) {
    result = std::make_unique<fake_function>(fake_function{name});
    const std::size_t* sizes = nullptr;
    if (of->program != nullptr) result->call = of->program->kernel(name, sizes);
    if (result->call != nullptr) result->program = of->program;
    for (; sizes != nullptr && *sizes != 0; ++sizes) result->sizes.push_back(*sizes);
  }
  *function = result.get();
  return success;
}
int cuFuncGetParamInfo(void* function, std::size_t index, std::size_t* offset, std::size_t* size) {
  FAKE_IN_CONTEXT(cuFuncGetParamInfo)
  const auto& asked = *static_cast<fake_function*>(function);
  const auto found = s.kernels.find(asked.name);
  if (asked.call == nullptr && found == s.kernels.end()) return not_supported;
  const std::vector<std::size_t>& sizes = asked.call != nullptr ? asked.sizes : found->second.sizes;
  if (index >= sizes.size()) return invalid_value;
  *offset = 0;
  *size = sizes[index];
  return success;
}

int cuFuncSetAttribute(void* function, int attribute, int value) {
  FAKE_IN_CONTEXT(cuFuncSetAttribute)
  constexpr int most_dynamic_shared_memory = 8, most_bytes = 232448;
  if (attribute != most_dynamic_shared_memory || value > most_bytes) return invalid_value;
  static_cast<fake_function*>(function)->most_local_bytes = value;
  return success;
}

int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  FAKE_IN_CONTEXT(cuMemGetInfo)
  *free = s.memory - s.used[current->device];
  *total = s.memory;
  return success;
}
int cuPointerGetAttribute(void* value, int attribute, unsigned long long memory) {
  FAKE_IN_CONTEXT(cuPointerGetAttribute)
  // The pointer may be anywhere in a block.
  auto found = s.blocks.upper_bound(static_cast<std::uintptr_t>(memory));
  if (found == s.blocks.begin()) return invalid_value;
  --found;
  const auto [device, bytes] = found->second;
  if (memory >= found->first + bytes) return invalid_value;
  switch (attribute) {
    case 1: *static_cast<void**>(value) = &s.contexts[device]; return success;
    case 2: *static_cast<unsigned*>(value) = 2; return success;
    case 8: *static_cast<unsigned*>(value) = 0; return success;
    case 9: *static_cast<int*>(value) = device; return success;
    default: return invalid_value;
  }
}
int cuMemAlloc_v2(unsigned long long* result, std::size_t bytes) {
  FAKE_IN_CONTEXT(cuMemAlloc)
  if (bytes == 0) return misuse(invalid_value);
  if (bytes > s.memory - s.used[current->device]) return out_of_memory;
  void* const block = std::malloc(bytes);
  std::memset(block, 0xcd, bytes);
  s.used[current->device] += bytes;
  s.blocks[reinterpret_cast<std::uintptr_t>(block)] = {current->device, bytes};
  *result = reinterpret_cast<std::uintptr_t>(block);
  return success;
}
int cuMemFree_v2(unsigned long long memory) {
  FAKE_BEGIN(cuMemFree)
  const auto found = s.blocks.find(static_cast<std::uintptr_t>(memory));
  if (found == s.blocks.end() || current == nullptr || found->second.first != current->device)
    return misuse(invalid_value);
  for (const fake_stream* stream : s.streams)
    if (stream->device == current->device && !stream->work.empty() && current->broken == success)
      ++s.misuses;  // it may still be in use
  s.used[current->device] -= found->second.second;
  std::free(reinterpret_cast<void*>(found->first));
  s.blocks.erase(found);
  return current->broken;
}
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, std::size_t bytes, void* stream) {
  FAKE_ON_STREAM(cuMemcpyHtoDAsync)
  if (room(static_cast<std::uintptr_t>(to), current->device) < bytes) return misuse(invalid_value);
  on->work.push_back(
      [=] { std::memcpy(reinterpret_cast<void*>(static_cast<std::uintptr_t>(to)), from, bytes); });
  return success;
}
int cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, std::size_t bytes, void* stream) {
  FAKE_ON_STREAM(cuMemcpyDtoHAsync)
  if (room(static_cast<std::uintptr_t>(from), current->device) < bytes)
    return misuse(invalid_value);
  on->work.push_back(
      [=] { std::memcpy(to, reinterpret_cast<void*>(static_cast<std::uintptr_t>(from)), bytes); });
  return success;
}
int cuMemsetD8Async(unsigned long long memory, unsigned char value, std::size_t bytes,
                    void* stream) {
  FAKE_ON_STREAM(cuMemsetD8Async)
  if (room(static_cast<std::uintptr_t>(memory), current->device) < bytes)
    return misuse(invalid_value);
  on->work.push_back([=] {
    std::memset(reinterpret_cast<void*>(static_cast<std::uintptr_t>(memory)), value, bytes);
  });
  return success;
}

int cuLaunchKernel(void* function, unsigned x, unsigned y, unsigned z, unsigned width,
                   unsigned height, unsigned depth, unsigned local_bytes, void* stream,
                   void** parameters, void**) {
  FAKE_ON_STREAM(cuLaunchKernel)
  if (x == 0 || y != 1 || z != 1 || width == 0 || width > 1024 || height != 1 || depth != 1)
    return invalid_value;
  const auto& launched = *static_cast<fake_function*>(function);
  if (local_bytes > static_cast<unsigned>(launched.most_local_bytes)) return invalid_value;
  const auto found = s.kernels.find(launched.name);
  if (launched.call == nullptr && found == s.kernels.end()) return success;
  // The arguments are copied now, the kernel runs later.
  const std::vector<std::size_t>& sizes =
      launched.call != nullptr ? launched.sizes : found->second.sizes;
  std::vector<std::vector<std::byte>> copies;
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    const auto* from = static_cast<const std::byte*>(parameters[n]);
    copies.emplace_back(from, from + sizes[n]);
  }
  std::function<void(void**)> kernel;
  if (launched.call != nullptr)
    kernel = [=, program = launched.program, call = launched.call](void** arguments) {
      program->run(call, arguments, x, width, local_bytes);
    };
  else if (found->second.run != nullptr)
    kernel = found->second.run;
  on->work.push_back([kernel = std::move(kernel), copies]() mutable {
    std::vector<void*> pointers;
    for (auto& copy : copies) pointers.push_back(copy.data());
    if (kernel) kernel(pointers.data());
  });
  return success;
}

}  // extern "C"
