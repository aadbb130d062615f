// SPDX-License-Identifier: Apache-2.0

// Preferences of a personalised PageRank. The file is opened as every other input: it may be packed
// or a pipe, its bytes count against the memory limit, and Ctrl+C stops the wait for them.

#include "cli/commands/preferences.hpp"

#include <sys/stat.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <tropic/error.hpp>
#include <tropic/generators.hpp>

#include "cli/input/progress.hpp"
#include "cli/options.hpp"
#include "io/memory.hpp"
#include "io/source.hpp"
#include "io/text.hpp"

namespace tropic::cli {

namespace {

constexpr std::string_view blank = " \t\r,";

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(blank));
  line.remove_prefix(word.size());
  return word;
}

// A name in quotes, as outputs have it; nothing where the quote is not closed on the line. The text
// between the quotes, in which '""' stands for one, goes to `quoted`.
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
    i += quoted[i] == '"';  // the second of the two
  }
  return name;
}

template <class T>
bool parse(std::string_view word, T& value) {
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  return code == std::errc() && end == word.data() + word.size();
}

// Where vertices are names, '#' directly before other text may begin one.
bool is_comment(std::string_view line, const vertex_names& vertices) {
  if (line.front() != '#' && line.front() != '%') return false;
  return !vertices.has_names() || line.size() == 1 || line[1] == line[0] ||
         blank.find(line[1]) != std::string_view::npos;
}

// Calls f(line, its number) on the lines that are neither blank nor comments, from their first
// word.
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

// A vertex and its weight.
struct preference {
  index_t position;
  double weight;
};

preference take_preference(std::string_view line, const std::string& file, std::size_t number,
                           const vertex_names& vertices, const io::detail::memory_room& room) {
  const auto refuse = [&](std::string_view found, const std::string& expected) {
    throw input_error(file, number, io::detail::quote(found), expected);
  };
  std::string_view name;
  std::string copy;
  if (vertices.has_names() && line.front() == '"') {
    if (!take_quoted(line, name)) refuse(line, "a closing quote on this line");
    if (name.find('"') != std::string_view::npos) {
      room.require(name.size(), file + ": reading a name");
      name = copy = unescaped(name);
    }
  } else {
    name = take_word(line);
    index_t ignored = 0;
    if (!vertices.has_names() && !parse(name, ignored)) refuse(name, "a vertex");
  }
  const std::optional<index_t> position = vertices.position(name);
  if (!position) refuse(name, "a vertex of the graph, which has " + vertices.range());
  double weight = 1;
  const std::string_view second = take_word(line);
  if (!second.empty() && !(parse(second, weight) && weight >= 0 && std::isfinite(weight)))
    refuse(second, "a weight, finite and not negative");
  if (const std::string_view third = take_word(line); !third.empty())
    refuse(third, "the end of the line");
  return {*position, weight};
}

}  // namespace

void check_preferences(const std::string& file, const std::string& graph) {
  if (file.empty() || is_generator_spec(graph)) return;
  // Not std::filesystem::equivalent, which libstdc++ refuses for two pipes.
  struct stat one {
  }, other{};
  if (::stat(path_of(file).c_str(), &one) != 0 || ::stat(path_of(graph).c_str(), &other) != 0 ||
      one.st_dev != other.st_dev || one.st_ino != other.st_ino)
    return;
  // A regular file is opened twice, unless it is both times standard input.
  const bool is_standard_input = file == "-" || graph == "-";
  if (S_ISREG(one.st_mode) && !is_standard_input) return;
  refuse_option(
      "--personalize",
      file == "-" ? "standard input, which FILE is read from" : file + ", which FILE is read from",
      "a file or pipe of its own");
}

vector<double> read_preferences(const program& p, const context& where, const std::string& file,
                                const vertex_names& vertices) {
  load_progress progress(p, "loading " + file);
  io::read_options options = reading(p);
  options.name = file;
  options.format.reset();  // that of the graph
  options.memory_used = where.memory_used();
  options.progress = progress.function();
  const io::detail::source source = io::detail::open_source(path_of(file), options);
  const std::string_view text = io::detail::without_mark(source.text, file);
  std::size_t count = 0;
  for_each_line(text, vertices, [&](std::string_view, std::size_t) { ++count; });
  p.check_cancelled();
  const io::detail::memory_room room = io::detail::memory_room(options).beside(source.memory);
  // The entries, and what sorting them by position takes.
  const std::size_t bytes = io::detail::bytes_for(count, 3 * sizeof(preference));
  room.require(bytes, file + ": reading the preferences");
  std::vector<index_t> positions;
  std::vector<double> weights;
  positions.reserve(count);
  weights.reserve(count);
  double sum = 0;
  for_each_line(text, vertices, [&](std::string_view line, std::size_t number) {
    const preference found = take_preference(line, file, number, vertices, room.beside(bytes));
    positions.push_back(found.position);
    weights.push_back(found.weight);
    sum += found.weight;
  });
  if (!(sum > 0) || !std::isfinite(sum))
    throw input_error(file, 0, "weights with the sum " + std::to_string(sum),
                      "a positive, finite sum");
  return vector<double>::from_entries(where, vertices.count(), positions, weights, duplicates::sum);
}

}  // namespace tropic::cli
