// SPDX-License-Identifier: Apache-2.0
#pragma once

// One product on its way through the device backend: what its kernel reads, and t.

#include "backends/device/backend.hpp"

namespace tropic::detail {

/// What a launch function (kernel_table.hpp) is given.
struct product_call {
  product_call(const product& asked, const matrix_base& matrix, const vector_base& input)
      : p(asked), m(matrix), u(input) {}

  const product& p;
  matrix_base m;        // its rows are the output's positions, but for a push's
  vector_base u;        // full, or a bitmap
  buffer_pointer skip;  // a byte a row, set where no entry is wanted; null: all are
  vector_base t;
  bool marks = false;  // whether kernels write t.present, or it is known beforehand
  kernel_choice chosen;
  program_request request;
  const compiled_program* program = nullptr;
  std::vector<std::uint64_t> parameters;

  std::string_view operation() const { return p.vector_first ? "vxm" : "mxv"; }
  bool is_bitmap() const { return u.storage == vector_storage::bitmap; }
  bool uses_matrix() const {
    return p.vector_first ? p.semiring.multiply.uses_y() : p.semiring.multiply.uses_x();
  }
  bool uses_vector() const {
    return p.vector_first ? p.semiring.multiply.uses_x() : p.semiring.multiply.uses_y();
  }
  /// With a full u every row that has entries gets one.
  bool becomes_full() const { return !is_bitmap() && skip == nullptr && m.empty_rows == 0; }
};

// --- arguments, by the groups of parameters of operands.h ----------------------------------------

using arguments = std::vector<kernel_argument>;

inline std::uint32_t as_flag(bool set) {
  return set ? 1 : 0;
}
// Arguments point to their values, which outlive the launch.
template <class... T>
void append(arguments& list, const T&... values) {
  list.reserve(24);  // of all groups together
  (list.emplace_back(values), ...);
}

/// row_offsets, wide.
struct offset_arguments {
  const void* offsets;
  std::uint32_t wide;

  offset_arguments(const device_backend& backend, const buffer_pointer& from, bool is_wide)
      : offsets(backend.read_device(from)), wide(as_flag(is_wide)) {}
  void append_to(arguments& list) const { append(list, offsets, wide); }
};

/// skip, skips.
struct row_mask_arguments {
  const void* skip;
  std::uint32_t skips;

  row_mask_arguments(const device_backend& backend, const product_call& c)
      : skip(backend.read_device(c.skip)), skips(as_flag(c.skip != nullptr)) {}
  void append_to(arguments& list) const { append(list, skip, skips); }
};

/// T_OPERANDS.
struct operand_arguments {
  const void *columns, *a, *u, *u_present;
  void *w, *w_present;
  std::uint32_t iso, bitmap, marks;
  const std::vector<std::uint64_t>& parameters;

  // `how`: whether the kernel writes all of w_present, or part of it.
  operand_arguments(const device_backend& backend, const product_call& c,
                    const buffer_pointer& columns_of, const buffer_pointer& values_of, access how)
      : columns(backend.read_device(columns_of)),
        a(backend.read_device(c.uses_matrix() ? values_of : nullptr)),
        u(backend.read_device(c.uses_vector() ? c.u.values : nullptr)),
        u_present(backend.read_device(c.is_bitmap() ? c.u.present : nullptr)),
        w(backend.write_device(c.t.values, how)),
        w_present(backend.write_device(c.marks ? c.t.present : nullptr, how)),
        iso(as_flag(c.m.iso)),
        bitmap(as_flag(c.is_bitmap())),
        marks(as_flag(c.marks)),
        parameters(c.parameters) {}
  void append_to(arguments& list) const {
    append(list, columns, a, iso, u, u_present, bitmap, w, w_present, marks, parameters);
  }
};

/// Row offsets, row mask and T_OPERANDS of a kernel that reads plain CSR and writes all of
/// w_present.
struct csr_arguments {
  offset_arguments offsets;
  row_mask_arguments mask;
  operand_arguments operands;

  csr_arguments(const device_backend& backend, const product_call& c)
      : offsets(backend, c.m.offsets, c.m.wide),
        mask(backend, c),
        operands(backend, c, c.m.column_indices, c.m.values, access::overwrite) {}
  void append_to(arguments& list) const {
    offsets.append_to(list);
    mask.append_to(list);
    operands.append_to(list);
  }
};

}  // namespace tropic::detail
