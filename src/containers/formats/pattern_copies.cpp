// SPDX-License-Identifier: Apache-2.0
#include <tropic/detail/pattern_copies.hpp>

#include <cstring>
#include <map>
#include <mutex>

namespace tropic::detail {

struct pattern_copies::state {
  matrix_base matrix;
  std::mutex mutex{};
  std::map<type_code, matrix_base> patterns{};
};

pattern_copies::pattern_copies(matrix_base matrix)
    : state_(new state{.matrix = std::move(matrix)}) {}
pattern_copies::~pattern_copies() = default;
pattern_copies::pattern_copies(pattern_copies&&) noexcept = default;
pattern_copies& pattern_copies::operator=(pattern_copies&&) noexcept = default;

const matrix_base& pattern_copies::matrix() const {
  return state_->matrix;
}

const matrix_base& pattern_copies::of_type(const type_description& type) const {
  const std::lock_guard lock(state_->mutex);
  auto found = state_->patterns.find(type.code);
  if (found == state_->patterns.end()) {
    matrix_base pattern = state_->matrix;
    pattern.type = &type;
    pattern.iso = true;
    pattern.values = make_buffer(pattern.context, type.size);
    std::memset(pattern.values->host_write(), 0, type.size);
    pattern.value_version = next_version();
    pattern.derived = make_derived_copies();
    found = state_->patterns.emplace(type.code, std::move(pattern)).first;
  }
  return found->second;
}

}  // namespace tropic::detail
