// SPDX-License-Identifier: Apache-2.0

// The rules are documented in docs/files.md. Common to all: an ambiguous first line is rejected
// with the option that decides, never guessed.

#include "io/tables/table_layout.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tropic/error.hpp>

#include "io/readers.hpp"

namespace tropic::io::detail {

namespace {

constexpr std::array<std::string_view, 14> source_names{
    "source", "src",    "from",     "start",      "origin",  "u",         "sourceid",
    "srcid",  "fromid", "fromnode", "fromnodeid", "startid", "startnode", "sourcenode"};
constexpr std::array<std::string_view, 15> target_names{
    "target", "dst",  "dest",   "destination", "to",    "end",     "v",         "targetid",
    "dstid",  "toid", "tonode", "tonodeid",    "endid", "endnode", "targetnode"};
constexpr std::array<std::string_view, 10> weight_names{"weight",   "weights",   "w",      "cost",
                                                        "distance", "dist",      "length", "value",
                                                        "capacity", "edgeweight"};

/// Lower case, without separators between words. Of long names only the beginning, which is longer
/// than every known name.
std::string plain(std::string_view heading) {
  constexpr std::size_t longest = 32;
  std::string result;
  for (const char c : heading)
    if (result.size() == longest)
      break;
    else if (c >= 'A' && c <= 'Z')
      result += static_cast<char>(c - 'A' + 'a');
    else if (c != '_' && c != '-' && c != ' ' && c != ':')
      result += c;
  return result;
}

role known_role(std::string_view heading) {
  const std::string name = plain(heading);
  const auto is_in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_in(source_names)) return role::source;
  if (is_in(target_names)) return role::target;
  return is_in(weight_names) ? role::weight : role::ignored;
}

bool is_number(std::string_view text) {
  double ignored = 0;
  // A number with a decimal comma is no name either; parsing rejects it.
  return real_token(text, ignored) ||
         (!text.empty() && text.find_first_not_of("0123456789.,+-") == std::string_view::npos);
}

std::string list_of(const std::vector<std::string>& fields) {
  constexpr std::size_t shown = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, fields.size()); ++i)
    list += (i == 0 ? "" : ", ") + quote(fields[i]);
  if (fields.size() > shown) list += ", ... (" + std::to_string(fields.size()) + " columns)";
  return list;
}

/// Counts all separators of the first record outside quotes.
struct separator_counts {
  std::size_t commas = 0, semicolons = 0, tabs = 0;
};

separator_counts count_separators(cursor c) {
  separator_counts counts;
  bool at_start = true, inside = false;
  for (; c.at != c.end && (inside || *c.at != '\n'); ++c.at) {
    const char x = *c.at;
    if (inside) {
      at_start = x == '"';  // '""' leaves and enters again
      inside = !at_start;
      continue;
    }
    if (x == '"' && at_start) {
      inside = true;
      continue;
    }
    counts.commas += x == ',';
    counts.semicolons += x == ';';
    counts.tabs += x == '\t';
    if (!is_space(x) || x == '\t') at_start = x == ',' || x == ';' || x == '\t';
  }
  return counts;
}

[[noreturn]] void refuse(const char* at, std::string found, std::string expected) {
  throw parse_failure{at, std::move(found), std::move(expected)};
}

/// The fields of the first record; moves the cursor past it. They are counted before they are
/// stored.
void take_first(table_layout& t, cursor& c, const read_options& options) {
  const char* const begin = c.at;
  std::size_t columns = 0;
  for (cursor ahead = c;;) {
    take_field(ahead, t.fields);
    if (++columns > most_columns)
      refuse(begin, "more than " + std::to_string(most_columns) + " columns",
             "at most " + std::to_string(most_columns));
    if (!next_field(ahead, t.fields)) {
      // Each field's text, once in `first` and once while it is created.
      t.first_bytes = static_cast<std::size_t>(ahead.at - begin) +
                      bytes_for(columns, sizeof(std::string) + 3 * sizeof(role));
      memory_room(options).require(
          sum_of_bytes(t.first_bytes, static_cast<std::size_t>(ahead.at - begin)),
          "reading the first line");
      break;
    }
  }
  t.first.reserve(columns);
  do t.first.push_back(take_field(c, t.fields).value());
  while (next_field(c, t.fields));
}

