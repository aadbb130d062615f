// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program/recorded_programs.hpp"

#include <fcntl.h>

#include <cstdlib>

#include "backends/device/program/request_text.hpp"
#include "file_output/output.hpp"

namespace tropic::detail {

void record_program(const program_request& request) {
  const char* const file = std::getenv("TROPIC_PROGRAM_LIST");
  if (file == nullptr || *file == '\0') return;
  std::string line = line_of(request);
  if (line.empty()) return;
  line += '\n';
  // One write at the end, so that lines of several threads and processes do not mix.
  const files::descriptor list(::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (list) static_cast<void>(files::write_all(list.number(), line));
}

}  // namespace tropic::detail
