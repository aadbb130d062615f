// SPDX-License-Identifier: Apache-2.0

// Opens files. Plain regular files are mapped read-only; pipes are read to their end; compressed
// files are decompressed in pieces (a few kilobytes of xz can expand to terabytes). Decompression
// stops before the caller's limit or the memory of the machine is exceeded, or if the output is too
// large for its input.

#include "io/source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "io/memory.hpp"

namespace tropic::io::detail {

namespace {

namespace streams = boost::iostreams;

std::string in_words(int error_number) {
  return error_number == ENOENT ? "no such file" : std::generic_category().message(error_number);
}

struct descriptor {
  int number;
  explicit descriptor(int n) : number(n) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (number >= 0) ::close(number);
  }
};

constexpr std::size_t piece = std::size_t{1} << 18;

/// A growing block of whole pages. It is not copied if the system can move pages, and uses only the
/// memory that was written. Its start is aligned for every type.
class growing_block {
 public:
  /// A decoder with a window of `window` bytes holds that much of the text a second time.
  growing_block(std::string name, const memory_room& room, std::size_t window)
      : name_(std::move(name)), room_(room), window_(window) {}
  ~growing_block() { release(bytes_, capacity_); }
  growing_block(const growing_block&) = delete;
  growing_block& operator=(const growing_block&) = delete;

  /// Room for `bytes` more at the end.
  char* room(std::size_t bytes) {
    if (size_ + bytes > capacity_) grow_to(size_ + bytes);
    return bytes_ + size_;
  }
  void grow(std::size_t count) { size_ += count; }
  std::size_t size() const { return size_; }

  source finish() {
#ifdef MREMAP_MAYMOVE
    const std::size_t used = (size_ + piece - 1) / piece * piece;
    if (used != 0 && used < capacity_ && ::mremap(bytes_, capacity_, used, 0) != MAP_FAILED)
      capacity_ = used;
#endif
    const std::string_view text{bytes_, size_};
    std::shared_ptr<const void> owner(
        bytes_, [capacity = capacity_](const char* p) { release(const_cast<char*>(p), capacity); });
    bytes_ = nullptr;
    return {name_, text, std::move(owner), capacity_};
  }

 private:
  static void release(char* bytes, std::size_t capacity) {
    if (bytes) ::munmap(bytes, capacity);
  }

  void grow_to(std::size_t least) {
#ifdef MREMAP_MAYMOVE
    constexpr bool copies = false;
#else
    constexpr bool copies = true;
#endif
    const std::string what = name_ + ": " + (window_ == 0 ? "reading" : "unpacking");
    const std::size_t beside = std::min(size_, window_) + (copies ? capacity_ : 0);
    room_.beside(beside).require(least, what, copies ? 0 : capacity_);
    // Grow by half, within the limit and the memory of the machine.
    std::size_t wanted = std::max(least, capacity_ + capacity_ / 2);
    if (room_.limit != 0) wanted = std::clamp(room_.limit - room_.used - beside, least, wanted);
    if (wanted - capacity_ > available_memory()) wanted = least;
    wanted = (wanted + piece - 1) / piece * piece;
#ifdef MREMAP_MAYMOVE
    void* const moved = bytes_ ? ::mremap(bytes_, capacity_, wanted, MREMAP_MAYMOVE) : map(wanted);
#else
    void* const moved = map(wanted);
    if (moved != MAP_FAILED && bytes_) {
      std::memcpy(moved, bytes_, size_);
      release(bytes_, capacity_);
    }
#endif
    if (moved == MAP_FAILED) throw out_of_memory(wanted - capacity_, available_memory(), what);
    bytes_ = static_cast<char*>(moved);
    capacity_ = wanted;
  }

  static void* map(std::size_t bytes) {
    return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }

  std::string name_;
  memory_room room_;
  std::size_t window_;
  char* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Throws if the caller wants to stop.
void go_on(const read_options& options) {
  if (options.progress && !options.progress(0)) throw cancelled();
}

/// Waits until there is something to read. The caller is asked regularly: a signal may arrive
/// before the wait begins and then interrupts nothing.
void wait_for_bytes(int file, const read_options& options) {
  if (!options.progress) return;
  constexpr int patience = 100;  // milliseconds
  pollfd wanted{file, POLLIN, 0};
  for (;;) {
    go_on(options);
    const int ready = ::poll(&wanted, 1, patience);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;  // read() reports the error
  }
}

source read_stream(int file, const std::string& name, const read_options& options) {
  growing_block block(name, options, 0);
  for (;;) {
    char* const to = block.room(piece);
    wait_for_bytes(file, options);
    const ssize_t count = ::read(file, to, piece);
    if (count == 0) return block.finish();
    if (count > 0)
      block.grow(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      throw input_error(name, 0, in_words(errno), "a readable file");
  }
}

/// Waits until a writer opens a named pipe.
int open_to_read(const std::string& path, const read_options& options) {
  for (;;) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0 || errno != EINTR) return file;
    go_on(options);
  }
}

source open_plain(const std::string& path, const std::string& name, const read_options& options) {
  const descriptor file(open_to_read(path, options));
  struct stat status {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0)
    throw input_error(name, 0, in_words(errno), "a readable file");
  if (S_ISDIR(status.st_mode)) throw input_error(name, 0, "a directory", "a file");
  if (!S_ISREG(status.st_mode)) return read_stream(file.number, name, options);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {name, {}, nullptr, 0};
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (bytes == MAP_FAILED) return read_stream(file.number, name, options);
  std::shared_ptr<const void> owner(
      bytes, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  return {name, {static_cast<const char*>(bytes), size}, std::move(owner), 0};
}

/// The compression that the first bytes indicate; no text and no Tropic file begins with any of
/// them.
compression packing_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x1f\x8b\x08"sv)) return compression::gzip;
  if (bytes.starts_with("\xfd"
                        "7zXZ\0"sv))
    return compression::xz;
  if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return compression::zstd;
  return compression::none;
}

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
                        " to 1 (a larger --unpack-ratio or read_options::unpack_ratio takes it)");
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

}  // namespace

compression compression_of(const std::filesystem::path& path) {
  const std::filesystem::path ending = path.extension();
  if (ending == ".gz") return compression::gzip;
  if (ending == ".xz") return compression::xz;
  if (ending == ".zst") return compression::zstd;
  return compression::none;
}

std::filesystem::path plain_name(const std::filesystem::path& path) {
  std::filesystem::path plain = path;
  if (compression_of(path) != compression::none) plain.replace_extension();
  return plain;
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

source open_source(const std::filesystem::path& path, const read_options& options) {
  const source file =
      open_plain(path.string(), options.name.empty() ? path.string() : options.name, options);
  compression packing = options.format ? options.format->packed : compression_of(path);
  if (packing == compression::none) packing = packing_of(file.text);
  if (packing == compression::none) return file;
  read_options beside = options;
  beside.memory_used =
      sum_of_bytes(options.memory_used, file.memory);  // a pipe of compressed bytes
  return unpack(file, packing, beside);
}

}  // namespace tropic::io::detail
