// SPDX-License-Identifier: Apache-2.0
#pragma once

// The storage of a vector and conversions between storages, on the backend's side of the memory.

#include <vector>

#include "backends/cpu/memory_side.hpp"

namespace tropic::detail::on_cpu {

/// A vector of `size` positions without its arrays.
vector_base shell(const memory_side& here, const type_description& type, index_t size);
vector_base no_entries(const memory_side& here, const type_description& type, index_t size);

/// The same entries stored as `storage`; full only if no entry is missing.
void hold_as(const memory_side& here, vector_base& v, vector_storage storage);

/// Selects the storage by density. `is_new`: v was just computed at a cost that justifies another
/// pass over all its positions, so that a bitmap with few entries may become sparse.
void settle(const memory_side& here, vector_base& v, bool is_new);

/// The entries of a sparse v for which keep[n] is not zero; shares v's arrays if all are kept. v
/// may be a pattern without values.
vector_base keep_entries(const memory_side& here, const vector_base& v, const std::uint8_t* keep);

/// The positions n < count with flags[n] != 0, ascending; `found` of them.
buffer_pointer list_positions(const memory_side& here, const std::uint8_t* flags, std::size_t count,
                              std::size_t found);
std::size_t count_flags(const memory_side& here, const std::uint8_t* flags, std::size_t count);

}  // namespace tropic::detail::on_cpu
