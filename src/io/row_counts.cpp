// SPDX-License-Identifier: Apache-2.0

// See row_counts.hpp.

#include "io/row_counts.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "io/digits.hpp"

namespace tropic::io::detail {

void chunk_counts::fold_to(int wanted) {
  for (auto* counts : {&direct, &image}) {
    const std::size_t step = std::size_t{1} << (wanted - shift);
    for (std::size_t b = 0; b < counts->size(); ++b) {
      const std::uint64_t count = std::exchange((*counts)[b], 0);
      (*counts)[b / step] += count;
    }
    counts->resize((counts->size() + step - 1) / step);
  }
  shift = wanted;
}

void chunk_counts::make_room(std::vector<std::uint64_t>& counts, std::uint32_t row) {
  if (row >> shift >= most_buckets)
    fold_to(static_cast<int>(std::bit_width(row)) - most_bucket_bits);
  const std::size_t needed = std::size_t{row >> shift} + 1;
  if (needed > counts.size())
    counts.resize(std::min(std::max(needed, 2 * counts.size()), most_buckets));
}

// No template, so that it is compiled once for each type of values: a call takes thousands of
// entries.
void parse_blocks(const coordinates& header, const entry_text& text, const job& work,
                  const std::function<void(const entry_block&)>& f) {
  constexpr std::size_t block_capacity = 4096;
  const data_lines& lines = text.lines;
  with_builtin_type(header.type, [&]<class T>() {
    for_each_task(lines.chunks.size(), work, [&](std::size_t chunk) {
      const std::size_t room =
          std::min(block_capacity, lines.first[chunk + 1] - lines.first[chunk]);
      coordinates block;
      block.type = header.type;
      block.row.resize(room);
      block.column.resize(room);
      if (!header.pattern) block.values.resize(room * sizeof(T));
      auto* const values = reinterpret_cast<T*>(block.values.data());
      cursor c(lines.chunks[chunk]);
      // A file that changes while it is read must not write past the block.
      for (std::size_t k = lines.first[chunk], end = std::min(text.limit, lines.first[chunk + 1]);
           k < end;) {
        std::size_t count = 0;
        for (; count < room && k < end && next_data_line(c, lines.comments); ++count, ++k)
          parse_entry<T>(c, count, text.layout, text.vertices, block, values);
        if (count == 0) break;
        f(entry_block{
            chunk, {block.row.data(), count}, {block.column.data(), count}, block.values.data()});
      }
    });
  });
}

namespace {

/// The row and column of a line, and the position after them.
struct scanned_line {
  std::uint64_t row = 0, column = 0;
  const char* end = nullptr;
};

/// For a line that begins with `row column`, a blank between them, in numbers of at most eight
/// digits, and has more text after it. Otherwise false.
bool scan_usual(const char* at, const char* end, scanned_line& line) {
  if (end - at < row_bytes + word_bytes) return false;
  std::uint32_t ends = ends_of_tokens(at);
  const int row_end = std::countr_zero(ends);
  ends &= ends - 1;
  const int column_end = std::countr_zero(ends);
  const int row_digits = row_end, column_digits = column_end - row_end - 1;
  if (row_digits < 1 || row_digits > word_bytes || column_digits < 1 ||
      column_digits > word_bytes || at[row_end] != ' ')
    return false;
  const char after = at[column_end];
  if (after != '\n' && !is_space(after)) return false;
  const std::uint64_t row = word_at(at), column = word_at(at + row_end + 1);
  if (leading_digits(row) < row_digits || leading_digits(column) < column_digits) return false;
  line = {number_of_digits(row, row_digits), number_of_digits(column, column_digits),
          at + column_end};
  return true;
}

/// The same for every line that begins with two numbers.
bool scan_any(const char* at, const char* end, scanned_line& line) {
  cursor c({at, static_cast<std::size_t>(end - at)});
  if (!natural(c, line.row)) return false;
  c.skip_space();
  if (!natural(c, line.column)) return false;
  line.end = c.at;
  return true;
}

const char* next_line(const char* at, const char* end) {
  for (int place = 0; end - at >= word_bytes; at += word_bytes)
    if (has_newline(word_at(at), place)) return at + place + 1;
  while (at != end && *at != '\n') ++at;
  return at == end ? end : at + 1;
}

/// Whether the next token of the line has no characters but a sign and digits, or is missing.
bool is_integral(const char* at, const char* end) {
  cursor c({at, static_cast<std::size_t>(end - at)});
  c.skip_space();
  std::uint64_t ignored = 0;
  return short_natural(c, ignored) || c.at_line_end() || is_integer_token(c.peek());
}

}  // namespace

scanned_entries scan_entries(std::string_view body, comment_marks comments, char tag,
                             const numbered_vertices& vertices, bool has_images, bool sees_values,
                             tropic::detail::cancel_watch& watch, const job& work) {
  scanned_entries found;
  found.lines = {split_lines(body, work), {}, comments};
  data_lines& lines = found.lines;
  lines.first.assign(lines.chunks.size() + 1, 0);
  found.counts.resize(lines.chunks.size());
  std::atomic<bool> is_complete{true}, has_integers{true};
  for_each_task(lines.chunks.size(), work, [&](std::size_t i) {
    watch.check();
    cursor c(lines.chunks[i]);
    chunk_counts& counts = found.counts[i];
    bool is_usual = true, is_integer = true;
    std::size_t count = 0;
    for (; next_data_line(c, comments); ++count) {
      const char* at = c.at;
      scanned_line line;
      if (tag != '\0') {
        is_usual = is_usual && *at == tag && c.end - at > 1 && is_space(at[1]);
        for (++at; at != c.end && is_space(*at);) ++at;
      }
      is_usual = is_usual && (scan_usual(at, c.end, line) || scan_any(at, c.end, line));
      if (!is_usual) {
        c.at = next_line(c.at, c.end);
        continue;
      }
      const std::uint64_t row = line.row - vertices.base, column = line.column - vertices.base;
      is_usual = row < vertices.rows && column < vertices.columns;
      if (is_usual)
        counts.add(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column), has_images);
      if (sees_values && is_integer) is_integer = is_integral(line.end, c.end);
      c.at = next_line(line.end, c.end);
    }
    lines.first[i + 1] = count;
    if (!is_usual) is_complete = false;
    if (!is_integer) has_integers = false;
  });
  for (std::size_t i = 0; i < lines.chunks.size(); ++i) lines.first[i + 1] += lines.first[i];
  found.is_complete = is_complete;
  found.has_integers = has_integers;
  return found;
}

}  // namespace tropic::io::detail
