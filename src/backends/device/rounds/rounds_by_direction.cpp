// SPDX-License-Identifier: Apache-2.0

// Rounds of iterate_until over sums that are the same in any order (rounds_by_direction.kernel):
// two launches each, which decide on the device whether to push or to pull. The host queues several
// and then reads what they have found.

#include <algorithm>
#include <cstring>
#include <limits>

#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/kernel_config.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/device/rounds/round_arguments.hpp"

namespace tropic::detail {
namespace {

// T_PIECE and T_SHARE: entries that a subgroup sends, positions that a work-item lists.
constexpr std::uint32_t piece_of_a_round = 512, positions_of_share = 8;

class rounds_by_direction {
  // Rounds of a call, and those before each look at what they have found: a look waits as long as
  // several rounds without a frontier take.
  static constexpr std::uint32_t rounds_of_a_call = 128, rounds_of_a_look = 10;
  // Numbers of rounds (T_FRONTIER and on), the frontier's and one that is only found among them.
  static constexpr std::uint32_t frontier_number = 1,
                                 numbered_rounds = rounds_of_a_call + frontier_number + 2;
  // The words of the state (t_state): seven of each number, whether w lacks an entry of the
  // frontier, and how many rows of the transpose are very long.
  static constexpr std::uint32_t outside_word = 7 * numbered_rounds, state_words = outside_word + 2;

 public:
  rounds_by_direction(device_context& device, const compiled_program& program,
                      const program_request& request, const vector_base& w,
                      const vector_base& frontier, const iteration& i, const matrix_base& incoming)
      : device_(device),
        program_(program),
        limits_(device.traits()),
        n_(static_cast<std::uint64_t>(w.size)),
        state_(device.allocate(state_words * sizeof(std::uint32_t))),
        stage_(device.allocate(n_ * sizeof(std::uint32_t))),
        short_rows_(device.allocate(n_ * sizeof(std::uint32_t))),
        pieces_(device.allocate(most_pieces(i.matrix) * 2 * sizeof(std::uint32_t))),
        very_long_(device.allocate(most_very_long(incoming) * sizeof(std::uint32_t))),
        bits_(device.allocate(3 * divide_up(n_, 32) * sizeof(std::uint32_t))),
        // Whole words, by which sums are combined.
        next_(device.allocate((n_ * w.type->size + 3) / 4 * 4)),
        next_present_(device.allocate(n_)),
        counters_(device.allocate(count_bytes)),
        shift_(shift_for(i.matrix)),
        m_(device, i.matrix),
        of_transpose_(device, incoming),
        columns_(device.read(i.matrix.column_indices)),
        a_(device.read(i.matrix.values)),
        rows_(device.read(incoming.column_indices)),
        values_of_transpose_(device.read(incoming.values)),
        iso_(i.matrix.iso),
        all_edges_((static_cast<std::uint64_t>(i.matrix.nnz) >> shift_) + 1),
        parameters_(parameter_words_of(request)) {
    device.write(counters_);
    count_program(device);
    std::memset(state_->host_write(), 0, state_->bytes());
    to_state_ = device.write(state_, access::modify);
    to_stage_ = device.write(stage_);
    to_short_rows_ = device.write(short_rows_);
    to_pieces_ = device.write(pieces_);
    to_very_long_ = device.write(very_long_);
    to_bits_ = device.write(bits_);
    to_next_ = device.write(next_);
    device.runtime().fill(to_bits_, 0, bits_->bytes());
    number_frontier(w, frontier);
    list_frontier(frontier_number);
  }

  /// Until a round has found nothing, or for `max_rounds` rounds. Returns their number; none if w
  /// lacks an entry of the frontier. If it throws `cancelled`, nothing has changed.
  index_t run(index_t max_rounds, const context& where, const char* name) {
    const auto last = static_cast<std::uint32_t>(std::min(max_rounds, index_t{rounds_of_a_call})) +
                      frontier_number;
    for (std::uint32_t next = frontier_number;;) {  // the number to launch
      for (const std::uint32_t stop = std::min(last, next + rounds_of_a_look); next < stop; ++next)
        launch_round(next);
      const auto* said = static_cast<const std::uint32_t*>(state_->host());
      if (said[outside_word] != 0) return 0;
      where.checkpoint(name);
      std::uint32_t empty = frontier_number + 1;
      while (empty <= next && said[empty] != 0) ++empty;
      found_ = 0;
      for (std::uint32_t k = frontier_number + 1; k <= next; ++k) found_ += said[k];
      if (empty <= next || next == last) {
        // The round before an empty one has found nothing, and was one, too.
        last_ = std::min(empty, last);
        left_ = said[last_];
        return index_t{last_} - frontier_number;
      }
      to_state_ = device_.write(state_, access::modify);
    }
  }

  /// w and the numbers of rounds take what run() has found, and the frontier what is left.
  void take(vector_base& w, vector_base& frontier, const iteration& i, index_t first) {
    const void *stage = device_.read(stage_), *values = device_.read(next_);
    const changed_arguments to_w(device_, &w), round(device_, i.round);
    void* present = device_.write(next_present_);
    const std::int64_t first_round = first;
    const std::uint32_t flags = flags_of_round(w, i);
    const kernel_argument list[] = {n_,           stage,         values,      last_,
                                    flags,        first_round,   to_w.values, to_w.present,
                                    round.values, round.present, present};
    device_.launch_over(n_, name_of_rounds, program_, "t_take_rounds", list);
    w.nvals = entry_count(index_t{w.nvals} + static_cast<index_t>(found_));
    if (is_bitmap(i.round))
      i.round->nvals =
          count_present(device_, name_of_rounds, i.round->present, i.round->size, counters_);
    frontier.nvals = static_cast<index_t>(left_);
    frontier.storage = vector_storage::bitmap;
    frontier.indices = nullptr;
    frontier.present = next_present_;
    frontier.values = next_;
  }

