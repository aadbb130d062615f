// SPDX-License-Identifier: Apache-2.0

#include "vertex_numbers.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "memory.hpp"
#include "text.hpp"

namespace tropic::io::detail {

namespace {

/// Sorts runs in parallel, then merges them in pairs.
void sort_names(std::vector<std::string_view>& names, const job& how) {
  constexpr std::size_t smallest = std::size_t{1} << 14;
  const auto most = static_cast<std::size_t>(how.thread_count());
  const std::size_t runs = std::clamp<std::size_t>(names.size() / smallest, 1, most);
  const auto border = [&](std::size_t run) {
    return names.begin() + static_cast<std::ptrdiff_t>(names.size() * std::min(run, runs) / runs);
  };
  for_each_task(runs, how, [&](std::size_t i) { std::sort(border(i), border(i + 1)); });
  for (std::size_t width = 1; width < runs; width *= 2)
    for_each_task((runs + 2 * width - 1) / (2 * width), how, [&](std::size_t i) {
      const std::size_t from = 2 * width * i;
      std::inplace_merge(border(from), border(from + width), border(from + 2 * width));
    });
}

[[noreturn]] void refuse(const field& f, std::string found, std::string expected) {
  throw parse_failure{f.at, std::move(found), std::move(expected)};
}

/// What cannot be meant as a name without quotes.
void check_bare_name(const field& f, const dialect& d, bool opens_line) {
  if (opens_line && d.comments(f.text[0]))
    refuse(f, quote(f.text),
           d.quotes ? "a comment, as in '# text', or a name in quotes"
                    : "a comment, as in '# text', or a name that does not begin with that");
  if (f.text.starts_with(byte_order_mark)) refuse(f, "a byte-order mark inside the text", "a name");
  if (!d.quotes) return;
  if (f.text.find('"') != std::string_view::npos)
    refuse(f, quote(f.text), "quotes round the whole name, and '\"\"' for one inside it");
  if (f.text.find('\r') != std::string_view::npos)
    refuse(f, "a carriage return inside a line", "lines that end with a newline");
}

}  // namespace

void local_names::grow() {
  std::vector<std::uint32_t> larger(std::max<std::size_t>(16, slots_.size() * 2), 0);
  const std::size_t mask = larger.size() - 1;
  for (std::uint32_t n = 0; n < names_.size(); ++n) {
    std::size_t at = std::hash<std::string_view>{}(names_[n]) & mask;
    while (larger[at] != 0) at = (at + 1) & mask;
    larger[at] = n + 1;
  }
  slots_ = std::move(larger);
}

std::uint32_t local_names::number(const field& f, const dialect& d, bool opens_line) {
  if (f.text.empty())
    refuse(f, f.quoted || d.separator != ' ' ? "an empty field" : "the end of the line",
           "the name of a vertex");
  if (!f.quoted) check_bare_name(f, d, opens_line);
  std::string_view name = f.text;
  std::string unescaped;
  if (f.doubled) name = unescaped = f.value();
  if (2 * names_.size() >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = std::hash<std::string_view>{}(name)&mask;
  while (slots_[at] != 0) {
    if (names_[slots_[at] - 1] == name) return slots_[at] - 1;
    at = (at + 1) & mask;
  }
  if (names_.size() >= std::numeric_limits<std::uint32_t>::max() - 1)
    refuse(f, "more than 4294967294 names", "fewer vertices");
  if (f.doubled) name = unescaped_.emplace_front(std::move(unescaped));
  names_.push_back(name);
  slots_[at] = static_cast<std::uint32_t>(names_.size());
  return slots_[at] - 1;
}

joined_names join(const std::vector<local_names>& tables, const job& how) {
  std::size_t total = 0;
  for (const local_names& t : tables) total += t.all().size();
  require_memory(total, sizeof(std::string_view) + sizeof(std::uint32_t), "numbering the names");
  std::vector<std::string_view> names;
  names.reserve(total);
  for (const local_names& t : tables) names.insert(names.end(), t.all().begin(), t.all().end());
  sort_names(names, how);
  names.erase(std::unique(names.begin(), names.end()), names.end());

  joined_names made;
  std::size_t bytes = 0;
  for (const std::string_view name : names) bytes += name.size();
  require_memory(bytes + names.size() * sizeof(std::uint64_t), 1, "keeping the names");
  made.table.reserve(names.size(), bytes);
  for (const std::string_view name : names) made.table.push_back(name);
  made.numbers.resize(tables.size());
  for_each_task(tables.size(), how, [&](std::size_t i) {
    made.numbers[i].reserve(tables[i].all().size());
    for (const std::string_view name : tables[i].all())
      made.numbers[i].push_back(static_cast<std::uint32_t>(
          std::lower_bound(names.begin(), names.end(), name) - names.begin()));
  });
  return made;
}

bool fits_edge_list(std::string_view name) {
  return !name.empty() && name[0] != '#' && name[0] != '%' && !name.starts_with(byte_order_mark) &&
         std::none_of(name.begin(), name.end(), [](char c) { return c == '\n' || is_space(c); });
}

}  // namespace tropic::io::detail
