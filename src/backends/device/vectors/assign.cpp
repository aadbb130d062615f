// SPDX-License-Identifier: Apache-2.0

// Assignments to vectors. A list of positions is a mask within which w takes what is assigned; the
// mask of the operation then decides what of that is written.

#include <cstring>

#include "backends/device/primitives.hpp"
#include "backends/device/vectors/vector_operations.hpp"

namespace tropic::detail {

bool vector_operations::assign(vector_base& w, const void* value, const positions& to,
                               const vector_rule& rule) {
  element_request e{.kind = element_kind::value, .z = w.type};
  std::memcpy(e.bound.data(), value, w.type->size);
  return to.all ? merge("assign", w, e, nullptr, nullptr, rule)
                : assign_listed(w, e, nullptr, to, rule);
}

bool vector_operations::assign(vector_base& w, const vector_base& u, const positions& to,
                               const vector_rule& rule) {
  if (!to.all) return assign_listed(w, {.u = w.type, .z = w.type}, &u, to, rule);
  write_back("assign", w, vector_base(u), rule);
  return true;
}

bool vector_operations::assign_listed(vector_base& w, const element_request& e,
                                      const vector_base* u, const positions& to,
                                      const vector_rule& rule) {
  if (w.size > longest_thin_vector) return false;
  const auto entries = static_cast<std::uint64_t>(to.list.size());
  const buffer_pointer list = uploaded(device_, to.list);
  const vector_base scope =
      scattered("assign", describe(type_code::boolean), w.size, list, entries);
  vector_base t;
  if (u != nullptr) {
    vector_base from = *u;
    spread(from);
    t = scattered("assign", *w.type, w.size, list, entries, from.values, from.present);
  }
  vector_rule listed;
  listed.mask = &scope;
  listed.structural = true;
  listed.accumulator = rule.accumulator;
  vector_base* const operand = u != nullptr ? &t : nullptr;
  if (rule.mask == nullptr) return merge("assign", w, e, operand, nullptr, listed);
  vector_base next = w;
  if (!merge("assign", next, e, operand, nullptr, listed)) return false;
  vector_rule seen = rule;
  seen.accumulator = nullptr;
  write_back("assign", w, std::move(next), seen);
  return true;
}

}  // namespace tropic::detail
