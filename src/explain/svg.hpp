// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes a self-contained SVG: shapes and text with attributes, without style sheet, script, font
// or references. Numbers are finite and have at most two decimals. Text may contain any bytes;
// invalid UTF-8 and characters that XML does not allow are replaced.
//
// The font of the viewer is unknown. Widths of text are upper estimates based on DejaVu Sans, one
// of the widest fonts: text fitted by them fits with any usual font.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tropic::detail::svg {

/// Escaped for an element or an attribute.
std::string escaped(std::string_view);
/// The maximum width of `text`.
double text_width(std::string_view text, double size, bool bold = false);
/// `text`, or the longest beginning that fits, with "…".
std::string fitted(std::string_view text, double width, double size, bool bold = false);
/// Lines of `text`, broken at spaces, inside a word only if it is longer than a line. "…" ends the
/// last line if lines are missing.
std::vector<std::string> wrapped(std::string_view text, double width, double size,
                                 std::size_t most_lines);

/// 262,144
std::string grouped(std::uint64_t);
/// At most four digits and a letter: 0, 950, 8.2k, 262k, 1M.
std::string shortened(double);
/// With three digits: 12.0 ms; "unknown" if it is no valid time.
std::string seconds(double);

enum class anchor { start, middle, end };

struct text_style {
  double size = 12;
  std::string_view colour = "#1f2933";
  bool bold = false;
  anchor at = anchor::start;
  bool upwards = false;  // rotated, read from below
};

class writer {
 public:
  /// `title` and `description` are read aloud by screen readers.
  writer(double width, double height, std::string_view title, std::string_view description);

  void text(double x, double y, std::string_view, const text_style& = {});
  void rectangle(double x, double y, double width, double height, std::string_view fill,
                 double radius = 0);
  /// An outline of hairline width.
  void frame(double x, double y, double width, double height, std::string_view stroke);
  void line(double x0, double y0, double x1, double y1, std::string_view stroke,
            std::string_view dashes = "");
  /// A class for embedding pages, and a title that is shown as a tooltip.
  void begin_group(std::string_view name, std::string_view title);
  void end_group();
  /// Adjacent rectangles of one colour without visible seams: begin, add any number, end.
  void begin_tiles(std::string_view fill);
  void tile(double x, double y, double width, double height);
  void end_tiles();

  /// The complete file.
  std::string finish() &&;

 private:
  std::string out_;
};

}  // namespace tropic::detail::svg
