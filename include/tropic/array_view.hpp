// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

namespace tropic {

/// Host data and what keeps it alive: how arrays enter and leave containers without a copy.
/// `owner` may be any shared_ptr; its deleter runs when the last user is gone. A null owner means
/// that the caller keeps the data alive himself.
template <class T>
struct array_view {
  std::span<const T> data;
  std::shared_ptr<const void> owner;

  std::size_t size() const { return data.size(); }
  const T& operator[](std::size_t n) const { return data[n]; }
  auto begin() const { return data.begin(); }
  auto end() const { return data.end(); }
};

}  // namespace tropic
