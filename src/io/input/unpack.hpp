// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decompression of text.

#include <cstdint>
#include <optional>
#include <string_view>

#include "io/input/source.hpp"

namespace tropic::io::detail {

/// The compression that the first bytes indicate; no text and no Tropic file begins with any of
/// them.
compression packing_of(std::string_view bytes);

/// Decompressed text of at most this size is accepted at any ratio: it is harmless.
inline constexpr std::size_t harmless_text = std::size_t{1} << 26;

/// The decompressed text. Throws input_error for broken data, data that is compressed beyond the
/// ratio, and windows that the decoders refuse; out_of_memory before the text exceeds the caller's
/// limit or the memory of the machine.
source unpack(const source& packed, compression packing, const read_options& options);

/// What the headers of frames and blocks of zstd data state.
struct zstd_extent {
  /// The byte at which the data ends too early (which Boost does not report) or is no frame; none
  /// if it is complete.
  std::optional<std::size_t> broken_at;
  std::uint64_t window = 0;  ///< bytes of the text that a decoder must keep for the largest frame
};
zstd_extent zstd_extent_of(std::string_view data);

}  // namespace tropic::io::detail
