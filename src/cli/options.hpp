// SPDX-License-Identifier: Apache-2.0
#pragma once

// Commands and their options, with error messages in one form: `--trials: found 'many', expected a
// whole number from 1`. Only options.cpp and program.cpp, which are compiled together, include
// CLI11, which takes long to compile.

#include <charconv>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tropic/error.hpp>

#include "cli/program.hpp"

namespace CLI {
class Option;
}

namespace tropic::cli {

/// Groups of common options that a command takes.
struct takes {
  bool device = false;
  /// --undirected, --duplicates, --memory-limit, --unpack-ratio, --trusted and the options for text
  /// formats.
  bool reading = false;
  bool type = false;
  /// --text-compiler, for semirings given as text.
  bool compiler = false;
};

/// The help of the argument FILE.
extern const char* const file_help;
/// The help of --source.
extern const char* const source_help;

/// Throws usage_error "NAME: found X, expected Y".
[[noreturn]] void refuse_option(std::string_view name, std::string_view found,
                                std::string_view expected);

/// A number without trailing zeros, for messages.
std::string limit_text(double limit);

/// `text`, all of it, as a number from `minimum` to `maximum`; throws usage_error otherwise.
template <class T>
T number_of(std::string_view name, std::string_view text, T minimum,
            T maximum = std::numeric_limits<T>::max()) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = code == std::errc() && end == text.data() + text.size();
  if (is_number && value >= minimum && value <= maximum) return value;
  std::string expected = std::is_integral_v<T> ? "a whole number" : "a number";
  if (minimum != std::numeric_limits<T>::lowest())
    expected += " from " + limit_text(static_cast<double>(minimum));
  if (maximum != std::numeric_limits<T>::max())
    expected += " to " + limit_text(static_cast<double>(maximum));
  refuse_option(name, "'" + std::string(text) + "'", expected);
}

/// A command: its options and, at the end of its help, examples. The targets of options must
/// outlive the run.
class command {
 public:
  /// A new command of `app`.
  command(CLI::App& app, program& p, const std::string& name, const std::string& description,
          const takes& common, const std::vector<std::string>& examples);
  /// A program without commands: its options are those of `app`.
  command(CLI::App& app, program& p, const std::string& description, const takes& common,
          const std::vector<std::string>& examples);

  /// A required positional argument.
  void argument(const std::string& name, std::string& target, const std::string& help);
  void argument(const std::string& name, std::vector<std::string>& target, const std::string& help);
  void text(const std::string& name, const std::string& kind, std::string& target,
            const std::string& help);
  void flag(const std::string& name, bool& target, const std::string& help);
  /// Calls `take` with the option's value; it throws usage_error if the value is invalid.
  CLI::Option* word(const std::string& name, const std::string& kind, const std::string& help,
                    std::function<void(const std::string&)> take);
  /// `target` may be a std::optional<T>.
  template <class T, class Target>
  void number(const std::string& name, Target& target, const std::string& help,
              T minimum = std::numeric_limits<T>::lowest(),
              T maximum = std::numeric_limits<T>::max()) {
    word(name, std::is_integral_v<T> ? "N" : "X", help,
         [name, &target, minimum, maximum](const std::string& text) {
           target = number_of<T>(name, text, minimum, maximum);
         });
  }
  /// The two options are mutually exclusive.
  void excludes(const std::string& name, const std::string& other);
  /// What the command does.
  void runs(std::function<exit_code()> body);

 private:
  void add_common(const takes& common);
  void add_reading_options(common_options& o);
  void add_text_options(io::read_options& text);

  CLI::App& app_;
  program& program_;
};

/// The help of a program of commands, of which it runs one.
void set_help(CLI::App& app, const std::string& description, const std::string& footer);
/// The command `name`, which has commands itself; without one of them it prints its help.
CLI::App& add_group(CLI::App& app, program& p, const std::string& name,
                    const std::string& description);

/// The names of file formats, for help and messages: "mtx, gr, ... or tropic, also with .gz ...".
std::string format_names();

/// The built-in type of that name; throws usage_error if there is none.
type_code type_named(std::string_view name, std::string_view option = "--type");

/// The candidate that `word` probably is a misspelling of; empty if there is none.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace tropic::cli
