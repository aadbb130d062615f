// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tokens, numbers and errors: the lowest layer of every text reader.
//
// A cursor walks through part of a text that stays in memory. It never reads past its end and
// treats '\n' as the end of a line and other white space (including '\r') as separators. Unexpected
// input becomes a parse_failure that points into the text; lines are counted only then, so that
// they cost nothing in the normal case.

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <tropic/error.hpp>
#include <tropic/semirings/types.hpp>
#include <type_traits>

#include "io/digits.hpp"
#include "io/memory.hpp"

namespace tropic::io::detail {

struct parse_failure {
  const char* at;
  std::string found;
  std::string expected;
  /// Under number_rule::integer_or_retry: a real value, or an integer that the type cannot hold.
  bool real_number = false;
  bool large_integer = false;
};

/// The token in quotes, shortened, with bytes that are not printable UTF-8 as \xNN.
std::string quote(std::string_view token);
/// The text with control characters as \xNN, for one line of a message.
std::string printable(std::string_view text);

inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
/// The text after a byte-order mark of UTF-8. Throws input_error for the marks of other encodings.
std::string_view without_mark(std::string_view text, std::string_view name);

/// 1-based line of a position in the text.
std::size_t line_at(std::string_view text, const char* at);

/// Runs `f` and turns its parse_failure into input_error with the line in `text`; adds the file to
/// out_of_memory.
template <class F>
decltype(auto) with_lines(std::string_view name, std::string_view text, F&& f) {
  try {
    return f();
  } catch (const parse_failure& failure) {
    throw input_error(std::string(name), line_at(text, failure.at), failure.found,
                      failure.expected);
  } catch (const out_of_memory& cause) {
    throw out_of_memory(std::string(name), cause);
  } catch (const std::bad_alloc&) {
    throw out_of_memory(latest_requirement(), available_memory(), std::string(name) + ": reading");
  }
}

constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct cursor {
  const char* at;
  const char* end;

  explicit cursor(std::string_view text) : at(text.data()), end(text.data() + text.size()) {}

  void skip_space() {
    while (at != end && is_space(*at)) ++at;
  }
  bool at_line_end() const { return at == end || *at == '\n'; }
  bool at_token_end() const { return at == end || *at == '\n' || is_space(*at); }
  void skip_line() {
    while (at != end && *at != '\n') ++at;
    if (at != end) ++at;
  }
  /// The token that starts here, without moving.
  std::string_view peek() const;
  /// Skips space, then takes a token (empty at the end of the line).
  std::string_view token();
  /// Describes what is found here, for messages.
  std::string found() const;
  [[noreturn]] void fail(std::string expected) const;
  /// Skips space and the newline; fails on anything else.
  void finish_line() {
    skip_space();
    if (at == end) return;
    if (*at != '\n') fail("the end of the line");
    ++at;
  }
};

/// A natural number of at most seven digits that extends to the end of its token. If there is none,
/// or if it is within eight bytes of the end of the text, returns false and does not move.
inline bool short_natural(cursor& c, std::uint64_t& value) {
  if (c.end - c.at <= word_bytes) return false;
  const std::uint64_t word = word_at(c.at);
  const int digits = leading_digits(word);
  if (digits == 0 || digits == word_bytes) return false;
  const char after = c.at[digits];
  if (after != '\n' && !is_space(after)) return false;
  c.at += digits;
  value = number_of_digits(word, digits);
  return true;
}

/// A natural number that extends to the end of its token. If there is none, returns false and does
/// not move.
inline bool natural(cursor& c, std::uint64_t& value) {
  constexpr std::ptrdiff_t always_fit = std::numeric_limits<std::uint64_t>::digits10;
  const char* at = c.at;
  const char* const checked_from = c.end - at > always_fit ? at + always_fit : c.end;
  std::uint64_t v = 0;
  for (; at != checked_from && is_digit(*at); ++at)
    v = v * 10 + static_cast<std::uint64_t>(*at - '0');
  for (; at != c.end && is_digit(*at); ++at) {
    const auto digit = static_cast<std::uint64_t>(*at - '0');
    if (v > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return false;
    v = v * 10 + digit;
  }
  if (at == c.at || !(at == c.end || *at == '\n' || is_space(*at))) return false;
  c.at = at;
  value = v;
  return true;
}

/// The next token of a header, a number of `what` from 0 to `limit`; throws parse_failure
/// otherwise.
std::uint64_t header_number(cursor& c, const char* what, std::uint64_t limit);

/// The values that a field may have beyond the range of its type.
enum class number_rule : std::uint8_t {
  real,              ///< any number that the type can hold
  integer,           ///< an integer, whatever the type
  integer_or_retry,  ///< an integer; otherwise a parse_failure that shows what the token is
  truth              ///< 0 or 1: the file states that its values are booleans
};

/// A real number in from_chars' grammar with an optional '+'. Overflow fails, underflow is zero.
template <class T>
bool real_token(std::string_view token, T& value);

extern template bool real_token<float>(std::string_view, float&);
extern template bool real_token<double>(std::string_view, double&);

/// Takes a finite number without a '+' in front. Otherwise returns false and does not move; `value`
/// may have changed.
template <class T>
bool usual_real(cursor& c, T& value);

extern template bool usual_real<float>(cursor&, float&);
extern template bool usual_real<double>(cursor&, double&);

bool is_integer_token(std::string_view token);

/// The rare cases of a bool: any number but a natural one of 64 bits. As in a cast, what is not
/// zero is true, NaN included.
inline bool unusual_bool(cursor& c, number_rule rule) {
  const std::string_view token = c.peek();
  double real = 0;
  const bool is_number = real_token(token, real);
  if (rule == number_rule::truth) {
    if (!is_number || (real != 0 && real != 1)) c.fail("an integer from 0 to 1");
  } else if (rule != number_rule::real && !is_integer_token(token)) {
    c.fail("an integer");
  } else if (!is_number) {
    c.fail("a number that fp64 can hold");
  }
  c.at += token.size();
  return real != 0;
}

/// The rare cases of `number`: out of range, real text for an integer type, nonsense.
template <class T>
T unusual_number(cursor& c, number_rule rule) {
  const std::string_view token = c.peek();
  const bool integer = is_integer_token(token);
  double real = 0;
  if (!integer && rule != number_rule::real) {
    if (rule == number_rule::integer_or_retry) {
      if (real_token(token, real)) throw parse_failure{c.at, quote(token), "an integer", true};
      c.fail("a number that fp64 can hold");
    }
    c.fail("an integer");
  }
  if constexpr (std::is_floating_point_v<T>) {
    c.fail(std::is_same_v<T, float> ? "a number that fp32 can hold"
                                    : "a number that fp64 can hold");
  } else {
    // 2^63 and 2^64 are exact in double, so a half-open comparison decides the range.
    constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
    constexpr double beyond = static_cast<double>(std::numeric_limits<T>::max() / 2 + 1) * 2.0;
    if (!integer && real_token(token, real) && real == std::trunc(real) && real >= low &&
        real < beyond) {
      c.at += token.size();
      return static_cast<T>(real);
    }
    using limits = std::numeric_limits<T>;
    const std::string range = "an integer from " + std::to_string(+limits::min()) + " to " +
                              std::to_string(+limits::max());
    if (rule == number_rule::integer_or_retry)
      throw parse_failure{c.at, quote(token), range + " (--type uint64 or fp64 takes others)",
                          false, true};
    c.fail(range);
  }
}

/// A value of type T at the cursor, which is at the beginning of the token. A bool is true for all
/// but zero.
template <class T>
T number(cursor& c, number_rule rule) {
  if constexpr (std::is_floating_point_v<T>) {
    T value{};
    if (rule == number_rule::real && usual_real(c, value)) return value;
    const std::string_view token = c.peek();
    if (rule != number_rule::real && !is_integer_token(token)) return unusual_number<T>(c, rule);
    if (!real_token(token, value)) return unusual_number<T>(c, rule);
    c.at += token.size();
    return value;
  } else if constexpr (std::is_same_v<T, bool>) {
    cursor digits = c;
    std::uint64_t magnitude = 0;
    if (!natural(digits, magnitude) || (rule == number_rule::truth && magnitude > 1))
      return unusual_bool(c, rule);
    c.at = digits.at;
    return magnitude != 0;
  } else {
    cursor digits = c;
    const bool negative = digits.at != digits.end && *digits.at == '-';
    if (negative || (digits.at != digits.end && *digits.at == '+')) ++digits.at;
    std::uint64_t magnitude = 0;
    if (!natural(digits, magnitude)) return unusual_number<T>(c, rule);
    using limits = std::numeric_limits<T>;
    constexpr auto largest = static_cast<std::uint64_t>(limits::max());
    constexpr std::uint64_t lowest = std::is_signed_v<T> ? largest + 1 : 0;
    if (magnitude > (negative ? lowest : largest)) return unusual_number<T>(c, rule);
    c.at = digits.at;
    return static_cast<T>(negative ? std::uint64_t{0} - magnitude : magnitude);
  }
}

}  // namespace tropic::io::detail
