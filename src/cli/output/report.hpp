// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a command found, as text for people and as one JSON object for programs.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/input/load.hpp"
#include "cli/program.hpp"
#include "text/numbers.hpp"

namespace tropic::cli {

/// What became of a command's outputs.
struct written {
  std::size_t count = 0;  // that were asked for
  bool aside = false;     // one took standard output: the summary goes to standard error
  std::string closed;     // what to say of a stream whose reader left before its end
};

struct timings {
  double load = 0;
  double inspect = 0;
  double convert = 0;               // building what the kernel needs beside CSR: a transpose
  double transfer = 0;              // the matrix to the device
  std::optional<double> first_use;  // a first run, which compiles and converts what it needs
  std::vector<double> run;
};

struct report {
  std::string command;
  std::string device;
  index_t rows = 0, columns = 0, nnz = 0;
  std::optional<std::string> kernel;
  std::optional<index_t> iterations;
  timings seconds;
  std::optional<double> gbytes_per_second;
  std::vector<std::pair<std::string, bool>> checks;
  /// Keys of the command's own, behind the common ones.
  nlohmann::ordered_json more = nlohmann::ordered_json::object();
  /// What people read; whole lines.
  std::string text;

  void set_matrix(const detail::matrix_base& matrix);
  /// Records a check; `complaint`, empty where all is well, goes to the text.
  void check(const std::string& name, const std::string& complaint);
  bool all_well() const;
};

nlohmann::ordered_json to_json(const report& r);

/// Prints the report as --json and --quiet say, with a line for an output that is not whole where
/// others were asked for, and gives the exit code: that of a failed check before that of the line.
exit_code finish(const program& p, const report& r, const written& outputs = {});

using detail::duration;
using detail::grouped;
using detail::table;
/// A number with its digits before the point grouped, for distances.
std::string grouped(double number);
/// "12.3 MB"
std::string size_text(std::size_t bytes);
/// "karate.mtx: 34 x 34, 156 entries, on cpu (2 threads)"
std::string headline(const std::string& file, const report& r, const context& where);
/// "load 1.2 s, run 3.4 ms (min 3.1, max 4.0; 5 trials)"
std::string timing_line(const timings& t);
double median(std::vector<double> values);

/// The name of the one kernel that the context's device has, or "auto".
std::string kernel_name(const context& where);
/// Moves the matrix to the device, where there is one; the seconds that it took.
double transfer(const context& where, const detail::matrix_base& matrix);

}  // namespace tropic::cli
