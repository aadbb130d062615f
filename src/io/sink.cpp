// SPDX-License-Identifier: Apache-2.0

// The temporary file, the packing filter in front of it, and the renaming; see sink.hpp.

#include "sink.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <functional>
#include <system_error>
#include <tropic/error.hpp>

#include "source.hpp"

namespace tropic::io::detail {

namespace streams = boost::iostreams;

struct output_file::state {
  std::filesystem::path path;
  std::filesystem::path temporary;
  int file = -1;
  int failed = 0;  ///< errno of the first failure; Boost swallows some exceptions
  bool finished = false;
  streams::filtering_ostreambuf packed;
  bool packs = false;

  [[noreturn]] void fail(int number) const {
    throw error(path.string() + ": cannot write: " + std::generic_category().message(number));
  }

  void put(const char* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t written = ::write(file, bytes, count);
      if (written < 0) {
        if (errno == EINTR) continue;
        failed = errno;
        fail(failed);
      }
      bytes += written;
      count -= static_cast<std::size_t>(written);
    }
  }
};

namespace {

/// The end of Boost's filter chain.
struct state_device {
  using char_type = char;
  using category = streams::sink_tag;
  std::function<void(const char*, std::size_t)> put;
  std::streamsize write(const char* bytes, std::streamsize count) {
    put(bytes, static_cast<std::size_t>(count));
    return count;
  }
};

}  // namespace

output_file::output_file(std::filesystem::path path) : state_(std::make_unique<state>()) {
  static std::atomic<unsigned> serial = 0;
  state& s = *state_;
  s.path = std::move(path);
  s.temporary = s.path;
  s.temporary += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(serial++);
  s.file = ::open(s.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (s.file < 0) s.fail(errno);
  const compression how = compression_of(s.path);
  s.packs = how != compression::none;
  if (!s.packs) return;
  try {
    if (how == compression::gzip) s.packed.push(streams::gzip_compressor());
    if (how == compression::xz) s.packed.push(streams::lzma_compressor());
    if (how == compression::zstd) s.packed.push(streams::zstd_compressor());
    s.packed.push(state_device{[&s](const char* b, std::size_t n) { s.put(b, n); }});
  } catch (...) {
    ::close(s.file);
    ::unlink(s.temporary.c_str());
    throw;
  }
}

output_file::~output_file() {
  state& s = *state_;
  if (!s.finished) {
    try {
      if (s.packs) s.packed.reset();
    } catch (...) {  // the file is thrown away
    }
  }
  if (s.file >= 0) ::close(s.file);
  if (!s.temporary.empty()) ::unlink(s.temporary.c_str());
}

void output_file::write(std::string_view bytes) {
  state& s = *state_;
  if (!s.packs) return s.put(bytes.data(), bytes.size());
  const auto count = static_cast<std::streamsize>(bytes.size());
  if (s.packed.sputn(bytes.data(), count) != count || s.failed != 0)
    s.fail(s.failed != 0 ? s.failed : EIO);
}

void output_file::finish() {
  state& s = *state_;
  if (s.finished) return;
  if (s.packs) s.packed.reset();
  s.finished = true;
  const int closed = ::close(s.file);
  s.file = -1;
  if (s.failed != 0) s.fail(s.failed);
  if (closed != 0) s.fail(errno);
}

void output_file::commit() {
  finish();
  state& s = *state_;
  if (::rename(s.temporary.c_str(), s.path.c_str()) != 0) s.fail(errno);
  s.temporary.clear();
}

}  // namespace tropic::io::detail
