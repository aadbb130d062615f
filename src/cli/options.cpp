// SPDX-License-Identifier: Apache-2.0

// The options that commands have in common, and the words for what is wrong with a command line.

#include "cli/options.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tropic/detail/threads.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic::cli {

const char* const file_help =
    "matrix or graph; '-': standard input; or kron:SCALE, urand:SCALE ...";
const char* const source_help =
    "where to start, by its number or name in FILE [first vertex with an edge]";

namespace {

constexpr std::array<std::pair<const char*, duplicates>, 6> duplicate_rules{{
    {"min", duplicates::minimum},
    {"max", duplicates::maximum},
    {"sum", duplicates::sum},
    {"first", duplicates::first},
    {"last", duplicates::last},
    {"error", duplicates::error},
}};

// Bytes with an optional K, M, G or T (of 1024), and an optional B or iB behind it.
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
  const std::size_t most = std::numeric_limits<std::size_t>::max() >> shift;
  if (code != std::errc() || end != digits.data() + digits.size() || value > most)
    refuse_option(name, "'" + std::string(text) + "'", "bytes, as in 512M or 8G");
  return value << shift;
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

/// An unset variable of a shell gives an empty value: that is not the same as no option.
auto not_empty(const std::string& name) {
  return [name](const std::string& value) -> std::string {
    if (value.empty()) refuse_option(name, "''", "a value");
    return {};
  };
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

command::command(CLI::App& app, program& p, const std::string& name, const std::string& description,
                 const takes& common, const std::vector<std::string>& examples)
    : app_(*app.add_subcommand(name, description)), program_(p) {
  add_common(common);
  std::string footer = "Examples:";
  for (const std::string& example : examples) footer += "\n  " + example;
  app_.footer(footer);
}

CLI::Option* command::parsed(const std::string& name, const std::string& kind,
                             const std::string& help,
                             std::function<void(const std::string&)> take) {
  return app_.add_option_function<std::string>(name, std::move(take), help)->type_name(kind);
}

void command::add_common(const takes& common) {
  common_options& o = program_.common;
  const std::string group = "Common";
  if (common.device)
    app_.add_option("--device", o.device, "auto, reference, cpu, cuda[:N] or opencl[:N] [auto]")
        ->type_name("DEVICE")
        ->group(group);
  parsed("--threads", "N", "CPU threads; 0: all of the machine [0]", [&o](const std::string& text) {
    o.threads = number_of<int>("--threads", text, 0, detail::thread_limit());
  })->group(group);
  if (common.type)
    parsed("--type", "TYPE", "read values as bool, int8 to int64, uint8 to uint64, fp32, fp64",
           [&o](const std::string& name) { o.type = type_named(name); })
        ->group(group);
  if (common.reading) {
    app_.add_flag("--undirected", o.undirected,
                  "mirror the edges of a format that cannot say so itself")
        ->group(group);
    parsed("--duplicates", "RULE",
           "repeated entries: min, max, sum (integers wrap), first, last or error",
           [&o](const std::string& name) {
             for (const auto& [word, rule] : duplicate_rules)
               if (name == word) {
                 o.duplicates = rule;
                 return;
               }
             refuse_option("--duplicates", "'" + name + "'", "min, max, sum, first, last or error");
           })
        ->group(group);
    parsed("--memory-limit", "BYTES",
           "what reading, matrices and vectors may take, as in 512M or 8G",
           [&o](const std::string& text) { o.memory_limit = bytes_of("--memory-limit", text); })
        ->group(group);
    parsed("--unpack-ratio", "N",
           "refuse files that unpack to more than N times their size; 0: none [800]",
           [&o](const std::string& text) {
             o.unpack_ratio = number_of<std::size_t>("--unpack-ratio", text, 0);
           })
        ->group(group);
  }
  if (common.reading) add_text_options(o.text);
  app_.add_flag("--json", o.json, "print one JSON object instead of text")->group(group);
  app_.add_flag("--quiet", o.quiet, "no notices, no progress, no summary")->group(group);
}

void command::add_text_options(io::read_options& text) {
  const std::string group = "Text";
  parsed("--format", "FORMAT", "what FILE is, by an ending: el, mtx, csv.gz ... [as its name says]",
         [&text](const std::string& name) {
           text.format = io::format_named(name);
           if (!text.format)
             refuse_option("--format", "'" + name + "'",
                           "an ending without its point, of " + io::format_endings() +
                               ", also with .gz, .xz or .zst behind it");
         })
      ->group(group);
  app_.add_flag("--names", text.names, "vertices are names, in .csv, .tsv, .el, .wel and .txt")
      ->group(group);
  parsed("--header", "RULE", "a first line of .csv and .tsv with names of columns: auto, yes or no",
         [&text](const std::string& rule) {
           if (rule != "auto" && rule != "yes" && rule != "no")
             refuse_option("--header", "'" + rule + "'", "auto, yes or no");
           text.header = rule == "yes"  ? io::header_rule::yes
                         : rule == "no" ? io::header_rule::no
                                        : io::header_rule::automatic;
         })
      ->group(group);
  parsed("--columns", "S,T[,W]", "columns of .csv and .tsv to read, by name or by number from 1",
         [&text](const std::string& list) {
           text.columns.clear();
           for (std::size_t from = 0, to = 0; to != std::string::npos; from = to + 1) {
             to = list.find(',', from);
             text.columns.push_back(list.substr(from, to - from));
           }
           if (text.columns.size() < 2 || text.columns.size() > 3)
             refuse_option("--columns", "'" + list + "'", "SOURCE,TARGET or SOURCE,TARGET,WEIGHT");
         })
      ->group(group);
  parsed("--separator", "C", "what separates columns of .csv and .tsv: ',', ';', tab ...",
         [&text](const std::string& separator) {
           text.separator = separator == "tab" ? '\t' : separator.size() == 1 ? separator[0] : '"';
           if (std::string_view("\"\n\r# ").find(text.separator) != std::string_view::npos)
             refuse_option("--separator", "'" + separator + "'",
                           "one character, as ',' or ';', or tab");
         })
      ->group(group);
}

std::shared_ptr<CLI::FormatterBase> plain_formatter() {
  // CLI11 would list exclusions and requirements between an option's name and its help.
  class formatter : public CLI::Formatter {
    std::string make_option_opts(const CLI::Option* option) const override {
      const std::string kind = option->get_type_name();
      return kind.empty() || kind == " " ? "" : " " + kind;
    }
  };
  auto made = std::make_shared<formatter>();
  made->column_width(30);
  return made;
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
void command::word(const std::string& name, const std::string& kind, const std::string& help,
                   std::function<void(const std::string&)> take) {
  parsed(name, kind, help, std::move(take));
}
void command::excludes(const std::string& name, const std::string& other) {
  app_.get_option(name)->excludes(app_.get_option(other));
}
void command::runs(std::function<exit_code()> body) {
  app_.callback([&p = program_, body = std::move(body)] { p.run = body; });
}

void refuse_values_of_flags(const CLI::App& app, std::span<const char* const> arguments) {
  const CLI::App* command = &app;
  for (const std::string_view word : arguments) {
    if (word == "--") return;
    const std::size_t equals = word.find('=');
    if (!word.starts_with("-")) {
      for (const CLI::App* below : command->get_subcommands(nullptr))
        if (below->get_name() == word) command = below;
    } else if (equals != std::string_view::npos) {
      const std::string name(word.substr(0, equals));
      const CLI::Option* option = command->get_option_no_throw(name);
      if (option != nullptr && option->get_items_expected_max() == 0)
        refuse_option(name, "'" + std::string(word.substr(equals + 1)) + "'", "no value");
    }
  }
}

std::string limit_text(double limit) {
  return fmt::format("{:.15g}", limit);
}

void refuse_option(std::string_view name, std::string_view found, std::string_view expected) {
  throw usage_error(std::string(name) + ": found " + std::string(found) + ", expected " +
                    std::string(expected));
}

type_code type_named(std::string_view name, std::string_view option) {
  std::string all;
  for (const type_description& type : builtin_types) {
    if (type.name == name) return type.code;
    all += all.empty() ? "" : ", ";
    all += type.name;
  }
  refuse_option(option, "'" + std::string(name) + "'", "one of " + all);
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= least || distance >= candidate.size()) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

std::string in_our_words(const CLI::App& app, const CLI::ParseError& error) {
  // `tropic bench tune`: the innermost command is meant.
  const CLI::App* innermost = &app;
  std::string path;
  for (auto chosen = const_cast<CLI::App&>(app).get_subcommands(); !chosen.empty();
       chosen = chosen.back()->get_subcommands()) {
    innermost = chosen.back();
    path += (path.empty() ? "" : " ") + innermost->get_name();
  }
  const CLI::App& where = *innermost;
  const std::string name = path.empty() ? "" : path + ": ";
  // Its errors about further arguments bear the name of the command, not their own.
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    std::vector<std::string> extra = where.remaining();
    std::stable_partition(extra.begin(), extra.end(),
                          [](const std::string& word) { return word.starts_with("-"); });
    const std::string word = extra.empty() ? "another argument" : "'" + extra.front() + "'";
    if (extra.empty() || !extra.front().starts_with("-")) {
      std::string below;
      for (const CLI::App* command : where.get_subcommands(nullptr))
        below += (below.empty() ? "" : ", ") + command->get_name();
      return name + "found " + word + ", expected " +
             (below.empty() ? "no further argument" : "one of " + below);
    }
    std::vector<std::string> known;
    for (const CLI::Option* option : where.get_options())
      for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
    const std::string meant = nearest(extra.front(), known);
    const std::string help = path.empty() ? "tropic --help" : "tropic " + path + " --help";
    return name + "found the unknown option " + word + ", expected " +
           (meant.empty() ? "one of those that '" + help + "' lists" : meant);
  }
  std::string what = on_one_line(error.what());
  if (error.get_name() == "RequiredError") {
    // "FILE is required"
    const std::string_view ending = " is required";
    if (what.ends_with(ending)) what.resize(what.size() - ending.size());
    return name + "found no " + what + ", expected one";
  }
  if (error.get_name() == "ArgumentMismatch") return name + "found " + what;
  if (error.get_name() == "ExcludesError") {
    const std::size_t at = what.find(" excludes ");
    if (at != std::string::npos)
      return name + "found " + what.substr(0, at) + " beside " + what.substr(at + 10) +
             ", expected only one of them";
  }
  return name + what;
}

}  // namespace tropic::cli
