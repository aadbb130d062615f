// SPDX-License-Identifier: Apache-2.0

// Runs a target on the files of its corpus, in the order of their names, as libFuzzer does at its
// start, with any compiler. A failure ends the process; the last line names the file.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz.hpp"

int main(int count, char** arguments) {
  std::vector<std::filesystem::path> files;
  for (int a = 1; a < count; ++a) {
    const std::filesystem::path given = arguments[a];
    if (!std::filesystem::is_directory(given)) {
      files.push_back(given);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(given))
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    std::fprintf(stderr, "found no file to replay, expected files or folders as arguments\n");
    return 2;
  }
  for (const std::filesystem::path& file : files) {
    std::fprintf(stderr, "%s\n", file.filename().c_str());
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    // A separate block of the exact size, so that a memory checker detects reads past its end.
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::fprintf(stderr, "%zu files\n", files.size());
  return 0;
}
