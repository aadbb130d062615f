// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices in the formats of the kernels. A conversion is made by the device when a kernel first
// asks for it, and kept with the matrix.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/device_context.hpp"
#include "containers/formats/blocks.hpp"
#include "containers/formats/cmrs.hpp"

namespace tropic::detail {

struct matrix_arguments;

/// How csr_hubs holds a matrix (csr_hubs.kernel), or csr_bits: without parts.
struct hub_layout {
  std::uint32_t hubs = 0;   // columns of a part: a multiple of 32, below 2^16 - 1
  std::uint32_t parts = 0;  // staged one after the other
  std::uint32_t least = 0;  // entries of a segment of a part
  bool orders_all = false;  // columns in no part, too, are numbered by frequency
};

/// The parts of a copy in slices, and those that csr_hubs and csr_bits have beside them.
struct in_slices {
  enum : std::size_t {
    bounds,         // see t_hub_sums and t_bit_sums
    slices,         // the first step of each, and the end
    values,         // in the order of slices; no bytes if iso
    segments,       // before each row
    places,         // of segments
    count_of_many,  // how many rows have more segments than one work-item adds
    many,           // these rows
    row_at,         // the rows of the last slices, whose segments are rows
    few,            // the rows of fewer segments that have to be added
    order,   // in_frequency_order::columns; of csr_bits coarse, only if the layout orders_all
    filled,  // in_frequency_order::filled, likewise
    count
  };
};
struct in_hubs {
  enum : std::size_t {
    pairs = in_slices::count,  // of hubs, 16 bits each
    far_columns                // of entries in no part, or if the layout orders_all their places
  };
};
struct in_bits {
  enum : std::size_t { words = in_slices::count };  // of segments (csr_bits.kernel)
};

struct in_frequency_order {
  enum : std::size_t {
    columns,  // by descending number of entries, those with equal numbers in ascending order
    counts,   // the complements of these numbers, in a coarse order the keys of groups
    filled    // how many columns have entries
  };
  static constexpr std::uint32_t key_of_no_entries = 32;  // in a coarse order
};

/// The parts of a list of long rows in pieces.
struct in_pieces {
  enum : std::size_t {
    counts,     // long rows of few pieces, others, all their pieces
    long_rows,  // a row and its first piece; those of few pieces from the front, others from the
                // end
    pieces      // a row and the number of the piece in it
  };
  static constexpr std::uint32_t few = 8;
};

class format_cache {
 public:
  using format = std::shared_ptr<const converted_copy>;
  explicit format_cache(device_context& device) : device_(device) {}
  const device_context& device() const { return device_; }

  /// For coo: the row of each entry.
  format row_indices(const matrix_base&);
  /// For csr_segmented: the rows of the first and the last of every `tile` entries.
  format tile_rows(const matrix_base&, std::uint64_t tile);
  /// A byte a row, set if it has entries.
  format row_pattern(const matrix_base&);

  /// Rows of more than `piece` entries in pieces of so many, as in_pieces.
  format pieces(const matrix_base&, std::uint32_t piece);
  /// Rows by lengths in windows of neighbouring rows, long ones first.
  format length_order(const matrix_base&);

  /// Strips of rows, plain or padded (containers/formats/cmrs.hpp), and back to CSR (strips.cpp).
  /// `like`: the matrix that the copy was made from; the result shares its offsets.
  format strips(const matrix_base&, const strip_layout&);
  matrix_base from_strips(const converted_copy&, const matrix_base& like, const strip_layout&);
  /// Words per entry of such strips.
  double overhead(const matrix_base&, const strip_layout&);
  /// Rows padded to multiples of so many entries (paper 003; containers/formats/padded_rows.hpp).
  static constexpr std::uint32_t padded_row_unit = 16;
  format padded(const matrix_base&);
  matrix_base from_padded(const converted_copy&, const matrix_base& like);

  /// Dense blocks (containers/formats/blocks.hpp, blocks.cpp).
  format blocks(const matrix_base&, const block_shape&);
  matrix_base from_blocks(const converted_copy&, const matrix_base& like, const block_shape&);
  /// The shape that saves the most bytes; rows == 0 if none does.
  block_shape best_blocks(const matrix_base&);

  /// As in_frequency_order. Fewer than 2^32 columns, rows and entries, at least one.
  format frequency_order(const matrix_base&);
  /// The share of entries that are in the parts, or in fewer of their columns: 2^16 at most; 1
  /// without parts. It is kept; 0 where no memory is left for it.
  double share_of_hubs(const matrix_base&, const hub_layout&);
  /// Makes it 0: there is no memory for the format.
  void forget_hubs(const matrix_base&, const hub_layout&);
  /// Whether the matrix is kept in that format.
  bool has_hubs(const matrix_base& m, const hub_layout& layout) const {
    return find(m, name_of(layout)) != nullptr;
  }
  /// Slices of segments, as in_slices and in_hubs (hubs.cpp), or without parts in_bits (bits.cpp).
  format hubs(const matrix_base&, const hub_layout&);
  /// The program that makes it.
  static program_request conversion_to(const hub_layout&);

  /// The names under which formats are kept.
  static std::string name_of(const hub_layout&);
  static std::string name_of(const strip_layout&);
  static std::string name_of(const block_shape&);

 private:
  // Writes the parts of a copy, with the compiled program that it asked for.
  using maker = std::function<void(converted_copy&, const compiled_program*)>;
  format find(const matrix_base&, std::string_view name) const;  // null if it is not kept
  // A conversion is awaited so that its time is known, unless the wait would take longer: then its
  // time is that of the launches.
  enum class completion : bool { awaited, queued };
  format find_or_make(const matrix_base&, std::string_view name, const program_request&,
                      const maker&, completion = completion::awaited);

  format bits(const matrix_base&, const hub_layout&);
  static program_request conversion_to_bits();
  // As in_frequency_order; `coarse`: by the bits of numbers of entries, columns with as many in
  // their order.
  std::vector<buffer_pointer> make_frequency_order(const matrix_base&, bool coarse,
                                                   const compiled_program&);
  // The place of each column in an order, a word each.
  buffer_pointer places_of_columns(const matrix_base&, const buffer_pointer& order);

  converted_copy make_tile_starts(const matrix_base&, const strip_layout&, const compiled_program&);
  format tile_starts(const matrix_base&, const strip_layout&);
  format plain_strips(const matrix_base&, const strip_layout&);
  format padded_strips(const matrix_base&, const strip_layout&);
  struct padded_arrays;
  void launch_padded(const matrix_arguments&, const strip_layout&, std::uint64_t size,
                     const compiled_program&, std::string_view operation, const padded_arrays&);

  struct found_blocks;
  found_blocks find_blocks(const matrix_base&, const block_shape&, const compiled_program&,
                           const buffer_pointer& counts);
  // A copy of `like` with arrays of columns and values still to be written.
  matrix_base without_entries(const matrix_base& like) const;

  // Runs of counts, each summed by one work-item of a launch_over, whose work-groups are at least
  // 64 of 128.
  static constexpr std::uint64_t most_runs = 8192;

  device_context& device_;
};

}  // namespace tropic::detail
