// SPDX-License-Identifier: Apache-2.0

// Rounds of iterate_until on the device: as long as few edges leave the frontier, one launch runs
// them (iterate.kernel), and the host reads two numbers when it is over.

#include <algorithm>
#include <cstring>

#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/product_runner.hpp"

namespace tropic::detail {
namespace {

constexpr std::string_view operation = "iterate_until";
// The kernel cannot be cancelled: some milliseconds of rounds.
constexpr index_t most_rounds_of_a_launch = 512;

bool is_gpu(const device_traits& device) {
  return device.exchange == subgroup_exchange::shuffle;
}
// Edges that may leave a frontier.
std::uint32_t edge_limit(const device_traits& device) {
  return is_gpu(device) ? 32768 : 2048;
}

// By the longest row, so that a frontier that would not fit is not tried in vain.
bool can_run(const device_traits& device, const vector_base& frontier, const iteration& i) {
  const auto limit = static_cast<index_t>(edge_limit(device));
  return i.bucket_width == nullptr && can_push(device, i.semiring) && i.matrix.nnz > 0 &&
         frontier.nvals <= limit && frontier.nvals * i.matrix.longest_row <= 4 * limit;
}

bool is_bitmap(const vector_base* v) {
  return v != nullptr && v->storage == vector_storage::bitmap;
}

// The memory of a launch. All is allocated before it, as it changes w; that of what follows, too.
struct round_buffers {
  std::uint64_t n, padded;  // positions; the same in whole words of values
  buffer_pointer state, lists, list_values, listed, sums, seen, next, next_present;
  buffer_pointer counters[3];  // of the entries of w, beyond and round
  void *to_state, *to_lists, *to_values, *to_listed, *to_sums, *to_seen, *to_next, *to_present;

  round_buffers(device_context& device, index_t size, std::size_t value_bytes)
      : n(static_cast<std::uint64_t>(size)),
        padded((n * value_bytes + 3) / 4 * 4 / value_bytes),
        state(device.allocate(2 * sizeof(std::uint32_t))) {
    const std::size_t listed_at_once = std::size_t{2} * edge_limit(device.traits());
    lists = device.allocate(listed_at_once * sizeof(std::uint32_t));
    list_values = device.allocate(listed_at_once * value_bytes);
    listed = device.allocate(listed_at_once * sizeof(std::uint32_t));
    sums = device.allocate(padded * value_bytes);
    seen = device.allocate((n + 31) / 32 * sizeof(std::uint32_t));
    next = device.allocate(n * value_bytes);
    next_present = device.allocate(n);
    for (buffer_pointer& counter : counters) {
      counter = device.allocate(count_bytes);
      device.write(counter);
    }
    count_program(device);
    std::memset(state->host_write(), 0, state->bytes());
    to_state = device.write(state, access::modify);
    to_lists = device.write(lists);
    to_values = device.write(list_values);
    to_listed = device.write(listed);
    to_sums = device.write(sums);
    to_seen = device.write(seen);
    to_next = device.write(next);
    to_present = device.write(next_present);
    device.runtime().fill(to_seen, 0, seen->bytes());
    device.runtime().fill(to_present, 0, n);
    // Products may read values that they then leave out.
    device.runtime().fill(to_next, 0, n * value_bytes);
  }
};

// Fills the sums with the neutral value and lists the entries of the frontier.
void list_frontier(device_context& device, const compiled_program& program,
                   const vector_base& frontier, const round_buffers& b) {
  const kernel_argument neutral[] = {b.padded, b.to_sums};
  device.launch_over(b.padded, operation, program, "t_fill_neutral", neutral);
  const void *u = device.read(frontier.values), *present = device.read(frontier.present);
  const std::uint32_t bitmap = is_bitmap(&frontier);
  const kernel_argument list[] = {b.n, u, present, bitmap, b.to_state, b.to_lists, b.to_values};
  device.launch_over(b.n, operation, program, "t_list_frontier", list);
}

// What takes part in a round (iterate.kernel).
std::uint32_t flags_of(const vector_base& w, const iteration& i) {
  constexpr std::uint32_t was_bitmap = 1, has_beyond = 2, beyond_bitmap = 4, has_round = 8,
                          round_bitmap = 16;
  return (is_bitmap(&w) ? was_bitmap : 0) | (i.beyond != nullptr ? has_beyond : 0) |
         (is_bitmap(i.beyond) ? beyond_bitmap : 0) | (i.round != nullptr ? has_round : 0) |
         (is_bitmap(i.round) ? round_bitmap : 0);
}

// A vector that rounds change: its values, and which of them are present.
struct changed_arguments {
  void *values, *present;

