// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compiled programs in one file: those of an architecture that a package carries. Programs are
// alike, so they are compressed together, in blocks that hold several of them. Layout: a header
// with the architecture and a checksum, an index of programs in the order of keys, an index of
// blocks, then the blocks. Numbers have the byte order of the machine that wrote them. The file is
// read when a program is asked for, never mapped, so that one that is replaced meanwhile costs no
// more than a compilation.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file_output/place.hpp"

namespace tropic::detail {

class program_archive {
 public:
  /// Null where there is no such file, or it is no archive of that architecture; then `reason` says
  /// why not, and is empty where there is no file.
  static std::unique_ptr<program_archive> open(const std::filesystem::path& file,
                                               std::string_view architecture, std::string& reason);

  /// The program of that key, a byte 0 behind it; none where there is none or it is damaged, which
  /// `reason` says. Thread-safe.
  std::optional<std::vector<unsigned char>> load(std::string_view key, std::string& reason);
  bool has(std::string_view key) const { return find(key) != nullptr; }
  std::size_t size() const { return programs_.size(); }

  struct program {
    char key[32];  // program_cache::key_of
    std::uint64_t block, at, bytes;
  };
  struct block {
    std::uint64_t at, stored, bytes, checksum;
  };

 private:
  program_archive() = default;
  const program* find(std::string_view key) const;  // null: there is none
  bool read(std::uint64_t block);

  files::descriptor file_;
  std::vector<program> programs_;
  std::vector<block> blocks_;
  std::mutex mutex_;
  std::vector<std::string> contents_;  // of blocks that a program was asked of; others are empty
};

/// Keys of 32 characters, each once, with their programs; similar ones next to each other.
using compiled_programs = std::vector<std::pair<std::string, std::string>>;
/// Writes an archive, whole or not at all. Throws error.
void write_archive(const std::filesystem::path& file, std::string_view architecture,
                   const compiled_programs&);

}  // namespace tropic::detail
