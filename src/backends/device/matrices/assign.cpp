// SPDX-License-Identifier: Apache-2.0

// Assignments to matrices on the device. What is assigned becomes a matrix t of c's shape: the
// entries of a, moved to the listed rows and columns and sorted, or one value at all listed
// positions. z is c with t in the place of what was listed, or merged with it by the accumulator;
// and then c<mask> = z.

#include <algorithm>
#include <cstring>

#include "backends/cpu/matrices/rows.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrices/merge.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"

namespace tropic::detail {
namespace {

constexpr std::string_view operation = "assign";
// A byte a row and a column: matrices with more of them are left to the host.
constexpr index_t most_flags = index_t{1} << 28;

}  // namespace

// A list of rows or columns.
struct matrix_operations::listing {
  bool some = false;  // else all of them
  std::uint64_t count;
  buffer_pointer list{}, ascending{}, flags{};

  listing(device_context& device, vector_operations& vectors, const positions& given, index_t size)
      : some(!given.all),
        count(static_cast<std::uint64_t>(given.all ? size : std::ssize(given.list))) {
    if (!some) return;
    list = uploaded(device, given.list);
    std::vector<index_t> sorted(given.list.begin(), given.list.end());
    std::ranges::sort(sorted);
    ascending = uploaded(device, sorted);
    flags = vectors.scattered(operation, describe(type_code::boolean), size, list, count).present;
  }
};

// The entries of a at their places.
matrix_base matrix_operations::moved(const matrix_base& c, const matrix_base& a,
                                     const listing& rows, const listing& columns) {
  if (a.nnz == 0) return empty_matrix(device_.context(), *c.type, c.rows, c.columns);
  placed_entries entries = placed(device_, operation, a,
                                  {.rows = rows.list, .columns = columns.list}, c.rows, c.columns);
  matrix_base result = on_cpu::matrix_shell(device_.host_side(), *c.type, c.rows, c.columns);
  result.nnz = a.nnz;
  result.iso = a.iso;
  result.column_indices = std::move(entries.columns);
  result.values = std::move(entries.values);
  lay_out_sorted(device_, operation, result, entries.by_row);
  return result;
}

// A byte an entry of m: whether it is listed, or whether it is not.
buffer_pointer matrix_operations::in_lists(const matrix_base& m, const listing& rows,
                                           const listing& columns, bool wanted) {
  const matrix_arguments c(device_, m);
  const buffer_pointer result = device_.allocate(c.nnz);
  const void *from_columns = device_.read(m.column_indices), *row_flags = device_.read(rows.flags),
             *column_flags = device_.read(columns.flags);
  const std::uint32_t some_rows = rows.some, some_columns = columns.some, inside = wanted;
  void* to = device_.write(result);
  const kernel_argument list[] = {c.rows,       c.nnz,     c.offsets, c.wide,
                                  from_columns, row_flags, some_rows, column_flags,
                                  some_columns, inside,    to};
  device_.launch_over(c.nnz, operation, *device_.runtime().program({.kernel = "listed"}),
                      "t_in_lists", list);
  return result;
}

// One value: at the listed entries of a mask, which are all that is seen, or at all listed
// positions.
std::optional<matrix_base> matrix_operations::spread_value(const matrix_base& c, const void* value,
                                                           const listing& rows,
                                                           const listing& columns,
                                                           const matrix_rule& rule) {
  const buffer_pointer one = device_.allocate(c.type->size);
  std::memcpy(one->host_write(), value, c.type->size);
  if (rule.mask != nullptr && !rule.complemented) {
    matrix_base t = *rule.mask;
    t.type = c.type;
    t.iso = true;
    t.values = t.nnz > 0 ? one : device_.allocate(0);
    if (!rule.structural) t = filtered(device_, operation, t, passing(device_, operation, t, rule));
    return rows.some || columns.some
               ? filtered(device_, operation, t, in_lists(t, rows, columns, true))
               : filtered(device_, operation, t, nullptr);
  }
  constexpr auto most_entries = static_cast<std::uint64_t>(largest_dimension) - 2;
  if (columns.count > 0 && rows.count > most_entries / columns.count) return std::nullopt;
  return cross_product(c, one, rows, columns);
}

// One value at all listed positions.
matrix_base matrix_operations::cross_product(const matrix_base& c, const buffer_pointer& value,
                                             const listing& rows, const listing& columns) {
  matrix_base t = on_cpu::matrix_shell(device_.host_side(), *c.type, c.rows, c.columns);
  const std::uint64_t entries = rows.count * columns.count,
                      all = static_cast<std::uint64_t>(c.rows);
  t.nnz = static_cast<index_t>(entries);
  t.iso = true;
  t.values = entries > 0 ? value : device_.allocate(0);
  t.column_indices = device_.allocate(entries * sizeof(std::uint32_t));
  t.offsets = device_.allocate((all + 1) * sizeof(std::uint32_t));
  const auto* program = device_.runtime().program({.kernel = "listed"});
  const void *column_list = device_.read(columns.ascending),
             *row_list = device_.read(rows.ascending);
  const std::uint32_t some_rows = rows.some, some_columns = columns.some;
  void *to_columns = device_.write(t.column_indices), *to = device_.write(t.offsets);
  const kernel_argument of_columns[] = {entries, columns.count, column_list, some_columns,
                                        to_columns};
  device_.launch_over(entries, operation, *program, "t_cross_columns", of_columns);
  const kernel_argument of_rows[] = {all, columns.count, row_list, some_rows, rows.count, to};
  device_.launch_over(all + 1, operation, *program, "t_cross_offsets", of_rows);
  inspect_rows(device_, operation, t);
  return t;
}

bool matrix_operations::write_listed(matrix_base& c, matrix_base&& t, const listing& rows,
                                     const listing& columns, const matrix_rule& rule) {
  if (!are_few_entries({&c, &t, rule.mask})) return false;
  const buffer_pointer kept =
      rule.accumulator != nullptr ? nullptr : in_lists(c, rows, columns, false);
  std::optional<matrix_base> z = merged(device_, operation, combination::set_union,
                                        rule.accumulator, *c.type, {c, kept}, {t, nullptr});
  if (!z) return false;
  matrix_rule seen = rule;
  seen.accumulator = nullptr;
  write_back(c, std::move(*z), seen);
  return true;
}

bool matrix_operations::assign(matrix_base& c, const matrix_base& a, const positions& rows,
                               const positions& columns, const matrix_rule& rule) {
  if (rows.all && columns.all) {
    matrix_base t = a;
    on_cpu::renew(t);
    t.symmetric = a.symmetric;
    write_back(c, std::move(t), rule);
    return true;
  }
  if (std::max(c.rows, c.columns) > most_flags || !are_few_entries({&a})) return false;
  const listing i(device_, vectors_, rows, c.rows), j(device_, vectors_, columns, c.columns);
  return write_listed(c, moved(c, a, i, j), i, j, rule);
}

bool matrix_operations::assign(matrix_base& c, const void* value, const positions& rows,
                               const positions& columns, const matrix_rule& rule) {
  if (std::max(c.rows, c.columns) > most_flags || !are_few_entries({rule.mask})) return false;
  const listing i(device_, vectors_, rows, c.rows), j(device_, vectors_, columns, c.columns);
  std::optional<matrix_base> t = spread_value(c, value, i, j, rule);
  if (!t) return false;
  if (i.some || j.some) return write_listed(c, std::move(*t), i, j, rule);
  write_back(c, std::move(*t), rule);
  return true;
}

}  // namespace tropic::detail
