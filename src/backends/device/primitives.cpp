// SPDX-License-Identifier: Apache-2.0
#include "backends/device/primitives.hpp"

#include <algorithm>
#include <bit>

namespace tropic::detail {
namespace {

constexpr std::size_t tile_group = 128, items_of_tile = 8;  // of the kernels over tiles

program_request over_tiles(std::string_view kernel, std::size_t group, long count_bytes) {
  return {.kernel = kernel,
          .constants = {{"T_GROUP_SIZE", static_cast<long>(group)},
                        {"T_PER_ITEM", static_cast<long>(items_of_tile)},
                        {"T_COUNT_BYTES", count_bytes}}};
}

}  // namespace

void scan(device_context& device, std::uint64_t n, const buffer_pointer& sums,
          const buffer_pointer& total) {
  void *to = device.write(sums, access::modify), *to_total = device.write(total);
  const kernel_argument list[] = {n, to, to_total};
  device.runtime().launch("scan", *device.runtime().program({.kernel = "scan"}), "t_scan", list, 1,
                          device.group_size(256));
}

prefix_sums sums_before(device_context& device, std::uint64_t n, const buffer_pointer& counts,
                        std::size_t bytes) {
  prefix_sums result{device.allocate((n + 1) * sizeof(std::uint32_t)),
                     device.allocate(sizeof(std::uint64_t))};
  void *before = device.write(result.before), *total = device.write(result.total);
  if (n == 0) {
    device.runtime().fill(before, 0, result.before->bytes());
    device.runtime().fill(total, 0, result.total->bytes());
    return result;
  }
  const std::size_t group = device.group_size(tile_group);
  const std::uint64_t tiles = (n + group * items_of_tile - 1) / (group * items_of_tile);
  const auto* program =
      device.runtime().program(over_tiles("prefix", group, static_cast<long>(bytes)));
  const buffer_pointer sums = device.allocate(tiles * sizeof(std::uint64_t));
  const void* from = device.read(counts);
  void* of_tiles = device.write(sums);
  const kernel_argument first[] = {n, from, of_tiles};
  device.runtime().launch("scan", *program, "t_sum_tiles", first, tiles, group);
  scan(device, tiles, sums, result.total);
  const kernel_argument second[] = {n, from, of_tiles, before};
  device.runtime().launch("scan", *program, "t_sums_before", second, tiles, group);
  return result;
}

std::vector<program_request> sort_requests(const device_traits& device) {
  const std::size_t group = device.group_within(tile_group);
  return {over_tiles("sort", group, 4), over_tiles("prefix", group, 4), {.kernel = "scan"}};
}

void compile_sort(device_context& device) {
  for (const program_request& request : sort_requests(device.traits()))
    device.runtime().program(request);
}

sorted_keys sort_keys(device_context& device, std::string_view operation, std::uint64_t n,
                      const buffer_pointer& keys, index_t bound) {
  const std::size_t group = device.group_size(tile_group);
  const std::uint64_t tiles = (n + group * items_of_tile - 1) / (group * items_of_tile);
  const auto* program = device.runtime().program(over_tiles("sort", group, 4));
  const buffer_pointer counts = device.allocate(16 * tiles * sizeof(std::uint32_t));
  sorted_keys from{keys, nullptr}, to, spare;
  const auto bits =
      static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(bound - 1)));
  for (std::uint32_t shift = 0; shift == 0 || shift < bits; shift += 4) {
    to = spare.keys != nullptr ? spare
                               : sorted_keys{device.allocate(n * sizeof(std::uint32_t)),
                                             device.allocate(n * sizeof(std::uint32_t))};
    const void *of_keys = device.read(from.keys), *order = device.read(from.order);
    const std::uint32_t ordered = from.order != nullptr;
    void *count = device.write(counts), *to_keys = device.write(to.keys),
         *to_order = device.write(to.order);
    const kernel_argument first[] = {n, of_keys, shift, tiles, count};
    device.runtime().launch(operation, *program, "t_count_digits", first, tiles, group);
    const prefix_sums sums = sums_before(device, 16 * tiles, counts, sizeof(std::uint32_t));
    const void* starts = device.read(sums.before);
    const kernel_argument second[] = {n,     of_keys, order,   ordered, shift,
                                      tiles, starts,  to_keys, to_order};
    device.runtime().launch(operation, *program, "t_place_by_digit", second, tiles, group);
    if (ordered) spare = from;
    from = to;
  }
  return from;
}

buffer_pointer uploaded(device_context& device, std::span<const index_t> list) {
  const buffer_pointer result = device.allocate(list.size() * sizeof(std::uint32_t));
  if (!list.empty())
    std::ranges::transform(list, static_cast<std::uint32_t*>(result->host_write()),
                           [](index_t i) { return static_cast<std::uint32_t>(i); });
  return result;
}

buffer_pointer uploaded(device_context& device, std::span<const std::uint32_t> list) {
  buffer_pointer result = device.allocate(list.size_bytes());
  if (!list.empty()) std::ranges::copy(list, static_cast<std::uint32_t*>(result->host_write()));
  return result;
}

buffer_pointer gathered(device_context& device, std::string_view operation,
                        const buffer_pointer& words, const buffer_pointer& order, std::uint64_t n) {
  const buffer_pointer result = device.allocate(n * sizeof(std::uint32_t));
  const void *from = device.read(words), *by = device.read(order);
  void* to = device.write(result);
  const kernel_argument list[] = {n, by, from, to};
  device.launch_over(n, operation, *device.runtime().program({.kernel = "listed"}),
                     "t_gather_words", list);
  return result;
}

buffer_pointer packed_flags(device_context& device, std::string_view operation,
                            const buffer_pointer& flags, std::uint64_t n,
                            const buffer_pointer& order, std::uint64_t room) {
  const buffer_pointer result = device.allocate((room + 31) / 32 * sizeof(std::uint32_t));
  const void *by = device.read(order), *from = device.read(flags);
  const std::uint32_t ordered = order != nullptr;
  void* to = device.write(result);
  const kernel_argument list[] = {n, by, ordered, from, to};
  device.launch_over((n + 31) / 32, operation, *device.runtime().program({.kernel = "pack"}),
                     "t_pack_flags", list);
  return result;
}

const compiled_program* count_program(device_context& device) {
  return device.runtime().program(
      {.kernel = "count_present",
       .constants = {{"T_GROUP_SIZE", static_cast<long>(device.group_size(128))}}});
}

entry_count count_present(device_context& device, std::string_view operation,
                          const buffer_pointer& present, index_t size, buffer_pointer counters) {
  const std::size_t group = device.group_size(128);
  const auto* program = count_program(device);
  const auto n = static_cast<std::uint64_t>(size);
  if (counters == nullptr) counters = device.allocate(count_bytes);
  const void* bytes = device.read(present);
  void* sums = device.write(counters);
  device.runtime().fill(sums, 0, counters->bytes());
  const kernel_argument list[] = {n, bytes, sums};
  device.runtime().launch(operation, *program, "t_count_present", list,
                          device.groups_over(n, 8 * group), group);
  return entry_count(counters);
}

}  // namespace tropic::detail
