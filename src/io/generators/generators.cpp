// SPDX-License-Identifier: Apache-2.0

// kron, urand, grid and paper.
//
// Random numbers are counter-based (random_bits.hpp): each is a hash of the seed and a counter, so
// any thread may generate any edge, and edges can be generated twice instead of stored. kron
// descends the 2 x 2 initiator once per bit (Graph500 specification, section 3) and permutes the
// vertices by a keyed bijection of their bits, so that the number of a vertex is unrelated to its
// degree.
//
// Edges become rows in symmetric_graph.hpp.

#include <algorithm>
#include <array>
#include <cstring>
#include <tropic/detail/random_bits.hpp>
#include <tropic/generators.hpp>

#include "io/generators/shapes.hpp"
#include "io/generators/symmetric_graph.hpp"
#include "io/lines.hpp"
#include "io/memory.hpp"

namespace tropic {

namespace {

using detail::golden;
using detail::mix;
using detail::random_bits;
using io::coordinates;
using io::detail::edge;
using io::detail::for_each_task;
using io::detail::job;
using io::detail::symmetric_graph;

/// A bijection of [0, 2^bits): four rounds of odd multiples and shifts, each invertible.
class vertex_shuffle {
 public:
  vertex_shuffle(int bits, std::uint64_t seed)
      : mask_((std::uint64_t{1} << bits) - 1), shift_(std::max(1, bits / 2)) {
    for (std::size_t r = 0; r < rounds; ++r) {
      factor_[r] = random_bits(seed, 2 * r) | 1U;
      offset_[r] = random_bits(seed, 2 * r + 1);
    }
  }
  std::uint32_t operator()(std::uint64_t v) const {
    for (std::size_t r = 0; r < rounds; ++r) {
      v = (v * factor_[r] + offset_[r]) & mask_;
      v ^= v >> shift_;
    }
    return static_cast<std::uint32_t>(v);
  }

 private:
  static constexpr std::size_t rounds = 4;
  std::uint64_t mask_;
  int shift_;
  std::array<std::uint64_t, rounds> factor_{};
  std::array<std::uint64_t, rounds> offset_{};
};

struct kron_edges {
  int scale;
  std::uint64_t stream;
  vertex_shuffle shuffle;

  edge operator()(std::uint64_t e) const {
    // Quadrants of the initiator with 32 random bits: A = .57, B = C = .19, the rest .05.
    constexpr std::uint32_t a = 2448131359U, ab = 3264175145U, abc = 4080218931U;
    std::uint64_t from = 0, to = 0;
    const auto descend = [&](std::uint32_t draw) {
      // Sums instead of branches, which would be mispredicted.
      const unsigned past_a = draw >= a, past_b = draw >= ab, past_c = draw >= abc;
      from = from << 1 | past_b;
      to = to << 1 | (past_a ^ past_b ^ past_c);
    };
    const std::uint64_t edge_stream = random_bits(stream, e);
    for (int level = 0; level < scale; level += 2) {  // two levels per number
      const std::uint64_t bits = random_bits(edge_stream, static_cast<std::uint64_t>(level));
      descend(static_cast<std::uint32_t>(bits));
      if (level + 1 < scale) descend(static_cast<std::uint32_t>(bits >> 32));
    }
    return {shuffle(from), shuffle(to)};
  }
};

struct urand_edges {
  int scale;
  std::uint64_t stream;

  edge operator()(std::uint64_t e) const {
    const std::uint64_t mask = (std::uint64_t{1} << scale) - 1;
    return {static_cast<std::uint32_t>(random_bits(stream, 2 * e) & mask),
            static_cast<std::uint32_t>(random_bits(stream, 2 * e + 1) & mask)};
  }
};

job step(const generator_options& options, double from, double to) {
  job work;
  work.threads = options.threads;
  work.progress = &options.progress;
  work.from = from;
  work.to = to;
  return work;
}

constexpr std::size_t block = std::size_t{1} << 16;
constexpr std::size_t blocks_of(std::size_t count) {
  return (count + block - 1) / block;
}

/// Calls f(i) for every i below `count`, in parallel.
template <class F>
void for_each_index(std::size_t count, const job& work, F&& f) {
  for_each_task(blocks_of(count), work, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i) f(i);
  });
}

void add_weights(coordinates& graph, std::uint64_t seed, const generator_options& options) {
  graph.stored = graph.entries();
  graph.symmetric = true;
  graph.pattern = !options.weighted;
  graph.type = options.weighted ? options.type : type_code::boolean;
  if (graph.pattern) {
    graph.values.assign(1, std::byte{1});
    return;
  }
  if (graph.type == type_code::boolean || graph.type == type_code::int8 ||
      graph.type == type_code::record)
    throw usage_error("generated weights go up to 255, which this type cannot hold");
  const std::size_t entries = graph.row.size();
  io::detail::require_memory(entries, graph.value_size(), "generating weights");
  graph.values.resize(entries * graph.value_size());
  const std::uint64_t stream = mix(seed + 3 * golden);
  with_builtin_type(graph.type, [&]<class T>() {
    auto* const values = reinterpret_cast<T*>(graph.values.data());
    for_each_index(entries, step(options, 0.9, 1), [&, values](std::size_t k) {
      const auto [low, high] = std::minmax(graph.row[k], graph.column[k]);
      const std::uint64_t bits = random_bits(stream, std::uint64_t{high} << 32 | low);
      values[k] = static_cast<T>(bits % 255 + 1);
    });
  });
}

