// SPDX-License-Identifier: Apache-2.0

// Arrays that were given on the device, looked at where they are: 8 bytes come to the host. What is
// wrong is named by the host, which gets a copy for that alone.

#include "backends/cpu/rows.hpp"
#include "backends/device/matrix_arguments.hpp"

namespace tropic::detail {

program_request device_backend::structure_request() const {
  return {.kernel = "structure", .constants = {{"T_GROUP_SIZE", static_cast<long>(group_of(128))}}};
}

void device_backend::examine(matrix_base& m, const csr_words& words, bool trusted) {
  constexpr std::string_view operation = "from_csr";
  if (!are_few_entries({&m}) || m.rows == 0) return cpu_backend::examine(m, words, trusted);
  on_cpu::renew(m);
  if (!trusted) {
    const conversion c(*this, m);
    const buffer_pointer found = allocate(2 * sizeof(std::uint32_t));
    const auto below = static_cast<std::uint64_t>(words.limit(m.columns));
    const void* columns = read_device(m.column_indices);
    void* to = write_device(found);
    runtime_->fill(to, 0, found->bytes());
    const kernel_argument list[] = {c.rows, below, c.nnz, c.offsets, c.wide, columns, to};
    const std::size_t groups = (static_cast<std::size_t>(std::max(c.rows, c.nnz)) + 127) / 128;
    runtime_->launch(operation, *runtime_->program(structure_request()), "t_check_structure", list,
                     std::min<std::size_t>(groups, 16 * runtime_->traits().processors),
                     group_of(128));
    const auto* faults = static_cast<const std::uint32_t*>(found->host());
    if (faults[0] != 0 || faults[1] != 0) return cpu_backend::examine(m, words, false);
  }
  inspect_rows(operation, m);
}

buffer_pointer device_backend::narrowed(const context_pointer& context, const buffer_pointer& wide,
                                        std::size_t count, index_t limit, const char* what) {
  if (count == 0) return allocate(0);
  const buffer_pointer made = allocate(count * sizeof(std::uint32_t)),
                       found = allocate(sizeof(std::uint32_t));
  const std::uint64_t n = count, below = static_cast<std::uint64_t>(limit);
  const void* from = read_device(wide);
  void *to = write_device(made), *faults = write_device(found);
  runtime_->fill(faults, 0, found->bytes());
  const kernel_argument list[] = {n, below, from, to, faults};
  launch_over(n, "from_csr", *runtime_->program(structure_request()), "t_narrow", list);
  if (*static_cast<const std::uint32_t*>(found->host()) != 0)
    return cpu_backend::narrowed(context, wide, count, limit, what);  // which names it
  return made;
}

}  // namespace tropic::detail
