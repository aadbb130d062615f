// SPDX-License-Identifier: Apache-2.0

// Rounds of iterate_until over sums in the order of their terms (rounds_by_rows.kernel): several
// launches of a round each, after which the host reads what they have listed, or one launch of many
// small rounds on graphs with short rows, whose searches are long.

#include <algorithm>
#include <cstring>
#include <optional>

#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/device/rounds/round_arguments.hpp"

namespace tropic::detail {
namespace {

// Rounds of a call that launches them one by one, those before its first look at what they have
// listed, and those before each further one: a look waits as long as several rounds without
// positions take.
constexpr std::uint32_t rounds_of_a_call = 64, rounds_of_first_look = 6, rounds_of_a_look = 10;
// Numbers of rounds (T_FRONTIER and on), the frontier's and one that is only listed among them; and
// the words of `state`: counts, starts, and whether an entry of the frontier is none of w.
constexpr std::uint32_t frontier_number = 1,
                        numbered_rounds = rounds_of_a_call + frontier_number + 2,
                        outside_word = 2 * numbered_rounds;

// The memory of a call: allocated before w changes.
struct row_buffers {
  std::uint64_t n, room;  // positions; those of a list
  buffer_pointer state, stage, listed, next, next_present, counters[2];

  row_buffers(device_context& device, const row_round_limits& limits, const vector_base& w,
              const matrix_base& a, bool together)
      : n(static_cast<std::uint64_t>(w.size)),
        // Of a group: what its rows of a round send to, or the whole frontier.
        room(std::min(n, std::max<std::uint64_t>(std::uint64_t{limits.turns} *
                                                     (limits.group() / limits.lanes) *
                                                     static_cast<std::uint64_t>(a.longest_row),
                                                 limits.most_rows()))),
        state(device.allocate((outside_word + 1) * sizeof(std::uint32_t))),
        stage(device.allocate(n * sizeof(std::uint32_t))),
        listed(device.allocate((together ? 2 * limits.groups * room : n) * sizeof(std::uint32_t))),
        next(device.allocate(n * w.type->size)),
        next_present(device.allocate(n)) {
    for (buffer_pointer& counter : counters) {
      counter = device.allocate(count_bytes);
      device.write(counter);
    }
    count_program(device);
    std::memset(state->host_write(), 0, state->bytes());
    for (const buffer_pointer& b : {stage, listed, next, next_present}) device.write(b);
  }
};

// What rounds have done: how many there were, and the frontier that they leave.
struct rounds_done {
  index_t rounds = 0;
  index_t entries = 0;
};

class rounds_by_rows {
 public:
  rounds_by_rows(device_context& device, const compiled_program& program,
                 const program_request& request, const vector_base& w, const vector_base& frontier,
                 const iteration& i, const matrix_base& incoming, const row_buffers& b)
      : device_(device),
        program_(program),
        limits_(device.traits()),
        b_(b),
        m_(device, i.matrix),
        of_transpose_(device, incoming),
        columns_(device.read(i.matrix.column_indices)),
        rows_(device.read(incoming.column_indices)),
        a_(device.read(incoming.values)),
        iso_(incoming.iso),
        flags_(flags_of_round(w, i)),
        any_long_(incoming.longest_row > index_t{row_round_limits::short_row}),
        u_(device.read(frontier.values)),
        u_present_(device.read(frontier.present)),
        bitmap_(is_bitmap(&frontier)),
        w_(device, &w),
        round_(device, i.round),
        state_(device.write(b.state, access::modify)),
        stage_(device.write(b.stage)),
        listed_(device.write(b.listed)),
        next_(device.write(b.next)),
        present_(device.write(b.next_present)),
        parameters_(parameter_words_of(request)) {}

  // Many small rounds.
  rounds_done together(index_t first, index_t most_rounds) {
    number_frontier(round_state::entries, round_state::pending);
    const std::uint32_t most_entries = limits_.most_rows(),
                        rounds = static_cast<std::uint32_t>(
                            std::min(most_rounds, most_rounds_of_a_launch));
    const std::int64_t first_round = first;
    arguments list{b_.room, most_entries, rounds, first_round};
    append_shared(list);
    device_.runtime().launch(name_of_rounds, program_, "t_iterate_rows", list, limits_.groups,
                             limits_.group());
    const auto* said = words();
    return {said[round_state::done], said[round_state::entries]};
  }

