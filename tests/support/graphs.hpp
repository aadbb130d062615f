// SPDX-License-Identifier: Apache-2.0
#pragma once

// The graphs that algorithms run over on devices: the real ones of the shared data, and generated
// ones of growing size.

#include <iosfwd>
#include <string>
#include <vector>

#include <tropic/io.hpp>

namespace tropic::testing {

enum class weight_kind { none, whole, real };

struct test_graph {
  std::string name;    // fit for a test's name
  std::string source;  // a file of the shared data, or a generator
  index_t entries;     // about so many: what it is chosen by
  weight_kind weights = weight_kind::none;

  bool is_generated() const { return source.find(':') != std::string::npos; }
};
std::ostream& operator<<(std::ostream&, const test_graph&);

const std::vector<test_graph>& test_graphs();

/// Why a test leaves the graph out, empty where it does not: it has more entries than run by
/// default (TROPIC_GRAPHS=all runs them all), or its file is not at hand.
std::string why_left_out(const test_graph&);

/// Without weights.
io::coordinates edges(const test_graph&);
/// With those of the file or the generator, else with weights of 1 to 255 that are the same in both
/// directions. T is int64, or double where the graph has real ones.
template <class T>
io::coordinates weighted_edges(const test_graph&);

/// The first of the vertices with the most edges out.
index_t busiest_vertex(const io::coordinates&);

}  // namespace tropic::testing
