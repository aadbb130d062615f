// SPDX-License-Identifier: Apache-2.0

#include <tropic/name_table.hpp>

namespace tropic::io {

std::optional<index_t> name_table::find(std::string_view name) const {
  std::size_t low = 0, high = size();
  if (!ascends_) {
    while (low < high && (*this)[low] != name) ++low;
  } else {
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if ((*this)[middle] < name)
        low = middle + 1;
      else
        high = middle;
    }
  }
  if (low == size() || (*this)[low] != name) return std::nullopt;
  return static_cast<index_t>(low);
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
