// SPDX-License-Identifier: Apache-2.0

// The trees of connected vertices (connect.kernel): at most eight launches, and 20 bytes that are
// copied to the host.

#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrix_arguments.hpp"

namespace tropic::detail {
namespace {

constexpr std::uint64_t first_entries = 2;           // of each row (t_connect_few)
constexpr long long_row = 32, very_long_row = 8192;  // T_LONG, T_VERY_LONG

// As in connect.kernel.
constexpr std::uint32_t is_sampled = 1, is_halved = 2;
constexpr std::size_t roots_word = 3, state_words = 5;

}  // namespace

std::optional<index_t> matrix_operations::connect(vector_base& label, const matrix_base& a) {
  const std::size_t group = device_.group_size(256);
  if (a.rows == 0 || group < 32) return std::nullopt;  // T_LANES
  const compiled_program& program =
      *device_.runtime().program({.kernel = "connect",
                                  .constants = {{"T_GROUP_SIZE", static_cast<long>(group)},
                                                {"T_LONG", long_row},
                                                {"T_VERY_LONG", very_long_row}}});
  const matrix_arguments c(device_, a);
  const auto n = static_cast<std::size_t>(a.rows);
  const std::uint64_t room = c.nnz / static_cast<std::uint64_t>(long_row) + 1;
  const buffer_pointer labels = device_.allocate(n * sizeof(index_t)),
                       parent = device_.allocate(n * sizeof(std::uint32_t)),
                       listed = device_.allocate(room * sizeof(std::uint32_t)),
                       state = device_.allocate(state_words * sizeof(std::uint32_t));
  const void* columns = device_.read(a.column_indices);
  void *to_labels = device_.write(labels), *parents = device_.write(parent),
       *to_listed = device_.write(listed), *to_state = device_.write(state);
  device_.runtime().fill(to_state, 0, state->bytes());

  // As many groups as are busy at the same time, at most one work-item a row, or an entry.
  const std::size_t groups = device_.groups_over(n, group),
                    groups_of_entries = device_.groups_over(c.nnz, group);
  const auto launch = [&](const char* kernel, std::span<const kernel_argument> list,
                          std::size_t count) {
    device_.runtime().launch("components", program, kernel, list, count, group);
  };
  const bool sampled = a.symmetric && c.nnz / (2 * first_entries) > c.rows;
  const std::uint32_t flags = sampled ? is_sampled : a.symmetric ? is_halved : 0;
  const kernel_argument first[] = {c.rows, c.offsets, c.wide, columns, parents};
  const kernel_argument stars[] = {c.rows, parents};
  launch("t_connect_first", first, groups);
  launch("t_make_stars", stars, groups);  // a path in order is one chain of all vertices
  if (sampled) {
    launch("t_connect_few", first, groups);
    launch("t_make_stars", stars, groups);
    const kernel_argument large[] = {c.rows, parents, to_state};
    launch("t_find_large", large, 1);
  }
  const kernel_argument rows[] = {c.rows,  c.offsets, c.wide,    columns, flags,
                                  parents, to_state,  to_listed, room};
  launch("t_connect_rows", rows, groups);
  const kernel_argument of_listed[] = {c.offsets, c.wide,   columns,   flags,
                                       parents,   to_state, to_listed, room};
  if (a.longest_row > long_row) launch("t_connect_listed", of_listed, groups_of_entries);
  const kernel_argument last[] = {c.rows, parents, to_labels, to_state};
  launch("t_label", last, groups);

  const auto* words = static_cast<const std::uint32_t*>(state->host());
  label.storage = vector_storage::full;
  label.nvals = label.size;
  label.indices = nullptr;
  label.present = nullptr;
  label.values = labels;
  return static_cast<index_t>(std::uint64_t{words[roots_word]} + words[roots_word + 1]);
}

}  // namespace tropic::detail