  changed_arguments(const device_context& device, const vector_base* v)
      : values(device.write(v != nullptr ? v->values : nullptr, access::modify)),
        present(device.write(is_bitmap(v) ? v->present : nullptr, access::modify)) {}
};

void launch_rounds(device_context& device, const program_request& request,
                   const compiled_program& program, const vector_base& w, const iteration& i,
                   const round_buffers& b, index_t first, index_t most_rounds) {
  const matrix_arguments m(device, i.matrix);
  const void *columns = device.read(i.matrix.column_indices), *a = device.read(i.matrix.values);
  const std::uint32_t iso = i.matrix.iso, flags = flags_of(w, i);
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
                                  b.to_lists,
                                  b.to_values,
                                  b.to_listed,
                                  b.to_sums,
                                  b.to_seen,
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
  device.runtime().launch(operation, program, "t_iterate", list, 1,
                          device.group_size(is_gpu(device.traits()) ? 1024 : 64));
}

// The next frontier, and the counts of what has changed. Returns how many rounds there were.
index_t take_frontier(device_context& device, vector_base& w, vector_base& frontier,
                      const iteration& i, const round_buffers& b) {
  const auto* done = static_cast<const std::uint32_t*>(b.state->host());
  frontier.nvals = entry_count(static_cast<index_t>(done[0]));
  frontier.storage = vector_storage::bitmap;
  frontier.indices = nullptr;
  frontier.present = b.next_present;
  frontier.values = b.next;
  const buffer_pointer* counter = b.counters;
  for (vector_base* v : {&w, i.beyond, i.round}) {
    if (is_bitmap(v)) v->nvals = count_present(device, operation, v->present, v->size, *counter);
    ++counter;
  }
  return static_cast<index_t>(done[1]);
}

}  // namespace

// Whether single entries of v can be written in place: it is full or a bitmap, and not shared.
bool product_runner::can_write(vector_base& v) {
  vectors_.spread(v);
  using side = on_cpu::memory_side;
  return side::is_exclusive(v.values) &&
         (v.storage == vector_storage::full || side::is_exclusive(v.present));
}

index_t product_runner::iterate(vector_base& w, vector_base& frontier, const iteration& i,
                                index_t first, index_t most_rounds) {
  const device_traits& traits = device_.traits();
  if (!can_run(traits, frontier, i)) return 0;
  const std::size_t value_bytes = i.semiring.z().size;
  round_request asked{.improves = i.improves};
  if (i.keep != nullptr)
    asked.keeps = one_operand(element_kind::select, *i.keep, *i.keep->op.x, nullptr);
  const program_request request{
      .kernel = "iterate",
      .semiring = &i.semiring,
      .vector_first = true,
      .round = &asked,
      .constants = {{"T_VALUE_BYTES", static_cast<long>(value_bytes)},
                    {"T_IDEMPOTENT", i.semiring.add.idempotent},
                    {"T_MOST_EDGES", static_cast<long>(edge_limit(traits))}}};
  const compiled_program* program = device_.runtime().program(request);
  if (program == nullptr) return 0;
  for (vector_base* changed : {&w, i.beyond, i.round})
    if (changed != nullptr && !can_write(*changed)) return 0;
  vectors_.spread(frontier);

  const round_buffers buffers(device_, w.size, value_bytes);
  list_frontier(device_, *program, frontier, buffers);
  launch_rounds(device_, request, *program, w, i, buffers, first, most_rounds);
  return take_frontier(device_, w, frontier, i, buffers);
}

}  // namespace tropic::detail
