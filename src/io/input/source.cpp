// SPDX-License-Identifier: Apache-2.0

// Opens files. Plain regular files are mapped read-only, pipes are read to their end, and
// compressed files are decompressed (unpack.cpp).

#include "io/input/source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "io/input/growing_block.hpp"
#include "io/input/unpack.hpp"
#include "io/memory.hpp"

namespace tropic::io::detail {

namespace {

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
