// SPDX-License-Identifier: Apache-2.0

// From main() to a command: the limits of the process, the command line and its errors, and what
// the commands share.

#include "cli/program.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tropic/error.hpp>

#include "cli/errors.hpp"
#include "cli/options.hpp"
#include "cli/signals.hpp"

namespace tropic::cli {

namespace {

using argument_list = std::span<const char* const>;

// OpenMP threads spin between parallel regions by default. The policy is read when the OpenMP
// library is loaded, which is before main(), so the program sets it and starts itself again, once.
// PageRank with two threads on two processors, seconds with spinning / passive waiting:
//
//                          kron:10            kron:13             kron:17
//   idle machine           0.003 / 0.005      0.011 / 0.014       0.084 / 0.094
//   other programs run     1.2   / 0.005      0.126 / 0.015       2.1   / 0.26
//
// GOMP_SPINCOUNT from 1000 to 100000 is between the two in both cases. On an otherwise idle machine
// OMP_WAIT_POLICY=active gains the difference of the first line. A policy set by the user is kept.
void wait_passively(char** arguments) {
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"})
    if (std::getenv(name) != nullptr) return;
  if (::setenv("OMP_WAIT_POLICY", "passive", 1) != 0) return;
  // By its own name, which `ps`, `top` and `pkill` show.
  std::error_code error;
  const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) ::execv(file.c_str(), arguments);
  ::execv("/proc/self/exe", arguments);  // the file has been replaced
  // Without /proc the threads spin.
}

// Kernels and threads need more stack than `ulimit -s 64` allows; without it they end by SIGSEGV.
void require_stack() {
  constexpr rlim_t minimum = rlim_t{256} << 10, usual = rlim_t{8} << 20;
  struct rlimit stack {};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= minimum) return;
  if (stack.rlim_max < minimum)
    throw usage_error("found a stack of " + std::to_string(stack.rlim_max >> 10) +
                      " KiB, expected at least 256 (ulimit -s)");
  stack.rlim_cur = std::min(stack.rlim_max, usual);
  ::setrlimit(RLIMIT_STACK, &stack);
  // The default stack size of threads was fixed when the program started.
  pthread_attr_t threads;
  if (::pthread_attr_init(&threads) != 0) return;
  ::pthread_attr_setstacksize(&threads, static_cast<std::size_t>(stack.rlim_cur));
  ::pthread_setattr_default_np(&threads);
  ::pthread_attr_destroy(&threads);
}

// CLI11's formatter prints exclusions and requirements between an option's name and its help.
class plain_formatter : public CLI::Formatter {
 public:
  plain_formatter() { column_width(30); }

 private:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string kind = option->get_type_name();
    return kind.empty() || kind == " " ? "" : " " + kind;
  }
};

// The selected command, the innermost one of `tropic bench tune`, and its names: "bench tune".
struct selected_command {
  explicit selected_command(const CLI::App& program) : app(&program) {
    for (auto chosen = program.get_subcommands(); !chosen.empty();
         chosen = chosen.back()->get_subcommands()) {
      app = chosen.back();
      name += (name.empty() ? "" : " ") + app->get_name();
    }
  }

  const CLI::App* app;
  std::string name;
};

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

// Before parsing, since CLI11 would go on and report what comes behind the unknown command.
void refuse_unknown_command(const CLI::App& app, argument_list arguments) {
  const std::vector<std::string> names = names_of_commands(app);
  if (names.empty() || arguments.empty() || arguments[0][0] == '-') return;
  const std::string word = arguments[0];
  if (std::ranges::find(names, word) != names.end()) return;
  const std::string meant = nearest(word, names);
  throw usage_error("found the unknown command '" + word + "'" +
                    (meant.empty() ? fmt::format(", expected one of {}", fmt::join(names, ", "))
                                   : "; did you mean '" + meant + "'?"));
}

// CLI11 accepts `--quiet=true` and `--quiet=`.
void refuse_values_of_flags(const CLI::App& app, argument_list arguments) {
  const CLI::App* command = &app;
  for (const std::string_view word : arguments) {
    if (word == "--") return;
    const std::size_t equals = word.find('=');
    if (!word.starts_with("-")) {
      for (const CLI::App* subcommand : command->get_subcommands(nullptr))
        if (subcommand->get_name() == word) command = subcommand;
    } else if (equals != std::string_view::npos) {
      const std::string name(word.substr(0, equals));
      const CLI::Option* option = command->get_option_no_throw(name);
      if (option != nullptr && option->get_items_expected_max() == 0)
        refuse_option(name, "'" + std::string(word.substr(equals + 1)) + "'", "no value");
    }
  }
}

// Arguments that the command does not take, unknown options first.
std::string unexpected_argument(const CLI::App& program, const selected_command& selected) {
  std::vector<std::string> words = selected.app->remaining();
  // Not that of std::ranges, whose result clang 14 cannot compile with libstdc++ 12.
  std::stable_partition(words.begin(), words.end(),
                        [](const std::string& word) { return word.starts_with("-"); });
  const std::string found = words.empty() ? "another argument" : "'" + words.front() + "'";
  if (words.empty() || !words.front().starts_with("-")) {
    const std::vector<std::string> commands = names_of_commands(*selected.app);
    return fmt::format("found {}, expected {}{}", found,
                       commands.empty() ? "no further argument" : "one of ",
                       fmt::join(commands, ", "));
  }
  std::vector<std::string> options;
  for (const CLI::Option* option : selected.app->get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  const std::string meant = nearest(words.front(), options);
  const std::string command =
      program.get_name() + (selected.name.empty() ? "" : " " + selected.name);
  return fmt::format("found the unknown option {}, expected {}", found,
                     meant.empty() ? "one of those that '" + command + " --help' lists" : meant);
}

std::optional<std::string> missing_argument(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0)
      return fmt::format("found no {}, expected one", option->get_name());
  return std::nullopt;
}

