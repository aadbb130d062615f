// SPDX-License-Identifier: Apache-2.0
// Indices of 32 and 64 bits, with and without a sign: checked, narrowed and widened in parallel.

#include <algorithm>

#include <tropic/detail/arrays.hpp>

#include "containers/context_state.hpp"

namespace tropic::detail {

namespace {

template <class F>
decltype(auto) with_indices(const given_array& a, F&& f) {
  if (a.bytes == 8)
    return a.is_signed ? f(static_cast<const std::int64_t*>(a.data))
                       : f(static_cast<const std::uint64_t*>(a.data));
  if (a.bytes == 2)
    return a.is_signed ? f(static_cast<const std::int16_t*>(a.data))
                       : f(static_cast<const std::uint16_t*>(a.data));
  return a.is_signed ? f(static_cast<const std::int32_t*>(a.data))
                     : f(static_cast<const std::uint32_t*>(a.data));
}

template <class To, class From>
void convert_indices(int threads, To* to, const From* from, std::size_t count) {
#pragma omp parallel for num_threads(threads) if (count > 1 << 16)
  for (std::size_t n = 0; n < count; ++n) to[n] = static_cast<To>(from[n]);
}

}  // namespace

std::size_t first_outside(const context_state& context, const given_array& a, index_t limit) {
  return with_indices(a, [&](const auto* index) {
    using unsigned_index = std::make_unsigned_t<std::remove_cvref_t<decltype(*index)>>;
    const auto bound = static_cast<std::uint64_t>(limit);
    std::size_t bad = a.size;
#pragma omp parallel for num_threads(context.threads()) if (a.size > 1 << 16) reduction(min : bad)
    for (std::size_t n = 0; n < a.size; ++n)
      if (index[n] < 0 || static_cast<unsigned_index>(index[n]) >= bound) bad = std::min(bad, n);
    return bad;
  });
}

std::string index_text(const given_array& a, std::size_t n) {
  return with_indices(a, [&](const auto* index) { return std::to_string(index[n]); });
}

index_t row_of_entry(const given_array& offsets, std::size_t entry) {
  return with_indices(offsets, [&](const auto* offset) {
    for (std::size_t row = 0; row + 1 < offsets.size; ++row)
      if (offset[row + 1] > 0 && static_cast<std::uint64_t>(offset[row + 1]) > entry)
        return static_cast<index_t>(row);
    return index_t{-1};
  });
}

void check_indices(const context_state& context, const given_array& a, index_t limit,
                   const char* what) {
  const std::size_t bad = first_outside(context, a, limit);
  if (bad < a.size)
    throw usage_error(
        std::string(what) + " " + index_text(a, bad) + " of entry " + std::to_string(bad) +
        (limit == 0 ? ", needed none" : ", needed 0 to " + std::to_string(limit - 1)));
}

buffer_pointer widened(const context_pointer& context, const given_array& a) {
  buffer_pointer made = make_buffer(context, a.size * sizeof(std::uint32_t));
  if (a.size == 0) return made;
  auto* to = static_cast<std::uint32_t*>(made->host_write());
  with_indices(a, [&](const auto* from) { convert_indices(context->threads(), to, from, a.size); });
  return made;
}

buffer_pointer narrowed(const context_pointer& context, const void* from, std::size_t bytes,
                        std::size_t count) {
  buffer_pointer made = make_buffer(context, count * sizeof(std::uint32_t));
  if (count == 0) return made;
  auto* to = static_cast<std::uint32_t*>(made->host_write());
  if (bytes == 8)
    convert_indices(context->threads(), to, static_cast<const std::uint64_t*>(from), count);
  else
    convert_indices(context->threads(), to, static_cast<const std::uint32_t*>(from), count);
  return made;
}

buffer_pointer with_width(const context_pointer& context, const buffer_pointer& from,
                          std::size_t count, std::size_t bytes, std::size_t wanted) {
  if (bytes == wanted) return from;
  if (wanted == 4) return narrowed(context, count == 0 ? nullptr : from->host(), bytes, count);
  buffer_pointer made = make_buffer(context, count * sizeof(std::uint64_t));
  if (count > 0)
    convert_indices(context->threads(), static_cast<std::uint64_t*>(made->host_write()),
                    static_cast<const std::uint32_t*>(from->host()), count);
  return made;
}

}  // namespace tropic::detail
