// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order by degree as one operation of a backend (src/operations/permute_matrix.cpp).

#include <cstdint>
#include <optional>
#include <vector>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

/// The rows by descending number of entries, equal ones in their order. None where that is found on
/// the host (src/permute/sorted.cpp). Throws out_of_memory.
TROPIC_API std::optional<std::vector<std::uint32_t>> rows_by_entries(const matrix_base&);

}  // namespace tropic::detail
