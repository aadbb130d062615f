// SPDX-License-Identifier: Apache-2.0

// Compiled with -Wshadow -Werror: the headers, and operators whose parameters are also names inside
// of the macros.

#include <tropic/algorithms/relabelled/bfs.hpp>
#include <tropic/algorithms/relabelled/pagerank.hpp>
#include <tropic/algorithms/relabelled/sssp.hpp>
#include <tropic/algorithms/verify/bfs.hpp>
#include <tropic/algorithms/verify/pagerank.hpp>
#include <tropic/algorithms/verify/sssp.hpp>
#include <tropic/semirings/from_text.hpp>
#include <tropic/tropic.hpp>

TROPIC_BINARY_OPERATOR(affine, a* x + b * y, (double, a), (double, b));
TROPIC_UNARY_OPERATOR(below, x < k, (std::int64_t, k));
TROPIC_BINARY_OPERATOR(larger, t_max(x, y));
TROPIC_MONOID(largest, larger, t_lowest);

template tropic::sssp_result<double> tropic::sssp(const matrix<double>&, index_t,
                                                  const sssp_options&);
bool use() {
  return below{3}.evaluate<bool>(std::int64_t{2}, std::int64_t{0}) &&
         affine{0.5, 1}.evaluate<double>(1.0, 2.0) > 0;
}
