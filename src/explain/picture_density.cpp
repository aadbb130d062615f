// SPDX-License-Identifier: Apache-2.0

// The panel of the matrix: the number of entries of each cell of a grid as a colour, with the key
// of the colours and the axes.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "explain/picture_panels.hpp"

namespace tropic::detail::panels {

namespace {

constexpr double axis_room = 18;  // for the numbers of an axis
constexpr double key_gap = 14, key_width = 10, key_room = 40;
constexpr std::size_t levels = 16;

/// Logarithmic, over the cells that have entries. It spans at least a factor of 10, so that random
/// variation does not look like structure.
struct colour_scale {
  double low = 1, high = 1;

  explicit colour_scale(std::span<const std::uint64_t> counts) {
    std::uint64_t smallest = 0, largest = 0;
    for (const std::uint64_t n : counts) {
      if (n == 0) continue;
      smallest = smallest == 0 ? n : std::min(smallest, n);
      largest = std::max(largest, n);
    }
    if (largest == 0) return;
    low = static_cast<double>(smallest), high = static_cast<double>(largest);
    if (smallest == largest || high >= 10 * low) return;
    const double middle = std::sqrt(low * high);
    low = std::max(1.0, std::floor(std::min(low, middle / std::sqrt(10.0))));
    high = std::ceil(std::max(high, middle * std::sqrt(10.0)));
  }
  double at(double count) const {
    return high > low ? std::clamp(std::log(count / low) / std::log(high / low), 0.0, 1.0) : 0.6;
  }
  std::size_t level(std::uint64_t count) const {
    const double exact = at(static_cast<double>(count)) * static_cast<double>(levels);
    return std::min(levels - 1, static_cast<std::size_t>(exact));
  }
  // The palest colour must be visible on white.
  static std::string colour(std::size_t level) {
    return shade(0.22 + 0.78 * static_cast<double>(level) / static_cast<double>(levels - 1));
  }
};

void draw_key(svg::writer& out, const colour_scale& scale, double x, double y, double height) {
  const svg::text_style style{.size = axis_size, .colour = quiet};
  if (scale.high <= scale.low) {
    out.rectangle(x, y, key_width, key_width, colour_scale::colour(scale.level(1)));
    out.text(x + key_width + 6, y + 9, svg::shortened(scale.high), style);
    return;
  }
  const double step = height / static_cast<double>(levels);
  for (std::size_t l = 0; l < levels; ++l) {
    out.begin_tiles(colour_scale::colour(l));
    out.tile(x, y + height - step * static_cast<double>(l + 1), key_width, step);
    out.end_tiles();
  }
  const auto label = [&](double count, double at) {
    out.line(x + key_width, at, x + key_width + 4, at, hair);
    out.text(x + key_width + 7, at + 4, svg::shortened(count), style);
  };
  label(scale.high, y);
  label(scale.low, y + height);
  double last = y + height;
  for (double tick = 1; tick < scale.high; tick *= 10) {
    const double at = y + height * (1 - scale.at(tick));
    if (tick <= scale.low || last - at < 16 || at - y < 16) continue;
    label(tick, at);
    last = at;
  }
}

/// A number and its unit at the end of an axis, as far as there is room.
std::string axis_end(index_t count, std::string_view what, double room) {
  const auto number = static_cast<std::uint64_t>(std::max<index_t>(count, 0));
  std::string whole = fmt::format("{} {}{}", svg::grouped(number), what, number == 1 ? "" : "s");
  if (svg::text_width(whole, axis_size) <= room) return whole;
  return svg::shortened(static_cast<double>(number));
}

}  // namespace

std::string shade(double share) {
  constexpr double stops[][3] = {{238, 245, 250}, {176, 208, 230}, {107, 168, 207},
                                 {49, 125, 179},  {20, 81, 136},   {9, 40, 80}};
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(std::size(stops) - 1);
  const auto below = std::min(static_cast<std::size_t>(at), std::size(stops) - 2);
  const double part = at - static_cast<double>(below);
  const auto mixed = [&](std::size_t channel) {
    return static_cast<unsigned>(
        std::lround(stops[below][channel] * (1 - part) + stops[below + 1][channel] * part));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2));
}

