// SPDX-License-Identifier: Apache-2.0
#pragma once

// The edges of a graph for serial checks, with their weights converted to one type: what reads them
// is compiled once for all types of weights.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <tropic/array_view.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/matrix.hpp>

namespace tropic::detail {

/// The rows of a graph, with weights of type D.
template <value_type D>
class weighted_rows {
 public:
  /// Valid until the next call of row().
  struct edges {
    std::span<const std::uint32_t> to;
    std::span<const D> weight;
    std::size_t size() const { return to.size(); }
  };

  template <value_type T>
  explicit weighted_rows(const matrix<T>& graph)
      : graph_(graph.base()), columns_(graph.column_indices()), read_(&read<T>) {
    const array_view<T> values = graph.values();
    weights_ = values.data.data();
    owner_ = values.owner;
  }

  index_t vertices() const { return graph_.rows; }
  context where() const { return context(graph_.context); }
  /// The edges out of vertex u.
  edges row(index_t u) const {
    const auto begin = static_cast<std::size_t>(offset_at(graph_, u)),
               end = static_cast<std::size_t>(offset_at(graph_, u + 1));
    return {columns_.data.subspan(begin, end - begin),
            {read_(weights_, graph_.iso, begin, end, room_), end - begin}};
  }

 private:
  template <class T>
  static const D* read(const void* weights, bool is_iso, std::size_t begin, std::size_t end,
                       std::vector<D>& room) {
    const T* const weight = static_cast<const T*>(weights);
    if constexpr (std::is_same_v<T, D>)
      if (!is_iso) return weight + begin;
    room.resize(end - begin);
    for (std::size_t e = begin; e < end; ++e)
      room[e - begin] = static_cast<D>(weight[is_iso ? 0 : e]);
    return room.data();
  }

  matrix_base graph_;
  array_view<std::uint32_t> columns_;
  const void* weights_ = nullptr;
  std::shared_ptr<const void> owner_;
  const D* (*read_)(const void*, bool, std::size_t, std::size_t, std::vector<D>&);
  mutable std::vector<D> room_;  // of the weights of a row
};

}  // namespace tropic::detail
