// SPDX-License-Identifier: Apache-2.0
// Vectors on the host: making, converting, reading and writing single elements.

#include <algorithm>
#include <cstring>
#include <numeric>

#include <tropic/detail/containers.hpp>

#include "containers/cancel_watch.hpp"
#include "containers/duplicates.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace {

void check_index(const vector_base& v, index_t i) {
  if (i < 0 || i >= v.size)
    throw usage_error("vector: position " + std::to_string(i) + ", the vector has " +
                      std::to_string(v.size) + " positions");
}

// A sparse vector without its entry number `at`.
void erase_entry(vector_base& v, std::size_t at) {
  const std::size_t left = as_size(v.nvals) - 1, bytes = v.type->size;
  buffer_pointer indices = make_buffer(v.context, left * sizeof(std::uint32_t));
  buffer_pointer values = make_buffer(v.context, left * bytes);
  if (left > 0) {
    const auto* index = static_cast<const std::uint32_t*>(v.indices->host());
    const auto* from = static_cast<const std::byte*>(v.values->host());
    auto* to_index = static_cast<std::uint32_t*>(indices->host_write());
    auto* to = static_cast<std::byte*>(values->host_write());
    std::memcpy(to_index, index, at * sizeof(std::uint32_t));
    std::memcpy(to_index + at, index + at + 1, (left - at) * sizeof(std::uint32_t));
    std::memcpy(to, from, at * bytes);
    std::memcpy(to + at * bytes, from + (at + 1) * bytes, (left - at) * bytes);
  }
  v.indices = std::move(indices);
  v.values = std::move(values);
  --v.nvals;
}

// The arrays of a vector without entries. They belong to no context, so that a move, which must not
// fail, need not allocate.
const buffer_pointer& no_bytes() {
  // Never destroyed: containers may be moved by destructors that run after those of statics.
  static const buffer_pointer& nothing = *new buffer_pointer(std::make_shared<buffer>(nullptr, 0));
  return nothing;
}
// Initialised before the first move.
[[maybe_unused]] const buffer_pointer& nothing_yet = no_bytes();

}  // namespace

buffer_pointer unshared(const context_pointer& context, const buffer_pointer& from) {
  if (from == nullptr || (from.use_count() == 1 && !from->is_borrowed())) return from;
  buffer_pointer copy = make_buffer(context, from->bytes());
  if (from->bytes() > 0) std::memcpy(copy->host_write(), from->host(), from->bytes());
  return copy;
}

vector_base::vector_base(const vector_base&) = default;
vector_base& vector_base::operator=(const vector_base&) = default;
vector_base::~vector_base() = default;
vector_base::vector_base(vector_base&& from) noexcept : vector_fields(std::move(from)) {
  from.context = context;
  from.become_empty();
}
vector_base& vector_base::operator=(vector_base&& from) noexcept {
  if (this == &from) return *this;
  vector_fields::operator=(std::move(from));
  from.context = context;
  from.become_empty();
  return *this;
}
void vector_base::become_empty() noexcept {
  size = 0;
  nvals = 0;
  storage = vector_storage::sparse;
  indices = values = no_bytes();
  present = nullptr;
}

std::size_t vector_base::bytes() const {
  return (indices ? indices->bytes() : 0) + (present ? present->bytes() : 0) +
         (values ? values->bytes() : 0);
}

void check_dimensions(index_t rows, index_t columns) {
  for (const index_t n : {rows, columns})
    if (n < 0 || n > largest_dimension)
      throw usage_error("dimension " + std::to_string(n) + ", allowed are 0 to 4294967296");
}

vector_base empty_vector(const context_pointer& context, const type_description& type,
                         index_t size) {
  check_dimensions(size, 0);
  vector_base result;
  result.context = context;
  result.type = &type;
  result.size = size;
  result.indices = make_buffer(context, 0);
  result.values = make_buffer(context, 0);
  return result;
}

index_t entry_count::sum() const try {
  const auto* counters = static_cast<const std::uint32_t*>(counters_->host());
  return std::accumulate(counters, counters + counters_->bytes() / sizeof(std::uint32_t),
                         index_t{0});
} catch (const out_of_memory& cause) {
  throw out_of_memory("nvals", cause);
}

vector_base filled_vector(const context_pointer& context, const type_description& type,
                          index_t size, const void* value) try {
  check_dimensions(size, 0);
  vector_base result;
  result.context = context;
  result.type = &type;
  result.size = result.nvals = size;
  result.storage = vector_storage::full;
  result.values = make_buffer(context, as_size(size) * type.size);
  result.values->fill(value, type.size);
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("vector", cause);
}

