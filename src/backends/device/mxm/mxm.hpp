// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a device divides a product of two sparse matrices (kernels/mxm).

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/device_context.hpp"
#include "backends/device/program/program.hpp"
#include "backends/kernel_info.hpp"

namespace tropic::detail {

inline constexpr std::string_view mxm_operation = "mxm";  // in messages

/// Sizes that decide which method a row is computed by. Tests lower them, so that small matrices
/// cross every boundary.
struct mxm_limits {
  /// A team of work-items whose hash table holds so many columns. Rows of more products go to the
  /// next one; `products` is less than `slots`.
  struct table {
    std::uint32_t lanes, slots, products;
  };
  // Rows of up to so many products are computed by a work-item each, in a list; 0: none.
  std::uint32_t list_products = 16;
  // So are the values of rows with up to so many entries, as have their rows of A, if a value has
  // at most `short_value_bytes`; at most 32.
  std::uint32_t short_row = 16, short_value_bytes = 16;
  std::array<table, 4> tables{{{8, 64, 48}, {32, 512, 384}, {128, 2048, 1536}, {256, 8192, 6144}}};
  bool tables_by_cost = true;       // leave out tables that cost more than bits; else use all
  std::uint32_t table_group = 128;  // work-items of a group of teams, or of the team if it has more
  std::uint32_t bit_group = 256;    // of one that sets bits
  std::uint32_t bit_words = 8192;   // its words of bits, a multiple of bit_group
  std::uint32_t slots = 512;        // of a tile of the result
  std::uint32_t tile = 512;         // entries of a tile, at most the slots
  std::uint32_t tile_bytes = 6144;  // of local memory: so that many subgroups run at once
  std::uint32_t range_bytes = 8192;  // of the sums of a range of columns
  // Rows are computed by ranges if their entries are at least this many, and at least this share of
  // the columns.
  std::uint32_t long_row = 128, long_share = 8;
  // Where ranges begin in the rows of B is found once if that takes at most so many words for each
  // of its entries; else for each unit.
  std::uint64_t cuts_per_entry = 4;
  std::uint32_t subgroups = 4;  // of a group that computes values, if subgroups shuffle
  // Rows of A are computed in chunks of at most so many rows, and of so many products where one
  // block of rows does not have more.
  std::uint64_t chunk_rows = std::uint64_t{1} << 22, chunk_products = std::uint64_t{1} << 30;
  std::uint64_t block_rows = 1024;  // whose products are counted together
};

/// Whether a kernel uses a method for no row, for the rows that it suits, or for all.
enum class mxm_use : std::uint8_t { none, suited, all };

/// A kernel of mxm, by the methods that compute its rows.
struct mxm_kernel {
  kernel_info info;
  mxm_use lists = mxm_use::suited;  // of columns, and the values of short rows
  mxm_use tables = mxm_use::suited, ranges = mxm_use::suited;
  bool inner = false;  // instead: mxm_inner.kernel
};
/// All of them; the first suits any product.
std::span<const mxm_kernel> device_mxm_kernels();

struct mxm_config {
  std::uint32_t table_group, bit_group, bit_words;
  std::uint32_t list_products, list_group, short_row, short_group;
  std::array<mxm_limits::table, 4> tables;
  mxm_use use_tables, use_ranges;
  std::uint32_t subgroup, slots, tile, subgroups_of_tiles;  // of the values
  std::uint32_t range, subgroups_of_ranges;                 // columns of a range
  std::uint32_t long_row, long_share;
  std::uint64_t cuts_per_entry;
  std::uint64_t chunk_rows, chunk_products, block_rows;

  /// Within what the device can do, for sums of `value_bytes`.
  mxm_config(const device_traits&, const mxm_limits&, std::size_t value_bytes,
             const mxm_kernel& = device_mxm_kernels().front());

  std::uint32_t group_of(const mxm_limits::table& t) const {
    return t.lanes > table_group ? t.lanes : table_group;
  }
  /// Words of bits that a group uses for a row of so many columns, and how many groups that takes.
  std::uint32_t words_for(std::uint64_t columns) const;
  std::uint64_t bit_ranges_for(std::uint64_t columns) const;
  /// How many of the tables are used. Of those that suit: the first, and those that cost less than
  /// bits over so many columns.
  std::size_t tables_for(std::uint64_t columns) const;
  /// Entries from which on a row of a result with so many columns is computed by ranges.
  std::uint64_t long_row_of(std::uint64_t columns) const;

  program_request rows_request() const;
  program_request lists_request() const;
  program_request table_request(const mxm_limits::table&) const;
  program_request bits_request() const;
  program_request values_request(const device_traits&, const semiring_description&) const;
  program_request short_request(const semiring_description&) const;
  program_request ranges_request(const device_traits&, const semiring_description&) const;
  static program_request inner_request(const semiring_description&);
};

/// Rows beside each other of A, or of the result, which are computed together.
struct row_chunk {
  std::uint64_t first = 0, rows = 0, products = 0;
};
/// The row offsets of a matrix, as kernels are passed them.
struct row_offsets {
  buffer_pointer words;
  bool wide = false;
};
/// Rows in chunks, by the products of each row of A B; of those with entries of `mask`, if it is
/// not null. `products`: a word for the number of each row, 2^32 - 1 at most; may be null. Waits
/// for the device.
std::vector<row_chunk> chunks_of_product(device_context&, const mxm_config&, const matrix_base& a,
                                         const row_offsets& b, const matrix_base* mask,
                                         const buffer_pointer& products);
/// Sums over all rows of a word each. Waits for the device.
struct row_totals {
  std::uint64_t sum = 0;
  index_t largest = 0, zeros = 0;
};
row_totals totals_of(device_context&, const mxm_config&, std::uint64_t rows,
                     const buffer_pointer& counts);

/// Why a product runs by a kernel. Steps: entries that are searched for or combined, none where
/// they were not needed for the choice.
struct mxm_choice {
  const mxm_kernel* kernel = nullptr;
  std::string reason;
  std::optional<double> rows_steps{}, inner_steps{};
  std::size_t chunks = 0;  // 0: not known yet
};
/// The steps of inner products at the entries of P: the row offsets of A and of B'.
double inner_steps(device_context&, const mxm_config&, const matrix_base& p, const matrix_base& a,
                   const row_offsets& b);
/// The row offsets of the transpose, without building it.
row_offsets column_offsets(device_context&, const mxm_config&, const matrix_base&);

/// The passes of a product over its chunks.
enum class mxm_pass : std::uint8_t { counts, columns, short_rows, tiles, ranges, count };
/// Before each chunk of a pass, if there are several: waits for the device, reports progress, and
/// throws `cancelled` if that was asked for.
void mxm_checkpoint(const device_context&, std::size_t chunks, mxm_pass, std::size_t chunk);

/// The pattern of A B, of `values` to come: nnz, offsets and columns, and no values. Nothing if 32
/// bits do not count its entries. Throws out_of_memory before it takes memory for a result that
/// exceeds the limit of the context.
struct pattern_work {
  std::size_t chunks = 0;       // that it took; 0: not known yet
  std::uint64_t list_rows = 0;  // that were computed in lists
};
std::optional<matrix_base> product_pattern(device_context&, const mxm_config&, const matrix_base& a,
                                           const matrix_base& b, const type_description& values,
                                           pattern_work&);

}  // namespace tropic::detail
