// SPDX-License-Identifier: Apache-2.0
#pragma once

// The caller's arrays: indices of four types, values of eleven.

#include <cstdint>
#include <limits>
#include <utility>

#include "interop/c/support.hpp"

namespace tropic::c_abi {

using detail::buffer_pointer;

inline bool is_narrow(tropic_type type) {
  return type == TROPIC_INT32 || type == TROPIC_UINT32;
}

/// f(const T*) for the type of an array of indices. Throws where it is none, or where the array
/// does not lie as its type asks. Without entries it may be NULL.
template <class F>
decltype(auto) with_indices(const call& c, tropic_type type, const void* array, std::size_t count,
                            const char* what, F&& f) {
  c.need_array(array, count, what);
  const auto as = [&]<class T>(T) -> decltype(auto) {
    if (reinterpret_cast<std::uintptr_t>(array) % alignof(T) != 0)
      c.refuse(std::string(what) + " does not lie at a multiple of " + std::to_string(alignof(T)) +
               " bytes");
    return f(static_cast<const T*>(array));
  };
  switch (type) {
    case TROPIC_INT32: return as(std::int32_t{});
    case TROPIC_UINT32: return as(std::uint32_t{});
    case TROPIC_INT64: return as(std::int64_t{});
    case TROPIC_UINT64: return as(std::uint64_t{});
    default: break;
  }
  const std::string named = "the type of " + std::string(what);
  c.refuse(std::string(what) + " have type " + std::string(c.type(type, named.c_str()).name) +
           ", needed int32, uint32, int64 or uint64");
}

/// Bytes of `count` elements. Throws out_of_memory if the number overflows.
inline std::size_t bytes_of(const char* what, std::size_t count, std::size_t element_bytes) {
  if (count > std::numeric_limits<std::size_t>::max() / 2 / element_bytes)
    throw out_of_memory(std::numeric_limits<std::size_t>::max(), out_of_memory::unknown, what);
  return count * element_bytes;
}

/// Copies values; a bool becomes 0 or 1 whatever its byte was.
inline void copy_values(void* to, const void* from, std::size_t count,
                        const type_description& type) {
  if (count == 0) return;
  if (type.code != type_code::boolean) {
    std::memcpy(to, from, count * type.size);
    return;
  }
  const auto* bytes = static_cast<const unsigned char*>(from);
  auto* result = static_cast<unsigned char*>(to);
  for (std::size_t n = 0; n < count; ++n) result[n] = bytes[n] != 0;
}

/// One value, where it lies well and a bool is 0 or 1.
inline scalar_bytes scalar(const void* value, const type_description& type) {
  scalar_bytes result;
  copy_values(result.data(), value, 1, type);
  return result;
}

inline buffer_pointer copied_values(const detail::context_pointer& context, const void* from,
                                    std::size_t count, const type_description& type) {
  buffer_pointer result = detail::make_buffer(context, bytes_of("values", count, type.size));
  if (count > 0) copy_values(result->host_write(), from, count, type);
  return result;
}

/// What was borrowed, given back when the last array of it goes. `release` is set when nothing can
/// fail any more.
struct loan {
  void (*release)(void*) = nullptr;
  void* data = nullptr;
  ~loan() {
    if (release != nullptr) release(data);
  }
};

/// 1 of that type.
inline scalar_bytes one_of(const type_description& type) {
  return with_builtin_type(type.code, []<class T>() { return scalar_bytes::of(T{1}); });
}

}  // namespace tropic::c_abi