vector_base build_vector(const context_pointer& context, const type_description& type, index_t size,
                         std::span<const index_t> indices, const void* values,
                         duplicates rule) try {
  vector_base result = empty_vector(context, type, size);
  cancel_watch watch(context);
  watch.check();
  for (const index_t i : indices) check_index(result, i);
  std::vector<std::size_t> order(indices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    watch.step();
    return indices[a] < indices[b];
  });
  std::size_t distinct = 0;
  for (std::size_t n = 0; n < order.size(); ++n)
    distinct += n == 0 || indices[order[n]] != indices[order[n - 1]];
  if (distinct != order.size() && rule == duplicates::error)
    for (std::size_t n = 1; n < order.size(); ++n)
      if (indices[order[n]] == indices[order[n - 1]])
        throw usage_error("vector: a second entry at " + std::to_string(indices[order[n]]));
  result.nvals = static_cast<index_t>(distinct);
  result.indices = make_buffer(context, distinct * sizeof(std::uint32_t));
  result.values = make_buffer(context, distinct * type.size);
  if (distinct == 0) return result;
  const combine_function combine = combiner(type, rule);
  const auto* from = static_cast<const std::byte*>(values);
  auto* index = static_cast<std::uint32_t*>(result.indices->host_write());
  auto* to = static_cast<std::byte*>(result.values->host_write());
  std::size_t at = 0;
  for (std::size_t n = 0; n < order.size(); ++n) {
    watch.step();
    const auto i = static_cast<std::uint32_t>(indices[order[n]]);
    if (n > 0 && index[at - 1] == i) {
      combine(to + (at - 1) * type.size, from + order[n] * type.size, type.size);
    } else {
      index[at] = i;
      std::memcpy(to + at * type.size, from + order[n] * type.size, type.size);
      ++at;
    }
  }
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("vector", cause);
}

void convert(vector_base& v, vector_storage storage) try {
  if (v.storage == storage) return;
  if (storage == vector_storage::full && v.nvals != v.size)
    throw usage_error("vector: " + std::to_string(v.size - v.nvals) + " of " +
                      std::to_string(v.size) + " positions have no entry");
  const std::size_t n = as_size(v.size), bytes = v.type->size;
  if (storage == vector_storage::sparse) {
    const auto count = as_size(v.nvals);
    buffer_pointer indices = make_buffer(v.context, count * sizeof(std::uint32_t));
    buffer_pointer values = make_buffer(v.context, count * bytes);
    if (count > 0) {
      const auto* present =
          v.present ? static_cast<const std::uint8_t*>(v.present->host()) : nullptr;
      const auto* from = static_cast<const std::byte*>(v.values->host());
      auto* index = static_cast<std::uint32_t*>(indices->host_write());
      auto* to = static_cast<std::byte*>(values->host_write());
      std::size_t at = 0;
      for (std::size_t i = 0; i < n; ++i)
        if (present == nullptr || present[i]) {
          index[at] = static_cast<std::uint32_t>(i);
          std::memcpy(to + at++ * bytes, from + i * bytes, bytes);
        }
    }
    v.indices = indices;
    v.values = values;
    v.present = nullptr;
  } else if (v.storage == vector_storage::sparse) {
    buffer_pointer present =
        storage == vector_storage::bitmap ? make_buffer(v.context, n) : nullptr;
    buffer_pointer values = make_buffer(v.context, n * bytes);
    if (n > 0) {
      std::uint8_t* flags = nullptr;
      if (present) {
        flags = static_cast<std::uint8_t*>(present->host_write());
        std::memset(flags, 0, n);
      }
      auto* to = static_cast<std::byte*>(values->host_write());
      if (v.nvals > 0) {
        const auto* index = static_cast<const std::uint32_t*>(v.indices->host());
        const auto* from = static_cast<const std::byte*>(v.values->host());
        for (std::size_t e = 0; e < as_size(v.nvals); ++e) {
          if (flags) flags[index[e]] = 1;
          std::memcpy(to + index[e] * bytes, from + e * bytes, bytes);
        }
      }
    }
    v.present = present;
    v.values = values;
    v.indices = nullptr;
  } else if (storage == vector_storage::bitmap) {
    const buffer_pointer present = make_buffer(v.context, n);
    if (n > 0) std::memset(present->host_write(), 1, n);
    v.present = present;
  } else {
    v.present = nullptr;
  }
  v.storage = storage;
} catch (const out_of_memory& cause) {
  throw out_of_memory("conversion of a vector", cause);
}