double density_box::panel_width() const {
  return std::max(axis_room + width + key_gap + key_width + key_room, 264.0);
}
double density_box::panel_height() const {
  return heading_height + height + axis_room;
}

density_box box_of(const picture_content& content, double page_width) {
  const bool has_shape = content.rows > 0 && content.columns > 0;
  const double exact =
      has_shape ? static_cast<double>(content.columns) / static_cast<double>(content.rows) : 1;
  const double aspect = std::clamp(exact, 0.25, 8.0);
  density_box box;
  box.is_wide = aspect > 2;
  box.to_scale = has_shape && aspect == exact;
  // Beside other panels its area is kept, as far as there is room.
  const double longer = std::min(340 * std::sqrt(std::max(aspect, 1 / aspect)), 420.0);
  if (box.is_wide)
    box.width = std::min(page_width - axis_room - key_gap - key_width - key_room, 360 * aspect);
  else
    box.width = aspect < 1 ? longer * aspect : longer;
  box.height = box.width / aspect;
  return box;
}

void draw_density(svg::writer& out, const picture_content& content, const density_box& box,
                  double x, double y) {
  const std::size_t rows = content.grid_rows, columns = content.grid_columns;
  const bool is_empty = content.density.size() < rows * columns ||
                        std::ranges::none_of(content.density, [](auto n) { return n > 0; });
  std::string note = is_empty ? "no entries"
                              : fmt::format("entries in {} × {} cell{}", rows, columns,
                                            rows * columns == 1 ? "" : "s");
  if (!is_empty && !box.to_scale) note += ", not to scale";
  heading(out, x, y, box.panel_width(), "Where the entries are", note);
  x += axis_room;
  y += heading_height;

  if (!is_empty) {
    const std::span counts(content.density.data(), rows * columns);
    const colour_scale scale(counts);
    const double cell_width = box.width / static_cast<double>(columns);
    const double cell_height = box.height / static_cast<double>(rows);
    for (std::size_t l = 0; l < levels; ++l) {
      const auto is_here = [&](std::size_t cell) {
        return counts[cell] > 0 && scale.level(counts[cell]) == l;
      };
      bool begun = false;
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
          if (!is_here(r * columns + c)) continue;
          std::size_t end = c + 1;
          while (end < columns && is_here(r * columns + end)) ++end;
          if (!begun) out.begin_tiles(colour_scale::colour(l));
          begun = true;
          out.tile(x + cell_width * static_cast<double>(c),
                   y + cell_height * static_cast<double>(r),
                   cell_width * static_cast<double>(end - c), cell_height);
          c = end - 1;
        }
      if (begun) out.end_tiles();
    }
    // A few large cells are separated by lines.
    for (std::size_t r = 1; r < rows && cell_height >= 20; ++r)
      out.line(x, y + cell_height * static_cast<double>(r), x + box.width,
               y + cell_height * static_cast<double>(r), rule);
    for (std::size_t c = 1; c < columns && cell_width >= 20; ++c)
      out.line(x + cell_width * static_cast<double>(c), y, x + cell_width * static_cast<double>(c),
               y + box.height, rule);
    draw_key(out, scale, x + box.width + key_gap, y, box.height);
  } else {
    out.text(x + box.width / 2, y + box.height / 2 + 4, "no entries",
             {.size = note_size, .colour = quiet, .at = svg::anchor::middle});
  }
  out.frame(x, y, box.width, box.height, hair);
  svg::text_style style{.size = axis_size, .colour = quiet};
  out.text(x, y + box.height + 15, "0", style);
  style.upwards = true;
  out.text(x - 6, y + box.height, axis_end(content.rows, "row", box.height - 14), style);
  style = {.size = axis_size, .colour = quiet, .at = svg::anchor::end};
  out.text(x - 6, y + 9, "0", style);
  out.text(x + box.width, y + box.height + 15, axis_end(content.columns, "column", box.width - 14),
           style);
}

}  // namespace tropic::detail::panels
