// SPDX-License-Identifier: Apache-2.0
#pragma once

// Undirected simple graphs from a function that gives edge e: both directions of every edge, sorted
// by row and column, each once, without loops.
//
// The directions are partitioned by the high bits of their rows into buckets that fit the
// second-level cache: a first pass over the edges counts them, a second one, which generates the
// edges again instead of storing them, places them. Both work on slices of the edges, whose number
// does not depend on the threads. Full cache lines are written to the buckets (software
// write-combining: Balkesen et al., ICDE 2013, section IV). Then each bucket is sorted by
// least-significant-digit radix sort and loses its repetitions, and the buckets are closed up. The
// order in which directions are placed is immaterial, since equal ones are the same.
//
// Work O(E + directions), space 8 bytes for each direction of an edge (the result before
// repetitions are removed), plus at most 16 bytes per thread for each direction in the largest
// bucket.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <tropic/generators.hpp>
#include <vector>

#include "io/lines.hpp"
#include "io/memory.hpp"

namespace tropic::io::detail {

struct edge {
  std::uint32_t from;
  std::uint32_t to;
};

/// The buckets of a graph: the vertices with the same bits above `shift`.
struct bucket_layout {
  int scale = 0;
  int bits = 0;  ///< there are 2^bits buckets

  bucket_layout(int graph_scale, std::uint64_t edges);
  int shift() const { return scale - bits; }
  std::size_t count() const { return std::size_t{1} << bits; }
  std::size_t of(std::uint32_t vertex) const { return std::size_t{vertex} >> shift(); }
};

/// How many directions each slice of the edges has in each bucket; then where they begin.
class bucket_offsets {
 public:
  bucket_offsets(std::size_t slices, std::size_t buckets)
      : slices_(slices), buckets_(buckets), at_(slices * buckets, 0), begin_(buckets + 1, 0) {}

  std::uint64_t* of_slice(std::size_t slice) { return at_.data() + slice * buckets_; }
  /// From counts to positions.
  void scan();
  std::uint64_t begin(std::size_t bucket) const { return begin_[bucket]; }
  std::uint64_t end(std::size_t bucket) const { return begin_[bucket + 1]; }
  std::uint64_t total() const { return begin_.back(); }
  std::uint64_t largest() const;

 private:
  std::size_t slices_, buckets_;
  std::vector<std::uint64_t> at_, begin_;
};

/// Writes directions to their buckets, a cache line of rows and one of columns at a time.
class bucket_writer {
 public:
  bucket_writer(const bucket_layout& layout, std::uint64_t* next, coordinates& graph)
      : layout_(layout),
        next_(next),
        row_(graph.row.data()),
        column_(graph.column.data()),
        waiting_(layout.count()),
        used_(layout.count(), 0) {}

  void put(std::uint32_t row, std::uint32_t column) {
    const std::size_t bucket = layout_.of(row);
    group& g = waiting_[bucket];
    const std::size_t n = used_[bucket]++;
    g.row[n] = row;
    g.column[n] = column;
    if (n + 1 == g.row.size()) flush(bucket);
  }
  void flush_all() {
    for (std::size_t bucket = 0; bucket < used_.size(); ++bucket) flush(bucket);
  }

 private:
  struct group {
    std::array<std::uint32_t, 16> row, column;
  };
  void flush(std::size_t bucket) {
    if (used_[bucket] == 0) return;  // a graph without edges has no arrays
    const std::size_t bytes = used_[bucket] * sizeof(std::uint32_t);
    std::memcpy(row_ + next_[bucket], waiting_[bucket].row.data(), bytes);
    std::memcpy(column_ + next_[bucket], waiting_[bucket].column.data(), bytes);
    next_[bucket] += used_[bucket];
    used_[bucket] = 0;
  }

  bucket_layout layout_;
  std::uint64_t* next_;
  std::uint32_t* row_;
  std::uint32_t* column_;
  std::vector<group> waiting_;
  std::vector<std::uint8_t> used_;
};

/// Sorts the directions of every bucket, removes repetitions and closes the gaps.
void finish_buckets(coordinates& graph, const bucket_layout& layout, const bucket_offsets& offsets,
                    const job& work);

/// The part of `work` from one share of it to another.
inline job part_of(const job& work, double from, double to) {
  job part = work;
  part.from = work.from + (work.to - work.from) * from;
  part.to = work.from + (work.to - work.from) * to;
  return part;
}

/// The graph with 2^scale vertices and the edges edges(0), ..., edges(count - 1). The pattern and
/// the values are left to the caller.
template <class Edges>
coordinates symmetric_graph(int scale, std::uint64_t count, const Edges& edges, const job& work) {
  // Large enough to fill the buckets' lines, small enough to end soon after a cancellation.
  constexpr std::uint64_t slice = std::uint64_t{1} << 18, most_slices = 512;
  const auto slices =
      static_cast<std::size_t>(std::clamp<std::uint64_t>(count / slice, 1, most_slices));
  const bucket_layout layout(scale, count);
  bucket_offsets offsets(slices, layout.count());
  const auto for_each_edge = [&](std::size_t s, auto&& f) {
    for (std::uint64_t e = count * s / slices, end = count * (s + 1) / slices; e < end; ++e) {
      const edge ends = edges(e);
      if (ends.from != ends.to) f(ends);
    }
  };
  for_each_task(slices, part_of(work, 0, 0.35), [&](std::size_t s) {
    std::uint64_t* const counts = offsets.of_slice(s);
    for_each_edge(s, [&](const edge& ends) {
      ++counts[layout.of(ends.from)];
      ++counts[layout.of(ends.to)];
    });
  });
  offsets.scan();
  coordinates graph;
  graph.rows = graph.columns = index_t{1} << scale;
  resize_together(part_of(work, 0.35, 0.4), offsets.total(), graph.row, graph.column);
  for_each_task(slices, part_of(work, 0.4, 0.75), [&](std::size_t s) {
    bucket_writer out(layout, offsets.of_slice(s), graph);
    for_each_edge(s, [&](const edge& ends) {
      out.put(ends.from, ends.to);
      out.put(ends.to, ends.from);
    });
    out.flush_all();
  });
  finish_buckets(graph, layout, offsets, part_of(work, 0.75, 1));
  return graph;
}

}  // namespace tropic::io::detail
