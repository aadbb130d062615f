// SPDX-License-Identifier: Apache-2.0
#pragma once

// One pass over the rows of a matrix that its file marks symmetric: whether the columns are valid,
// and hashes by which it can be told whether the entries are symmetric.
//
// The hash of an entry is that of the smaller and the greater of its row and column and of its
// value, so that mirror images cancel in the exclusive or of all hashes; entries on the diagonal
// have none. It consists of six rounds of AES with keys drawn once per process. Sets of entries
// whose hashes cancel under every key are known for four rounds and 2^32 entries (Ferguson et al.,
// Improved Cryptanalysis of Rijndael, FSE 2000), and for no more rounds with fewer than 2^128.
//
// The three streams (offsets, columns, values) are read once, at about the speed of memory. It
// needs instructions that encrypt two blocks at a time (VAES), which processors of AMD and Intel
// have since 2020; where they are missing, the checks are made one after the other (symmetry.hpp).

#include <array>
#include <cstddef>
#include <cstdint>

#include <tropic/io.hpp>

namespace tropic::io::detail {

/// The exclusive or of hashes.
using hash_sum = std::array<std::uint64_t, 2>;

/// For rows [begin, end). Returns false if their offsets do not ascend up to the number of entries,
/// or the columns of one do not ascend or are too large. Otherwise combines their hashes with
/// `sum`.
using symmetric_rows_pass = bool (*)(const mapped_csr& m, std::size_t begin, std::size_t end,
                                     hash_sum& sum);

/// The pass for a matrix. Null if it is complex or the processor lacks the instructions.
symmetric_rows_pass pass_over_symmetric_rows(const mapped_csr& m);

}  // namespace tropic::io::detail
