// SPDX-License-Identifier: Apache-2.0
// mxv and vxm on the CPU, by pull or push: cuts the work into balanced parts, runs the semiring's
// kernels on them and hands the result to the epilogue.
//
// Pull: parts of equal weight in rows + entries (cf. merge-path, Merrill and Garland 2016), cut at
// rows; a row longer than a part is cut into pieces whose sums are joined in order. Parts do not
// depend on the number of threads, so neither do results.
// Push: the output's columns are cut into ranges; each takes its part of every pushed row in the
// order of u. Workspaces of output size are kept zeroed between calls, so that a small frontier
// costs what it touches.
//
// Where a matrix has so few rows and entries beside its columns that a vector of as many positions
// would be most of the work (is_hypersparse: one row of 2^32 columns, say), neither u nor the
// result is ever laid out by position: see evaluated_kernels.hpp.

#include <algorithm>
#include <cstring>
#include <vector>

#include <tropic/detail/cpu_kernels.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/evaluated_kernels.hpp"
#include "backends/cpu/workspace.hpp"
#include "backends/kept_transpose.hpp"

namespace tropic::detail {

namespace {

constexpr std::size_t part_weight = 1 << 14;    // rows + entries of one part of a pull
constexpr std::size_t parallel_push = 1 << 14;  // entries that are worth a second thread

std::size_t as_size(index_t n) {
  return static_cast<std::size_t>(n);
}

const cpu_kernel_table& kernels_of(const semiring_description& semiring) {
  return semiring.cpu_kernels ? *semiring.cpu_kernels : evaluated_kernels;
}

// A copy of std::vector's own in the context's memory.
template <class T>
void copy_out(T* to, const std::vector<T>& from) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size() * sizeof(T));
}

// The first row whose rows + entries reach `weight`.
std::size_t row_at(const product_arguments& arguments, std::size_t rows, std::size_t weight) {
  std::size_t low = 0, high = rows;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (middle + arguments.offset(middle) < weight)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Joins the pieces of a long row in order.
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
  const bool has_long = as_size(m.longest_row) > 2 * part_weight;
  std::size_t count = 0;
  std::vector<std::vector<std::size_t>> long_rows(has_long ? parts : 0);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) \
    reduction(+ : count) if (parts > 1 && threads > 1)
  for (std::size_t part = 0; part < parts; ++part) {
    std::size_t row = row_at(arguments, rows, weight * part / parts);
    const std::size_t end =
        part + 1 == parts ? rows : row_at(arguments, rows, weight * (part + 1) / parts);
    if (!has_long) {
      if (row < end) count += run(arguments, row, end);
      continue;
    }
    while (row < end) {
      std::size_t next = row;
      while (next < end && arguments.offset(next + 1) - arguments.offset(next) <= 2 * part_weight)
        ++next;
      if (row < next) count += run(arguments, row, next);
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
        found[n] = kernels.piece[side](arguments, row, begin + n * part_weight,
                                       std::min(end, begin + (n + 1) * part_weight), sum);
        std::memcpy(sums.data() + n * bytes, sum, bytes);
      }
      alignas(16) std::byte sum[64];
      const bool any = join(p.semiring.add.add, bytes, sums, found, sum);
      if (any) std::memcpy(static_cast<std::byte*>(arguments.w) + row * bytes, sum, bytes);
      arguments.w_present[row] = any;
      count += any;
    }
  return count;
}

}  // namespace

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

void cpu_backend::multiply(vector_base& w, const product& p, const vector_rule& rule,
                           std::string_view kernel) {
  const matrix_base& a = p.matrix;
  const index_t outputs = p.output_size();
  const bool stored_rows_are_output = p.rows_are_output();

  if (a.nnz == 0 || p.input.nvals == 0) {
    write_back(w, empty_vector(context_.shared_from_this(), p.semiring.z(), outputs), rule);
    return;
  }

  const bool push = find_row(kernels(), kernel)->unit == work_unit::frontier;
  if (push && !p.rows_are_output() && !a.symmetric && !has_kept_transpose(a)) {
    const index_t edges = edges_of(p, a);
    const std::lock_guard lock(a.derived->mutex);
    a.derived->pushed_without_transpose += edges;  // the bill that features() looks at
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
    const sparse_sums sums = push_into_list(arguments, arguments.u_count, p.vector_first);
    t.nvals = static_cast<index_t>(sums.indices.size());
    t.indices = allocate(sums.indices.size() * sizeof(std::uint32_t));
    t.values = allocate(sums.values.size());
    copy_out(write_as<std::uint32_t>(t.indices), sums.indices);
    copy_out(write_as<std::byte>(t.values), sums.values);
  } else if (push) {
    push_into(t, p, arguments, *m, u.nvals);
  } else {
    t.storage = vector_storage::bitmap;
    t.present = allocate(as_size(outputs));
    t.values = allocate(as_size(outputs) * t.type->size);
    arguments.w = write(t.values);
    arguments.w_present = write_as<std::uint8_t>(t.present);
    t.nvals = static_cast<index_t>(pull(from_list ? sparse_input_kernels : kernels_of(p.semiring),
                                        p, arguments, *m, threads()));
    if (t.nvals == t.size) {
      t.storage = vector_storage::full;
      t.present = nullptr;
    }
  }
  write_back(w, std::move(t), rule);
}

