// SPDX-License-Identifier: Apache-2.0
#pragma once

// The content of a file in memory: mapped if it is plain, decompressed otherwise.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <tropic/io.hpp>

namespace tropic::io::detail {

using compression = packing;

compression compression_of(const std::filesystem::path& path);
/// The name without the ending of its compression.
std::filesystem::path plain_name(const std::filesystem::path& path);

struct source {
  std::string name;
  std::string_view text;
  std::shared_ptr<const void> owner;  ///< keeps `text` alive; its start is aligned for any type
  std::size_t memory = 0;             ///< bytes that `owner` holds; 0 if the file is mapped
};

/// Throws input_error for a file that is missing, unreadable, a directory, badly compressed, or
/// compressed beyond the ratio; out_of_memory if the text does not fit. Errors use options.name, or
/// the path if that is empty. The compression is options.format, otherwise that of the path's
/// ending, otherwise that of the first bytes.
source open_source(const std::filesystem::path& path, const read_options& options);

}  // namespace tropic::io::detail
