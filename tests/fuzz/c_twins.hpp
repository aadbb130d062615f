// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pairs of handles of the C interface, one of the reference context and one of another: each call
// is made with both and must have equal outcomes. Everything visible through the C interface is
// compared.

#include <tropic/c/tropic.h>

#include <array>
#include <cmath>
#include <cstring>
#include <list>
#include <string>
#include <tropic/semirings/types.hpp>
#include <utility>
#include <vector>

#include "fuzz.hpp"

namespace tropic::fuzz {

inline constexpr int worlds[] = {0, 1};  // the reference, and what is compared with it

inline void release(tropic_context* handle) {
  tropic_context_free(handle);
}
inline void release(tropic_matrix* handle) {
  tropic_matrix_free(handle);
}
inline void release(tropic_vector* handle) {
  tropic_vector_free(handle);
}
inline void release(tropic_semiring* handle) {
  tropic_semiring_free(handle);
}

/// The same object in both contexts; NULL in both if there is none.
template <class Handle>
struct twin {
  Handle* of[2] = {nullptr, nullptr};

  twin() = default;
  twin(twin&& from) noexcept { std::swap(of, from.of); }
  twin& operator=(twin&& from) noexcept {
    std::swap(of, from.of);
    return *this;
  }
  ~twin() {
    for (const int w : worlds) release(of[w]);
  }
  explicit operator bool() const { return of[0] != nullptr; }
};

/// Memory ran out in one context only, or a cancelled call got far enough to fail or to finish.
/// This is allowed: the sequence ends.
struct worlds_apart {};

inline void check_status(tropic_status status) {
  require(status >= TROPIC_OK && status < TROPIC_INTERNAL, "a status that says of a fault");
  require(status != TROPIC_DEVICE, "no device is involved");
  require(std::strcmp(tropic_status_name(status), "unknown") != 0, "a status without a name");
  if (status != TROPIC_OK)
    require(*tropic_last_error(nullptr) != '\0', "a failure without a message");
}

/// call(world) in both contexts; returns their common status.
template <class Call>
tropic_status in_both(const char* name, const Call& call) {
  tropic_status found[2];
  for (const int w : worlds) check_status(found[w] = call(w));
  if (found[0] == found[1]) return found[0];
  for (const tropic_status one : found)
    if (one == TROPIC_OUT_OF_MEMORY || one == TROPIC_CANCELLED) throw worlds_apart{};
  broken(std::string(name) + ": " + tropic_status_name(found[0]) + " on the reference, " +
         tropic_status_name(found[1]) + " beside it: " + tropic_last_error(nullptr));
}

/// The same for a call that creates a handle: there must be one exactly if the call succeeds.
template <class Handle, class Call>
twin<Handle> create_in_both(const char* name, const Call& call) {
  twin<Handle> created;
  Handle* const poison = reinterpret_cast<Handle*>(std::uintptr_t{8});  // NULL after a failure
  bool right = true;
  in_both(name, [&](int w) {
    Handle* result = poison;
    const tropic_status status = call(w, &result);
    right = right && result != poison && (result != nullptr) == (status == TROPIC_OK);
    created.of[w] = result == poison ? nullptr : result;
    return status;
  });
  require(right, std::string(name) + ": a handle and a failure, or neither");
  return created;
}

struct pairs {
  std::vector<int64_t> indices;
  std::vector<std::byte> values;
  bool operator==(const pairs&) const = default;
};

inline tropic_type type_of(const tropic_vector* v) {
  tropic_type type = TROPIC_BOOL;
  require(tropic_vector_type(v, &type) == TROPIC_OK, "tropic_vector_type");
  return type;
}
inline int64_t size_of(const tropic_vector* v) {
  int64_t size = -1;
  require(tropic_vector_size(v, &size) == TROPIC_OK && size >= 0, "tropic_vector_size");
  return size;
}

inline pairs pairs_of(const tropic_vector* v) {
  const tropic_type type = type_of(v);
  int64_t nvals = -1, count = -1;
  require(tropic_vector_nvals(v, &nvals) == TROPIC_OK && nvals >= 0 && nvals <= size_of(v),
          "tropic_vector_nvals");
  pairs found;
  found.indices.resize(static_cast<std::size_t>(nvals));
  found.values.resize(found.indices.size() * tropic_type_size(type));
  const tropic_status status =
      tropic_vector_export_pairs(v, type, nvals, found.indices.data(), found.values.data(), &count);
  if (status == TROPIC_OUT_OF_MEMORY) throw worlds_apart{};
  require(status == TROPIC_OK && count == nvals, "tropic_vector_export_pairs");
  for (std::size_t e = 0; e < found.indices.size(); ++e)
    require(found.indices[e] >= (e == 0 ? 0 : found.indices[e - 1] + 1) &&
                found.indices[e] < size_of(v),
            "indices that do not ascend");
  if (type == TROPIC_BOOL)
    for (const std::byte value : found.values) require(value <= std::byte{1}, "a bool beyond 1");
  return found;
}

/// Equal as values: -0 equals 0 and NaN equals NaN.
inline bool equal_values(tropic_type type, const std::vector<std::byte>& a,
                         const std::vector<std::byte>& b) {
  if (type != TROPIC_FP32 && type != TROPIC_FP64) return a == b;
  return a.size() == b.size() &&
         with_builtin_type(static_cast<type_code>(static_cast<int>(type)), [&]<class T>() {
           for (std::size_t at = 0; at < a.size(); at += sizeof(T)) {
             T left, right;
             std::memcpy(&left, a.data() + at, sizeof(T));
             std::memcpy(&right, b.data() + at, sizeof(T));
             if (left != right && (left == left || right == right)) return false;
           }
           return true;
         });
}

/// Multiples of 1/4 up to 64, whose products, and sums of 64 of these, are exact in fp32.
inline bool small_values(tropic_type type, const std::vector<std::byte>& values) {
  return with_builtin_type(static_cast<type_code>(static_cast<int>(type)), [&]<class T>() {
    for (std::size_t at = 0; at < values.size(); at += sizeof(T)) {
      T value;
      std::memcpy(&value, values.data() + at, sizeof(T));
      const double v = static_cast<double>(value);
      if (!(std::fabs(v) <= 64) || v * 4 != std::floor(v * 4)) return false;
    }
    return true;
  });
}

/// The vector must be the same in both contexts. If values may differ (`exact` false) or are equal
/// only as values, both continue with those of the reference.
inline void agree(twin<tropic_vector>& v, bool exact, const char* after) {
  if (!v) return;
  const pairs first = pairs_of(v.of[0]), second = pairs_of(v.of[1]);
  const tropic_type type = type_of(v.of[0]);
  require(type == type_of(v.of[1]) && size_of(v.of[0]) == size_of(v.of[1]),
          std::string(after) + ": another type or size");
  require(first.indices == second.indices, std::string(after) + ": entries in other places");
  require(!exact || equal_values(type, first.values, second.values),
          std::string(after) + ": other values");
  if (first == second) return;
  for (std::size_t e = 0; e < first.indices.size(); ++e) {
    const std::size_t bytes = tropic_type_size(type);
    const tropic_status status =
        tropic_vector_set(v.of[1], first.indices[e], type, first.values.data() + e * bytes);
    if (status == TROPIC_OUT_OF_MEMORY) throw worlds_apart{};
    require(status == TROPIC_OK, "tropic_vector_set");
  }
}

/// Arrays lent with TROPIC_BORROW; they stay until the session ends.
struct loan {
  std::vector<std::byte> offsets, columns, values;
  int released = 0;
  bool taken = false;

  static void release(void* data) { ++static_cast<loan*>(data)->released; }
};

}  // namespace tropic::fuzz
