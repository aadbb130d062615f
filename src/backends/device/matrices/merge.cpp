// SPDX-License-Identifier: Apache-2.0
#include "backends/device/matrices/merge.hpp"

#include "backends/cpu/matrices/rows.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/vectors/mask.hpp"

namespace tropic::detail {
namespace {

// matrices.kernel.
enum part : std::uint32_t { always, where_met, where_alone };

void find_places(device_context& device, std::string_view operation, merge_side& side,
                 const merge_side& other, part takes_part) {
  const matrix_arguments c(device, side.m), o(device, other.m);
  side.takes = device.allocate(c.nnz);
  side.beyond = device.allocate(c.nnz * sizeof(std::uint32_t));
  const void *columns = device.read(side.m.column_indices),
             *other_columns = device.read(other.m.column_indices), *keeps = device.read(side.keeps),
             *other_keeps = device.read(other.keeps);
  const std::uint32_t takes_when = takes_part, some = side.keeps != nullptr,
                      other_some = other.keeps != nullptr;
  void *beyond = device.write(side.beyond), *takes = device.write(side.takes);
  const kernel_argument list[] = {c.rows,      c.nnz,      c.offsets,  c.wide, columns,
                                  keeps,       some,       o.offsets,  o.wide, other_columns,
                                  other_keeps, other_some, takes_when, beyond, takes};
  device.launch_over(c.nnz, operation, matrices_program(device), "t_take_part", list);
  side.sums = sums_before(device, c.nnz, side.takes, 1);
}

// Columns and, but where the entry is met, values go to their places.
void place(device_context& device, std::string_view operation, matrix_base& result,
           const merge_side& side, const merge_side* other) {
  const matrix_arguments c(device, side.m);
  const std::uint32_t has_other = other != nullptr, iso = side.m.iso,
                      bytes = result.iso ? 0 : static_cast<std::uint32_t>(result.type->size);
  const void *takes = device.read(side.takes), *before = device.read(side.sums.before),
             *beyond = device.read(side.beyond),
             *other_before = device.read(has_other ? other->sums.before : nullptr),
             *columns = device.read(side.m.column_indices),
             *from = bytes == 0 ? device.runtime().nothing() : device.read(side.m.values);
  void *to_columns = device.write(result.column_indices, access::modify),
       *to = bytes == 0 ? device.runtime().nothing() : device.write(result.values, access::modify);
  const kernel_argument list[] = {c.nnz,   takes, before,     beyond, other_before, has_other,
                                  columns, iso,   to_columns, from,   to,           bytes};
  device.launch_over(c.nnz, operation, matrices_program(device), "t_place_entries", list);
}

// Room for `entries`, and where rows begin.
void lay_out_merged(device_context& device, std::string_view operation, matrix_base& result,
                    const merge_side& side, const merge_side* other, index_t entries) {
  const matrix_arguments c(device, side.m), o(device, other != nullptr ? other->m : side.m);
  const std::uint32_t has_other = other != nullptr;
  result.nnz = entries;
  result.offsets = device.allocate((c.rows + 1) * sizeof(std::uint32_t));
  result.column_indices =
      device.allocate(static_cast<std::size_t>(entries) * sizeof(std::uint32_t));
  if (!result.iso)
    result.values = device.allocate(static_cast<std::size_t>(entries) * result.type->size);
  const void *before = device.read(side.sums.before),
             *other_before = device.read(has_other ? other->sums.before : nullptr);
  void* to = device.write(result.offsets);
  const kernel_argument list[] = {c.rows, c.offsets,    c.wide,    before, o.offsets,
                                  o.wide, other_before, has_other, to};
  device.launch_over(c.rows + 1, operation, matrices_program(device), "t_merged_offsets", list);
  inspect_rows(device, operation, result);
}

// Where both sides have an entry, the operator's result goes to its place.
void combine(device_context& device, std::string_view operation, const program_request& request,
             const compiled_program& program, matrix_base& result, const merge_side& a,
             const merge_side& b) {
  const matrix_arguments c(device, a.m);
  const std::vector<std::uint64_t> parameters = parameter_words_of(request);
  const void *columns = device.read(a.m.column_indices), *left = device.read(a.m.values),
             *right = device.read(b.m.values), *takes = device.read(a.takes),
             *before = device.read(a.sums.before), *beyond = device.read(a.beyond),
             *other_before = device.read(b.sums.before);
  const std::uint32_t iso = a.m.iso, other_iso = b.m.iso;
  void* to = device.write(result.values, access::modify);
  const kernel_argument list[] = {
      c.rows, c.nnz,  c.offsets,    c.wide,    columns,
      left,   iso,    right,        other_iso, takes,
      before, beyond, other_before, to,        kernel_argument(parameters)};
  device.launch_over(c.nnz, operation, program, "t_combine_entries", list);
}

}  // namespace

buffer_pointer passing(device_context& device, std::string_view operation, const matrix_base& m,
                       const matrix_rule& rule) {
  const matrix_arguments c(device, m);
  const matrix_base& mask = *rule.mask;
  const mask_arguments of_mask(device, mask, nullptr, rule);
  const buffer_pointer result = device.allocate(c.nnz);
  const void *columns = device.read(m.column_indices), *mask_offsets = device.read(mask.offsets),
             *mask_columns = device.read(mask.column_indices);
  const std::uint32_t wide = mask.wide, iso = mask.iso;
  void* to = device.write(result);
  arguments list{c.rows, c.nnz, c.offsets, c.wide, columns, mask_offsets, wide, mask_columns, iso};
  of_mask.append_to(list);
  list.emplace_back(to);
  device.launch_over(c.nnz, operation, matrices_program(device), "t_pass_mask", list);
  return result;
}

matrix_base filtered(device_context& device, std::string_view operation, const matrix_base& m,
                     const buffer_pointer& keeps) {
  merge_side side{m, keeps};
  side.takes = keeps;
  if (keeps != nullptr)
    side.sums = sums_before(device, static_cast<std::uint64_t>(m.nnz), keeps, 1);
  const index_t kept = keeps != nullptr ? side.sums.all() : m.nnz;
  if (kept == m.nnz) {
    matrix_base all = m;
    on_cpu::renew(all);
    return all;
  }
  const on_cpu::memory_side here = device.host_side();
  matrix_base result = on_cpu::matrix_shell(here, *m.type, m.rows, m.columns);
  result.iso = m.iso;
  result.values = m.iso ? (kept > 0 ? m.values : device.allocate(0)) : nullptr;
  lay_out_merged(device, operation, result, side, nullptr, kept);
  place(device, operation, result, side, nullptr);
  return result;
}

std::optional<matrix_base> merged(device_context& device, std::string_view operation,
                                  combination kind, const operator_description* op,
                                  const type_description& z, merge_side a, merge_side b) {
  const bool unites = kind == combination::set_union;
  const compiled_program* program = nullptr;
  program_request request{.kernel = "entries"};
  element_request e;
  if (op != nullptr) {
    e = {.kind = unites ? element_kind::set_union : element_kind::set_intersection,
         .op = op,
         .u = op->x,
         .v = op->y,
         .z = op->z};
    request.elements = &e;
    program = device.runtime().program(request);
    if (program == nullptr) return std::nullopt;
  }
  find_places(device, operation, a, b, unites ? always : where_met);
  index_t entries = a.sums.all();
  if (unites) {
    find_places(device, operation, b, a, where_alone);
    entries += b.sums.all();
  }
  const on_cpu::memory_side here = device.host_side();
  matrix_base result = on_cpu::matrix_shell(here, z, a.m.rows, a.m.columns);
  if (!unites) {  // no entry of b's own: nothing is before any
    b.sums.before =
        device.allocate((static_cast<std::size_t>(b.m.nnz) + 1) * sizeof(std::uint32_t));
    device.runtime().fill(device.write(b.sums.before), 0, b.sums.before->bytes());
  }
  lay_out_merged(device, operation, result, a, &b, entries);
  place(device, operation, result, a, &b);
  if (unites) place(device, operation, result, b, &a);
  if (op != nullptr && entries > 0 && !b.is_empty())
    combine(device, operation, request, *program, result, a, b);
  return result;
}

}  // namespace tropic::detail
