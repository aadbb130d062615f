// SPDX-License-Identifier: Apache-2.0

#include "io/tables/vertex_numbers.hpp"

#include <algorithm>
#include <limits>

#include "io/text.hpp"

namespace tropic::io::detail {

namespace {

/// Sorts runs in parallel, then merges them in pairs.
void sort_names(std::vector<std::string_view>& names, const job& work) {
  constexpr std::size_t smallest = std::size_t{1} << 14;
  const auto threads = static_cast<std::size_t>(work.thread_count());
  const std::size_t runs = std::clamp<std::size_t>(names.size() / smallest, 1, threads);
  const auto border = [&](std::size_t run) {
    return names.begin() + static_cast<std::ptrdiff_t>(names.size() * std::min(run, runs) / runs);
  };
  for_each_task(runs, work, [&](std::size_t i) { std::sort(border(i), border(i + 1)); });
  for (std::size_t width = 1; width < runs; width *= 2)
    for_each_task((runs + 2 * width - 1) / (2 * width), work, [&](std::size_t i) {
      const std::size_t from = 2 * width * i;
      std::inplace_merge(border(from), border(from + width), border(from + 2 * width));
    });
}

[[noreturn]] void refuse(const field& f, std::string found, std::string expected) {
  throw parse_failure{f.at, std::move(found), std::move(expected)};
}

/// Text that cannot be a name without quotes.
void check_bare_name(const field& f, const dialect& d, bool opens_line) {
  if (opens_line && d.comments(f.text[0]))
    refuse(f, quote(f.text),
           d.quotes ? "a comment, as in '# text', or a name in quotes"
                    : "a comment, as in '# text', or a name that does not begin with that");
  if (f.text.starts_with(byte_order_mark)) refuse(f, "a byte-order mark inside the text", "a name");
  if (!d.quotes) return;
  if (f.text.find('"') != std::string_view::npos)
    refuse(f, quote(f.text), "quotes around the whole name, and '\"\"' for one inside it");
  if (f.text.find('\r') != std::string_view::npos)
    refuse(f, "a carriage return inside a line", "lines that end with a newline");
}

}  // namespace

void local_names::take(std::size_t bytes) {
  memory_->take(bytes, "collecting the names");
  taken_ += bytes;
}

void local_names::give(std::size_t bytes) {
  memory_->give(bytes);
  taken_ -= bytes;
}

void local_names::grow_slots() {
  const std::size_t count = std::max<std::size_t>(16, slots_.size() * 2);
  take(count * sizeof(slot));
  std::vector<slot> larger(count);
  for (const slot& s : slots_) {
    if (s.number == 0) continue;
    std::size_t at = s.hash & (count - 1);
    while (larger[at].number != 0) at = (at + 1) & (count - 1);
    larger[at] = s;
  }
  give(slots_.size() * sizeof(slot));
  slots_ = std::move(larger);
}

void local_names::append(std::string_view name) {
  const std::size_t room = names_.capacity();
  if (names_.size() == room) {
    const std::size_t count = std::max<std::size_t>(8, room * 2);
    take(count * sizeof name);
    names_.reserve(count);
    give(room * sizeof name);
  }
  names_.push_back(name);
}

void local_names::close() {
  give(slots_.size() * sizeof(slot));
  slots_ = {};
}

std::uint32_t local_names::number(const field& f, const dialect& d, bool opens_line) {
  if (f.text.empty())
    refuse(f, f.quoted || d.separator != ' ' ? "an empty field" : "the end of the line",
           "the name of a vertex");
  if (!f.quoted) check_bare_name(f, d, opens_line);
  std::string_view name = f.text;
  std::string unescaped;
  // A copy, its node and the overhead of malloc.
  const std::size_t copied = f.doubled ? f.text.size() + 64 : 0;
  if (f.doubled) {
    take(copied);
    name = unescaped = f.value();
  }
  // Half of the slots stay free. There are at most 2^32 slots.
  if (2 * names_.size() >= slots_.size()) grow_slots();
  const auto hash = static_cast<std::uint32_t>(sip_hash<1, 3>(key_, name));
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].number != 0; at = (at + 1) & mask) {
    if (slots_[at].hash != hash || names_[slots_[at].number - 1] != name) continue;
    give(copied);
    return slots_[at].number - 1;
  }
  if (names_.size() >= std::numeric_limits<std::uint32_t>::max() / 2)
    refuse(f, "more than 2147483647 names in a part of the text", "fewer vertices");
  if (f.doubled) name = unescaped_.emplace_front(std::move(unescaped));
  append(name);
  slots_[at] = {static_cast<std::uint32_t>(names_.size()), hash};
  return slots_[at].number - 1;
}

joined_names join(const std::vector<local_names>& tables, memory_tally& memory, const job& work) {
  std::size_t total = 0;
  for (const local_names& t : tables) total += t.all().size();
  // The sorted list, and the buffer for merging its runs.
  const std::size_t listed = bytes_for(total, sizeof(std::string_view)), merged = listed / 2;
  memory.take(sum_of_bytes(listed, merged), "sorting the names");
  std::vector<std::string_view> names;
  names.reserve(total);
  for (const local_names& t : tables) names.insert(names.end(), t.all().begin(), t.all().end());
  sort_names(names, work);
  memory.give(merged);
  names.erase(std::unique(names.begin(), names.end()), names.end());

  joined_names result;
  std::size_t bytes = 0;
  for (const std::string_view name : names) bytes += name.size();
  const std::size_t kept = bytes + bytes_for(names.size(), sizeof(std::uint64_t));
  const std::size_t numbered = bytes_for(total, sizeof(std::uint32_t));
  memory.take(sum_of_bytes(kept, numbered), "keeping the names");
  result.table.reserve(names.size(), bytes);
  for (const std::string_view name : names) result.table.push_back(name);
  result.numbers.resize(tables.size());
  for_each_task(tables.size(), work, [&](std::size_t i) {
    result.numbers[i].reserve(tables[i].all().size());
    for (const std::string_view name : tables[i].all())
      result.numbers[i].push_back(static_cast<std::uint32_t>(
          std::lower_bound(names.begin(), names.end(), name) - names.begin()));
  });
  return result;
}

bool fits_edge_list(std::string_view name) {
  return !name.empty() && name[0] != '#' && name[0] != '%' && !name.starts_with(byte_order_mark) &&
         std::none_of(name.begin(), name.end(), [](char c) { return c == '\n' || is_space(c); });
}

}  // namespace tropic::io::detail
