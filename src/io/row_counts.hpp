// SPDX-License-Identifier: Apache-2.0
#pragma once

// The entries of a text counted by row, in buckets of consecutive rows (placed_rows.hpp).

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "containers/cancel_watch.hpp"
#include "io/entries.hpp"

namespace tropic::io::detail {

constexpr int most_bucket_bits = 12;  ///< of the number of a bucket
constexpr std::size_t most_buckets = std::size_t{1} << most_bucket_bits;

/// Entries of one chunk in each bucket; later, where the chunk's next entry goes.
struct chunk_counts {
  int shift = 0;  ///< rows with the same bits above share a bucket
  std::vector<std::uint64_t> direct, image;
  std::uint32_t largest = 0;  ///< row or column

  void add(std::uint32_t row, std::uint32_t column, bool has_images) {
    largest = std::max({largest, row, column});
    add_to(direct, row);
    if (has_images && row != column) add_to(image, column);
  }
  void fold_to(int wanted);

 private:
  void add_to(std::vector<std::uint64_t>& counts, std::uint32_t row) {
    if (row >> shift >= counts.size()) make_room(counts, row);
    ++counts[row >> shift];
  }
  void make_room(std::vector<std::uint64_t>& counts, std::uint32_t row);
};

/// The data lines of a text and how they are parsed.
struct entry_text {
  const data_lines& lines;
  std::size_t limit = 0;  ///< the number of lines that are parsed
  entry_layout layout;
  numbered_vertices vertices;
};

/// Consecutive entries of one chunk. `values` is null in a pattern.
struct entry_block {
  std::size_t chunk = 0;
  std::span<const std::uint32_t> row, column;
  const std::byte* values = nullptr;
};

/// Calls f(block) for the entries of the text. Blocks of a chunk come in order, those of different
/// chunks from different threads. Throws as parse_entries does.
void parse_blocks(const coordinates& header, const entry_text& text, const job& work,
                  const std::function<void(const entry_block&)>& f);

/// What scan_entries() finds.
struct scanned_entries {
  data_lines lines;
  std::vector<chunk_counts> counts;  ///< of the chunks of `lines`
  /// Every line begins with a row and a column within their bounds. Otherwise not all are counted.
  bool is_complete = true;
  bool has_integers = true;  ///< no value but integers, if they were to be looked at
};

/// find_data_lines(), and the counts of the rows (with `has_images`, of the columns as well).
/// `sees_values`: whether the values are integers is to be found out too.
scanned_entries scan_entries(std::string_view body, comment_marks comments, char tag,
                             const numbered_vertices& vertices, bool has_images, bool sees_values,
                             tropic::detail::cancel_watch& watch, const job& work);

}  // namespace tropic::io::detail
