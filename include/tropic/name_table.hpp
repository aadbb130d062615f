// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of vertices: the names in a file of vertex 0, 1, 2, ...

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tropic/semirings/types.hpp>
#include <vector>

namespace tropic::io {

/// Names numbered from 0, stored as one block of bytes and the end of every name in it. A name may
/// contain any bytes; readers store the UTF-8 text of the file. Const functions may be called
/// concurrently; the views returned by operator[] are valid until the table is changed or
/// destroyed.
class TROPIC_API name_table {
 public:
  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  /// The name with number `at`, which must be below size().
  std::string_view operator[](std::size_t at) const {
    const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
    return std::string_view(text_).substr(begin, ends_[at] - begin);
  }
  /// The number of a name, if it exists: O(log size) if the names ascend, else O(size).
  std::optional<index_t> find(std::string_view name) const;

  void reserve(std::size_t names, std::size_t bytes);
  void push_back(std::string_view name);

  /// Whether the names are in strictly ascending order of their bytes, as readers return them.
  bool ascends() const { return ascends_; }
  /// Bytes of the table in memory.
  std::size_t bytes() const { return text_.size() + ends_.size() * sizeof(std::uint64_t); }

  bool operator==(const name_table&) const = default;

 private:
  std::string text_;
  std::vector<std::uint64_t> ends_;
  bool ascends_ = true;
};

}  // namespace tropic::io
