// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program/precompiled_programs.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <system_error>

#include "backends/device/program/program_cache.hpp"

namespace tropic::detail {
namespace {

constexpr const char* places[] = {"../share/tropic/programs", "../../share/tropic/programs",
                                  "programs", "../programs"};

// The file that this function is in: the library, or what it is linked into.
std::filesystem::path own_file() {
  static const char place = 0;
  Dl_info found{};
  if (::dladdr(&place, &found) == 0 || found.dli_fname == nullptr) return {};
  std::error_code problem;
  // Of a program this is what it was called by, as a shell had it.
  if (std::string_view(found.dli_fname).find(".so") == std::string_view::npos)
    return std::filesystem::read_symlink("/proc/self/exe", problem);
  return std::filesystem::canonical(found.dli_fname, problem);
}

std::filesystem::path folder_beside_the_library() {
  const std::filesystem::path file = own_file();
  if (file.empty()) return {};
  std::error_code problem;
  for (const char* place : places) {
    const std::filesystem::path folder = file.parent_path() / place;
    if (std::filesystem::is_directory(folder, problem)) return folder.lexically_normal();
  }
  return {};
}

}  // namespace

precompiled_programs::precompiled_programs(int capability, notice log)
    : capability_(capability), log_(std::move(log)) {
  const char* given = std::getenv("TROPIC_PROGRAMS");
  if (given == nullptr || *given == '\0')
    folder_ = folder_beside_the_library();
  else if (std::string_view(given) != "off")
    folder_ = given;
}

std::string precompiled_programs::key_of(std::string_view text, std::string_view options) {
  return program_cache::key_of(text, options, "cuda");
}

// Code for 8.0 runs on 8.6 and 8.9, but not on 9.0.
void precompiled_programs::open() {
  if (folder_.empty()) return;
  std::error_code problem;
  if (!std::filesystem::is_directory(folder_, problem)) return warn("there is no such folder");
  for (int number = capability_; number >= capability_ / 10 * 10; --number) {
    const std::string name = "sm_" + std::to_string(number);
    std::string reason;
    archive_ = program_archive::open(folder_ / name_of(name), name, reason);
    if (!reason.empty()) warn(name_of(name) + " is not used: " + reason);
    if (archive_ == nullptr) continue;
    architecture_ = name;
    return;
  }
}

bool precompiled_programs::is_there() {
  std::call_once(opened_, [this] { open(); });
  return archive_ != nullptr;
}

bool precompiled_programs::has(const std::string& key) {
  return is_there() && !rejected_ && archive_->has(key);
}

std::optional<std::vector<unsigned char>> precompiled_programs::load(const std::string& key) {
  if (!is_there() || rejected_) return {};
  std::string reason;
  auto found = archive_->load(key, reason);
  if (!reason.empty()) warn(name_of(architecture_) + ": " + reason + "; compiling it");
  if (found) ++hits_;
  return found;
}

void precompiled_programs::reject(const std::string& key) {
  --hits_;
  rejected_ = true;
  warn(name_of(architecture_) + ": the driver rejects the program " + key + "; none is used");
}

void precompiled_programs::warn(const std::string& message) {
  if (warned_.exchange(true) || !log_) return;
  held_notices::say([log = log_, text = "precompiled programs in " + folder_.string() + ": " +
                                        message] { log(text); });
}

}  // namespace tropic::detail
