// SPDX-License-Identifier: Apache-2.0
#pragma once

// Synthetic graphs that every machine and thread count makes alike.
//
// All are undirected: symmetric, no loops, each edge once a direction, sorted by row and column.
// `degree` is the number of edges drawn per vertex before loops and repetitions are dropped.

#include <cstdint>
#include <string_view>
#include <tropic/io.hpp>

namespace tropic {

struct generator_options {
  bool weighted = false;              ///< integer weights 1 to 255, the same in both directions
  type_code type = type_code::int64;  ///< of the weights
  int threads = 0;                    ///< 0: as many as OpenMP gives
  io::progress_function progress{};
};

/// The Graph500 Kronecker graph (A, B, C = .57, .19, .19) of 2^scale shuffled vertices.
TROPIC_API io::coordinates kron(int scale, index_t degree = 16, std::uint64_t seed = 0,
                                const generator_options& options = {});

/// Both ends of every edge drawn uniformly from 2^scale vertices.
TROPIC_API io::coordinates urand(int scale, index_t degree = 16, std::uint64_t seed = 0,
                                 const generator_options& options = {});

/// A side x side grid, each vertex joined to its neighbours above, below, left and right.
TROPIC_API io::coordinates grid(index_t side, const generator_options& options = {});

/// True for text that starts like a generator (`kron:`, `urand:`, `grid:`), well formed or not.
TROPIC_API bool is_generator_spec(std::string_view spec);

/// `kron:SCALE[:DEGREE[:SEED]]`, `urand:SCALE[:DEGREE[:SEED]]` or `grid:SIDE`.
TROPIC_API io::coordinates generate(std::string_view spec, const generator_options& options = {});

}  // namespace tropic
