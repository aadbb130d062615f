// SPDX-License-Identifier: Apache-2.0

// Constructs, checks and composes permutations. All O(size).

#include <tropic/permutation.hpp>

#include <numeric>
#include <string>

#include <tropic/detail/containers.hpp>
#include <tropic/error.hpp>

namespace tropic {

namespace {

void check_is_permutation(const std::vector<std::uint32_t>& positions) {
  detail::check_dimensions(static_cast<index_t>(positions.size()), 0);
  std::vector<bool> seen(positions.size(), false);
  for (std::size_t n = 0; n < positions.size(); ++n) {
    const std::uint32_t position = positions[n];
    if (position >= positions.size())
      throw usage_error("permutation: place " + std::to_string(n) + " of the list has position " +
                        std::to_string(position) + ", needed 0 to " +
                        std::to_string(positions.size() - 1));
    if (seen[position])
      throw usage_error("permutation: place " + std::to_string(n) + " of the list has position " +
                        std::to_string(position) + ", which an earlier one has already");
    seen[position] = true;
  }
}

bool ascends(const std::vector<std::uint32_t>& positions) {
  for (std::size_t n = 0; n < positions.size(); ++n)
    if (positions[n] != n) return false;
  return true;
}

}  // namespace

permutation permutation::identity(index_t size) {
  detail::check_dimensions(size, 0);
  auto all = std::make_shared<std::vector<std::uint32_t>>(static_cast<std::size_t>(size));
  std::iota(all->begin(), all->end(), 0U);
  return permutation(all, all, true);
}

permutation permutation::trusted(std::vector<std::uint32_t> old_positions, int threads) {
  const auto from = std::make_shared<const std::vector<std::uint32_t>>(std::move(old_positions));
  if (ascends(*from)) return permutation(from, from, true);
  const auto to = std::make_shared<std::vector<std::uint32_t>>(from->size());
  const std::size_t size = from->size();
#pragma omp parallel for num_threads(threads) if (size > 1 << 16)
  for (std::size_t n = 0; n < size; ++n) (*to)[(*from)[n]] = static_cast<std::uint32_t>(n);
  return permutation(to, from, false);
}

permutation permutation::from_old_positions(std::vector<std::uint32_t> old_positions) {
  check_is_permutation(old_positions);
  return trusted(std::move(old_positions));
}

permutation permutation::from_new_positions(std::vector<std::uint32_t> new_positions) {
  return from_old_positions(std::move(new_positions)).inverse();
}

permutation permutation::then(const permutation& next) const {
  if (next.size() != size())
    throw usage_error("permutation: one of " + std::to_string(size()) + " positions, then one of " +
                      std::to_string(next.size()));
  if (next.is_identity()) return *this;
  if (is_identity()) return next;
  std::vector<std::uint32_t> old_positions(from_->size());
  for (std::size_t n = 0; n < old_positions.size(); ++n)
    old_positions[n] = (*from_)[(*next.from_)[n]];
  return trusted(std::move(old_positions));
}

index_t permutation::at(const std::vector<std::uint32_t>& positions, index_t n) {
  if (n < 0 || n >= static_cast<index_t>(positions.size()))
    throw usage_error("permutation: position " + std::to_string(n) + " of " +
                      std::to_string(positions.size()));
  return positions[static_cast<std::size_t>(n)];
}

}  // namespace tropic
