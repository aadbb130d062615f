// SPDX-License-Identifier: Apache-2.0
#pragma once

// The matrices of the benchmark, by name: a synthetic matrix of a published shape (paper:ins2),
// rows of equal length (even:30), a permutation (permutation:4000000), a generated graph (kron:18)
// or a file; and sets of them.

#include <string>
#include <string_view>
#include <vector>

#include "io/generators/shapes.hpp"

namespace bench {

using tropic::shapes::csr;
using tropic::shapes::shape;

/// paper: the synthetic matrices. published: those of other libraries' publications, as far as
/// `folder` has their files. all: both. Adds absent files to `missing`.
std::vector<std::string> matrices_of_set(std::string_view set, const std::string& folder,
                                         std::vector<std::string>& missing);

/// `shrink` divides the size of generated matrices, for trial runs.
csr matrix_named(const std::string& name, std::int64_t shrink);

/// The published shape behind a synthetic matrix of that name, or null.
const shape* published_shape(std::string_view name);

}  // namespace bench
