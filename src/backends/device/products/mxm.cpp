// SPDX-License-Identifier: Apache-2.0

// Products of two sparse matrices on the device: the entries that the result can have first
// (mxm_pattern.cpp, or the mask), then their sums (mxm_values.kernel). Where a mask bounds the
// result, positions without products are removed at the end.

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
  const mxm_config config;
  const program_request request;
  const compiled_program* program = nullptr;
  std::shared_ptr<const matrix_base> kept_a{}, kept_b{};  // transposes

  sparse_call(device_context& of, const matrix_product& product, const mxm_limits& limits)
      : device(of),
        p(product),
        config(of.traits(), limits, product.semiring.z().size),
        request(config.values_request(product.semiring)) {}

  const matrix_base& a() const { return kept_a ? *kept_a : p.a; }
  const matrix_base& b() const { return kept_b ? *kept_b : p.b; }
  bool has_no_products(const matrix_rule& rule) const {
    return p.a.nnz == 0 || p.b.nnz == 0 ||
           (rule.mask != nullptr && !rule.complemented && rule.mask->nnz == 0);
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
std::optional<matrix_base> possible(const sparse_call& c, const matrix_rule& rule) {
  const bool is_bound = rule.mask != nullptr && !rule.complemented;
  std::optional<matrix_base> result =
      is_bound ? admitted(c.device, rule)
               : product_pattern(c.device, c.config, c.a(), c.b(), c.p.semiring.z());
  if (!result) return result;
  result->iso = true;  // no values
  result->values = c.device.allocate(0);
  if (rule.mask != nullptr && rule.complemented)
    result = filtered(c.device, operation, *result, passing(c.device, operation, *result, rule));
  return result;
}

struct values_found {
  buffer_pointer values, found;  // found: a byte an entry; null: all
};

values_found sums_at(const sparse_call& c, const matrix_base& pattern, bool marks) {
  device_context& device = c.device;
  const matrix_base &a = c.a(), &b = c.b();
  const auto entries = static_cast<std::uint64_t>(pattern.nnz);
  values_found result{device.allocate(entries * c.p.semiring.z().size),
                      marks ? device.allocate(entries) : nullptr};
  if (entries == 0) return result;
  const std::uint64_t visits = static_cast<std::uint64_t>(a.nnz) / most_visits + 1;
  const auto slots = static_cast<std::uint32_t>(
      std::max<std::uint64_t>(std::min<std::uint64_t>(c.config.tile, entries / visits),
                              std::min(c.config.tile, fewest_slots)));
  const matrix_arguments of_p(device, pattern), of_a(device, a), of_b(device, b);
  const operator_description& multiply = c.p.semiring.multiply;
  const std::vector<std::uint64_t> parameters = parameter_words_of(c.request);
  const void *p_columns = device.read(pattern.column_indices),
             *a_columns = device.read(a.column_indices),
             *a_values = device.read(multiply.uses_x() ? a.values : nullptr),
             *b_columns = device.read(b.column_indices),
             *b_values = device.read(multiply.uses_y() ? b.values : nullptr);
  const std::uint32_t a_iso = as_flag(a.iso), b_iso = as_flag(b.iso), of_marks = as_flag(marks);
  void *values = device.write(result.values), *found = device.write(result.found);
  arguments list;
  append(list, of_p.rows, entries, slots, of_p.offsets, of_p.wide, p_columns, of_a.offsets,
         of_a.wide, a_columns, a_values, a_iso, of_b.offsets, of_b.wide, b_columns, b_values, b_iso,
         values, found, of_marks, parameters);
  device.runtime().launch(operation, *c.program, "t_mxm_values", list,
                          divide_up(divide_up(entries, slots), c.config.subgroups),
                          std::size_t{c.config.subgroup} * c.config.subgroups);
  return result;
}

}  // namespace

// False: the device cannot do it.
bool product_runner::prepare(sparse_call& c, const matrix_rule& rule) {
  if (!fits(c.p, rule)) return false;
  c.program = device_.runtime().program(c.request);
  if (c.program == nullptr) {
    device_.log_once("mxm: " + device_.runtime().name() +
                     " has no fp64; what needs it runs on the host");
    return false;
  }
  if (c.p.a_transposed) c.kept_a = matrices_.transpose_of(c.p.a);
  if (c.p.b_transposed) c.kept_b = matrices_.transpose_of(c.p.b);
  // The products of the entries of A that a subgroup has under way are counted in 32 bits.
  return c.b().longest_row < largest_dimension / c.config.subgroup;
}

bool product_runner::mxm(matrix_base& c, const matrix_product& p, const matrix_rule& rule) {
  sparse_call call(device_, p, mxm_limits_);
  if (call.has_no_products(rule)) {
    matrices_.write_back(c, empty_matrix(device_.context(), p.semiring.z(), p.rows(), p.columns()),
                         rule);
    return true;
  }
  if (!prepare(call, rule)) return false;
  std::optional<matrix_base> t = possible(call, rule);
  if (!t) return false;
  const bool is_bound = rule.mask != nullptr && !rule.complemented;
  const values_found sums = sums_at(call, *t, is_bound);
  on_cpu::renew(*t);
  t->type = &p.semiring.z();
  t->iso = t->symmetric = false;
  t->values = sums.values;
  if (is_bound) t = filtered(device_, operation, *t, sums.found);
  // The product lies within the mask: there is nothing to merge unless c keeps entries.
  const bool keeps = c.nnz > 0 && (rule.accumulator != nullptr || (rule.mask && !rule.replace));
  matrices_.write_back(c, std::move(*t), keeps ? rule : matrix_rule{});
  return true;
}

bool product_runner::reduce_mxm(void* result, const monoid_description& monoid,
                                const matrix_product& p, const matrix_rule& rule, bool& any) {
  sparse_call call(device_, p, mxm_limits_);
  any = false;
  if (!call.has_no_products(rule)) {
    if (vectors_.sum_program(monoid) == nullptr || !prepare(call, rule)) return false;
    const std::optional<matrix_base> at = possible(call, rule);
    if (!at) return false;
    const bool is_bound = rule.mask != nullptr && !rule.complemented;
    const values_found sums = sums_at(call, *at, is_bound);
    vector_base all;
    all.context = device_.context();
    all.type = &p.semiring.z();
    all.size = at->nnz;
    all.storage = is_bound ? vector_storage::bitmap : vector_storage::full;
    all.values = sums.values;
    all.present = sums.found;
    all.nvals =
        is_bound ? count_present(device_, operation, sums.found, at->nnz) : entry_count(at->nnz);
    any = all.nvals > 0;
    if (any) return vectors_.reduce(result, monoid, all);
  }
  std::memcpy(result, monoid.identity.data(), monoid.add.z->size);
  return true;
}

}  // namespace tropic::detail
