// SPDX-License-Identifier: Apache-2.0
// mxv and vxm on the CPU, by pull or push: divides the work into balanced parts, runs the kernels
// of the semiring on them and passes the result to the epilogue.
//
// Pull: parts of equal weight in rows + entries (cf. merge-path, Merrill and Garland 2016), cut at
// rows; a row longer than a part is cut into pieces whose sums are combined in order. Parts, and
// therefore results, do not depend on the number of threads.
// Push: push.cpp.
//
// If a matrix has so few rows and entries relative to its columns that a vector of as many
// positions would be most of the work (is_hypersparse: for example one row of 2^32 columns),
// neither u nor the result is stored by position: see evaluated_kernels.hpp.

#include <algorithm>
#include <cstring>
#include <vector>

#include <tropic/detail/cpu_kernels.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/evaluated_kernels.hpp"
#include "backends/cpu/known_sums.hpp"
#include "backends/cpu/matrix_facts.hpp"
#include "backends/cpu/memory_side.hpp"
#include "backends/cpu/row_cuts.hpp"
#include "backends/kept_transpose.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace {

constexpr std::size_t part_weight = 1 << 14;     // rows + entries of one part of a pull
constexpr std::size_t fastest_caches = 1 << 18;  // bytes of a processor's own, most of the time

// What the semiring's kernels can use of the values. Equal values count where they make the
// products of a row equal and the sum of equal products is that product (minima, or, any).
void find_facts(product_arguments& arguments, const product& p, const matrix_base& m,
                const vector_base& u, int threads) {
  if (p.semiring.add.idempotent && u.storage == vector_storage::full) {
    arguments.a_iso = on_cpu::has_equal_values(m, arguments.a);
    arguments.u_iso = on_cpu::are_equal(arguments.u, u.type->size, as_size(u.nvals));
  }
  if (p.semiring.cpu_kernels->asks_for_plain)
    arguments.a_is_plain = on_cpu::has_plain_values(m, arguments.a, threads);
}

// Combines the pieces of a long row in order.
bool join(const operator_description& add, std::size_t bytes, std::span<const std::byte> sums,
          std::span<const std::uint8_t> found, void* result) {
  bool any = false;
  for (std::size_t p = 0; p < found.size(); ++p) {
    if (!found[p]) continue;
    const std::byte* sum = sums.data() + p * bytes;
    if (any)
      add({.z = result, .x = result, .y = sum, .count = 1});
    else
      std::memcpy(result, sum, bytes);
    any = true;
  }
  return any;
}

std::size_t pull(const cpu_kernel_table& kernels, const product& p,
                 const product_arguments& arguments, const matrix_base& m, int threads) {
  const std::size_t side = p.vector_first;
  const auto run = arguments.u_present ? kernels.bitmap[side] : kernels.full[side];
  const std::size_t rows = as_size(m.rows), bytes = p.semiring.z().size;
  const std::size_t weight = rows + as_size(m.nnz);
  const std::size_t parts = weight / part_weight + 1;
  // For entries up to `end`: without prefetches if those would read past the columns. (A
  // sparse_input, which has more than product_arguments, has no prefetches.)
  product_arguments on_demand = arguments;
  on_demand.prefetches = false;
  const auto arguments_to = [&](std::size_t end) -> const product_arguments& {
    const bool is_close = as_size(m.nnz) - end < cpu::prefetch_distance;
    return arguments.prefetches && is_close ? on_demand : arguments;
  };
  const bool has_long = as_size(m.longest_row) > 2 * part_weight;
  std::size_t count = 0;
  std::vector<std::vector<std::size_t>> long_rows(has_long ? parts : 0);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) \
    reduction(+ : count) if (parts > 1 && threads > 1)
  for (std::size_t part = 0; part < parts; ++part) {
    std::size_t row = row_at(arguments, rows, weight * part / parts);
    const std::size_t end =
        part + 1 == parts ? rows : row_at(arguments, rows, weight * (part + 1) / parts);
    const product_arguments& of_part = arguments_to(arguments.offset(end));
    if (!has_long) {
      if (row < end) count += run(of_part, row, end);
      continue;
    }
    while (row < end) {
      std::size_t next = row;
      while (next < end && arguments.offset(next + 1) - arguments.offset(next) <= 2 * part_weight)
        ++next;
      if (row < next) count += run(of_part, row, next);
      if (next < end) long_rows[part].push_back(next);
      row = next + 1;
    }
  }
  for (const auto& of_part : long_rows)
    for (const std::size_t row : of_part) {
      if (arguments.skip && arguments.skip[row]) {
        arguments.w_present[row] = 0;
        continue;
      }
      const std::size_t begin = arguments.offset(row), end = arguments.offset(row + 1);
      const std::size_t pieces = (end - begin + part_weight - 1) / part_weight;
      std::vector<std::byte> sums(pieces * bytes);
      std::vector<std::uint8_t> found(pieces);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
      for (std::size_t n = 0; n < pieces; ++n) {
        alignas(16) std::byte sum[64];
        const std::size_t first = begin + n * part_weight,
                          last = std::min(end, first + part_weight);
        found[n] = kernels.piece[side](arguments_to(last), row, first, last, sum);
        std::memcpy(sums.data() + n * bytes, sum, bytes);
      }
      alignas(16) std::byte sum[64];
      const bool any = join(p.semiring.add.add, bytes, sums, found, sum);
      if (any) std::memcpy(static_cast<std::byte*>(arguments.w) + row * bytes, sum, bytes);
      if (arguments.w_present) arguments.w_present[row] = any;
      count += any;
    }
  return count;
}

}  // namespace

