// SPDX-License-Identifier: Apache-2.0

// Permutes a full vector: reads at random, writes in order.

#include <cstring>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/parallel.hpp"

namespace tropic::detail {

namespace {

// A width known to the compiler: one load and one store each. 0: `any` bytes.
template <std::size_t Bytes>
void gather_values(int threads, std::size_t size, const std::byte* from, const std::uint32_t* order,
                   std::byte* to, std::size_t any = Bytes) {
  on_cpu::for_chunks(threads, size, [=](std::size_t begin, std::size_t end) {
    const std::size_t bytes = Bytes > 0 ? Bytes : any;
    for (std::size_t k = begin; k < end; ++k)
      std::memcpy(to + k * bytes, from + order[k] * bytes, bytes);
  });
}

}  // namespace

void cpu_backend::gather(vector_base& to, const vector_base& u, const buffer_pointer& order) {
  const auto size = static_cast<std::size_t>(to.size);
  const std::size_t bytes = u.type->size;
  const auto* from = read_as<std::byte>(u.values);
  const auto* positions = read_as<std::uint32_t>(order);
  auto* values = write_as<std::byte>(to.values);
  switch (bytes) {
    case 1: return gather_values<1>(threads(), size, from, positions, values);
    case 2: return gather_values<2>(threads(), size, from, positions, values);
    case 4: return gather_values<4>(threads(), size, from, positions, values);
    case 8: return gather_values<8>(threads(), size, from, positions, values);
    default: return gather_values<0>(threads(), size, from, positions, values, bytes);
  }
}

}  // namespace tropic::detail
