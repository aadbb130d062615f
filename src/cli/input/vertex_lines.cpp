// SPDX-License-Identifier: Apache-2.0
#include "cli/input/vertex_lines.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include <tropic/error.hpp>
#include <tropic/generators.hpp>

#include "cli/input/progress.hpp"
#include "cli/options.hpp"
#include "io/input/source.hpp"
#include "io/text.hpp"

namespace tropic::cli {

namespace {

constexpr std::string_view blank = " \t\r,";

// Takes a quoted name, as outputs contain it, off `line`; false if the quote is not closed on the
// line. `quoted` gets the text between the quotes, with '"' still written '""'.
bool take_quoted(std::string_view& line, std::string_view& quoted) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] != '"') continue;
    if (i + 1 < line.size() && line[i + 1] == '"') {
      ++i;
      continue;
    }
    quoted = line.substr(1, i - 1);
    line.remove_prefix(i + 1);
    return true;
  }
  return false;
}

std::string unescaped(std::string_view quoted) {
  std::string name;
  name.reserve(quoted.size());
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    name += quoted[i];
    i += quoted[i] == '"';  // skips the second one of '""'
  }
  return name;
}

bool is_whole_number(std::string_view word) {
  index_t value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  return code == std::errc() && end == word.data() + word.size();
}

// If vertices are names, '#' directly before other text may begin a name.
bool is_comment(std::string_view line, const vertex_names& vertices) {
  if (line.front() != '#' && line.front() != '%') return false;
  return !vertices.has_names() || line.size() == 1 || line[1] == line[0] ||
         blank.find(line[1]) != std::string_view::npos;
}

// Calls f(line, line number) for the lines that are neither blank nor comments; `line` begins with
// its first word.
template <class F>
void for_each_line(std::string_view text, const vertex_names& vertices, F&& f) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
    if (!line.empty() && !is_comment(line, vertices)) f(line, number);
  }
}

// The number of words between blanks.
std::size_t words_of(std::string_view line) {
  std::size_t count = 0;
  while (!line.empty()) {
    line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
    count += !line.empty();
    line.remove_prefix(std::min(line.find_first_of(blank), line.size()));
  }
  return count;
}

}  // namespace

void vertex_line::skip_blanks() {
  text_.remove_prefix(std::min(text_.find_first_not_of(blank), text_.size()));
}

std::string_view vertex_line::take_word() {
  skip_blanks();
  const std::string_view word = text_.substr(0, text_.find_first_of(blank));
  text_.remove_prefix(word.size());
  return word;
}

bool vertex_line::at_end() {
  skip_blanks();
  return text_.empty();
}

void vertex_line::finish() {
  if (const std::string_view rest = take_word(); !rest.empty()) refuse(rest, "the end of the line");
}

void vertex_line::refuse(std::string_view found, const std::string& expected) const {
  if (found.empty()) throw input_error(file_, number_, "the end of the line", expected);
  throw input_error(file_, number_, io::detail::quote(found), expected);
}

index_t vertex_line::take_vertex() {
  skip_blanks();
  std::string_view name;
  std::string copy;
  if (vertices_.has_names() && text_.starts_with('"')) {
    if (!take_quoted(text_, name)) refuse(text_, "a closing quote on this line");
    if (!text_.empty() && blank.find(text_.front()) == std::string_view::npos)
      refuse(text_.substr(0, text_.find_first_of(blank)),
             "a blank, a comma or the end of the line after a closing quote");
    if (name.find('"') != std::string_view::npos) {
      room_.require(name.size(), file_ + ": reading a name");
      name = copy = unescaped(name);
    }
  } else {
    name = take_word();
    if (name.empty() || (!vertices_.has_names() && !is_whole_number(name)))
      refuse(name, "a vertex");
  }
  const std::optional<index_t> position = vertices_.position(name);
  if (!position) refuse(name, "a vertex of the graph, which has " + vertices_.range());
  return *position;
}

