// SPDX-License-Identifier: Apache-2.0
#pragma once

// The four panels of the picture and what they share: colours, font sizes, headings.

#include <string>
#include <string_view>

#include "explain/picture.hpp"
#include "explain/svg.hpp"

namespace tropic::detail::panels {

// One blue for the matrix, by lightness, so that it survives a black-and-white printer; vermilion
// only for the choice, which colour-blind readers can distinguish from blue and grey (Okabe and
// Ito).
inline constexpr std::string_view ink = "#1f2933", quiet = "#5b6673", hair = "#c3cad1",
                                  rule = "#e6e9ec", accent = "#d55e00", accent_light = "#f4bd93",
                                  accent_ink = "#a94700", accent_tint = "#fdf4ec",
                                  other = "#5f7386", other_light = "#b9c4ce";

inline constexpr double heading_size = 14, note_size = 12, axis_size = 11;
/// The distance from the top of a panel to its plot.
inline constexpr double heading_height = 36;

inline void heading(svg::writer& out, double x, double y, double width, std::string_view name,
                    std::string_view note) {
  out.text(x, y + 11, svg::fitted(name, width, heading_size, true),
           {.size = heading_size, .colour = ink, .bold = true});
  out.text(x, y + 27, svg::fitted(note, width, note_size), {.size = note_size, .colour = quiet});
}

/// The background of the choice; it extends beyond the column, so that text stays aligned.
inline void mark(svg::writer& out, double x, double y, double width, double height) {
  out.rectangle(x - 16, y, width + 32, height, accent_tint);
  out.rectangle(x - 16, y, 3, height, accent);
}

/// From 0 (pale) to 1 (dark).
std::string shade(double);

/// The size at which the matrix itself is drawn.
struct density_box {
  double width = 0, height = 0;
  bool is_wide = false;   // whether it needs the full width of the page
  bool to_scale = false;  // with the aspect ratio of the matrix
  double panel_width() const;
  double panel_height() const;
};
density_box box_of(const picture_content&, double page_width);

void draw_density(svg::writer&, const picture_content&, const density_box&, double x, double y);
void draw_row_lengths(svg::writer&, const picture_content&, double x, double y, double width,
                      double height);
void draw_blocks(svg::writer&, const picture_content&, double x, double y, double width,
                 double height);

double candidates_height(const picture_content&, double width);
void draw_candidates(svg::writer&, const picture_content&, double x, double y, double width);

}  // namespace tropic::detail::panels
