// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bytes of a file, whole and in memory: mapped when they are plain, unpacked when not.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tropic/io.hpp>

namespace tropic::io::detail {

using compression = packing;

compression compression_of(const std::filesystem::path& path);
/// The name without its compression ending.
std::filesystem::path plain_name(const std::filesystem::path& path);

struct source {
  std::string name;
  std::string_view text;
  std::shared_ptr<const void> owner;  ///< keeps `text` alive; its start is aligned for any type
};

/// Throws input_error for a file that is missing, unreadable, a directory, or badly compressed.
/// Errors name it `name`, or the path where that is empty. It is unpacked as `packed` says, else as
/// the path's ending does; where that is none, as its first bytes say.
source open_source(const std::filesystem::path& path, const progress_function& progress,
                   const std::string& name = {}, std::optional<compression> packed = {});

/// Whether packed zstd data ends where its last frame does (Boost takes a cut one for whole).
bool ends_with_whole_zstd_frame(std::string_view data);

}  // namespace tropic::io::detail
