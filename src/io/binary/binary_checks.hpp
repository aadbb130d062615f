// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tropic/io.hpp>

#include "io/binary/binary_format.hpp"

namespace tropic::io::detail {

/// The header of a `.tropic` file. Throws input_error, which names the byte, if a size or position
/// in it is wrong.
binary_header checked_header(std::string_view bytes, std::string_view name);

/// Throws the same if offsets, columns, values, vertex numbers or padding violate the format, or if
/// the entries are not symmetric although the header claims it.
void check_contents(const mapped_csr& matrix, const binary_header& header, std::string_view bytes,
                    std::string_view name, int threads);

}  // namespace tropic::io::detail
