// SPDX-License-Identifier: Apache-2.0
#include "backends/device/products/kernel_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include <tropic/error.hpp>

#include "backends/device/formats/strip_constants.hpp"
#include "backends/device/products/kernel_limits.hpp"
#include "backends/device/program/neutral.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {
namespace {

struct number_option {
  std::string_view key;
  std::uint32_t kernel_config::*member;
  std::uint32_t largest;
  bool power_of_two;
};
constexpr number_option numbers[] = {{"subgroup", &kernel_config::subgroup_size, 64, true},
                                     {"subgroups", &kernel_config::subgroups, 32, false},
                                     {"items", &kernel_config::items, 64, false},
                                     {"tiles", &kernel_config::tiles, 1024, false},
                                     {"width", &kernel_config::width, 64, true},
                                     {"height", &kernel_config::height, largest_height, false},
                                     {"slots", &kernel_config::slots, 32, true},
                                     {"overhead", &kernel_config::overhead, 1024, false},
                                     {"fill", &kernel_config::fill, 100, false},
                                     {"hubs", &kernel_config::hubs, 65504, false},
                                     {"parts", &kernel_config::hub_parts, 8, false},
                                     {"bits", &kernel_config::bits, 1 << 21, false},
                                     {"piece", &kernel_config::piece, 1 << 16, false},
                                     {"least", &kernel_config::hub_least, 512, false}};

usage_error no_option(const device_kernel& kernel, std::string_view text, std::string_view key) {
  if (kernel.options.empty())
    return usage_error(
        fmt::format("kernel '{}': found '{}', but {} has no options", text, key, kernel.info.name));
  return usage_error(fmt::format("kernel '{}': {} has no option '{}', expected one of {}", text,
                                 kernel.info.name, key, fmt::join(kernel.options, ", ")));
}

void set(kernel_config& config, std::string_view text, std::string_view key, std::string_view value,
         const device_traits& device) {
  if (std::ranges::find(config.kernel->options, key) == config.kernel->options.end())
    throw no_option(*config.kernel, text, key);
  const auto wrong = [&](std::string_view expected) {
    return usage_error(fmt::format("kernel '{}': {}={}, expected {}", text, key, value, expected));
  };
  if (key == "rows") {
    if (value != "speculate" && value != "direct") throw wrong("speculate or direct");
    config.speculate = value == "speculate";
    return;
  }
  if (key == "check") {
    if (value != "host" && value != "device") throw wrong("host or device");
    config.check_on_host = value == "host";
    return;
  }
  if (key == "join") {
    if (value != "tickets" && value != "launch") throw wrong("tickets or launch");
    if (value == "tickets" && device.exchange != subgroup_exchange::shuffle)
      throw wrong(
          fmt::format("launch, as {} gives groups no way to see each other's stores", device.name));
    config.join = value == "tickets" ? group_join::tickets : group_join::launch;
    return;
  }
  if (key == "order") {
    if (value != "hubs" && value != "all") throw wrong("hubs or all");
    config.order = value == "all" ? hub_order::all : hub_order::hubs;
    return;
  }
  if (key == "block") {
    const auto* shape = std::ranges::find_if(block_shapes, [&](const block_shape& known) {
      return value == fmt::format("{}x{}", known.rows, known.columns);
    });
    if (shape == std::end(block_shapes)) throw wrong("4x16, 8x16, 16x16, 4x32, 8x32 or 16x32");
    config.block.rows = shape->rows;
    config.block.columns = shape->columns;
    return;
  }
  const auto* option = std::ranges::find(numbers, key, &number_option::key);
  if (option == std::end(numbers)) throw no_option(*config.kernel, text, key);
  std::uint32_t number = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
  if (read.ec != std::errc{} || read.ptr != value.data() + value.size() || number < 1 ||
      number > option->largest || (option->power_of_two && !std::has_single_bit(number)))
    throw wrong(fmt::format("{} from 1 to {}", option->power_of_two ? "a power of two" : "a number",
                            option->largest));
  if (key == "subgroup" && device.exchange == subgroup_exchange::shuffle &&
      number != device.subgroup_size)
    throw wrong(fmt::format("{}, as {} has it", device.subgroup_size, device.name));
  config.*option->member = number;
}

// Entries of each of the work-items that run at once.
std::uint64_t entries_each(const kernel_config& config, const device_traits& device,
                           const matrix_base& m) {
  const std::uint64_t at_once = config.groups_at_once(device) * config.group_size();
  return divide_up(static_cast<std::uint64_t>(m.nnz), std::max<std::uint64_t>(at_once, 1));
}

void set_items(kernel_config& config, const device_traits& device, std::size_t value_bytes,
               const matrix_base& m) {
  if (config.items != 0) return;
  config.items = 4;
  if (device.exchange != subgroup_exchange::shuffle) return;
  // Few entries: enough for one tile per subgroup. Many entries: more items mean fewer steps, but
  // if rows are uneven or short, reads of u are scattered, and fewer items keep a smaller part of u
  // in use, which the caches hold (docs/performance.md). Some numbers of items serve all sizes, as
  // each is a program (docs/notes/first-use.md).
  const bool is_regular =
      m.rows > 0 && m.nnz >= 4 * m.rows && m.longest_row <= 16 * (m.nnz / m.rows);
  const std::uint64_t entries_per_item = entries_each(config, device, m);
  const std::uint32_t max_items = is_regular && value_bytes <= 4 ? 10 : 5;
  for (const std::uint32_t items : {3U, 5U, 10U}) {
    config.items = items;
    if (items >= entries_per_item || items == max_items) return;
  }
}

void set_width(kernel_config& config, const matrix_base& m) {
  if (config.width == 0) config.width = row_width(m, config.subgroup_size);
  config.width = std::min(config.width, config.subgroup_size);
}

// How many tiles a subgroup takes. Groups cost less the fewer they are; but a processor takes whole
// groups, and the one with the most tiles ends last.
std::uint32_t tiles_for_few_groups(const kernel_config& config, const device_traits& device,
                                   std::uint64_t tiles) {
  const std::uint64_t at_once = config.groups_at_once(device), processors = device.processors;
  std::uint32_t best = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint32_t share = 1; share <= 6; ++share) {
    const std::uint64_t groups = divide_up(tiles, std::uint64_t{share} * config.subgroups);
    if (groups > at_once || groups <= 2 * processors) continue;
    const std::uint64_t longest = divide_up(groups, processors) * share;
    if (longest > least) continue;
    least = longest;
    best = share;
  }
  return best;
}

