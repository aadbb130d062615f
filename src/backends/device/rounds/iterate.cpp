// SPDX-License-Identifier: Apache-2.0

// Rounds of iterate_until on the device. As long as few edges leave the frontier, one launch runs
// many rounds (iterate.kernel), also those of many buckets, and the host reads two numbers at its
// end. Rounds of other frontiers are launches (rounds_by_direction.cpp, rounds_by_rows.cpp).

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>

#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/kernel_config.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/device/rounds/round_arguments.hpp"
#include "backends/kept_transpose.hpp"

namespace tropic::detail {
namespace {

// The sizes of a launch. All work-items of a group share a row of more than `long_row` entries.
struct round_limits {
  static constexpr std::uint32_t long_row = 32;
  std::uint32_t groups, group;   // and work-items of each
  std::uint32_t lanes;           // work-items that share an entry
  std::uint32_t entries, edges;  // of a frontier, and those that leave the long rows of a group

  explicit round_limits(const device_traits& device) : groups(device.groups_together) {
    const bool is_gpu = device.exchange == subgroup_exchange::shuffle;
    group = static_cast<std::uint32_t>(device.group_within(is_gpu ? 1024 : 64));
    lanes = is_gpu ? 4 : 1;
    entries = is_gpu ? 8192 : 512;
    edges = is_gpu ? 32768 : 2048;
  }
  // Entries that a group takes in a round, and positions that it sends to.
  std::uint32_t rows() const {
    const std::uint32_t at_once = groups * group / lanes;
    return (entries + at_once - 1) / at_once * (group / lanes);
  }
  std::uint32_t listed() const { return rows() * long_row + edges; }
  // The size of a frontier that `edges` leave if its vertices have the mean degree.
  std::uint32_t entries_of(const matrix_base& a) const {
    const double mean = static_cast<double>(a.nnz) / static_cast<double>(a.rows);
    return std::min(entries, static_cast<std::uint32_t>(edges / std::max(mean, 1.0)));
  }
};

// Whether a launch is likely to run at least one round. With buckets most of the frontier is
// pending. Without them, a longest row that one group cannot send is one of many: such a graph has
// few small rounds, and long rows in the first of them, which hold up the groups that have none.
bool can_run(const round_limits& limits, const vector_base& frontier, const iteration& i) {
  if (i.matrix.nnz == 0) return false;
  const auto edges = static_cast<index_t>(limits.edges);
  if (i.bucket_width != nullptr && frontier.nvals > 1)
    return frontier.nvals <= std::max(edges, i.matrix.rows / 16);
  if (i.bucket_width == nullptr && i.matrix.longest_row > edges) return false;
  return frontier.nvals <= limits.entries_of(i.matrix) &&
         frontier.nvals * i.matrix.longest_row <= 4 * edges;
}

// Whether rows hold up the few groups of a launch. Such a graph has few small rounds, which are
// faster as launches over all groups.
bool has_long_rows(const matrix_base& a) {
  return a.nnz / 8 > a.rows;
}

// Whether the add selects the operand that improves the other.
bool is_selective(const iteration& i) {
  if (i.improves == nullptr) return false;
  const std::string_view add = i.semiring.add.add.text, improves = i.improves->text;
  return (add == minimum::tropic_text && improves == less::tropic_text) ||
         (add == maximum::tropic_text && improves == greater::tropic_text);
}

// The memory of a launch and of what follows it: allocated before w changes.
struct round_buffers {
  std::uint64_t n,
      padded;  // positions; rounded up, so that both halves of an array begin with words
  buffer_pointer state, listed, long_rows, long_values, sums, seen, next, next_present;
  buffer_pointer pending, is_pending, limits, leasts;  // of buckets
  buffer_pointer counters[3];                          // of the entries of w, beyond and round
  void *to_state, *to_listed, *to_long_rows, *to_long_values, *to_sums, *to_seen, *to_next,
      *to_present, *to_pending, *to_is_pending, *to_leasts;

