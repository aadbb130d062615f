// SPDX-License-Identifier: Apache-2.0

// The compression filter in front of an output; see sink.hpp.

#include "io/sink.hpp"

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <exception>
#include <functional>
#include <vector>

namespace tropic::io::detail {

namespace streams = boost::iostreams;

struct output_file::state {
  files::output file;
  std::exception_ptr failed;  ///< the first failure; Boost swallows some exceptions
  bool finished = false;
  streams::filtering_ostreambuf packed;
  bool packs = false;

  state(files::place where, files::interruption interrupted)
      : file(std::move(where), std::move(interrupted)) {}
  void put(const char* bytes, std::size_t count) {
    if (failed) return;
    try {
      file.write({bytes, count});
    } catch (...) {
      failed = std::current_exception();
    }
  }
  void rethrow() const {
    if (failed) std::rethrow_exception(failed);
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

output_file::output_file(files::place where, files::interruption interrupted)
    // `where` is passed on by reference: its name may be read after that.
    : output_file(std::move(where), compression_of(where.name()), std::move(interrupted)) {}

output_file::output_file(files::place&& where, compression packing, files::interruption interrupted)
    : state_(std::make_unique<state>(std::move(where), std::move(interrupted))) {
  state& s = *state_;
  s.packs = packing != compression::none;
  if (!s.packs) return;
  if (packing == compression::gzip) s.packed.push(streams::gzip_compressor());
  if (packing == compression::xz) s.packed.push(streams::lzma_compressor());
  if (packing == compression::zstd) s.packed.push(streams::zstd_compressor());
  s.packed.push(state_device{[&s](const char* b, std::size_t n) { s.put(b, n); }});
}

output_file::~output_file() {
  state& s = *state_;
  if (s.finished || !s.packs) return;
  // What the filter still holds must not be written.
  if (!s.failed) s.failed = std::make_exception_ptr(error("not finished"));
  try {
    s.packed.reset();
  } catch (...) {  // the file is discarded
  }
}

const files::place& output_file::where() const {
  return state_->file.where();
}

void output_file::write(std::string_view bytes) {
  state& s = *state_;
  if (!s.packs) return s.file.write(bytes);
  const auto count = static_cast<std::streamsize>(bytes.size());
  const bool taken = s.packed.sputn(bytes.data(), count) == count;
  s.rethrow();
  if (!taken) files::refuse(where().name(), EIO);
}

void output_file::finish() {
  state& s = *state_;
  if (s.finished) return;
  s.finished = true;
  if (s.packs) s.packed.reset();
  s.rethrow();
  s.file.finish();
}

void output_file::commit() {
  finish();
  state_->file.commit();
}

void commit(std::span<const std::unique_ptr<output_file>> all) {
  std::vector<files::output*> outputs;
  for (const auto& one : all) {
    one->finish();
    outputs.push_back(&one->state_->file);
  }
  files::commit(outputs);
}

}  // namespace tropic::io::detail
