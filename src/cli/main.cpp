// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.hpp"

int main(int count, char** arguments) {
  return tropic::cli::run_command_line(count, arguments, true);
}