  // Rounds one by one: number n lists the positions of number n + 1, after the sums of its own.
  rounds_done one_by_one(index_t first, index_t most_rounds) {
    number_frontier(frontier_number, outside_word);
    const auto last = static_cast<std::uint32_t>(std::min(most_rounds, index_t{rounds_of_a_call})) +
                      frontier_number;
    for (std::uint32_t done = 0;;) {  // the last number that was launched
      const std::uint32_t rounds_per_look = done == 0 ? rounds_of_first_look : rounds_of_a_look;
      for (const std::uint32_t stop = std::min(last, done + rounds_per_look); done < stop;)
        launch_round(++done, first);
      const auto* said = words();
      if (said[outside_word] != 0) return {};
      std::uint32_t empty = frontier_number + 1;
      while (empty <= done + 1 && said[empty] != 0) ++empty;
      // The round before an empty one has changed nothing, and was one, too.
      if (empty <= done + 1 && empty <= last) return {index_t{empty} - frontier_number, 0};
      if (done == last) {
        mark_frontier(said[numbered_rounds + done], said[done]);
        return {index_t{done} - frontier_number, said[done]};
      }
      state_ = device_.write(b_.state, access::modify);
    }
  }

 private:
  const std::uint32_t* words() const { return static_cast<const std::uint32_t*>(b_.state->host()); }

  void number_frontier(std::uint32_t count, std::uint32_t outside) const {
    const void* w_present = w_.present;
    const kernel_argument list[] = {b_.n,  u_,      u_present_, bitmap_, w_present, state_,
                                    count, outside, stage_,     listed_, next_,     present_};
    device_.launch_over(b_.n, name_of_rounds, program_, "t_number_frontier", list);
  }

  void launch_round(std::uint32_t number, index_t first) const {
    const std::int64_t round_number = first + index_t{number} - frontier_number - 1;
    arguments list{number, round_number, numbered_rounds};
    append_shared(list);
    device_.runtime().launch(name_of_rounds, program_, "t_round_by_rows", list,
                             limits_.groups_over(b_.n), limits_.group());
  }

  void mark_frontier(std::uint64_t first, std::uint64_t count) const {
    const kernel_argument list[] = {first, count, listed_, present_};
    device_.launch_over(count, name_of_rounds, program_, "t_mark_frontier", list);
  }

  // T_ROUNDS_BY_ROWS.
  void append_shared(arguments& list) const {
    list.insert(list.end(), {m_.offsets,
                             m_.wide,
                             columns_,
                             of_transpose_.offsets,
                             of_transpose_.wide,
                             rows_,
                             a_,
                             iso_,
                             state_,
                             stage_,
                             listed_,
                             flags_,
                             any_long_,
                             w_.values,
                             w_.present,
                             round_.values,
                             round_.present,
                             next_,
                             present_,
                             kernel_argument(parameters_)});
  }

  device_context& device_;
  const compiled_program& program_;
  row_round_limits limits_;
  const row_buffers& b_;
  matrix_arguments m_, of_transpose_;
  const void *columns_, *rows_, *a_;
  std::uint32_t iso_, flags_, any_long_;
  const void *u_, *u_present_;
  std::uint32_t bitmap_;
  changed_arguments w_, round_;
  void *state_, *stage_, *listed_, *next_, *present_;
  std::vector<std::uint64_t> parameters_;
};

}  // namespace

index_t product_runner::iterate_rows(vector_base& w, vector_base& frontier, const iteration& i,
                                     index_t first, index_t most_rounds) {
  const matrix_base& a = i.matrix;
  const std::shared_ptr<const matrix_base> transposed = incoming_of_rounds(w, i);
  if (transposed == nullptr) return 0;
  const index_t longest = std::max(a.longest_row, transposed->longest_row);
  if (longest > row_round_limits::longest_row) return 0;
  const row_round_limits limits(device_.traits());
  const bool together = longest <= row_round_limits::longest_together &&
                        frontier.nvals <= index_t{limits.most_rows()};
  const round_request asked = conditions_of(i);
  program_request request{
      .kernel = "rounds_by_rows", .semiring = &i.semiring, .vector_first = true, .round = &asked};
  set_row_round_limits(request, device_.traits());
  const compiled_program* program = device_.runtime().program(request);
  if (program == nullptr) return 0;
  if (!can_insert(w, i)) return 0;
  vectors_.spread(frontier);

  const row_buffers buffers(device_, limits, w, a, together);
  rounds_by_rows rounds(device_, *program, request, w, frontier, i, *transposed, buffers);
  const rounds_done done =
      together ? rounds.together(first, most_rounds) : rounds.one_by_one(first, most_rounds);
  if (done.rounds == 0) return 0;  // nothing has changed
  frontier.nvals = done.entries;
  frontier.storage = vector_storage::bitmap;
  frontier.indices = nullptr;
  frontier.present = buffers.next_present;
  frontier.values = buffers.next;
  w.nvals = count_present(device_, name_of_rounds, w.present, w.size, buffers.counters[0]);
  if (is_bitmap(i.round))
    i.round->nvals = count_present(device_, name_of_rounds, i.round->present, i.round->size,
                                   buffers.counters[1]);
  return done.rounds;
}

}  // namespace tropic::detail
