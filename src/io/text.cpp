// SPDX-License-Identifier: Apache-2.0

// The parts of the text layer that are off the fast path; see text.hpp.

#include "text.hpp"

#include <algorithm>

namespace tropic::io::detail {

std::string quote(std::string_view token) {
  constexpr std::size_t longest = 40;
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text = "'";
  for (const char c : token.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      text += c;
    } else {
      text += "\\x";
      text += hex[byte >> 4];
      text += hex[byte & 15];
    }
  }
  text += token.size() > longest ? "...'" : "'";
  return text;
}

std::size_t line_at(std::string_view text, const char* at) {
  // A file that ends early is blamed on its last line, which an editor can show.
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

/// Whether a well-formed decimal number, known to be out of range, is too small rather than large.
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

template bool real_token<float>(std::string_view, float&);
template bool real_token<double>(std::string_view, double&);

}  // namespace tropic::io::detail
