// SPDX-License-Identifier: Apache-2.0
#pragma once

// The graphs for algorithms on devices: real ones from the shared data, and generated ones of
// growing size.

#include <iosfwd>
#include <string>
#include <vector>

#include <tropic/io.hpp>

namespace tropic::testing {

enum class weight_kind { none, whole, real };

struct test_graph {
  std::string name;    // suitable for a test's name
  std::string source;  // a file of the shared data, or a generator
  index_t entries;     // approximate number, for selection
  weight_kind weights = weight_kind::none;

  bool is_generated() const { return source.find(':') != std::string::npos; }
};
std::ostream& operator<<(std::ostream&, const test_graph&);

const std::vector<test_graph>& test_graphs();

/// The reason why a test skips the graph, empty if it does not: it has more entries than run by
/// default (TROPIC_GRAPHS=all runs all graphs), or its file is not available.
std::string why_left_out(const test_graph&);

/// Without weights.
io::coordinates edges(const test_graph&);
/// With the weights of the file or the generator, otherwise with weights of 1 to 255 that are the
/// same in both directions. T is int64, or double if the graph has real weights.
template <class T>
io::coordinates weighted_edges(const test_graph&);

/// The first vertex with the maximum number of outgoing edges.
index_t busiest_vertex(const io::coordinates&);

}  // namespace tropic::testing