std::optional<std::string> exclusive_options(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    for (const CLI::Option* other : option->get_excludes())
      if (option->count() > 0 && other->count() > 0)
        return fmt::format("found {} beside {}, expected only one of them", option->get_name(),
                           other->get_name());
  return std::nullopt;
}

// An option is given more than once, or the last argument is an option without its value.
std::optional<std::string> wrong_number_of_values(const CLI::App& command,
                                                  argument_list arguments) {
  for (const CLI::Option* option : command.get_options())
    if (option->get_items_expected_max() > 0 &&
        option->count() > static_cast<std::size_t>(option->get_items_expected_max()))
      return fmt::format("found {} {} times, expected it once", option->get_name(),
                         option->count());
  const CLI::Option* last =
      arguments.empty() ? nullptr : command.get_option_no_throw(arguments.back());
  if (last == nullptr) return std::nullopt;
  return fmt::format("found {0} without a value, expected {0} {1}", last->get_name(),
                     last->get_type_name());
}

// CLI11's text, for an error that has no words of ours.
std::string text_of(const CLI::ParseError& error) {
  std::string text = error.what();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// Throws usage_error in the words of this program, read off the command and its options.
void parse(CLI::App& app, argument_list arguments) {
  const auto refuse = [&](const std::string& message) {
    const std::string name = selected_command(app).name;
    throw usage_error(name.empty() ? message : name + ": " + message);
  };
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // last one first
  } catch (const CLI::Success&) {  // --help and --version
    throw;
  } catch (const CLI::ExtrasError&) {
    refuse(unexpected_argument(app, selected_command(app)));
  } catch (const CLI::RequiredError& error) {
    refuse(missing_argument(*selected_command(app).app).value_or(text_of(error)));
  } catch (const CLI::ExcludesError& error) {
    refuse(exclusive_options(*selected_command(app).app).value_or(text_of(error)));
  } catch (const CLI::ArgumentMismatch& error) {
    refuse(wrong_number_of_values(*selected_command(app).app, arguments).value_or(text_of(error)));
  } catch (const CLI::ParseError& error) {
    refuse(text_of(error));
  }
}

exit_code run(const program_setup& setup, int count, char** arguments) {
  program p;
  install_signals(p.cancel);
  CLI::App app("", setup.name);
  app.formatter(std::make_shared<plain_formatter>());
  app.set_version_flag("--version", std::string(setup.name) + " " + TROPIC_VERSION);
  setup.add_commands(app, p);
  const argument_list words =
      std::span(arguments, static_cast<std::size_t>(std::max(count, 1))).subspan(1);
  refuse_unknown_command(app, words);
  refuse_values_of_flags(app, words);
  try {
    parse(app, words);
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return success;
  } catch (const CLI::Success&) {
    p.run = nullptr;
  }
  if (!p.run) {
    print(app.help());
    return success;
  }
  return p.run();
}

}  // namespace

int run_program(const program_setup& setup, int count, char** arguments, bool may_restart) {
  set_program_name(setup.name);
  try {
    require_stack();
    if (may_restart) wait_passively(arguments);
    return end_with(run(setup, count, arguments));
  } catch (...) {
    return end_with(explain_exception());
  }
}

struct program::notices {
  std::mutex guard;
  std::set<std::string> logged;
  std::vector<std::string> pending;
  bool may_print = false;

  void flush() {
    for (const std::string& line : pending) complain_in_lines(line);
    pending.clear();
  }
};

program::program() : notices_(std::make_shared<notices>()) {}

void program::notice(std::string_view message) const {
  const std::lock_guard lock(notices_->guard);
  if (common.quiet || !notices_->logged.emplace(message).second) return;
  notices_->pending.emplace_back(message);
  if (notices_->may_print) notices_->flush();
}

void program::print_notices() const {
  const std::lock_guard lock(notices_->guard);
  notices_->may_print = true;
  notices_->flush();
}

void program::check_cancelled() const {
  if (cancel.is_cancelled()) throw cancelled();
}

context_options program::options() const {
  context_options options;
  options.threads = common.threads;
  options.memory_limit = common.memory_limit;
  options.cancel = cancel;
  options.text_compiler = common.text_compiler;
  options.log = [this](std::string_view message) { notice(message); };
  return options;
}

context program::make_context() const {
  return context::named(common.device, options());
}

context program::make_host_context() const {
  context_options host;
  host.threads = common.threads;
  host.memory_limit = common.memory_limit;
  host.cancel = cancel;
  return context::cpu(host);
}

context program::make_profiled_context(const context& like) const {
  context_options profiled = options();
  profiled.profile = true;
  return context::named(like.name(), std::move(profiled));
}

}  // namespace tropic::cli
