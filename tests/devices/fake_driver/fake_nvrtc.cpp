// SPDX-License-Identifier: Apache-2.0

// NVRTC for the fake driver (TROPIC_NVRTC_LIBRARY): compiles with the C++ compiler, $CXX or c++,
// for the emulation of kernels (emulation.hpp). Machine code and PTX are the same: a shared
// library.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace {

struct program {
  std::string text, log, code;
};

std::string contents_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The text between the constants and the rest is dialect_cuda.h.
bool replace_dialect(std::string& text) {
  constexpr std::string_view first = "#define T_KERNEL extern \"C\" __global__",
                             last = "#define T_SUBGROUP_SYNC() __syncthreads()\n#endif\n";
  const std::size_t begin = text.find(first), end = text.find(last);
  if (begin == std::string::npos || end == std::string::npos) return false;
  text.replace(begin, end + last.size() - begin, "#include \"" TROPIC_EMULATED_DIALECT "\"\n");
  return true;
}

int compile(program& p) {
  std::string text = p.text;
  if (!replace_dialect(text)) {
    p.log = "error: a program without the CUDA dialect";
    return 6;
  }
  char folder[] = "/tmp/tropic-emulated-XXXXXX";
  if (::mkdtemp(folder) == nullptr) return 1;
  const std::string at = folder, source = at + "/program.cpp", expanded = at + "/expanded.cpp",
                    library = at + "/program.so", log = at + "/log";
  const char* given = std::getenv("CXX");
  const std::string compiler = given != nullptr ? given : "c++";
  const auto run = [&](const std::string& options) {
    return std::system((compiler + " -std=c++17 -w " + options + " > '" + log + "' 2>&1").c_str());
  };
  std::ofstream(source) << text;
  // The kernels are those that no #if leaves out.
  int status = run("-E -P -o '" + expanded + "' '" + source + "'");
  if (status == 0) {
    text = contents_of(expanded);
    const std::regex kernel("__attribute__\\(\\(used\\)\\)\\s+void\\s+(\\w+)\\s*\\(");
    std::ofstream out(expanded, std::ios::app);
    for (std::sregex_iterator found(text.begin(), text.end(), kernel), none; found != none; ++found)
      out << "\nextern \"C\" void t_call_" << (*found)[1] << "(void** a) { emulated_call("
          << (*found)[1] << ", a); }\nextern \"C\" const size_t* t_sizes_" << (*found)[1]
          << "() { return emulated_sizes_of(" << (*found)[1] << "); }\n";
    out.close();
    status = run("-O1 -fPIC -shared -ffp-contract=off -o '" + library + "' '" + expanded + "'");
  }
  p.log = contents_of(log);
  if (status == 0) p.code = contents_of(library);
  for (const std::string& file : {source, expanded, library, log}) ::unlink(file.c_str());
  ::rmdir(folder);
  return status == 0 && !p.code.empty() ? 0 : 6;
}

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return 0;
}
const char* nvrtcGetErrorString(int status) {
  return status == 0 ? "success" : status == 6 ? "compilation" : "failure";
}
int nvrtcGetNumSupportedArchs(int* count) {
  *count = 7;
  return 0;
}
int nvrtcGetSupportedArchs(int* known) {
  constexpr int all[] = {75, 80, 86, 89, 90, 100, 120};
  std::memcpy(known, all, sizeof(all));
  return 0;
}
int nvrtcCreateProgram(void** handle, const char* text, const char*, int, const char* const*,
                       const char* const*) {
  *handle = new program{text, {}, {}};
  return 0;
}
int nvrtcDestroyProgram(void** handle) {
  delete static_cast<program*>(*handle);
  *handle = nullptr;
  return 0;
}
int nvrtcCompileProgram(void* handle, int, const char* const*) {
  return compile(*static_cast<program*>(handle));
}
int nvrtcGetProgramLogSize(void* handle, std::size_t* size) {
  *size = static_cast<program*>(handle)->log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(void* handle, char* log) {
  const std::string& text = static_cast<program*>(handle)->log;
  std::memcpy(log, text.c_str(), text.size() + 1);
  return 0;
}
int nvrtcGetCUBINSize(void* handle, std::size_t* size) {
  *size = static_cast<program*>(handle)->code.size();
  return 0;
}
int nvrtcGetCUBIN(void* handle, char* code) {
  const std::string& bytes = static_cast<program*>(handle)->code;
  std::memcpy(code, bytes.data(), bytes.size());
  return 0;
}
int nvrtcGetPTXSize(void* handle, std::size_t* size) {
  return nvrtcGetCUBINSize(handle, size);
}
int nvrtcGetPTX(void* handle, char* code) {
  return nvrtcGetCUBIN(handle, code);
}

}  // extern "C"
