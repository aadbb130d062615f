// SPDX-License-Identifier: Apache-2.0

// Products of two sparse matrices on the device: the entries that the result can have first
// (mxm_pattern.cpp, or the mask), then their sums (mxm_values.kernel; mxm_inner.kernel for A B'
// under a mask). Where a mask bounds the result, positions without products are removed at the end.

#include <algorithm>
#include <cstring>

#include "backends/cpu/rows.hpp"
#include "backends/device/matrices/merge.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/mxm.hpp"
#include "backends/device/products/product_runner.hpp"

namespace tropic::detail {

namespace {

constexpr std::string_view operation = "mxm";
// Entries of A that a tile has to visit on average, at most: tiles of few entries of a mask are in
// many rows.
constexpr std::uint64_t most_visits = 1024;
constexpr std::uint32_t fewest_slots = 32;

}  // namespace

// One product, with its operands by rows.
struct sparse_call {
  device_context& device;
  const matrix_product& p;
  const matrix_rule& rule;
  const bool is_bound;  // by the mask
  const bool by_inner;  // mxm_inner.kernel, from rows of B'
  const mxm_config config;
  const program_request request;
  const compiled_program* program = nullptr;
  std::shared_ptr<const matrix_base> kept_a{}, kept_b{};  // transposes

  sparse_call(device_context& of, const matrix_product& product, const matrix_rule& by,
              const mxm_limits& limits)
      : device(of),
        p(product),
        rule(by),
        is_bound(by.mask != nullptr && !by.complemented),
        by_inner(is_bound && product.b_transposed),
        config(of.traits(), limits, product.semiring.z().size),
        request(by_inner ? mxm_config::inner_request(product.semiring)
                         : config.values_request(product.semiring)) {}

  const matrix_base& a() const { return kept_a ? *kept_a : p.a; }
  const matrix_base& b() const { return kept_b ? *kept_b : p.b; }
  bool has_no_products() const {
    return p.a.nnz == 0 || p.b.nnz == 0 || (is_bound && rule.mask->nnz == 0);
  }
};

namespace {

// Whether 32 bits count what the kernels count.
bool fits(const matrix_product& p, const matrix_rule& rule) {
  constexpr index_t most_columns = largest_dimension - 1;
  return are_few_entries({&p.a, &p.b, rule.mask}) && p.a.columns <= most_columns &&
         p.b.columns <= most_columns && p.rows() <= most_columns && p.columns() <= most_columns;
}

// The entries of the mask that count.
matrix_base admitted(device_context& device, const matrix_rule& rule) {
  const matrix_base& mask = *rule.mask;
  if (rule.structural) return mask;
  matrix_rule itself;
  itself.mask = &mask;
  return filtered(device, operation, mask, passing(device, operation, mask, itself));
}

// The entries that the result can have; nothing if they are too many.
std::optional<matrix_base> possible(const sparse_call& c) {
  std::optional<matrix_base> result =
      c.is_bound ? admitted(c.device, c.rule)
                 : product_pattern(c.device, c.config, c.a(), c.b(), c.p.semiring.z());
  if (!result) return result;
  result->iso = true;  // no values
  result->values = c.device.allocate(0);
  if (c.rule.mask != nullptr && c.rule.complemented)
    result = filtered(c.device, operation, *result, passing(c.device, operation, *result, c.rule));
  return result;
}

// Entries of a tile: few where entries of a mask are in many rows.
std::uint32_t tile_of(const sparse_call& c, std::uint64_t entries) {
  const std::uint64_t tiles = static_cast<std::uint64_t>(c.a().nnz) / most_visits + 1;
  const std::uint32_t fewest = std::min(c.config.tile, fewest_slots);
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(entries / tiles, fewest, c.config.tile));
}

struct values_found {
  buffer_pointer values, found;  // found: a byte an entry; null: all
};

// The sums at the entries of a pattern.
values_found sums_at(const sparse_call& c, const matrix_base& pattern) {
  device_context& device = c.device;
  const matrix_base &a = c.a(), &b = c.b();
  const auto entries = static_cast<std::uint64_t>(pattern.nnz);
  values_found result{device.allocate(entries * c.p.semiring.z().size),
                      c.is_bound ? device.allocate(entries) : nullptr};
  if (entries == 0) return result;
  const matrix_arguments of_p(device, pattern), of_a(device, a), of_b(device, b);
  const operator_description& multiply = c.p.semiring.multiply;
  const std::vector<std::uint64_t> parameters = parameter_words_of(c.request);
  const void *p_columns = device.read(pattern.column_indices),
             *a_columns = device.read(a.column_indices),
             *a_values = device.read(multiply.uses_x() ? a.values : nullptr),
             *b_columns = device.read(b.column_indices),
             *b_values = device.read(multiply.uses_y() ? b.values : nullptr);
  const std::uint32_t a_iso = as_flag(a.iso), b_iso = as_flag(b.iso), marks = as_flag(c.is_bound),
                      tile = tile_of(c, entries);
  void *values = device.write(result.values), *found = device.write(result.found);
  arguments list;
  append(list, of_p.rows, entries);
  if (!c.by_inner) append(list, tile);
  append(list, of_p.offsets, of_p.wide, p_columns, of_a.offsets, of_a.wide, a_columns, a_values,
         a_iso, of_b.offsets, of_b.wide, b_columns, b_values, b_iso, values, found);
  if (!c.by_inner) append(list, marks);
  append(list, parameters);
  if (c.by_inner)
    device.launch_over(entries, operation, *c.program, "t_mxm_inner", list);
  else
    device.runtime().launch(operation, *c.program, "t_mxm_values", list, divide_up(entries, tile),
                            std::size_t{c.config.subgroup});
  return result;
}

}  // namespace