  round_buffers(device_context& device, const round_limits& launch_limits, index_t size,
                std::size_t value_bytes, const scalar_bytes* bucket_width, type_code type)
      : n(static_cast<std::uint64_t>(size)),
        padded((n + 31) / 32 * 32),
        state(device.allocate(round_state::words * sizeof(std::uint32_t))) {
    // Two lists for this round and for the next one, which have every position at most once.
    const std::size_t listed_at_once = 4 * std::min<std::size_t>(launch_limits.listed(), padded) *
                                       launch_limits.groups,
                      shared_rows = std::size_t{launch_limits.rows()} * launch_limits.groups;
    listed = device.allocate(listed_at_once * sizeof(std::uint32_t));
    long_rows = device.allocate(shared_rows * sizeof(std::uint32_t));
    long_values = device.allocate(shared_rows * value_bytes);
    sums = device.allocate(2 * padded * value_bytes);
    seen = device.allocate(2 * padded / 32 * sizeof(std::uint32_t));
    next = device.allocate(n * value_bytes);
    next_present = device.allocate(n);
    if (bucket_width != nullptr) {
      pending = device.allocate(2 * padded * sizeof(std::uint32_t));
      is_pending = device.allocate(n);
      limits = device.allocate(2 * value_bytes);
      leasts = device.allocate(launch_limits.groups * value_bytes);
    }
    for (buffer_pointer& counter : counters) {
      counter = device.allocate(count_bytes);
      device.write(counter);
    }
    count_program(device);
    // The host copy of `state`, which is read when w has changed.
    std::memset(state->host_write(), 0, state->bytes());
    if (bucket_width != nullptr) write_limits(*bucket_width, type);
    to_state = device.write(state, access::modify);
    to_listed = device.write(listed);
    to_sums = device.write(sums);
    to_seen = device.write(seen);
    to_next = device.write(next);
    to_present = device.write(next_present);
    to_long_rows = device.write(long_rows);
    to_long_values = device.write(long_values);
    to_pending = device.write(pending);
    to_is_pending = device.write(is_pending);
    to_leasts = device.write(leasts);
  }

