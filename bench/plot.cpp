// SPDX-License-Identifier: Apache-2.0

// tropic_bench_plot FIGURES.csv CHART.svg: draws the output of `tropic_bench_spmv --sweep` or
// `--strips`, a panel for each value type. Sweeps have a colour for each matrix, dashed lines for
// rows=speculate; strips a colour for each kernel, a dashed line for the model.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct point {
  double x, y;
};
struct line {
  std::string name;
  std::vector<point> points;
};
struct chart {
  std::string constant;                             // items, tiles; mean
  std::map<std::string, std::vector<line>> panels;  // by value type

  /// By mean row length, on a logarithmic axis.
  bool is_of_strips() const { return constant == "mean"; }
};

// Colours for colour-blind readers (Okabe and Ito).
constexpr std::string_view colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                        "#e69f00", "#56b4e9", "#000000"};
constexpr double left = 52, top = 48, width = 350, height = 250, gap = 62;
constexpr double legend_row = 20, legend_column = 190;

chart read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  chart result;
  std::string text;
  std::getline(file, text);
  if (text != "constant,value,series,panel,gflops" && text != "constant,value,series,panel,gain")
    throw std::runtime_error(path + ":1: found '" + text +
                             "', expected the heading of a sweep or of strips");
  while (std::getline(file, text)) {
    std::istringstream words(text);
    std::string x, series, panel, y;
    std::getline(words, result.constant, ',');
    std::getline(words, x, ',');
    std::getline(words, series, ',');
    std::getline(words, panel, ',');
    std::getline(words, y, ',');
    auto& lines = result.panels[panel];
    auto found = std::ranges::find(lines, series, &line::name);
    if (found == lines.end()) found = lines.insert(lines.end(), {series, {}});
    found->points.push_back({std::stod(x), std::stod(y)});
  }
  if (result.panels.empty()) throw std::runtime_error(path + ": no figures");
  return result;
}

std::string matrix_of(const line& l) {
  return l.name.substr(0, l.name.rfind(' '));
}
bool is_dashed(const line& l) {
  return l.name.ends_with(" speculate") || l.name == "model";
}

/// About five ticks from 0 to `maximum` or above, at distances of 1, 2 or 5 times a power of ten.
std::vector<double> steps(double maximum) {
  const double rough = std::max(maximum, 1e-9) / 5,
               power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (rough <= factor * power) step = factor * power;
  std::vector<double> found = {0};
  while (found.back() < maximum) found.push_back(step * static_cast<double>(found.size()));
  return found;
}

/// Ticks at 1, 2 and 5 times powers of ten, from `minimum` or below to `maximum` or above.
std::vector<double> powers(double minimum, double maximum) {
  std::vector<double> found;
  for (int exponent = -3;; ++exponent)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10, exponent);
      if (tick <= minimum) found.clear();
      found.push_back(tick);
      if (tick >= maximum) return found;
    }
}

