// SPDX-License-Identifier: Apache-2.0
#pragma once

// One product on its way through the device backend: what its kernel reads, and t.

#include "backends/device/device_context.hpp"
#include "backends/device/products/kernel_config.hpp"
#include "backends/product.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

/// What a launch function (kernel_table.hpp) is given.
struct product_call {
  product_call(const product& asked, const matrix_base& matrix, vector_base input)
      : p(asked), m(matrix), u(std::move(input)) {}

  const product& p;
  const matrix_base& m;  // its rows are the output's positions, but for a push's
  vector_base u;         // full, or a bitmap
  buffer_pointer skip;   // a byte a row, set where no entry is wanted; null: all are
  vector_base t;
  bool marks = false;      // whether kernels write t.present, or it is known beforehand
  buffer_pointer entries;  // of t, counts of the kernel's groups; null: they have to be counted
  bool lists_wanted_rows = false;  // by groups, where rows may end early (wanted_rows.kernel)
  kernel_config chosen;
  program_request request;
  const compiled_program* program = nullptr;
  std::shared_ptr<const converted_copy> kept;  // a format that is not evicted before the launch
  std::vector<std::uint64_t> parameters;

  std::string_view operation() const { return p.operation(); }
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

  offset_arguments(const device_context& device, const buffer_pointer& from, bool is_wide)
      : offsets(device.read(from)), wide(as_flag(is_wide)) {}
  void append_to(arguments& list) const { append(list, offsets, wide); }
};

/// skip, skips.
struct row_mask_arguments {
  const void* skip;
  std::uint32_t skips;

  row_mask_arguments(const device_context& device, const product_call& c)
      : skip(device.read(c.skip)), skips(as_flag(c.skip != nullptr)) {}
  void append_to(arguments& list) const { append(list, skip, skips); }
};

/// T_OPERANDS.
struct operand_arguments {
  const void *columns, *a, *u, *u_present;
  void *w, *w_present;
  std::uint32_t iso, bitmap, marks;
  const std::vector<std::uint64_t>& parameters;

  // `mode`: whether the kernel writes all of w_present, or part of it.
  operand_arguments(const device_context& device, const product_call& c,
                    const buffer_pointer& columns_of, const buffer_pointer& values_of, access mode)
      : columns(device.read(columns_of)),
        a(device.read(c.uses_matrix() ? values_of : nullptr)),
        u(device.read(c.uses_vector() ? c.u.values : nullptr)),
        u_present(device.read(c.is_bitmap() ? c.u.present : nullptr)),
        w(device.write(c.t.values, mode)),
        w_present(device.write(c.marks ? c.t.present : nullptr, mode)),
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

  csr_arguments(const device_context& device, const product_call& c)
      : offsets(device, c.m.offsets, c.m.wide),
        mask(device, c),
        operands(device, c, c.m.column_indices, c.m.values, access::overwrite) {}
  void append_to(arguments& list) const {
    offsets.append_to(list);
    mask.append_to(list);
    operands.append_to(list);
  }
};

}  // namespace tropic::detail
