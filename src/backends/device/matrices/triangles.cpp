// SPDX-License-Identifier: Apache-2.0

// The number of triangles (triangles.kernel): an entry of each edge is listed in the row of its
// vertex with the smaller degree; then the rows of the matrix are counted at, in classes by the
// lengths of their lists. The host learns the number of these entries, the number of units of each
// class, and the sum.

#include <algorithm>
#include <bit>
#include <vector>

#include <tropic/context.hpp>
#include <tropic/semirings/monoid.hpp>

#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {
namespace {

constexpr std::string_view name_of_triangles = "triangles";
constexpr std::size_t wanted_group = 128;  // of kernels without tables
constexpr std::size_t items = 8;           // T_PER_ITEM
constexpr std::uint32_t most_lanes = 32;   // of t_count_short; entries of its units

std::uint32_t lanes_of_short(const device_traits& device) {
  return static_cast<std::uint32_t>(
      std::min<std::size_t>(most_lanes, device.group_within(wanted_group)));
}

class triangle_counter {
 public:
  triangle_counter(device_context& device, const triangle_limits& limits, const matrix_base& a)
      : device_(device),
        limits_(limits),
        c_(device, a),
        columns_(device.read(a.column_indices)),
        group_(device.group_size(wanted_group)),
        listing_(*device.runtime().program(triangle_programs::listing(device.traits()))) {}

  /// Lists the entries that are ahead. Returns the number of these.
  index_t list();
  /// Counts in every class; the results are `sums`, 64 bits for each group.
  void count();
  const std::vector<buffer_pointer>& sums() const { return sums_; }

 private:
  struct class_units {
    std::uint64_t count = 0;
    buffer_pointer before;
  };
  class_units units_of(std::uint32_t min_length, std::uint32_t max_length,
                       std::uint32_t chunk) const;
  void count_short();
  void count_in_tables(const triangle_limits::table&, std::uint32_t min_length, bool is_last);
  template <class F>
  void in_parts(std::uint64_t groups, std::size_t group, F&& launch) const;

  device_context& device_;
  const triangle_limits& limits_;
  const matrix_arguments c_;
  const void* columns_;
  const std::size_t group_;
  const compiled_program& listing_;
  buffer_pointer ahead_, listed_;  // offsets, and columns
  std::vector<buffer_pointer> sums_;
};

index_t triangle_counter::list() {
  const std::uint64_t tiles = divide_up(c_.nnz, group_ * items);
  const buffer_pointer degrees = device_.allocate(c_.rows * sizeof(std::uint32_t)),
                       sums = device_.allocate(tiles * sizeof(std::uint64_t)),
                       total = device_.allocate(sizeof(std::uint64_t));
  void* to_degrees = device_.write(degrees);
  const kernel_argument of_rows[] = {c_.rows, c_.offsets, c_.wide, to_degrees};
  device_.launch_over(c_.rows, name_of_triangles, listing_, "t_degrees", of_rows);
  const void* of_vertices = device_.read(degrees);
  void* of_tiles = device_.write(sums);
  const kernel_argument counting[] = {c_.rows,  c_.nnz,      c_.offsets, c_.wide,
                                      columns_, of_vertices, of_tiles};
  device_.runtime().launch(name_of_triangles, listing_, "t_count_ahead", counting, tiles, group_);
  scan(device_, tiles, sums, total);
  const auto count = *static_cast<const std::uint64_t*>(total->host());

  ahead_ = device_.allocate((c_.rows + 1) * sizeof(std::uint32_t));
  listed_ = device_.allocate(count * sizeof(std::uint32_t));
  const void *before = device_.read(sums), *of_all = device_.read(total);
  void *to_offsets = device_.write(ahead_), *to_columns = device_.write(listed_);
  const kernel_argument listing[] = {c_.rows,     c_.nnz, c_.offsets, c_.wide,   columns_,
                                     of_vertices, before, to_offsets, to_columns};
  device_.runtime().launch(name_of_triangles, listing_, "t_list_ahead", listing, tiles, group_);
  const kernel_argument ending[] = {c_.rows, c_.nnz, c_.offsets, c_.wide, of_all, to_offsets};
  device_.launch_over(c_.rows + 1, name_of_triangles, listing_, "t_begin_empty_rows", ending);
  return static_cast<index_t>(count);
}

// Those of the rows that list from `min_length` to `max_length` entries.
triangle_counter::class_units triangle_counter::units_of(std::uint32_t min_length,
                                                         std::uint32_t max_length,
                                                         std::uint32_t chunk) const {
  const buffer_pointer units = device_.allocate(c_.rows * sizeof(std::uint32_t));
  const void* ahead = device_.read(ahead_);
  void* to = device_.write(units);
  const kernel_argument list[] = {c_.rows,    c_.offsets, c_.wide, ahead,
                                  min_length, max_length, chunk,   to};
  device_.launch_over(c_.rows, name_of_triangles, listing_, "t_chunks_of_rows", list);
  const prefix_sums sums = sums_before(device_, c_.rows, units, sizeof(std::uint32_t));
  return {static_cast<std::uint64_t>(sums.all()), sums.before};
}

// Calls with the first of `groups` and how many of them a launch takes.
template <class F>
void triangle_counter::in_parts(std::uint64_t groups, std::size_t group, F&& launch) const {
  const std::uint64_t at_once = std::max<std::uint64_t>(limits_.work_items / group, 1);
  for (std::uint64_t first = 0; first < groups; first += at_once) {
    if (first > 0) {
      device_.runtime().finish();  // else the host would be far ahead of the work
      context(device_.context()).checkpoint("triangles: count");
    }
    launch(first, std::min(at_once, groups - first));
  }
}

void triangle_counter::count_short() {
  const std::uint32_t lanes = lanes_of_short(device_.traits());
  const class_units units = units_of(1, limits_.most_merged, lanes);
  if (units.count == 0) return;
  const std::uint64_t groups = divide_up(units.count * lanes, group_);
  const compiled_program& program =
      *device_.runtime().program(triangle_programs::merging(device_.traits()));
  sums_.push_back(device_.allocate(groups * sizeof(std::uint64_t)));
  const void *before = device_.read(units.before), *ahead = device_.read(ahead_),
             *listed = device_.read(listed_);
  void* to = device_.write(sums_.back());
  in_parts(groups, group_, [&](const std::uint64_t& first, std::uint64_t count) {
    const kernel_argument list[] = {c_.rows, units.count, first, before, c_.offsets,
                                    c_.wide, columns_,    ahead, listed, to};
    device_.runtime().launch(name_of_triangles, program, "t_count_short", list, count, group_);
  });
}

void triangle_counter::count_in_tables(const triangle_limits::table& t, std::uint32_t min_length,
                                       bool is_last) {
  const std::uint32_t max_length = is_last ? ~std::uint32_t{0} : t.max_length;
  const class_units units = units_of(min_length, max_length, limits_.chunk);
  if (units.count == 0) return;
  const std::size_t group = device_.group_size(t.group);
  const compiled_program& program =
      *device_.runtime().program(triangle_programs::table(device_.traits(), limits_, t));
  const buffer_pointer rows = device_.allocate(units.count * sizeof(std::uint32_t));
  sums_.push_back(device_.allocate(units.count * sizeof(std::uint64_t)));
  const std::uint32_t narrow = 0;
  const void *before = device_.read(units.before), *ahead = device_.read(ahead_),
             *listed = device_.read(listed_);
  void *to_rows = device_.write(rows), *to = device_.write(sums_.back());
  const kernel_argument listing[] = {c_.rows, units.count, before, narrow, to_rows};
  device_.launch_over(units.count, name_of_triangles,
                      *device_.runtime().program({.kernel = "row_indices"}), "t_row_indices",
                      listing);
  const void* of_units = device_.read(rows);
  in_parts(units.count, group, [&](const std::uint64_t& first, std::uint64_t count) {
    const kernel_argument list[] = {first,    of_units, before, c_.offsets, c_.wide,
                                    columns_, ahead,    listed, to};
    device_.runtime().launch(name_of_triangles, program, "t_count_tables", list, count, group);
  });
}

void triangle_counter::count() {
  std::uint32_t min_length = limits_.most_merged + 1;
  for (const triangle_limits::table& t : limits_.tables) {
    count_in_tables(t, min_length, &t == &limits_.tables.back());
    min_length = t.max_length + 1;
  }
  count_short();
}

}  // namespace

