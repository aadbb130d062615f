// SPDX-License-Identifier: Apache-2.0

// The panel of the candidates: the predicted and the measured time of a call, and below those that
// were excluded, with the reason.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "explain/picture_panels.hpp"

namespace tropic::detail::panels {

namespace {

constexpr double value_room = 70, bar_height = 10, bar_pitch = 13, row_gap = 12;
constexpr double axis_height = 30, excluded_heading = 28, line_height = 17;

bool is_time(double seconds) {
  return std::isfinite(seconds) && seconds >= 0;
}

/// The candidates in drawing order: the fastest prediction first, unknown ones last.
struct rows {
  std::vector<const picture_bar*> drawn, excluded;
  bool has_measured = false;

  explicit rows(const picture_content& content) {
    for (const picture_bar& bar : content.candidates) {
      (bar.why_not.empty() ? drawn : excluded).push_back(&bar);
      has_measured |= bar.why_not.empty() && bar.measured_seconds;
    }
    std::ranges::stable_sort(drawn, {}, [](const picture_bar* bar) {
      const double time = bar->predicted_seconds;
      return std::pair(!is_time(time), is_time(time) ? time : 0);
    });
  }
  double row_height() const { return (has_measured ? bar_pitch + bar_height : 14) + row_gap; }
  double bars_height() const {
    return drawn.empty() ? 0 : row_height() * static_cast<double>(drawn.size()) + axis_height;
  }
  double name_width(double limit) const {
    double widest = 60;
    for (const auto* list : {&drawn, &excluded})
      for (const picture_bar* bar : *list)
        widest = std::max(widest, svg::text_width(bar->name, 13, bar->chosen));
    return std::min(widest + 4, limit);
  }
};

class time_axis {
 public:
  explicit time_axis(const std::vector<const picture_bar*>& bars) {
    double least = 0;
    const auto see = [&](double time) {
      if (!is_time(time) || time == 0) return;
      // Limits that no call exceeds; they keep powers of ten finite.
      const double bounded = std::clamp(time, 1e-10, 1e12);
      least = least == 0 ? bounded : std::min(least, bounded);
      max_time_ = std::max(max_time_, bounded);
    };
    for (const picture_bar* bar : bars) {
      see(bar->predicted_seconds);
      if (bar->measured_seconds) see(*bar->measured_seconds);
    }
    is_logarithmic_ = least > 0 && max_time_ / least >= 30;
    // The shortest bar must be visible.
    if (is_logarithmic_) base_ = std::pow(10, std::floor(std::log10(least * 0.7)));
  }
  bool is_logarithmic() const { return is_logarithmic_; }
  /// From 0 to 1.
  double at(double time) const {
    if (!is_time(time) || time == 0) return 0;
    const double share = is_logarithmic_
                             ? std::log(std::max(time, base_) / base_) / std::log(max_time_ / base_)
                             : time / max_time_;
    return std::min(share, 1.0);
  }
  std::vector<double> ticks() const {
    std::vector<double> found;
    if (max_time_ == 0) return found;
    if (is_logarithmic_) {
      const double every = std::max(1.0, std::ceil(std::log10(max_time_ / base_) / 8));
      for (double k = 0;; k += every) {
        const double tick = base_ * std::pow(10, k);
        if (tick > max_time_ * 1.000001) break;
        found.push_back(tick);
      }
      return found;
    }
    const double power = std::pow(10, std::floor(std::log10(max_time_ / 5)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0})
      if (max_time_ / 5 <= factor * power) step = factor * power;
    for (double k = 0; k * step <= max_time_ * 1.000001; ++k) found.push_back(k * step);
    return found;
  }

