// SPDX-License-Identifier: Apache-2.0

// The epilogue of vectors, and what it makes of masks.

#include "backends/cpu/vectors/merge.hpp"
#include "backends/device/vectors/mask.hpp"
#include "backends/device/vectors/vector_operations.hpp"

namespace tropic::detail {

void vector_operations::write_back(std::string_view operation, vector_base& w, vector_base&& t,
                                   const vector_rule& rule) {
  t.type = w.type;  // an equal one may belong to an operator that is destroyed before w
  if (rule.mask == nullptr && rule.accumulator == nullptr) {
    w = std::move(t);
    return;
  }
  const element_request e{.u = w.type, .z = w.type};
  if (!merge(operation, w, e, &t, nullptr, rule))
    on_cpu::write_vector(device_.host_side(), w, std::move(t), rule);
}

// The mask's own bytes where they say that.
buffer_pointer vector_operations::excluded(const vector_rule& rule) {
  if (rule.mask == nullptr) return nullptr;
  vector_base mask = *rule.mask;
  spread(mask);
  if (rule.structural && rule.complemented && mask.storage == vector_storage::bitmap)
    return mask.present;
  const auto n = static_cast<std::uint64_t>(mask.size);
  const buffer_pointer result = device_.allocate(n);
  const mask_arguments of_mask(device_, mask, mask.present, rule);
  void* to = device_.write(result);
  arguments list{n};
  of_mask.append_to(list);
  list.emplace_back(to);
  device_.launch_over(n, "mask", *device_.runtime().program({.kernel = "positions"}), "t_left_out",
                      list);
  return result;
}

}  // namespace tropic::detail
