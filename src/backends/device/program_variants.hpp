// SPDX-License-Identifier: Apache-2.0
#pragma once

// The programs that an operation may need. Which of them it asks for depends on the sizes and the
// shape of its operands: the kernel of a product, the tables of rows of triangles or of products of
// matrices, sums of 32 or 64 bits. So a list of programs that small graphs have asked for stands
// for those that large ones will.

#include <functional>

#include "backends/device/program/program.hpp"
#include "backends/device/runtime.hpp"

namespace tropic::detail {

using request_receiver = std::function<void(const program_request&)>;

/// Calls with the programs that the operation of `request` may ask for instead of it or beside it,
/// on devices of such traits; with none where `request` is that of every size. For products: those
/// of the kernels that are chosen without an inspection.
void for_each_variant(const program_request& request, const device_traits&,
                      const request_receiver&);

}  // namespace tropic::detail
