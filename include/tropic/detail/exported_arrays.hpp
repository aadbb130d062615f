// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arrays on the context's device for another library there, which has queues of its own. Nothing
// here is waited for: precede() orders the reader's work after the context's.

#include <tropic/detail/arrays.hpp>

namespace tropic::detail {

/// CSR arrays with these widths and with one value per entry: those of the matrix where it stores
/// them so, else converted on the device; indices are widened, and single values of more than 2^32
/// entries repeated, by the host. Throws usage_error if the device is the host.
TROPIC_API compressed_buffers csr_on_device(const matrix_base&, index_type offset,
                                            index_type index);

/// What is enqueued on `queue` (a CUstream of the device, or 1 or 2 for CUDA's default streams)
/// from now on runs after all that the context has enqueued. The host waits only where the
/// device's API has no such order.
TROPIC_API void precede(const context_state&, void* queue);
/// Waits for all queues of the device: none of them may still read memory that is released next.
TROPIC_API void settle_device(const context_state&) noexcept;

}  // namespace tropic::detail