 private:
  // The width of a bucket and the largest value of the type.
  void write_limits(const scalar_bytes& width, type_code type) const {
    with_builtin_type(type, [&]<class T>() {
      const T values[] = {width.as<T>(), std::numeric_limits<T>::max()};
      std::memcpy(limits->host_write(), values, sizeof values);
    });
  }
};

// Fills the arrays and lists the entries of the frontier.
void list_frontier(device_context& device, const compiled_program& program, const vector_base& w,
                   const vector_base& frontier, const iteration& i, const round_buffers& b) {
  const void *u = device.read(frontier.values), *present = device.read(frontier.present),
             *w_present = device.read(w.present);
  void* const to_w = device.write(w.values, access::modify);
  const std::uint32_t bitmap = is_bitmap(&frontier), w_bitmap = is_bitmap(&w);
  void* const to = i.bucket_width != nullptr ? b.to_pending : b.to_listed;
  const kernel_argument list[] = {
      b.n,      b.padded,        u,         present,   bitmap,    b.to_state,  to, to_w, w_present,
      w_bitmap, b.to_is_pending, b.to_sums, b.to_seen, b.to_next, b.to_present};
  device.launch_over(b.padded, name_of_rounds, program, "t_list_frontier", list);
}

void launch_rounds(device_context& device, const program_request& request,
                   const compiled_program& program, const round_limits& launch_limits,
                   const vector_base& w, const vector_base& frontier, const iteration& i,
                   const round_buffers& b, index_t first, index_t most_rounds) {
  const matrix_arguments m(device, i.matrix);
  const void *columns = device.read(i.matrix.column_indices), *a = device.read(i.matrix.values),
             *u = device.read(frontier.values), *limits = device.read(b.limits);
  const std::uint32_t iso = i.matrix.iso, flags = flags_of_round(w, i),
                      most_entries = launch_limits.entries_of(i.matrix);
  const auto rounds = static_cast<std::uint32_t>(std::min(most_rounds, most_rounds_of_a_launch));
  const std::int64_t first_round = first;
  const changed_arguments to_w(device, &w), beyond(device, i.beyond), round(device, i.round);
  const std::vector<std::uint64_t> parameters = parameter_words_of(request);
  const kernel_argument list[] = {m.offsets,
                                  m.wide,
                                  columns,
                                  a,
                                  iso,
                                  b.to_state,
                                  u,
                                  b.to_listed,
                                  b.to_long_rows,
                                  b.to_long_values,
                                  b.to_sums,
                                  b.to_seen,
                                  b.padded,
                                  b.to_pending,
                                  b.to_is_pending,
                                  limits,
                                  b.to_leasts,
                                  most_entries,
                                  rounds,
                                  first_round,
                                  flags,
                                  to_w.values,
                                  to_w.present,
                                  beyond.values,
                                  beyond.present,
                                  round.values,
                                  round.present,
                                  b.to_next,
                                  b.to_present,
                                  kernel_argument(parameters)};
  device.runtime().launch(name_of_rounds, program, "t_iterate", list, launch_limits.groups,
                          launch_limits.group);
}

// Rounds beyond what a launch takes are products: their program may be compiled meanwhile.
void prepare_push(device_context& device, const semiring_description& semiring,
                  const matrix_base& matrix) {
  const kernel_config chosen =
      complete({.kernel = &kernels::push}, device.traits(), semiring.z().size, matrix);
  device.runtime().prepare(request_of(chosen, device.traits(), semiring, true));
}

// Takes the next frontier and counts the entries of the vectors that changed. Returns the number of
// rounds.
index_t take_frontier(device_context& device, vector_base& w, vector_base& frontier,
                      const iteration& i, const round_buffers& b) {
  const auto* state = static_cast<const std::uint32_t*>(b.state->host());
  if (state[round_state::done] == 0) return 0;  // nothing has changed
  frontier.nvals = entry_count(static_cast<index_t>(state[round_state::entries]));
  frontier.storage = vector_storage::bitmap;
  frontier.indices = nullptr;
  frontier.present = b.next_present;
  frontier.values = b.next;
  const buffer_pointer* counter = b.counters;
  for (vector_base* v : {&w, i.beyond, i.round}) {
    if (is_bitmap(v))
      v->nvals = count_present(device, name_of_rounds, v->present, v->size, *counter);
    ++counter;
  }
  return static_cast<index_t>(state[round_state::done]);
}

}  // namespace

void set_round_limits(program_request& request, const device_traits& device) {
  const round_limits limits(device);
  for (const auto& [name, value] : {std::pair<std::string_view, long>{"T_GROUP_SIZE", limits.group},
                                    {"T_TOGETHER", limits.groups},
                                    {"T_LONG", round_limits::long_row},
                                    {"T_SHUFFLE", limits.lanes > 1},
                                    {"T_LANES", limits.lanes},
                                    {"T_MOST_EDGES", limits.edges},
                                    {"T_MOST_LONG", limits.rows()},
                                    {"T_MOST_LISTED", limits.listed()}})
    request.set_constant(name, value);
}

// Whether single entries of v can be written in place: it is full or a bitmap, and not shared.
bool product_runner::can_write(vector_base& v) {
  vectors_.spread(v);
  using side = on_cpu::memory_side;
  return side::is_exclusive(v.values) &&
         (v.storage == vector_storage::full || side::is_exclusive(v.present));
}

// The transpose, for rounds that insert entries and improve none, if it is at hand; otherwise null.
std::shared_ptr<const matrix_base> product_runner::incoming_of_rounds(const vector_base& w,
                                                                      const iteration& i) {
  const matrix_base& a = i.matrix;
  if (i.improves != nullptr || i.keep != nullptr || i.bucket_width != nullptr || a.nnz == 0 ||
      static_cast<std::uint64_t>(w.size) >= std::numeric_limits<std::uint32_t>::max())
    return nullptr;
  if (!a.symmetric && !has_kept_transpose(a)) return nullptr;
  return matrices_.transpose_of(a);
}

// Whether such rounds can write what they find in place, and w lacks any entry.
bool product_runner::can_insert(vector_base& w, const iteration& i) {
  return can_write(w) && (i.round == nullptr || can_write(*i.round)) && is_bitmap(&w);
}

index_t product_runner::iterate(vector_base& w, vector_base& frontier, const iteration& i,
                                index_t first, index_t most_rounds) {
  const device_traits& traits = device_.traits();
  if (!can_push(traits, i.semiring)) return iterate_rows(w, frontier, i, first, most_rounds);
  const round_limits limits(traits);
  if (has_long_rows(i.matrix) || !can_run(limits, frontier, i)) {
    const index_t done = iterate_by_direction(w, frontier, i, first, most_rounds);
    if (done > 0 || !can_run(limits, frontier, i)) return done;
  }
  const type_description& type = i.semiring.z();
  const bool in_buckets = i.bucket_width != nullptr;
  const round_request asked = conditions_of(i);
  const bool is_real = type.code == type_code::fp32 || type.code == type_code::fp64;
  program_request request{.kernel = "iterate",
                          .semiring = &i.semiring,
                          .vector_first = true,
                          .round = &asked,
                          .constants = {{"T_VALUE_BYTES", static_cast<long>(type.size)},
                                        {"T_IDEMPOTENT", i.semiring.add.idempotent},
                                        {"T_SELECTIVE", is_selective(i)},
                                        {"T_BUCKETS", in_buckets},
                                        {"T_REAL", is_real ? static_cast<long>(type.size) : 0}}};
  set_round_limits(request, traits);
  prepare_push(device_, i.semiring, i.matrix);
  const compiled_program* program = device_.runtime().program(request);
  if (program == nullptr) return 0;
  for (vector_base* changed : {&w, i.beyond, i.round})
    if (changed != nullptr && !can_write(*changed)) return 0;
  vectors_.spread(frontier);

  const round_buffers buffers(device_, limits, w.size, type.size, i.bucket_width, type.code);
  list_frontier(device_, *program, w, frontier, i, buffers);
  launch_rounds(device_, request, *program, limits, w, frontier, i, buffers, first, most_rounds);
  return take_frontier(device_, w, frontier, i, buffers);
}

}  // namespace tropic::detail
