// SPDX-License-Identifier: Apache-2.0

// The bar redraws at most ten times a second and leaves an empty line behind.

#include "cli/input/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "io/text.hpp"

namespace tropic::cli {

namespace {
constexpr std::chrono::milliseconds patience{1000}, redraw{100};
constexpr std::size_t width = 30;
}  // namespace

load_progress::load_progress(const program& p, std::string_view label)
    : program_(p),
      label_(io::detail::printable(label)),
      visible_(!p.common.quiet && ::isatty(STDERR_FILENO) == 1) {}

load_progress::~load_progress() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

io::progress_function load_progress::function() {
  return [this](double fraction) {
    if (visible_) draw(fraction);
    return !program_.cancel.is_cancelled();
  };
}

void load_progress::draw(double fraction) {
  // Readers call from many threads; whoever finds the bar being drawn goes on.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  const clock::time_point now = clock::now();
  if (!lock || now - start_ < patience || now - last_drawn_ < redraw) return;
  last_drawn_ = now;
  drawn_ = true;
  const double share = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
  const auto full = static_cast<std::size_t>(share * static_cast<double>(width));
  const std::string bar = fmt::format("\r\x1b[K{} [{}{}] {:3.0f} %", label_, std::string(full, '#'),
                                      std::string(width - full, '.'), 100 * share);
  std::fputs(bar.c_str(), stderr);
}

}  // namespace tropic::cli
