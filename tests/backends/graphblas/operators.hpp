// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared by the element-wise comparisons with SuiteSparse:GraphBLAS: operators over a type, lists
// of positions, and the loop over types and rules.

#include <algorithm>
#include <numeric>
#include <vector>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/operators.hpp>

#include "backends/graphblas/support.hpp"

namespace tropic::testing::peer {

using namespace detail;

inline const context& where() {
  static const context result = context::reference();
  return result;
}

template <class Op>
operator_description over(type_code code, const Op& op) {
  return with_builtin_type(code, [&]<class T>() { return describe_operator<T, T, T>(op); });
}
template <class Z, class Op>
operator_description into(type_code code, const Op& op) {
  return with_builtin_type(code, [&]<class T>() { return describe_operator<Z, T, T>(op); });
}
inline unary_description bound(const operator_description& op, bool first,
                               const scalar_bytes& value) {
  unary_description result{op};
  result.bound_first = first;
  result.bound_second = !first;
  result.bound = value;
  return result;
}

inline std::vector<index_t> shuffled_part(index_t size, dice& random) {
  std::vector<index_t> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), index_t{0});
  for (std::size_t n = all.size(); n > 1; --n)
    std::swap(all[n - 1], all[static_cast<std::size_t>(random.next() % n)]);
  all.resize(1 + static_cast<std::size_t>(random.next() % all.size()));
  return all;
}
inline std::vector<GrB_Index> peer_list(const std::vector<index_t>& list) {
  return {list.begin(), list.end()};
}

template <class Compare>
void for_all_rules(Compare compare_one) {
  for (const type_code code : number_types)
    for (int mask = 0; mask < 5; ++mask)
      for (const bool accumulate : {false, true})
        for (const bool replace : {false, true})
          for (int repeat = 0; repeat < 3; ++repeat)
            compare_one(code, rules{mask, accumulate, replace});
}

}  // namespace tropic::testing::peer
