// SPDX-License-Identifier: Apache-2.0
#pragma once

// One product on its way through the device backend.

#include "backends/kernels/device_backend.hpp"

namespace tropic::detail {

struct device_backend::call {
  call(const product& asked, const matrix_base& matrix, const vector_base& input)
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

}  // namespace tropic::detail
