// SPDX-License-Identifier: Apache-2.0

// Arrays that users passed on the device are checked there: 8 bytes are copied to the host. Only if
// one is wrong, the host gets a copy, to name what is wrong.

#include "backends/cpu/matrices/rows.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"

namespace tropic::detail {

namespace {

const compiled_program& structure_program(device_context& device) {
  return *device.runtime().program(
      {.kernel = "structure",
       .constants = {{"T_GROUP_SIZE", static_cast<long>(device.group_size(128))}}});
}

}  // namespace

bool matrix_operations::examine(matrix_base& m, const csr_words& words, bool trusted) {
  constexpr std::string_view operation = "from_csr";
  if (!are_few_entries({&m}) || m.rows == 0) return false;
  on_cpu::renew(m);
  if (!trusted) {
    const matrix_arguments c(device_, m);
    const buffer_pointer found = device_.allocate(2 * sizeof(std::uint32_t));
    const auto below = static_cast<std::uint64_t>(words.limit(m.columns));
    const void* columns = device_.read(m.column_indices);
    void* to = device_.write(found);
    device_.runtime().fill(to, 0, found->bytes());
    const kernel_argument list[] = {c.rows, below, c.nnz, c.offsets, c.wide, columns, to};
    const std::size_t group = device_.group_size(128);
    device_.runtime().launch(operation, structure_program(device_), "t_check_structure", list,
                             device_.groups_over(std::max(c.rows, c.nnz), group, 16), group);
    const auto* faults = static_cast<const std::uint32_t*>(found->host());
    if (faults[0] != 0 || faults[1] != 0) return false;
  }
  inspect_rows(device_, operation, m);
  return true;
}

buffer_pointer matrix_operations::narrowed(const buffer_pointer& wide, std::size_t count,
                                           index_t limit) {
  if (count == 0) return device_.allocate(0);
  const buffer_pointer result = device_.allocate(count * sizeof(std::uint32_t)),
                       found = device_.allocate(sizeof(std::uint32_t));
  const std::uint64_t n = count, below = static_cast<std::uint64_t>(limit);
  const void* from = device_.read(wide);
  void *to = device_.write(result), *faults = device_.write(found);
  device_.runtime().fill(faults, 0, found->bytes());
  const kernel_argument list[] = {n, below, from, to, faults};
  device_.launch_over(n, "from_csr", structure_program(device_), "t_narrow", list);
  if (*static_cast<const std::uint32_t*>(found->host()) != 0) return nullptr;
  return result;
}

}  // namespace tropic::detail
