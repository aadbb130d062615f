// SPDX-License-Identifier: Apache-2.0
// mxv and vxm on the CPU, by pull or push: prepares the arguments of the semiring's kernels, runs
// them, and passes the result to the epilogue.
//
// Pull: pull.cpp. Push: push.cpp.
//
// If a matrix has so few rows and entries relative to its columns that a vector of as many
// positions would be most of the work (is_hypersparse: for example one row of 2^32 columns),
// neither u nor the result is stored by position: see evaluated_kernels.hpp.

#include <cstring>
#include <optional>

#include <tropic/detail/cpu/kernels.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/matrices/hot_columns.hpp"
#include "backends/cpu/matrices/matrix_facts.hpp"
#include "backends/cpu/memory_side.hpp"
#include "backends/cpu/products/evaluated_kernels.hpp"
#include "backends/cpu/products/known_sums.hpp"
#include "backends/cpu/products/pull.hpp"
#include "backends/cpu/vectors/mask.hpp"
#include "backends/kept_transpose.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace {

constexpr std::size_t all_own_caches = 1 << 20;  // bytes of a processor's own, most of the time
// Bytes of u from which prefetching pays. A processor computes while it waits for its next caches.
constexpr std::size_t fast_bytes = 1 << 22;

}  // namespace

void cpu_backend::bind_matrix(product_arguments& arguments, const semiring_description& semiring,
                              const matrix_base& m) const {
  arguments.semiring = &semiring;
  arguments.offsets = read(m.offsets);
  arguments.wide = m.wide;
  arguments.columns = read_as<std::uint32_t>(m.column_indices);
  arguments.a = read(m.values);
  arguments.a_iso = m.iso;
  arguments.readable = as_size(m.nnz);
}

// Equal values count where they make the products of a row equal and the sum of equal products is
// that product (minima, or, any).
void cpu_backend::find_facts(product_arguments& arguments, const product& p,
                             const cpu_kernel_table& kernels, const matrix_base& m,
                             const vector_base& u) const {
  const bool is_full = u.storage == vector_storage::full;
  arguments.prefetches = is_full && as_size(u.size) * u.type->size > fast_bytes &&
                         on_cpu::has_scattered_columns(m, arguments.columns);
  if (kernels.asks_for_plain)
    arguments.a_is_plain = on_cpu::has_plain_values(m, arguments.a, threads());
  if (p.cpu_kernels() != nullptr && p.semiring.add.idempotent && is_full) {
    arguments.a_iso = on_cpu::has_equal_values(m, arguments.a);
    arguments.u_iso = equal_element_of(u, arguments.u) != nullptr;
  }
}

// The value of all elements of a full u, or null; `values`: u's, or null, so that they are not read
// if the array knows. A device's copy is not looked at from the host.
const void* cpu_backend::equal_element_of(const vector_base& u, const void* values) const {
  const std::size_t bytes = u.type->size, count = as_size(u.nvals);
  if (context_.device_memory == nullptr && u.values->bytes() == count * bytes)
    return u.values->equal_element(bytes);
  if (values == nullptr) values = read(u.values);
  return on_cpu::are_equal(values, bytes, count) ? values : nullptr;
}

// Products that are all one value v with v + v = v, to the bit: then every sum is v, in any order,
// and w is filled with it, where rows have entries. v + v is computed by the kernel, from a matrix
// of two rows with one and two entries. False if this is not such a product, or on a device.
bool cpu_backend::fill_with_product(vector_base& w, const product& p, const vector_rule& rule,
                                    product_arguments arguments, const matrix_base& m) {
  const semiring_description& semiring = p.semiring;
  const expression::tree& multiply = *semiring.multiply.syntax;
  if (context_.device_memory != nullptr || p.cpu_kernels() == nullptr || rule.mask != nullptr ||
      p.input.storage != vector_storage::full || multiply.positional() ||
      !(semiring.add.idempotent || semiring.exits_at_first_product))
    return false;
  const bool uses_matrix = p.vector_first ? multiply.uses_y : multiply.uses_x;
  const bool uses_vector = p.vector_first ? multiply.uses_x : multiply.uses_y;
  if (uses_matrix && !on_cpu::has_equal_values(m, arguments.a)) return false;
  if (uses_vector && (arguments.u = equal_element_of(p.input, nullptr)) == nullptr) return false;

  static constexpr std::uint32_t offsets[] = {0, 1, 3}, columns[] = {0, 0, 0};
  const std::size_t bytes = semiring.z().size;
  alignas(64) std::byte sums[2 * sizeof(scalar_bytes)];
  if (bytes > sizeof(scalar_bytes)) return false;
  arguments.offsets = offsets;
  arguments.wide = false;
  arguments.readable = 0;
  arguments.columns = columns;
  arguments.a_iso = arguments.u_iso = true;
  arguments.w = sums;
  p.cpu_kernels()->full(arguments, 0, 2);
  if (std::memcmp(sums, sums + bytes, bytes) != 0) return false;

  vector_base t;
  t.context = context_.shared_from_this();
  t.type = &semiring.z();
  t.size = p.output_size();
  t.nvals = t.size - m.empty_rows;
  t.storage = vector_storage::full;
  if (m.empty_rows > 0) {
    t.storage = vector_storage::bitmap;
    t.present = on_cpu::rows_with_entries({context_, on_host_}, m);
  }
  t.values = take(w.values, p.input.values, as_size(t.size) * bytes, rule);
  t.values->fill(sums, bytes);
  write_back(w, std::move(t), rule);
  return true;
}

