// SPDX-License-Identifier: Apache-2.0

// Preferences of a personalised PageRank. A list of vertices is short beside the graph: it is read
// a line at a time.

#include "cli/preferences.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include <tropic/error.hpp>

#include "io/text.hpp"

namespace tropic::cli {

namespace {

constexpr std::string_view blank = " \t\r,";
constexpr std::size_t longest_line = 65536;

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(blank));
  line.remove_prefix(word.size());
  return word;
}

// A name in quotes, as outputs have it; nothing where the quote is not closed on the line.
std::optional<std::string> take_quoted(std::string_view& line) {
  std::string name;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '"' && (i + 1 == line.size() || line[i + 1] != '"')) {
      line.remove_prefix(i + 1);
      return name;
    }
    i += line[i] == '"';  // the second of the two
    name += line[i];
  }
  return std::nullopt;
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

}  // namespace

vector<double> read_preferences(const context& where, const std::string& file,
                                const vertex_names& vertices) {
  if (std::filesystem::is_directory(file)) throw input_error(file, 0, "a directory", "a file");
  std::ifstream in(file == "-" ? "/dev/stdin" : file);
  if (!in)
    throw input_error(file, 0,
                      errno == ENOENT ? "no such file" : std::generic_category().message(errno),
                      "a readable file");
  std::vector<index_t> positions;
  std::vector<double> weights;
  std::vector<char> text(longest_line + 2);  // the end of the line, and a zero
  std::size_t number = 1;
  for (; in.getline(text.data(), static_cast<std::streamsize>(text.size())); ++number) {
    // gcount has the newline, but for a last line without one.
    std::string_view line(text.data(), static_cast<std::size_t>(in.gcount()) - (in.eof() ? 0 : 1));
    if (number == 1) line = io::detail::without_mark(line, file);
    line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
    if (line.empty() || is_comment(line, vertices)) continue;
    const auto refuse = [&](std::string_view found, const std::string& expected) {
      throw input_error(file, number, io::detail::quote(found), expected);
    };
    std::string first;
    if (vertices.has_names() && line.front() == '"') {
      std::optional<std::string> name = take_quoted(line);
      if (!name) refuse(line, "a closing quote on this line");
      first = std::move(*name);
    } else {
      first = take_word(line);
      index_t ignored = 0;
      if (!vertices.has_names() && !parse(std::string_view(first), ignored))
        refuse(first, "a vertex");
    }
    const std::optional<index_t> position = vertices.position(first);
    if (!position) refuse(first, "a vertex of the graph, which has " + vertices.range());
    double weight = 1;
    const std::string_view second = take_word(line);
    if (!second.empty() && !(parse(second, weight) && weight >= 0 && std::isfinite(weight)))
      refuse(second, "a weight, finite and not negative");
    if (const std::string_view third = take_word(line); !third.empty())
      refuse(third, "the end of the line");
    positions.push_back(*position);
    weights.push_back(weight);
  }
  if (!in.eof())
    throw input_error(file, number, "a line that goes on",
                      fmt::format("at most {} bytes", longest_line));
  double sum = 0;
  for (const double weight : weights) sum += weight;
  if (!(sum > 0) || !std::isfinite(sum))
    throw input_error(file, 0, "weights with the sum " + std::to_string(sum),
                      "a positive, finite sum");
  return vector<double>::from_entries(where, vertices.count(), positions, weights, duplicates::sum);
}

}  // namespace tropic::cli
