// SPDX-License-Identifier: Apache-2.0
#pragma once

// Synthetic graphs and matrices, sorted by row and column; the same on every machine and for every
// number of threads.
//
// Graphs are undirected: symmetric, no loops, each edge listed once per direction. `degree` is the
// number of edges drawn per vertex before loops and repetitions are dropped.

#include <cstdint>
#include <string_view>
#include <tropic/io.hpp>

namespace tropic {

/// Options of generators. Generators throw usage_error for weights of a type that cannot hold 255
/// (bool and int8), and for records.
struct generator_options {
  bool weighted = false;              ///< integer weights 1 to 255, the same in both directions
  type_code type = type_code::int64;  ///< of the weights
  int threads = 0;                    ///< 0: OpenMP's default
  io::progress_function progress{};
};

/// The Graph500 Kronecker graph (A, B, C = .57, .19, .19) of 2^scale shuffled vertices. Throws
/// usage_error unless the scale is from 0 to 31 and the degree from 0 to 2^24; out_of_memory.
TROPIC_API io::coordinates kron(int scale, index_t degree = 16, std::uint64_t seed = 0,
                                const generator_options& options = {});

/// A graph with both ends of every edge drawn uniformly from 2^scale vertices. Throws as kron does.
TROPIC_API io::coordinates urand(int scale, index_t degree = 16, std::uint64_t seed = 0,
                                 const generator_options& options = {});

/// A side x side grid, each vertex joined to its neighbours above, below, left and right. Throws
/// usage_error unless the side is from 0 to 65,536; out_of_memory.
TROPIC_API io::coordinates grid(index_t side, const generator_options& options = {});

/// A substitute for one of the twenty matrices used to publish the speculative segmented sum (Liu
/// and Vinter, Parallel Computing 49, 2015; dense, protein, ... dc2, ins2): the same number of
/// rows, columns and entries and the same shortest and longest row; entries are random, within a
/// band if the original's are near the diagonal. Not symmetric; `lp` is not square. Throws
/// usage_error for other names, listing all twenty.
TROPIC_API io::coordinates paper(std::string_view name, const generator_options& options = {});

/// Whether the text begins with the name of a generator (`kron:`, `urand:`, `grid:`, `paper:`),
/// even if the rest is invalid.
TROPIC_API bool is_generator_spec(std::string_view spec);

/// `kron:SCALE[:DEGREE[:SEED]]`, `urand:SCALE[:DEGREE[:SEED]]`, `grid:SIDE` or `paper:NAME`.
TROPIC_API io::coordinates generate(std::string_view spec, const generator_options& options = {});

}  // namespace tropic