const cpu_kernel_table& cpu_backend::kernels_of(const semiring_description& semiring) {
  if (semiring.cpu_kernels != nullptr) return *semiring.cpu_kernels;
  const cpu_kernel_table* const compiled = compiled_.find(semiring);
  return compiled != nullptr ? *compiled : evaluated_kernels;
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

// Arrays of a pull's result. If w is replaced, its own are written again: new memory costs a page
// fault per page. Memory is taken before anything of w is written, so that w is unchanged if there
// is none.
void cpu_backend::take_buffers(vector_base& t, const vector_base& w, const product& p,
                               const vector_rule& rule, bool with_flags,
                               product_arguments& arguments) const {
  const bool replaces_w = !rule.mask && rule.accumulator == nullptr;
  const bool is_host = on_host_ || context_.device_memory == nullptr;
  const auto take = [&](const buffer_pointer& old, const buffer_pointer& input, std::size_t bytes) {
    const bool fits = replaces_w && on_cpu::memory_side::is_exclusive(old) && old != input &&
                      old->bytes() == bytes && (is_host ? old->host_valid() : old->device_valid());
    return fits ? old : allocate(bytes);
  };
  const std::size_t size = as_size(t.size);
  t.storage = vector_storage::bitmap;
  t.values = take(w.values, p.input.values, size * t.type->size);
  if (with_flags) t.present = take(w.present, p.input.present, size);
  if (t.values != w.values) arguments.w = write(t.values);
  arguments.w_present = write_as<std::uint8_t>(t.present);
  if (t.values == w.values) arguments.w = write(t.values);
}

void cpu_backend::multiply(vector_base& w, const product& p, const vector_rule& rule,
                           std::string_view kernel) {
  const matrix_base& a = p.matrix;
  const index_t outputs = p.output_size();
  const bool stored_rows_are_output = p.rows_are_output();
  if (p.semiring.cpu_kernels == nullptr)
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
  arguments.semiring = &p.semiring;
  arguments.offsets = read(m->offsets);
  arguments.wide = m->wide;
  arguments.columns = read_as<std::uint32_t>(m->column_indices);
  arguments.a = read(m->values);
  arguments.a_iso = m->iso;
  buffer_pointer skip_bytes;
  if (rule.mask) arguments.skip = skip_of(rule, outputs, push, skip_bytes);

  vector_base u = p.input;
  convert_storage(u, push || from_list ? vector_storage::sparse
                     : u.storage == vector_storage::sparse
                         ? (u.nvals == u.size ? vector_storage::full : vector_storage::bitmap)
                         : u.storage);
  arguments.u = read(u.values);
  arguments.u_present = read_as<std::uint8_t>(u.present);
  arguments.u_indices = read_as<std::uint32_t>(u.indices);
  arguments.u_count = as_size(u.nvals);

  vector_base t;
  t.context = context_.shared_from_this();
  t.type = &p.semiring.z();
  t.size = outputs;
  if (push && is_hypersparse(m->rows, m->nnz, outputs)) {
    push_as_list(t, p, arguments);
  } else if (push) {
    push_into(t, p, arguments, *m, u.nvals);
  } else {
    if (p.semiring.cpu_kernels) find_facts(arguments, p, *m, u, threads());
    arguments.prefetches = u.storage == vector_storage::full &&
                           as_size(u.size) * u.type->size > fastest_caches &&
                           on_cpu::has_scattered_columns(*m, arguments.columns);
    const bool may_be_partial = !p.semiring.cpu_kernels || m->empty_rows > 0 || arguments.skip ||
                                u.storage != vector_storage::full;
    take_buffers(t, w, p, rule, may_be_partial, arguments);
    t.nvals = static_cast<index_t>(pull(from_list ? sparse_input_kernels : kernels_of(p.semiring),
                                        p, arguments, *m, threads()));
    if (t.nvals == t.size) {
      t.storage = vector_storage::full;
      t.present = nullptr;
    }
  }
  write_back(w, std::move(t), rule);
}

}  // namespace tropic::detail
