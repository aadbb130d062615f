// SPDX-License-Identifier: Apache-2.0
#pragma once

// Real matrices and graphs, which are not part of the repository: in ../shared/data, or in the
// folder TROPIC_SHARED_DATA on a machine without our sources.

#include <filesystem>
#include <string>
#include <vector>

namespace tropic::testing {

std::filesystem::path shared_data();
/// The existing folders of matrices in it: itself, `graphs`, `matrices`.
std::vector<std::filesystem::path> shared_folders();
/// A file in one of them; empty if it is not available.
std::filesystem::path shared_file(const std::string& name);

}  // namespace tropic::testing
