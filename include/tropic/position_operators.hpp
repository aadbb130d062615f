// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operators of the position (i, j) of an entry and a number, for select and apply (GraphBLAS C API
// 2.1, table 3.9: the predefined index unary operators). A vector's entries are at (i, 0).
//
//   tropic::select(lower, tropic::tril{-1}, graph);  // GrB_TRIL, thunk -1: the strictly lower part
//
// Comparisons with a value are bound operators: bind_second(greater{}, 3) is GrB_VALUEGT.

#include <tropic/semirings/operator.hpp>

namespace tropic {

// Predicates for select. Each states what it keeps.
TROPIC_UNARY_OPERATOR(tril, j - i <= shift, (std::int64_t, shift));         // up to a diagonal
TROPIC_UNARY_OPERATOR(triu, j - i >= shift, (std::int64_t, shift));         // from a diagonal on
TROPIC_UNARY_OPERATOR(on_diagonal, j - i == shift, (std::int64_t, shift));  // GrB_DIAG
TROPIC_UNARY_OPERATOR(off_the_diagonal, j - i != shift, (std::int64_t, shift));  // GrB_OFFDIAG
TROPIC_UNARY_OPERATOR(rows_up_to, i <= last, (std::int64_t, last));              // GrB_ROWLE
TROPIC_UNARY_OPERATOR(rows_after, i > last, (std::int64_t, last));               // GrB_ROWGT
TROPIC_UNARY_OPERATOR(columns_up_to, j <= last, (std::int64_t, last));           // GrB_COLLE
TROPIC_UNARY_OPERATOR(columns_after, j > last, (std::int64_t, last));            // GrB_COLGT

// Numbers for apply.
TROPIC_UNARY_OPERATOR(row_number, i + shift, (std::int64_t, shift));             // GrB_ROWINDEX
TROPIC_UNARY_OPERATOR(column_number, j + shift, (std::int64_t, shift));          // GrB_COLINDEX
TROPIC_UNARY_OPERATOR(diagonal_number, j - (i + shift), (std::int64_t, shift));  // GrB_DIAGINDEX

}  // namespace tropic