 private:
  // So that edges, and sums of them rounded up for each row, fit 32 bits.
  static std::uint32_t shift_for(const matrix_base& a) {
    std::uint32_t shift = 0;
    while ((static_cast<std::uint64_t>(a.nnz) >> shift) + static_cast<std::uint64_t>(a.rows) >=
           std::numeric_limits<std::uint32_t>::max())
      ++shift;
    return shift;
  }

  // Of rows of more than short_row entries.
  static std::uint64_t most_pieces(const matrix_base& a) {
    const auto nnz = static_cast<std::uint64_t>(a.nnz), rows = static_cast<std::uint64_t>(a.rows);
    return std::min(rows, nnz / row_round_limits::short_row) + nnz / piece_of_a_round;
  }

  static std::uint64_t most_very_long(const matrix_base& a) {
    return static_cast<std::uint64_t>(a.nnz) / row_round_limits::very_long_row + 1;
  }

  void number_frontier(const vector_base& w, const vector_base& frontier) const {
    const void *u = device_.read(frontier.values), *u_present = device_.read(frontier.present),
               *w_present = device_.read(w.present);
    const std::uint32_t bitmap = is_bitmap(&frontier);
    const kernel_argument list[] = {n_,
                                    u,
                                    u_present,
                                    bitmap,
                                    w_present,
                                    of_transpose_.offsets,
                                    of_transpose_.wide,
                                    to_state_,
                                    numbered_rounds,
                                    to_stage_,
                                    to_bits_,
                                    to_next_,
                                    to_very_long_};
    device_.launch_over(n_, name_of_rounds, program_, "t_number_positions", list);
  }

  void list_frontier(std::uint32_t number) const {
    arguments of_list{number,  numbered_rounds, n_,       all_edges_,     shift_,    m_.offsets,
                      m_.wide, to_state_,       to_bits_, to_short_rows_, to_pieces_};
    const std::uint64_t shares = divide_up(n_, positions_of_share);
    device_.runtime().launch(
        name_of_rounds, program_, "t_list_frontier", of_list,
        std::min(divide_up(shares, std::uint64_t{limits_.group()}), limits_.groups_over(n_)),
        limits_.group());
  }

  // Lists what it finds for the next one, too, which is counted then.
  void launch_round(std::uint32_t number) const {
    arguments of_round{number,
                       numbered_rounds,
                       n_,
                       all_edges_,
                       shift_,
                       m_.offsets,
                       m_.wide,
                       columns_,
                       a_,
                       of_transpose_.offsets,
                       of_transpose_.wide,
                       rows_,
                       values_of_transpose_,
                       iso_,
                       to_state_,
                       to_stage_,
                       to_short_rows_,
                       to_pieces_,
                       to_very_long_,
                       to_bits_,
                       to_next_,
                       kernel_argument(parameters_)};
    device_.runtime().launch(name_of_rounds, program_, "t_run_round", of_round,
                             limits_.groups_over(n_), limits_.group());
    list_frontier(number + 1);
  }

  device_context& device_;
  const compiled_program& program_;
  row_round_limits limits_;
  std::uint64_t n_;  // positions
  // The frontier's values and flags are allocated with the others, before w changes.
  buffer_pointer state_, stage_, short_rows_, pieces_, very_long_, bits_, next_, next_present_,
      counters_;
  std::uint32_t shift_;
  matrix_arguments m_, of_transpose_;
  const void *columns_, *a_, *rows_, *values_of_transpose_;
  std::uint32_t iso_;
  std::uint64_t all_edges_;
  std::vector<std::uint64_t> parameters_;
  void *to_state_, *to_stage_, *to_short_rows_, *to_pieces_, *to_very_long_, *to_bits_, *to_next_;
  std::uint32_t last_ = frontier_number, left_ = 0;  // the number of the frontier that is left
  std::uint64_t found_ = 0;
};

}  // namespace

void set_direction_limits(program_request& request, const device_traits& device) {
  set_row_limits(request, device);
  request.set_constant("T_PIECE", piece_of_a_round);
  request.set_constant("T_SHARE", positions_of_share);
}

index_t product_runner::iterate_by_direction(vector_base& w, vector_base& frontier,
                                             const iteration& i, index_t first,
                                             index_t most_rounds) {
  const std::shared_ptr<const matrix_base> transposed = incoming_of_rounds(w, i);
  if (transposed == nullptr) return 0;
  const round_request asked = conditions_of(i);
  program_request request{.kernel = "rounds_by_direction",
                          .semiring = &i.semiring,
                          .vector_first = true,
                          .round = &asked,
                          .constants = {{"T_VALUE_BYTES", static_cast<long>(i.semiring.z().size)}}};
  set_direction_limits(request, device_.traits());
  const compiled_program* program = device_.runtime().program(request);
  if (program == nullptr) return 0;
  if (!can_insert(w, i)) return 0;
  vectors_.spread(frontier);

  rounds_by_direction rounds(device_, *program, request, w, frontier, i, *transposed);
  const index_t done = rounds.run(most_rounds, context(w.context), i.name);
  if (done > 0) rounds.take(w, frontier, i, first);
  return done;
}

}  // namespace tropic::detail
