// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tropic::detail::on_cpu {

/// to[n] = u[columns[n]] for `count` elements of `bytes`. Fetches `a_bytes` for each, from `a`
/// unless that is null, and the columns `ahead` positions further on: the three streams would
/// otherwise be waited for one after the other.
void gather_ahead(std::byte* to, const std::byte* u, const std::uint32_t* columns,
                  std::size_t count, std::size_t bytes, std::size_t ahead, const std::byte* a,
                  std::size_t a_bytes);

}  // namespace tropic::detail::on_cpu
