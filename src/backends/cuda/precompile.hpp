// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compiles a list of programs for GPUs that need not be there, into the archives that
// precompiled_programs reads.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tropic/context.hpp>

namespace tropic::detail {

struct program_request;

struct precompilation {
  std::vector<std::string> lines;          // line_of(request); those that occur again are left out
  std::vector<std::string> architectures;  // "sm_90"
  std::filesystem::path folder;            // made if it is not there
  int threads = 1;
  cancel_token cancel{};
};

struct precompiled_architecture {
  std::string architecture;
  std::filesystem::path file;
  std::size_t programs = 0;
  std::uint64_t code_bytes = 0, file_bytes = 0;
  double compiler_seconds = 0;  // of all threads together
};

/// The programs of built-in semirings and of the algorithms: those of programs.list, and their
/// variants.
std::vector<std::string> builtin_programs();
/// Lines, and those of the programs that graphs of other sizes ask for instead
/// (program_variants.hpp), on any GPU. Each once, in their order.
std::vector<std::string> with_variants(const std::vector<std::string>& lines);
/// Whether an archive of the architecture has the program. Launches of T_TOGETHER groups are
/// clusters where the architecture has them, and launches of one group elsewhere, so that a program
/// with this constant is for one of the two kinds.
bool is_for(const program_request&, std::string_view architecture);
/// The lines of a list; those that are empty or begin with # are left out.
std::vector<std::string> lines_of_programs(std::string_view list);

/// Throws usage_error for an architecture that NVRTC does not know, device_error where there is no
/// NVRTC or a program does not compile, error for a line that describes no program, cancelled.
std::vector<precompiled_architecture> precompile(const precompilation&);

}  // namespace tropic::detail
