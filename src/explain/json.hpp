// SPDX-License-Identifier: Apache-2.0
#pragma once

// Plans as JSON, for `tropic explain --json` and the C ABI. Not written with nlohmann's library,
// whose values allocate when they are destroyed: running out of memory would end the program.

#include <string>
#include <string_view>
#include <type_traits>

#include <tropic/plan.hpp>

namespace tropic::detail {

/// In quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);
/// Reads back as the same double; null for NaN and infinities.
std::string json_number(double value);

/// An object, {"key": value, ...}, or a list, [value, ...], on one line.
class json_builder {
 public:
  static json_builder object() { return json_builder('{', '}'); }
  static json_builder list() { return json_builder('[', ']'); }

  json_builder& key(std::string_view name) {
    separate();
    text_ += json_string(name) + ": ";
    after_key_ = true;
    return *this;
  }
  template <class T>
  json_builder& add(const T& value) {
    separate();
    if constexpr (std::is_same_v<T, json_builder>)
      text_ += value.text();
    else if constexpr (std::is_same_v<T, bool>)
      text_ += value ? "true" : "false";
    else if constexpr (std::is_floating_point_v<T>)
      text_ += json_number(value);
    else if constexpr (std::is_integral_v<T>)
      text_ += std::to_string(value);
    else
      text_ += json_string(value);
    return *this;
  }
  template <class T>
  json_builder& add(std::string_view name, const T& value) {
    return key(name).add(value);
  }
  std::string text() const { return text_ + end_; }

 private:
  json_builder(char begin, char end) : text_(1, begin), end_(end) {}
  void separate() {
    if (!after_key_ && text_.size() > 1) text_ += ", ";
    after_key_ = false;
  }

  std::string text_;
  char end_;
  bool after_key_ = false;
};

/// Adds "calls" and "choice", and, if the matrix was inspected, "features", "constants" and
/// "candidates".
void add_plan(json_builder& object, const plan&);

}  // namespace tropic::detail
