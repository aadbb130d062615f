// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options with messages of our own: `--trials: found 'many', expected a number from 1`.

#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <tropic/error.hpp>

#include "cli/program.hpp"

namespace tropic::cli {

/// What a command takes of the options that all have in common.
struct takes {
  bool device = false;
  bool reading = false;  // --undirected, --duplicates, --memory-limit, --threads
  bool type = false;
};

/// Adds a command with its examples, and the common options it takes.
CLI::App* add_command(CLI::App& app, program& p, const std::string& name,
                      const std::string& description, const takes& common,
                      const std::vector<std::string>& examples);

/// Where FILE stands in the help.
extern const char* const file_help;

[[noreturn]] void refuse_option(std::string_view name, std::string_view found,
                                std::string_view expected);

/// The whole of `text` as a number of type T, at least `least`; else refuses the option.
template <class T>
T number_of(std::string_view name, std::string_view text, T least,
            T most = std::numeric_limits<T>::max()) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = code == std::errc() && end == text.data() + text.size();
  if (whole && value >= least && value <= most) return value;
  std::string expected = std::is_integral_v<T> ? "a whole number" : "a number";
  const auto plain = [](T limit) {
    std::string digits = std::to_string(limit);
    if (digits.find('.') != std::string::npos) {
      digits.erase(digits.find_last_not_of('0') + 1);
      if (digits.back() == '.') digits.pop_back();
    }
    return digits;
  };
  if (least != std::numeric_limits<T>::lowest()) expected += " from " + plain(least);
  if (most != std::numeric_limits<T>::max()) expected += " to " + plain(most);
  refuse_option(name, "'" + std::string(text) + "'", expected);
}

/// An option that holds a number. `target` may be a std::optional<T>.
template <class T, class Target>
CLI::Option* add_number(CLI::App& app, const std::string& name, Target& target,
                        const std::string& help, T least = std::numeric_limits<T>::lowest(),
                        T most = std::numeric_limits<T>::max()) {
  return app
      .add_option_function<std::string>(
          name,
          [name, &target, least, most](const std::string& text) {
            target = number_of<T>(name, text, least, most);
          },
          help)
      ->type_name(std::is_integral_v<T> ? "N" : "X");
}

/// The built-in type of that name; refuses the option otherwise.
type_code type_named(std::string_view name);

/// The candidate that `word` was probably meant to be, if any.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// One of CLI11's errors in our words, without a newline.
std::string in_our_words(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tropic::cli
