// SPDX-License-Identifier: Apache-2.0

// Removal in the order of counts (peel.kernel): batches of launches, after each of which the host
// reads whether any vertex is left.

#include <algorithm>

#include <tropic/context.hpp>

#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/vectors/vector_operations.hpp"

namespace tropic::detail {
namespace {

constexpr long entries_of_a_task = 128;
// Of the small rounds of a launch, which cannot be cancelled: they take some milliseconds.
constexpr long small_rounds = 1024;
// Launches of a batch: a launch behind the last step takes 2 to 3 us, a wait of the host 20.
constexpr std::size_t first_batch = 16, largest_batch = 128;

// As in peel.kernel.
struct peel_state {
  static constexpr std::size_t step = 0, rounds = 8, largest = 9, words = 13;
  static constexpr std::uint32_t copies = 3;
  static constexpr std::uint32_t is_done = 2;
};

}  // namespace

std::optional<peeling> matrix_operations::peel(vector_base& level, const vector_base& count,
                                               const matrix_base& a) {
  const bool is_gpu = device_.traits().exchange == subgroup_exchange::shuffle;
  constexpr const char* operation = "cores";
  const std::size_t group = device_.group_size(is_gpu ? 512 : 64);
  const matrix_arguments c(device_, a);
  const std::uint64_t tasks = c.rows + c.nnz / static_cast<std::uint64_t>(entries_of_a_task);
  if (a.rows == 0 || group < 32 || tasks > std::uint64_t{0xffffffff}) return std::nullopt;
  const compiled_program& program =
      *device_.runtime().program({.kernel = "peel",
                                  .constants = {{"T_GROUP_SIZE", static_cast<long>(group)},
                                                {"T_PIECE", entries_of_a_task},
                                                {"T_FEW", 2 * static_cast<long>(group) / 32},
                                                {"T_ROUNDS_AT_ONCE", small_rounds}}});
  vector_base given = count;
  vectors_.spread(given);
  const auto n = static_cast<std::size_t>(a.rows);
  constexpr std::size_t word = sizeof(std::uint32_t);
  const buffer_pointer levels = device_.allocate(n * sizeof(index_t)),
                       counts = device_.allocate(n * word), lists = device_.allocate(2 * n * word),
                       listed = device_.allocate(2 * tasks * word),
                       state = device_.allocate(peel_state::copies * peel_state::words * word);
  const void *columns = device_.read(a.column_indices), *values = device_.read(given.values),
             *present = device_.read(given.present);
  void *to_levels = device_.write(levels), *to_counts = device_.write(counts),
       *to_lists = device_.write(lists), *to_listed = device_.write(listed),
       *to_state = device_.write(state);
  device_.runtime().fill(to_state, 0, state->bytes());
  const std::uint32_t bitmap = given.storage == vector_storage::bitmap;
  const kernel_argument first[] = {c.rows,    values,   present,   bitmap,
                                   to_counts, to_lists, to_levels, to_state};
  device_.launch_over(c.rows, operation, program, "t_peel_first", first);

  // All groups at the same time, a subgroup a row.
  const std::size_t groups = device_.groups_over(c.rows * 32, group, is_gpu ? 4 : 1);
  std::uint32_t turn = 0;
  const kernel_argument list[] = {c.rows,   c.offsets, c.wide,    columns,  to_counts,
                                  to_lists, to_listed, to_levels, to_state, turn};
  const std::uint32_t* words = nullptr;
  for (std::size_t batch = first_batch;; batch = std::min(2 * batch, largest_batch)) {
    for (std::size_t n_th = 0; n_th < batch; ++n_th, turn = (turn + 1) % peel_state::copies)
      device_.runtime().launch(operation, program, "t_peel", list, groups, group);
    words = static_cast<const std::uint32_t*>(state->host()) + turn * peel_state::words;
    if (words[peel_state::step] == peel_state::is_done) break;
    context(device_.context()).checkpoint(operation);
    device_.write(state, access::modify);
  }

  const peeling found{static_cast<index_t>(words[peel_state::largest]),
                      static_cast<index_t>(words[peel_state::rounds])};
  level.storage = vector_storage::full;
  level.nvals = level.size;
  level.indices = nullptr;
  level.present = nullptr;
  level.values = levels;
  return found;
}

}  // namespace tropic::detail
