// SPDX-License-Identifier: Apache-2.0
#include "algorithms/sssp.hpp"

#include "algorithms/sssp_instance.hpp"
#include "algorithms/values.hpp"

namespace tropic::algorithms {

#define TROPIC_SSSP_EXTERN(D, T) extern template struct sssp_instance<D, T>;
TROPIC_FOR_EACH_FLOATING_SSSP(TROPIC_SSSP_EXTERN)
TROPIC_FOR_EACH_NARROW_SSSP(TROPIC_SSSP_EXTERN)
TROPIC_FOR_EACH_WIDE_SSSP(TROPIC_SSSP_EXTERN)
#undef TROPIC_SSSP_EXTERN

namespace {

// f(sssp_instance<D, T>{}, graph) for the graph's type T, or for D if the weights are converted.
template <class Result, class F>
Result with_instance(const any_graph& graph, type_code distances, const F& f) {
#define TROPIC_SSSP_CASE(D, T)                                             \
  if (distances == builtin_code<D>() && graph.type() == builtin_code<T>()) \
    return f(sssp_instance<D, T>{}, graph);
  TROPIC_FOR_EACH_FLOATING_SSSP(TROPIC_SSSP_CASE)
  TROPIC_FOR_EACH_NARROW_SSSP(TROPIC_SSSP_CASE)
  TROPIC_FOR_EACH_WIDE_SSSP(TROPIC_SSSP_CASE)
#undef TROPIC_SSSP_CASE
  return with_distance_type<Result>(distances, [&]<class D>() {
    return f(sssp_instance<D, D>{}, graph.with_values([&](const detail::matrix_base& m) {
      return as_weights(m, distances);
    }));
  });
}

}  // namespace

type_code distance_type_of(type_code weights) {
  return with_builtin_type(weights, []<class T>() { return builtin_code<distance_type<T>>(); });
}

bool takes_weights(type_code distances, type_code weights) {
  if (weights == type_code::boolean) return false;
  return distances == weights || distances == distance_type_of(weights);
}

any_sssp_result sssp(const any_graph& graph, type_code distances, index_t source,
                     const sssp_options& options) {
  return with_instance<any_sssp_result>(graph, distances,
                                        [&](auto instance, const any_graph& weighted) {
                                          return instance.run(weighted, source, options);
                                        });
}

any_sssp_between_result sssp_between(const any_graph& graph, type_code distances,
                                     std::span<const index_t> from, std::span<const index_t> to,
                                     const sssp_options& options) {
  check_between(graph, from, to);
  return with_instance<any_sssp_between_result>(
      graph, distances, [&](auto instance, const any_graph& weighted) {
        return instance.between(weighted, from, to, options);
      });
}

std::string verify_sssp(const any_graph& graph, index_t source, const any_sssp_result& result,
                        const sssp_verify_options& options) {
  return with_instance<std::string>(graph, result.distance.type->code,
                                    [&](auto instance, const any_graph& weighted) {
                                      return instance.verify(weighted, source, result, options);
                                    });
}

}  // namespace tropic::algorithms
