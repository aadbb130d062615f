// SPDX-License-Identifier: Apache-2.0

// Rounds of iterate_until on the device: as long as few edges leave the frontier, one launch runs
// them (iterate.kernel), and the host reads two numbers when it is over.

#include <algorithm>
#include <cstring>
#include <iterator>

#include "backends/cpu/memory_side.hpp"
#include "backends/device/conversion.hpp"

namespace tropic::detail {
namespace {

// What takes part in a round (iterate.kernel).
constexpr std::uint32_t was_bitmap = 1, has_beyond = 2, beyond_bitmap = 4, has_round = 8,
                        round_bitmap = 16;
// The kernel cannot be cancelled: some milliseconds of rounds.
constexpr index_t most_rounds_of_a_launch = 512;

}  // namespace

// Whether single entries of v can be written where they are: it is full or a bitmap of its own.
bool device_backend::can_write(vector_base& v) {
  spread(v);
  using side = on_cpu::memory_side;
  return side::is_exclusive(v.values) &&
         (v.storage == vector_storage::full || side::is_exclusive(v.present));
}

index_t device_backend::iterate(vector_base& w, vector_base& frontier, const iteration& i,
                                index_t first, index_t most) {
  const device_traits& device = runtime_->traits();
  const bool is_gpu = device.exchange == subgroup_exchange::shuffle;
  const std::uint32_t most_edges = is_gpu ? 32768 : 2048;
  const type_description& type = i.semiring.z();
  // By the longest row, so that one which would not fit is not tried in vain.
  if (i.bucket_width != nullptr || !can_push(device, i.semiring) || i.matrix.nnz == 0 ||
      frontier.nvals > static_cast<index_t>(most_edges) ||
      frontier.nvals * i.matrix.longest_row > static_cast<index_t>(4 * most_edges))
    return 0;
  round_request asked{.improves = i.improves};
  if (i.keep != nullptr)
    asked.keeps = one_operand(element_kind::select, *i.keep, *i.keep->op.x, nullptr);
  const program_request request{.kernel = "iterate",
                                .semiring = &i.semiring,
                                .vector_first = true,
                                .round = &asked,
                                .constants = {{"T_VALUE_BYTES", static_cast<long>(type.size)},
                                              {"T_IDEMPOTENT", i.semiring.add.idempotent},
                                              {"T_MOST_EDGES", static_cast<long>(most_edges)}}};
  const compiled_program* program = runtime_->program(request);
  if (program == nullptr || !can_write(w)) return 0;
  for (vector_base* more : {i.beyond, i.round})
    if (more != nullptr && !can_write(*more)) return 0;
  spread(frontier);

  const conversion c(*this, i.matrix);
  const auto n = static_cast<std::uint64_t>(w.size);
  const std::uint64_t padded = (n * type.size + 3) / 4 * 4 / type.size;
  const buffer_pointer state = allocate(2 * sizeof(std::uint32_t)),
                       lists = allocate(std::size_t{2} * most_edges * sizeof(std::uint32_t)),
                       list_values = allocate(std::size_t{2} * most_edges * type.size),
                       listed = allocate(std::size_t{2} * most_edges * sizeof(std::uint32_t)),
                       sums = allocate(padded * type.size),
                       seen = allocate((n + 31) / 32 * sizeof(std::uint32_t)),
                       next = allocate(n * type.size), next_present = allocate(n);
  // All memory that is needed behind the launch too, which changes w: of counts, and of the host.
  const buffer_pointer counters[] = {allocate(count_bytes), allocate(count_bytes),
                                     allocate(count_bytes)};
  for (const buffer_pointer& each : counters) write_device(each);
  runtime_->program(count_request());
  std::memset(state->host_write(), 0, state->bytes());
  void *to_state = write_device(state, access::modify), *to_lists = write_device(lists),
       *to_values = write_device(list_values), *to_listed = write_device(listed),
       *to_sums = write_device(sums), *to_seen = write_device(seen), *to_next = write_device(next),
       *to_present = write_device(next_present);
  runtime_->fill(to_seen, 0, seen->bytes());
  runtime_->fill(to_present, 0, n);
  runtime_->fill(to_next, 0, n * type.size);  // products may read what they then leave out
  const kernel_argument blank[] = {padded, to_sums};
  launch_over(padded, "iterate_until", *program, "t_blank_out", blank);
  const void *u = read_device(frontier.values), *u_present = read_device(frontier.present);
  const std::uint32_t bitmap = frontier.storage == vector_storage::bitmap;
  const kernel_argument of_list[] = {n, u, u_present, bitmap, to_state, to_lists, to_values};
  launch_over(n, "iterate_until", *program, "t_list_frontier", of_list);

  const auto is_bitmap = [](const vector_base* v) {
    return v != nullptr && v->storage == vector_storage::bitmap;
  };
  const auto values_of = [&](vector_base* v) {
    return write_device(v != nullptr ? v->values : nullptr, access::modify);
  };
  const auto present_of = [&](vector_base* v) {
    return write_device(is_bitmap(v) ? v->present : nullptr, access::modify);
  };
  const std::uint32_t how =
      (is_bitmap(&w) ? was_bitmap : 0) | (i.beyond != nullptr ? has_beyond : 0) |
      (is_bitmap(i.beyond) ? beyond_bitmap : 0) | (i.round != nullptr ? has_round : 0) |
      (is_bitmap(i.round) ? round_bitmap : 0);
  const void *columns = read_device(i.matrix.column_indices), *a = read_device(i.matrix.values);
  const std::uint32_t iso = i.matrix.iso;
  const auto rounds = static_cast<std::uint32_t>(std::min(most, most_rounds_of_a_launch));
  const std::int64_t first_round = first;
  void *to_w = values_of(&w), *w_present = present_of(&w), *beyond = values_of(i.beyond),
       *beyond_present = present_of(i.beyond), *round = values_of(i.round),
       *round_present = present_of(i.round);
  const std::vector<std::uint64_t> parameters = parameter_words_of(request);
  const kernel_argument list[] = {c.offsets,
                                  c.wide,
                                  columns,
                                  a,
                                  iso,
                                  to_state,
                                  to_lists,
                                  to_values,
                                  to_listed,
                                  to_sums,
                                  to_seen,
                                  rounds,
                                  first_round,
                                  how,
                                  to_w,
                                  w_present,
                                  beyond,
                                  beyond_present,
                                  round,
                                  round_present,
                                  to_next,
                                  to_present,
                                  kernel_argument(parameters)};
  runtime_->launch("iterate_until", *program, "t_iterate", list, 1, group_of(is_gpu ? 1024 : 64));

  const auto* done = static_cast<const std::uint32_t*>(state->host());
  frontier.nvals = entry_count(static_cast<index_t>(done[0]));
  frontier.storage = vector_storage::bitmap;
  frontier.indices = nullptr;
  frontier.present = next_present;
  frontier.values = next;
  vector_base* const changed[] = {&w, i.beyond, i.round};
  for (std::size_t which = 0; which < std::size(changed); ++which)
    if (vector_base* v = changed[which]; is_bitmap(v))
      v->nvals = count_present("iterate_until", v->present, v->size, counters[which]);
  return static_cast<index_t>(done[1]);
}

}  // namespace tropic::detail
