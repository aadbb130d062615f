// SPDX-License-Identifier: Apache-2.0

// The cost of first uses. Two processes run one after the other, with a cache of compiled programs
// that is empty for the first. Each creates a context and runs two kernels; the cost of a program
// is the time of its first call minus that of a later call.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {
namespace {

constexpr std::array<const char*, 2> programs = {"csr_segmented", "csr_vector"};

double seconds_of(const std::function<void()>& work) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  work();
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// Runs this program again; returns the seconds that it prints, by name.
std::map<std::string, double> run_child(const settings& s, const std::string& program_path) {
  const std::string command =
      fmt::format("'{}' --startup-child --device '{}'", program_path, s.device);
  std::FILE* child = popen(command.c_str(), "r");
  if (child == nullptr) throw tropic::error("cannot start " + program_path);
  std::string text;
  std::array<char, 512> piece{};
  while (std::fgets(piece.data(), piece.size(), child) != nullptr) text += piece.data();
  if (pclose(child) != 0) throw tropic::error("the second process failed: " + text);
  std::map<std::string, double> seconds;
  std::istringstream words(text);
  std::string name;
  double value = 0;
  while (words >> name >> value) seconds[name] = value;
  return seconds;
}

}  // namespace

bool startup_child(const settings& s) {
  std::optional<device> on;
  fmt::print("context {}\n", seconds_of([&] { on.emplace(s.device); }));
  // Not timed: the matrix and its transfer.
  product p(*on, matrix_named("kron:10", 1), semiring_named("plus_times", "fp32"));
  p.a.offsets->device();
  p.a.column_indices->device();
  p.a.values->device();
  p.x.values->device();
  for (const char* program : programs) {
    const double first = seconds_of([&] { p.run(program, 1); });
    double later = first;
    for (int n = 0; n < 5; ++n) later = std::min(later, seconds_of([&] { p.run(program, 1); }));
    fmt::print("{} {}\n", program, first - later);
  }
  return p.is_right();
}

bool startup(const settings& s, const std::string& program_path) {
  std::string folder = (std::filesystem::temp_directory_path() / "tropic-startup-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw tropic::error("cannot create " + folder);
  // Also the caches of the drivers.
  for (const char* cache : {"TROPIC_CACHE_DIR", "CUDA_CACHE_PATH", "POCL_CACHE_DIR"})
    setenv(cache, folder.c_str(), 1);
  unsetenv("TROPIC_CACHE");
  std::map<std::string, double> fresh, warm;
  try {
    fresh = run_child(s, program_path);
    warm = run_child(s, program_path);
  } catch (...) {
    std::filesystem::remove_all(folder);
    throw;
  }
  std::filesystem::remove_all(folder);
  fmt::print("{}: seconds\n  {:<24} {:>14} {:>16}\n", s.device, "", "fresh cache",
             "second process");
  fmt::print("  {:<24} {:>14.4f} {:>16.4f}\n", "a context", fresh["context"], warm["context"]);
  csv file(s.output, "what,fresh,warm");
  file.line("context,{},{}\n", fresh["context"], warm["context"]);
  double slowest_fresh = 0, slowest_warm = 0;
  for (const char* program : programs) {
    fmt::print("  {:<24} {:>14.4f} {:>16.4f}\n", program, fresh[program], warm[program]);
    file.line("{},{},{}\n", program, fresh[program], warm[program]);
    slowest_fresh = std::max(slowest_fresh, fresh[program]);
    slowest_warm = std::max(slowest_warm, warm[program]);
  }
  if (s.device.starts_with("cuda")) {
    print_target("first use of a program", slowest_fresh, "< 0.5", slowest_fresh < 0.5);
    print_target("... in a second process", slowest_warm, "< 0.02", slowest_warm < 0.02);
  }
  return true;
}

}  // namespace bench
