// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operations on vectors by the device, which holds them full or as bitmaps.

#include <string_view>

#include "backends/device/device_context.hpp"
#include "backends/operations.hpp"

namespace tropic::detail {

/// Longer vectors of few entries stay on the host, where they are lists.
inline constexpr index_t longest_thin_vector = index_t{1} << 26;

class vector_operations {
 public:
  explicit vector_operations(device_context& device) : device_(device) {}

  // As in backends/backend.hpp. False: the device cannot do it, and nothing has changed.
  bool ewise(vector_base& w, combination, const operator_description&, const vector_base& u,
             const vector_base& v, const vector_rule&);
  bool apply(vector_base& w, const unary_description&, const vector_base& u, const vector_rule&);
  bool select(vector_base& w, const unary_description&, const vector_base& u, const vector_rule&);
  bool assign(vector_base& w, const void* value, const positions&, const vector_rule&);
  bool assign(vector_base& w, const vector_base& u, const positions&, const vector_rule&);
  /// Of a vector that has entries.
  bool reduce(void* result, const monoid_description&, const vector_base& u);
  void gather(vector_base& to, const vector_base& u, const buffer_pointer& order);
  bool divide_frontier(vector_base& frontier, vector_base& waiting, const vector_base& w,
                       const scalar_bytes& end);

  // --- steps of other operations -----------------------------------------------------------------

  /// The epilogue: w<mask> accum= t, on the host if the device cannot do it.
  void write_back(std::string_view operation, vector_base& w, vector_base&& t, const vector_rule&);
  /// Makes a sparse vector full or a bitmap.
  void spread(vector_base&);
  /// Makes a bitmap full, with `neutral`, a value of its type of up to 8 bytes, where it has no
  /// entry.
  void fill_gaps(std::string_view operation, vector_base&, const scalar_bytes& neutral);
  /// A bitmap with an entry at each of `indices`, of those at which `present` is set if that is
  /// given. The n-th has the n-th of `values`; null: the bitmap has no values.
  vector_base scattered(std::string_view operation, const type_description&, index_t size,
                        const buffer_pointer& indices, std::uint64_t entries,
                        const buffer_pointer& values = nullptr,
                        const buffer_pointer& present = nullptr);
  /// A byte a position, set where the mask excludes it; null without a mask.
  buffer_pointer excluded(const vector_rule&);
  /// The program that sums by a monoid; null where the device does not have its type.
  const compiled_program* sum_program(const monoid_description&);
  /// What `reduce` gives, on its way: reading it waits for the device. Null: the device cannot do
  /// it.
  buffer_pointer sum_of(const monoid_description&, const vector_base& u);
  /// The groups among which `reduce` divides n positions.
  std::uint64_t groups_of_sum(std::uint64_t n) const;

 private:
  bool merge(std::string_view operation, vector_base& w, const element_request&,
             const vector_base* u, const vector_base* v, const vector_rule&);
  bool assign_listed(vector_base& w, const element_request&, const vector_base* u, const positions&,
                     const vector_rule&);

  device_context& device_;
};

}  // namespace tropic::detail