void cpu_backend::push_into(vector_base& t, const product& p, product_arguments& arguments,
                            const matrix_base& m, index_t entries) {
  const std::size_t outputs = as_size(t.size), bytes = t.type->size;
  const auto run = kernels_of(p.semiring).push[p.vector_first];
  workspace_lease work(workspaces_, context_, outputs, bytes);
  arguments.w = work->values;
  arguments.w_present = work->present;

  std::size_t edges = 0;
  for (std::size_t n = 0; n < as_size(entries) && edges < parallel_push; ++n)
    edges += arguments.offset(arguments.u_indices[n] + std::size_t{1}) -
             arguments.offset(arguments.u_indices[n]);
  const std::size_t parts = edges < parallel_push || threads() == 1 ? 1 : 4 * as_size(threads());

  // Ranges of columns that hold about as many entries each, where the columns' lengths are known;
  // of equal width elsewhere.
  std::vector<std::uint64_t> cut(parts + 1);
  cut[parts] = std::uint64_t{1} << 32;
  product_arguments by_column;
  std::shared_ptr<const matrix_base> transposed;
  if (parts > 1) {
    if (m.symmetric) {
      by_column = arguments;
    } else if (&m == &p.matrix) {
      const std::lock_guard lock(m.derived->mutex);
      if ((transposed = m.derived->transpose) != nullptr) {
        by_column.offsets = read(transposed->offsets);
        by_column.wide = transposed->wide;
      }
    } else {
      by_column.offsets = read(p.matrix.offsets);
      by_column.wide = p.matrix.wide;
    }
  }
  for (std::size_t part = 1; part < parts; ++part)
    cut[part] = by_column.offsets
                    ? row_at(by_column, outputs, (outputs + as_size(m.nnz)) * part / parts)
                    : outputs * part / parts;

  // Each part lists what it touched in its own range of the list: no more than its width.
  std::vector<std::size_t> count(parts);
#pragma omp parallel for num_threads(threads()) schedule(dynamic, 1) if (parts > 1)
  for (std::size_t part = 0; part < parts; ++part) {
    std::uint32_t* touched = work->touched + cut[part];
    count[part] = run(arguments, 0, as_size(entries), cut[part], cut[part + 1], touched);
    // Ascending: by sorting, or by looking through the range where most of it was touched.
    const std::size_t first = cut[part], last = std::min<std::size_t>(cut[part + 1], outputs);
    if (last > first && count[part] > (last - first) / 32) {
      std::size_t at = 0;
      for (std::size_t j = first; j < last; ++j) {
        touched[at] = static_cast<std::uint32_t>(j);
        at += work->present[j];
        if (at == count[part]) break;
      }
    } else {
      std::sort(touched, touched + count[part]);
    }
  }
  std::size_t total = 0;
  for (const std::size_t c : count) total += c;

  buffer_pointer indices, values;
  std::uint32_t* to_index = nullptr;
  std::byte* to = nullptr;
  try {
    indices = allocate(total * sizeof(std::uint32_t));
    values = allocate(total * bytes);
    to_index = write_as<std::uint32_t>(indices);  // a device's memory is taken here
    to = write_as<std::byte>(values);
  } catch (...) {
    std::memset(work->present, 0, outputs);  // the workspace goes back as it came
    throw;
  }
  std::vector<std::size_t> start(parts + 1, 0);
  for (std::size_t part = 0; part < parts; ++part) start[part + 1] = start[part] + count[part];
#pragma omp parallel for num_threads(threads()) schedule(dynamic, 1) if (parts > 1)
  for (std::size_t part = 0; part < parts; ++part) {
    const std::uint32_t* touched = work->touched + cut[part];
    for (std::size_t n = 0; n < count[part]; ++n) {
      const std::uint32_t j = touched[n];
      to_index[start[part] + n] = j;
      std::memcpy(to + (start[part] + n) * bytes, work->values + std::size_t{j} * bytes, bytes);
      work->present[j] = 0;
    }
  }
  t.storage = vector_storage::sparse;
  t.nvals = static_cast<index_t>(total);
  t.indices = indices;
  t.values = values;
}

}  // namespace tropic::detail
