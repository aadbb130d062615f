// SPDX-License-Identifier: Apache-2.0

// The panel of blocks: the matrix halved one, two and three times in either direction, each block
// coloured by its share of the entries, with the entropy of the shares.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "explain/picture_panels.hpp"

namespace tropic::detail::panels {

void draw_blocks(svg::writer& out, const picture_content& content, double x, double y, double width,
                 double height) {
  heading(out, x, y, width, "How evenly they spread",
          "share of the entries in each block, and its entropy H");
  y += heading_height;
  // A multiple of 8, so that all blocks have the same size on a screen.
  const double side = 8 * std::floor(std::min(height - heading_height - 30, (width - 48) / 3) / 8);
  const double step = (width - side) / 2;
  for (std::size_t level = 0; level < 3; ++level) {
    const std::size_t count = std::size_t{2} << level, merged = 8 / count;
    std::vector<double> sums(count * count);
    double all = 0;
    for (std::size_t b = 0; b < content.blocks.size(); ++b) {
      const auto entries = static_cast<double>(content.blocks[b]);
      sums[b / 8 / merged * count + b % 8 / merged] += entries;
      all += entries;
    }
    // Evenly spread blocks get a medium blue.
    const double largest =
        std::max(std::ranges::max(sums), 2.5 * all / static_cast<double>(sums.size()));
    const double left = x + step * static_cast<double>(level);
    const double cell = side / static_cast<double>(count);
    for (std::size_t b = 0; b < sums.size(); ++b) {
      if (sums[b] == 0) continue;
      const std::size_t row = b / count;
      const double at_x = left + cell * static_cast<double>(b % count);
      const double at_y = y + cell * static_cast<double>(row);
      out.begin_tiles(shade(sums[b] / largest));
      out.tile(at_x, at_y, cell, cell);
      out.end_tiles();
      if (level > 0) continue;
      const double percent = 100 * sums[b] / all;
      out.text(at_x + cell / 2, at_y + cell / 2 + 4,
               percent < 1 ? std::string("<1 %") : fmt::format("{:.0f} %", percent),
               {.size = note_size,
                .colour = sums[b] / largest > 0.55 ? "#ffffff" : ink,
                .at = svg::anchor::middle});
    }
    for (std::size_t k = 1; k < count; ++k) {
      const double at = cell * static_cast<double>(k);
      out.line(left + at, y, left + at, y + side, rule);
      out.line(left, y + at, left + side, y + at, rule);
    }
    out.frame(left, y, side, side, hair);

    const double bits = 2 * static_cast<double>(level + 1);
    const double entropy = content.entropy[level];
    const bool is_known = std::isfinite(entropy);
    const double known = is_known ? std::clamp(entropy, 0.0, bits) : 0;
    out.rectangle(left, y + side + 6, side, 3, rule);
    if (known > 0) out.rectangle(left, y + side + 6, side * known / bits, 3, shade(0.7));
    out.text(
        left, y + side + 26,
        is_known ? fmt::format("H = {:.2f} of {:.0f} bits", known, bits) : std::string("H unknown"),
        {.size = note_size, .colour = ink});
  }
}

}  // namespace tropic::detail::panels
