// SPDX-License-Identifier: Apache-2.0
#include "text/utf8.hpp"

namespace tropic::detail {

namespace {

unsigned char byte(std::string_view text, std::size_t n) {
  return static_cast<unsigned char>(text[n]);
}
bool is_continuation(std::string_view text, std::size_t n) {
  return (byte(text, n) & 0xc0) == 0x80;
}

}  // namespace

utf8_character first_character(std::string_view text) {
  const unsigned char first = byte(text, 0);
  const std::size_t length = first < 0x80             ? 1
                             : (first & 0xe0) == 0xc0 ? 2
                             : (first & 0xf0) == 0xe0 ? 3
                             : (first & 0xf8) == 0xf0 ? 4
                                                      : 0;
  if (length == 0 || length > text.size()) return {};
  char32_t code = length == 1 ? first : first & (0x7fU >> length);
  for (std::size_t n = 1; n < length; ++n) {
    if (!is_continuation(text, n)) return {};
    code = code << 6 | (byte(text, n) & 0x3fU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // of each length
  if (code < least[length]) return {};
  return {code, length};
}

void append_utf8(std::string& to, char32_t code) {
  const auto put = [&to](char32_t bits) { to += static_cast<char>(bits); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xe0 | code >> 12);
    } else {
      put(0xf0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3f));
    }
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

std::size_t utf8_prefix(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text.size();
  // A character has at most three continuation bytes.
  const std::size_t least = limit < 4 ? 0 : limit - 4;
  while (limit > least && is_continuation(text, limit)) --limit;
  return limit;
}

}  // namespace tropic::detail
