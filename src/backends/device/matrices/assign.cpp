// SPDX-License-Identifier: Apache-2.0

// Assignments to matrices on the device. What is assigned becomes a matrix t of c's shape: the
// entries of a, moved to the listed rows and columns and sorted, or one value at all listed
// positions. z is c with t in the place of what was listed, or merged with it by the accumulator;
// and then c<mask> = z.

#include <algorithm>
#include <cstring>

#include "backends/cpu/rows.hpp"
#include "backends/device/matrices/merge.hpp"
#include "backends/device/matrix_arguments.hpp"

namespace tropic::detail {
namespace {

constexpr std::string_view operation = "assign";
// A byte a row and a column: more of them are the host's business.
constexpr index_t most_flags = index_t{1} << 28;

}  // namespace

// A list of rows or columns.
struct device_backend::listing {
  bool some = false;  // else all of them
  std::uint64_t count;
  buffer_pointer list{}, ascending{}, flags{};

  listing(device_backend& backend, const positions& given, index_t size)
      : some(!given.all),
        count(static_cast<std::uint64_t>(given.all ? size : std::ssize(given.list))) {
    if (!some) return;
    list = backend.uploaded(given.list);
    std::vector<index_t> sorted(given.list.begin(), given.list.end());
    std::ranges::sort(sorted);
    ascending = backend.uploaded(sorted);
    flags =
        backend
            .scattered(operation, describe(type_code::boolean), size, list, count, nullptr, nullptr)
            .present;
  }
};

buffer_pointer device_backend::uploaded(std::span<const index_t> list) {
  const buffer_pointer made = allocate(list.size() * sizeof(std::uint32_t));
  if (!list.empty())
    std::ranges::transform(list, static_cast<std::uint32_t*>(made->host_write()),
                           [](index_t i) { return static_cast<std::uint32_t>(i); });
  return made;
}

buffer_pointer device_backend::gathered(std::string_view operation, const buffer_pointer& words,
                                        const buffer_pointer& order, std::uint64_t n) {
  const buffer_pointer made = allocate(n * sizeof(std::uint32_t));
  const void *from = read_device(words), *by = read_device(order);
  void* to = write_device(made);
  const kernel_argument list[] = {n, by, from, to};
  launch_over(n, operation, *runtime_->program({.kernel = "listed"}), "t_gather_words", list);
  return made;
}

device_backend::placed_entries device_backend::placed(std::string_view operation,
                                                      const matrix_base& a, const new_places& at,
                                                      index_t rows, index_t columns) {
  const conversion from(*this, a);
  const auto* program = runtime_->program({.kernel = "listed"});
  const buffer_pointer row_of = allocate(from.nnz * sizeof(std::uint32_t)),
                       column_of = allocate(from.nnz * sizeof(std::uint32_t));
  const void *own = read_device(a.column_indices), *row_list = read_device(at.rows),
             *column_list = read_device(at.columns);
  const std::uint32_t some_rows = at.rows != nullptr, some_columns = at.columns != nullptr;
  void *to_rows = write_device(row_of), *to_columns = write_device(column_of);
  const kernel_argument map[] = {from.rows,    from.nnz, from.offsets, from.wide,
                                 own,          row_list, some_rows,    column_list,
                                 some_columns, to_rows,  to_columns};
  launch_over(from.nnz, operation, *program, "t_map_entries", map);
  // By column, then by row: each sort keeps the order of what is equal.
  const sorted_keys by_column = sort(operation, from.nnz, column_of, columns);
  placed_entries made;
  made.by_row =
      sort(operation, from.nnz, gathered(operation, row_of, by_column.order, from.nnz), rows);
  const buffer_pointer order = gathered(operation, by_column.order, made.by_row.order, from.nnz);
  made.columns = gathered(operation, column_of, order, from.nnz);
  made.values = a.iso ? a.values : allocate(from.nnz * from.bytes);
  if (!a.iso) {
    const void *by = read_device(order), *values = read_device(a.values);
    void* to = write_device(made.values);
    const kernel_argument list[] = {from.nnz, by, values, to, from.bytes};
    launch_over(from.nnz, operation, *program, "t_gather_values", list);
  }
  return made;
}

// The entries of a at their places.
matrix_base device_backend::moved(const matrix_base& c, const matrix_base& a, const listing& rows,
                                  const listing& columns) {
  if (a.nnz == 0) return empty_matrix(context_.shared_from_this(), *c.type, c.rows, c.columns);
  placed_entries entries =
      placed(operation, a, {.rows = rows.list, .columns = columns.list}, c.rows, c.columns);
  matrix_base made =
      on_cpu::matrix_shell(on_cpu::memory_side(context_, true), *c.type, c.rows, c.columns);
  made.nnz = a.nnz;
  made.iso = a.iso;
  made.column_indices = std::move(entries.columns);
  made.values = std::move(entries.values);
  lay_out_sorted(operation, made, entries.by_row);
  return made;
}

// A byte an entry of m: whether it is listed, or whether it is not.
buffer_pointer device_backend::in_lists(const matrix_base& m, const listing& rows,
                                        const listing& columns, bool wanted) {
  const conversion c(*this, m);
  const buffer_pointer made = allocate(c.nnz);
  const void *own = read_device(m.column_indices), *row_flags = read_device(rows.flags),
             *column_flags = read_device(columns.flags);
  const std::uint32_t some_rows = rows.some, some_columns = columns.some, inside = wanted;
  void* to = write_device(made);
  const kernel_argument list[] = {c.rows,    c.nnz,        c.offsets,    c.wide, own, row_flags,
                                  some_rows, column_flags, some_columns, inside, to};
  launch_over(c.nnz, operation, *runtime_->program({.kernel = "listed"}), "t_in_lists", list);
  return made;
}

// One value: at the listed entries of a mask, which are all that is seen, or at all listed
// positions.
std::optional<matrix_base> device_backend::spread_value(const matrix_base& c, const void* value,
                                                        const listing& rows, const listing& columns,
                                                        const matrix_rule& rule) {
  const on_cpu::memory_side here(context_, true);
  const buffer_pointer one = allocate(c.type->size);
  std::memcpy(one->host_write(), value, c.type->size);
  if (rule.mask != nullptr && !rule.complemented) {
    matrix_base t = *rule.mask;
    t.type = c.type;
    t.iso = true;
    t.values = t.nnz > 0 ? one : allocate(0);
    if (!rule.structural) t = filtered(operation, t, passing(operation, t, rule));
    return rows.some || columns.some ? filtered(operation, t, in_lists(t, rows, columns, true))
                                     : filtered(operation, t, nullptr);
  }
  constexpr auto most = static_cast<std::uint64_t>(largest_dimension) - 2;
  if (columns.count > 0 && rows.count > most / columns.count) return std::nullopt;
  matrix_base t = on_cpu::matrix_shell(here, *c.type, c.rows, c.columns);
  const std::uint64_t entries = rows.count * columns.count,
                      all = static_cast<std::uint64_t>(c.rows);
  t.nnz = static_cast<index_t>(entries);
  t.iso = true;
  t.values = entries > 0 ? one : allocate(0);
  t.column_indices = allocate(entries * sizeof(std::uint32_t));
  t.offsets = allocate((all + 1) * sizeof(std::uint32_t));
  const auto* program = runtime_->program({.kernel = "listed"});
  const void *column_list = read_device(columns.ascending), *row_list = read_device(rows.ascending);
  const std::uint32_t some_rows = rows.some, some_columns = columns.some;
  void *to_columns = write_device(t.column_indices), *to = write_device(t.offsets);
  const kernel_argument of_columns[] = {entries, columns.count, column_list, some_columns,
                                        to_columns};
  launch_over(entries, operation, *program, "t_cross_columns", of_columns);
  const kernel_argument of_rows[] = {all, columns.count, row_list, some_rows, rows.count, to};
  launch_over(all + 1, operation, *program, "t_cross_offsets", of_rows);
  inspect_rows(operation, t);
  return t;
}

bool device_backend::write_listed(matrix_base& c, matrix_base&& t, const listing& rows,
                                  const listing& columns, const matrix_rule& rule) {
  if (!are_few_entries({&c, &t, rule.mask})) return false;
  const buffer_pointer kept =
      rule.accumulator != nullptr ? nullptr : in_lists(c, rows, columns, false);
  std::optional<matrix_base> z =
      merged(operation, combination::set_union, rule.accumulator, *c.type, {c, kept}, {t, nullptr});
  if (!z) return false;
  matrix_rule seen = rule;
  seen.accumulator = nullptr;
  write_back(c, std::move(*z), seen);
  return true;
}

void device_backend::assign(matrix_base& c, const matrix_base& a, const positions& rows,
                            const positions& columns, const matrix_rule& rule) {
  if (rows.all && columns.all) {
    matrix_base t = a;
    on_cpu::renew(t);
    t.symmetric = a.symmetric;
    return write_back(c, std::move(t), rule);
  }
  if (std::max(c.rows, c.columns) <= most_flags && are_few_entries({&a})) {
    const listing i(*this, rows, c.rows), j(*this, columns, c.columns);
    if (write_listed(c, moved(c, a, i, j), i, j, rule)) return;
  }
  cpu_backend::assign(c, a, rows, columns, rule);
}

void device_backend::assign(matrix_base& c, const void* value, const positions& rows,
                            const positions& columns, const matrix_rule& rule) {
  if (std::max(c.rows, c.columns) <= most_flags &&
      (rule.mask == nullptr || are_few_entries({rule.mask}))) {
    const listing i(*this, rows, c.rows), j(*this, columns, c.columns);
    std::optional<matrix_base> t = spread_value(c, value, i, j, rule);
    if (t && (i.some || j.some)) {
      if (write_listed(c, std::move(*t), i, j, rule)) return;
    } else if (t) {
      return write_back(c, std::move(*t), rule);
    }
  }
  cpu_backend::assign(c, value, rows, columns, rule);
}

}  // namespace tropic::detail
