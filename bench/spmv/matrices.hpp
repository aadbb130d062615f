// SPDX-License-Identifier: Apache-2.0
#pragma once

// The matrices that products are measured on, by name: a stand-in (paper:ins2), rows of a length
// (even:30), a permutation (permutation:4000000), a generated graph (kron:18) or a file; and sets
// of them.

#include <string>
#include <string_view>
#include <vector>

#include "io/shapes.hpp"

namespace bench {

using tropic::shapes::csr;
using tropic::shapes::shape;

/// paper: the stand-ins. peers: those beside which other libraries' figures were taken, as far as
/// `folder` has their files. all: both. What is missing is named in `missing`.
std::vector<std::string> matrices_of_set(std::string_view set, const std::string& folder,
                                         std::vector<std::string>& missing);

/// `shrink` divides generated ones, to try a benchmark out.
csr matrix_named(const std::string& name, std::int64_t shrink);

/// The stand-in of that name, or null.
const shape* stand_in(std::string_view name);

}  // namespace bench