// How tiles are shared out over groups, and how these join.
void set_tiles(kernel_config& config, const device_traits& device, std::size_t value_bytes,
               const matrix_base& m) {
  const bool shuffles = device.exchange == subgroup_exchange::shuffle;
  const std::uint64_t tiles = divide_up(static_cast<std::uint64_t>(m.nnz), config.tile());
  if (config.tiles == 0 && shuffles) {
    // Groups that all run at once, each with a long run of tiles, begin and join the least often.
    // But long runs lie far apart, so that less of u is near; with wide values that shows early.
    const bool is_wide = value_bytes > 4;
    if (entries_each(config, device, m) > (is_wide ? 25 : 84))
      config.tiles = is_wide ? 2 : 3;
    else if (is_wide)
      config.tiles = tiles_for_few_groups(config, device, tiles);
  }
  if (!shuffles || config.check_on_host) config.join = group_join::launch;
  if (config.join == group_join::by_size) {
    // A group that waits for its ticket keeps another one from starting: a second launch costs less
    // where they do not all run at once.
    const bool all_at_once = config.groups(device, tiles) <= config.groups_at_once(device);
    config.join = all_at_once ? group_join::tickets : group_join::launch;
  }
}

void set_strips(kernel_config& config, const device_traits& device, std::size_t value_bytes,
                const matrix_base& m) {
  const strip_constants& known = strip_constants_of(config.kernel->pads, device);
  if (config.height == 0) {
    config.height = value_bytes <= 4   ? known.height_4
                    : value_bytes <= 8 ? known.height_8
                                       : std::max(known.height_8 / 2, 1u);
    // A few strips of many entries leave processors idle (docs/performance.md).
    const auto few = static_cast<index_t>(30 * device.processors);
    while (config.height > 1 && m.rows / config.height < few &&
           m.nnz / std::max<index_t>(m.rows, 1) * config.height > 1280)
      config.height /= 2;
  }
  if (config.slots == 0) config.slots = known.slots;
  config.slots = std::min(config.slots, config.subgroup_size);
  if (config.subgroups == 0) config.subgroups = known.subgroups;
  if (config.overhead == 0) config.overhead = known.overhead;
}

// As many hubs as fit into so many bytes.
std::uint32_t hubs_in(std::size_t room, std::size_t value_bytes) {
  const std::size_t of_32 = 32 * value_bytes + sizeof(std::uint32_t);
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(room / of_32 * 32, 32, 65504));
}