program_request triangle_programs::listing(const device_traits& device) {
  return {.kernel = "triangles",
          .constants = {{"T_GROUP_SIZE", static_cast<long>(device.group_within(wanted_group))},
                        {"T_PER_ITEM", static_cast<long>(items)}}};
}

program_request triangle_programs::merging(const device_traits& device) {
  return {.kernel = "triangles",
          .constants = {{"T_GROUP_SIZE", static_cast<long>(device.group_within(wanted_group))},
                        {"T_LANES", long{lanes_of_short(device)}},
                        {"T_SLOTS", 0}}};
}

program_request triangle_programs::table(const device_traits& device, const triangle_limits& limits,
                                         const triangle_limits::table& t) {
  const std::size_t group = device.group_within(t.group);
  std::uint32_t slots = t.slots;
  while (slots > 2 && (slots + 2 * group) * sizeof(std::uint32_t) >
                          std::min<std::size_t>(device.local_bytes, 48 << 10))
    slots /= 2;
  return {.kernel = "triangles",
          .constants = {{"T_GROUP_SIZE", static_cast<long>(group)},
                        {"T_LANES", static_cast<long>(std::min<std::size_t>(t.lanes, group))},
                        {"T_SLOTS", long{slots}},
                        {"T_SHIFT", 33L - std::bit_width(slots)},
                        {"T_PIECE", long{std::min(t.max_length, slots / 2)}},
                        {"T_CHUNK", long{limits.chunk}}}};
}

std::optional<std::int64_t> matrix_operations::count_triangles(const matrix_base& a) {
  if (!are_few_entries({&a}) || a.columns >= largest_dimension) return std::nullopt;
  if (a.nnz == 0) return 0;
  triangle_counter counter(device_, triangle_limits_, a);
  if (counter.list() == 0) return 0;
  context(device_.context()).checkpoint("triangles: count");
  counter.count();
  const monoid_description plus = describe_monoid(plus_monoid<std::int64_t>{});
  std::int64_t result = 0;
  for (const buffer_pointer& sums : counter.sums()) {
    vector_base all;
    all.context = device_.context();
    all.type = plus.add.z;
    all.size = static_cast<index_t>(sums->bytes() / sizeof(std::int64_t));
    all.storage = vector_storage::full;
    all.values = sums;
    all.nvals = all.size;
    std::int64_t part = 0;
    if (!vectors_.reduce(&part, plus, all)) return std::nullopt;
    result += part;
  }
  return result;
}

}  // namespace tropic::detail
