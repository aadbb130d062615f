// SPDX-License-Identifier: Apache-2.0
// What a product prepares before its kernel runs: which positions the mask spares it, and whether
// a transpose is at hand or worth building.

#include <cstring>

#include "backends/cpu/cpu_backend.hpp"

namespace tropic::detail {

bool cpu_backend::has_transpose_of(const matrix_base& a) {
  const std::lock_guard lock(a.derived->mutex);
  return a.derived->transpose != nullptr;
}

bool cpu_backend::worth_transposing(const matrix_base& a, index_t edges) {
  constexpr index_t cost = 3;  // a transpose, in pushes of all entries
  const std::lock_guard lock(a.derived->mutex);
  a.derived->pushed_without_transpose += edges;
  return a.derived->pushed_without_transpose > cost * a.nnz;
}

const std::uint8_t* cpu_backend::skip_of(const vector_rule& rule, index_t outputs, bool push,
                                         buffer_pointer& holder) {
  const vector_base& mask = *rule.mask;
  if (mask.storage == vector_storage::bitmap && rule.structural && rule.complemented)
    return read_as<std::uint8_t>(mask.present);
  if (push) return nullptr;  // work by the frontier, not by the size of the output
  const auto n = static_cast<std::size_t>(outputs);
  holder = allocate(n);
  auto* skip = write_as<std::uint8_t>(holder);
  const std::uint8_t inside = rule.complemented ? 1 : 0, outside = rule.complemented ? 0 : 1;
  const auto counts = [&, values = read_as<std::byte>(mask.values)](std::size_t entry) -> bool {
    if (rule.structural) return true;
    const std::byte* value = values + entry * mask.type->size;
    return with_builtin_type(mask.type->code, [&]<class T>() {
      T v;
      std::memcpy(&v, value, sizeof(T));
      return v != T{};
    });
  };
  if (mask.storage == vector_storage::sparse) {
    std::memset(skip, outside, n);
    const auto* index = read_as<std::uint32_t>(mask.indices);
    for (std::size_t e = 0; e < static_cast<std::size_t>(mask.nvals); ++e)
      if (counts(e)) skip[index[e]] = inside;
  } else {
    const auto* present = read_as<std::uint8_t>(mask.present);
#pragma omp parallel for num_threads(threads()) if (n > 1 << 15)
    for (std::size_t i = 0; i < n; ++i)
      skip[i] = (present == nullptr || present[i]) && counts(i) ? inside : outside;
  }
  return skip;
}

}  // namespace tropic::detail
