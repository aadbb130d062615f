// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks of arguments that all operations perform before calling a backend.

#include <string>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"

namespace tropic::detail {

inline std::string shape(const vector_base& v) {
  return std::to_string(v.size) + " positions";
}
inline std::string shape(const matrix_base& m) {
  return std::to_string(m.rows) + "x" + std::to_string(m.columns);
}
inline index_t rows_of(const matrix_factor& a) {
  return a.transposed ? a.matrix.columns : a.matrix.rows;
}
inline index_t columns_of(const matrix_factor& a) {
  return a.transposed ? a.matrix.rows : a.matrix.columns;
}
inline std::string shape(const matrix_factor& a) {
  return std::to_string(rows_of(a)) + "x" + std::to_string(columns_of(a));
}

/// Throws device_error in a child process of the one that made a device's context: drivers hang
/// there.
inline void refuse_forked(const char* name, const context_state& context) {
  if (context.is_forked() && context.device_memory != nullptr)
    throw device_error(std::string(name) + ": the context " + context.name +
                       " was created before fork(); create the context of a device in the process "
                       "that uses it");
}

/// The error for operands of different contexts, whose names may be equal.
inline usage_error two_contexts(const std::string& name, const context_state& one,
                                const context_state& other) {
  const std::string names =
      one.name == other.name ? "both on " + one.name : "on " + one.name + " and on " + other.name;
  return usage_error(name + ": containers of two contexts, " + names +
                     "; copy one with to(context)");
}

/// All containers of one call must belong to one context.
template <class First, class... Rest>
backend& common_backend(const char* name, const First& first, const Rest&... rest) {
  [[maybe_unused]] const auto check = [&](const auto& other) {
    if (other.context != first.context) throw two_contexts(name, *first.context, *other.context);
  };
  (check(rest), ...);
  refuse_forked(name, *first.context);
  if (first.context->is_cancelled()) throw cancelled();
  return *first.context->executor;
}

inline void check_mask(const char* name, const vector_base& w, const mask_base<vector_base>& mask) {
  if (mask.container == nullptr) return;
  common_backend(name, w, *mask.container);
  if (mask.container->size != w.size)
    throw usage_error(std::string(name) + ": w has " + shape(w) + ", its mask " +
                      shape(*mask.container));
}
inline void check_mask(const char* name, const matrix_base& c, const mask_base<matrix_base>& mask) {
  if (mask.container == nullptr) return;
  common_backend(name, c, *mask.container);
  if (mask.container->rows != c.rows || mask.container->columns != c.columns)
    throw usage_error(std::string(name) + ": C is " + shape(c) + ", its mask " +
                      shape(*mask.container));
}

/// An operator on entries at single positions: i and j are defined, k is not.
inline void check_has_no_k(const char* name, const operator_description& op) {
  if (op.syntax->uses_k)
    throw usage_error(std::string(name) + ": the operator '" + std::string(op.text) +
                      "' uses k, the index that products sum over; use i and j here");
}
/// An operator that merges values without positions.
inline void check_has_no_position(const char* name, const char* what,
                                  const operator_description& op) {
  if (op.syntax->positional())
    throw usage_error(std::string(name) + ": " + what + " '" + std::string(op.text) +
                      "' uses a position; it combines values without positions");
}

/// Checks mask and accumulator against the output, and erases them.
template <class Container>
output_rule<Container> rule_of(const char* name, const Container& output,
                               const output_options<Container>& options) {
  check_mask(name, output, options.mask);
  if (options.mask.complemented && options.mask.container == nullptr)
    throw usage_error(std::string(name) + ": a complement needs a mask");
  if (options.mask.container && !options.mask.structural &&
      options.mask.container->type->code == type_code::record)
    throw usage_error(std::string(name) + ": a mask of records needs structure()");
  const operator_description* accumulator = options.accumulator;
  if (accumulator && !(*accumulator->z == *output.type && *accumulator->x == *output.type &&
                       *accumulator->y == *output.type))
    throw usage_error(std::string(name) + ": the accumulator is over " +
                      std::string(accumulator->z->name) + ", the output holds " +
                      std::string(output.type->name));
  if (accumulator) check_has_no_position(name, "the accumulator", *accumulator);
  return {options.mask.container, options.mask.structural, options.mask.complemented,
          options.replace, accumulator};
}

inline void check_type(const char* name, const char* what, const type_description& found,
                       const type_description& needed) {
  if (!(found == needed))
    throw usage_error(std::string(name) + ": " + what + " holds " + std::string(found.name) +
                      ", the operator takes " + std::string(needed.name));
}

}  // namespace tropic::detail
