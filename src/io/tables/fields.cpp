// SPDX-License-Identifier: Apache-2.0

#include "io/tables/fields.hpp"

namespace tropic::io::detail {

namespace {

const char* find(const char* from, const char* end, char wanted) {
  if (from == end) return end;
  const void* const at = std::memchr(from, wanted, static_cast<std::size_t>(end - from));
  return at ? static_cast<const char*>(at) : end;
}

/// The quote that closes the field whose content begins at `from`; `end` if there is none.
const char* closing_quote(const char* from, const char* end, bool& doubled) {
  for (;;) {
    const char* const at = find(from, end, '"');
    if (at == end || at + 1 == end || at[1] != '"') return at;
    doubled = true;
    from = at + 2;
  }
}

bool is_comment(const cursor& c, const dialect& d) {
  if (!d.comments(*c.at)) return false;
  if (!d.named || c.at + 1 == c.end) return true;
  return c.at[1] == '\n' || is_space(c.at[1]) || d.comments(c.at[1]);
}

/// Cuts at the ends of records, taking quotes into account.
std::vector<std::string_view> split_quoted(std::string_view text, const dialect& d,
                                           std::size_t step) {
  std::vector<std::string_view> chunks;
  const char* begin = text.data();
  cursor c(text);
  while (next_record(c, d)) {
    skip_record(c, d);
    if (c.at == c.end || static_cast<std::size_t>(c.at - begin) < step) continue;
    chunks.emplace_back(begin, static_cast<std::size_t>(c.at - begin));
    begin = c.at;
  }
  if (begin != c.end) chunks.emplace_back(begin, static_cast<std::size_t>(c.end - begin));
  return chunks;
}

}  // namespace

std::string field::value() const {
  std::string result(text);
  if (!doubled) return result;
  std::size_t to = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[to++] = result[i];
    if (result[i] == '"') ++i;  // the second of the two
  }
  result.resize(to);
  return result;
}

bool next_record(cursor& c, const dialect& d) {
  for (;;) {
    while (c.at != c.end && d.is_blank(*c.at)) ++c.at;
    if (c.at == c.end) return false;
    if (is_comment(c, d)) {
      c.skip_line();
      continue;
    }
    const char* const first = c.at;
    while (c.at != c.end && (d.is_blank(*c.at) || *c.at == d.separator)) ++c.at;
    if (c.at == c.end) return false;
    if (*c.at != '\n') {
      c.at = first;
      return true;
    }
    ++c.at;
  }
}

void skip_record(cursor& c, const dialect& d) {
  if (!d.quotes) return c.skip_line();
  for (;;) {
    while (c.at != c.end && d.is_blank(*c.at)) ++c.at;
    if (c.at != c.end && *c.at == '"') {
      bool doubled = false;
      const char* const close = closing_quote(c.at + 1, c.end, doubled);
      c.at = close == c.end ? c.end : close + 1;
    }
    while (c.at != c.end && !d.ends_field(*c.at)) ++c.at;
    if (c.at == c.end) return;
    if (*c.at++ == '\n') return;
  }
}

field take_field(cursor& c, const dialect& d) {
  while (c.at != c.end && d.is_blank(*c.at)) ++c.at;
  field f;
  f.at = c.at;
  if (d.quotes && c.at != c.end && *c.at == '"') {
    f.quoted = true;
    const char* const begin = c.at + 1;
    const char* const close = closing_quote(begin, c.end, f.doubled);
    if (close == c.end)
      throw parse_failure{f.at, "a quote that is not closed", "'\"' at the end of the field"};
    f.text = {begin, static_cast<std::size_t>(close - begin)};
    c.at = close + 1;
    while (c.at != c.end && d.is_blank(*c.at)) ++c.at;
    if (c.at != c.end && !d.ends_field(*c.at))
      throw parse_failure{c.at, c.found() + " after a closing quote",
                          "the end of the field ('\"\"' represents a quote inside it)"};
    return f;
  }
  while (c.at != c.end && !d.ends_field(*c.at)) ++c.at;
  const char* end = c.at;
  while (end != f.at && is_space(end[-1])) --end;
  f.text = {f.at, static_cast<std::size_t>(end - f.at)};
  return f;
}

bool next_field(cursor& c, const dialect& d) {
  if (d.separator == ' ') c.skip_space();
  if (c.at == c.end) return false;
  if (*c.at == '\n') {
    ++c.at;
    return false;
  }
  if (d.separator != ' ') ++c.at;
  return true;
}

records find_records(std::string_view body, const dialect& d, const job& work) {
  const bool quoted = d.quotes && body.find('"') != std::string_view::npos;
  records all{
      quoted ? split_quoted(body, d, chunk_step(body.size(), work)) : split_lines(body, work), {}};
  all.first.assign(all.chunks.size() + 1, 0);
  for_each_task(all.chunks.size(), work, [&](std::size_t i) {
    std::size_t count = 0;
    for (cursor c(all.chunks[i]); next_record(c, d); skip_record(c, d)) ++count;
    all.first[i + 1] = count;
  });
  for (std::size_t i = 0; i < all.chunks.size(); ++i) all.first[i + 1] += all.first[i];
  return all;
}

const char* record_at(const records& all, std::string_view body, const dialect& d, std::size_t k) {
  if (k >= all.count()) refuse_lost_entry(body.data() + body.size(), k);
  const auto after = std::upper_bound(all.first.begin(), all.first.end(), k);
  const auto i = static_cast<std::size_t>(after - all.first.begin()) - 1;
  cursor c(all.chunks[i]);
  for (std::size_t n = all.first[i]; next_record(c, d) && n < k; ++n) skip_record(c, d);
  return c.at;
}

}  // namespace tropic::io::detail
