// SPDX-License-Identifier: Apache-2.0
#include <tropic/detail/communities.hpp>

#include <string>

#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

std::optional<found_communities> find_communities(vector_base& community, const matrix_base& a,
                                                  bool weighted, double resolution) {
  constexpr const char* name = "louvain";  // the algorithm that it is
  backend& executor = common_backend(name, community, a);
  if (a.rows != a.columns || community.size != a.rows)
    throw usage_error(std::string(name) + ": A is " + shape(a) + ", the communities have " +
                      shape(community) + "; A must be square, with a community per row");
  check_type(name, "the vector of communities", *community.type, describe(builtin_code<index_t>()));
  if (weighted) check_type(name, "the matrix", *a.type, describe(builtin_code<std::uint64_t>()));
  return in_step(name,
                 [&] { return executor.find_communities(community, a, weighted, resolution); });
}

}  // namespace tropic::detail