void check_vertex_file(const std::string& option, const std::string& file,
                       const std::string& graph) {
  if (file.empty() || is_generator_spec(graph)) return;
  // std::filesystem::equivalent of libstdc++ fails for two pipes.
  struct stat one {};
  struct stat other {};
  if (::stat(path_of(file).c_str(), &one) != 0 || ::stat(path_of(graph).c_str(), &other) != 0 ||
      one.st_dev != other.st_dev || one.st_ino != other.st_ino)
    return;
  // A regular file can be opened twice, unless it is standard input.
  const bool is_standard_input = file == "-" || graph == "-";
  if (S_ISREG(one.st_mode) && !is_standard_input) return;
  refuse_option(
      option,
      file == "-" ? "standard input, which FILE is read from" : file + ", which FILE is read from",
      "another file or pipe");
}

void read_vertex_lines(const program& p, const context& where, const std::string& file,
                       const std::string& what, const vertex_names& vertices, line_memory memory,
                       const std::function<void(const line_counts&)>& reserve,
                       const std::function<void(vertex_line&)>& take) {
  load_progress progress(p, "loading " + file);
  io::read_options options = reading(p);
  options.name = file;
  options.format.reset();  // --format is about the graph
  options.memory_used = where.memory_used();
  options.progress = progress.function();
  const io::detail::source source = io::detail::open_source(path_of(file), options);
  const std::string_view text = io::detail::without_mark(source.text, file);
  line_counts counts;
  for_each_line(text, vertices, [&](std::string_view line, std::size_t) {
    ++counts.lines;
    counts.words += words_of(line);
  });
  p.check_cancelled();
  const io::detail::memory_room room = io::detail::memory_room(options).beside(source.memory);
  const std::size_t bytes =
      io::detail::sum_of_bytes(io::detail::bytes_for(counts.lines, memory.per_line),
                               io::detail::bytes_for(counts.words, memory.per_word));
  room.require(bytes, file + ": reading the " + what);
  reserve(counts);
  const io::detail::memory_room left = room.beside(bytes);
  for_each_line(text, vertices, [&](std::string_view words, std::size_t number) {
    vertex_line line(words, file, number, vertices, left);
    take(line);
  });
}

std::vector<index_t> read_vertex_list(const program& p, const context& where,
                                      const std::string& file, const vertex_names& vertices) {
  std::vector<index_t> list;
  read_vertex_lines(
      p, where, file, "vertices", vertices, {.per_word = sizeof(index_t)},
      [&](const line_counts& counts) { list.reserve(counts.words); },
      [&](vertex_line& line) {
        while (!line.at_end()) list.push_back(line.take_vertex());
      });
  if (list.empty()) throw input_error(file, 0, "no vertices", "one or more");
  return list;
}

vertex_groups read_vertex_groups(const program& p, const context& where, const std::string& file,
                                 const vertex_names& vertices) {
  vertex_groups groups;
  read_vertex_lines(
      p, where, file, "vertices", vertices,
      {.per_line = sizeof(std::size_t), .per_word = sizeof(index_t)},
      [&](const line_counts& counts) {
        groups.vertices.reserve(counts.words);
        groups.starts.reserve(counts.lines + 1);
        groups.starts.push_back(0);
      },
      [&](vertex_line& line) {
        while (!line.at_end()) groups.vertices.push_back(line.take_vertex());
        groups.starts.push_back(groups.vertices.size());
      });
  if (groups.vertices.empty()) throw input_error(file, 0, "no vertices", "one or more");
  return groups;
}

vertex_pairs read_vertex_pairs(const program& p, const context& where, const std::string& file,
                               const vertex_names& vertices) {
  vertex_pairs pairs;
  read_vertex_lines(
      p, where, file, "pairs", vertices, {.per_line = 2 * sizeof(index_t)},
      [&](const line_counts& counts) {
        pairs.from.reserve(counts.lines);
        pairs.to.reserve(counts.lines);
      },
      [&](vertex_line& line) {
        pairs.from.push_back(line.take_vertex());
        pairs.to.push_back(line.take_vertex());
        line.finish();
      });
  return pairs;
}

}  // namespace tropic::cli
