// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix with hot columns, made where it lies.

#include "backends/array_services.hpp"

namespace tropic::detail {

/// By the backend where it does that, else on the host: equal to the last bit. Throws
/// out_of_memory; cancelled.
hot_columns make_hot_columns(array_services&, const matrix_base&);

}  // namespace tropic::detail
