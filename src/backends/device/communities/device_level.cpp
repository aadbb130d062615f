// SPDX-License-Identifier: Apache-2.0

// Moves of vertices on a device (communities.kernel, community_tables.kernel). The host learns, for
// each sweep, how many active vertices each sub-round has, and at its end how many have moved.

#include "backends/device/communities/device_level.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <tropic/context.hpp>
#include <tropic/semirings/monoid.hpp>

namespace tropic::detail {
namespace {

constexpr std::size_t choice_bytes = 16;  // t_choice
constexpr std::size_t long_class = community_programs::long_class;

}  // namespace

namespace {

program_request request_of(std::string_view kernel, bool wide, std::size_t work_items, long lanes,
                           long slots) {
  // The monoid stands for the type: gains are fp64.
  static const monoid_description fp64 = describe_monoid(plus_monoid<double>{});
  return {.kernel = kernel,
          .monoid = &fp64,
          .constants = {{"T_GROUP_SIZE", static_cast<long>(work_items)},
                        {"T_WIDE", wide ? 1L : 0L},
                        {"T_LONG", long{community_programs::longest}},
                        {"T_CHUNK", long{community_programs::chunk}},
                        {"T_LANES", lanes},
                        {"T_SLOTS", slots}}};
}

}  // namespace

program_request community_programs::state_request(bool wide) {
  return request_of("communities", wide, group, 0, 0);
}
program_request community_programs::class_request(bool wide, std::size_t n) {
  if (n == long_class)
    return request_of("community_tables", wide, group_of_long, 0, wide ? 2048 : 4096);
  return request_of("community_tables", wide, group, long{teams[n].lanes}, long{teams[n].slots});
}

community_programs::community_programs(device_context& device, bool wide) {
  if (device.traits().group_limit < group_of_long) return;
  state_ = device.runtime().program(state_request(wide));
  if (state_ == nullptr) return;
  for (std::size_t n = 0; n < classes; ++n)
    tables_[n] = device.runtime().program(class_request(wide, n));
}

std::uint64_t listed_rows::all() const {
  return std::accumulate(counts.begin(), counts.begin() + units_word, std::uint64_t{0});
}

device_level::device_level(device_context& device, device_graph graph, const community_rule& rule)
    : device_(device),
      graph_(std::move(graph)),
      rule_(rule),
      wide_(is_wide(rule)),
      resolution_(rule.resolution),
      all_(static_cast<double>(rule.all)),
      programs_(device, wide_) {}

buffer_pointer device_level::zeros(std::size_t bytes) const {
  buffer_pointer result = device_.allocate(bytes);
  if (bytes > 0) device_.runtime().fill(device_.write(result), 0, bytes);
  return result;
}

void device_level::launch(const compiled_program& program, const char* kernel, std::uint64_t items,
                          std::span<const kernel_argument> list, std::size_t group) const {
  if (items > 0)
    device_.runtime().launch(community_programs::name, program, kernel, list,
                             device_.groups_over(items, group, 64), group);
}

// --- the state -----------------------------------------------------------------------------------

community_sums device_level::begin(bool alone) {
  began_alone_ = alone;
  start_ = alone ? nullptr : community_;
  set_partition(start_);
  return {alone ? 0 : inside(), squares()};
}

void device_level::set_partition(buffer_pointer start) {
  const std::uint64_t n = graph_.rows;
  const std::uint32_t alone = start == nullptr;
  community_ = words(n);
  total_ = device_.allocate(n * sum_bytes());
  size_ = words(n);
  active_ = device_.allocate(n);
  const void *offsets = device_.read(graph_.offsets), *columns = device_.read(graph_.columns),
             *weight = device_.read(graph_.of_vertices), *from = device_.read(start);
  void *community = device_.write(community_), *total = device_.write(total_),
       *size = device_.write(size_), *active = device_.write(active_);
  const kernel_argument begin[] = {n,     offsets,   graph_.wide, columns, weight, from,
                                   alone, community, total,       size,    active};
  launch(programs_.state(), "t_begin", n, begin);
  const kernel_argument add[] = {n, weight, community, total, size};
  if (!alone) launch(programs_.state(), "t_add_totals", n, add);
}

community_sums device_level::sums() {
  return {inside(), squares()};
}

std::uint64_t device_level::inside(std::uint64_t* loops) const {
  const buffer_pointer sums = zeros(2 * sizeof(std::uint64_t));
  const void *offsets = device_.read(graph_.offsets), *columns = device_.read(graph_.columns),
             *weights = device_.read(graph_.weights), *community = device_.read(community_);
  void* const to = device_.write(sums, access::modify);
  const kernel_argument list[] = {graph_.rows, graph_.nnz,          offsets,   graph_.wide, columns,
                                  weights,     graph_.weight_bytes, community, to};
  launch(programs_.state(), "t_sum_inside", (graph_.nnz + 15) / 16, list);
  const auto* const found = static_cast<const std::uint64_t*>(sums->host());
  if (loops != nullptr) *loops = found[1];
  return found[0];
}

std::uint64_t device_level::squares() const {
  const auto shift = static_cast<std::uint32_t>(rule_.shift());
  const buffer_pointer sum = zeros(sizeof(std::uint64_t));
  const void* const total = device_.read(total_);
  void* const to = device_.write(sum, access::modify);
  const kernel_argument list[] = {graph_.rows, total, shift, to};
  launch(programs_.state(), "t_sum_squares", graph_.rows, list);
  return *static_cast<const std::uint64_t*>(sum->host());
}

// --- lists ---------------------------------------------------------------------------------------

listed_rows device_level::list_rows(const device_graph& graph, bool active_ones,
                                    std::uint32_t sweep, std::uint32_t max_numbers) const {
  listed_rows result;
  result.max_numbers = max_numbers;
  const std::uint32_t some = active_ones, rounds = active_ones;
  const buffer_pointer counts = zeros(listed_rows::words * sizeof(std::uint32_t)),
                       next = zeros(listed_rows::words * sizeof(std::uint32_t));
  const void *offsets = device_.read(graph.offsets),
             *active = device_.read(active_ones ? active_ : nullptr);
  void* const to_counts = device_.write(counts, access::modify);
  const kernel_argument count[] = {graph.rows, offsets, graph.wide,  active,   some,
                                   rounds,     sweep,   max_numbers, to_counts};
  launch(programs_.state(), "t_count_rows", graph.rows, count);
  std::memcpy(result.counts.data(), counts->host(), sizeof(result.counts));
  const std::uint64_t all = result.all();
  if (all == 0) return result;
  std::uint64_t longs = 0, units = 0;
  for (std::size_t round = 0; round < listed_rows::rounds; ++round) {
    longs += result.count(round, long_class);
    units += result.units(round);
  }
  result.list = words(all);
  result.long_units = words(longs);
  result.long_tables = words(longs);
  result.unit_rows = words(units);
  const void* const from_counts = device_.read(counts);
  void *to_next = device_.write(next, access::modify), *list = device_.write(result.list),
       *long_units = device_.write(result.long_units), *tables = device_.write(result.long_tables),
       *unit_rows = device_.write(result.unit_rows);
  const kernel_argument place[] = {graph.rows, offsets,    graph.wide,  active,      some,
                                   rounds,     sweep,      max_numbers, from_counts, to_next,
                                   list,       long_units, tables,      unit_rows};
  launch(programs_.state(), "t_list_rows", graph.rows, place);
  return result;
}

long_tables device_level::tables_for(const listed_rows& listed) const {
  std::uint64_t slots = 0;
  for (std::size_t round = 0; round < listed_rows::rounds; ++round)
    slots = std::max<std::uint64_t>(slots, listed.slots(round));
  return {words(slots), device_.allocate(slots * sum_bytes())};
}

namespace {

/// Where the rows of a sub-round are in a list.
struct places {
  std::uint64_t first = 0;                       // row
  std::uint64_t rows = 0, shorts = 0;            // all, and without the long ones
  std::uint32_t first_long = 0, first_unit = 0;  // numbers
  places(const listed_rows& listed, std::size_t round) {
    for (std::size_t n = 0; n < round; ++n) {
      for (std::size_t kind = 0; kind < community_programs::classes; ++kind)
        first += listed.count(n, kind);
      first_long += listed.count(n, long_class);
      first_unit += listed.units(n);
    }
    for (std::size_t kind = 0; kind < long_class; ++kind) shorts += listed.count(round, kind);
    rows = shorts + listed.count(round, long_class);
  }
  std::uint64_t first_of_long() const { return first + shorts; }
};

}  // namespace

void device_level::sum_long(const compiled_program& program, const device_graph& graph,
                            const listed_rows& listed, std::size_t round, const long_tables& tables,
                            bool by_communities) const {
  const places at(listed, round);
  const std::uint32_t units = listed.units(round), labels = by_communities;
  if (units == 0) return;
  const std::uint64_t first = at.first_of_long();
  void *numbers = device_.write(tables.numbers, access::modify),
       *sums = device_.write(tables.sums, access::modify);
  device_.runtime().fill(numbers, 0xff, listed.slots(round) * sizeof(std::uint32_t));
  device_.runtime().fill(sums, 0, listed.slots(round) * sum_bytes());
  const void *list = device_.read(listed.list), *long_units = device_.read(listed.long_units),
             *long_tables = device_.read(listed.long_tables),
             *unit_rows = device_.read(listed.unit_rows), *offsets = device_.read(graph.offsets),
             *columns = device_.read(graph.columns), *weights = device_.read(graph.weights),
             *community = device_.read(community_);
  const std::uint32_t max_numbers = listed.max_numbers;
  const kernel_argument sum[] = {first,       list,      at.first_long, long_units,
                                 long_tables, unit_rows, offsets,       graph.wide,
                                 max_numbers, numbers,   sums,          at.first_unit,
                                 units,       columns,   weights,       graph.weight_bytes,
                                 labels,      community};
  launch(program, "t_sum_long", std::uint64_t{units} * community_programs::group_of_long, sum,
         community_programs::group_of_long);
}

// --- moves ---------------------------------------------------------------------------------------

void device_level::choose(const listed_rows& listed, std::size_t round, const long_tables& tables,
                          const buffer_pointer& choice, const buffer_pointer& best,
                          const buffer_pointer& owns) const {
  const places at(listed, round);
  const void *list = device_.read(listed.list), *offsets = device_.read(graph_.offsets),
             *columns = device_.read(graph_.columns), *weights = device_.read(graph_.weights),
             *community = device_.read(community_), *total = device_.read(total_),
             *size = device_.read(size_), *weight = device_.read(graph_.of_vertices);
  void *active = device_.write(active_, access::modify),
       *to_choice = device_.write(choice, access::modify);
  std::uint64_t first = at.first;
  for (std::size_t kind = 0; kind < long_class; ++kind) {
    const std::uint64_t count = listed.count(round, kind);
    const kernel_argument arguments[] = {
        first,     count, list, offsets, graph_.wide, columns, weights, graph_.weight_bytes,
        community, total, size, weight,  resolution_, all_,    active,  to_choice};
    launch(programs_.of_class(kind), "t_choose", count * community_programs::teams[kind].lanes,
           arguments);
    first += count;
  }
  const std::uint64_t count = listed.count(round, long_class);
  if (count == 0) return;
  sum_long(programs_.of_class(long_class), graph_, listed, round, tables, true);
  const std::uint32_t units = listed.units(round);
  const void *long_units = device_.read(listed.long_units),
             *long_tables = device_.read(listed.long_tables),
             *unit_rows = device_.read(listed.unit_rows);
  void *numbers = device_.write(tables.numbers, access::modify),
       *sums = device_.write(tables.sums, access::modify),
       *to_best = device_.write(best, access::modify),
       *to_owns = device_.write(owns, access::modify);
  const std::uint32_t max_numbers = listed.max_numbers;
  const kernel_argument in_units[] = {
      first,       list,        at.first_long, long_units,  long_tables,   unit_rows, offsets,
      graph_.wide, max_numbers, numbers,       sums,        at.first_unit, units,     community,
      total,       size,        weight,        resolution_, all_,          to_best,   to_owns};
  launch(programs_.of_class(long_class), "t_choose_in_unit",
         std::uint64_t{units} * community_programs::group_of_long, in_units,
         community_programs::group_of_long);
  const kernel_argument of_rows[] = {
      first, count,  list,        at.first_long, long_units, offsets, graph_.wide, community, total,
      size,  weight, resolution_, all_,          to_best,    to_owns, active,      to_choice};
  launch(programs_.of_class(long_class), "t_choose_long", count, of_rows);
}

void device_level::wake(const listed_rows& listed, std::size_t round,
                        const buffer_pointer& choice) const {
  const places at(listed, round);
  const void *list = device_.read(listed.list), *offsets = device_.read(graph_.offsets),
             *columns = device_.read(graph_.columns), *community = device_.read(community_),
             *chosen = device_.read(choice);
  void* const active = device_.write(active_, access::modify);
  std::uint64_t first = at.first;
  for (std::size_t kind = 0; kind < long_class; ++kind) {
    const std::uint64_t count = listed.count(round, kind);
    const std::uint32_t lanes = kind < 2 ? 8 : 32;
    const kernel_argument arguments[] = {first,   count,       lanes,   list,      chosen,
                                         offsets, graph_.wide, columns, community, active};
    launch(programs_.state(), "t_wake", count * lanes, arguments);
    first += count;
  }
  const std::uint32_t units = listed.units(round);
  const void *long_units = device_.read(listed.long_units),
             *long_tables = device_.read(listed.long_tables),
             *unit_rows = device_.read(listed.unit_rows);
  void* const nothing = device_.runtime().nothing();
  const std::uint32_t max_numbers = listed.max_numbers;
  const kernel_argument of_long[] = {
      first,   list,        at.first_long, long_units, long_tables, unit_rows,
      offsets, graph_.wide, max_numbers,   nothing,    nothing,     at.first_unit,
      units,   columns,     community,     chosen,     active};
  launch(programs_.of_class(long_class), "t_wake_long",
         std::uint64_t{units} * community_programs::group_of_long, of_long,
         community_programs::group_of_long);
}

community_level::sweep_counts device_level::sweep(std::uint32_t number) {
  context(device_.context()).checkpoint(community_programs::name);
  const auto n = static_cast<std::uint32_t>(graph_.rows);
  const listed_rows listed = list_rows(graph_, true, number, n);
  const std::uint64_t all = listed.all();
  if (all == 0) return {};
  const long_tables tables = tables_for(listed);
  std::uint64_t longs = 0, units = 0;
  for (std::size_t round = 0; round < listed_rows::rounds; ++round) {
    longs += listed.count(round, long_class);
    units += listed.units(round);
  }
  const buffer_pointer choice = words(all), best = device_.allocate(units * choice_bytes),
                       owns = zeros(longs * sum_bytes()), moves = zeros(sizeof(std::uint32_t));
  device_.write(choice);
  device_.write(best);
  const void* const weight = device_.read(graph_.of_vertices);
  for (std::size_t round = 0; round < listed_rows::rounds; ++round) {
    const places at(listed, round);
    if (at.rows == 0) continue;
    choose(listed, round, tables, choice, best, owns);
    const void *list = device_.read(listed.list), *chosen = device_.read(choice);
    void *community = device_.write(community_, access::modify),
         *total = device_.write(total_, access::modify),
         *size = device_.write(size_, access::modify),
         *moved = device_.write(moves, access::modify);
    const kernel_argument move[] = {at.first,  at.rows, list, chosen, weight,
                                    community, total,   size, moved};
    launch(programs_.state(), "t_move", at.rows, move);
    wake(listed, round, choice);
  }
  return {all, *static_cast<const std::uint32_t*>(moves->host())};
}

// On the host, from where `begin` began.
std::size_t device_level::move_one_by_one() {
  const std::unique_ptr<community_level> on_host = host_level_of(graph_);
  if (!began_alone_)
    std::memcpy(on_host->communities()->host_write(), start_->host(), start_->bytes());
  on_host->begin(began_alone_);
  const std::size_t moves = on_host->move_one_by_one();
  set_partition(on_host->communities());
  return moves;
}

}  // namespace tropic::detail