bool element(const vector_base& v, index_t i, void* value) try {
  check_index(v, i);
  std::size_t at = as_size(i);
  if (v.storage == vector_storage::sparse) {
    if (v.nvals == 0) return false;
    const auto* index = static_cast<const std::uint32_t*>(v.indices->host());
    const auto* found = std::lower_bound(index, index + v.nvals, static_cast<std::uint32_t>(i));
    if (found == index + v.nvals || *found != i) return false;
    at = static_cast<std::size_t>(found - index);
  } else if (v.storage == vector_storage::bitmap &&
             !static_cast<const std::uint8_t*>(v.present->host())[at]) {
    return false;
  }
  std::memcpy(value, static_cast<const std::byte*>(v.values->host()) + at * v.type->size,
              v.type->size);
  return true;
} catch (const out_of_memory& cause) {
  throw out_of_memory("get", cause);
}

void set_element(vector_base& v, index_t i, const void* value) try {
  check_index(v, i);
  const std::size_t bytes = v.type->size;
  if (v.storage == vector_storage::sparse) {
    const auto* index = v.nvals ? static_cast<const std::uint32_t*>(v.indices->host()) : nullptr;
    const auto* found = std::lower_bound(index, index + v.nvals, static_cast<std::uint32_t>(i));
    const std::size_t at = static_cast<std::size_t>(found - index);
    if (at == as_size(v.nvals) || *found != i) {
      const auto count = as_size(v.nvals);
      buffer_pointer indices = make_buffer(v.context, (count + 1) * sizeof(std::uint32_t));
      buffer_pointer values = make_buffer(v.context, (count + 1) * bytes);
      auto* to_index = static_cast<std::uint32_t*>(indices->host_write());
      auto* to = static_cast<std::byte*>(values->host_write());
      if (count > 0) {
        const auto* from = static_cast<const std::byte*>(v.values->host());
        std::memcpy(to_index, index, at * sizeof(std::uint32_t));
        std::memcpy(to_index + at + 1, index + at, (count - at) * sizeof(std::uint32_t));
        std::memcpy(to, from, at * bytes);
        std::memcpy(to + (at + 1) * bytes, from + at * bytes, (count - at) * bytes);
      }
      to_index[at] = static_cast<std::uint32_t>(i);
      std::memcpy(to + at * bytes, value, bytes);
      v.indices = indices;
      v.values = values;
      ++v.nvals;
    } else {
      v.values = unshared(v.context, v.values);
      std::memcpy(static_cast<std::byte*>(v.values->host_write(access::modify)) + at * bytes, value,
                  bytes);
    }
    return;
  }
  std::uint8_t* flags = nullptr;
  if (v.storage == vector_storage::bitmap) {
    v.present = unshared(v.context, v.present);
    flags = static_cast<std::uint8_t*>(v.present->host_write(access::modify));
  }
  v.values = unshared(v.context, v.values);
  auto* to = static_cast<std::byte*>(v.values->host_write(access::modify));
  if (flags != nullptr) {
    v.nvals += !flags[i];
    flags[i] = 1;
  }
  std::memcpy(to + as_size(i) * bytes, value, bytes);
} catch (const out_of_memory& cause) {
  throw out_of_memory("set", cause);
}

void remove_element(vector_base& v, index_t i) try {
  check_index(v, i);
  if (v.storage == vector_storage::sparse) {
    if (v.nvals == 0) return;
    const auto* index = static_cast<const std::uint32_t*>(v.indices->host());
    const auto* found = std::lower_bound(index, index + v.nvals, static_cast<std::uint32_t>(i));
    if (found == index + v.nvals || *found != i) return;
    return erase_entry(v, static_cast<std::size_t>(found - index));
  }
  if (v.present && !static_cast<const std::uint8_t*>(v.present->host())[i]) return;
  convert(v, vector_storage::bitmap);
  v.present = unshared(v.context, v.present);
  static_cast<std::uint8_t*>(v.present->host_write(access::modify))[i] = 0;
  --v.nvals;
} catch (const out_of_memory& cause) {
  throw out_of_memory("remove", cause);
}

vector_base copy_to(const context_pointer& context, const vector_base& from) try {
  vector_base result = from;
  result.context = context;
  result.nvals = index_t{from.nvals};
  for (buffer_pointer* part : {&result.indices, &result.present, &result.values}) {
    if (*part == nullptr) continue;
    buffer_pointer copy = make_buffer(context, (*part)->bytes());
    if (copy->bytes() > 0) std::memcpy(copy->host_write(), (*part)->host(), copy->bytes());
    *part = copy;
  }
  return result;
} catch (const out_of_memory& cause) {
  throw out_of_memory("copy of a vector", cause);
}

}  // namespace tropic::detail