void cpu_backend::use_hot_columns(product_arguments& arguments, const product& p,
                                  const matrix_base& m, const vector_base& u, hot_input& holder,
                                  const void* kind) {
  const expression::tree& multiply = *p.semiring.multiply.syntax;
  const std::size_t bytes = u.type->size, count = as_size(u.size);
  const bool gathers = p.vector_first ? multiply.uses_x : multiply.uses_y;
  if (u.storage != vector_storage::full || count * bytes <= all_own_caches || !gathers ||
      multiply.positional() || exits_early(p.semiring) || (arguments.a_iso && arguments.u_iso) ||
      !on_cpu::has_scattered_columns(m, arguments.columns))
    return;
  const on_cpu::memory_side here(context_, on_host_);
  const hot_numbers* const hot = holder.call.begin(here, m, kind);
  if (hot == nullptr) return;
  try {
    holder.u.emplace(workspaces_, context_, count, bytes);
  } catch (const out_of_memory&) {  // an optimisation must not make the call fail
    holder.call = {};               // a call without hot columns, which is not measured
    return;
  }
  on_cpu::gather_hot(here, *hot, static_cast<const std::byte*>(arguments.u), count, bytes,
                     (*holder.u)->values);
  arguments.u = (*holder.u)->values;
  arguments.columns = read_as<std::uint32_t>(hot->columns);
  arguments.prefetches = false;  // most loads are of the caches now
}

const cpu_kernel_table& cpu_backend::kernels_of(const semiring_description& semiring,
                                                bool vector_first) {
  if (const cpu_kernel_table* instantiated = semiring.cpu_kernels[vector_first])
    return *instantiated;
  const cpu_kernel_table* const compiled = compiled_.find(semiring);
  return (compiled != nullptr ? compiled : evaluated_kernels)[vector_first];
}

const std::uint8_t* cpu_backend::skip_of(const vector_rule& rule, index_t outputs, bool push,
                                         buffer_pointer& holder) {
  const vector_base& mask = *rule.mask;
  if (mask.storage == vector_storage::bitmap && rule.structural && rule.complemented)
    return read_as<std::uint8_t>(mask.present);
  if (push) return nullptr;  // work by the frontier, not by the size of the output
  const auto n = static_cast<std::size_t>(outputs);
  holder = allocate(n);
  auto* skip = write_as<std::uint8_t>(holder);
  const std::uint8_t inside = rule.complemented ? 1 : 0, outside = rule.complemented ? 0 : 1;
  const auto counts = [&, values = read_as<std::byte>(mask.values)](std::size_t entry) -> bool {
    if (rule.structural) return true;
    const std::byte* value = values + entry * mask.type->size;
    return with_builtin_type(mask.type->code, [&]<class T>() {
      T v;
      std::memcpy(&v, value, sizeof(T));
      return v != T{};
    });
  };
  if (mask.storage == vector_storage::sparse) {
    std::memset(skip, outside, n);
    const auto* index = read_as<std::uint32_t>(mask.indices);
    for (std::size_t e = 0; e < static_cast<std::size_t>(mask.nvals); ++e)
      if (counts(e)) skip[index[e]] = inside;
  } else {
    const auto* present = read_as<std::uint8_t>(mask.present);
#pragma omp parallel for num_threads(threads()) if (n > 1 << 15)
    for (std::size_t i = 0; i < n; ++i)
      skip[i] = (present == nullptr || present[i]) && counts(i) ? inside : outside;
  }
  return skip;
}

// An array for a part of a result. If w is replaced, its own, `old`, is written again: new memory
// costs a page fault per page.
buffer_pointer cpu_backend::take(const buffer_pointer& old, const buffer_pointer& input,
                                 std::size_t bytes, const vector_rule& rule) const {
  const bool replaces_w = !rule.mask && rule.accumulator == nullptr;
  const bool is_host = on_host_ || context_.device_memory == nullptr;
  const bool fits = replaces_w && on_cpu::memory_side::is_exclusive(old) && old != input &&
                    old->bytes() == bytes && (is_host ? old->host_valid() : old->device_valid());
  return fits ? old : allocate(bytes);
}

