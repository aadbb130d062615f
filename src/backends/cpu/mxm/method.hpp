// SPDX-License-Identifier: Apache-2.0
#pragma once

// A product of matrices, prepared: the operands by rows, the mask as a pattern, the method, and the
// parts in which threads take the rows.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <tropic/detail/cpu/mxm_table.hpp>

#include "backends/cpu/counted_memory.hpp"
#include "backends/cpu/memory_side.hpp"
#include "backends/cpu/mxm/shared_columns.hpp"
#include "backends/kernel_info.hpp"
#include "backends/product.hpp"

namespace tropic::detail::on_cpu {

/// gustavson: rows of B are added up. inner: a sum for each position of the mask, from rows of B'.
enum class mxm_method : std::uint8_t { gustavson, inner };

/// The kernels of mxm (kernel_table.cpp), one for each method.
kernel_table mxm_kernel_table();
std::string_view name_of(mxm_method);
/// `kernel` is the name of one of them.
mxm_method mxm_method_of(std::string_view kernel);

/// The transpose of a matrix, kept with it.
using transposer = std::function<std::shared_ptr<const matrix_base>(const matrix_base&)>;

class prepared_mxm {
 public:
  /// With a mask, only positions that it allows are computed.
  prepared_mxm(const memory_side& here, const matrix_product& p, const matrix_rule& rule,
               const transposer& transpose_of);

  const semiring_description& semiring() const { return *arguments.semiring; }
  bool is_masked() const { return has_mask_ && !complemented_; }
  bool is_complemented() const { return has_mask_ && complemented_; }
  /// The most entries that a row of the result can have.
  std::size_t bound(std::size_t row) const;

  const cpu_mxm_kernel_table* kernels;
  mxm_arguments arguments;
  mxm_method method = mxm_method::gustavson;
  bool searches = false;    // `inner` without an array of the inner dimension
  bool counts = false;      // `inner` by shared_columns
  bool b_is_lower = false;  // where it counts: row j of B' is known to have columns before j alone
  row_bitmaps bitmaps;      // of the rows of B', where it counts
  std::size_t rows, columns, inner;
  /// Products of a row; `inner`: positions of the mask.
  std::uint64_t products(std::size_t row) const {
    if (method != mxm_method::inner) return products_.as<std::uint64_t>()[row];
    return arguments.a.length(row) == 0 ? 0 : arguments.mask.length(row);
  }
  std::vector<std::size_t> part;  // first rows of the parts, and `rows`
  /// Entries that either method would read, where that decided.
  std::optional<std::uint64_t> gustavson_work{}, inner_work{};

 private:
  void use_mask(const memory_side& here, const matrix_base& mask, bool structural);
  void choose_method(const memory_side& here, const matrix_product& p);
  /// The work of each row by inner products: a position counts its row of B', or searches in it.
  template <class Length>
  std::uint64_t weigh_positions(const memory_side& here, Length&& length_of);
  void count_products(const memory_side& here);
  void divide(int threads);
  void divide_by_positions();

  bool has_mask_, complemented_;
  std::shared_ptr<const matrix_base> a_, b_;  // keep transposes alive
  counted_memory products_;                   // of the rows, but where `inner`
  counted_memory work_;                       // of the rows, where weighed; until they are divided
  counted_memory mask_offsets_, mask_columns_;  // of a valued mask
};

}  // namespace tropic::detail::on_cpu
