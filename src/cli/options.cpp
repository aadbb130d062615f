// SPDX-License-Identifier: Apache-2.0

// Commands over CLI11, and the options that they have in common.

#include "cli/options.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tropic/detail/threads.hpp>
#include <tropic/semirings/types.hpp>

#include "cli/errors.hpp"

namespace tropic::cli {

const char* const file_help =
    "matrix or graph file; '-': standard input; or a generator: kron:SCALE, urand:SCALE ...";
const char* const source_help =
    "where to start, by its number or name in FILE [first vertex with an edge]";

namespace {

constexpr const char* common_group = "Common";
constexpr const char* text_group = "Text";

constexpr std::array<std::pair<const char*, duplicates>, 6> duplicate_rules{{
    {"min", duplicates::minimum},
    {"max", duplicates::maximum},
    {"sum", duplicates::sum},
    {"first", duplicates::first},
    {"last", duplicates::last},
    {"error", duplicates::error},
}};

duplicates duplicate_rule(const std::string& name) {
  for (const auto& [word, rule] : duplicate_rules)
    if (name == word) return rule;
  refuse_option("--duplicates", "'" + name + "'", "min, max, sum, first, last or error");
}

// A number of bytes with an optional K, M, G or T (powers of 1024) and an optional B or iB.
std::size_t bytes_of(std::string_view name, std::string_view text) {
  std::string_view digits = text;
  for (const std::string_view ending : {"iB", "ib", "B", "b"})
    if (digits.ends_with(ending)) {
      digits.remove_suffix(ending.size());
      break;
    }
  constexpr std::string_view units = "KMGT";
  int shift = 0;
  if (!digits.empty()) {
    const char unit = digits.back() >= 'a' ? static_cast<char>(digits.back() - 32) : digits.back();
    if (const std::size_t at = units.find(unit); at != std::string_view::npos) {
      shift = 10 * (static_cast<int>(at) + 1);
      digits.remove_suffix(1);
    }
  }
  std::size_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const std::size_t maximum = std::numeric_limits<std::size_t>::max() >> shift;
  if (code != std::errc() || end != digits.data() + digits.size() || value > maximum)
    refuse_option(name, "'" + std::string(text) + "'", "bytes, as in 512M or 8G");
  return value << shift;
}

io::named_format text_format(const std::string& name) {
  if (const auto format = io::format_named(name)) return *format;
  refuse_option("--format", "'" + name + "'", "one of " + format_names());
}

io::header_rule header_rule_named(const std::string& name) {
  if (name == "auto") return io::header_rule::automatic;
  if (name == "yes") return io::header_rule::yes;
  if (name == "no") return io::header_rule::no;
  refuse_option("--header", "'" + name + "'", "auto, yes or no");
}

std::vector<std::string> columns_of(const std::string& list) {
  std::vector<std::string> columns;
  for (std::size_t from = 0, to = 0; to != std::string::npos; from = to + 1) {
    to = list.find(',', from);
    columns.push_back(list.substr(from, to - from));
  }
  if (columns.size() < 2 || columns.size() > 3)
    refuse_option("--columns", "'" + list + "'", "SOURCE,TARGET or SOURCE,TARGET,WEIGHT");
  return columns;
}

char separator_of(const std::string& text) {
  const char separator = text == "tab" ? '\t' : text.size() == 1 ? text[0] : '"';
  if (std::string_view("\"\n\r# ").find(separator) != std::string_view::npos)
    refuse_option("--separator", "'" + text + "'", "one character, as ',' or ';', or tab");
  return separator;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// An unset shell variable gives an empty value; that is an error, not a missing option.
auto not_empty(const std::string& name) {
  return [name](const std::string& value) -> std::string {
    if (value.empty()) refuse_option(name, "''", "a value");
    return {};
  };
}

}  // namespace

command::command(CLI::App& app, program& p, const std::string& name, const std::string& description,
                 const takes& common, const std::vector<std::string>& examples)
    : command(*app.add_subcommand(name), p, description, common, examples) {}

command::command(CLI::App& app, program& p, const std::string& description, const takes& common,
                 const std::vector<std::string>& examples)
    : app_(app), program_(p) {
  app_.description(description);
  app_.footer(fmt::format("Examples:\n  {}", fmt::join(examples, "\n  ")));
  add_common(common);
}

void command::add_common(const takes& common) {
  common_options& o = program_.common;
  if (common.device)
    app_.add_option("--device", o.device, "auto, reference, cpu, cuda[:N] or opencl[:N] [auto]")
        ->type_name("DEVICE")
        ->group(common_group);
  word("--threads", "N", "CPU threads; 0: OMP_NUM_THREADS, or else all hardware threads [0]",
       [&o](const std::string& text) {
         o.threads = number_of<int>("--threads", text, 0, detail::thread_limit());
       })
      ->group(common_group);
  if (common.type)
    word("--type", "TYPE", "read values as bool, int8 to int64, uint8 to uint64, fp32, fp64",
         [&o](const std::string& name) { o.type = type_named(name); })
        ->group(common_group);
  if (common.compiler)
    app_.add_option(
            "--text-compiler", o.text_compiler,
            "compile --add and --multiply for the CPU: auto (cc, gcc, clang) or a C compiler")
        ->type_name("CC")
        ->group(common_group);
  if (common.reading) {
    add_reading_options(o);
    add_text_options(o.text);
  }
  app_.add_flag("--json", o.json, "print one JSON object instead of text")->group(common_group);
  app_.add_flag("--quiet", o.quiet, "no notices, no progress, no summary")->group(common_group);
}

void command::add_reading_options(common_options& o) {
  app_.add_flag("--undirected", o.undirected,
                "add the reverse of every edge, unless FILE is known to be symmetric")
      ->group(common_group);
  word("--duplicates", "RULE",
       "repeated entries: min, max, sum (integers wrap), first, last or error",
       [&o](const std::string& name) { o.duplicates = duplicate_rule(name); })
      ->group(common_group);
  word("--memory-limit", "BYTES",
       "maximum memory for reading, matrices and vectors, for example 512M; 0: no limit [0]",
       [&o](const std::string& text) { o.memory_limit = bytes_of("--memory-limit", text); })
      ->group(common_group);
  word("--unpack-ratio", "N",
       "refuse files that unpack to over 64 MiB and over N times their size; 0: no limit [800]",
       [&o](const std::string& text) {
         o.unpack_ratio = number_of<std::size_t>("--unpack-ratio", text, 0);
       })
      ->group(common_group);
  app_.add_flag("--trusted", o.trusted, "use a .tropic file without checking its content")
      ->group(common_group);
}

void command::add_text_options(io::read_options& text) {
  word("--format", "FORMAT",
       "the format of FILE, as an ending: el, mtx, csv.gz ... [from its content or name]",
       [&text](const std::string& name) { text.format = text_format(name); })
      ->group(text_group);
  app_.add_flag("--names", text.names, "read vertices as names (.csv, .tsv, .el, .wel and .txt)")
      ->group(text_group);
  word("--header", "RULE", "whether .csv and .tsv begin with column names: auto, yes or no [auto]",
       [&text](const std::string& name) { text.header = header_rule_named(name); })
      ->group(text_group);
  word("--columns", "S,T[,W]", "columns of .csv and .tsv to read, by name or by number from 1",
       [&text](const std::string& list) { text.columns = columns_of(list); })
      ->group(text_group);
  word("--separator", "C", "column separator of .csv and .tsv: ',', ';', tab ...",
       [&text](const std::string& separator) { text.separator = separator_of(separator); })
      ->group(text_group);
}

void command::argument(const std::string& name, std::string& target, const std::string& help) {
  app_.add_option(name, target, help)->required()->type_name(" ")->check(not_empty(name));
}
void command::argument(const std::string& name, std::vector<std::string>& target,
                       const std::string& help) {
  app_.add_option(name, target, help)->required()->type_name(" ")->check(not_empty(name));
}
void command::text(const std::string& name, const std::string& kind, std::string& target,
                   const std::string& help) {
  app_.add_option(name, target, help)->type_name(kind)->check(not_empty(name));
}
void command::flag(const std::string& name, bool& target, const std::string& help) {
  app_.add_flag(name, target, help);
}
CLI::Option* command::word(const std::string& name, const std::string& kind,
                           const std::string& help, std::function<void(const std::string&)> take) {
  return app_.add_option_function<std::string>(name, std::move(take), help)->type_name(kind);
}
void command::excludes(const std::string& name, const std::string& other) {
  app_.get_option(name)->excludes(app_.get_option(other));
}
void command::runs(std::function<exit_code()> body) {
  app_.callback([&p = program_, body = std::move(body)] { p.run = body; });
}

void set_help(CLI::App& app, const std::string& description, const std::string& footer) {
  app.description(description);
  app.footer(footer);
  app.require_subcommand(0, 1);
}

CLI::App& add_group(CLI::App& app, program& p, const std::string& name,
                    const std::string& description) {
  CLI::App& group = *app.add_subcommand(name, description);
  group.require_subcommand(0, 1);
  group.callback([&group, &p] {
    if (!group.get_subcommands().empty()) return;
    p.run = [&group] {
      print(group.help());
      return success;
    };
  });
  return group;
}

std::string limit_text(double limit) {
  return fmt::format("{:.15g}", limit);
}

void refuse_option(std::string_view name, std::string_view found, std::string_view expected) {
  throw usage_error(fmt::format("{}: found {}, expected {}", name, found, expected));
}

std::string format_names() {
  std::string names = io::format_endings();
  std::erase(names, '.');
  names.replace(names.rfind(", "), 2, " or ");
  return names + ", also with .gz, .xz or .zst";
}

type_code type_named(std::string_view name, std::string_view option) {
  std::vector<std::string_view> names;
  for (const type_description& type : builtin_types) {
    if (type.name == name) return type.code;
    names.push_back(type.name);
  }
  refuse_option(option, fmt::format("'{}'", name),
                fmt::format("one of {}", fmt::join(names, ", ")));
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t limit = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= limit || distance >= candidate.size()) continue;
    limit = distance;
    best = candidate;
  }
  return best;
}

}  // namespace tropic::cli
