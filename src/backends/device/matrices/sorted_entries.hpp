// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices from sorted entries.

#include <initializer_list>

#include "backends/device/primitives.hpp"

namespace tropic::detail {

/// Whether 32 bits count the entries of all of them together, and their rows.
bool are_few_entries(std::initializer_list<const matrix_base*>);

/// Completes longest_row and empty_rows.
void inspect_rows(device_context&, std::string_view operation, matrix_base& m);

/// Completes the offsets, and what inspect_rows does, from the sorted rows of the entries.
void lay_out_sorted(device_context&, std::string_view operation, matrix_base& m,
                    const sorted_keys& rows);

/// New rows and columns, by the old ones; null: they stay.
struct new_places {
  buffer_pointer rows{}, columns{};
};
/// Entries sorted by row, and by column within each.
struct placed_entries {
  sorted_keys by_row;
  buffer_pointer columns, values;
};
/// The entries of a, which has at least one, at their places in a `rows` x `columns` matrix.
placed_entries placed(device_context&, std::string_view operation, const matrix_base& a,
                      const new_places&, index_t rows, index_t columns);

/// Value k of the result is that of entry order[k] of a, which is not iso.
buffer_pointer gathered_values(device_context&, std::string_view operation, const matrix_base& a,
                               const buffer_pointer& order);

/// The program of matrices.kernel.
const compiled_program& matrices_program(device_context&);

}  // namespace tropic::detail
