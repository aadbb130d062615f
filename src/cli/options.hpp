// SPDX-License-Identifier: Apache-2.0
#pragma once

// Commands and their options, with messages of our own: `--trials: found 'many', expected a number
// from 1`. CLI11 stays behind this header, in options.cpp and main.cpp: it takes long to compile.

#include <charconv>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tropic/error.hpp>

#include "cli/program.hpp"

namespace CLI {
class FormatterBase;
class Option;
class ParseError;
}  // namespace CLI

namespace tropic::cli {

/// What a command takes of the options that all have in common.
struct takes {
  bool device = false;
  // --undirected, --duplicates, --memory-limit, --unpack-ratio, and how text is read
  bool reading = false;
  bool type = false;
};

/// Where FILE stands in the help.
extern const char* const file_help;
/// What --source says in every command that has it.
extern const char* const source_help;

/// "NAME: found X, expected Y", as a usage_error.
[[noreturn]] void refuse_option(std::string_view name, std::string_view found,
                                std::string_view expected);

/// A number without trailing zeros, for messages.
std::string limit_text(double limit);

/// The whole of `text` as a number of type T, at least `least`; else refuses the option.
template <class T>
T number_of(std::string_view name, std::string_view text, T least,
            T most = std::numeric_limits<T>::max()) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = code == std::errc() && end == text.data() + text.size();
  if (whole && value >= least && value <= most) return value;
  std::string expected = std::is_integral_v<T> ? "a whole number" : "a number";
  if (least != std::numeric_limits<T>::lowest())
    expected += " from " + limit_text(static_cast<double>(least));
  if (most != std::numeric_limits<T>::max())
    expected += " to " + limit_text(static_cast<double>(most));
  refuse_option(name, "'" + std::string(text) + "'", expected);
}

/// A command of the program: its options and, at the end of the help, examples. Targets must
/// outlive the program's run.
class command {
 public:
  command(CLI::App& app, program& p, const std::string& name, const std::string& description,
          const takes& common, const std::vector<std::string>& examples);

  /// A positional argument that must be there.
  void argument(const std::string& name, std::string& target, const std::string& help);
  void argument(const std::string& name, std::vector<std::string>& target, const std::string& help);
  void text(const std::string& name, const std::string& kind, std::string& target,
            const std::string& help);
  void flag(const std::string& name, bool& target, const std::string& help);
  /// A word that `take` understands, or refuses with usage_error.
  void word(const std::string& name, const std::string& kind, const std::string& help,
            std::function<void(const std::string&)> take);
  /// `target` may be a std::optional<T>.
  template <class T, class Target>
  void number(const std::string& name, Target& target, const std::string& help,
              T least = std::numeric_limits<T>::lowest(), T most = std::numeric_limits<T>::max()) {
    parsed(name, std::is_integral_v<T> ? "N" : "X", help,
           [name, &target, least, most](const std::string& text) {
             target = number_of<T>(name, text, least, most);
           });
  }
  /// `name` cannot stand beside `other`.
  void excludes(const std::string& name, const std::string& other);
  void runs(std::function<exit_code()> body);

 private:
  void add_common(const takes& common);
  void add_text_options(io::read_options& text);
  CLI::Option* parsed(const std::string& name, const std::string& kind, const std::string& help,
                      std::function<void(const std::string&)> take);

  CLI::App& app_;
  program& program_;
};

/// CLI11 would take `--quiet=true`, and `--quiet=` as well.
void refuse_values_of_flags(const CLI::App& app, std::span<const char* const> arguments);

/// Help without CLI11's remarks between an option's name and its text.
std::shared_ptr<CLI::FormatterBase> plain_formatter();

/// The built-in type of that name; refuses the option otherwise.
type_code type_named(std::string_view name, std::string_view option = "--type");

/// The candidate that `word` was probably meant to be, if any.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// One of CLI11's errors in our words, without a newline.
std::string in_our_words(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tropic::cli
