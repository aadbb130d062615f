// SPDX-License-Identifier: Apache-2.0
#include <tropic/error.hpp>

namespace tropic {

input_error::input_error(const std::string& file, std::size_t line, const std::string& found,
                         const std::string& expected)
    : error(file + (line ? ":" + std::to_string(line) : "") + ": found " + found + ", expected " +
            expected) {}

out_of_memory::out_of_memory(std::size_t needed, std::size_t free, const std::string& what_for)
    : error(what_for + ": " + std::to_string(needed) + " bytes required" +
            (free == unknown ? "" : ", " + std::to_string(free) + " bytes free")),
      required(needed),
      available(free) {}

out_of_memory::out_of_memory(const std::string& step, const out_of_memory& cause)
    : error(step + ": " + cause.what()), required(cause.required), available(cause.available) {}

}  // namespace tropic
