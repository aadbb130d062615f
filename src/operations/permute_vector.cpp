// SPDX-License-Identifier: Apache-2.0

// A vector with its positions in another order. Where the device is the host, its arrays are
// written one into the other, in parallel; a sparse one's entries are sorted again. Elsewhere it is
// an assignment to a list of positions, which the device makes: the list goes there, nothing comes
// back. O(size), of a sparse vector O(entries log(entries)).

#include <algorithm>
#include <cstring>
#include <string>

#include <tropic/detail/operations.hpp>
#include <tropic/permute.hpp>

#include "containers/context_state.hpp"

namespace tropic::detail {

namespace {

template <class F>
void for_each_position(const context_state& where, std::size_t count, F&& f) {
#pragma omp parallel for num_threads(where.threads()) if (count > 1 << 15)
  for (std::size_t n = 0; n < count; ++n) f(n);
}

// `count` elements, of which number n goes to place to[n].
buffer_pointer scattered(const context_pointer& where, const buffer_pointer& elements,
                         std::size_t count, std::size_t bytes, std::span<const std::uint32_t> to) {
  buffer_pointer made = make_buffer(where, count * bytes);
  if (count == 0) return made;
  const auto* from = static_cast<const std::byte*>(elements->host());
  auto* target = static_cast<std::byte*>(made->host_write());
  for_each_position(*where, count, [&](std::size_t n) {
    std::memcpy(target + to[n] * bytes, from + n * bytes, bytes);
  });
  return made;
}

vector_base permute_sparse(const vector_base& u, std::span<const std::uint32_t> to) {
  vector_base made = u;
  const auto count = static_cast<std::size_t>(u.nvals);
  if (count == 0) return made;
  const std::size_t bytes = u.type->size;
  const auto* indices = static_cast<const std::uint32_t*>(u.indices->host());
  std::vector<std::uint64_t> entries(count);  // new position above, place below
  for (std::size_t n = 0; n < count; ++n) entries[n] = std::uint64_t{to[indices[n]]} << 32 | n;
  std::ranges::sort(entries);
  made.indices = make_buffer(u.context, count * sizeof(std::uint32_t));
  made.values = make_buffer(u.context, count * bytes);
  const auto* from = static_cast<const std::byte*>(u.values->host());
  auto* made_indices = static_cast<std::uint32_t*>(made.indices->host_write());
  auto* values = static_cast<std::byte*>(made.values->host_write());
  for_each_position(*u.context, count, [&](std::size_t n) {
    made_indices[n] = static_cast<std::uint32_t>(entries[n] >> 32);
    std::memcpy(values + n * bytes, from + (entries[n] & 0xffffffffU) * bytes, bytes);
  });
  return made;
}

vector_base permute_on_device(const vector_base& u, std::span<const std::uint32_t> to) {
  const bool full = u.storage == vector_storage::full;
  const scalar_bytes nothing{};
  vector_base made = full ? filled(u.context, *u.type, u.size, nothing.data())
                          : empty_vector(u.context, *u.type, u.size);
  const std::vector<index_t> all(to.begin(), to.end());
  const std::span<const index_t> list(all);
  assign(made, u, &list, {});
  if (full && made.storage == vector_storage::bitmap) {  // every flag is set
    made.present = nullptr;
    made.nvals = made.size;
    made.storage = vector_storage::full;
  }
  return made;
}

}  // namespace

vector_base permute(const vector_base& u, const permutation& p) try {
  if (p.size() != u.size)
    throw usage_error("permute: u has " + std::to_string(u.size) + " positions, the permutation " +
                      std::to_string(p.size()));
  if (u.context->is_cancelled()) throw cancelled();
  if (p.is_identity() || u.nvals.is_zero_surely()) return u;
  const std::span<const std::uint32_t> to = p.new_positions();
  if (u.context->device_memory) return permute_on_device(u, to);
  if (u.storage == vector_storage::sparse) return permute_sparse(u, to);
  vector_base made = u;
  const auto size = static_cast<std::size_t>(u.size);
  made.values = scattered(u.context, u.values, size, u.type->size, to);
  if (u.present) made.present = scattered(u.context, u.present, size, 1, to);
  return made;
} catch (const out_of_memory& cause) {
  throw out_of_memory("permute", cause);
}

}  // namespace tropic::detail
