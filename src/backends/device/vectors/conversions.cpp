// SPDX-License-Identifier: Apache-2.0

// Vectors from one storage to another.

#include <cstring>

#include "backends/device/vectors/vector_operations.hpp"

namespace tropic::detail {
namespace {

// Whether only the host has an array: nothing has been copied to the device yet.
bool is_of_host(const buffer_pointer& b) {
  return b == nullptr || (b->host_valid() && !b->device_valid());
}

}  // namespace

vector_base vector_operations::scattered(std::string_view operation, const type_description& type,
                                         index_t size, const buffer_pointer& indices,
                                         std::uint64_t entries, const buffer_pointer& values,
                                         const buffer_pointer& present) {
  const auto n = static_cast<std::size_t>(size);
  const std::uint32_t bytes = values != nullptr ? static_cast<std::uint32_t>(type.size) : 0,
                      bitmap = present != nullptr;
  vector_base result;
  result.context = device_.context();
  result.type = &type;
  result.size = size;
  result.storage = vector_storage::bitmap;
  result.present = device_.allocate(n);
  result.values = device_.allocate(n * bytes);
  void *to_present = device_.write(result.present), *to = device_.write(result.values);
  const std::uint64_t positions = n;
  const auto& program = *device_.runtime().program({.kernel = "positions"});
  if (entries == 1 && present == nullptr && bytes <= sizeof(std::uint64_t) && is_of_host(indices) &&
      is_of_host(values)) {  // the launch brings it along
    const std::uint64_t index = *static_cast<const std::uint32_t*>(indices->host());
    std::uint64_t value = 0;
    if (bytes > 0) std::memcpy(&value, values->host(), bytes);
    const kernel_argument of_one[] = {positions, index, value, to_present, to, bytes};
    device_.launch_over((n + 15) / 16, operation, program, "t_scatter_one", of_one);
    return result;
  }
  const void *list = device_.read(indices), *from = device_.read(values),
             *from_present = device_.read(present);
  constexpr std::uint64_t few = 8;  // of which every work-item reads all positions
  if (entries <= few) {
    const kernel_argument of_few[] = {positions,  entries, list, from_present, bitmap,
                                      to_present, from,    to,   bytes};
    device_.launch_over((n + 15) / 16, operation, program, "t_scatter_few", of_few);
    return result;
  }
  device_.runtime().fill(to_present, 0, n);
  const kernel_argument of_entries[] = {entries,    list, from_present, bitmap,
                                        to_present, from, to,           bytes};
  device_.launch_over(entries, operation, program, "t_scatter", of_entries);
  return result;
}

void vector_operations::spread(vector_base& v) {
  if (v.type == nullptr || v.storage != vector_storage::sparse) return;  // no vector, or spread
  if (v.nvals == v.size) {
    v.storage = vector_storage::full;
    v.indices = nullptr;
    return;
  }
  const entry_count entries = v.nvals;
  v = scattered("conversion to a bitmap", *v.type, v.size, v.indices,
                static_cast<std::uint64_t>(index_t{entries}), v.values);
  v.nvals = entries;
}

void vector_operations::fill_gaps(std::string_view operation, vector_base& v,
                                  const scalar_bytes& neutral) {
  const auto n = static_cast<std::uint64_t>(v.size);
  const auto bytes = static_cast<std::uint32_t>(v.type->size);
  std::uint64_t value = 0;
  std::memcpy(&value, neutral.data(), bytes);
  const buffer_pointer filled = device_.allocate(n * bytes);
  const void *present = device_.read(v.present), *from = device_.read(v.values);
  void* to = device_.write(filled);
  const kernel_argument list[] = {n, present, value, from, to, bytes};
  device_.launch_over(n, operation, *device_.runtime().program({.kernel = "positions"}),
                      "t_fill_gaps", list);
  v.storage = vector_storage::full;
  v.values = filled;
  v.present = nullptr;
  v.nvals = entry_count(v.size);
}

}  // namespace tropic::detail