class drawing {
 public:
  explicit drawing(const chart& c) {
    for (const auto& [type, lines] : c.panels)
      for (const line& l : lines)
        if (std::ranges::find(matrices_, matrix_of(l)) == matrices_.end())
          matrices_.push_back(matrix_of(l));
    const auto panels = static_cast<double>(c.panels.size());
    const double wide = left + panels * width + (panels - 1) * gap + 20;
    const auto columns = static_cast<std::size_t>((wide - left) / legend_column);
    const std::size_t rows = (matrices_.size() + columns - 1) / columns;
    const double legend = top + height + 52;
    const double high = legend + legend_row * static_cast<double>(rows + 1);
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\" "
        "fill=\"#222222\">\n<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
        wide, high);
    add("<text x=\"{}\" y=\"20\" font-size=\"15\" font-weight=\"bold\">{}</text>\n", left,
        c.is_of_strips() ? "Speedup over csr_vector with a subgroup per row, by mean row length"
        : c.constant == "items" ? "csr_segmented by W, the entries per work-item"
                                : "csr_segmented by S, the tiles per subgroup");
    double x = left;
    for (const auto& [type, lines] : c.panels) {
      panel(x, type, lines, c.is_of_strips());
      x += width + gap;
    }
    for (std::size_t m = 0; m < matrices_.size(); ++m)
      key(left + legend_column * static_cast<double>(m % columns),
          legend + legend_row * static_cast<double>(m / columns), colour(matrices_[m]),
          matrices_[m] == "model" ? dashes : "", matrices_[m]);
    if (!c.is_of_strips()) {
      const double last = legend + legend_row * static_cast<double>(rows);
      key(left, last, "#555555", "", "rows=direct");
      key(left + legend_column, last, "#555555", dashes, "rows=speculate");
    }
    add("</svg>\n");
  }
  const std::string& text() const { return text_; }

 private:
  static constexpr std::string_view dashes = " stroke-dasharray=\"5 3\"";

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }
  std::string_view colour(const std::string& matrix) const {
    const auto at = std::ranges::find(matrices_, matrix) - matrices_.begin();
    return colours[static_cast<std::size_t>(at) % std::size(colours)];
  }
  void key(double x, double y, std::string_view stroke, std::string_view dash,
           std::string_view name) {
    add("<path d=\"M{:.1f} {:.1f}h26\" stroke=\"{}\" stroke-width=\"2\"{}/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x, y - 4, stroke, dash, x + 33, y, name);
  }
  void panel(double x0, const std::string& type, const std::vector<line>& lines, bool by_mean) {
    double most_x = 1, most_y = 0, least_y = 1;
    for (const line& l : lines)
      for (const point& p : l.points) {
        most_x = std::max(most_x, p.x);
        most_y = std::max(most_y, p.y);
        least_y = std::min(least_y, p.y);
      }
    // By mean row length both axes are logarithmic.
    const std::vector<double> y_ticks = by_mean ? powers(least_y, most_y) : steps(most_y);
    const double limit = y_ticks.back(), base = y_ticks.front();
    const auto at_x = [&](double x) {
      return x0 + width * (by_mean ? (std::log(x) + 0.1) / (std::log(most_x) + 0.2)
                                   : (x - 0.5) / most_x);
    };
    const auto at_y = [&](double y) {
      return top +
             height * (1 - (by_mean ? std::log(y / base) / std::log(limit / base) : y / limit));
    };
    add("<text x=\"{:.1f}\" y=\"{}\">{}{}</text>\n", x0, top - 10, type,
        by_mean ? "" : ", GFlop/s");
    for (const double y : y_ticks)
      add("<path d=\"M{:.1f} {:.1f}h{}\" stroke=\"{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" "
          "text-anchor=\"end\">{:.6g}</text>\n",
          x0, at_y(y), width, y == base ? "#222222" : "#dddddd", x0 - 7, at_y(y) + 4, y);
    std::vector<double> x_ticks;
    if (by_mean)
      for (const double x : powers(1, most_x)) {
        if (x <= most_x) x_ticks.push_back(x);
      }
    else
      for (int x = 1; x <= static_cast<int>(most_x); ++x) x_ticks.push_back(x);
    for (const double x : x_ticks)
      add("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", at_x(x),
          top + height + 17, x < 1000 ? fmt::format("{}", x) : fmt::format("{}k", x / 1000));
    for (const line& l : lines) {
      std::string path, dots;
      for (const point& p : l.points) {
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", at_x(p.x), at_y(p.y));
        dots +=
            fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\"/>", at_x(p.x), at_y(p.y));
      }
      add("<g stroke=\"{0}\" stroke-width=\"1.7\" fill=\"none\"{1}><path d=\"{2}\"/></g>"
          "<g fill=\"{0}\">{3}</g>\n",
          colour(matrix_of(l)), is_dashed(l) ? dashes : "", path, dots);
    }
  }

  std::vector<std::string> matrices_;
  std::string text_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("expected FIGURES.csv CHART.svg");
    const chart figures = read(argv[1]);
    std::ofstream out(argv[2]);
    out << drawing(figures).text();
    if (!out.flush()) throw std::runtime_error(std::string("cannot write ") + argv[2]);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tropic_bench_plot: {}\n", e.what());
    return 2;
  }
}
