// SPDX-License-Identifier: Apache-2.0

// Constants on disk, one per line, so that people can read and compare them:
//
//   tropic calibration 7
//   device cpu, AMD EPYC, 2 threads
//   seconds 4.2
//   noise 0.012
//   transfer 0 0
//   csr_vector/4 call row 1.2e-09 entry 3.1e-10 ...
//   csr_vector/4 floor 4.2e-06
//   csr_vector/4 compares 0.95

#include <charconv>
#include <fstream>
#include <locale>
#include <sstream>

#include <fmt/format.h>

#include "backends/device/program/program_cache.hpp"
#include "file_output/output.hpp"
#include "plan/calibration.hpp"

namespace tropic::detail {

namespace {

constexpr std::size_t most_bytes = std::size_t{1}
                                   << 20;  // size limit of the file, which has some kilobytes
// Changes whenever the terms, the kernels or their meaning change.
constexpr std::string_view heading = "tropic calibration 8";

std::string line_of(std::string_view key, std::string_view what, const term_values& values) {
  std::string line = fmt::format("{} {}", key, what);
  for (std::size_t n = 0; n < cost_terms; ++n)
    if (values[n] > 0)
      line += fmt::format(" {} {:.6g}", name_of(static_cast<cost_term>(n)), values[n]);
  return line + "\n";
}

// Seconds or a factor. Negative and non-finite values are no measurements.
bool is_cost(double value) {
  return value >= 0 && value < 1e6;
}

bool read_terms(std::istringstream& words, term_values& to) {
  std::string name;
  while (words >> name) {
    std::size_t n = 0;
    while (n < cost_terms && name_of(static_cast<cost_term>(n)) != name) ++n;
    if (n == cost_terms || !(words >> to[n]) || !is_cost(to[n])) return false;
  }
  return true;
}

}  // namespace

std::filesystem::path calibration_file(const std::string& identity) {
  const std::filesystem::path folder = program_cache(nullptr).folder();
  if (folder.empty()) return {};
  return folder / ("calibration-" + program_cache::key_of(heading, "", identity) + ".txt");
}

std::string to_text(const cost_constants& c) {
  std::string text =
      fmt::format("{}\ndevice {}\nseconds {:.3g}\nnoise {:.3g}\ntransfer {:.6g} {:.6g}\n", heading,
                  c.device, c.seconds, c.noise, c.transfer_call, c.transfer_byte);
  for (const auto& [key, costs] : c.of) {
    text += line_of(key, "call", costs.call);
    text += line_of(key, "conversion", costs.conversion);
    if (costs.floor > 0) text += fmt::format("{} floor {:.6g}\n", key, costs.floor);
    if (costs.compares != 1) text += fmt::format("{} compares {:.4g}\n", key, costs.compares);
  }
  return text + "end\n";
}

std::optional<cost_constants> from_text(std::string_view text, std::string_view identity) {
  // Numbers have a decimal point in every global locale.
  std::istringstream lines{std::string(text)};
  std::string line;
  if (!std::getline(lines, line) || line != heading) return {};
  if (!std::getline(lines, line) || line != fmt::format("device {}", identity)) return {};
  cost_constants constants;
  constants.device = identity;
  bool ended = false;
  while (!ended && std::getline(lines, line)) {
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string key, what;
    words >> key;
    bool good = true;
    if (key == "end")
      ended = true;
    else if (key == "seconds")
      good = words >> constants.seconds && is_cost(constants.seconds);
    else if (key == "noise")
      good = words >> constants.noise && is_cost(constants.noise);
    else if (key == "transfer")
      good = words >> constants.transfer_call >> constants.transfer_byte &&
             is_cost(constants.transfer_call) && is_cost(constants.transfer_byte);
    else if (words >> what && what == "compares")
      good = words >> constants.of[key].compares && constants.of[key].compares > 0 &&
             is_cost(constants.of[key].compares);
    else if (what == "floor")
      good = words >> constants.of[key].floor && is_cost(constants.of[key].floor);
    else if (what == "call" || what == "conversion")
      good =
          read_terms(words, what == "call" ? constants.of[key].call : constants.of[key].conversion);
    else
      good = false;
    if (!good) return {};
  }
  if (!ended) return {};
  constants.origin = fmt::format("measured on this device earlier, in {:.1f} s", constants.seconds);
  return constants;
}

std::optional<cost_constants> read_constants(const std::string& identity) {
  const std::filesystem::path path = calibration_file(identity);
  if (path.empty()) return {};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    return {};  // reading a pipe might never end
  std::ifstream file(path, std::ios::binary);
  std::string text(most_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.eof()) return {};
  text.resize(static_cast<std::size_t>(file.gcount()));
  return from_text(text, identity);
}

void write_constants(const cost_constants& c, const std::function<void(std::string_view)>& log) {
  const std::filesystem::path path = calibration_file(c.device);
  if (path.empty()) return;
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  try {
    // Written atomically, so that no reader sees a part of it.
    files::output file{files::place(path)};
    file.write(to_text(c));
    file.commit();
  } catch (const error& failure) {
    log(fmt::format("calibration: cannot write {}; the device is measured again next time ({})",
                    path.string(), failure.what()));
  }
}

}  // namespace tropic::detail
