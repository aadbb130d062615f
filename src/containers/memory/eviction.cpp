// SPDX-License-Identifier: Apache-2.0
// Under memory pressure a context drops the conversions of its matrices that are not in use: they
// are rebuilt when they are needed again.
#include "containers/derived_copies.hpp"

#include <algorithm>

#include "containers/context_state.hpp"

namespace tropic::detail {

std::shared_ptr<derived_copies> make_derived_copies() {
  return std::make_shared<derived_copies>();
}

std::size_t hot_columns::bytes() const {
  return matrix->bytes() - matrix->offsets->bytes() + order->bytes();
}

void remember_derived(context_state& context, const std::shared_ptr<derived_copies>& copies) {
  const std::lock_guard lock(context.derived_mutex);
  std::erase_if(context.derived, [](const auto& known) { return known.expired(); });
  context.derived.push_back(copies);
}

std::size_t evict_derived(context_state& context) {
  std::vector<std::weak_ptr<derived_copies>> known;
  {
    const std::lock_guard lock(context.derived_mutex);
    known = context.derived;
  }
  std::size_t freed = 0;
  for (const auto& weak : known) {
    const std::shared_ptr<derived_copies> copies = weak.lock();
    if (copies == nullptr || copies->building) continue;  // possibly held by this thread
    const std::unique_lock lock(copies->mutex, std::try_to_lock);
    if (!lock.owns_lock()) continue;
    std::erase_if(copies->formats, [&freed](const auto& format) {
      const bool unused = format.second.use_count() == 1;
      if (unused) freed += format.second->bytes();
      return unused;
    });
    if (copies->hot != nullptr && copies->hot.use_count() == 1) {
      freed += copies->hot->bytes();
      copies->hot = nullptr;
    }
    if (copies->hot_numbers != nullptr && copies->hot_numbers.use_count() == 1) {
      freed += copies->hot_numbers->bytes();
      copies->hot_numbers = nullptr;
    }
    if (copies->rows_with_entries != nullptr && copies->rows_with_entries.use_count() == 1) {
      freed += copies->rows_with_entries->bytes();
      copies->rows_with_entries = nullptr;
    }
    if (copies->transpose == nullptr || copies->transpose.use_count() > 1) continue;
    freed += copies->transpose->bytes();
    copies->transpose = nullptr;
    copies->pushed_without_transpose = 0;
  }
  return freed;
}

}  // namespace tropic::detail
