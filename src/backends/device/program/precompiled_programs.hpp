// SPDX-License-Identifier: Apache-2.0
#pragma once

// The programs that a package carries, compiled for common architectures: an archive
// (program_archive.hpp) for each, "sm_90.programs", in a folder that is never written to. What is
// wrong with them costs time, never a result: it gives one notice.
//
// The folder: $TROPIC_PROGRAMS ("off": none), else the first that there is of
//
//   ../share/tropic/programs, ../../share/tropic/programs, programs, ../programs
//
// seen from the folder of the library or, where it is linked statically, of the program.

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/program/program_archive.hpp"

namespace tropic::detail {

class precompiled_programs {
 public:
  using notice = std::function<void(std::string_view)>;
  /// For a CUDA device of that compute capability (89 for 8.9): its architecture's, else those of
  /// an older one of the same generation, whose code it runs, too. Looks at the environment now,
  /// and at the files when the first program is asked for.
  precompiled_programs(int capability, notice log);

  /// Of a text and the options of its compilation, that of the architecture not included. Such
  /// programs are the same whatever compiled them, so that neither compiler nor driver is part.
  static std::string key_of(std::string_view text, std::string_view options);

  /// Whether there is an archive for the device.
  bool is_there();
  std::optional<std::vector<unsigned char>> load(const std::string& key);
  /// Whether load() would find one, damaged or not.
  bool has(const std::string& key);
  /// To say that the driver does not take what load() gave, as where it is older than the compiler:
  /// then it takes none of them.
  void reject(const std::string& key);

  const std::filesystem::path& folder() const { return folder_; }  // empty: none
  /// "sm_86", after the first load(); empty where there is no archive for the device.
  std::string architecture() const { return architecture_; }
  int hits() const { return hits_; }

  static std::string name_of(std::string_view architecture) {
    return std::string(architecture) + ".programs";
  }

 private:
  void open();
  void warn(const std::string& message);

  int capability_;
  notice log_;
  std::filesystem::path folder_;
  std::once_flag opened_;
  std::unique_ptr<program_archive> archive_;
  std::string architecture_;
  std::atomic<bool> warned_{false}, rejected_{false};
  std::atomic<int> hits_{0};
};

}  // namespace tropic::detail
