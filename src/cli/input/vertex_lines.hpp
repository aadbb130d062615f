// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files that list vertices of a graph, one or more on a line, as options name them: preferences,
// sources, pairs. Words are separated by blanks or commas; names are quoted as in outputs. Blank
// lines and lines that begin with # or % are skipped.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tropic/context.hpp>

#include "cli/input/load.hpp"
#include "cli/program.hpp"
#include "io/memory.hpp"

namespace tropic::cli {

/// A line of such a file, taken word by word.
class vertex_line {
 public:
  vertex_line(std::string_view text, std::string file, std::size_t number,
              const vertex_names& vertices, const io::detail::memory_room& room)
      : text_(text), file_(std::move(file)), number_(number), vertices_(vertices), room_(room) {}

  /// The next word as a vertex. Throws input_error if it is none; out_of_memory.
  index_t take_vertex();
  /// The next word; empty at the end of the line.
  std::string_view take_word();
  bool at_end();
  /// Throws input_error unless the line ends here.
  void finish();
  /// Throws input_error "FILE:LINE: found 'X', expected Y".
  [[noreturn]] void refuse(std::string_view found, const std::string& expected) const;

 private:
  void skip_blanks();

  std::string_view text_;
  std::string file_;
  std::size_t number_;
  const vertex_names& vertices_;
  const io::detail::memory_room& room_;
};

/// Before any work: throws usage_error if FILE of `option` is standard input or a pipe that the
/// graph is read from.
void check_vertex_file(const std::string& option, const std::string& file,
                       const std::string& graph);

/// What a file has at most: every word ends with a blank, a comma or its line, and a quoted name
/// that contains blanks counts as several words.
struct line_counts {
  std::size_t lines = 0, words = 0;
};
/// The memory that a caller needs, in bytes.
struct line_memory {
  std::size_t per_line = 0, per_word = 0;
};

/// Calls `reserve(counts)` once and then `take(line)` for every line that counts; it must take all
/// words of the line. `what`, for messages: the content of the file; `memory`: what `reserve`
/// allocates. The file is opened like every other input: it may be
/// compressed or a pipe, its bytes count against the memory limit, and Ctrl+C ends the wait for
/// them. Throws input_error with the line; out_of_memory; cancelled.
void read_vertex_lines(const program& p, const context& where, const std::string& file,
                       const std::string& what, const vertex_names& vertices, line_memory memory,
                       const std::function<void(const line_counts&)>& reserve,
                       const std::function<void(vertex_line&)>& take);

/// The vertices on all lines, in their order. Throws input_error if there are none.
std::vector<index_t> read_vertex_list(const program& p, const context& where,
                                      const std::string& file, const vertex_names& vertices);

/// A group of vertices for each line. Throws input_error if there are none.
struct vertex_groups {
  std::vector<index_t> vertices;    // of all lines, in their order
  std::vector<std::size_t> starts;  // of each group, and the end of the last
};
vertex_groups read_vertex_groups(const program& p, const context& where, const std::string& file,
                                 const vertex_names& vertices);

/// Pairs of vertices, a line `from to` for each.
struct vertex_pairs {
  std::vector<index_t> from, to;
};
vertex_pairs read_vertex_pairs(const program& p, const context& where, const std::string& file,
                               const vertex_names& vertices);

}  // namespace tropic::cli
