// SPDX-License-Identifier: Apache-2.0
#pragma once

// UTF-8 (RFC 3629).

#include <cstddef>
#include <string>
#include <string_view>

namespace tropic::detail {

struct utf8_character {
  char32_t code = 0;
  std::size_t length = 0;  // bytes; 0: the text does not start with an encoded number
};

/// Decodes the first character of `text`, which must not be empty. Rejects overlong encodings, but
/// not numbers that are no Unicode characters (is_unicode).
utf8_character first_character(std::string_view text);
/// Whether the number is at most U+10FFFF and no surrogate.
constexpr bool is_unicode(char32_t code) {
  return code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
}

/// Appends a character of at most U+10FFFF.
void append_utf8(std::string& to, char32_t code);

/// The length of the longest prefix of at most `limit` bytes that does not end inside a character.
std::size_t utf8_prefix(std::string_view text, std::size_t limit);

}  // namespace tropic::detail
