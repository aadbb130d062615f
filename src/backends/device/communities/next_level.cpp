// SPDX-License-Identifier: Apache-2.0

// The communities of a level as the vertices of the next one, on a device (community_rows.kernel,
// community_tables.kernel). A level of few vertices goes to the host, where they move one after the
// other.

#include <algorithm>

#include "backends/device/communities/device_level.hpp"
#include "backends/device/primitives.hpp"

namespace tropic::detail {

device_graph device_level::joined_rows(std::uint64_t count, const buffer_pointer& number) const {
  const std::uint64_t n = graph_.rows;
  const void *offsets = device_.read(graph_.offsets), *columns = device_.read(graph_.columns),
             *weights = device_.read(graph_.weights), *community = device_.read(community_),
             *of_community = device_.read(number);
  // The rows of each community behind one another.
  const buffer_pointer lengths = zeros(count * sizeof(std::uint32_t)),
                       next = zeros(count * sizeof(std::uint32_t)), number_of = words(n),
                       place = words(n);
  void *to_lengths = device_.write(lengths, access::modify), *to_number = device_.write(number_of),
       *to_place = device_.write(place), *to_next = device_.write(next, access::modify);
  const kernel_argument measure[] = {n,         offsets,      graph_.wide, columns,
                                     community, of_community, to_number,   to_lengths};
  launch(programs_.state(), "t_measure_rows", n, measure);
  device_graph joined{.rows = count};
  joined.offsets = sums_before(device_, count, lengths, sizeof(std::uint32_t)).before;
  const void *starts = device_.read(joined.offsets), *numbers = device_.read(number_of);
  const kernel_argument put[] = {n, offsets, graph_.wide, numbers, starts, to_next, to_place};
  launch(programs_.state(), "t_place_rows", n, put);
  joined.columns = words(graph_.nnz);
  const buffer_pointer sums = device_.allocate(graph_.nnz * sum_bytes());
  const void* const places = device_.read(place);
  void *to_columns = device_.write(joined.columns), *to_sums = device_.write(sums);
  const kernel_argument copy[] = {n,       graph_.nnz,          offsets, graph_.wide, columns,
                                  weights, graph_.weight_bytes, numbers, places,      to_columns,
                                  to_sums};
  launch(programs_.state(), "t_copy_rows", (graph_.nnz + 15) / 16, copy);

  // Equal columns added up, at the beginning of each row. The copied weights have the size of sums.
  if (graph_.weight_bytes > 0) {
    joined.weights = sums;
    joined.weight_bytes = sum_bytes();
  }
  const listed_rows listed = list_rows(joined, false, 0, static_cast<std::uint32_t>(count));
  const void *list = device_.read(listed.list), *from_weights = device_.read(joined.weights);
  device_.runtime().fill(to_lengths, 0, lengths->bytes());
  std::uint64_t first = 0;
  for (std::size_t kind = 0; kind < community_programs::long_class; ++kind) {
    const std::uint64_t rows = listed.count(0, kind);
    const kernel_argument join[] = {
        first,   rows,      list, starts, to_columns, from_weights, joined.weight_bytes,
        to_sums, to_lengths};
    launch(programs_.of_class(kind), "t_join", rows * community_programs::teams[kind].lanes, join);
    first += rows;
  }
  if (const std::uint32_t units = listed.units(0); units > 0) {
    const long_tables tables = tables_for(listed);
    sum_long(programs_.of_class(community_programs::long_class), joined, listed, 0, tables, false);
    const std::uint32_t zero = 0;
    const void *long_units = device_.read(listed.long_units),
               *of_tables = device_.read(listed.long_tables),
               *unit_rows = device_.read(listed.unit_rows);
    void *table_numbers = device_.write(tables.numbers, access::modify),
         *table_sums = device_.write(tables.sums, access::modify);
    const kernel_argument join[] = {first,      list,   zero,  long_units,         of_tables,
                                    unit_rows,  starts, zero,  listed.max_numbers, table_numbers,
                                    table_sums, zero,   units, to_columns,         to_sums,
                                    to_lengths};
    launch(programs_.of_class(community_programs::long_class), "t_join_long",
           std::uint64_t{units} * community_programs::group_of_long, join,
           community_programs::group_of_long);
  }

  const prefix_sums before = sums_before(device_, count, lengths, sizeof(std::uint32_t));
  device_graph result{.rows = count,
                      .nnz = static_cast<std::uint64_t>(before.all()),
                      .offsets = before.before,
                      .weight_bytes = sum_bytes()};
  result.columns = words(result.nnz);
  result.weights = device_.allocate(result.nnz * sum_bytes());
  const void* const new_offsets = device_.read(result.offsets);
  void *new_columns = device_.write(result.columns), *new_weights = device_.write(result.weights);
  const kernel_argument tighten[] = {count,      result.nnz, new_offsets, starts,
                                     to_columns, to_sums,    new_columns, new_weights};
  launch(programs_.state(), "t_tighten", (result.nnz + 15) / 16, tighten);
  return result;
}

std::unique_ptr<community_level> device_level::next() {
  const std::uint64_t n = graph_.rows;
  const buffer_pointer marks = zeros(n);
  const void *offsets = device_.read(graph_.offsets), *columns = device_.read(graph_.columns),
             *community = device_.read(community_), *total = device_.read(total_);
  void* const to_marks = device_.write(marks, access::modify);
  const kernel_argument mark[] = {n, offsets, graph_.wide, columns, community, to_marks};
  launch(programs_.state(), "t_mark_communities", n, mark);
  const prefix_sums before = sums_before(device_, n, marks, 1);
  const auto count = static_cast<std::uint64_t>(before.all());
  number_ = words(n);
  of_number_ = words(count);
  const buffer_pointer weight = device_.allocate(count * sum_bytes());
  const void *marked = device_.read(marks), *numbers = device_.read(before.before);
  void *to_number = device_.write(number_), *to_of_number = device_.write(of_number_),
       *to_weight = device_.write(weight);
  const kernel_argument number[] = {n, marked, numbers, total, to_number, to_of_number, to_weight};
  launch(programs_.state(), "t_number", n, number);
  device_graph graph = count == 0 ? device_graph{.offsets = zeros(sizeof(std::uint32_t)),
                                                 .weight_bytes = sum_bytes()}
                                  : joined_rows(count, number_);
  graph.of_vertices = weight;
  if (count <= community_rule::few_vertices) return host_level_of(graph);
  return std::make_unique<device_level>(device_, std::move(graph), rule_);
}

// With the graph's weights of vertices in 64 bits.
std::unique_ptr<community_level> device_level::host_level_of(const device_graph& graph) const {
  const on_cpu::memory_side here = device_.host_side();
  community_graph copy{.vertices = graph.rows,
                       .longest_row = 0,
                       .offsets = graph.offsets,
                       .columns = graph.columns,
                       .weights = graph.weights,
                       .wide = graph.wide != 0,
                       .weight_bytes = graph.weight_bytes,
                       .of_vertices = graph.of_vertices};
  const on_cpu::offsets_view offsets{here.read(graph.offsets), copy.wide};
  for (std::size_t v = 0; v < copy.vertices; ++v)
    copy.longest_row = std::max(copy.longest_row, offsets[v + 1] - offsets[v]);
  if (!wide_) {
    copy.of_vertices = here.allocate(copy.vertices, sizeof(std::uint64_t));
    std::copy_n(here.read_as<std::uint32_t>(graph.of_vertices), copy.vertices,
                here.write_as<std::uint64_t>(copy.of_vertices));
  }
  return make_host_level(here, std::move(copy), rule_);
}

void device_level::join_as(community_level& above) {
  const buffer_pointer joined = above.communities();
  const void *number = device_.read(number_), *of_number = device_.read(of_number_),
             *to = device_.read(joined);
  void* const community = device_.write(community_, access::modify);
  const kernel_argument list[] = {graph_.rows, number, of_number, to, community};
  launch(programs_.state(), "t_join_as", graph_.rows, list);
  number_ = of_number_ = nullptr;
}

}  // namespace tropic::detail
