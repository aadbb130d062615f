// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program/program_table.hpp"

#include "backends/device/program/program_cache.hpp"

#include <tropic/error.hpp>

namespace tropic::detail {

const compiled_program* program_table::get(const std::string& key, const maker& make) {
  std::shared_ptr<entry> found;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<entry>& held = entries_[key];
    if (held == nullptr) held = std::make_shared<entry>();
    if (held->is_ready) return held->program.get();
    found = held;
  }
  held_notices notices;
  {
    const std::lock_guard lock(found->mutex);
    if (!found->is_ready) {
      found->program = make();
      found->is_ready = true;
    }
  }
  notices.give();
  return found->program.get();
}

void check_record_layout(device_runtime& runtime, const device_program& source,
                         const compiled_program& program) {
  if (source.layout.empty()) return;
  struct block {
    device_runtime& runtime;
    std::size_t bytes;
    void* handle = runtime.allocate(bytes);
    ~block() { runtime.deallocate(handle, bytes); }
  } memory{runtime, source.layout.size() * sizeof(std::uint32_t)};
  const kernel_argument arguments[] = {memory.handle};
  runtime.launch("layout of records", program, "t_layout", arguments, 1, 1);
  std::vector<std::uint32_t> found(source.layout.size());
  runtime.to_host(found.data(), memory.handle, memory.bytes);
  for (std::size_t n = 0; n < found.size(); ++n)
    if (found[n] != source.layout[n])
      throw device_error(runtime.name() +
                         ": a record is laid out otherwise than on the host (size or offset " +
                         std::to_string(n) + " is " + std::to_string(found[n]) + ", on the host " +
                         std::to_string(source.layout[n]) + "), for " + source.about);
}

}  // namespace tropic::detail