std::size_t room_for_hubs(const device_traits& device) {
  // Where work-items share memory with the rest of a CPU, more would only be copied.
  if (device.exchange != subgroup_exchange::shuffle)
    return std::min<std::size_t>(device.local_bytes, 32 << 10);
  return std::max(device.most_local_bytes, device.local_bytes);
}

// A part costs staging and a sum a segment, so it pays off only if it has many entries; small parts
// are needed in a larger number (docs/notes/hub-staging.md).
void set_hubs(kernel_config& config, const device_traits& device, std::size_t value_bytes,
              const matrix_base& m) {
  const std::uint32_t max_hubs = most_hubs(device, value_bytes);
  if (config.hubs == 0) config.hubs = usual_hubs(device, value_bytes);
  config.hubs = std::min(static_cast<std::uint32_t>(divide_up(config.hubs, 32) * 32), max_hubs);
  // About the level-2 cache of the GPUs that were measured (docs/notes/hub-staging.md).
  constexpr std::size_t in_cache = 48 << 20;
  if (config.order == hub_order::by_size)
    config.order = static_cast<std::size_t>(m.columns) * value_bytes > in_cache ? hub_order::all
                                                                                : hub_order::hubs;
  if (config.hub_parts != 0) return;
  const bool is_large = m.nnz >= 1 << 26, is_huge = m.nnz >= 1 << 30,
             has_room = device.most_local_bytes > 64 << 10;
  config.hub_parts = !has_room          ? (is_large ? 8 : 4)
                     : !is_large        ? 2
                     : value_bytes <= 4 ? 4
                     : is_huge          ? 8
                                        : 6;
}

// Two vectors of bits take half of them each, from a multiple of 16 bytes on. Where more columns
// are read than have bits there, they are ordered by frequency.
void set_bits(kernel_config& config, const device_traits& device, const matrix_base& m) {
  constexpr std::uint32_t unit = 256;
  const auto room = static_cast<std::uint32_t>(
      (std::min<std::size_t>(room_for_hubs(device), std::size_t{1} << 18) - bytes_beside_bits) * 8);
  config.bits = config.bits == 0 ? room : std::min(config.bits, room);
  config.bits = std::max(config.bits / unit, 1U) * unit;
  config.order = bits_of_columns(static_cast<std::uint64_t>(m.columns)) > config.bits
                     ? hub_order::all
                     : hub_order::hubs;
}

// One subgroup joins the pieces of a row.
void set_piece(kernel_config& config, const matrix_base& m) {
  if (config.piece != 0) return;
  constexpr index_t most_pieces = 4096;
  config.piece = 1024;
  while (m.longest_row / most_pieces > config.piece) config.piece *= 2;
}

}  // namespace

std::uint32_t most_hubs(const device_traits& device, std::size_t bytes) {
  return hubs_in(room_for_hubs(device), bytes);
}

std::uint32_t usual_hubs(const device_traits& device, std::size_t bytes) {
  // The nearest cache takes what is left, and each gather that is under way takes a line of it.
  const std::size_t room = room_for_hubs(device);
  return hubs_in(room > 64 << 10 ? room / 16 * 11 : room, bytes);
}

std::uint32_t group_of_hubs(const device_traits& device) {
  const bool is_gpu = device.exchange == subgroup_exchange::shuffle;
  std::uint32_t group = is_gpu ? 1024 : 64;
  while (group > device.group_limit) group /= 2;
  return group;
}

std::uint32_t group_of_joins(const device_traits& device) {
  return std::min<std::uint32_t>(group_of_hubs(device), 64);
}

const device_kernel* find_device_kernel(std::string_view text,
                                        std::span<const device_kernel* const> kernels) {
  const std::string_view name = text.substr(0, text.find(':'));
  const auto found =
      std::ranges::find(kernels, name, [](const device_kernel* k) { return k->info.name; });
  return found == kernels.end() ? nullptr : *found;
}

kernel_config parse_kernel(std::string_view text, const device_traits& device,
                           std::span<const device_kernel* const> kernels) {
  kernel_config config;
  config.kernel = find_device_kernel(text, kernels);
  if (config.kernel == nullptr) throw usage_error(fmt::format("no kernel '{}'", text));
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return config;
  std::string_view rest = text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view option = rest.substr(0, comma);
    const std::size_t equals = option.find('=');
    if (equals == std::string_view::npos)
      throw usage_error(fmt::format("kernel '{}': found '{}', expected KEY=VALUE", text, option));
    set(config, text, option.substr(0, equals), option.substr(equals + 1), device);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return config;
}

