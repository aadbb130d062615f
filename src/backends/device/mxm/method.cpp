// SPDX-License-Identifier: Apache-2.0

// Which kernel a product of sparse matrices runs by, and what `tropic spgemm --explain` reports of
// it. Where a mask bounds the result, the steps of inner products are weighed against those of
// rows.

#include <algorithm>
#include <iterator>

#include "backends/device/mxm/call.hpp"
#include "backends/device/products/product_runner.hpp"
#include "backends/kept_transpose.hpp"

namespace tropic::detail {

namespace {

// A product that is added to a sum of a tile: the search for its entry and for its column, and its
// share of the turns of a subgroup. Estimated from the instructions of mxm_values.kernel and
// mxm_inner.kernel, as is an entry of a transpose that is sorted.
constexpr double steps_of_product = 4, steps_of_transpose = 16;

const mxm_kernel& inner_kernel() {
  return *std::ranges::find(device_mxm_kernels(), true, &mxm_kernel::inner);
}

const mxm_kernel* mxm_kernel_named(std::string_view name) {
  const auto all = device_mxm_kernels();
  const auto found = std::ranges::find(all, name, [](const mxm_kernel& k) { return k.info.name; });
  return found == all.end() ? nullptr : &*found;
}

std::uint64_t products_of(const std::vector<row_chunk>& chunks) {
  std::uint64_t sum = 0;
  for (const row_chunk& chunk : chunks) sum += chunk.products;
  return sum;
}

using shares = std::vector<mxm_explanation::share>;

// How the entries of each row of a product without a mask are found.
void add_pattern(shares& list, const sparse_call& c) {
  const auto rows = static_cast<std::uint64_t>(c.a().rows);
  const buffer_pointer products = c.device.allocate(rows * sizeof(std::uint32_t));
  chunks_of_product(c.device, c.config, c.a(), {c.b().offsets, c.b().wide}, nullptr, products);
  const auto* of_rows = static_cast<const std::uint32_t*>(products->host());
  const std::size_t tables = c.config.tables_for(static_cast<std::uint64_t>(c.b().columns));
  shares classes{{"pattern", "lists"}};
  for (std::size_t n = 0; n < tables; ++n)
    classes.push_back({"pattern", "table of " + std::to_string(c.config.tables[n].slots)});
  classes.push_back({"pattern", "bits"});
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (of_rows[row] == 0) continue;
    std::size_t class_index = of_rows[row] > c.config.list_products ? 1 : 0;
    while (class_index > 0 && class_index <= tables &&
           of_rows[row] > c.config.tables[class_index - 1].products)
      ++class_index;
    ++classes[class_index].rows;
    classes[class_index].work += of_rows[row];
  }
  std::ranges::copy_if(classes, std::back_inserter(list),
                       [](const mxm_explanation::share& s) { return s.rows > 0; });
}

// How the values of the entries of each row are computed.
void add_values(shares& list, const sparse_call& c, const matrix_base& pattern) {
  mxm_explanation::share inner{"values", "inner"}, lists{"values", "lists"},
      tiles{"values", "tiles"}, ranges{"values", "ranges"};
  const auto short_row = static_cast<index_t>(c.short_row());
  const std::uint64_t long_row = c.config.long_row_of(static_cast<std::uint64_t>(pattern.columns));
  for (index_t row = 0; row < pattern.rows; ++row) {
    const auto entries =
        static_cast<std::uint64_t>(offset_at(pattern, row + 1) - offset_at(pattern, row));
    if (entries == 0) continue;
    const bool is_short = entries <= static_cast<std::uint64_t>(short_row) &&
                          offset_at(c.a(), row + 1) - offset_at(c.a(), row) <= short_row;
    mxm_explanation::share& of_row = c.by_inner            ? inner
                                     : is_short            ? lists
                                     : entries >= long_row ? ranges
                                                           : tiles;
    ++of_row.rows;
    of_row.work += entries;
  }
  for (const mxm_explanation::share& s : {inner, lists, tiles, ranges})
    if (s.rows > 0) list.push_back(s);
}

}  // namespace

kernel_table product_runner::mxm_kernels() const {
  static const std::vector<const kernel_info*> infos = [] {
    std::vector<const kernel_info*> list;
    for (const mxm_kernel& kernel : device_mxm_kernels()) list.push_back(&kernel.info);
    return list;
  }();
  return infos;
}

