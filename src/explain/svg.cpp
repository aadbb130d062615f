// SPDX-License-Identifier: Apache-2.0
#include "explain/svg.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "text/utf8.hpp"

namespace tropic::detail::svg {

namespace {

constexpr char32_t replacement = 0xfffd;

bool is_allowed(char32_t c) {
  return c >= 0x20 && !(c >= 0x7f && c < 0xa0) && (c & 0xfffe) != 0xfffe && is_unicode(c);
}

/// The characters of UTF-8 text, with spaces for all blanks. Bytes that are no UTF-8 and characters
/// that XML does not allow are replaced by U+FFFD, one by one.
std::u32string characters(std::string_view bytes) {
  std::u32string found;
  while (!bytes.empty()) {
    auto [code, length] = first_character(bytes);
    if (code == '\n' || code == '\t' || code == '\r') code = ' ';
    found += length > 0 && is_allowed(code) ? code : replacement;
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return found;
}

std::string bytes_of(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) append_utf8(out, c);
  return out;
}

/// For a font size of 1.
double width_of(char32_t c) {
  struct kind {
    std::u32string_view characters;
    double width;
  };
  constexpr kind kinds[] = {{U"ijl'|", 0.28},     {U" .,:;I", 0.34},     {U"frt()[]/\\!-", 0.42},
                            {U"csvxyzkJ?_", 0.6}, {U"w#+<>=~\"×", 0.84}, {U"mMW@%", 1}};
  for (const kind& k : kinds)
    if (k.characters.find(c) != k.characters.npos) return k.width;
  if (c >= 0x1100) return 1;  // Asian scripts, symbols
  return c >= 'A' && c <= 'Z' ? 0.79 : 0.64;
}

double width_of(std::u32string_view text, double size, bool bold) {
  double width = 0;
  for (const char32_t c : text) width += width_of(c);
  return width * size * (bold ? 1.12 : 1);
}

/// The longest beginning that fits.
std::size_t fitting(std::u32string_view text, double width, double size, bool bold) {
  std::size_t length = 0;
  while (length < text.size() && width_of(text.substr(0, length + 1), size, bold) <= width)
    ++length;
  return length;
}

std::u32string cut(std::u32string_view text, double width, double size, bool bold) {
  std::u32string kept(text.substr(0, fitting(text, width - size, size, bold)));
  while (!kept.empty() && kept.back() == ' ') kept.pop_back();
  return kept + U'…';
}

/// At most two decimals, without trailing zeros.
std::string number(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

/// Three digits: 1.23, 12.3, 123.
std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char32_t c : characters(text)) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: append_utf8(out, c);
    }
  return out;
}

double text_width(std::string_view text, double size, bool bold) {
  return width_of(characters(text), size, bold);
}

std::string fitted(std::string_view text, double width, double size, bool bold) {
  const std::u32string whole = characters(text);
  return bytes_of(width_of(whole, size, bold) <= width ? whole : cut(whole, width, size, bold));
}

std::vector<std::string> wrapped(std::string_view text, double width, double size,
                                 std::size_t most_lines) {
  const std::u32string whole = characters(text);
  std::vector<std::string> lines;
  std::u32string_view rest = whole;
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(U' '), rest.size()));
    if (rest.empty() || lines.size() == most_lines) return lines;
    std::size_t length = fitting(rest, width, size, false);
    if (length < rest.size() && lines.size() + 1 == most_lines) {
      lines.push_back(bytes_of(cut(rest, width, size, false)));
      return lines;
    }
    if (length < rest.size() && rest[length] != ' ') {
      const std::size_t space = rest.substr(0, length).find_last_of(U' ');
      if (space != rest.npos) length = space;
    }
    length = std::max<std::size_t>(length, 1);
    const std::u32string_view line = rest.substr(0, length);
    lines.push_back(bytes_of(line.substr(0, line.find_last_not_of(U' ') + 1)));
    rest.remove_prefix(length);
  }
}

std::string grouped(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string shortened(double value) {
  constexpr std::string_view letters[] = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t letter = 0;
  while (value >= 999.5 && letter + 1 < std::size(letters)) value /= 1000, ++letter;
  // Integers are shown exactly; for other numbers one decimal is enough.
  const bool whole = value >= 9.95 || std::abs(value - std::round(value)) < 0.05;
  return fmt::format("{:.{}f}{}", value, whole ? 0 : 1, letters[letter]);
}

std::string seconds(double value) {
  if (!std::isfinite(value) || value < 0) return "unknown";
  if (value == 0) return "0 s";
  if (value >= 1e6 || value < 1e-11) return fmt::format("{:.1e} s", value);
  if (value < 999.5e-9) return three_digits(value * 1e9) + " ns";
  if (value < 999.5e-6) return three_digits(value * 1e6) + " µs";
  if (value < 999.5e-3) return three_digits(value * 1e3) + " ms";
  return three_digits(value) + " s";
}

writer::writer(double width, double height, std::string_view title, std::string_view description) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" font-family=\"system-ui, -apple-system, &quot;Segoe UI&quot;, "
      "&quot;Helvetica Neue&quot;, Arial, sans-serif\">\n<title>{2}</title>\n<desc>{3}</desc>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      number(width), number(height), escaped(title), escaped(description));
}

void writer::text(double x, double y, std::string_view content, const text_style& style) {
  constexpr std::string_view anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  out_ += fmt::format(
      "<text x=\"{0}\" y=\"{1}\" font-size=\"{2}\" fill=\"{3}\"{4}{5}{6}>{7}</text>\n", number(x),
      number(y), number(style.size), style.colour, style.bold ? " font-weight=\"bold\"" : "",
      anchors[static_cast<std::size_t>(style.at)],
      style.upwards ? fmt::format(" transform=\"rotate(-90 {} {})\"", number(x), number(y)) : "",
      escaped(content));
}

void writer::rectangle(double x, double y, double width, double height, std::string_view fill,
                       double radius) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n",
                      number(x), number(y), number(width), number(height), fill,
                      radius > 0 ? fmt::format(" rx=\"{}\"", number(radius)) : "");
}

void writer::frame(double x, double y, double width, double height, std::string_view stroke) {
  out_ += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\" "
      "shape-rendering=\"crispEdges\"/>\n",
      number(x), number(y), number(width), number(height), stroke);
}

void writer::line(double x0, double y0, double x1, double y1, std::string_view stroke,
                  std::string_view dashes) {
  out_ += fmt::format("<path d=\"M{} {}L{} {}\" stroke=\"{}\" shape-rendering=\"crispEdges\"{}/>\n",
                      number(x0), number(y0), number(x1), number(y1), stroke,
                      dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

void writer::begin_group(std::string_view name, std::string_view title) {
  out_ += fmt::format("<g class=\"{}\"><title>{}</title>\n", escaped(name), escaped(title));
}

void writer::end_group() {
  out_ += "</g>\n";
}

void writer::begin_tiles(std::string_view fill) {
  out_ += fmt::format("<path shape-rendering=\"crispEdges\" fill=\"{}\" d=\"", fill);
}

void writer::tile(double x, double y, double width, double height) {
  out_ += fmt::format("M{} {}H{}V{}H{}z", number(x), number(y), number(x + width),
                      number(y + height), number(x));
}

void writer::end_tiles() {
  out_ += "\"/>\n";
}

std::string writer::finish() && {
  return std::move(out_) + "</svg>\n";
}

}  // namespace tropic::detail::svg
