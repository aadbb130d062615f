// SPDX-License-Identifier: Apache-2.0

// The rarely used parts of the text layer; see text.hpp.

#include "io/text.hpp"

#include <fast_float/fast_float.h>
#include <algorithm>

#include "text/utf8.hpp"

namespace tropic::io::detail {

using tropic::detail::first_character;
using tropic::detail::is_unicode;
using tropic::detail::utf8_prefix;

namespace {

/// Bytes of the printable UTF-8 character that `text` starts with; 0 if it starts with none.
std::size_t printable_character(std::string_view text) {
  const auto [code, length] = first_character(text);
  // Controls, marks of direction and the byte-order mark are invisible.
  const bool is_hidden = code < 0x20 || (code >= 0x7f && code < 0xa0) ||
                         (code >= 0x200b && code < 0x2010) || (code >= 0x2028 && code < 0x202f) ||
                         (code >= 0x2066 && code < 0x206a) || code == 0xfeff;
  return is_hidden || !is_unicode(code) ? 0 : length;
}

void append_printable(std::string& to, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  while (!text.empty()) {
    const std::size_t size = printable_character(text);
    if (size == 0) {
      const auto byte = static_cast<unsigned char>(text[0]);
      to += "\\x";
      to += hex[byte >> 4];
      to += hex[byte & 15];
    }
    to += text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
}

}  // namespace

std::string quote(std::string_view token) {
  const std::size_t shown = utf8_prefix(token, 40);
  std::string text = "'";
  append_printable(text, token.substr(0, shown));
  text += shown < token.size() ? "...'" : "'";
  return text;
}

std::string printable(std::string_view text) {
  std::string result;
  append_printable(result, text);
  return result;
}

std::uint64_t header_number(cursor& c, const char* what, std::uint64_t limit) {
  c.skip_space();
  const char* const at = c.at;
  std::uint64_t value = 0;
  if (!natural(c, value) || value > limit) {
    c.at = at;
    c.fail(std::string("a number of ") + what + " of at most " + std::to_string(limit));
  }
  return value;
}

std::string_view without_mark(std::string_view text, std::string_view name) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  using namespace std::string_view_literals;
  const char* encoding = nullptr;
  if (text.starts_with("\xff\xfe\0\0"sv) || text.starts_with("\0\0\xfe\xff"sv))
    encoding = "UTF-32";
  else if (text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv))
    encoding = "UTF-16";
  if (encoding)
    throw input_error(std::string(name), 1,
                      std::string("the byte-order mark of ") + encoding + " text",
                      std::string("UTF-8 (iconv -f ") + encoding + " -t UTF-8 converts it)");
  return text;
}

std::size_t line_at(std::string_view text, const char* at) {
  // An error at the end of a file is reported in its last line, which an editor can show.
  if (at == text.data() + text.size() && !text.empty() && text.back() == '\n') --at;
  return 1 + static_cast<std::size_t>(std::count(text.data(), at, '\n'));
}

std::string_view cursor::peek() const {
  const char* stop = at;
  while (stop != end && *stop != '\n' && !is_space(*stop)) ++stop;
  return {at, static_cast<std::size_t>(stop - at)};
}

std::string_view cursor::token() {
  skip_space();
  const std::string_view word = peek();
  at += word.size();
  return word;
}

std::string cursor::found() const {
  return at_line_end() ? "the end of the line" : quote(peek());
}

void cursor::fail(std::string expected) const {
  throw parse_failure{at, found(), std::move(expected)};
}

bool is_integer_token(std::string_view token) {
  if (!token.empty() && (token[0] == '+' || token[0] == '-')) token.remove_prefix(1);
  return !token.empty() && std::all_of(token.begin(), token.end(), is_digit);
}

namespace {

/// Whether a well-formed decimal number that is out of range is too small rather than too large.
bool underflows(std::string_view token) {
  long exponent = 0;
  const std::size_t mark = token.find_first_of("eE");
  if (mark != std::string_view::npos) {
    std::string_view digits = token.substr(mark + 1);
    if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
    const auto [stop, code] =
        std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (code == std::errc::result_out_of_range) return digits[0] == '-';
    token = token.substr(0, mark);
  }
  const std::size_t first = token.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const std::size_t point = std::min(token.find('.'), token.size());
  const double magnitude = static_cast<double>(point) - static_cast<double>(first);
  return magnitude + static_cast<double>(exponent) < 0;
}

bool spells_infinity(std::string_view token) {
  if (!token.empty() && token[0] == '-') token.remove_prefix(1);
  return !token.empty() && (token[0] == 'i' || token[0] == 'I');
}

}  // namespace

template <class T>
bool real_token(std::string_view token, T& value) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-' && token[1] != '+')
    token.remove_prefix(1);
  const char* const end = token.data() + token.size();
  const auto [stop, code] = std::from_chars(token.data(), end, value);
  if (stop != end || code == std::errc::invalid_argument) return false;
  // Some standard libraries report both overflow and underflow, some neither.
  if (code == std::errc::result_out_of_range || (std::isinf(value) && !spells_infinity(token))) {
    if (!underflows(token)) return false;
    value = token[0] == '-' ? -T{0} : T{0};
  }
  return true;
}

template <class T>
bool usual_real(cursor& c, T& value) {
  const auto [stop, code] = fast_float::from_chars(c.at, c.end, value);
  if (code != std::errc() || !std::isfinite(value) ||
      !(stop == c.end || *stop == '\n' || is_space(*stop)))
    return false;
  c.at = stop;
  return true;
}

template bool usual_real<float>(cursor&, float&);
template bool usual_real<double>(cursor&, double&);
template bool real_token<float>(std::string_view, float&);
template bool real_token<double>(std::string_view, double&);

}  // namespace tropic::io::detail