// Arrays of a pull's result. Memory is taken before anything of w is written, so that w is
// unchanged if there is none.
void cpu_backend::take_buffers(vector_base& t, const vector_base& w, const product& p,
                               const vector_rule& rule, bool with_flags,
                               product_arguments& arguments) const {
  const std::size_t size = as_size(t.size);
  t.storage = vector_storage::bitmap;
  t.values = take(w.values, p.input.values, size * t.type->size, rule);
  if (with_flags) t.present = take(w.present, p.input.present, size, rule);
  if (t.values != w.values) arguments.w = write(t.values);
  if (with_flags) arguments.w_present = write_as<std::uint8_t>(t.present);
  if (t.values == w.values) arguments.w = write(t.values);
}

void cpu_backend::bind_input(sparse_input& arguments, vector_base& u, bool as_list) const {
  if (as_list)
    convert_storage(u, vector_storage::sparse);
  else if (u.storage == vector_storage::sparse)
    convert_storage(u, u.nvals == u.size ? vector_storage::full : vector_storage::bitmap);
  arguments.u = read(u.values);
  arguments.u_present = read_as<std::uint8_t>(u.present);
  arguments.u_indices = read_as<std::uint32_t>(u.indices);
  arguments.u_count = as_size(u.nvals);
}

void cpu_backend::pull_into(vector_base& t, const vector_base& w, const product& p,
                            const vector_rule& rule, product_arguments& arguments,
                            const matrix_base& m, const vector_base& u) {
  const bool from_list = u.storage == vector_storage::sparse;
  const cpu_kernel_table& kernels =
      from_list ? sparse_input_kernels[p.vector_first] : kernels_of(p);
  find_facts(arguments, p, kernels, m, u);
  const bool may_be_partial =
      !p.cpu_kernels() || m.empty_rows > 0 || arguments.skip || u.storage != vector_storage::full;
  // Where the rows with entries are those of the result, their flags are kept with the matrix.
  const bool are_of_rows =
      may_be_partial && p.cpu_kernels() && !arguments.skip && u.storage == vector_storage::full;
  if (are_of_rows) t.present = on_cpu::rows_with_entries({context_, on_host_}, m);
  take_buffers(t, w, p, rule, may_be_partial && !are_of_rows, arguments);
  hot_input hot;
  use_hot_columns(arguments, p, m, u, hot, arguments.skip ? nullptr : &kernels);
  t.nvals = static_cast<index_t>(on_cpu::pull({kernels, p, arguments, m, threads()}));
  hot.call.end();
  if (are_of_rows) t.nvals = t.size - m.empty_rows;
  if (t.nvals == t.size) {
    t.storage = vector_storage::full;
    t.present = nullptr;
  }
}

void cpu_backend::multiply(vector_base& w, const product& p, const vector_rule& rule,
                           std::string_view kernel) {
  const matrix_base& a = p.matrix;
  const index_t outputs = p.output_size();
  const bool stored_rows_are_output = p.rows_are_output();
  if (p.cpu_kernels() == nullptr)
    if (const semiring_description* known = on_cpu::same_builtin(p.semiring))
      return multiply(w, {*known, a, p.input, p.transposed, p.vector_first}, rule, kernel);

  if (a.nnz == 0 || p.input.nvals == 0) {
    write_back(w, empty_vector(context_.shared_from_this(), p.semiring.z(), outputs), rule);
    return;
  }

  const bool push = find_row(kernels(), kernel)->unit == work_unit::frontier;
  if (push && !p.rows_are_output() && !a.symmetric && !has_kept_transpose(a)) {
    const index_t edges = edges_of(p, a);
    const std::lock_guard lock(a.derived->mutex);
    a.derived->pushed_without_transpose += edges;  // the counter that features() reads
  }
  const matrix_base* m = &a;
  std::shared_ptr<const matrix_base> transposed;
  if (push == stored_rows_are_output) {
    transposed = transpose_of(a);
    m = transposed.get();
  }

  const bool from_list = !push && p.input.storage == vector_storage::sparse &&
                         is_hypersparse(m->rows, m->nnz, p.input.size);
  sparse_input arguments;
  bind_matrix(arguments, p.semiring, *m);
  if (!push && !from_list && fill_with_product(w, p, rule, arguments, *m)) return;
  buffer_pointer skip_bytes;
  if (rule.mask) arguments.skip = skip_of(rule, outputs, push, skip_bytes);

  vector_base u = p.input;
  bind_input(arguments, u, push || from_list);

  vector_base t;
  t.context = context_.shared_from_this();
  t.type = &p.semiring.z();
  t.size = outputs;
  if (push && is_hypersparse(m->rows, m->nnz, outputs)) {
    push_as_list(t, p, arguments);
  } else if (push) {
    std::optional<on_cpu::position_set> listed;
    if (rule.mask && !rule.complemented && rule.mask->storage == vector_storage::sparse)
      listed.emplace(on_cpu::memory_side(context_, on_host_), rule);
    const bool is_masked = push_into(t, p, arguments, *m, u.nvals, listed ? &*listed : nullptr);
    if (is_masked && rule.replace && rule.accumulator == nullptr)
      return write_back(w, std::move(t), vector_rule{});
  } else {
    pull_into(t, w, p, rule, arguments, *m, u);
  }
  write_back(w, std::move(t), rule);
}

}  // namespace tropic::detail
