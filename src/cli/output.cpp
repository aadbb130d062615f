// SPDX-License-Identifier: Apache-2.0

// Output files appear whole or not at all: they are written beside their final names and renamed
// when the last of them is complete. A pipe or device is written to directly.

#include "cli/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>

#include <tropic/error.hpp>

#include "cli/errors.hpp"
#include "io/sink.hpp"

namespace tropic::cli {

namespace {

namespace fs = std::filesystem;

bool is_special(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// Where the name of a new file has to go: a link keeps pointing at what it points at.
fs::path destination(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_symlink(path, ignored)) return path;
  const fs::path target = fs::canonical(path, ignored);
  return ignored ? fs::path(path) : target;
}

// Standard output, a pipe or a device.
class stream {
 public:
  explicit stream(const std::string& path) : path_(path) {
    if (path == "-") return;
    file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail();
  }
  ~stream() {
    if (file_ >= 0) ::close(file_);
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  void write(std::string_view text) {
    if (file_ < 0) return print(text);
    while (!text.empty()) {
      const ssize_t written = ::write(file_, text.data(), text.size());
      if (written >= 0)
        text.remove_prefix(static_cast<std::size_t>(written));
      else if (errno == EPIPE)
        throw output_closed();
      else if (errno != EINTR)
        fail();
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw error(path_ + ": cannot write: " + std::generic_category().message(errno));
  }
  std::string path_;
  int file_ = -1;
};

template <class Sink>
void write_lines(const program& p, const vertex_names& vertices, const append_value& value,
                 Sink& sink) {
  constexpr std::size_t piece = std::size_t{1} << 18;
  fmt::memory_buffer text;
  for (index_t v = 0; v < vertices.count(); ++v) {
    vertices.append(text, v);
    text.push_back(' ');
    value(text, static_cast<std::size_t>(v));
    text.push_back('\n');
    if (text.size() < piece) continue;
    sink.write({text.data(), text.size()});
    text.clear();
    p.check_cancelled();
  }
  sink.write({text.data(), text.size()});
}

}  // namespace

bool uses_standard_output(const std::vector<std::string>& paths) {
  return std::find(paths.begin(), paths.end(), "-") != paths.end();
}

void check_outputs(const program& p, const std::vector<std::string>& paths) {
  const auto to_standard_output = std::count(paths.begin(), paths.end(), "-");
  if (to_standard_output > 1 || (to_standard_output == 1 && p.common.json))
    throw usage_error("found two things to print on standard output, expected one");
  for (const std::string& path : paths) {
    if (path.empty() || path == "-") continue;
    if (std::count(paths.begin(), paths.end(), path) > 1)
      throw usage_error(path + ": found two outputs for this file, expected one");
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
      throw usage_error(path + ": found a directory, expected a file to write");
    fs::path folder = destination(path).parent_path();
    if (folder.empty()) folder = ".";
    if (!is_special(path) && ::access(folder.c_str(), W_OK | X_OK) != 0)
      throw usage_error(path + ": cannot write: " + std::generic_category().message(errno));
  }
}

void write_outputs(const program& p, const vertex_names& vertices,
                   const std::vector<output>& outputs) {
  std::vector<std::unique_ptr<io::detail::output_file>> files;
  for (const output& wanted : outputs) {
    if (wanted.path.empty()) continue;
    if (wanted.path == "-" || is_special(wanted.path)) {
      stream direct(wanted.path);
      write_lines(p, vertices, wanted.value, direct);
    } else {
      files.push_back(std::make_unique<io::detail::output_file>(destination(wanted.path)));
      write_lines(p, vertices, wanted.value, *files.back());
      files.back()->finish();
    }
  }
  p.check_cancelled();
  for (const auto& file : files) file->commit();
}

void write_text(const std::string& path, std::string_view text) {
  if (path == "-" || is_special(path)) {
    stream(path).write(text);
    return;
  }
  io::detail::output_file file(destination(path));
  file.write(text);
  file.commit();
}

}  // namespace tropic::cli
