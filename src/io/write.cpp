// SPDX-License-Identifier: Apache-2.0

// Selects the writer for a path.

#include <memory>
#include <vector>

#include "io/input/source.hpp"
#include "io/sink.hpp"
#include "io/writers.hpp"

namespace tropic::io {

namespace {

/// Both halves are compressed as the ending of the given name says.
std::vector<std::filesystem::path> halves(const std::filesystem::path& path) {
  std::filesystem::path plain = detail::plain_name(path);
  const std::filesystem::path packing = plain == path ? std::filesystem::path() : path.extension();
  if (format_of(path) == file_format::ldbc) plain.replace_extension();
  std::vector<std::filesystem::path> both;
  for (const char* ending : {".v", ".e"}) {
    both.push_back(plain);
    both.back() += ending;
    both.back() += packing;
  }
  return both;
}

void refuse_stream(const files::place& where) {
  if (where.what() == files::kind::open || where.what() == files::kind::special)
    throw usage_error(where.name() +
                      ": found one stream, expected a name for the two files of an LDBC graph");
}

/// The progress function of a caller who may want to stop while a pipe has no reader.
class stoppable {
 public:
  explicit stoppable(const progress_function& progress) : progress_(progress) {}

  progress_function function() {
    if (!progress_) return {};
    return [this](double share) { return progress_(last_ = share); };
  }
  files::interruption interruption() {
    return [this] {
      if (progress_ && !progress_(last_)) throw cancelled();
    };
  }

 private:
  const progress_function& progress_;
  double last_ = 0;
};

}  // namespace

named_format detail::format_to_write(const std::filesystem::path& path,
                                     const write_options& options) {
  named_format to;
  if (options.format) {
    to = *options.format;
  } else if (const std::optional<file_format> named = format_of(path)) {
    to.format = *named;
  } else {
    throw usage_error(path.string() + ": the ending names no format (" + format_endings() +
                      ", each also with .gz, .xz or .zst)");
  }
  if (to.packed == packing::none) to.packed = compression_of(path);
  return to;
}

std::vector<std::filesystem::path> detail::paths_to_write(const std::filesystem::path& path,
                                                          const write_options& options) {
  if (format_to_write(path, options).format != file_format::ldbc) return {path};
  if (format_of(path) != file_format::ldbc) refuse_stream(files::place(path));
  return halves(path);
}

void write(const std::filesystem::path& path, const coordinates& matrix,
           const write_options& options) {
  const named_format to = detail::format_to_write(path, options);
  stoppable progress(options.progress);
  write_options with_progress = options;
  with_progress.progress = progress.function();
  detail::check_names(matrix, to.format, path.string(), options);

  std::vector<std::unique_ptr<detail::output_file>> files;
  std::vector<detail::byte_sink> sinks;
  for (const std::filesystem::path& name : detail::paths_to_write(path, options)) {
    files::place where(name);
    for (const auto& other : files)
      if (where.is_same_file(other->where()))
        throw usage_error(where.name() + ": found the same file as the output " +
                          other->where().name() + ", expected another one");
    files.push_back(std::make_unique<detail::output_file>(std::move(where), to.packed,
                                                          progress.interruption()));
    sinks.push_back([file = files.back().get()](std::string_view bytes) { file->write(bytes); });
  }
  const std::string name = files.size() > 1 ? path.string() : files.front()->where().name();
  if (to.format == file_format::ldbc) {
    detail::write_ldbc_edges(matrix, name, with_progress, sinks[1]);
    detail::write_ldbc_vertices(matrix, with_progress, sinks[0]);
  } else if (to.format == file_format::binary) {
    detail::write_binary(matrix, name, with_progress, sinks[0]);
  } else {
    detail::write_lines(matrix, to.format, name, with_progress, sinks[0]);
  }
  detail::commit(files);
}

void detail::write_rows(const std::filesystem::path& path, const mapped_csr& matrix,
                        const write_options& options) {
  stoppable progress(options.progress);
  write_options with_progress = options;
  with_progress.progress = progress.function();
  std::vector<std::unique_ptr<output_file>> files;
  files.push_back(std::make_unique<output_file>(
      files::place(path), format_to_write(path, options).packed, progress.interruption()));
  write_binary_rows(matrix, with_progress,
                    [&](std::string_view bytes) { files.front()->write(bytes); });
  commit(files);
}

std::string write_text(const coordinates& matrix, file_format format,
                       const write_options& options) {
  if (format == file_format::ldbc || format == file_format::binary)
    throw usage_error("write_text: LDBC graphs and Tropic files are written to paths only");
  detail::check_names(matrix, format, "write_text", options);
  std::string text;
  detail::write_lines(matrix, format, "write_text", options,
                      [&](std::string_view bytes) { text += bytes; });
  return text;
}

}  // namespace tropic::io