bool is_position(const std::string& column) {
  return is_integer_token(column) && is_digit(column[0]);
}

/// read_options::columns, by name or number.
void take_chosen(table_layout& t, const read_options& options, bool by_number) {
  constexpr std::array roles{role::source, role::target, role::weight};
  for (std::size_t i = 0; i < options.columns.size(); ++i) {
    const std::string& wanted = options.columns[i];
    std::size_t at = 0;
    if (by_number) {
      cursor digits(wanted);
      std::uint64_t number = 0;
      if (!natural(digits, number) || number == 0 || number > t.first.size())
        refuse(t.first_line, std::to_string(t.first.size()) + " columns",
               "a column " + wanted + " (--columns)");
      at = static_cast<std::size_t>(number - 1);
    } else {
      const auto found = std::find(t.first.begin(), t.first.end(), wanted);
      if (found == t.first.end())
        refuse(t.first_line, "the columns " + list_of(t.first),
               "a column " + quote(wanted) + " (--columns)");
      if (std::find(found + 1, t.first.end(), wanted) != t.first.end())
        refuse(t.first_line, "more than one column " + quote(wanted),
               "one (--columns takes their numbers, too)");
      at = static_cast<std::size_t>(found - t.first.begin());
    }
    if (t.roles[at] != role::ignored)
      throw usage_error("--columns: found " + quote(wanted) + " twice, expected different columns");
    t.roles[at] = roles[i];
  }
}

/// The columns by the names in the header; two columns need no names.
void take_headings(table_layout& t) {
  const auto choose = [&] {
    refuse(t.first_line, "the columns " + list_of(t.first),
           "one source, one target and at most one weight by the names that are known, or "
           "--columns SOURCE,TARGET[,WEIGHT]");
  };
  std::array<std::size_t, 4> times{};
  for (std::size_t i = 0; i < t.first.size(); ++i) {
    t.roles[i] = known_role(t.first[i]);
    ++times[static_cast<std::size_t>(t.roles[i])];
  }
  const std::size_t sources = times[1], targets = times[2], weights = times[3];
  if (t.first.size() == 2 && weights == 0 && sources <= 1 && targets <= 1) {
    // A known name must be in the position that it would have without a header.
    if (sources + targets < 2 && (t.roles[0] == role::target || t.roles[1] == role::source))
      choose();
    if (sources + targets < 2) t.roles = {role::source, role::target};
    return;
  }
  // An unknown column may be a weight, so it is not ignored silently.
  if (sources != 1 || targets != 1 || weights > 1 || (weights == 0 && t.first.size() > 2)) choose();
}

void take_positions(table_layout& t) {
  if (t.first.size() > 3)
    refuse(t.first_line, std::to_string(t.first.size()) + " columns without a header",
           "two or three: source, target and weight (--columns takes some of them by number, "
           "--header yes their names from the first line)");
  for (std::size_t i = 0; i < t.first.size(); ++i)
    t.roles[i] = std::array{role::source, role::target, role::weight}[i];
}

/// Whether the first line of a table of numbers is a header: its vertices are not numbers.
bool is_header_of_numbers(table_layout& t, const std::vector<role>& data_roles, bool known) {
  std::size_t numbers = 0, words = 0;
  const std::string* word = nullptr;
  for (std::size_t i = 0; i < t.first.size(); ++i) {
    if (data_roles[i] == role::ignored || t.first[i].empty()) continue;
    if (is_number(t.first[i])) {
      ++numbers;
      continue;
    }
    ++words;
    if (!word) word = &t.first[i];
  }
  if (words == 0) return false;
  if (numbers == 0 || known) return true;
  refuse(t.first_line, quote(*word) + " among numbers in the first line",
         "numbers alone, a header (--header yes) or vertices with names (--names)");
}

/// If vertices are names, only a line of known words, or a weight that is no number, shows a
/// header.
bool is_header_of_names(table_layout& t, const std::vector<role>& data_roles, bool known) {
  std::optional<std::size_t> weight;
  for (std::size_t i = 0; i < t.first.size(); ++i)
    if (data_roles[i] == role::weight) weight = i;
  if (weight && is_number(t.first[*weight])) return false;
  t.check_first_line = true;
  if (known) return true;
  if (weight)
    refuse(t.first_line, quote(t.first[*weight]) + " for a weight in the first line",
           "a number, or a header (--header yes)");
  return false;
}

}  // namespace

