// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes an SVG that stands alone: shapes and text with attributes, no style sheet, script, font or
// reference. Numbers are finite and have two decimals at the most; any bytes may come as text, what
// is no UTF-8 or no character of XML is replaced.
//
// Which font shows it is unknown here. Widths of text are estimates from above, after DejaVu Sans,
// which is among the widest: what is fitted by them stays inside with any usual font.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tropic::detail::svg {

/// Text for an element or an attribute.
std::string escaped(std::string_view);
/// The most that `text` may take up.
double text_width(std::string_view text, double size, bool bold = false);
/// `text`, or as much of its beginning as fits, with "…".
std::string fitted(std::string_view text, double width, double size, bool bold = false);
/// Lines of `text`, broken at spaces, inside words only where they are longer than a line; "…"
/// ends the last one where lines are missing.
std::vector<std::string> wrapped(std::string_view text, double width, double size,
                                 std::size_t most_lines);

/// 262,144
std::string grouped(std::uint64_t);
/// At most four digits and a letter: 0, 950, 8.2k, 262k, 1M.
std::string shortened(double);
/// With three digits: 12.0 ms; "unknown" for what is no time.
std::string seconds(double);

enum class anchor { start, middle, end };

struct text_style {
  double size = 12;
  std::string_view colour = "#1f2933";
  bool bold = false;
  anchor at = anchor::start;
  bool upwards = false;  // turned, read from below
};

class writer {
 public:
  /// `title` and `description` are read out where the picture cannot be seen.
  writer(double width, double height, std::string_view title, std::string_view description);

  void text(double x, double y, std::string_view, const text_style& = {});
  void rectangle(double x, double y, double width, double height, std::string_view fill,
                 double radius = 0);
  /// An outline of a hair's width.
  void frame(double x, double y, double width, double height, std::string_view stroke);
  void line(double x0, double y0, double x1, double y1, std::string_view stroke,
            std::string_view dashes = "");
  /// A class for those who embed the picture, and a title that shows under the mouse.
  void begin_group(std::string_view name, std::string_view title);
  void end_group();
  /// Rectangles of one colour that meet without a seam: begin, add any number, end.
  void begin_tiles(std::string_view fill);
  void tile(double x, double y, double width, double height);
  void end_tiles();

  /// The whole file.
  std::string finish() &&;

 private:
  std::string out_;
};

}  // namespace tropic::detail::svg
