// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices and vectors from and to the Boost Graph Library (docs/interop.md). Opt-in: include it
// beside tropic/tropic.hpp and link Tropic::boost.
//
//   Boost.Graph -> Tropic   copy(context, g, weight)     any graph with vertex and edge lists
//                           copy_pattern(context, g)     the same without weights
//                           borrow(context, g, weight)   a compressed_sparse_row_graph with 32-bit
//                           share(context, g, weight)    vertices: its columns are not copied
//                           from_property_map(context, g, map)
//                           from_sparse_property_map(context, g, map, missing)
//   Tropic -> Boost.Graph   as_graph(m)                  m itself as a graph of the library
//                           as_undirected_graph(m)       the same for a symmetric matrix
//                           to_property_map(v, g, map, missing)
//                           to_predecessor_map(parent, g, map)
//
// The vertex with index k is row, column and position k: by the graph's own vertex_index map, or
// by one that the caller gives, which must number the vertices from 0. Value types are those of
// the maps; nothing is typecast (boost::make_transform_value_property_map does it). Every function
// is all or nothing and throws usage_error.

#include <tropic/interop/boost_graph/compressed_sparse_row.hpp>
#include <tropic/interop/boost_graph/copy.hpp>
#include <tropic/interop/boost_graph/graph_view.hpp>
#include <tropic/interop/boost_graph/property_maps.hpp>
