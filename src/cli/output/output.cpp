// SPDX-License-Identifier: Apache-2.0

// Outputs, checked before the work and written after it. files/output.hpp says what becomes of
// links, devices and files.

#include "cli/output/output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include <tropic/error.hpp>
#include <tropic/generators.hpp>

#include "files/output.hpp"
#include "io/readers.hpp"
#include "io/sink.hpp"
#include "io/text.hpp"

namespace tropic::cli {

namespace {

/// A file that is read: its status, unless there is none.
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

/// A file that is replaced takes with it what a redirection puts there.
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
    // A socket may be read from and written to.
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
  } catch (const error&) {  // a file that was made without permission to write
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
    result.aside = result.aside || uses_standard_output(wanted.path);
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
  written result{.count = 1, .aside = uses_standard_output(path), .closed = {}};
  io::detail::output_file file(files::place(path_to_write(path)), until_cancelled(p));
  try {
    file.write(text);
    file.commit();
  } catch (const files::output_closed& failure) {
    result.closed = failure.what();
  }
  return result;
}

}  // namespace tropic::cli