 private:
  double max_time_ = 0, base_ = 1;
  bool is_logarithmic_ = false;
};

/// A label of the axis: round, without trailing zeros.
std::string tick_label(double time) {
  std::string text = svg::seconds(time);
  const std::size_t point = text.find('.'), space = text.find(' ');
  if (point == text.npos || text.find('e') != text.npos) return text;
  std::size_t end = space;
  while (text[end - 1] == '0') --end;
  if (text[end - 1] == '.') --end;
  return text.erase(end, space - end);
}

void draw_key(svg::writer& out, double right, double y) {
  const auto key = [&](std::string_view name, std::string_view colour) {
    out.rectangle(right - 12, y, 12, bar_height, colour);
    out.text(right - 18, y + 9, name, {.size = note_size, .colour = quiet, .at = svg::anchor::end});
    right -= svg::text_width(name, note_size) + 36;
  };
  key("measured", other);
  key("predicted", other_light);
}

/// Where the names and the bars of the candidates are.
struct chart {
  double x, width, names;  // of all; `names`: width of the names
  double left, bars;       // of the bars
  bool has_measured;
};

// The mark of the chosen candidate, and the grid with its labels.
void draw_background(svg::writer& out, const rows& list, const time_axis& axis, const chart& at,
                     double y) {
  const double bottom = y + list.bars_height() - axis_height;
  for (std::size_t k = 0; k < list.drawn.size(); ++k)
    if (list.drawn[k]->chosen)
      mark(out, at.x, y + list.row_height() * static_cast<double>(k) + 2, at.width,
           list.row_height() - 4);
  for (const double tick : axis.ticks()) {
    const double tick_x = at.left + at.bars * axis.at(tick);
    out.line(tick_x, y, tick_x, bottom, rule);
    out.text(tick_x, bottom + 16, tick_label(tick),
             {.size = axis_size, .colour = quiet, .at = svg::anchor::middle});
  }
}

void draw_candidate(svg::writer& out, const picture_bar& bar, const time_axis& axis,
                    const chart& at, double y, double height) {
  const double thick = at.has_measured ? bar_height : 14;
  out.begin_group(bar.chosen ? "candidate chosen" : "candidate", bar.name);
  out.text(at.x, y + height / 2 + 4, svg::fitted(bar.name, at.names - 16, 13, bar.chosen),
           {.size = 13, .colour = bar.chosen ? accent_ink : ink, .bold = bar.chosen});
  const auto draw_bar = [&](double time, double top, std::string_view fill) {
    const double length = at.bars * axis.at(time);
    if (length > 0) out.rectangle(at.left, top, std::max(length, 1.0), thick, fill);
    // The grid line behind the number must not cross it.
    const std::string number = svg::seconds(time);
    out.rectangle(at.left + length + 3, top, svg::text_width(number, axis_size) + 6, thick,
                  bar.chosen ? accent_tint : "#ffffff");
    out.text(at.left + length + 6, top + thick / 2 + 4, number,
             {.size = axis_size, .colour = bar.chosen ? accent_ink : quiet});
  };
  const double first = y + row_gap / 2;
  const std::string_view dark = bar.chosen ? accent : other;
  draw_bar(bar.predicted_seconds, first,
           !at.has_measured ? dark
           : bar.chosen     ? accent_light
                            : other_light);
  if (bar.measured_seconds) draw_bar(*bar.measured_seconds, first + bar_pitch, dark);
  out.end_group();
}

// Excluded candidates and the reasons.
void draw_excluded(svg::writer& out, const std::vector<const picture_bar*>& excluded,
                   const chart& at, double y) {
  for (const picture_bar* bar : excluded) {
    out.begin_group("candidate excluded", bar->name + ": " + bar->why_not);
    out.text(at.x, y + 9, svg::fitted(bar->name, at.names - 16, note_size),
             {.size = note_size, .colour = ink});
    const auto lines = svg::wrapped(bar->why_not, at.width - at.names, note_size, 2);
    for (const std::string& line : lines) {
      out.text(at.left, y + 9, line, {.size = note_size, .colour = quiet});
      y += line_height;
    }
    if (lines.empty()) y += line_height;
    y += 3;
    out.end_group();
  }
}

}  // namespace

double candidates_height(const picture_content& content, double width) {
  const rows list(content);
  if (list.drawn.empty() && list.excluded.empty()) return 0;
  double height = heading_height + list.bars_height();
  if (list.excluded.empty()) return height;
  const double names = list.name_width(220) + 16;
  height += list.drawn.empty() ? 0 : excluded_heading;
  for (const picture_bar* bar : list.excluded)
    height +=
        3 + line_height * static_cast<double>(std::max<std::size_t>(
                              1, svg::wrapped(bar->why_not, width - names, note_size, 2).size()));
  return height;
}

void draw_candidates(svg::writer& out, const picture_content& content, double x, double y,
                     double width) {
  const rows list(content);
  const time_axis axis(list.drawn);
  std::string note = list.drawn.empty()  ? "every kernel was excluded"
                     : list.has_measured ? "predicted and measured time of " + content.timed
                                         : "predicted time of " + content.timed;
  if (axis.is_logarithmic()) note += ", logarithmic axis";
  heading(out, x, y, width, "What each kernel costs", note);
  if (list.has_measured) draw_key(out, x + width, y + 18);
  y += heading_height;

  const double names = list.name_width(220) + 16;
  const chart at{x, width, names, x + names, width - names - value_room, list.has_measured};
  if (!list.drawn.empty()) {
    draw_background(out, list, axis, at, y);
    const double top = y;
    for (const picture_bar* bar : list.drawn) {
      draw_candidate(out, *bar, axis, at, y, list.row_height());
      y += list.row_height();
    }
    out.line(at.left, top, at.left, y, hair);
    y += axis_height;
  }
  if (list.excluded.empty()) return;
  if (!list.drawn.empty()) {
    out.text(x, y + 15, "Excluded", {.size = note_size, .colour = ink, .bold = true});
    y += excluded_heading;
  }
  draw_excluded(out, list.excluded, at, y);
}

}  // namespace tropic::detail::panels
