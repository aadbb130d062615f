// SPDX-License-Identifier: Apache-2.0
#pragma once

// The results of a command, as text and as one JSON object.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/input/load.hpp"
#include "cli/program.hpp"
#include "containers/timing.hpp"
#include "text/numbers.hpp"

namespace tropic::detail {
struct work_mapping;
}

namespace tropic::cli {

/// What was written.
struct written {
  std::size_t count = 0;              // requested outputs
  bool used_standard_output = false;  // if so, the summary goes to standard error
  std::string closed;                 // the message for a stream whose reader left early
};

struct timings {
  double load = 0;
  double inspect = 0;
  double convert = 0;               // conversion of the matrix to the format of the kernel
  double transfer = 0;              // of the matrix to the device
  std::optional<double> first_use;  // the first run, including compilation and conversion
  std::vector<double> run;
};

/// Bytes as the context counts them, on host and device together.
struct memory_use {
  detail::context_pointer context{};  // null: not measured
  std::size_t graph = 0;
};

struct report {
  std::string command;
  std::string device;
  index_t rows = 0, columns = 0, nnz = 0;
  std::optional<std::string> kernel;
  std::optional<index_t> iterations;
  timings seconds;
  memory_use memory;
  std::optional<double> gbytes_per_second;
  std::vector<std::pair<std::string, bool>> checks;
  /// Keys specific to the command, after the common ones.
  nlohmann::ordered_json extra = nlohmann::ordered_json::object();
  /// Whole lines.
  std::string text;

  void set_matrix(const detail::matrix_base& matrix);
  /// Records a check, which has passed if `complaint` is empty, and adds it to the text.
  void check(const std::string& name, const std::string& complaint);
  bool all_passed() const;
};

nlohmann::ordered_json to_json(const report& r);
/// How a kernel maps a matrix to work-items.
nlohmann::ordered_json to_json(const detail::work_mapping& shape);

/// JSON as indented text. Names may contain any bytes; those that are not UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& json);
/// The reverse, for text that the program has written itself.
nlohmann::ordered_json parsed_json(std::string_view text);

/// Prints the report as --json and --quiet request, and a message if one of several outputs is
/// incomplete. Returns failed_check if a check failed, bad_usage if an output is incomplete,
/// otherwise success.
exit_code finish(const program& p, const report& r, const written& outputs = {});

using detail::duration;
using detail::grouped;
using detail::table;
/// A number with the digits before the decimal point grouped, for distances.
std::string grouped(double number);
/// "12.3 MB"
std::string size_text(std::size_t bytes);
/// "karate.mtx: 34 x 34, 156 entries, on cpu (2 threads)"
std::string headline(const std::string& file, const report& r, const context& where);
/// "time     load 1.2 s, run 3.4 ms median of 5 (min 3.1 ms, max 4.0 ms)"
std::string timing_line(const timings& t);
using detail::median;

/// The name of the kernel if the device has only one, otherwise "auto".
std::string kernel_name(const context& where);
/// Copies the matrix to the device, if there is one; returns the seconds.
double transfer(const context& where, const detail::matrix_base& matrix);

}  // namespace tropic::cli
