// SPDX-License-Identifier: Apache-2.0

// Sparse, bitmap and full: a vector becomes sparse below one entry in thirty-two and dense from one
// in eight; in between it keeps its storage, so that it does not alternate.
//
// Converting to sparse costs O(n) byte reads, eight at a time where there is no entry; from sparse
// O(n) byte writes. All loops run over fixed chunks; compaction counts per chunk first, then fills.

#include "backends/cpu/vectors/conversions.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"

namespace tropic::detail {

namespace on_cpu {

namespace {

constexpr std::size_t sparse_below = 32, dense_above = 8;

// Flags are 0 or 1.
std::size_t count_between(const std::uint8_t* flags, std::size_t begin, std::size_t end) {
  return std::accumulate(flags + begin, flags + end, std::size_t{0},
                         [](std::size_t sum, std::uint8_t f) { return sum + (f != 0); });
}

// The offset of the kept entries of each chunk, and their total.
std::vector<std::size_t> starts_of(const memory_side& here, const std::uint8_t* flags,
                                   std::size_t count) {
  std::vector<std::size_t> start(chunks_of(count) + 1, 0);
  for_chunks(here.threads(), count, [&](std::size_t begin, std::size_t end) {
    start[begin / chunk_size + 1] = count_between(flags, begin, end);
  });
  std::partial_sum(start.begin(), start.end(), start.begin());
  return start;
}

void to_sparse(const memory_side& here, vector_base& v) {
  const vector_view from(here, v);
  const buffer_pointer values = here.allocate(from.nvals, from.bytes);
  const buffer_pointer indices = here.allocate(from.nvals, sizeof(std::uint32_t));
  auto* index = here.write_as<std::uint32_t>(indices);
  auto* to = here.write_as<std::byte>(values);
  if (from.nvals > 0) {
    std::vector<std::size_t> start;
    if (from.present) start = starts_of(here, from.present, from.size);
    for_chunks(here.threads(), from.size, [&](std::size_t begin, std::size_t end) {
      std::size_t at = from.present ? start[begin / chunk_size] : begin;
      const auto copy = [&](std::size_t first, std::size_t last) {
        std::memcpy(to + at * from.bytes, from.value(first), (last - first) * from.bytes);
        for (std::size_t i = first; i < last; ++i) index[at++] = static_cast<std::uint32_t>(i);
      };
      if (from.present)
        for_runs(from.present, begin, end, copy);
      else
        copy(begin, end);
    });
  }
  v.indices = indices;
  v.values = values;
  v.present = nullptr;
  v.storage = vector_storage::sparse;
}

void from_sparse(const memory_side& here, vector_base& v, vector_storage storage) {
  const vector_view from(here, v);
  const buffer_pointer values = here.allocate(from.size, from.bytes);
  buffer_pointer present;
  std::uint8_t* flags = nullptr;
  if (storage == vector_storage::bitmap) {
    present = here.allocate(from.size, 1);
    flags = here.write_as<std::uint8_t>(present);
    for_chunks(here.threads(), from.size, [&](std::size_t begin, std::size_t end) {
      std::memset(flags + begin, 0, end - begin);
    });
  }
  auto* to = here.write_as<std::byte>(values);
  for_chunks(here.threads(), from.nvals, [&](std::size_t begin, std::size_t end) {
    scatter(to, from.indices + begin, from.value(begin), end - begin, from.bytes);
    if (flags)
      for (std::size_t n = begin; n < end; ++n) flags[from.indices[n]] = 1;
  });
  v.values = values;
  v.present = present;
  v.indices = nullptr;
  v.storage = storage;
}

}  // namespace

vector_base shell(const memory_side& here, const type_description& type, index_t size) {
  vector_base result;
  result.context = here.context();
  result.type = &type;
  result.size = size;
  return result;
}

vector_base no_entries(const memory_side& here, const type_description& type, index_t size) {
  vector_base result = shell(here, type, size);
  result.indices = here.allocate(0, 1);
  result.values = here.allocate(0, 1);
  return result;
}

void hold_as(const memory_side& here, vector_base& v, vector_storage storage) {
  if (v.storage == storage) return;
  if (storage == vector_storage::sparse) return to_sparse(here, v);
  if (v.storage == vector_storage::sparse) return from_sparse(here, v, storage);
  if (storage == vector_storage::full) {
    v.present = nullptr;
  } else {
    const auto n = as_size(v.size);
    const buffer_pointer present = here.allocate(n, 1);
    auto* flags = here.write_as<std::uint8_t>(present);
    for_chunks(here.threads(), n, [&](std::size_t begin, std::size_t end) {
      std::memset(flags + begin, 1, end - begin);
    });
    v.present = present;
  }
  v.storage = storage;
}

namespace {

// The bitmap is a correct result, and a product may have written it to the arrays of its output:
// failing here would leave that output changed.
void hold_as_list_if_it_fits(const memory_side& here, vector_base& v) {
  try {
    to_sparse(here, v);
  } catch (const out_of_memory&) {
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace

void settle(const memory_side& here, vector_base& v, bool is_new) {
  const std::size_t size = as_size(v.size), nvals = as_size(v.nvals);
  if (v.storage == vector_storage::sparse) {
    if (nvals > size / dense_above)
      hold_as(here, v, nvals == size ? vector_storage::full : vector_storage::bitmap);
  } else if (v.storage == vector_storage::bitmap) {
    if (nvals == size)
      hold_as(here, v, vector_storage::full);
    else if (is_new && nvals < size / sparse_below)
      hold_as_list_if_it_fits(here, v);
  }
}

vector_base keep_entries(const memory_side& here, const vector_base& v, const std::uint8_t* keep) {
  const vector_view from(here, v);
  const std::vector<std::size_t> start = starts_of(here, keep, from.nvals);
  const std::size_t kept = start.back();
  if (kept == from.nvals) return v;
  vector_base result = shell(here, *v.type, v.size);
  result.nvals = static_cast<index_t>(kept);
  result.indices = here.allocate(kept, sizeof(std::uint32_t));
  if (v.values) result.values = here.allocate(kept, from.bytes);
  if (kept == 0) return result;
  auto* index = here.write_as<std::uint32_t>(result.indices);
  auto* to = here.write_as<std::byte>(result.values);
  for_chunks(here.threads(), from.nvals, [&](std::size_t begin, std::size_t end) {
    with_element_size(from.bytes, [&]<std::size_t N>() {
      std::size_t at = start[begin / chunk_size];
      for (std::size_t n = begin; n < end; ++n) {
        if (!keep[n]) continue;
        index[at] = from.indices[n];
        if (to) copy_element<N>(to, at, from.values, n, from.bytes);
        ++at;
      }
    });
  });
  return result;
}

buffer_pointer list_positions(const memory_side& here, const std::uint8_t* flags, std::size_t count,
                              std::size_t found) {
  buffer_pointer list = here.allocate(found, sizeof(std::uint32_t));
  auto* to = here.write_as<std::uint32_t>(list);
  if (found == 0) return list;
  const std::vector<std::size_t> start = starts_of(here, flags, count);
  for_chunks(here.threads(), count, [&](std::size_t begin, std::size_t end) {
    std::size_t at = start[begin / chunk_size];
    for_runs(flags, begin, end, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) to[at++] = static_cast<std::uint32_t>(i);
    });
  });
  return list;
}

std::size_t count_flags(const memory_side& here, const std::uint8_t* flags, std::size_t count) {
  return sum_over_chunks(here.threads(), count, [&](std::size_t begin, std::size_t end) {
    return count_between(flags, begin, end);
  });
}

}  // namespace on_cpu

buffer_pointer cpu_backend::allocate(std::size_t bytes) const {
  return make_buffer(context_.shared_from_this(), bytes);
}

void cpu_backend::convert_storage(vector_base& v, vector_storage storage) const {
  on_cpu::hold_as(on_cpu::memory_side(context_, on_host_), v, storage);
}

}  // namespace tropic::detail
