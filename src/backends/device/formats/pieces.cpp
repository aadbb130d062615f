// SPDX-License-Identifier: Apache-2.0

// The rows of a matrix as products with full matrices take them (pieces.kernel).

#include "backends/device/formats/format_cache.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {
namespace {

constexpr std::string_view row_lists = "lists of rows";
// Within a window, rows are near each other, and read much the same of the other factor.
constexpr std::uint64_t length_window = 4096;
constexpr std::uint32_t length_classes = 64;

program_request pieces_request() {
  return {.kernel = "pieces",
          .constants = {{"T_WINDOW", long{length_window}}, {"T_CLASSES", long{length_classes}}}};
}

}  // namespace

format_cache::format format_cache::pieces(const matrix_base& m, std::uint32_t piece) {
  return find_or_make(
      m, "pieces:" + std::to_string(piece), pieces_request(),
      [&](converted_copy& result, const compiled_program* program) {
        const auto most_rows = static_cast<std::uint64_t>(m.nnz) / piece;
        const matrix_arguments of_m(device_, m);
        const buffer_pointer counts = device_.allocate(3 * word_bytes),
                             long_rows = device_.allocate(most_rows * 2 * word_bytes),
                             pieces = device_.allocate(most_rows * 4 * word_bytes);
        void *count = device_.write(counts), *row_list = device_.write(long_rows),
             *piece_list = device_.write(pieces);
        device_.runtime().fill(count, 0, counts->bytes());
        const std::uint32_t few = in_pieces::few;
        const kernel_argument list[] = {of_m.rows, of_m.offsets, of_m.wide, piece,     few,
                                        most_rows, count,        row_list,  piece_list};
        device_.launch_over(of_m.rows, row_lists, *program, "t_list_pieces", list);
        result.parts = {counts, long_rows, pieces};
      });
}

format_cache::format format_cache::length_order(const matrix_base& m) {
  return find_or_make(m, "length_order", pieces_request(),
                      [&](converted_copy& result, const compiled_program* program) {
                        const matrix_arguments of_m(device_, m);
                        const buffer_pointer keys =
                            device_.allocate(of_m.rows * sizeof(std::uint32_t));
                        void* to = device_.write(keys);
                        const kernel_argument list[] = {of_m.rows, of_m.offsets, of_m.wide, to};
                        device_.launch_over(of_m.rows, row_lists, *program, "t_length_keys", list);
                        const std::uint64_t windows = divide_up(of_m.rows, length_window);
                        result.parts = {sort_keys(device_, row_lists, of_m.rows, keys,
                                                  static_cast<index_t>(windows * length_classes))
                                            .order};
                      });
}

}  // namespace tropic::detail
