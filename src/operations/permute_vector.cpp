// SPDX-License-Identifier: Apache-2.0

// Permutes a vector. If the device memory is host memory, arrays are permuted in parallel, and the
// entries of a sparse vector are sorted again. Otherwise the positions are sent to the device, and
// nothing is copied back: a full vector is gathered by its old positions, others are assigned to
// their new ones. O(size); for a sparse vector O(entries log(entries)).

#include <algorithm>
#include <cstring>
#include <string>

#include <tropic/detail/operations.hpp>
#include <tropic/permute.hpp>

#include "backends/backend.hpp"
#include "containers/context_state.hpp"

namespace tropic::detail {

namespace {

template <class F>
void for_each_position(const context_state& where, std::size_t count, F&& f) {
#pragma omp parallel for num_threads(where.threads()) if (count > 1 << 15)
  for (std::size_t n = 0; n < count; ++n) f(n);
}

// `count` elements; number n goes to position to[n].
buffer_pointer scattered(const context_pointer& where, const buffer_pointer& elements,
                         std::size_t count, std::size_t bytes, std::span<const std::uint32_t> to) {
  buffer_pointer result = make_buffer(where, count * bytes);
  if (count == 0) return result;
  const auto* from = static_cast<const std::byte*>(elements->host());
  auto* target = static_cast<std::byte*>(result->host_write());
  for_each_position(*where, count, [&](std::size_t n) {
    std::memcpy(target + to[n] * bytes, from + n * bytes, bytes);
  });
  return result;
}

vector_base permute_sparse(const vector_base& u, std::span<const std::uint32_t> to) {
  vector_base result = u;
  const auto count = static_cast<std::size_t>(u.nvals);
  if (count == 0) return result;
  const std::size_t bytes = u.type->size;
  const auto* indices = static_cast<const std::uint32_t*>(u.indices->host());
  std::vector<std::uint64_t> entries(
      count);  // new position in the upper half, old place in the lower half
  for (std::size_t n = 0; n < count; ++n) entries[n] = std::uint64_t{to[indices[n]]} << 32 | n;
  std::ranges::sort(entries);
  result.indices = make_buffer(u.context, count * sizeof(std::uint32_t));
  result.values = make_buffer(u.context, count * bytes);
  const auto* from = static_cast<const std::byte*>(u.values->host());
  auto* made_indices = static_cast<std::uint32_t*>(result.indices->host_write());
  auto* values = static_cast<std::byte*>(result.values->host_write());
  for_each_position(*u.context, count, [&](std::size_t n) {
    made_indices[n] = static_cast<std::uint32_t>(entries[n] >> 32);
    std::memcpy(values + n * bytes, from + (entries[n] & 0xffffffffU) * bytes, bytes);
  });
  return result;
}

vector_base permute_on_device(const vector_base& u, const permutation& p) {
  const context_pointer& where = u.context;
  if (u.storage == vector_storage::full) {
    const std::span<const std::uint32_t> from = p.old_positions();
    const buffer_pointer order = make_buffer(where, from.size_bytes());
    auto* positions = static_cast<std::uint32_t*>(order->host_write());
    for_each_position(*where, from.size(), [&](std::size_t n) { positions[n] = from[n]; });
    vector_base result = u;
    result.values = make_buffer(where, from.size() * u.type->size);
    where->executor->gather(result, u, order);
    return result;
  }
  vector_base result = empty_vector(where, *u.type, u.size);
  const std::span<const std::uint32_t> to = p.new_positions();
  const std::vector<index_t> all(to.begin(), to.end());
  const std::span<const index_t> list(all);
  assign(result, u, &list, {});
  return result;
}

}  // namespace

vector_base permute(const vector_base& u, const permutation& p) try {
  if (p.size() != u.size)
    throw usage_error("permute: u has " + std::to_string(u.size) + " positions, the permutation " +
                      std::to_string(p.size()));
  if (u.context->is_cancelled()) throw cancelled();
  if (p.is_identity() || u.nvals.is_zero_surely()) return u;
  if (u.context->device_memory) return permute_on_device(u, p);
  const std::span<const std::uint32_t> to = p.new_positions();
  if (u.storage == vector_storage::sparse) return permute_sparse(u, to);
  vector_base result = u;
  const auto size = static_cast<std::size_t>(u.size);
  result.values = scattered(u.context, u.values, size, u.type->size, to);
  if (u.present) result.present = scattered(u.context, u.present, size, 1, to);
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("permute", cause);
}

}  // namespace tropic::detail
