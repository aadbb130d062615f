// SPDX-License-Identifier: Apache-2.0

// Decompression by Boost.Iostreams, in pieces: a few kilobytes of xz can expand to terabytes.

#include "io/input/unpack.hpp"

#include <algorithm>
#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstdint>
#include <cstring>

#include "io/input/growing_block.hpp"

namespace tropic::io::detail {

namespace {

namespace streams = boost::iostreams;

std::uint64_t little_endian(std::string_view bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return value;
}

/// The compressed bytes for Boost, with a count of those that it has consumed.
class counted_bytes {
 public:
  using char_type = char;
  using category = streams::source_tag;

  counted_bytes(std::string_view bytes, std::size_t& taken) : bytes_(bytes), taken_(&taken) {}

  std::streamsize read(char* to, std::streamsize limit) {
    const std::string_view next = bytes_.substr(*taken_, static_cast<std::size_t>(limit));
    if (next.empty()) return -1;
    std::memcpy(to, next.data(), next.size());
    *taken_ += next.size();
    return static_cast<std::streamsize>(next.size());
  }

 private:
  std::string_view bytes_;
  std::size_t* taken_;
};

/// The largest windows that decoders accept: the limit of libzstd, and what fits the 100 MiB that
/// Boost allows liblzma in all.
constexpr std::size_t largest_zstd_window = std::size_t{1} << 27;
constexpr std::size_t largest_xz_dictionary = std::size_t{96} << 20;
/// LZMA_MEMLIMIT_ERROR of liblzma's <lzma/base.h>, which Boost passes on without a name.
constexpr int lzma_memory_limit_error = 6;

/// The most of the decompressed text that a decoder holds in its own memory.
std::size_t window_of(compression packing) {
  switch (packing) {
    case compression::gzip: return std::size_t{1} << 15;
    case compression::zstd: return largest_zstd_window;
    default: return largest_xz_dictionary;
  }
}

void check_ratio(const std::string& name, std::size_t unpacked, std::size_t packed,
                 const read_options& options) {
  if (options.unpack_ratio == 0 || unpacked <= harmless_text ||
      unpacked / options.unpack_ratio < packed)
    return;
  throw input_error(name, 0,
                    std::to_string(unpacked) + " bytes unpacked from the first " +
                        std::to_string(packed) + ", " + std::to_string(unpacked / packed) + " to 1",
                    "at most " + std::to_string(options.unpack_ratio) +
                        " to 1 (a larger --unpack-ratio or read_options::unpack_ratio accepts it)");
}

}  // namespace

compression packing_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x1f\x8b\x08"sv)) return compression::gzip;
  if (bytes.starts_with("\xfd"
                        "7zXZ\0"sv))
    return compression::xz;
  if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return compression::zstd;
  return compression::none;
}

zstd_extent zstd_extent_of(std::string_view data) {
  const std::size_t all = data.size();
  zstd_extent extent;
  const auto broken = [&] {
    extent.broken_at = all - data.size();
    return extent;
  };
  // RFC 8878, sections 3.1.1 and 3.1.2: frames of a header, blocks with their sizes, and a
  // checksum.
  constexpr std::uint32_t frame_magic = 0xFD2FB528, skippable_magic = 0x184D2A50;
  while (!data.empty()) {
    if (data.size() < 8) return broken();
    const auto magic = static_cast<std::uint32_t>(little_endian(data, 4));
    if ((magic & 0xFFFFFFF0U) == skippable_magic) {
      const std::size_t size = 8 + static_cast<std::size_t>(little_endian(data.substr(4), 4));
      if (data.size() < size) return broken();
      data.remove_prefix(size);
      continue;
    }
    if (magic != frame_magic) return broken();
    const auto flags = static_cast<unsigned char>(data[4]);
    constexpr std::size_t dictionary_bytes[] = {0, 1, 2, 4}, content_bytes[] = {0, 2, 4, 8};
    const bool single_segment = (flags & 0x20U) != 0;
    const std::size_t content = flags >> 6U == 0 && single_segment ? 1 : content_bytes[flags >> 6U];
    const std::size_t header =
        5 + (single_segment ? 0 : 1) + dictionary_bytes[flags & 3U] + content;
    if (data.size() < header) return broken();
    std::uint64_t window = little_endian(data.substr(header - content), content);
    if (!single_segment) {
      const auto descriptor = static_cast<unsigned char>(data[5]);
      const std::uint64_t base = std::uint64_t{1} << (10 + (descriptor >> 3U));
      window = base + base / 8 * (descriptor & 7U);
    }
    extent.window = std::max(extent.window, window);
    data.remove_prefix(header);
    for (bool last = false; !last;) {
      if (data.size() < 3) return broken();
      const std::uint64_t head = little_endian(data, 3);
      last = (head & 1U) != 0;
      const bool run_length = (head >> 1U & 3U) == 1;
      const std::size_t size = 3 + (run_length ? 1 : static_cast<std::size_t>(head >> 3U));
      if (data.size() < size) return broken();
      data.remove_prefix(size);
    }
    const std::size_t checksum = (flags & 4U) != 0 ? 4 : 0;
    if (data.size() < checksum) return broken();
    data.remove_prefix(checksum);
  }
  return extent;
}

