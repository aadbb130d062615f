// SPDX-License-Identifier: Apache-2.0

// `fuzz_NAME --seeds FOLDER` writes the target's hand-written inputs and exits.

#include "fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  if (*count == 3 && std::string_view((*arguments)[1]) == "--seeds")
    std::exit(tropic::fuzz::write_seeds((*arguments)[2]));
  return 0;
}
