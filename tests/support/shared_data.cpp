// SPDX-License-Identifier: Apache-2.0
#include "support/shared_data.hpp"

#include <cstdlib>

namespace tropic::testing {

std::filesystem::path shared_data() {
  const char* set = std::getenv("TROPIC_SHARED_DATA");
  return set != nullptr ? set : TROPIC_SHARED_DATA;
}

std::vector<std::filesystem::path> shared_folders() {
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"", "graphs", "matrices"})
    if (const auto path = shared_data() / folder; std::filesystem::exists(path))
      found.push_back(path);
  return found;
}

std::filesystem::path shared_file(const std::string& name) {
  for (const auto& folder : shared_folders())
    if (std::filesystem::exists(folder / name)) return folder / name;
  return {};
}

}  // namespace tropic::testing
