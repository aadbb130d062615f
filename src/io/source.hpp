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
  std::size_t memory = 0;             ///< bytes that `owner` holds; 0 where the file is mapped
};

/// Unpacked text of so many bytes is refused for no ratio: it is no danger.
inline constexpr std::size_t harmless_text = std::size_t{1} << 26;

/// Throws input_error for a file that is missing, unreadable, a directory, badly compressed, or
/// packed beyond the ratio; out_of_memory where the text does not fit. Errors name it options.name,
/// or the path where that is empty. It is unpacked as options.format says, else as the path's
/// ending does; where that is none, as its first bytes say.
source open_source(const std::filesystem::path& path, const read_options& options);

/// What the frames and blocks of packed zstd data say of themselves.
struct zstd_extent {
  /// The byte at which the data is cut (which Boost takes for whole) or is no frame; none where it
  /// is whole.
  std::optional<std::size_t> broken_at;
  std::uint64_t window = 0;  ///< bytes of the text that a decoder must keep, of the largest frame
};
zstd_extent zstd_extent_of(std::string_view data);

}  // namespace tropic::io::detail