mxm_choice product_runner::choose_mxm(const matrix_product& p, const matrix_rule& rule) {
  const mxm_kernel &rows = device_mxm_kernels().front(), &inner = inner_kernel();
  mxm_choice result{mxm_kernel_named(p.kernel), "it was asked for"};
  if (result.kernel != nullptr && !result.kernel->inner) return result;
  if (rule.mask == nullptr || rule.complemented) return {&rows, "no mask bounds the result"};
  const mxm_config config(device_.traits(), mxm_limits_, p.semiring.z().size);
  const std::shared_ptr<const matrix_base> kept =
      p.a_transposed ? matrices_.transpose_of(p.a) : nullptr;
  const matrix_base& a = kept ? *kept : p.a;
  const auto by_inner = [&](double steps) {
    result.kernel = &inner;
    result.inner_steps = steps;
    result.chunks =
        static_cast<std::size_t>(steps / static_cast<double>(config.chunk_products)) + 1;
    return result;
  };
  if (result.kernel != nullptr) {
    const std::shared_ptr<const matrix_base> transpose =
        p.b_transposed ? nullptr : matrices_.transpose_of(p.b);
    const matrix_base& of_b = transpose ? *transpose : p.b;
    return by_inner(inner_steps(device_, config, *rule.mask, a, {of_b.offsets, of_b.wide}));
  }
  // Few entries cannot be worth arrays of B's columns.
  if (p.b.columns > 16 * (p.a.nnz + p.b.nnz + rule.mask->nnz) + 1024)
    return {p.b_transposed ? &inner : &rows, "B has few entries for its columns"};
  const bool has_transpose = p.b.symmetric || has_kept_transpose(p.b);
  const double transposing =
      has_transpose ? 0 : steps_of_transpose * static_cast<double>(p.b.nnz + p.b.rows);
  if (p.b_transposed) {
    result.inner_steps = inner_steps(device_, config, *rule.mask, a, {p.b.offsets, p.b.wide});
    result.reason = "it takes fewer steps than building a transpose";
    if (*result.inner_steps <= transposing) return by_inner(*result.inner_steps);
  }
  const row_offsets of_rows{p.b.offsets, p.b.wide};
  row_offsets of_columns;
  if (has_transpose) {
    const std::shared_ptr<const matrix_base> transpose = matrices_.transpose_of(p.b);
    of_columns = {transpose->offsets, transpose->wide};
  } else {
    of_columns = column_offsets(device_, config, p.b);
  }
  if (!p.b_transposed)
    result.inner_steps = inner_steps(device_, config, *rule.mask, a, of_columns) + transposing;
  const std::vector<row_chunk> chunks = chunks_of_product(
      device_, config, a, p.b_transposed ? of_columns : of_rows, rule.mask, nullptr);
  result.rows_steps = steps_of_product * static_cast<double>(products_of(chunks)) +
                      static_cast<double>(rule.mask->nnz) + (p.b_transposed ? transposing : 0);
  result.reason = "it takes fewer steps, those of a transpose that must be built included";
  if (*result.inner_steps <= *result.rows_steps) return by_inner(*result.inner_steps);
  result.kernel = &rows;
  result.chunks = chunks.size();
  return result;
}

mxm_explanation product_runner::explain_mxm(const matrix_product& p, const matrix_rule& rule) {
  const bool is_bound = rule.mask != nullptr && !rule.complemented;
  if (has_no_products(p, rule) || !fits_device(p, rule))
    return {.kernel = std::string(device_mxm_kernels().front().info.name),
            .reason = "there are no products, or so many entries that the host computes them"};
  const mxm_choice choice = choose_mxm(p, rule);
  mxm_explanation result{.kernel = std::string(choice.kernel->info.name), .reason = choice.reason};
  for (const mxm_kernel& kernel : device_mxm_kernels()) {
    mxm_explanation::candidate one{std::string(kernel.info.name)};
    if (kernel.info.needs_mask && !is_bound)
      one.why_not = "it needs a mask that is not complemented";
    if (kernel.inner) one.steps = choice.inner_steps;
    if (&kernel == &device_mxm_kernels().front()) one.steps = choice.rows_steps;
    result.candidates.push_back(std::move(one));
  }
  sparse_call call(device_, p, rule, mxm_limits_, choice);
  if (!prepare(call)) return result;
  if (!is_bound) add_pattern(result.shares, call);
  if (const std::optional<matrix_base> pattern = possible_entries(call))
    add_values(result.shares, call, *pattern);
  return result;
}

}  // namespace tropic::detail