// False: the device cannot do it.
bool product_runner::prepare(sparse_call& c) {
  if (!fits(c.p, c.rule)) return false;
  c.program = device_.runtime().program(c.request);
  if (c.program == nullptr) {
    device_.log_once("mxm: " + device_.runtime().name() +
                     " has no fp64; what needs it runs on the host");
    return false;
  }
  if (c.p.a_transposed) c.kept_a = matrices_.transpose_of(c.p.a);
  if (c.p.b_transposed && !c.by_inner) c.kept_b = matrices_.transpose_of(c.p.b);
  // The products of the entries of A that a subgroup has under way are counted in 32 bits.
  return c.b().longest_row < largest_dimension / c.config.subgroup;
}

bool product_runner::mxm(matrix_base& c, const matrix_product& p, const matrix_rule& rule) {
  sparse_call call(device_, p, rule, mxm_limits_);
  if (call.has_no_products()) {
    matrices_.write_back(c, empty_matrix(device_.context(), p.semiring.z(), p.rows(), p.columns()),
                         rule);
    return true;
  }
  if (!prepare(call)) return false;
  std::optional<matrix_base> t = possible(call);
  if (!t) return false;
  const values_found sums = sums_at(call, *t);
  on_cpu::renew(*t);
  t->type = &p.semiring.z();
  t->iso = t->symmetric = false;
  t->values = sums.values;
  if (call.is_bound) t = filtered(device_, operation, *t, sums.found);
  // The product lies within the mask: there is nothing to merge unless c keeps entries.
  const bool keeps = c.nnz > 0 && (rule.accumulator != nullptr || (rule.mask && !rule.replace));
  matrices_.write_back(c, std::move(*t), keeps ? rule : matrix_rule{});
  return true;
}

std::optional<bool> product_runner::reduce_mxm(void* result, const monoid_description& monoid,
                                               const matrix_product& p, const matrix_rule& rule) {
  sparse_call call(device_, p, rule, mxm_limits_);
  bool any = false;
  if (!call.has_no_products()) {
    if (vectors_.sum_program(monoid) == nullptr || !prepare(call)) return std::nullopt;
    const std::optional<matrix_base> at = possible(call);
    if (!at) return std::nullopt;
    const values_found sums = sums_at(call, *at);
    vector_base all;
    all.context = device_.context();
    all.type = &p.semiring.z();
    all.size = at->nnz;
    all.storage = call.is_bound ? vector_storage::bitmap : vector_storage::full;
    all.values = sums.values;
    all.present = sums.found;
    all.nvals = call.is_bound ? count_present(device_, operation, sums.found, at->nnz)
                              : entry_count(at->nnz);
    any = all.nvals > 0;
    if (any) vectors_.reduce(result, monoid, all);
  }
  if (!any) std::memcpy(result, monoid.identity.data(), monoid.add.z->size);
  return any;
}

}  // namespace tropic::detail
