// SPDX-License-Identifier: Apache-2.0
#pragma once

// The templates behind algorithms::sssp and sssp_between, and the pairs of types that they are
// compiled for. The pairs are instantiated in sssp_floating.cpp, sssp_narrow.cpp and sssp_wide.cpp,
// which take about the same time to compile.

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <tropic/algorithms/relabelled/sssp.hpp>
#include <tropic/algorithms/relabelled/sssp_between.hpp>
#include <tropic/algorithms/verify/sssp.hpp>

#include "algorithms/sssp.hpp"
#include "algorithms/sssp_between.hpp"

// m(D, T) for distances of type D and weights of type T.
#define TROPIC_FOR_EACH_FLOATING_SSSP(m) m(float, float) m(double, double)
#define TROPIC_FOR_EACH_NARROW_SSSP(m)                                                       \
  m(std::int8_t, std::int8_t) m(std::int16_t, std::int16_t) m(std::int32_t, std::int32_t) m( \
      std::uint8_t, std::uint8_t) m(std::uint16_t, std::uint16_t) m(std::uint32_t, std::uint32_t)
#define TROPIC_FOR_EACH_WIDE_SSSP(m)                                                             \
  m(std::int64_t, std::int8_t) m(std::int64_t, std::int16_t) m(std::int64_t, std::int32_t)       \
      m(std::int64_t, std::int64_t) m(std::int64_t, std::uint8_t) m(std::int64_t, std::uint16_t) \
          m(std::int64_t, std::uint32_t) m(std::uint64_t, std::uint64_t)

namespace tropic::algorithms {

// Not inline, so that sssp.cpp instantiates nothing.
template <class D, class T>
struct sssp_instance {
  static any_sssp_result run(const any_graph& graph, index_t source, const sssp_options& options);
  static std::string verify(const any_graph& graph, index_t source, const any_sssp_result& result,
                            const sssp_verify_options& options);
  static any_sssp_between_result between(const any_graph& graph, std::span<const index_t> from,
                                         std::span<const index_t> to, const sssp_options& options);
};

template <class D, class T>
any_sssp_result sssp_instance<D, T>::run(const any_graph& graph, index_t source,
                                         const sssp_options& options) {
  auto result =
      graph.visit<T>([&](const auto& typed) { return tropic::sssp<D>(typed, source, options); });
  return {std::move(result.distance.base()), std::move(result.parent.base()), result.steps,
          result.delta, result.saturated};
}

template <class D, class T>
any_sssp_between_result sssp_instance<D, T>::between(const any_graph& graph,
                                                     std::span<const index_t> from,
                                                     std::span<const index_t> to,
                                                     const sssp_options& options) {
  auto result = graph.visit<T>(
      [&](const auto& typed) { return tropic::sssp_between<D>(typed, from, to, options); });
  return {std::move(result.distance.base()), result.searches, result.saturated, result.steps};
}

template <class D, class T>
std::string sssp_instance<D, T>::verify(const any_graph& graph, index_t source,
                                        const any_sssp_result& result,
                                        const sssp_verify_options& options) {
  const sssp_result<D> typed{vector<D>(result.distance), vector<index_t>(result.parent),
                             result.steps, result.delta, result.saturated};
  return tropic::verify_sssp(matrix<T>(graph.matrix()), source, typed, options);
}

#define TROPIC_SSSP_INSTANCE(D, T) template struct sssp_instance<D, T>;

}  // namespace tropic::algorithms