std::uint64_t checked_edges(const char* name, int scale, index_t degree) {
  const std::string spec =
      std::string(name) + ":" + std::to_string(scale) + ":" + std::to_string(degree);
  if (scale < 0 || scale > 31)
    throw usage_error(spec + ": the scale must be from 0 to 31 (2^scale vertices)");
  if (degree < 0 || degree > (index_t{1} << 24))
    throw usage_error(spec + ": the degree must be from 0 to 16777216");
  const std::uint64_t edges = static_cast<std::uint64_t>(degree) << scale;
  io::detail::require_memory(edges, 2 * 2 * sizeof(std::uint32_t), "generating " + spec);
  return edges;
}

}  // namespace

io::coordinates kron(int scale, index_t degree, std::uint64_t seed,
                     const generator_options& options) {
  const std::uint64_t count = checked_edges("kron", scale, degree);
  const kron_edges edges{scale, mix(seed + golden), vertex_shuffle(scale, mix(seed + 2 * golden))};
  coordinates graph = symmetric_graph(scale, count, edges, step(options, 0, 0.9));
  add_weights(graph, seed, options);
  return graph;
}

io::coordinates urand(int scale, index_t degree, std::uint64_t seed,
                      const generator_options& options) {
  const std::uint64_t count = checked_edges("urand", scale, degree);
  const urand_edges edges{scale, mix(seed + golden)};
  coordinates graph = symmetric_graph(scale, count, edges, step(options, 0, 0.9));
  add_weights(graph, seed, options);
  return graph;
}

io::coordinates grid(index_t side, const generator_options& options) {
  if (side < 0 || side > 65536)
    throw usage_error("grid:" + std::to_string(side) + ": the side must be from 0 to 65536");
  const auto n = static_cast<std::size_t>(side);
  const std::size_t entries = n == 0 ? 0 : 4 * n * (n - 1);
  io::detail::require_memory(entries, 8, "generating grid:" + std::to_string(side));
  coordinates graph;
  graph.rows = graph.columns = side * side;
  graph.row.resize(entries);
  graph.column.resize(entries);
  for_each_task(n, step(options, 0, 0.9), [&](std::size_t y) {
    // The rows of the grid above this one hold 2(n - 1) horizontal directions each, and each gap
    // between two rows 2n vertical ones; of the gap above this row only the downward ones are
    // counted.
    std::size_t k = y * 2 * (n - 1) + (y == 0 ? 0 : 2 * n * (y - 1) + n);
    for (std::size_t x = 0; x < n; ++x) {
      const std::size_t v = y * n + x;
      const auto join = [&](std::size_t w) {
        graph.row[k] = static_cast<std::uint32_t>(v);
        graph.column[k++] = static_cast<std::uint32_t>(w);
      };
      if (y > 0) join(v - n);
      if (x > 0) join(v - 1);
      if (x + 1 < n) join(v + 1);
      if (y + 1 < n) join(v + n);
    }
  });
  add_weights(graph, 0, options);
  return graph;
}

io::coordinates paper(std::string_view name, const generator_options& options) {
  const shapes::shape* const wanted = shapes::of_papers(name);
  const std::string spec = "paper:" + std::string(name);
  if (wanted == nullptr) {
    std::string all;
    for (const shapes::shape& s : shapes::of_papers())
      all.append(all.empty() ? "" : " ").append(s.name);
    throw usage_error(spec + ": found '" + std::string(name) + "', expected one of " + all);
  }
  const auto entries = static_cast<std::size_t>(wanted->entries),
             rows = static_cast<std::size_t>(wanted->rows);
  io::detail::require_memory(1, 12 * entries + 24 * rows, "generating " + spec);
  shapes::csr result = shapes::make(*wanted, step(options, 0, 1).thread_count());
  coordinates matrix;
  matrix.rows = wanted->rows;
  matrix.columns = wanted->columns;
  matrix.column = std::move(result.column);
  matrix.row.resize(entries);
  for_each_index(rows, step(options, 0, 0.9), [&](std::size_t r) {
    std::fill(matrix.row.begin() + static_cast<std::ptrdiff_t>(result.offsets[r]),
              matrix.row.begin() + static_cast<std::ptrdiff_t>(result.offsets[r + 1]),
              static_cast<std::uint32_t>(r));
  });
  add_weights(matrix, 0, options);
  matrix.symmetric = false;
  return matrix;
}

}  // namespace tropic
