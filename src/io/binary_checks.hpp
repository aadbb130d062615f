// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tropic/io.hpp>

#include "binary_format.hpp"

namespace tropic::io::detail {

/// The header of a `.tropic` file. Throws input_error, which names the byte, unless all it says of
/// sizes and places is so.
binary_header checked_header(std::string_view bytes, std::string_view name);

/// Throws the same where offsets, columns, values, vertex numbers or padding are not those of the
/// format, or the entries are not symmetric though the header says so.
void check_contents(const mapped_csr& matrix, const binary_header& header, std::string_view bytes,
                    std::string_view name, int threads);

}  // namespace tropic::io::detail
