// SPDX-License-Identifier: Apache-2.0
#pragma once

// Transposes that are kept with their matrix, whatever backend makes them.

#include <functional>
#include <memory>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

using transpose_maker = std::function<matrix_base(const matrix_base&)>;

/// Whether a transpose is kept with a.
bool has_kept_transpose(const matrix_base& a);
/// The transpose that is kept with a, made first if there is none; a itself if it is symmetric.
/// Threads that ask meanwhile wait for the one that makes it.
std::shared_ptr<const matrix_base> kept_transpose(context_state&, const matrix_base& a,
                                                  const transpose_maker&);
/// A transpose to be changed: a copy of the kept one, or made and not kept.
matrix_base new_transpose(const matrix_base& a, const transpose_maker&);

}  // namespace tropic::detail