source unpack(const source& packed, compression packing, const read_options& options) {
  const char* const format = packing == compression::gzip ? "gzip"
                             : packing == compression::xz ? "xz"
                                                          : "zstd";
  const auto refuse = [&](const std::string& found) {
    throw input_error(packed.name, 0, found, std::string("whole ") + format + " data");
  };
  if (packed.text.empty()) refuse("an empty file");
  std::size_t taken = 0;
  const std::string of_all = " of " + std::to_string(packed.text.size());
  const auto refuse_broken = [&] {
    refuse("broken or truncated data before byte " + std::to_string(taken) + of_all);
  };
  if (packing == compression::zstd) {
    const zstd_extent extent = zstd_extent_of(packed.text);
    if (extent.broken_at)
      refuse("broken or truncated data at byte " + std::to_string(*extent.broken_at) + of_all);
    if (extent.window > largest_zstd_window)
      throw input_error(
          packed.name, 0, "zstd data with a window of " + std::to_string(extent.window) + " bytes",
          "one of at most " + std::to_string(largest_zstd_window) + " (zstd --long=27 and below)");
  }
  growing_block block(packed.name, options, window_of(packing));
  try {
    // Small pieces of input, so that `taken` is close to the input of the text so far.
    constexpr std::size_t packed_piece = std::size_t{1} << 12;
    streams::filtering_istreambuf in;
    if (packing == compression::gzip)
      in.push(streams::gzip_decompressor(streams::gzip::default_window_bits, packed_piece));
    if (packing == compression::xz) in.push(streams::lzma_decompressor(packed_piece));
    if (packing == compression::zstd) in.push(streams::zstd_decompressor(packed_piece));
    in.push(counted_bytes(packed.text, taken), packed_piece);
    const auto wanted = static_cast<std::streamsize>(piece);
    for (std::size_t pieces = 1;; ++pieces) {
      const std::streamsize count = in.sgetn(block.room(piece), wanted);
      if (count <= 0) break;
      block.grow(static_cast<std::size_t>(count));
      check_ratio(packed.name, block.size(), taken, options);
      const double share = static_cast<double>(taken) / static_cast<double>(packed.text.size());
      if (options.progress && pieces % 64 == 0 && !options.progress(0.3 * share)) throw cancelled();
    }
  } catch (const streams::gzip_error&) {
    refuse_broken();
  } catch (const streams::lzma_error& failure) {
    if (failure.error() == lzma_memory_limit_error) {
      const std::string limit = std::to_string(largest_xz_dictionary >> 20) + " MiB";
      throw input_error(packed.name, 0, "xz data with a dictionary of more than " + limit,
                        "at most that (xz --lzma2=dict=96MiB and below)");
    }
    refuse_broken();
  } catch (const streams::zstd_error&) {
    refuse_broken();
  }
  return block.finish();
}

}  // namespace tropic::io::detail
