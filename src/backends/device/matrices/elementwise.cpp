// SPDX-License-Identifier: Apache-2.0

// Operations on the entries of matrices (entries.kernel): the result t, then the epilogue.

#include <algorithm>

#include "backends/cpu/matrices/rows.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrices/merge.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"

namespace tropic::detail {
namespace {

bool is_positional(const operator_description& op) {
  return op.syntax->positional();
}

}  // namespace

bool matrix_operations::ewise(matrix_base& c, combination combine, const operator_description& op,
                              const matrix_base& a, const matrix_base& b, const matrix_rule& rule) {
  std::optional<matrix_base> t;
  if (are_few_entries({&a, &b}))
    t = merged(device_, "ewise", combine, &op, *op.z, {a, nullptr}, {b, nullptr});
  if (!t) return false;
  write_back(c, std::move(*t), rule);
  return true;
}

// What entries.kernel is given of a and of a function of one operand.
struct matrix_operations::entry_call {
  element_request e;
  program_request request;
  const compiled_program* program;
  std::vector<std::uint64_t> parameters;

  entry_call(device_runtime& runtime, element_kind kind, const unary_description& f,
             const matrix_base& a, const type_description* z)
      : e(one_operand(kind, f, *a.type, z)),
        request{.kernel = "entries", .elements = &e},
        program(runtime.program(request)),
        parameters(parameter_words_of(request)) {}
  entry_call(const entry_call&) = delete;
};

void matrix_operations::over_entries(std::string_view operation, const entry_call& call,
                                     const char* kernel, const matrix_base& a,
                                     std::uint64_t entries, void* to) {
  const matrix_arguments c(device_, a);
  const void *columns = device_.read(a.column_indices), *values = device_.read(a.values);
  const std::uint32_t iso = a.iso;
  const kernel_argument list[] = {c.rows, entries, c.offsets,
                                  c.wide, columns, values,
                                  iso,    to,      kernel_argument(call.parameters)};
  device_.launch_over(entries, operation, *call.program, kernel, list);
}

bool matrix_operations::apply(matrix_base& c, const unary_description& f, const matrix_base& a,
                              const matrix_rule& rule) {
  const entry_call call(device_.runtime(), element_kind::apply, f, a, f.op.z);
  if (call.program == nullptr || !are_few_entries({&a})) return false;
  const bool positional = is_positional(f.op);
  matrix_base t = a;
  on_cpu::renew(t);
  t.type = f.op.z;
  t.symmetric = a.symmetric && !positional;
  t.iso = a.iso && !positional;
  const auto values = static_cast<std::uint64_t>(t.iso ? std::min<index_t>(a.nnz, 1) : a.nnz);
  t.values = device_.allocate(values * f.op.z->size);
  over_entries("apply", call, "t_apply_to_entries", a, values, device_.write(t.values));
  write_back(c, std::move(t), rule);
  return true;
}

bool matrix_operations::select(matrix_base& c, const unary_description& predicate,
                               const matrix_base& a, const matrix_rule& rule) {
  const entry_call call(device_.runtime(), element_kind::select, predicate, a, a.type);
  if (call.program == nullptr || !are_few_entries({&a})) return false;
  const buffer_pointer keeps = device_.allocate(static_cast<std::size_t>(a.nnz));
  over_entries("select", call, "t_select_entries", a, static_cast<std::uint64_t>(a.nnz),
               device_.write(keeps));
  matrix_base t = filtered(device_, "select", a, keeps);
  // The predicate depends on one value only: all entries stay, or none.
  if (t.nnz == a.nnz && (a.nnz == 0 || (a.iso && !is_positional(predicate.op))))
    t.symmetric = a.symmetric;
  write_back(c, std::move(t), rule);
  return true;
}

}  // namespace tropic::detail
