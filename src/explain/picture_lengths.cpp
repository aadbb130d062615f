// SPDX-License-Identifier: Apache-2.0

// The panel of row lengths: one bar per bin, all of equal width, as bins usually double.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "explain/picture_panels.hpp"

namespace tropic::detail::panels {

namespace {

/// Merges neighbouring bins until there are few enough to draw.
std::vector<length_bin> few_bins(std::vector<length_bin> bins) {
  while (bins.size() > 40) {
    std::vector<length_bin> halves;
    for (std::size_t k = 0; k < bins.size(); k += 2) {
      halves.push_back(bins[k]);
      if (k + 1 == bins.size()) break;
      halves.back().longest = bins[k + 1].longest;
      halves.back().rows += bins[k + 1].rows;
    }
    bins = std::move(halves);
  }
  return bins;
}

class counts_axis {
 public:
  explicit counts_axis(const std::vector<length_bin>& bins) {
    double least = 0;
    for (const length_bin& bin : bins) {
      const auto rows = static_cast<double>(bin.rows);
      if (rows > 0) least = least == 0 ? rows : std::min(least, rows);
      max_rows_ = std::max(max_rows_, rows);
    }
    is_logarithmic_ = least > 0 && max_rows_ >= 50 * least;
    // The bar of the smallest count must be visible.
    if (is_logarithmic_) base_ = std::pow(10, std::floor(std::log10(least))) / 2;
  }
  bool is_logarithmic() const { return is_logarithmic_; }
  /// From 0 to 1.
  double at(double rows) const {
    if (rows <= 0) return 0;
    return is_logarithmic_ ? std::log(rows / base_) / std::log(max_rows_ / base_)
                           : rows / max_rows_;
  }
  std::vector<double> ticks(std::size_t room) const {
    std::vector<double> found;
    if (is_logarithmic_) {
      const double decades = std::log10(max_rows_ / base_);
      const double step = std::max(1.0, std::ceil(decades / static_cast<double>(room)));
      for (double tick = base_ * 2; tick <= max_rows_; tick *= std::pow(10, step))
        found.push_back(tick);
      return found;
    }
    double step = 1;  // 1, 2, 5, 10, ...
    for (int k = 0; max_rows_ / step > static_cast<double>(room); ++k) step *= k % 3 == 1 ? 2.5 : 2;
    for (double tick = 0; tick <= max_rows_; tick += step) found.push_back(tick);
    return found;
  }

 private:
  double max_rows_ = 1, base_ = 1;
  bool is_logarithmic_ = false;
};

std::string label_of(const length_bin& bin) {
  const auto least = svg::shortened(static_cast<double>(bin.shortest));
  return bin.longest <= bin.shortest
             ? least
             : fmt::format("{}–{}", least, svg::shortened(static_cast<double>(bin.longest)));
}

/// The label of each bin below it. If labels are too long, the bounds between bins, as many as fit.
void label_bins(svg::writer& out, const std::vector<length_bin>& bins, double x, double y,
                double step) {
  const svg::text_style style{.size = axis_size, .colour = quiet, .at = svg::anchor::middle};
  const auto fits = [&](const length_bin& bin) {
    return svg::text_width(label_of(bin), axis_size) + 6 <= step;
  };
  if (std::ranges::all_of(bins, fits)) {
    for (std::size_t k = 0; k < bins.size(); ++k)
      out.text(x + step * (static_cast<double>(k) + 0.5), y, label_of(bins[k]), style);
    return;
  }
  const auto bound = [&](std::size_t k) {
    return svg::shortened(k < bins.size() ? static_cast<double>(bins[k].shortest)
                                          : static_cast<double>(bins.back().longest) + 1);
  };
  double widest = 0;
  for (std::size_t k = 0; k <= bins.size(); ++k)
    widest = std::max(widest, svg::text_width(bound(k), axis_size));
  const auto every = static_cast<std::size_t>(std::ceil((widest + 6) / step));
  for (std::size_t k = 0; k <= bins.size(); k += every) {
    const double at = x + step * static_cast<double>(k);
    out.line(at, y - 15, at, y - 11, hair);
    out.text(at, y, bound(k), style);
  }
}

/// The position of a length, in bins from the left, interpolated logarithmically within a bin.
double place_of(double length, const std::vector<length_bin>& bins) {
  for (std::size_t k = 0; k < bins.size(); ++k) {
    const auto least = static_cast<double>(bins[k].shortest);
    const double end = static_cast<double>(bins[k].longest) + 1;
    if (length >= end && k + 1 < bins.size()) continue;
    if (length == least && bins[k].longest == bins[k].shortest) return static_cast<double>(k) + 0.5;
    const double part = least > 0
                            ? std::log(std::max(length, least) / least) / std::log(end / least)
                            : (length - least) / (end - least);
    return static_cast<double>(k) + std::clamp(part, 0.0, 1.0);
  }
  return 0;
}

}  // namespace

void draw_row_lengths(svg::writer& out, const picture_content& content, double x, double y,
                      double width, double height) {
  const std::vector<length_bin> bins = few_bins(content.row_lengths);
  const counts_axis axis(bins);
  heading(out, x, y, width, "How long the rows are",
          axis.is_logarithmic() ? "rows by their number of entries, logarithmic axis"
                                : "rows by their number of entries");
  const double left = x + 36, right = x + width;
  const double top = y + heading_height, bottom = y + height - 18;
  const bool has_rows = std::ranges::any_of(bins, [](const length_bin& b) { return b.rows > 0; });
  if (!has_rows) {
    out.frame(x, top, width, bottom - top, hair);
    out.text(x + width / 2, (top + bottom) / 2 + 4, "no rows",
             {.size = note_size, .colour = quiet, .at = svg::anchor::middle});
    return;
  }
  const double plot = bottom - top - 18;  // the mean is written above the bars
  for (const double tick : axis.ticks(5)) {
    const double at = bottom - plot * axis.at(tick);
    if (at < bottom) out.line(left, at, right, at, rule);
    out.text(left - 6, at + 4, svg::shortened(tick),
             {.size = axis_size, .colour = quiet, .at = svg::anchor::end});
  }
  const double step = (right - left) / static_cast<double>(bins.size());
  const double bar = std::min(step - std::min(2.0, step / 4), 72.0);
  for (std::size_t k = 0; k < bins.size(); ++k) {
    if (bins[k].rows == 0) continue;
    const double share = axis.at(static_cast<double>(bins[k].rows));
    out.begin_group("length", fmt::format("{} entries: {} rows", label_of(bins[k]),
                                          svg::grouped(bins[k].rows)));
    out.rectangle(left + step * (static_cast<double>(k) + 0.5) - bar / 2, bottom - plot * share,
                  bar, plot * share, shade(0.62));
    out.end_group();
  }
  out.line(left, bottom, right, bottom, hair);
  label_bins(out, bins, left, bottom + 15, step);

  if (content.rows <= 0 || content.nnz <= 0) return;
  const double mean = static_cast<double>(content.nnz) / static_cast<double>(content.rows);
  const double at = left + step * place_of(mean, bins);
  const bool is_right = at > left + 0.7 * (right - left);
  out.line(at, top, at, bottom, ink, "2 2");
  out.text(
      at + (is_right ? -5 : 5), top + 9,
      "mean " + (mean < 999.5 ? fmt::format("{:.3g}", mean) : svg::shortened(mean)),
      {.size = axis_size, .colour = ink, .at = is_right ? svg::anchor::end : svg::anchor::start});
}

}  // namespace tropic::detail::panels
