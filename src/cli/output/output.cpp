// SPDX-License-Identifier: Apache-2.0

// Outputs, checked before the work and written after it. files/output.hpp describes how links,
// devices and files are written.

#include "cli/output/output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include <tropic/error.hpp>
#include <tropic/generators.hpp>

#include "cli/input/progress.hpp"
#include "file_output/output.hpp"
#include "io/readers.hpp"
#include "io/sink.hpp"
#include "io/text.hpp"
#include "io/writers.hpp"

namespace tropic::cli {

namespace {

/// The status of an input file, if it exists.
std::optional<struct stat> status_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool takes_standard_output(const files::place& where) {
  struct stat status {};
  if (where.what() == files::kind::regular || where.what() == files::kind::absent) return false;
  return where.number() == STDOUT_FILENO ||
         (::fstat(STDOUT_FILENO, &status) == 0 && where.is_same_file(status));
}

[[noreturn]] void refuse_shared(const std::string& name, const std::string& shared) {
  throw usage_error(name + ": found the same file as the " + shared + ", expected another one");
}

/// Replacing a file would lose what a redirection writes to it.
void refuse_redirected(const std::string& name, const files::place& where) {
  if (where.what() != files::kind::regular) return;
  for (const auto& [number, stream] :
       {std::pair{STDOUT_FILENO, "standard output"}, std::pair{STDERR_FILENO, "standard error"}}) {
    struct stat status {};
    if (::fstat(number, &status) == 0 && where.is_same_file(status))
      throw usage_error(name + ": found the file that " + stream + " goes to, expected " +
                        (number == STDOUT_FILENO ? "'-' or " : "") + "another one");
  }
}

void refuse_input(const std::string& name, const files::place& where, const std::string& input) {
  if (input.empty() || is_generator_spec(input)) return;
  const std::filesystem::path path = input == "-" ? "/dev/stdin" : input;
  for (const std::filesystem::path& read : io::detail::paths_to_read(path)) {
    const std::optional<struct stat> status = status_of(read);
    // A socket can be both input and output.
    if (status && !S_ISSOCK(status->st_mode) && where.is_same_file(*status))
      refuse_shared(name, "input " + input);
  }
}

files::interruption until_cancelled(const program& p) {
  return [&p] { p.check_cancelled(); };
}

void write_lines(const program& p, const vertex_names& vertices, const append_value& value,
                 io::detail::output_file& sink) {
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

io::write_options options_of(const matrix_output& o) {
  io::write_options options;
  options.format = o.format;
  return options;
}

}  // namespace

std::string path_to_write(const std::string& name) {
  return name == "-" ? "/dev/stdout" : name;
}

std::string shown_output(const std::string& name) {
  return name == "-" ? "standard output" : io::detail::printable(name);
}

bool uses_standard_output(const std::string& name) {
  try {
    return !name.empty() && takes_standard_output(files::place(path_to_write(name)));
  } catch (const error&) {  // a new file that was created without write permission
    return false;
  }
}

void check_outputs(const program& p, const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs) {
  std::vector<std::pair<std::string, files::place>> known;
  for (const std::string& name : outputs) {
    if (name.empty()) continue;
    files::place where(path_to_write(name));
    const bool is_dash = name == "-" && std::count(outputs.begin(), outputs.end(), "-") > 1;
    if (is_dash || (p.common.json && takes_standard_output(where)))
      throw usage_error("found two things to print on standard output, expected one");
    for (const auto& [other, place] : known)
      if (where.is_same_file(place)) refuse_shared(name, "output " + other);
    refuse_redirected(name, where);
    for (const std::string& input : inputs) refuse_input(name, where, input);
    known.emplace_back(name, std::move(where));
  }
}

written write_outputs(const program& p, const vertex_names& vertices,
                      const std::vector<output>& outputs) {
  written result;
  std::vector<std::unique_ptr<io::detail::output_file>> whole;
  for (const output& wanted : outputs) {
    if (wanted.path.empty()) continue;
    ++result.count;
    result.used_standard_output = result.used_standard_output || uses_standard_output(wanted.path);
    auto file = std::make_unique<io::detail::output_file>(files::place(path_to_write(wanted.path)),
                                                          until_cancelled(p));
    try {
      write_lines(p, vertices, wanted.value, *file);
      file->finish();
      whole.push_back(std::move(file));
    } catch (const files::output_closed& failure) {
      result.closed = failure.what();
    }
  }
  p.check_cancelled();
  io::detail::commit(whole);
  return result;
}

written write_text(const program& p, const std::string& path, std::string_view text) {
  written result{.count = 1, .used_standard_output = uses_standard_output(path), .closed = {}};
  io::detail::output_file file(files::place(path_to_write(path)), until_cancelled(p));
  try {
    file.write(text);
    file.commit();
  } catch (const files::output_closed& failure) {
    result.closed = failure.what();
  }
  return result;
}

void matrix_output::add_to(command& target) {
  target.word("--to", "FORMAT",
              "the format of the output, regardless of its name: " + format_names(),
              [this](const std::string& name) {
                format = io::format_named(name);
                if (!format) refuse_option("--to", "'" + name + "'", "one of " + format_names());
              });
}

void matrix_output::check(const program& p, const std::string& name,
                          const std::vector<std::string>& inputs,
                          const known_content& known) const {
  const std::string path = path_to_write(name);
  if (!format && !io::format_of(path))
    refuse_option(name == "-" ? "standard output" : name, "no known format",
                  "--to FORMAT or a name that ends in one of " + format_names());
  const io::write_options options = options_of(*this);
  std::vector<std::string> names;
  for (const std::filesystem::path& one : io::detail::paths_to_write(path, options))
    names.push_back(name == "-" ? name : one.string());
  check_outputs(p, names, inputs);
  const io::named_format to = io::detail::format_to_write(path, options);
  const bool is_text = to.format != io::file_format::binary && to.packed == io::packing::none;
  for (const std::string& one : names)
    if (const files::place where(path_to_write(one)); !is_text && where.is_terminal())
      refuse_option(where.name(), "a terminal", "a file or a pipe for binary data");
  check_holds(name, known);
}

void matrix_output::check_holds(const std::string& name, const known_content& known) const {
  const io::file_format to =
      io::detail::format_to_write(path_to_write(name), options_of(*this)).format;
  const std::string shown = name == "-" ? "standard output" : name;
  if (known.values) io::detail::check_holds_values(to, *known.values, shown);
  if (known.names) io::detail::check_holds_names(to, shown);
}

template <class Write>
written matrix_output::write_by(const program& p, const std::string& name,
                                io::write_options options, Write&& write) const {
  load_progress progress(p, "writing " + (name == "-" ? "standard output" : name));
  options.format = format;
  options.threads = p.common.threads;
  options.progress = progress.function();
  const std::string path = path_to_write(name);
  written result{.count = 1, .used_standard_output = uses_standard_output(name), .closed = {}};
  try {
    write(path, options);
  } catch (const files::output_closed& failure) {
    // A part of an LDBC graph is useless.
    if (io::detail::paths_to_write(path, options).size() > 1) throw error(failure.what());
    result.closed = failure.what();
  }
  return result;
}

written matrix_output::write(const program& p, const std::string& name,
                             const io::coordinates& entries, io::write_options options) const {
  return write_by(p, name, std::move(options),
                  [&](const std::string& path, const io::write_options& with) {
                    io::write(path, entries, with);
                  });
}

bool matrix_output::is_binary(const std::string& name) const {
  return io::detail::format_to_write(path_to_write(name), options_of(*this)).format ==
         io::file_format::binary;
}

written matrix_output::write(const program& p, const std::string& name,
                             const io::mapped_csr& rows) const {
  return write_by(p, name, {}, [&](const std::string& path, const io::write_options& with) {
    io::detail::write_rows(path, rows, with);
  });
}

}  // namespace tropic::cli