dialect dialect_of(std::string_view text, file_format format, const read_options& options) {
  dialect d;
  d.named = options.names;
  if (format != file_format::csv && format != file_format::tsv) {
    d.separator = ' ';
    d.quotes = false;
    d.comments = comments_of(format);
    return d;
  }
  if (format == file_format::tsv) d.separator = '\t';
  if (options.separator != '\0') d.separator = options.separator;
  if (format == file_format::tsv || options.separator != '\0') return d;
  cursor c(text);
  if (!next_record(c, d)) return d;
  const separator_counts counts = count_separators(c);
  if (counts.commas > 0 && counts.semicolons > 0)
    refuse(c.at, "both ',' and ';' in the first line",
           "one of them, the other inside quotes (--separator says which it is)");
  if (counts.semicolons > 0) d.separator = ';';
  if (counts.commas + counts.semicolons == 0 && counts.tabs > 0) d.separator = '\t';
  return d;
}

table_layout find_layout(std::string_view text, file_format format, const read_options& options) {
  table_layout t;
  t.fields = dialect_of(text, format, options);
  t.body = text;
  cursor c(text);
  if (!next_record(c, t.fields)) return t;
  t.first_line = c.at;
  take_first(t, c, options);
  const std::string_view behind = text.substr(static_cast<std::size_t>(c.at - text.data()));
  t.roles.assign(t.first.size(), role::ignored);
  if (t.fields.separator == ' ') {  // an edge list
    const bool third = format == file_format::weighted_edge_list ||
                       (format == file_format::snap && t.first.size() > 2);
    t.roles = {role::source, role::target};
    if (third) t.roles.push_back(role::weight);
    t.weighted = third;
    return t;
  }
  if (t.first.size() == 1)
    refuse(t.first_line, "one column, " + quote(t.first[0]),
           std::string("source, target and perhaps weight, with ") +
               (t.fields.separator == '\t' ? "tabs" : quote({&t.fields.separator, 1})) +
               " between them");

  // The roles of the columns as if the line were data; then whether it is.
  const bool chosen = !options.columns.empty();
  const bool by_number =
      chosen && std::all_of(options.columns.begin(), options.columns.end(), is_position);
  std::vector<role> as_data(t.first.size(), role::ignored);
  std::array<bool, 4> named{};
  for (const std::string& heading : t.first)
    named[static_cast<std::size_t>(known_role(heading))] = true;
  const bool known = named[1] && named[2];
  if (by_number) {
    take_chosen(t, options, true);
    as_data = t.roles;
  } else {
    for (std::size_t i = 0; i < std::min<std::size_t>(3, t.first.size()); ++i)
      as_data[i] = std::array{role::source, role::target, role::weight}[i];
  }
  if (options.header != header_rule::automatic)
    t.has_header = options.header == header_rule::yes;
  else if (chosen && !by_number)
    t.has_header = true;
  else if (options.names)
    t.has_header = is_header_of_names(t, as_data, known);
  else
    t.has_header = is_header_of_numbers(t, as_data, known);

  if (chosen && !by_number && !t.has_header)
    throw usage_error("--columns: found " + quote(options.columns[0]) +
                      " with --header no, expected numbers of columns, from 1");
  if (chosen && !by_number) take_chosen(t, options, false);
  if (!chosen && t.has_header) take_headings(t);
  if (!chosen && !t.has_header) take_positions(t);
  t.weighted = std::find(t.roles.begin(), t.roles.end(), role::weight) != t.roles.end();
  if (t.has_header) t.body = behind;
  // A line of words may as well be an edge of named vertices.
  cursor rest(behind);
  if (t.has_header && options.header == header_rule::automatic && !chosen && !known &&
      !next_record(rest, t.fields))
    refuse(t.first_line, list_of(t.first) + " and no other line",
           "edges, or --header yes or --names to say what the line is");
  return t;
}

}  // namespace tropic::io::detail
