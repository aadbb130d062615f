// SPDX-License-Identifier: Apache-2.0

// Names and numbers of vertices in messages, JSON and output lines.

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/input/load.hpp"
#include "io/text.hpp"

namespace tropic::cli {

namespace {

// Quotes as in CSV, for a name as a field between blanks.
bool needs_quotes(std::string_view name) {
  if (name.empty() || name == "-1" || name.front() == '#' || name.front() == '%') return true;
  return std::any_of(name.begin(), name.end(), [](char c) {
    return c == '"' || c == ',' || c == ';' || c == 0x7f || (c >= 0 && c <= ' ');
  });
}

void append_name(fmt::memory_buffer& to, std::string_view name) {
  if (!needs_quotes(name)) return to.append(name);
  to.push_back('"');
  for (const char c : name) {
    if (c == '"') to.push_back('"');
    to.push_back(c);
  }
  to.push_back('"');
}

}  // namespace

std::string vertex_names::label(index_t position) const {
  if (!has_names()) return std::to_string(number(position));
  fmt::memory_buffer text;
  append_name(text, names_[static_cast<std::size_t>(position)]);
  return io::detail::printable({text.data(), text.size()});
}

nlohmann::ordered_json vertex_names::json(index_t position) const {
  if (!has_names()) return number(position);
  return std::string(names_[static_cast<std::size_t>(position)]);
}

void vertex_names::append(fmt::memory_buffer& to, index_t position) const {
  if (has_names() && position >= 0)
    return append_name(to, names_[static_cast<std::size_t>(position)]);
  const fmt::format_int digits(position < 0 ? index_t{-1} : number(position));
  to.append(digits.data(), digits.data() + digits.size());
}

std::optional<index_t> vertex_names::position(std::string_view text) const {
  if (has_names()) return names_.find(text);
  index_t name = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), name);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (ids_.empty()) {
    if (name < first_ || name - first_ >= count_) return std::nullopt;
    return name - first_;
  }
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), name);
  if (found == ids_.end() || *found != name) return std::nullopt;
  return static_cast<index_t>(found - ids_.begin());
}

std::string vertex_names::range() const {
  if (count_ == 0) return "none at all";
  if (has_names())
    return fmt::format("{} name{} from {} to {}", count_, count_ == 1 ? "" : "s", label(0),
                       label(count_ - 1));
  return fmt::format("{} to {}", number(0), number(count_ - 1));
}

}  // namespace tropic::cli
