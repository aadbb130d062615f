// SPDX-License-Identifier: Apache-2.0

// The page: the heading with the choice and its reason, the panels of the matrix side by side,
// those of a wide matrix below each other, and the candidates at the bottom.

#include "explain/picture.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "explain/picture_panels.hpp"
#include "explain/svg.hpp"

namespace tropic::detail {

namespace {

using namespace panels;

constexpr double page_width = 960, margin = 40, content_width = page_width - 2 * margin;
constexpr double gap = 44;  // between panels
constexpr double title_size = 22, text_size = 14, leading = 20;
constexpr double wide_pair = 190;   // height of the row lengths beside the blocks
constexpr double least_pair = 372;  // and above them
constexpr double blocks_share = 0.483, pair_gap = 26;

struct head {
  std::vector<std::string> subtitle, reason;

  explicit head(const picture_content& content)
      : subtitle(svg::wrapped(content.subtitle, content_width, note_size + 1, 2)),
        reason(svg::wrapped(content.reason, content_width, text_size, 4)) {}

  double subtitle_end() const { return margin + 26 + 18 * static_cast<double>(subtitle.size()); }
  double reason_height() const {
    return reason.empty() ? 0 : leading * static_cast<double>(reason.size()) + 18;
  }
  double end() const { return subtitle_end() + (reason.empty() ? 0 : 14 + reason_height()); }

  void draw(svg::writer& out, const picture_content& content) const {
    out.text(margin, margin + 16, svg::fitted(content.title, content_width, title_size, true),
             {.size = title_size, .colour = ink, .bold = true});
    double y = margin + 38;
    for (const std::string& line : subtitle) {
      out.text(margin, y, line, {.size = note_size + 1, .colour = quiet});
      y += 18;
    }
    if (reason.empty()) return;
    out.begin_group("reason", content.reason);
    y = subtitle_end() + 14;
    mark(out, margin, y, content_width, reason_height());
    y += 23;
    for (const std::string& line : reason) {
      out.text(margin, y, line, {.size = text_size, .colour = ink});
      y += leading;
    }
    out.end_group();
  }
};

/// The picture as a sentence.
std::string description(const picture_content& content) {
  std::string words = content.subtitle;
  const auto add = [&](const std::string& sentence) {
    if (!words.empty() && !sentence.empty()) words += ". ";
    words += sentence;
  };
  add(content.reason);
  for (const picture_bar& bar : content.candidates) {
    if (!bar.why_not.empty()) {
      add(fmt::format("{}: {}", bar.name, bar.why_not));
      continue;
    }
    std::string times = fmt::format("{}{}: predicted {}", bar.name, bar.chosen ? " (chosen)" : "",
                                    svg::seconds(bar.predicted_seconds));
    if (bar.measured_seconds) times += ", measured " + svg::seconds(*bar.measured_seconds);
    add(times);
  }
  return words;
}

}  // namespace

std::string draw(const picture_content& content) {
  const head top(content);
  const density_box box = box_of(content, content_width);
  const double matrix_top = top.end() + 34;
  // The other two panels are stacked beside the matrix and end at its lower edge.
  const double pair_top = box.is_wide ? matrix_top + box.panel_height() + gap : matrix_top;
  const double pair_height = box.is_wide ? wide_pair : std::max(box.panel_height(), least_pair);
  const double candidates_top = pair_top + pair_height + gap;
  const double costs = candidates_height(content, content_width);
  const double page_height =
      costs > 0 ? candidates_top + costs + margin : pair_top + pair_height + margin;

  svg::writer out(page_width, page_height, content.title, description(content));
  top.draw(out, content);
  draw_density(out, content, box, margin, matrix_top);
  if (box.is_wide) {
    const double column = (content_width - gap) / 2;
    draw_row_lengths(out, content, margin, pair_top, column, pair_height);
    draw_blocks(out, content, margin + column + gap, pair_top, column, pair_height);
  } else {
    const double x = margin + box.panel_width() + gap, column = page_width - margin - x;
    const double blocks_height = blocks_share * pair_height;
    const double lengths_height = pair_height - blocks_height - pair_gap;
    draw_row_lengths(out, content, x, pair_top, column, lengths_height);
    draw_blocks(out, content, x, pair_top + pair_height - blocks_height, column, blocks_height);
  }
  if (costs > 0) draw_candidates(out, content, margin, candidates_top, content_width);
  return std::move(out).finish();
}

}  // namespace tropic::detail
