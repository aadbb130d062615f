// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program/program_archive.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <system_error>

#include <tropic/detail/hash.hpp>
#include <tropic/error.hpp>

#include "file_output/output.hpp"

namespace tropic::detail {
namespace {

namespace streams = boost::iostreams;

constexpr char archive_magic[8] = {'t', 'r', 'o', 'p', 'i', 'c', 'a', '1'};
constexpr std::uint32_t native_order = 0x01020304;
constexpr std::uint32_t most_programs = 1 << 20;
constexpr std::uint64_t largest_block = std::uint64_t{1} << 30;
// Larger ones are smaller on disk, but read as a whole (docs/notes/first-use.md).
constexpr std::size_t block_bytes = std::size_t{1} << 21;

struct archive_header {
  char magic[8];
  std::uint32_t endianness;
  char architecture[12];
  std::uint32_t programs, blocks;
  std::uint64_t file_bytes;
  std::uint64_t checksum;  // of what is before it, then of both indexes
};
static_assert(sizeof(archive_header) == 48 && sizeof(program_archive::program) == 56 &&
              sizeof(program_archive::block) == 32);

std::uint64_t archive_checksum(const archive_header& h,
                               const std::vector<program_archive::program>& programs,
                               const std::vector<program_archive::block>& blocks) {
  std::uint64_t sum = fnv(fnv_basis, &h, offsetof(archive_header, checksum));
  sum = fnv(sum, programs.data(), programs.size() * sizeof(programs[0]));
  return fnv(sum, blocks.data(), blocks.size() * sizeof(blocks[0]));
}

bool read_bytes_at(int file, void* to, std::size_t bytes, std::uint64_t at) {
  for (auto* next = static_cast<char*>(to); bytes > 0;) {
    const ssize_t got = ::pread(file, next, bytes, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    at += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

std::string_view key_in(const program_archive::program& p) {
  return {p.key, sizeof(p.key)};
}

std::string packed_block(std::string_view contents) {
  std::string packed;
  streams::filtering_streambuf<streams::output> packing;
  packing.push(streams::zstd_compressor(streams::zstd_params(19)));
  packing.push(streams::back_inserter(packed));
  packing.sputn(contents.data(), static_cast<std::streamsize>(contents.size()));
  packing.reset();  // writes the end
  return packed;
}

// Exactly `bytes` of them.
bool unpack_block(std::string_view packed, std::size_t bytes, std::string& contents) try {
  contents.resize(bytes);
  streams::filtering_streambuf<streams::input> unpacked;
  unpacked.push(streams::zstd_decompressor());
  unpacked.push(streams::array_source(packed.data(), packed.size()));
  const auto wanted = static_cast<std::streamsize>(bytes);
  return unpacked.sgetn(contents.data(), wanted) == wanted &&
         unpacked.sgetc() == std::char_traits<char>::eof();
} catch (const std::exception&) {
  return false;
}

}  // namespace

std::unique_ptr<program_archive> program_archive::open(const std::filesystem::path& file,
                                                       std::string_view architecture,
                                                       std::string& reason) {
  reason.clear();
  // Without O_NONBLOCK a pipe in its place would never open.
  files::descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!opened) {
    if (errno != ENOENT && errno != ENOTDIR)
      reason = std::error_code(errno, std::system_category()).message();
    return nullptr;
  }
  struct stat status {};
  archive_header h{};
  if (::fstat(opened.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      !read_bytes_at(opened.number(), &h, sizeof(h), 0) ||
      std::memcmp(h.magic, archive_magic, sizeof(archive_magic)) != 0 ||
      h.endianness != native_order) {
    reason = "it is no archive of programs";
    return nullptr;
  }
  std::unique_ptr<program_archive> result(new program_archive);
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t blocks_at = sizeof(h) + std::uint64_t{h.programs} * sizeof(program),
                      begin = blocks_at + std::uint64_t{h.blocks} * sizeof(block);
  bool good = h.programs <= most_programs && h.blocks <= most_programs && h.file_bytes == bytes &&
              begin <= bytes;
  if (good) {
    result->programs_.resize(h.programs);
    result->blocks_.resize(h.blocks);
    good = read_bytes_at(opened.number(), result->programs_.data(), blocks_at - sizeof(h),
                         sizeof(h)) &&
           read_bytes_at(opened.number(), result->blocks_.data(), begin - blocks_at, blocks_at) &&
           archive_checksum(h, result->programs_, result->blocks_) == h.checksum;
  }
  for (const block& b : result->blocks_)
    good = good && b.at >= begin && b.at <= bytes && b.stored <= bytes - b.at &&
           b.bytes <= largest_block;
  for (const program& p : result->programs_) {
    good = good && p.block < h.blocks;
    if (!good) break;
    const std::uint64_t of_block = result->blocks_[p.block].bytes;
    good = p.at <= of_block && p.bytes <= of_block - p.at;
  }
  if (!good) {
    reason = "it is damaged";
    return nullptr;
  }
  if (std::string_view(h.architecture, ::strnlen(h.architecture, sizeof(h.architecture))) !=
      architecture) {
    reason = "its programs are of another architecture";
    return nullptr;
  }
  result->contents_.resize(result->blocks_.size());
  result->file_ = std::move(opened);
  return result;
}

bool program_archive::read(std::uint64_t number) {
  std::string& contents = contents_[static_cast<std::size_t>(number)];
  if (!contents.empty()) return true;
  const block& b = blocks_[static_cast<std::size_t>(number)];
  std::string packed(static_cast<std::size_t>(b.stored), '\0');
  if (!read_bytes_at(file_.number(), packed.data(), packed.size(), b.at) ||
      fnv(fnv_basis, packed.data(), packed.size()) != b.checksum ||
      !unpack_block(packed, static_cast<std::size_t>(b.bytes), contents)) {
    contents.clear();
    return false;
  }
  return true;
}

const program_archive::program* program_archive::find(std::string_view key) const {
  const auto found = std::ranges::lower_bound(programs_, key, {}, key_in);
  return found == programs_.end() || key_in(*found) != key ? nullptr : &*found;
}

std::optional<std::vector<unsigned char>> program_archive::load(std::string_view key,
                                                                std::string& reason) {
  reason.clear();
  const program* const found = find(key);
  if (found == nullptr) return {};
  const std::lock_guard lock(mutex_);
  if (!read(found->block)) {
    reason = "the program " + std::string(key) + " is damaged";
    return {};
  }
  const auto* begin =
      reinterpret_cast<const unsigned char*>(contents_[found->block].data()) + found->at;
  std::vector<unsigned char> result(begin, begin + found->bytes);
  result.push_back(0);
  return result;
}

void write_archive(const std::filesystem::path& file, std::string_view architecture,
                   const compiled_programs& compiled) {
  archive_header h{};
  std::memcpy(h.magic, archive_magic, sizeof(archive_magic));
  h.endianness = native_order;
  if (architecture.size() > sizeof(h.architecture)) throw usage_error("too long an architecture");
  std::memcpy(h.architecture, architecture.data(), architecture.size());

  std::vector<program_archive::program> programs;
  std::vector<program_archive::block> blocks;
  std::string all, contents;
  const auto end_block = [&] {
    if (contents.empty()) return;
    const std::string packed = packed_block(contents);
    blocks.push_back(
        {all.size(), packed.size(), contents.size(), fnv(fnv_basis, packed.data(), packed.size())});
    all += packed;
    contents.clear();
  };
  for (const auto& [key, program] : compiled) {
    if (contents.size() + program.size() > block_bytes) end_block();
    program_archive::program& p = programs.emplace_back();
    std::memcpy(p.key, key.data(), std::min(key.size(), sizeof(p.key)));
    p.block = blocks.size();
    p.at = contents.size();
    p.bytes = program.size();
    contents += program;
  }
  end_block();
  std::ranges::sort(programs, {}, key_in);
  h.programs = static_cast<std::uint32_t>(programs.size());
  h.blocks = static_cast<std::uint32_t>(blocks.size());
  const std::uint64_t begin =
      sizeof(h) + programs.size() * sizeof(programs[0]) + blocks.size() * sizeof(blocks[0]);
  for (program_archive::block& b : blocks) b.at += begin;
  h.file_bytes = begin + all.size();
  h.checksum = archive_checksum(h, programs, blocks);

  files::output out{files::place(file)};
  const auto write = [&out](const auto* from, std::size_t count) {
    out.write({reinterpret_cast<const char*>(from), count * sizeof(*from)});
  };
  write(&h, 1);
  write(programs.data(), programs.size());
  write(blocks.data(), blocks.size());
  out.write(all);
  out.commit();
}

}  // namespace tropic::detail
