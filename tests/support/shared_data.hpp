// SPDX-License-Identifier: Apache-2.0
#pragma once

// Real matrices and graphs, which are no part of the repository: in ../shared/data, or in the
// folder that TROPIC_SHARED_DATA names on a machine that has none of our sources.

#include <filesystem>
#include <string>
#include <vector>

namespace tropic::testing {

std::filesystem::path shared_data();
/// Those of its folders that exist and hold matrices: itself, `graphs`, `matrices`.
std::vector<std::filesystem::path> shared_folders();
/// A file in one of them; empty where it is not at hand.
std::filesystem::path shared_file(const std::string& name);

}  // namespace tropic::testing
