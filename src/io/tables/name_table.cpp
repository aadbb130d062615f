// SPDX-License-Identifier: Apache-2.0

#include <tropic/name_table.hpp>

#include "containers/integers.hpp"

namespace tropic::io {

std::optional<index_t> name_table::find(std::string_view name) const {
  std::size_t at = 0;
  if (ascends_)
    at = tropic::detail::partition_point(0, size(),
                                         [&](std::size_t n) { return (*this)[n] < name; });
  else
    while (at < size() && (*this)[at] != name) ++at;
  if (at == size() || (*this)[at] != name) return std::nullopt;
  return static_cast<index_t>(at);
}

void name_table::reserve(std::size_t names, std::size_t bytes) {
  ends_.reserve(names);
  text_.reserve(bytes);
}

void name_table::push_back(std::string_view name) {
  ascends_ = ascends_ && (empty() || (*this)[size() - 1] < name);
  text_ += name;
  ends_.push_back(text_.size());
}

}  // namespace tropic::io
