// SPDX-License-Identifier: Apache-2.0

// Opening files. Plain regular files are mapped read-only; pipes are read to their end; packed
// ones are unpacked in pieces, stopping with out_of_memory before the machine does (a few
// kilobytes of xz can stand for terabytes).

#include "source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

#include "memory.hpp"

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

/// A growing block from malloc: aligned for every type, unlike a std::string's small buffer, and
/// never zeroed before it is written.
class growing_block {
 public:
  explicit growing_block(const std::string& name) : name_(name) {}

  /// Room for `more` bytes at the end.
  char* room(std::size_t more) {
    if (size_ + more > capacity_) {
      const std::size_t wanted = std::max(size_ + more, capacity_ + capacity_ / 2);
      // realloc may hold both copies for a moment.
      require_memory(wanted, 1, "unpacking " + name_);
      void* const moved = std::realloc(bytes_.get(), wanted);
      if (!moved) throw out_of_memory(wanted, available_memory(), "unpacking " + name_);
      static_cast<void>(bytes_.release());
      bytes_.reset(static_cast<char*>(moved));
      capacity_ = wanted;
    }
    return bytes_.get() + size_;
  }
  void grow(std::size_t count) { size_ += count; }

  source finish() {
    const std::string_view text{bytes_.get(), size_};
    return {name_, text, std::shared_ptr<const void>(bytes_.release(), std::free)};
  }

 private:
  struct free_bytes {
    void operator()(char* p) const { std::free(p); }
  };
  std::string name_;
  std::unique_ptr<char, free_bytes> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

constexpr std::size_t piece = std::size_t{1} << 18;

source read_stream(int file, const std::string& name) {
  growing_block block(name);
  for (;;) {
    const ssize_t count = ::read(file, block.room(piece), piece);
    if (count == 0) return block.finish();
    if (count > 0)
      block.grow(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      throw input_error(name, 0, in_words(errno), "a readable file");
  }
}

source open_plain(const std::string& path, const std::string& name) {
  const descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0)
    throw input_error(name, 0, in_words(errno), "a readable file");
  if (S_ISDIR(status.st_mode)) throw input_error(name, 0, "a directory", "a file");
  if (!S_ISREG(status.st_mode)) return read_stream(file.number, name);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {name, {}, nullptr};
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (bytes == MAP_FAILED) return read_stream(file.number, name);
  std::shared_ptr<const void> owner(
      bytes, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  return {name, {static_cast<const char*>(bytes), size}, std::move(owner)};
}

/// The packing that the first bytes tell; no text and no Tropic file begins with any of them.
compression packing_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x1f\x8b\x08"sv)) return compression::gzip;
  if (bytes.starts_with("\xfd"
                        "7zXZ\0"sv))
    return compression::xz;
  if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return compression::zstd;
  return compression::none;
}

std::uint32_t little_endian(std::string_view bytes, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

source unpack(const source& packed, compression how, const progress_function& progress) {
  const char* const format = how == compression::gzip ? "gzip"
                             : how == compression::xz ? "xz"
                                                      : "zstd";
  const auto refuse = [&](const std::string& found) {
    throw input_error(packed.name, 0, found, std::string("whole ") + format + " data");
  };
  if (packed.text.empty()) refuse("an empty file");
  if (how == compression::zstd && !ends_with_whole_zstd_frame(packed.text))
    refuse("broken or truncated data");
  growing_block block(packed.name);
  try {
    const streams::array_source bytes(packed.text.data(), packed.text.size());
    streams::filtering_istreambuf in;
    if (how == compression::gzip)
      in.push(streams::gzip_decompressor(streams::gzip::default_window_bits, piece));
    if (how == compression::xz) in.push(streams::lzma_decompressor(piece));
    if (how == compression::zstd) in.push(streams::zstd_decompressor(piece));
    in.push(bytes);
    const auto wanted = static_cast<std::streamsize>(piece);
    for (std::size_t pieces = 1;; ++pieces) {
      const std::streamsize count = in.sgetn(block.room(piece), wanted);
      if (count <= 0) break;
      block.grow(static_cast<std::size_t>(count));
      // How much of the packed bytes is used is Boost's secret; half way is near at every time.
      if (progress && pieces % 64 == 0 && !progress(0.25)) throw cancelled();
    }
  } catch (const streams::gzip_error&) {
    refuse("broken or truncated data");
  } catch (const streams::lzma_error&) {
    refuse("broken or truncated data");
  } catch (const streams::zstd_error&) {
    refuse("broken or truncated data");
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

bool ends_with_whole_zstd_frame(std::string_view data) {
  // RFC 8878, sections 3.1.1 and 3.1.2: frames, each a header, blocks with their sizes, a checksum.
  constexpr std::uint32_t frame_magic = 0xFD2FB528, skippable_magic = 0x184D2A50;
  while (!data.empty()) {
    if (data.size() < 8) return false;
    const std::uint32_t magic = little_endian(data, 4);
    if ((magic & 0xFFFFFFF0U) == skippable_magic) {
      const std::size_t size = 8 + std::size_t{little_endian(data.substr(4), 4)};
      if (data.size() < size) return false;
      data.remove_prefix(size);
      continue;
    }
    if (magic != frame_magic) return false;
    const auto flags = static_cast<unsigned char>(data[4]);
    constexpr std::size_t dictionary_bytes[] = {0, 1, 2, 4}, content_bytes[] = {0, 2, 4, 8};
    const bool single_segment = (flags & 0x20U) != 0;
    const std::size_t header =
        5 + (single_segment ? 0 : 1) + dictionary_bytes[flags & 3U] +
        (flags >> 6U == 0 && single_segment ? 1 : content_bytes[flags >> 6U]);
    if (data.size() < header) return false;
    data.remove_prefix(header);
    for (bool last = false; !last;) {
      if (data.size() < 3) return false;
      const std::uint32_t head = little_endian(data, 3);
      last = (head & 1U) != 0;
      const bool run_length = (head >> 1U & 3U) == 1;
      const std::size_t size = 3 + (run_length ? 1 : std::size_t{head >> 3U});
      if (data.size() < size) return false;
      data.remove_prefix(size);
    }
    const std::size_t checksum = (flags & 4U) != 0 ? 4 : 0;
    if (data.size() < checksum) return false;
    data.remove_prefix(checksum);
  }
  return true;
}

source open_source(const std::filesystem::path& path, const progress_function& progress,
                   const std::string& name, std::optional<compression> packed) {
  const source file = open_plain(path.string(), name.empty() ? path.string() : name);
  compression how = packed.value_or(compression_of(path));
  if (how == compression::none) how = packing_of(file.text);
  return how == compression::none ? file : unpack(file, how, progress);
}

}  // namespace tropic::io::detail
