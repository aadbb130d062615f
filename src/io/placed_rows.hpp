// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix from a text of one entry a line, without a list of its entries. A scan of the lines
// counts the entries of groups of rows (buckets, row_counts.hpp); then the text is parsed, and each
// entry placed in the part of its bucket in the arrays of the result. Then the buckets are sorted
// (placed_buckets.hpp). The scan does not look at the values. A text with errors is parsed once
// more, to count the entries before the first error: so they are those of a list.
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
#include "io/row_counts.hpp"

namespace tropic::io::detail {

struct placed_buckets;  // placed_buckets.hpp

class row_placer {
 public:
  using plan_function = tropic::detail::read_plan_function;

  row_placer(tropic::detail::context_pointer context, const plan_function& plan,
             std::size_t least_entries, std::size_t usual_bucket);

  /// Finds the data lines, and counts their entries if they may be placed. `header`: the matrix
  /// without its entries. Progress from 0.3 on.
  data_lines scan(const coordinates& header, std::string_view body, comment_marks comments,
                  const entry_layout& layout, const numbered_vertices& vertices,
                  const read_options& options);
  /// Whether so many entries may be placed.
  bool wants(std::size_t lines) const { return may_place_ && lines > 0 && lines >= least_entries_; }
  /// Counts the entries by parsing them. Throws as parse_entries does.
  void count(const coordinates& header, const entry_text& text, const job& work);
  /// The largest row or column counted, plus 1; 0 without entries.
  std::uint64_t vertices() const { return vertices_; }
  /// Whether all weights scanned are integers. A guess, if they were not scanned.
  bool seems_integral() const { return seems_integral_; }
  /// Places what was counted; `header` has its dimensions and final type. False if the entries are
  /// to be listed instead: the plan refuses them, memory does not suffice, or a sixteenth of them
  /// is in one bucket. Nothing is kept then.
  bool place(coordinates& header, entry_text text, const job& work);
  /// Calls place(work), after count(work) unless the scan has counted the entries. If the text has
  /// an error, count() is called to throw the first one.
  template <class Count, class Place>
  bool place_after(const read_options& options, const Count& count, const Place& place) {
    if (is_scanned_) try {
        return place(job(options, progress, 1));
      } catch (const parse_failure&) {
      }
    count(job(options, progress, std::max(progress, 0.7)));
    progress = std::max(progress, 0.7);
    return place(job(options, progress, 1));
  }
  /// The same for entries of known type and bounds; `check` is called before they are placed.
  template <class Check>
  bool place_all(coordinates& header, const entry_text& text, const read_options& options,
                 const Check& check) {
    return place_after(
        options, [&](const job& work) { count(header, text, work); },
        [&](const job& work) {
          check();
          return place(header, text, work);
        });
  }

  std::optional<tropic::detail::matrix_base> matrix;  ///< if place() has returned true
  index_t entries = 0;                                ///< of the list, with mirror images
  double progress = 0.5;  ///< what was reported when place() returned false

 private:
  void find_vertices();
  bool find_positions(const coordinates& header, placed_buckets& to);
  bool parse_into(placed_buckets& to, const tropic::detail::read_plan& plan,
                  const coordinates& header, const entry_text& text, const job& work);

  tropic::detail::context_pointer context_;
  const plan_function& plan_;
  std::size_t least_entries_, usual_bucket_;
  mirror_rule mirror_ = mirror_rule::none;
  std::vector<chunk_counts> counts_;
  bool may_place_ = false, is_scanned_ = false, seems_integral_ = true;
  std::uint64_t vertices_ = 0;
};

/// read() and read_text(), with entries placed if they can be.
coordinates read_with(const std::filesystem::path& path, const read_options& options,
                      row_placer& placer);
coordinates read_text_with(std::string_view text, file_format format, std::string_view name,
                           const read_options& options, row_placer& placer);

}  // namespace tropic::io::detail
