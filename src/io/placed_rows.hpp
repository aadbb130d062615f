// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix from a text of one entry a line, without a list of its entries: the text is parsed
// twice, first to count the entries of groups of rows (buckets), then to place each entry in the
// part of its bucket in the arrays of the result. Then the buckets are sorted (placed_buckets.hpp).
//
// The order within a bucket is that of the list (entries of the file, then mirror images), for any
// number of threads, because each chunk of the text has its own position in each bucket. So
// repeated positions are merged in the order in which build_matrix merges them.
//
// Space besides the result: the counters, the largest bucket per thread, and 2 bytes an entry
// unless the number of a row in its bucket fits the bits that column numbers leave free.

#include <functional>
#include <optional>

#include <tropic/read_matrix.hpp>

#include "io/entries.hpp"

namespace tropic::io::detail {

struct placed_buckets;  // placed_buckets.hpp

/// Consecutive entries of one chunk. `values` is null in a pattern.
struct entry_block {
  std::size_t chunk = 0;
  std::span<const std::uint32_t> row, column;
  const std::byte* values = nullptr;
};

/// The data lines of a text and how they are parsed.
struct entry_text {
  const data_lines& lines;
  std::size_t limit = 0;  ///< the number of lines that are parsed
  entry_layout layout;
  numbered_vertices vertices;
};

class row_placer {
 public:
  using plan_function = tropic::detail::read_plan_function;

  row_placer(tropic::detail::context_pointer context, const plan_function& plan,
             std::size_t least_entries, std::size_t usual_bucket);

  /// Whether these entries may be placed. `header`: the matrix without its entries.
  bool wants(const coordinates& header, std::size_t lines, mirror_rule mirror,
             const read_options& options);
  /// The first pass. Throws as parse_entries does.
  void count(const coordinates& header, const entry_text& text, const job& work);
  /// The largest row or column counted, plus 1; 0 without entries.
  std::uint64_t vertices() const { return vertices_; }
  /// The second pass; `header` has its dimensions and final type. False if the entries are to be
  /// listed instead: the plan refuses them, memory does not suffice, or a sixteenth of them is in
  /// one bucket. Nothing is kept then.
  bool place(coordinates& header, entry_text text, const job& work);
  /// Both passes; `check` is called between them.
  template <class Check>
  bool count_and_place(coordinates& header, const entry_text& text, const read_options& options,
                       const Check& check) {
    count(header, text, job(options, 0.4, 0.6));
    check();
    return place(header, text, job(options, 0.6, 1));
  }

  std::optional<tropic::detail::matrix_base> matrix;  ///< if place() has returned true
  index_t entries = 0;                                ///< of the list, with mirror images
  double progress = 0.6;  ///< what was reported when place() returned false

 private:
  /// Entries of one chunk in each bucket; later, where the chunk's next entry goes.
  struct chunk_counts {
    int shift = 0;  ///< rows with the same bits above share a bucket
    std::vector<std::uint64_t> direct, image;
    std::uint32_t largest = 0;

    void add(std::vector<std::uint64_t>& counts, std::uint32_t row);
    void fold_to(int wanted);
  };

  bool find_positions(const coordinates& header, placed_buckets& to);
  bool parse_into(placed_buckets& to, const tropic::detail::read_plan& plan,
                  const coordinates& header, const entry_text& text, const job& work);

  tropic::detail::context_pointer context_;
  const plan_function& plan_;
  std::size_t least_entries_, usual_bucket_;
  mirror_rule mirror_ = mirror_rule::none;
  std::vector<chunk_counts> counts_;
  std::uint64_t vertices_ = 0;
};

/// read() and read_text(), with entries placed if they can be.
coordinates read_with(const std::filesystem::path& path, const read_options& options,
                      row_placer& placer);
coordinates read_text_with(std::string_view text, file_format format, std::string_view name,
                           const read_options& options, row_placer& placer);

}  // namespace tropic::io::detail
