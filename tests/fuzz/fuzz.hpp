// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the fuzz targets share: the end of a run that exposes a bug, the bytes of an input taken one
// decision at a time, and contexts of bounded memory.
//
// A target is `fuzz_NAME.cpp` with two functions, LLVMFuzzerTestOneInput and write_seeds. Under
// clang it is linked with libFuzzer; with any compiler replay.cpp feeds it the files of
// corpus/NAME.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>
#include <tropic/context.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tropic::fuzz {

/// Ends the process: libFuzzer keeps the input, the replay names its file.
[[noreturn]] inline void broken(std::string_view what) {
  std::fprintf(stderr, "fuzz: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}
inline void require(bool holds, std::string_view what) {
  if (!holds) broken(what);
}

/// Writes the hand-written inputs of the target into `folder`, which is created. Returns the exit
/// status of the process. Each target defines it; seeds.cpp calls it.
int write_seeds(const std::filesystem::path& folder);

/// An input, from its first byte on. Past its end all bytes are 0.
class decisions {
 public:
  decisions(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  bool done() const { return left_.empty(); }
  std::uint8_t byte() {
    if (left_.empty()) return 0;
    const std::uint8_t first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }
  /// 0 to count - 1; count is 1 to 256.
  unsigned below(unsigned count) { return byte() % count; }
  /// True with probability 1 / among.
  bool rarely(unsigned among) { return byte() % among == among - 1; }
  /// All remaining bytes, at most `limit`.
  std::string_view text(std::size_t limit) {
    const std::size_t count = left_.size() < limit ? left_.size() : limit;
    const std::string_view taken(reinterpret_cast<const char*>(left_.data()), count);
    left_ = left_.subspan(count);
    return taken;
  }

 private:
  std::span<const std::uint8_t> left_;
};

inline constexpr std::size_t memory_limit = std::size_t{64} << 20;

inline context_options bounded(int threads) {
  context_options options;
  options.threads = threads;
  options.memory_limit = memory_limit;
  return options;
}

}  // namespace tropic::fuzz