std::uint32_t row_width(const matrix_base& m, std::uint32_t subgroup_size) {
  // Some sixteen entries a work-item, so that loads are under way together, and no more than 64 of
  // the longest row, which the others wait for (docs/performance.md).
  std::uint32_t width = 2;
  while (width < subgroup_size && (16 * width * m.rows < m.nnz || 64 * width < m.longest_row))
    width *= 2;
  return std::min(width, subgroup_size);
}

kernel_config complete(kernel_config config, const device_traits& device, std::size_t value_bytes,
                       const matrix_base& m) {
  const bool shuffles = device.exchange == subgroup_exchange::shuffle;
  if (config.subgroup_size == 0) config.subgroup_size = device.subgroup_size;
  const bool in_strips = config.unit() == work_unit::strip;
  if (in_strips) set_strips(config, device, value_bytes, m);
  // Without shuffles a group is one subgroup, so that its barrier is the subgroup's own.
  if (config.subgroups == 0) config.subgroups = config.kernel->subgroups;
  if (!shuffles) config.subgroups = 1;
  while (config.group_size() > device.group_limit && config.subgroups > 1) --config.subgroups;
  set_items(config, device, value_bytes, m);
  set_width(config, m);
  if (config.kernel->info.reads_bits)
    set_bits(config, device, m);
  else
    set_hubs(config, device, value_bytes, m);
  set_piece(config, m);
  config.block.fill = config.fill;
  // What has to fit: of a tile product, head, row and absence, what is exchanged, and pieces; of a
  // strip its slots, each with a byte that says whether it is filled.
  const auto local_bytes = [&] {
    const std::size_t tile = config.tile() * (value_bytes + 4 + 4 + 1);
    const std::size_t strip = config.height * config.slots_of_row() * (value_bytes + 1);
    const std::size_t exchange = shuffles ? 0 : config.subgroup_size * (value_bytes + 16);
    const std::size_t pieces = 2 * (value_bytes + 16);
    return config.subgroups * ((in_strips ? strip : tile + pieces) + exchange) + 256;
  };
  const std::size_t limit = std::min<std::size_t>(device.local_bytes, 48 << 10);
  while (local_bytes() > limit && config.subgroups > 1) --config.subgroups;
  while (local_bytes() > limit && config.items > 1) --config.items;
  while (local_bytes() > limit && config.height > 1) --config.height;
  if (config.unit() == work_unit::entry) set_tiles(config, device, value_bytes, m);
  return config;
}

std::uint64_t kernel_config::groups(const device_traits& device, std::uint64_t all) const {
  if (tiles > 0) return divide_up(all, std::uint64_t{tiles} * subgroups);
  return std::min(divide_up(all, subgroups), groups_at_once(device));
}

std::uint64_t kernel_config::groups_at_once(const device_traits& device) const {
  return device.processors * std::max<std::uint64_t>(1, resident_by_tiles / group_size());
}

void kernel_config::expect_early_exit(const device_traits& device, bool u_is_full) {
  if (kernel->narrows_for_early_exit && width == 0 && device.exchange == subgroup_exchange::shuffle)
    width = u_is_full ? 1 : 2;
}

std::uint32_t kernel_config::parts() const {
  const std::uint32_t lanes = std::bit_floor(std::max(subgroup_size / height, 1u));
  return std::min(lanes, slots_of_row());
}

program_constants kernel_config::constants(const device_traits& device,
                                           std::size_t value_bytes) const {
  program_constants list;
  list.reserve(8);
  if (kernel->add_constants != nullptr) kernel->add_constants(*this, device, value_bytes, list);
  return list;
}

program_request request_of(const kernel_config& config, const device_traits& device,
                           const semiring_description& semiring, bool vector_first) {
  return {.kernel = config.name(),
          .semiring = &semiring,
          .vector_first = vector_first,
          .constants = config.constants(device, semiring.z().size),
          .texts = config.kernel->texts,
          .text = config.kernel->text};
}

kernel_config sorted_push() {
  return {.kernel = &kernels::coo, .items = 5, .join = group_join::launch};
}

bool can_push(const device_traits& device, const semiring_description& semiring) {
  const std::size_t bytes = semiring.z().size;
  return semiring.add.exact && neutral_of(semiring.add) &&
         (bytes == 1 || bytes == 2 || bytes == 4 || (bytes == 8 && device.atomics_64));
}

}  // namespace tropic::detail
