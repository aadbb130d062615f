// SPDX-License-Identifier: Apache-2.0

// The sum of a vector: a partial sum a work-group, then the sum of those.

#include <algorithm>
#include <cstring>

#include "backends/device/vectors/vector_operations.hpp"

namespace tropic::detail {

const compiled_program* vector_operations::sum_program(const monoid_description& monoid) {
  return device_.runtime().program(
      {.kernel = "reduce",
       .monoid = &monoid,
       .constants = {{"T_GROUP_SIZE", static_cast<long>(device_.group_size(128))}}});
}

std::uint64_t vector_operations::groups_of_sum(std::uint64_t n) const {
  const std::size_t group = device_.group_size(128);
  return std::min<std::uint64_t>((n + 8 * group - 1) / (8 * group), 512);
}

buffer_pointer vector_operations::sum_of(const monoid_description& monoid, const vector_base& u) {
  const std::size_t bytes = monoid.add.z->size, group = device_.group_size(128);
  const compiled_program* program = u.nvals > 0 ? sum_program(monoid) : nullptr;
  if (program == nullptr) return nullptr;
  const bool is_sparse = u.storage == vector_storage::sparse;
  const auto n = static_cast<std::uint64_t>(is_sparse ? index_t{u.nvals} : u.size);
  const std::uint64_t groups = groups_of_sum(n);
  const buffer_pointer sums = device_.allocate(groups * bytes), found = device_.allocate(groups),
                       sum = device_.allocate(bytes), any = device_.allocate(1);
  const void *values = device_.read(u.values),
             *present = device_.read(is_sparse ? nullptr : u.present);
  const std::uint32_t bitmap = u.storage == vector_storage::bitmap, some = 1;
  void *to = device_.write(sums), *to_found = device_.write(found);
  const kernel_argument first[] = {n, values, present, bitmap, to, to_found};
  device_.runtime().launch("reduce", *program, "t_reduce", first, groups, group);
  const void *from = device_.read(sums), *from_found = device_.read(found);
  void *last = device_.write(sum), *last_found = device_.write(any);
  const kernel_argument second[] = {groups, from, from_found, some, last, last_found};
  device_.runtime().launch("reduce", *program, "t_reduce", second, 1, group);
  return sum;
}

bool vector_operations::reduce(void* result, const monoid_description& monoid,
                               const vector_base& u) {
  const buffer_pointer sum = sum_of(monoid, u);
  if (sum == nullptr) return false;
  std::memcpy(result, sum->host(), sum->bytes());
  return true;
}

}  // namespace tropic::detail
